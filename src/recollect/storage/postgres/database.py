"""Transactions of one tenant on one PostgreSQL database.

Nothing is kept in a session: role, tenant, person and search path are set in each transaction, so that a pooler may
give every transaction another session. Writers of a tenant take turns, since rules read before they write.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg import sql
from psycopg.pq import TransactionStatus
from psycopg.types import TypeInfo

from recollect.errors import StoreClosed
from recollect.storage.postgres.address import Address
from recollect.storage.postgres.bulk import BulkWriter
from recollect.storage.postgres.errors import refusing_unbindable, translate_error
from recollect.storage.postgres.pool import Connection, ConnectionPool
from recollect.storage.postgres.queries import TypedQuery, load_typed_queries
from recollect.storage.postgres.replica import ReadReplica
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
_OPENINGS = 1_000
# What is written together where there is much of it.
_HELD = _ADD_RECORD, _ADD_MENTION = "add_record", "add_mention"
_PUT_VECTOR = "put_vector"


class PostgresRows:
    """Runs named queries inside the transaction that lent its connection."""

    __slots__ = ("_bulk", "_cursor", "_queries", "_tenant", "has_due_job")

    def __init__(
        self, connection: Connection, queries: Mapping[str, TypedQuery], *, tenant: str, may_stage: bool
    ) -> None:
        self._cursor = connection.cursor(binary=True)
        self._queries = queries
        self._tenant = tenant
        self._bulk = BulkWriter(self._cursor, queries, tenant=tenant, may_stage=may_stage)
        self.has_due_job = False

    def all(self, name: str, /, **values: Any) -> list[tuple[Any, ...]]:
        """Every row of a query."""
        return self._execute(name, values).fetchall()

    def one(self, name: str, /, **values: Any) -> tuple[Any, ...] | None:
        """The first row of a query, or nothing."""
        given = self._complete(name, values)
        if name == _ADD_RECORD and (seq := self._bulk.hold_record(given)) is not None:
            return (seq,)
        return self._send(name, given).fetchone()

    def run(self, name: str, /, **values: Any) -> int:
        """How many rows a statement changed."""
        if name == _ADD_MENTION and self._bulk.hold_mention(values):
            return 1
        return self._execute(name, values).rowcount

    def run_many(self, name: str, several: Sequence[Mapping[str, Any]], /) -> int:
        """How many rows a statement changed, run with each of these values."""
        if name != _PUT_VECTOR or not self._bulk.is_worth(len(several)):
            return sum(self.run(name, **values) for values in several)
        return self._bulk.write_vectors([self._complete(name, dict(values)) for values in several])

    def all_of(self, name: str, several: Sequence[Mapping[str, Any]], /) -> list[list[tuple[Any, ...]]]:
        """Every row of a query for each of these values, asked for at once."""
        if len(several) < 2:
            return [self.all(name, **values) for values in several]
        query = self._queries[name]
        self._bulk.write_before(query)
        completed = [self._complete(name, dict(values)) for values in several]
        with refusing_unbindable():
            self._cursor.executemany(query.sql, completed, returning=True)
        return [results.fetchall() for results in self._cursor.results()]

    def finish(self) -> None:
        """Write what is held back, before the transaction ends."""
        self._bulk.write_held()

    def matching(self, words: Sequence[str], *, among: Sequence[str] = (), readers: Sequence[str] = ()) -> str:
        """What the functions of the word index look for; see `storage.rows`."""
        return build_match(words, tenant=self._tenant, among=among, readers=readers)

    def matching_pairs(self, pairs: Sequence[str]) -> str:
        """The same for pairs of characters."""
        return build_pair_match(pairs, tenant=self._tenant)

    def _execute(self, name: str, values: dict[str, Any]) -> psycopg.Cursor[tuple[Any, ...]]:
        return self._send(name, self._complete(name, values))

    def _send(self, name: str, given: Mapping[str, Any]) -> psycopg.Cursor[tuple[Any, ...]]:
        query = self._queries[name]
        if name not in _HELD:
            self._bulk.write_before(query)
        with refusing_unbindable():
            return self._cursor.execute(query.sql, given)

    def _complete(self, name: str, values: dict[str, Any]) -> dict[str, Any]:
        """The values with those that only this backend takes."""
        # Whose memory this is was decided when it was opened, not by who asks.
        values["tenant"] = self._tenant
        if name in DERIVED:
            with refusing_unbindable():
                values |= DERIVED[name](values)
        elif name == "put_job" and values["due_at"] <= time.time_ns() // 1000:
            self.has_due_job = True
        return values


class PostgresDatabase:
    """The connections to one database, and transactions on them for one tenant."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.queries = load_typed_queries()
        self._state, self._vector_type = self._prepare()
        self._pool = ConnectionPool(self._connect, size=address.pool, place=address.place)
        self._replica = self._find_replica()
        self._writing = threading.local()
        # Most transactions open as one before did; putting the statements together takes longer than sending them.
        self._open_with = lru_cache(maxsize=_OPENINGS)(self._build_opening)
        self._is_closed = False

    def read(self, work: Callable[[PostgresRows], T], *, person: str | None = None) -> T:
        """What `work` makes of one unchanging view of the tenant's memory, or of what one person may see of it."""
        pool = self._replica.pool if self._replica is not None and self._replica.is_ready() else self._pool
        with self._transaction(_READ, person=person, pool=pool) as rows:
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
        if self._replica is not None:
            self._replica.pool.close()

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

    def _find_replica(self) -> ReadReplica | None:
        if not self.address.replica:
            return None
        standby = replace(self.address, conninfo=self.address.replica)
        return ReadReplica(lambda: self._connect(standby), size=self.address.pool, place=self.address.place)

    def _connect(self, address: Address | None = None) -> Connection:
        connection = connect(address or self.address)
        adapt_values(connection, self._vector_type)
        return connection

    @contextlib.contextmanager
    def _transaction(
        self,
        begin: LiteralString,
        *,
        person: str | None = None,
        alone: bool = False,
        pool: ConnectionPool | None = None,
    ) -> Iterator[PostgresRows]:
        pool = pool or self._pool
        with self._translating(), pool.lend() as lent:
            connection = self._begin(lent, self._open_with(begin, person, alone), pool)
            is_done = False
            rows = PostgresRows(connection, self.queries, tenant=self.address.tenant, may_stage=self._state.may_stage)
            try:
                yield rows
                rows.finish()
                # A commit after a failed statement would undo everything and say nothing.
                if connection.info.transaction_status == TransactionStatus.INERROR:
                    raise psycopg.errors.InFailedSqlTransaction("a statement failed, so nothing was kept")
                connection.execute("COMMIT")
                is_done = True
                if self._replica is not None and begin == _WRITE:
                    self._replica.note_written(connection)
                if rows.has_due_job:
                    # Not inside: commits that notify cannot share a flush.
                    rows.run("announce_job")
            finally:
                if not is_done:
                    _roll_back(connection)
                if connection is not lent:
                    pool.give_back(connection)

    def _begin(self, connection: Connection, statement: bytes, pool: ConnectionPool) -> Connection:
        """Start a transaction; on a new connection where the server had closed this one, since nothing was done yet."""
        try:
            connection.execute(statement)
        except psycopg.OperationalError:
            if not connection.closed:
                raise
            connection = pool.replace(connection)
            connection.execute(statement)
        return connection

    def _build_opening(self, begin: LiteralString, person: str | None, alone: bool) -> bytes:
        """The statements that open a transaction: who reads or writes what, and for a writer the wait for its turn."""
        settings = {
            "search_path": self._state.search_path,
            "lock_timeout": _LOCK_WAIT,
            "recollect.tenant": self.address.tenant,
            "recollect.person": person or "",
            "recollect.role": "engine" if person is None else "person",
        }
        if self._state.role:
            settings["role"] = self._state.role
        if self.address.is_prepared:
            # Planning takes longer than most queries do; the plan for any tenant leaves out partitions just as well.
            settings["plan_cache_mode"] = "force_generic_plan"
        calls = [
            sql.SQL("set_config({}, {}, true)").format(sql.Literal(name), sql.Literal(value))
            for name, value in settings.items()
        ]
        opening = sql.SQL("{}; SELECT {}").format(sql.SQL(begin), sql.SQL(", ").join(calls))
        if not alone:
            return opening.as_bytes()
        turn = sql.SQL("; SELECT pg_advisory_xact_lock({}, hashtext({}))")
        return (opening + turn.format(sql.Literal(_WRITERS), sql.Literal(self.address.tenant))).as_bytes()

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
