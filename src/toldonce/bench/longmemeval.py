"""LongMemEval as collections, one for each way of making haystacks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from toldonce.bench.values import PERSON, BenchQuestion, BenchTurn, Collection, Granularity, Passage

HAYSTACK = 48
UPDATE = "knowledge-update"
UNKNOWN = "abstention"
_WHEN = re.compile(r"(\d{4})/(\d\d)/(\d\d) \(\w+\) (\d\d):(\d\d)")
_NEVER = datetime.min.replace(tzinfo=UTC)

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class HaystackSession:
    """One session of a haystack."""

    id: str
    at: datetime | None
    turns: tuple[BenchTurn, ...]


def read_among_others(rows: Iterable[Row], granularity: Granularity) -> list[Collection]:
    """Every question with its evidence sessions among sessions of other questions, 48 in all (protocol o48)."""
    asked = list(rows)
    sessions, owners = _evidence_sessions(_answerable_rows(asked))
    return [_haystack_collection(row, _choose_haystack(row, sessions, owners), granularity) for row in asked]


def read_pooled(rows: Iterable[Row], granularity: Granularity) -> list[Collection]:
    """All questions over one collection of every evidence session (protocol pool)."""
    asked = _answerable_rows(rows)
    sessions, _ = _evidence_sessions(asked)
    in_order = sorted(sessions.values(), key=lambda s: (s.at or _NEVER, s.id))
    questions = [_read_row_question(row, granularity) for row in asked]
    return [
        Collection(
            id="pool",
            passages=_haystack_passages(in_order, granularity),
            questions=tuple(questions),
            person=PERSON,
        )
    ]


def read_published(rows: Iterable[Row], granularity: Granularity) -> list[Collection]:
    """Every question over the haystack that comes with it."""
    return [_haystack_collection(row, list(_read_row_sessions(row)), granularity) for row in rows]


def read_cut_haystacks(questions: Iterable[Row], sessions: Iterable[Row]) -> list[Collection]:
    """Published haystacks whose sessions are cut to the first 500 characters of the person (protocol scut)."""
    texts = {row["id"]: row["user_text_500"] for row in sessions}
    found = []
    for row in questions:
        days = zip(row["haystack_session_ids"], row["haystack_dates"], strict=True)
        haystack = [HaystackSession(name, parse_longmemeval_time(day), (BenchTurn(texts[name]),)) for name, day in days]
        answers = [s for s in haystack if s.id in set(row["answer_session_ids"])]
        groups, dated = _order_by_age(row, [(s.at, s.id, frozenset({s.id})) for s in answers])
        found.append(
            Collection(
                id=row["question_id"],
                passages=_haystack_passages(haystack, "session"),
                questions=(_make_question(row, "session", groups=groups, dated=dated),),
                person=PERSON,
            )
        )
    return found


def parse_longmemeval_time(text: str) -> datetime | None:
    """The moment of a session or a question, written like "2023/05/23 (Tue) 19:11"."""
    found = _WHEN.match(text)
    return datetime(*map(int, found.groups()), tzinfo=UTC) if found else None  # type: ignore[misc, arg-type]


def _answerable_rows(rows: Iterable[Row]) -> list[Row]:
    return [row for row in rows if not _is_unknown(row)]


def _is_unknown(row: Row) -> bool:
    """Whether the sessions do not tell what is asked."""
    return str(row["question_id"]).endswith("_abs")


def _read_row_sessions(row: Row) -> Iterable[HaystackSession]:
    told = zip(row["haystack_session_ids"], row["haystack_dates"], row["haystack_sessions"], strict=True)
    for name, day, turns in told:
        yield HaystackSession(
            name, parse_longmemeval_time(day), tuple(BenchTurn(t["content"], role=t["role"]) for t in turns)
        )


def _evidence_sessions(rows: Sequence[Row]) -> tuple[dict[str, HaystackSession], dict[str, set[str]]]:
    """Every session there is, and the questions each belongs to."""
    sessions: dict[str, HaystackSession] = {}
    owners: dict[str, set[str]] = {}
    for row in rows:
        for session in _read_row_sessions(row):
            sessions[session.id] = session
            owners.setdefault(session.id, set()).add(row["question_id"])
    return sessions, owners


def _choose_haystack(
    row: Row, sessions: Mapping[str, HaystackSession], owners: Mapping[str, set[str]]
) -> list[HaystackSession]:
    """The evidence and others chosen by hash, those from before the question first; in order of time."""
    asked = row["question_id"]
    mine = {session.id: session for session in _read_row_sessions(row)}
    others = [name for name in sessions if name not in mine and asked not in owners[name]]
    others.sort(key=lambda name: sha256(f"{asked}|{name}".encode()).hexdigest())
    at = parse_longmemeval_time(row["question_date"]) or _NEVER
    others.sort(key=lambda name: (sessions[name].at or _NEVER) > at)
    chosen = [*mine.values(), *(sessions[name] for name in others[: max(0, HAYSTACK - len(mine))])]
    return sorted(chosen, key=lambda session: (session.at or _NEVER, session.id))


def _haystack_collection(row: Row, haystack: Sequence[HaystackSession], granularity: Granularity) -> Collection:
    question = _read_row_question(row, granularity)
    passages = _haystack_passages(haystack, granularity)
    return Collection(id=question.id, passages=passages, questions=(question,), person=PERSON)


def _haystack_passages(haystack: Iterable[HaystackSession], granularity: Granularity) -> tuple[Passage, ...]:
    if granularity == "session":
        return tuple(Passage(id=s.id, session=s.id, turns=s.turns, at=s.at) for s in haystack)
    return tuple(
        Passage(id=f"{s.id}#{place}", session=s.id, turns=(turn,), at=s.at)
        for s in haystack
        for place, turn in enumerate(s.turns)
    )


def _read_row_question(row: Row, granularity: Granularity) -> BenchQuestion:
    whole = [
        (s.at, s.id, _session_passage_ids(s, granularity))
        for s in _read_row_sessions(row)
        if s.id in set(row["answer_session_ids"])
    ]
    groups, dated = _order_by_age(row, whole)
    return _make_question(row, granularity, groups=groups, dated=dated)


def _make_question(
    row: Row, granularity: Granularity, *, groups: tuple[frozenset[str], ...], dated: bool
) -> BenchQuestion:
    return BenchQuestion(
        id=row["question_id"],
        text=row["question"],
        gold=_gold_passages(row, granularity),
        category=UNKNOWN if _is_unknown(row) else row["question_type"],
        at=parse_longmemeval_time(row["question_date"]),
        groups=groups,
        dated=dated,
        answer=str(row.get("answer", "")),
        is_unknown=_is_unknown(row),
    )


def _session_passage_ids(session: HaystackSession, granularity: Granularity) -> frozenset[str]:
    places = range(len(session.turns))
    return frozenset({session.id} if granularity == "session" else {f"{session.id}#{place}" for place in places})


def _gold_passages(row: Row, granularity: Granularity) -> frozenset[str]:
    if _is_unknown(row):
        return frozenset()
    if granularity == "session":
        return frozenset(row["answer_session_ids"])
    told = zip(row["haystack_session_ids"], row["haystack_sessions"], strict=True)
    return frozenset(
        f"{name}#{place}" for name, turns in told for place, turn in enumerate(turns) if turn.get("has_answer")
    )


def _order_by_age(
    row: Row, statements: Sequence[tuple[datetime | None, str, frozenset[str]]]
) -> tuple[tuple[frozenset[str], ...], bool]:
    """The evidence of an update, oldest first, if one of it is the newest."""
    if row["question_type"] != UPDATE or len(statements) < 2:
        return (), False
    in_order = sorted(statements, key=lambda s: (s[0] or _NEVER, s[1]))
    if in_order[-1][0] == in_order[-2][0]:
        return (), False
    return tuple(ids for _, _, ids in in_order), True
