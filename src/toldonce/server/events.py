"""Changes as server-sent events: a place in what happened comes in, what the reader may know of goes out.

Events carry ids and states, never text. One thread of each process looks at the store while somebody listens, so that
changes by other processes are seen too. A client that comes back with its last event id misses nothing, and neither
does a page, which begins at the place at which it was made.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Annotated

from anyio import to_thread
from fastapi import FastAPI, Query, Request, Response
from starlette.responses import StreamingResponse

from toldonce.errors import NotAllowed
from toldonce.operations.event_log import StoredEvent, read_event_page
from toldonce.operations.routes import PREFIX
from toldonce.server.api import PROBLEMS, identity_of
from toldonce.server.identity import Identity
from toldonce.server.problems import RequestProblem
from toldonce.storage.tables.events import EventPlace

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.server.credentials import Credentials
    from toldonce.server.metrics import Metrics
    from toldonce.storage.store import Tables

PATH = f"{PREFIX}/events"
LOOK_EVERY_S = 0.2
_KEEP_ALIVE_S = 15.0
_MEDIA_TYPE = "text/event-stream"


def write_event(stored: StoredEvent) -> bytes:
    """An event as clients receive it."""
    body = json.dumps(stored.event.plain(), ensure_ascii=True)
    return f"id: {write_place(stored.place)}\nevent: {stored.event.topic}\ndata: {body}\n\n".encode()


def write_place(place: EventPlace) -> str:
    """A place as an event id."""
    return "-".join(str(part) for part in place)


def read_place(text: str) -> EventPlace:
    """The place that a client sent back."""
    parts = text.split("-")
    if len(parts) != len(EventPlace._fields) or not all(part.isdigit() and len(part) < 19 for part in parts):
        raise RequestProblem(400, "event-id", "this event id is not one of ours: listen without one")
    return EventPlace(*(int(part) for part in parts))


def may_know(tables: Tables, identity: Identity, stored: StoredEvent) -> bool:
    """Whether an identity may know of an event."""
    if stored.event.topic == "job":
        return identity.is_owner
    if not identity.may_enter(stored.event.space):
        return False
    if stored.record is not None:
        return tables.people.may_read(stored.record, identity.person)
    # Questions that are for everybody, and conversations of nobody in particular, are everybody's.
    return identity.person is None or stored.person in (None, identity.person)


class EventWatch:
    """Looks at the store while somebody listens, and wakes the listeners when something happened."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._newest = EventPlace()
        self._listeners: set[asyncio.Event] = set()
        self._looking: asyncio.Task[None] | None = None
        self._is_stopped = False

    def stop(self) -> None:
        """End every stream: the server stops."""
        self._is_stopped = True
        if self._looking is not None:
            self._looking.cancel()
        for woken in self._listeners:
            woken.set()

    async def listen(
        self, identity: Identity, after: EventPlace | None, *, holds: Callable[[], bool] = lambda: True
    ) -> AsyncIterator[bytes]:
        """Events for an identity from a place on, as long as the client stays and its credential `holds`."""
        woken = asyncio.Event()
        self._listeners.add(woken)
        try:
            newest = await to_thread.run_sync(self.read_newest)
            if self._looking is None or self._looking.done():
                # While it looks, only it may move on: others have yet to be woken for what came since it looked last.
                self._newest = newest
                self._looking = asyncio.create_task(self._look())
            # A place that is not there yet would never be reached: it is of a memory that was restored since.
            place = EventPlace(*map(min, after, newest)) if after is not None else newest
            yield f"retry: 1000\nid: {write_place(place)}\n\n".encode()
            while not self._is_stopped:
                # Before reading: what happens meanwhile wakes it again.
                woken.clear()
                if not await to_thread.run_sync(holds):
                    return
                events, place, is_behind = await to_thread.run_sync(self._read_after, identity, place)
                for event in events:
                    yield event
                if not is_behind:
                    yield await self._wait(woken)
        finally:
            self._listeners.discard(woken)

    async def _wait(self, woken: asyncio.Event) -> bytes:
        try:
            await asyncio.wait_for(woken.wait(), _KEEP_ALIVE_S)
        except TimeoutError:
            return b": still here\n\n"
        return b""

    async def _look(self) -> None:
        while self._listeners:
            newest = await to_thread.run_sync(self.read_newest)
            if newest != self._newest:
                self._newest = newest
                for woken in self._listeners:
                    woken.set()
            await asyncio.sleep(LOOK_EVERY_S)

    def read_newest(self) -> EventPlace:
        """The place of what happened last."""
        return self._memory.store.read(lambda t: t.events.newest())

    def _read_after(self, identity: Identity, place: EventPlace) -> tuple[list[bytes], EventPlace, bool]:
        """The next events, the place after them, also when none may be shown, and whether more follow."""

        def read(tables: Tables) -> tuple[list[bytes], EventPlace, bool]:
            page = read_event_page(tables, place)
            known = [write_event(stored) for stored in page.events if may_know(tables, identity, stored)]
            return known, page.place, page.has_more

        return self._memory.store.read(read)


def add_events(app: FastAPI, watch: EventWatch, metrics: Metrics, credentials: Credentials) -> None:
    """Add the path of events."""

    told = {"description": "The stream.", "content": {_MEDIA_TYPE: {"schema": {"type": "string"}}}}

    @app.get(
        PATH,
        operation_id="events",
        tags=["events"],
        response_model=None,
        response_class=StreamingResponse,
        responses={**PROBLEMS, 200: told},
    )
    async def listen(request: Request, last_event_id: Annotated[str | None, Query(max_length=100)] = None) -> Response:
        """Changes of records, questions, sessions and jobs as server-sent events, from the last event id on."""
        identity = identity_of(request)
        if not identity.may("read"):
            raise NotAllowed("events need a credential with the right 'read'")
        said = request.headers.get("last-event-id") or last_event_id
        events = watch.listen(
            identity, read_place(said) if said else None, holds=lambda: credentials.still_holds(request)
        )
        stream = _count_listener(events, metrics.count_listener)
        return StreamingResponse(stream, 200, {"X-Accel-Buffering": "no"}, _MEDIA_TYPE)


async def _count_listener(stream: AsyncIterator[bytes], count: Callable[[int], None]) -> AsyncIterator[bytes]:
    count(1)
    try:
        async for piece in stream:
            if piece:
                yield piece
    finally:
        count(-1)
