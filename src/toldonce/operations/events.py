"""What happens in a memory, as events: the table of their names, and callbacks for them.

Events carry ids, states and counts, never remembered text. What a transaction changed is read before it ends, so that
callbacks are called in the process that did the work and for nothing else; they are called after the commit.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from toldonce.errors import InputError
from toldonce.storage.store import Store, Tables

if TYPE_CHECKING:
    from toldonce.memory import Memory

T = TypeVar("T")
log = logging.getLogger("toldonce.events")

# Every event: when it happens. `id` is the id of the first thing that the text names.
EVENTS: Mapping[str, str] = {
    "session_completed": "a conversation was settled",
    "record_added": "a message or another record was stored",
    "record_changed": "a record was confirmed, corrected, superseded, forgotten, restored, expired or the like",
    "question_asked": "a question about a conflict waits for its person",
    "question_answered": "a question was answered",
    "job_finished": "a background job ended, well or not",
}


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
        from toldonce.operations.event_log import read_between

        happened: list[Event] = []

        def noting(tables: Tables) -> T:
            before = tables.events.newest()
            done = work(tables)
            happened.extend(read_between(tables, before, names))
            return done

        done = self._store.write(noting)
        for event in happened:
            self.subscriptions.deliver(event)
        return done


def subscribe(self: Memory, event: str, callback: Callback) -> Subscription:
    """Call `callback` with every event of this name that this process causes, after its transaction is on disk.

    `toldonce.operations.events.EVENTS` lists the names. It is called in the thread that did the work: a slow callback
    delays that. One that raises is logged and changes nothing. `off()` of the result ends it, and so does leaving a
    `with` block. On a server's memory it is called for what anybody causes, as far as the key may know of it.
    """
    if not isinstance(self.engine.store, WatchedStore):
        self.engine.store = cast(Store, WatchedStore(self.engine.store))
    return cast(WatchedStore, self.engine.store).subscriptions.add(event, callback)
