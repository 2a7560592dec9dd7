"""LongMemEval as collections, one for each way of making haystacks. Questions without an answer are left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from recollect.bench.values import Collection, Granularity, Passage, Question, Turn

HAYSTACK = 48
UPDATE = "knowledge-update"
_WHEN = re.compile(r"(\d{4})/(\d\d)/(\d\d) \(\w+\) (\d\d):(\d\d)")
_NEVER = datetime.min.replace(tzinfo=UTC)

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Session:
    """One session of a haystack."""

    id: str
    at: datetime | None
    turns: tuple[Turn, ...]


def among_others(rows: Iterable[Row], granularity: Granularity) -> list[Collection]:
    """Every question with its evidence sessions among sessions of other questions, 48 in all (protocol o48)."""
    asked = _answerable(rows)
    sessions, owners = _evidence(asked)
    return [
        _collection(row, [sessions[name] for name in _haystack(row, sessions, owners)], granularity)
        for row in asked
        if _gold(row, granularity)
    ]


def pooled(rows: Iterable[Row], granularity: Granularity) -> list[Collection]:
    """All questions over one collection of every evidence session (protocol pool)."""
    asked = _answerable(rows)
    sessions, _ = _evidence(asked)
    in_order = sorted(sessions.values(), key=lambda s: (s.at or _NEVER, s.id))
    questions = [_question(row, granularity) for row in asked]
    return [
        Collection(
            id="pool", passages=_passages(in_order, granularity), questions=tuple(q for q in questions if q.gold)
        )
    ]


def as_published(rows: Iterable[Row], granularity: Granularity) -> list[Collection]:
    """Every question over the haystack that comes with it."""
    return [_collection(row, list(_sessions(row)), granularity) for row in _answerable(rows) if _gold(row, granularity)]


def cut(questions: Iterable[Row], sessions: Iterable[Row]) -> list[Collection]:
    """Published haystacks whose sessions are cut to the first 500 characters of the person (protocol scut)."""
    texts = {row["id"]: row["user_text_500"] for row in sessions}
    found = []
    for row in _answerable(questions):
        days = zip(row["haystack_session_ids"], row["haystack_dates"], strict=True)
        haystack = [Session(name, when(day), (Turn(texts[name]),)) for name, day in days]
        answers = [s for s in haystack if s.id in set(row["answer_session_ids"])]
        groups, dated = _by_age(row, [(s.at, s.id, frozenset({s.id})) for s in answers])
        question = Question(
            id=row["question_id"],
            text=row["question"],
            gold=frozenset(row["answer_session_ids"]),
            category=row["question_type"],
            at=when(row["question_date"]),
            groups=groups,
            dated=dated,
        )
        found.append(Collection(id=question.id, passages=_passages(haystack, "session"), questions=(question,)))
    return found


def when(text: str) -> datetime | None:
    """The moment of a session or a question, written like "2023/05/23 (Tue) 19:11"."""
    found = _WHEN.match(text)
    return datetime(*map(int, found.groups()), tzinfo=UTC) if found else None  # type: ignore[misc, arg-type]


def _answerable(rows: Iterable[Row]) -> list[Row]:
    return [row for row in rows if not row["question_id"].endswith("_abs")]


def _sessions(row: Row) -> Iterable[Session]:
    told = zip(row["haystack_session_ids"], row["haystack_dates"], row["haystack_sessions"], strict=True)
    for name, day, turns in told:
        yield Session(name, when(day), tuple(Turn(t["content"], role=t["role"]) for t in turns))


def _evidence(rows: Sequence[Row]) -> tuple[dict[str, Session], dict[str, set[str]]]:
    """Every session there is, and the questions each belongs to."""
    sessions: dict[str, Session] = {}
    owners: dict[str, set[str]] = {}
    for row in rows:
        for session in _sessions(row):
            sessions[session.id] = session
            owners.setdefault(session.id, set()).add(row["question_id"])
    return sessions, owners


def _haystack(row: Row, sessions: Mapping[str, Session], owners: Mapping[str, set[str]]) -> list[str]:
    """The evidence and others chosen by hash, those from before the question first; in order of time."""
    asked = row["question_id"]
    mine = set(row["haystack_session_ids"])
    others = [name for name in sessions if name not in mine and asked not in owners[name]]
    others.sort(key=lambda name: sha256(f"{asked}|{name}".encode()).hexdigest())
    at = when(row["question_date"]) or _NEVER
    others.sort(key=lambda name: (sessions[name].at or _NEVER) > at)
    chosen = mine | set(others[: max(0, HAYSTACK - len(mine))])
    return sorted(chosen, key=lambda name: (sessions[name].at or _NEVER, name))


def _collection(row: Row, haystack: Sequence[Session], granularity: Granularity) -> Collection:
    question = _question(row, granularity)
    return Collection(id=question.id, passages=_passages(haystack, granularity), questions=(question,))


def _passages(haystack: Iterable[Session], granularity: Granularity) -> tuple[Passage, ...]:
    if granularity == "session":
        return tuple(Passage(id=s.id, session=s.id, turns=s.turns, at=s.at) for s in haystack)
    return tuple(
        Passage(id=f"{s.id}#{place}", session=s.id, turns=(turn,), at=s.at)
        for s in haystack
        for place, turn in enumerate(s.turns)
    )


def _question(row: Row, granularity: Granularity) -> Question:
    whole = [(s.at, s.id, _ids(s, granularity)) for s in _sessions(row) if s.id in set(row["answer_session_ids"])]
    groups, dated = _by_age(row, whole)
    return Question(
        id=row["question_id"],
        text=row["question"],
        gold=_gold(row, granularity),
        category=row["question_type"],
        at=when(row["question_date"]),
        groups=groups,
        dated=dated,
    )


def _ids(session: Session, granularity: Granularity) -> frozenset[str]:
    places = range(len(session.turns))
    return frozenset({session.id} if granularity == "session" else {f"{session.id}#{place}" for place in places})


def _gold(row: Row, granularity: Granularity) -> frozenset[str]:
    if granularity == "session":
        return frozenset(row["answer_session_ids"])
    told = zip(row["haystack_session_ids"], row["haystack_sessions"], strict=True)
    return frozenset(
        f"{name}#{place}" for name, turns in told for place, turn in enumerate(turns) if turn.get("has_answer")
    )


def _by_age(
    row: Row, statements: Sequence[tuple[datetime | None, str, frozenset[str]]]
) -> tuple[tuple[frozenset[str], ...], bool]:
    """The evidence of an update, oldest first, if one of it is the newest."""
    if row["question_type"] != UPDATE or len(statements) < 2:
        return (), False
    in_order = sorted(statements, key=lambda s: (s[0] or _NEVER, s[1]))
    if in_order[-1][0] == in_order[-2][0]:
        return (), False
    return tuple(ids for _, _, ids in in_order), True
