"""Transactions of one tenant on one PostgreSQL database.

Nothing is kept in a session: role, tenant, person and search path are set in each transaction, so that a pooler may
give every transaction another session. Writers of a tenant take turns, since rules read before they write.
"""

from __future__ import annotations

import contextlib
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg import sql
from psycopg.pq import TransactionStatus
from psycopg.types import TypeInfo

from recollect.errors import StoreClosed
from recollect.storage.postgres.address import Address
from recollect.storage.postgres.errors import translate_error, unbindable_error
from recollect.storage.postgres.pool import Connection, ConnectionPool
from recollect.storage.postgres.queries import TypedQuery, load_typed_queries
from recollect.storage.postgres.schema import SchemaState, connect, prepare_schema
from recollect.storage.postgres.values import DERIVED, adapt_values
from recollect.storage.postgres.words import build_match, build_pair_match

T = TypeVar("T")

_READ: LiteralString = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# Without "read write": a server that takes no writes then says so in plain words.
_WRITE: LiteralString = "BEGIN ISOLATION LEVEL READ COMMITTED"
# One number for all of Recollect's locks; the other number of a lock is the tenant's.
_WRITERS = 0x7EC0
_LOCK_WAIT = "30s"


class PostgresRows:
    """Runs named queries inside the transaction that lent its connection."""

    __slots__ = ("_cursor", "_queries", "_tenant", "has_due_job")

    def __init__(self, connection: Connection, queries: Mapping[str, TypedQuery], tenant: str) -> None:
        self._cursor = connection.cursor(binary=True)
        self._queries = queries
        self._tenant = tenant
        self.has_due_job = False

    def all(self, name: str, /, **values: Any) -> list[tuple[Any, ...]]:
        """Every row of a query."""
        return self._execute(name, values).fetchall()

    def one(self, name: str, /, **values: Any) -> tuple[Any, ...] | None:
        """The first row of a query, or nothing."""
        return self._execute(name, values).fetchone()

    def run(self, name: str, /, **values: Any) -> int:
        """How many rows a statement changed."""
        return self._execute(name, values).rowcount

    def matching(self, words: Sequence[str], *, among: Sequence[str] = (), readers: Sequence[str] = ()) -> str:
        """What the functions of the word index look for; see `storage.rows`."""
        return build_match(words, tenant=self._tenant, among=among, readers=readers)

    def matching_pairs(self, pairs: Sequence[str]) -> str:
        """The same for pairs of characters."""
        return build_pair_match(pairs, tenant=self._tenant)

    def _execute(self, name: str, values: dict[str, Any]) -> psycopg.Cursor[tuple[Any, ...]]:
        # Whose memory this is was decided when it was opened, not by who asks.
        values["tenant"] = self._tenant
        if name in DERIVED:
            values |= DERIVED[name](values)
        elif name == "put_job" and values["due_at"] <= time.time_ns() // 1000:
            self.has_due_job = True
        try:
            return self._cursor.execute(self._queries[name].sql, values)
        except (struct.error, OverflowError, TypeError, AttributeError) as problem:
            raise unbindable_error() from problem


class PostgresDatabase:
    """The connections to one database, and transactions on them for one tenant."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.queries = load_typed_queries()
        self._state, self._vector_type = self._prepare()
        self._pool = ConnectionPool(self._connect, size=address.pool, place=address.place)
        self._writing = threading.local()
        self._is_closed = False

    def read(self, work: Callable[[PostgresRows], T], *, person: str | None = None) -> T:
        """What `work` makes of one unchanging view of the tenant's memory, or of what one person may see of it."""
        with self._transaction(_READ, person=person) as rows:
            return work(rows)

    def write(self, work: Callable[[PostgresRows], T], *, alone: bool = True) -> T:
        """What `work` returns, once everything it wrote is durable; if it raises, nothing of it is kept."""
        if getattr(self._writing, "is_under_way", False):
            raise RuntimeError("a write was started inside a write: do both in one")
        self._writing.is_under_way = True
        try:
            with self._transaction(_WRITE, alone=alone) as rows:
                return work(rows)
        finally:
            self._writing.is_under_way = False

    @contextlib.contextmanager
    def maintain(self) -> Iterator[Connection]:
        """A connection outside of any transaction and without a role: for maintenance only."""
        with self._translating(), self._pool.lend() as connection:
            yield connection

    def close(self) -> None:
        """Let go of the connections; writes under way are finished by whoever made them."""
        self._is_closed = True
        self._pool.close()

    @property
    def state(self) -> SchemaState:
        """What was found when the database was opened."""
        return self._state

    def _prepare(self) -> tuple[SchemaState, TypeInfo]:
        with self._translating(), connect(self.address) as connection:
            state = prepare_schema(connection, place=self.address.place)
            info = TypeInfo.fetch(connection, sql.Identifier(state.vector_schema, "halfvec"))
            assert info is not None, "the schema was made with this type"
            return state, info

    def _connect(self) -> Connection:
        connection = connect(self.address)
        adapt_values(connection, self._vector_type)
        return connection

    @contextlib.contextmanager
    def _transaction(
        self, begin: LiteralString, *, person: str | None = None, alone: bool = False
    ) -> Iterator[PostgresRows]:
        with self._translating(), self._pool.lend() as lent:
            connection = self._begin(lent, self._opening(begin, person=person, alone=alone))
            is_done = False
            rows = PostgresRows(connection, self.queries, self.address.tenant)
            try:
                yield rows
                # A commit after a failed statement would undo everything and say nothing.
                if connection.info.transaction_status == TransactionStatus.INERROR:
                    raise psycopg.errors.InFailedSqlTransaction("a statement failed, so nothing was kept")
                connection.execute("COMMIT")
                is_done = True
                if rows.has_due_job:
                    # Not inside: commits that notify cannot share a flush.
                    rows.run("announce_job")
            finally:
                if not is_done:
                    _roll_back(connection)
                if connection is not lent:
                    self._pool.give_back(connection)

    def _begin(self, connection: Connection, statement: sql.Composed) -> Connection:
        """Start a transaction; on a new connection where the server had closed this one, since nothing was done yet."""
        try:
            connection.execute(statement)
        except psycopg.OperationalError:
            if not connection.closed:
                raise
            connection = self._pool.replace(connection)
            connection.execute(statement)
        return connection

    def _opening(self, begin: LiteralString, *, person: str | None, alone: bool) -> sql.Composed:
        settings = {
            "search_path": self._state.search_path,
            "lock_timeout": _LOCK_WAIT,
            "recollect.tenant": self.address.tenant,
            "recollect.person": person or "",
            "recollect.role": "engine" if person is None else "person",
        }
        if self._state.role:
            settings["role"] = self._state.role
        calls = [
            sql.SQL("set_config({}, {}, true)").format(sql.Literal(name), sql.Literal(value))
            for name, value in settings.items()
        ]
        opening = sql.SQL("{}; SELECT {}").format(sql.SQL(begin), sql.SQL(", ").join(calls))
        if not alone:
            return opening
        turn = sql.SQL("; SELECT pg_advisory_xact_lock({}, hashtext({}))")
        return opening + turn.format(sql.Literal(_WRITERS), sql.Literal(self.address.tenant))

    @contextlib.contextmanager
    def _translating(self) -> Iterator[None]:
        try:
            yield
        except (psycopg.Error, UnicodeError) as problem:
            if self.is_closed:
                raise StoreClosed from problem
            raise translate_error(problem, self.address.place) from problem

    @property
    def is_closed(self) -> bool:
        return getattr(self, "_is_closed", False)


def _roll_back(connection: Connection) -> None:
    with contextlib.suppress(psycopg.Error):
        if connection.info.transaction_status != TransactionStatus.IDLE:
            connection.execute("ROLLBACK")
