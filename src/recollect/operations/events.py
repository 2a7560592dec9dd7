"""What happens in a memory, as events: the table of their names, how they are read from the store, and callbacks.

Events carry ids, states and counts, never remembered text. What a transaction changed is read before it ends, so that
callbacks are called in the process that did the work and for nothing else; they are called after the commit.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from recollect.clock import from_micros
from recollect.errors import InputError
from recollect.storage.store import Store, Tables
from recollect.storage.tables.events import EventPlace

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.records import Record

T = TypeVar("T")
log = logging.getLogger("recollect.events")

# Every event: when it happens. `id` is the id of the first thing that the text names.
EVENTS: Mapping[str, str] = {
    "session_completed": "a conversation was settled",
    "record_added": "a message or another record was stored",
    "record_changed": "a record was confirmed, corrected, superseded, forgotten, restored, expired or the like",
    "question_asked": "a question about a conflict waits for its person",
    "question_answered": "a question was answered",
    "job_finished": "a background job ended, well or not",
}
# Actions in the audit log that are events.
_LOGGED = {
    "settle": "session_completed",
    "ask question": "question_asked",
    "answer question": "question_answered",
}
_PAGE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened: the name, what it happened to, and counts or states in `data`."""

    name: str
    id: str
    space: str
    action: str
    at: datetime
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def topic(self) -> str:
        """What sort of thing it happened to: session, record, question or job."""
        return self.name.partition("_")[0]

    def plain(self) -> dict[str, Any]:
        """The event as a JSON object."""
        return {"id": self.id, "space": self.space, "action": self.action, "at": self.at.isoformat(), **self.data}


def read_plain_event(topic: str, plain: Mapping[str, Any]) -> Event | None:
    """The event that a topic and the JSON object of an event describe; None for one that this version does not know."""
    action = str(plain.get("action", ""))
    wanted = f"{topic}_{action}"
    name = wanted if wanted in EVENTS else {"record": "record_changed", "job": "job_finished"}.get(topic)
    if name is None:
        return None
    more = {key: value for key, value in plain.items() if key not in ("id", "space", "action", "at")}
    at = datetime.fromisoformat(plain["at"])
    return Event(name=name, id=plain["id"], space=plain["space"], action=action, at=at, data=more)


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as it is read from the store: the place after it, and whose it is, for those who ask who may know.

    `key` is the same whenever the event is read.
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
                events.append(replace(stored, place=place, key=f"{reader.part}-{seq}"))
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
        found.append((seq, StoredEvent(event, after)))
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


def check_event_names(names: Collection[str]) -> None:
    """Raise InputError for a name that is not one of an event."""
    for name in names:
        if name not in EVENTS:
            raise InputError(f"there is no event {str(name)[:40]!r}: use one of {', '.join(EVENTS)}")


Callback = Callable[[Event], object]


class Subscription:
    """A callback that is called for an event until `off`, or until the end of a `with` block."""

    def __init__(self, event: str, callback: Callback, remove: Callable[[Subscription], None]) -> None:
        self.event = event
        self.callback = callback
        self._remove = remove

    def off(self) -> None:
        """No longer call it; calling this again does nothing."""
        self._remove(self)

    def __enter__(self) -> Subscription:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.off()


class Subscriptions:
    """The callbacks of one memory. Safe for many threads."""

    def __init__(self) -> None:
        self._all: tuple[Subscription, ...] = ()
        self._lock = threading.Lock()

    @property
    def names(self) -> frozenset[str]:
        """The names of the events that somebody waits for."""
        return frozenset(one.event for one in self._all)

    def add(self, event: str, callback: Callback) -> Subscription:
        """Call it for every such event from now on."""
        check_event_names([event])
        if not callable(callback):
            raise InputError(f"the callback for {event} is not callable: give a function that takes the event")
        made = Subscription(event, callback, self._remove)
        with self._lock:
            self._all = (*self._all, made)
        return made

    def deliver(self, event: Event) -> None:
        """Call everybody who waits for this event; one that fails is logged."""
        for one in self._all:
            if one.event == event.name:
                try:
                    one.callback(event)
                except Exception:
                    log.exception("the callback for %s failed; the memory is not affected", event.name)

    def _remove(self, subscription: Subscription) -> None:
        with self._lock:
            self._all = tuple(one for one in self._all if one is not subscription)


class WatchedStore:
    """A store whose writes are followed by the callbacks for what they changed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.subscriptions = Subscriptions()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def write(self, work: Callable[[Tables], T], *, alone: bool = True) -> T:
        """What `work` returns; see `Store`. Work that need not be alone holds leases, and makes no events."""
        names = self.subscriptions.names if alone else frozenset[str]()
        if not names:
            return self._store.write(work, alone=alone)
        happened: list[Event] = []

        def noting(tables: Tables) -> T:
            before = tables.events.newest()
            done = work(tables)
            happened.extend(_read_between(tables, before, names))
            return done

        done = self._store.write(noting)
        for event in happened:
            self.subscriptions.deliver(event)
        return done


def _read_between(tables: Tables, before: EventPlace, names: Collection[str]) -> Iterator[Event]:
    """What happened since a place in this transaction, which is the only one that writes."""
    newest, place, has_more = tables.events.newest(), before, True
    while has_more and place != newest:
        page = read_event_page(tables, place, upto=newest, names=names)
        yield from (stored.event for stored in page.events)
        place, has_more = page.place, page.has_more


def subscribe(self: Memory, event: str, callback: Callback) -> Subscription:
    """Call `callback` with every event of this name that this process causes, after its transaction is on disk.

    `recollect.operations.events.EVENTS` lists the names. It is called in the thread that did the work: a slow callback
    delays that. One that raises is logged and changes nothing. `off()` of the result ends it, and so does leaving a
    `with` block. On a server's memory it is called for what anybody causes, as far as the key may know of it.
    """
    if not isinstance(self.engine.store, WatchedStore):
        self.engine.store = cast(Store, WatchedStore(self.engine.store))
    return cast(WatchedStore, self.engine.store).subscriptions.add(event, callback)
