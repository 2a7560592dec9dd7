"""Reads on a standby: only when it has what this process wrote, else the primary is asked."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

import psycopg

from toldonce.errors import StoreError
from toldonce.storage.postgres.connection import ServerConnection
from toldonce.storage.postgres.pool import ConnectionPool
from toldonce.storage.postgres.queries import load_typed_queries

log = logging.getLogger("toldonce")

# How long a read waits for the standby before it goes to the primary, and how long a standby that failed is left alone.
WAIT_SECONDS = 0.1
_LOOK_SECONDS = 0.005
REST_SECONDS = 5.0


class ReadReplica:
    """Knows how far this process has written, and whether the standby is there yet."""

    def __init__(self, connect: Callable[[], ServerConnection], *, size: int, place: str) -> None:
        self.pool = ConnectionPool(connect, size=size, place=place)
        self._place = place
        self._written: str | None = None
        # How many commits could not be followed by a look at the log, and how many of them a later look covers.
        self._missed = 0
        self._covered = 0
        self._rests_until = 0.0
        self._lock = threading.Lock()

    @property
    def is_position_known(self) -> bool:
        """Whether it is known how far this process has written."""
        return self._covered == self._missed

    def note_written(self, connection: ServerConnection) -> None:
        """Keep how far the primary's log reaches after a commit; where it cannot be asked, the primary is read."""
        missed = self._missed
        try:
            connection.settle()
            row = connection.execute(load_typed_queries()["written_position"].sql).fetchone()
        except psycopg.Error:
            with self._lock:
                self._missed += 1
            return
        with self._lock:
            # Those of writers that end at the same time may come in any order.
            if row and (self._written is None or _is_after(row[0], self._written)):
                self._written = row[0]
            self._covered = max(self._covered, missed)

    def is_ready(self) -> bool:
        """Whether a read may go to the standby now; waits a moment for it."""
        if time.monotonic() < self._rests_until or not self.is_position_known:
            return False
        try:
            with self.pool.lend() as connection:
                return self._wait_for_position(connection)
        except (psycopg.Error, StoreError) as problem:
            log.warning(
                "%s: this standby cannot be read, so reads go to the primary: %s", self._place, type(problem).__name__
            )
            self.rest()
            return False

    def rest(self) -> None:
        """Leave the standby alone for a moment."""
        self._rests_until = time.monotonic() + REST_SECONDS
        self.pool.close_idle()

    def _wait_for_position(self, connection: ServerConnection) -> bool:
        last_look = time.monotonic() + WAIT_SECONDS
        while not self._has_replayed(connection):
            if time.monotonic() >= last_look:
                return False
            time.sleep(_LOOK_SECONDS)
        return True

    def _has_replayed(self, connection: ServerConnection) -> bool:
        row = connection.execute(load_typed_queries()["has_replayed"].sql, {"position": self._written}).fetchone()
        return bool(row and row[0])


def _is_after(one: str, other: str) -> bool:
    return _as_number(one) > _as_number(other)


def _as_number(position: str) -> int:
    high, _, low = position.partition("/")
    return (int(high, 16) << 32) + int(low, 16)
