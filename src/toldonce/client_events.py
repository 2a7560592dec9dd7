"""Events of a server for callbacks: its stream of server-sent events comes in, calls go out, in a thread of their own.

The connection is made again when it breaks, from the last event on, so that nothing is missed while the server is away.
"""

from __future__ import annotations

import http.client
import json
import logging
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from toldonce.errors import MemoryOffline, ToldonceError
from toldonce.operations.events import Callback, Event, Subscription, Subscriptions, read_plain_event

if TYPE_CHECKING:
    from toldonce.client import Connection

log = logging.getLogger("toldonce.events")

PATH = "/v1/events"
_WAIT_S = 1.0
_LONGEST_WAIT_S = 60.0


class RemoteEvents:
    """The callbacks of a remote memory; a thread listens while there are any."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._subscriptions = Subscriptions()
        self._last_id = ""
        self._stop = threading.Event()
        self._listening = threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._refused: ToldonceError | None = None

    def add(self, event: str, callback: Callback) -> Subscription:
        """Call it for every such event from now on; returns when the server listens, and raises when it refuses."""
        made = self._subscriptions.add(event, callback)
        with self._lock:
            if self._thread is None:
                self._refused = None
                self._listening.clear()
                self._thread = threading.Thread(target=self._run_thread, name="toldonce events", daemon=True)
                self._thread.start()
        self._listening.wait()
        if self._refused is not None:
            made.off()
            raise self._refused
        return made

    def close(self) -> None:
        """No longer listen."""
        self._stop.set()
        self._connection.close_stream()

    def _run_thread(self) -> None:
        wait = _WAIT_S
        while not self._stop.is_set():
            try:
                for event in self._read_stream():
                    wait = _WAIT_S
                    self._subscriptions.deliver(event)
            except (MemoryOffline, OSError, ValueError, http.client.HTTPException) as problem:
                if not self._listening.is_set():
                    self._give_up(problem if isinstance(problem, ToldonceError) else MemoryOffline())
                    return
            except ToldonceError as problem:
                log.error("events of the server are no longer received: %s", problem)
                self._give_up(problem)
                return
            self._stop.wait(wait)
            wait = min(2 * wait, _LONGEST_WAIT_S)

    def _give_up(self, problem: ToldonceError) -> None:
        with self._lock:
            self._refused, self._thread = problem, None
        self._listening.set()

    def _read_stream(self) -> Iterator[Event]:
        """Events until the stream ends."""
        headers = {"Last-Event-ID": self._last_id} if self._last_id else {}
        topic, body, place = "", "", ""
        for line in self._connection.stream(PATH, headers=headers):
            name, _, value = line.decode().rstrip("\r\n").partition(": ")
            if name == "id":
                place = value
            elif name == "event":
                topic = value
            elif name == "data":
                body = value
            elif not name and place:
                event = read_plain_event(topic, json.loads(body)) if body else None
                if event is not None:
                    yield event
                self._last_id = place
                topic = body = place = ""
                self._listening.set()
