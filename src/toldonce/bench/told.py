"""What is given for a question: the prompt block of `context`, and beside it plain hits of `recall` in as many tokens.

A lived chat and a question come in, rows without the expected answer go out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from toldonce.bench.chat import LivedChat
from toldonce.bench.values import BenchQuestion
from toldonce.records import Hit, Record
from toldonce.tokens import count_tokens

BLOCK, HITS = "block", "hits"
RUNS = (BLOCK, HITS)
_ID_BYTES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldQuestion:
    """A question, the day it is asked on, and what one run gives for it; the id says nothing of the run."""

    id: str
    set: str
    question_id: str
    category: str
    run: str
    asked_on: str
    question: str
    told: str
    tokens: int


def tell_question(chat: LivedChat, question: BenchQuestion, *, name: str, budget: int | None) -> list[ToldQuestion]:
    """What each run gives for a question of the set `name`; plain hits have as many tokens as the block used."""
    block = chat.tell_block(question, budget=budget)
    lines = choose_lines(chat.find_messages(question), budget=block.tokens)
    told = {BLOCK: block.text, HITS: "\n".join(lines)}
    return [
        ToldQuestion(
            id=make_id(name, question.id, run),
            set=name,
            question_id=question.id,
            category=question.category,
            run=run,
            asked_on=f"{chat.asked_at(question):%Y-%m-%d (%A)}",
            question=question.text,
            told=told[run],
            tokens=count_tokens(told[run]),
        )
        for run in RUNS
    ]


def choose_lines(hits: Iterable[Hit], *, budget: int) -> Sequence[str]:
    """The best hits that fit, as dated lines, oldest first."""
    kept: list[tuple[Record, str]] = []
    for hit in hits:
        line = _dated_line(hit.record)
        if count_tokens("\n".join([*(text for _, text in kept), line])) <= budget:
            kept.append((hit.record, line))
    return [line for record, line in sorted(kept, key=lambda one: (one[0].at, one[0].id))]


def make_id(*parts: str) -> str:
    """An id that is the same in every run and tells nothing of its parts."""
    return blake2b("\0".join(parts).encode(), digest_size=_ID_BYTES).hexdigest()


def _dated_line(record: Record) -> str:
    speaker = record.user or record.role if record.role == "user" else record.role
    return f"- {record.at:%Y-%m-%d (%a)} {speaker}: {record.text}"
