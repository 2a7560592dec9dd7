"""The connections of one process to a database: lent one at a time, made when they are needed.

Whoever borrows one meets the server's own error at once, and a server that comes back is used at once; a pool with
threads of its own would hide both behind a timeout.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator

import psycopg

from toldonce.errors import StoreBusy, StoreClosed, StoreForked
from toldonce.storage.postgres.connection import ServerConnection

WAIT_SECONDS = 30.0


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
    def lend(self, *, settled: bool = True) -> Iterator[ServerConnection]:
        """A connection that is in no transaction; it is closed afterwards if it is still in one.

        For an exchange it need not be `settled`.
        """
        self._refuse_closed()
        if not self._free.acquire(timeout=self._wait_seconds):
            raise StoreBusy(
                f"{self._place}: all {self._size} connections of this process are in use: "
                "try again, or allow more with pool= in the address"
            )
        try:
            connection = self._take(settled=settled)
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

    def _take(self, *, settled: bool) -> ServerConnection:
        try:
            connection = self._idle.pop()
        except IndexError:
            return self._connect()
        if settled:
            try:
                connection.settle()
            except psycopg.OperationalError:
                return self.replace(connection)
        return connection

    def give_back(self, connection: ServerConnection) -> None:
        """Keep a connection for the next one who asks, unless it is of no use; also one that `replace` made."""
        if connection.closed:
            return
        if self._is_closed or not connection.is_reusable:
            connection.close()
        else:
            self._idle.append(connection)

    def close_idle(self) -> None:
        """Close the connections that nobody uses."""
        while self._idle:
            self._idle.pop().close()
