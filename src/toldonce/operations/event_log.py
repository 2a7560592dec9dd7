"""Events as the store has them: a place in what happened comes in, the events after it and the next place go out.

New records, changes and runs of jobs are rows of their own; the audit log has settled conversations and questions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace

from toldonce.clock import from_micros
from toldonce.operations.events import EVENTS, Event
from toldonce.records import Record
from toldonce.storage.store import Tables
from toldonce.storage.tables.events import EventPlace

# Actions in the audit log that are events.
_LOGGED = {
    "settle": "session_completed",
    "ask question": "question_asked",
    "answer question": "question_answered",
}
_PAGE = 500


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as it is read from the store: the place after it, and whose it is, for those who ask who may know.

    `key` tells it from others of the same name, thing and moment; it is the same whenever and wherever it is read.
    """

    event: Event
    place: EventPlace
    record: Record | None = None
    person: str | None = None
    key: str = ""


@dataclass(frozen=True, slots=True)
class EventPage:
    """The next events, the place after them, and whether more follow."""

    events: tuple[StoredEvent, ...]
    place: EventPlace
    has_more: bool


def read_event_page(
    tables: Tables, after: EventPlace, *, upto: EventPlace | None = None, names: Collection[str] = EVENTS.keys()
) -> EventPage:
    """What happened after a place, at most a page of each sort; with `names`, events of these names alone.

    With `upto`, nothing beyond that place.
    """
    newest = upto or tables.events.newest()
    events: list[StoredEvent] = []
    place = after
    for reader in _READERS:
        if reader.names.isdisjoint(names):
            place = place._replace(**{reader.part: getattr(newest, reader.part)})
            continue
        found = reader.read(tables, place, newest)
        for seq, stored in found:
            place = place._replace(**{reader.part: seq})
            if stored is not None and stored.event.name in names:
                events.append(replace(stored, place=place))
        if len(found) < _PAGE:
            place = place._replace(**{reader.part: max(getattr(place, reader.part), getattr(newest, reader.part))})
    return EventPage(tuple(events), place, has_more=place != newest)


# The place of a row, and the event that it is, unless what it is about is gone.
_Found = list[tuple[int, "StoredEvent | None"]]


def _read_added(tables: Tables, after: EventPlace, newest: EventPlace) -> _Found:
    found: _Found = []
    for seq, record in tables.events.records(after.record, newest.record, limit=_PAGE):
        event = Event(
            name="record_added",
            id=record.id,
            space=record.space,
            action="added",
            at=record.created_at,
            data={"kind": record.kind},
        )
        found.append((seq, StoredEvent(event, after, record, record.user)))
    return found


def _read_changes(tables: Tables, after: EventPlace, newest: EventPlace) -> _Found:
    rows = tables.events.changes(after.change, newest.change, limit=_PAGE)
    known = tables.records.get({row[4] for row in rows})
    found: _Found = []
    for seq, action, state, at, record_id in rows:
        record = known.get(record_id)
        if record is None:
            found.append((seq, None))
            continue
        event = Event(
            name="record_changed",
            id=record_id,
            space=record.space,
            action=action,
            at=from_micros(at),
            data={"state": state},
        )
        found.append((seq, StoredEvent(event, after, record, record.user)))
    return found


def _read_runs(tables: Tables, after: EventPlace, newest: EventPlace) -> _Found:
    found: _Found = []
    for seq, space, name, status, ended_at in tables.events.runs(after.run, newest.run, limit=_PAGE):
        event = Event(name="job_finished", id=name, space=space, action=status, at=from_micros(ended_at))
        found.append((seq, StoredEvent(event, after, key=f"run-{seq}")))
    return found


def _read_log(tables: Tables, after: EventPlace, newest: EventPlace) -> _Found:
    found: _Found = []
    for row in tables.events.logged(after.log, newest.log, limit=_PAGE):
        if row.about is None:
            found.append((row.seq, None))
            continue
        name = _LOGGED[row.action]
        event = Event(
            name=name,
            id=row.about,
            space=row.space,
            action=name.partition("_")[2],
            at=from_micros(row.at),
            data=row.counts if row.is_settled else {},
        )
        found.append((row.seq, StoredEvent(event, after, None, row.person)))
    return found


@dataclass(frozen=True, slots=True)
class _Reader:
    """What reads one sort of events: the part of a place that it moves, and the names of its events."""

    part: str
    names: frozenset[str]
    read: Callable[[Tables, EventPlace, EventPlace], _Found]


_READERS = (
    _Reader("record", frozenset({"record_added"}), _read_added),
    _Reader("change", frozenset({"record_changed"}), _read_changes),
    _Reader("log", frozenset(_LOGGED.values()), _read_log),
    _Reader("run", frozenset({"job_finished"}), _read_runs),
)


def is_past_events(tables: Tables, place: EventPlace, names: Collection[str], *, own_job: str) -> bool:
    """Whether nothing happened after a place that may be an event of these names; runs of `own_job` do not count."""
    newest = tables.events.newest()
    parts = {reader.part for reader in _READERS if not reader.names.isdisjoint(names)}
    if any(getattr(place, part) < getattr(newest, part) for part in parts - {"run"}):
        return False
    after = place.run
    while "run" in parts and (rows := tables.events.runs(after, newest.run, limit=_PAGE)):
        if any(name != own_job for _, _, name, *_ in rows):
            return False
        after = rows[-1][0]
    return True


def read_between(tables: Tables, before: EventPlace, names: Collection[str]) -> Iterator[Event]:
    """What happened since a place in this transaction, which is the only one that writes."""
    newest, place, has_more = tables.events.newest(), before, True
    while has_more and place != newest:
        page = read_event_page(tables, place, upto=newest, names=names)
        yield from (stored.event for stored in page.events)
        place, has_more = page.place, page.has_more
