"""LoCoMo conversations and LoCoMo-Plus pairs as collections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from toldonce.bench.values import BenchQuestion, BenchTurn, Collection, Granularity, Passage

CATEGORIES = {1: "1 multi-hop", 2: "2 temporal", 3: "3 open-domain", 4: "4 single-hop", 5: "5 adversarial"}
# How many conversations stand around the cues of LoCoMo-Plus.
AROUND = 2
# The questions of this category are about somebody whom the conversation does not tell it of.
_ADVERSARIAL = 5
_UNKNOWN = (
    "It is not known of the person asked about: to say that it is not known or was not said is right, and so is to say"
    " that it was somebody else. To tell it of the person asked about is wrong{example}."
)
_NOT_SAID = ("not mentioned", "no information")
_EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")
_WHEN = re.compile(r"(\d+):(\d\d) ?(am|pm) on (\d+) (\w+),? (\d{4})", re.IGNORECASE)


def read_locomo(rows: Iterable[Mapping[str, Any]], granularity: Granularity) -> list[Collection]:
    """Each conversation as a collection; its turns or its sessions are what is looked for."""
    return [_read_locomo_conversation(row, granularity) for row in rows]


def read_locomo_plus(
    rows: Iterable[Mapping[str, Any]], conversations: Iterable[Mapping[str, Any]] = ()
) -> list[Collection]:
    """Every cue among all cues and the turns of a few conversations; the question is a later remark."""
    passages, questions = [], []
    for place, row in enumerate(rows):
        pair = str(row.get("id", place))
        cue = f"cue{pair}"
        text, remark = row.get("cue") or row["cue_dialogue"], row.get("query") or row["trigger_query"]
        relation = row.get("relation") or row["relation_type"]
        passages.append(Passage(id=cue, session=cue, turns=(BenchTurn(text),)))
        questions.append(BenchQuestion(id=pair, text=remark, gold=frozenset({cue}), category=relation))
    for row in list(conversations)[:AROUND]:
        passages += _turns_around(row)
    return [Collection(id="locomo-plus", passages=tuple(passages), questions=tuple(questions))]


def parse_locomo_time(text: str) -> datetime | None:
    """The moment of a session, written like "4:04 pm on 20 January, 2023"."""
    found = _WHEN.match(text)
    if not found:
        return None
    hour, minute, half, day, month, year = found.groups()
    written = f"{hour}:{minute} {half} {day} {month} {year}"
    return datetime.strptime(written, "%I:%M %p %d %B %Y").replace(tzinfo=UTC)


def _read_locomo_conversation(row: Mapping[str, Any], granularity: Granularity) -> Collection:
    passages: list[Passage] = []
    known: set[str] = set()
    for session, at, turns in _read_locomo_sessions(row["conversation"]):
        known |= {turn["dia_id"] for turn in turns}
        if granularity == "turn":
            passages += [Passage(id=t["dia_id"], session=session, turns=(_read_locomo_turn(t),), at=at) for t in turns]
        else:
            passages.append(Passage(id=session, session=session, turns=tuple(map(_read_locomo_turn, turns)), at=at))
    name = row["sample_id"]
    questions = [_read_locomo_question(name, place, asked, known, granularity) for place, asked in enumerate(row["qa"])]
    return Collection(id=name, passages=tuple(passages), questions=tuple(questions))


def _read_locomo_question(
    name: str, place: int, asked: Mapping[str, Any], known: set[str], granularity: Granularity
) -> BenchQuestion:
    gold = {f"D{int(a)}:{int(b)}" for said in asked["evidence"] for a, b in _EVIDENCE.findall(said)} & known
    if granularity == "session":
        gold = {"session_" + turn[1:].partition(":")[0] for turn in gold}
    is_unknown = asked["category"] == _ADVERSARIAL
    return BenchQuestion(
        id=f"{name}/q{place}",
        text=asked["question"],
        gold=frozenset(gold),
        category=CATEGORIES[asked["category"]],
        answer=_expect_unknown(asked) if is_unknown else str(asked.get("answer", "")),
        is_unknown=is_unknown,
    )


def _expect_unknown(asked: Mapping[str, Any]) -> str:
    """The expected answer of an adversarial question, with what the question tempts to say."""
    tempting = str(asked.get("adversarial_answer", "")).strip().rstrip(".")
    is_answer = tempting and not tempting.lower().startswith(_NOT_SAID)
    return _UNKNOWN.format(example=f", as in: {tempting}" if is_answer else "")


def _read_locomo_sessions(
    conversation: Mapping[str, Any],
) -> Iterator[tuple[str, datetime | None, list[Mapping[str, Any]]]]:
    number = 1
    while (name := f"session_{number}") in conversation or f"{name}_date_time" in conversation:
        if turns := conversation.get(name):
            yield name, parse_locomo_time(conversation.get(f"{name}_date_time", "")), turns
        number += 1


def _read_locomo_turn(turn: Mapping[str, Any]) -> BenchTurn:
    caption = turn.get("blip_caption")
    shared = f" [shares a photo: {caption}]" if caption else ""
    return BenchTurn(turn.get("text", "") + shared, turn["speaker"])


def _turns_around(row: Mapping[str, Any]) -> Iterator[Passage]:
    name = row["sample_id"]
    for session, at, turns in _read_locomo_sessions(row["conversation"]):
        for turn in turns:
            said = (BenchTurn(turn["text"], turn["speaker"]),)
            yield Passage(id=f"{name}/{turn['dia_id']}", session=f"{name}/{session}", turns=said, at=at)
