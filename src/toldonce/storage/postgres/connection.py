"""A connection to the server: what was prepared on it, and how answers of libpq's pipeline are read."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Generator
from typing import Any

import psycopg
from psycopg.pq import ExecStatus, TransactionStatus
from psycopg.pq.abc import PGconn, PGresult
from psycopg.waiting import Ready, Wait

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
        self._names[key] = b"toldonce_%d" % next(self._numbers)
        return self._names[key], True

    def drop_name(self, sql: bytes, types: tuple[int, ...]) -> None:
        """Use the name of a statement no more: it may not have been prepared."""
        self._names.pop((sql, types), None)


class ServerConnection(psycopg.Connection[tuple[Any, ...]]):
    """A connection with the statements that were prepared on it.

    With `has_unread_commit` the end of a transaction that only read was sent, and nobody looked at the answer yet. Such
    a connection is in pipeline mode: the next exchange reads that answer first, and others must call `settle`.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.statements = PreparedStatements()
        self.has_unread_commit = False

    @property
    def is_reusable(self) -> bool:
        """Whether it is in no transaction, or in one that is about to end."""
        return self.has_unread_commit or self.info.transaction_status == TransactionStatus.IDLE

    def take_unread_commit(self) -> bool:
        """Whether the answer to a commit is to be read first; who is interrupted before that leaves it unusable."""
        is_unread, self.has_unread_commit = self.has_unread_commit, False
        return is_unread

    def settle(self) -> None:
        """Make it ready for use by other means than an exchange."""
        if self.take_unread_commit():
            self.wait(collect_results(self.pgconn, []))
            self.pgconn.exit_pipeline_mode()


def flush_queries(pgconn: PGconn) -> Generator[Wait, Ready | int, None]:
    """Send what is waiting; psycopg waits for the socket meanwhile."""
    while pgconn.flush():
        if (yield Wait.RW) & Ready.R:
            pgconn.consume_input()


def collect_results(pgconn: PGconn, results: list[PGresult]) -> Generator[Wait, Ready | int, None]:
    """Send what is waiting and read results up to the end of the pipeline; psycopg waits for the socket meanwhile."""
    yield from flush_queries(pgconn)
    was_nothing = False
    while True:
        while pgconn.is_busy():
            if (yield Wait.R):
                pgconn.consume_input()
        result = pgconn.get_result()
        if result is None:
            # One ends the results of a statement; two mean that nothing more will come.
            if was_nothing:
                raise psycopg.OperationalError("the connection was lost")
            was_nothing = True
        elif result.status == ExecStatus.PIPELINE_SYNC:
            return
        else:
            was_nothing = False
            results.append(result)
