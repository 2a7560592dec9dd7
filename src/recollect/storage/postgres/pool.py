"""The connections of one process to a database: lent one at a time, made when they are needed.

Whoever borrows one meets the server's own error at once, and a server that comes back is used at once; a pool with
threads of its own would hide both behind a timeout.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

from recollect.errors import StoreBusy, StoreClosed, StoreForked

WAIT_SECONDS = 30.0
# A statement that came this often is worth preparing. The server keeps a plan for each, so there is an end to it.
_PREPARE_AFTER = 3
MOST_PREPARED = 200


class PreparedStatements:
    """The statements that a session of the server knows by name. A name is never given twice."""

    __slots__ = ("_names", "_numbers", "_seen")

    def __init__(self) -> None:
        self._names: dict[object, bytes] = {}
        self._numbers = itertools.count()
        self._seen: Counter[object] = Counter()

    def find_name(self, sql: bytes, types: tuple[int, ...]) -> tuple[bytes, bool]:
        """The name of a statement, and whether it is new and must be prepared; no name for one that is seldom sent, or
        that comes when there are many.
        """
        key = (sql, types)
        if key in self._names:
            return self._names[key], False
        self._seen[key] += 1
        if self._seen[key] <= _PREPARE_AFTER or len(self._names) >= MOST_PREPARED:
            return b"", False
        self._names[key] = b"recollect_%d" % next(self._numbers)
        return self._names[key], True

    def drop_name(self, sql: bytes, types: tuple[int, ...]) -> None:
        """Use the name of a statement no more: it may not have been prepared."""
        self._names.pop((sql, types), None)


class ServerConnection(psycopg.Connection[tuple[Any, ...]]):
    """A connection with the statements that were prepared on it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.statements = PreparedStatements()


class ConnectionPool:
    """Lends up to `size` connections at a time."""

    def __init__(
        self, connect: Callable[[], ServerConnection], *, size: int, place: str, wait_seconds: float | None = None
    ) -> None:
        self._connect = connect
        self._place = place
        self._size = size
        self._wait_seconds = WAIT_SECONDS if wait_seconds is None else wait_seconds
        self._free = threading.BoundedSemaphore(size)
        self._idle: list[ServerConnection] = []
        self._is_closed = False
        self._process = os.getpid()

    @contextlib.contextmanager
    def lend(self) -> Iterator[ServerConnection]:
        """A connection that is in no transaction; it is closed afterwards if it is still in one."""
        self._refuse_closed()
        if not self._free.acquire(timeout=self._wait_seconds):
            raise StoreBusy(
                f"{self._place}: all {self._size} connections of this process are in use: "
                "try again, or allow more with pool= in the address"
            )
        try:
            connection = self._take()
            try:
                yield connection
            finally:
                self.give_back(connection)
        finally:
            self._free.release()

    def replace(self, lost: ServerConnection) -> ServerConnection:
        """A fresh connection for one that the server had closed; others that waited were closed with it."""
        lost.close()
        self.close_idle()
        return self._connect()

    def close(self) -> None:
        """Close what nobody uses; what is lent is closed when it comes back."""
        self._is_closed = True
        if os.getpid() == self._process:
            self.close_idle()

    def _refuse_closed(self) -> None:
        if os.getpid() != self._process:
            raise StoreForked
        if self._is_closed:
            raise StoreClosed

    def _take(self) -> ServerConnection:
        try:
            return self._idle.pop()
        except IndexError:
            return self._connect()

    def give_back(self, connection: ServerConnection) -> None:
        """Keep a connection for the next one who asks, unless it is of no use; also one that `replace` made."""
        if connection.closed:
            return
        if self._is_closed or connection.info.transaction_status != TransactionStatus.IDLE:
            connection.close()
        else:
            self._idle.append(connection)

    def close_idle(self) -> None:
        """Close the connections that nobody uses."""
        while self._idle:
            self._idle.pop().close()
