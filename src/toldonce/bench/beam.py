"""BEAM chats as collections: every message is a passage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from toldonce.bench.values import PERSON, BenchQuestion, BenchTurn, Collection, Passage

UPDATE = "knowledge_update"
UNKNOWN = "abstention"
CONFLICTS = frozenset({"contradiction_resolution", UPDATE})
STANDING = frozenset({"instruction_following", "preference_following"})
# The fields that may have the expected answer; which one depends on the category.
ANSWERS = ("answer", "ideal_answer", "ideal_response", "ideal_summary", "expected_compliance")


def read_beam(rows: Iterable[Mapping[str, Any]]) -> list[Collection]:
    """Each chat as a collection."""
    return [_read_chat(row) for row in rows]


def parse_beam_day(text: str | None) -> datetime | None:
    """The day of a message, written like "March-15-2024"."""
    try:
        return datetime.strptime((text or "").strip(), "%B-%d-%Y").replace(tzinfo=UTC)
    except ValueError:
        return None


def _read_chat(row: Mapping[str, Any]) -> Collection:
    passages = tuple(_read_beam_passage(message) for message in row["messages"])
    known = {passage.id for passage in passages}
    asked = tuple(
        _read_beam_question(f"{row['chat_id']}/{category}/{place}", category, one, known)
        for category, questions in row["probing_questions"].items()
        for place, one in enumerate(questions)
    )
    return Collection(id=str(row["chat_id"]), passages=passages, questions=asked, person=PERSON)


def _read_beam_passage(message: Mapping[str, Any]) -> Passage:
    said = (BenchTurn(message["content"], role=message["role"]),)
    at = parse_beam_day(message.get("time_anchor"))
    return Passage(id=str(message["id"]), session=f"batch {message['batch']}", turns=said, at=at)


def _read_beam_question(name: str, category: str, asked: Mapping[str, Any], known: set[str]) -> BenchQuestion:
    named = asked.get("source_chat_ids")
    groups = [frozenset(_message_numbers(value)) & known for value in named.values()] if isinstance(named, dict) else []
    groups = [group for group in groups if group] if category in CONFLICTS else []
    told_twice = len(groups) > 1
    return BenchQuestion(
        id=name,
        text=asked["question"],
        gold=frozenset(_message_numbers(named)) & known,
        category=category,
        groups=tuple(groups) if told_twice else (),
        standing=category in STANDING,
        answer=str(next((asked[field] for field in ANSWERS if asked.get(field)), "")),
        rubric=tuple(map(str, asked.get("rubric") or ())),
        is_unknown=category == UNKNOWN,
        dated=told_twice and category == UPDATE and _last_number(groups[-1:]) > _last_number(groups[:-1]),
    )


def _last_number(groups: list[frozenset[str]]) -> int:
    return max(int(number) for group in groups for number in group)


def _message_numbers(named: object) -> Iterator[str]:
    """The numbers of messages in whatever lists and tables they stand."""
    if isinstance(named, dict):
        named = list(named.values())
    if isinstance(named, list):
        for one in named:
            yield from _message_numbers(one)
    elif isinstance(named, int | str) and str(named).strip().isdigit():
        yield str(int(named))
