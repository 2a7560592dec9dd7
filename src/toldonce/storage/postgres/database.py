"""Transactions of one tenant on one PostgreSQL database.

Nothing is kept in a session: role, tenant, person and search path are set in each transaction, so that a pooler may
give every transaction another session. Writers of a tenant take turns, since rules read before they write.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg import sql
from psycopg.types import TypeInfo

from toldonce.errors import StoreClosed, StoreError
from toldonce.storage.postgres.address import Address
from toldonce.storage.postgres.ahead import FirstQueries, Guesses, QueryKey, make_key
from toldonce.storage.postgres.bulk import BulkWriter
from toldonce.storage.postgres.connection import ServerConnection
from toldonce.storage.postgres.errors import refusing_unbindable, translate_error
from toldonce.storage.postgres.exchange import Exchange, QueryResult
from toldonce.storage.postgres.pool import ConnectionPool
from toldonce.storage.postgres.queries import TypedQuery, load_typed_queries, type_parameters
from toldonce.storage.postgres.replica import ReadReplica
from toldonce.storage.postgres.schema import SchemaState, connect, prepare_schema
from toldonce.storage.postgres.values import DERIVED, adapt_values
from toldonce.storage.postgres.words import build_match, build_pair_match
from toldonce.storage.rows import Rows

T = TypeVar("T")

log = logging.getLogger("toldonce.jobs")

_READ: LiteralString = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# Without "read write": a server that takes no writes then says so in plain words.
_WRITE: LiteralString = "BEGIN ISOLATION LEVEL READ COMMITTED"
# One number for all of Toldonce's locks; the other number of a lock is the tenant's.
_WRITERS = 0x7EC0
_LOCK_WAIT = "30s"
# What is written together where there is much of it.
_HELD = _ADD_RECORD, _ADD_MENTION = "add_record", "add_mention"
_PUT_VECTOR = "put_vector"
# This many rows at once are part of a load.
_LOAD = 100


class PostgresRows:
    """Runs named queries inside the transaction that lent its connection."""

    __slots__ = ("_ahead", "_bulk", "_exchange", "_guesses", "_is_snapshot", "_queries", "_tenant", "has_due_job")

    def __init__(
        self,
        exchange: Exchange,
        queries: Mapping[str, TypedQuery],
        *,
        tenant: str,
        may_stage: bool,
        is_snapshot: bool,
        guesses: Guesses,
    ) -> None:
        self._exchange = exchange
        self._queries = queries
        self._tenant = tenant
        self._bulk = BulkWriter(exchange, queries, tenant=tenant, may_stage=may_stage)
        self.has_due_job = False
        self._is_snapshot = is_snapshot
        self._guesses = guesses
        # Rows that were asked for ahead: while the transaction lasts, the same query has the same rows.
        self._ahead: dict[QueryKey, list[tuple[Any, ...]]] = {}

    def all(self, name: str, /, **values: Any) -> list[tuple[Any, ...]]:
        """Every row of a query."""
        rows = self._take_ahead(name, values)
        return self._send(name, self._complete(name, values)).rows if rows is None else rows

    def one(self, name: str, /, **values: Any) -> tuple[Any, ...] | None:
        """The first row of a query, or nothing."""
        if (rows := self._take_ahead(name, values)) is not None:
            return rows[0] if rows else None
        given = self._complete(name, values)
        if name == _ADD_RECORD and (seq := self._bulk.hold_record(given)) is not None:
            return (seq,)
        rows = self._send(name, given).rows
        return rows[0] if rows else None

    def run(self, name: str, /, **values: Any) -> int:
        """How many rows a statement changed."""
        if name == _ADD_MENTION and self._bulk.hold_mention(values):
            return 1
        return self._send(name, self._complete(name, values)).changed

    def run_many(self, name: str, several: Sequence[Mapping[str, Any]], /) -> int:
        """How many rows a statement changed, run with each of these values at once."""
        if name == _PUT_VECTOR and self._bulk.is_worth(len(several)):
            return self._bulk.write_vectors([self._complete(name, dict(values)) for values in several])
        held = [values for values in several if name == _ADD_MENTION and self._bulk.hold_mention(values)]
        if held or not several:
            return len(held)
        changed = sum(answer.changed for answer in self._send_each(name, several))
        if len(several) >= _LOAD:
            self._bulk.refresh_statistics()
        return changed

    def all_of(self, name: str, several: Sequence[Mapping[str, Any]], /) -> list[list[tuple[Any, ...]]]:
        """Every row of a query for each of these values, asked for at once."""
        if self._ahead and all(make_key(name, values) in self._ahead for values in several):
            return [self._ahead[make_key(name, values)] for values in several]
        return [answer.rows for answer in self._send_each(name, several)] if several else []

    def fetch_ahead(self, works: Sequence[Callable[[Rows], object]], /) -> bool:
        """Ask for the first rows that each of these reads, in one round trip where guesses help; see `storage.rows`."""
        if not self._is_snapshot:
            return False
        left: Sequence[Callable[..., object]] = works
        while left:
            first = FirstQueries(self._ahead, self._guesses, tenant=self._tenant)
            with refusing_unbindable():
                left = first.note(left)
            found = first.found
            asked = [(self._queries[name], self._complete(name, dict(values))) for name, values in found.values()]
            answers = self._exchange.ask(asked) if asked else []
            fetched = {key: answer.rows for key, answer in zip(found, answers, strict=True)}
            self._ahead |= fetched
            self._guesses.keep(fetched.items())
        return True

    def finish(self) -> None:
        """Write what is held back, before the transaction ends."""
        self._bulk.write_held()

    def matching(self, words: Sequence[str], *, among: Sequence[str] = (), readers: Sequence[str] = ()) -> str:
        """What the functions of the word index look for; see `storage.rows`."""
        return build_match(words, tenant=self._tenant, among=among, readers=readers)

    def matching_pairs(self, pairs: Sequence[str]) -> str:
        """The same for pairs of characters."""
        return build_pair_match(pairs, tenant=self._tenant)

    def _take_ahead(self, name: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]] | None:
        if not self._ahead:
            return None
        with refusing_unbindable():
            return self._ahead.get(make_key(name, values))

    def _send(self, name: str, given: Mapping[str, Any]) -> QueryResult:
        return self._send_completed(name, [given])[0]

    def _send_each(self, name: str, several: Sequence[Mapping[str, Any]]) -> list[QueryResult]:
        return self._send_completed(name, [self._complete(name, dict(values)) for values in several])

    def _send_completed(self, name: str, several: Sequence[Mapping[str, Any]]) -> list[QueryResult]:
        query = self._queries[name]
        if name not in _HELD:
            self._bulk.write_before(query)
        return self._exchange.ask([(query, values) for values in several])

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
        self._guesses = Guesses()
        self._begins = {begin: type_parameters(begin, {}) for begin in (_READ, _WRITE)}
        self._is_closed = False

    def read(self, work: Callable[[PostgresRows], T], *, person: str | None = None) -> T:
        """What `work` makes of one unchanging view of the tenant's memory, or of what one person may see of it."""
        if self._replica is None or not self._replica.is_ready():
            with self._transaction(_READ, person=person) as rows:
                return work(rows)
        try:
            with self._transaction(_READ, person=person, pool=self._replica.pool) as rows:
                return work(rows)
        except StoreError:
            # `work` may have kept what it read, so it is not run twice; whoever tries again reads from the primary.
            self._replica.rest()
            raise

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
    def maintain(self) -> Iterator[ServerConnection]:
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
        standby = self.address.replica
        if standby is None:
            return None
        return ReadReplica(lambda: self._connect(standby), size=self.address.pool, place=standby.place)

    def _connect(self, address: Address | None = None) -> ServerConnection:
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
        with self._translating(), pool.lend(settled=False) as lent:
            exchange = Exchange(
                lent,
                opening=self._build_opening(begin, person=person, alone=alone),
                is_prepared=self.address.is_prepared,
                replace=pool.replace,
            )
            is_done = False
            rows = PostgresRows(
                exchange,
                self.queries,
                tenant=self.address.tenant,
                may_stage=self._state.may_stage,
                is_snapshot=begin == _READ,
                guesses=self._guesses,
            )
            try:
                yield rows
                if begin == _READ:
                    exchange.end_reading()
                else:
                    rows.finish()
                    exchange.commit()
                is_done = True
                self._follow_commit(exchange.connection, rows, is_write=begin == _WRITE, pool=pool)
            finally:
                if not is_done:
                    exchange.roll_back()
                if exchange.connection is not lent:
                    pool.give_back(exchange.connection)

    def _follow_commit(
        self, connection: ServerConnection, rows: PostgresRows, *, is_write: bool, pool: ConnectionPool
    ) -> None:
        """What is to be done once a transaction is kept; where that fails, the transaction is kept all the same."""
        if self._replica is not None and pool is self._pool and (is_write or not self._replica.is_position_known):
            self._replica.note_written(connection)
        if rows.has_due_job:
            try:
                # Not inside: commits that notify cannot share a flush.
                rows.run("announce_job")
            except psycopg.Error as problem:
                log.warning("a due job was not announced; workers find it when they look: %s", type(problem).__name__)

    def _build_opening(
        self, begin: LiteralString, *, person: str | None, alone: bool
    ) -> list[tuple[TypedQuery, Mapping[str, Any]]]:
        """The statements that open a transaction: who reads or writes what, and for a writer the wait for its turn."""
        settings = {
            "tenant": self.address.tenant,
            "path": self._state.search_path,
            "lock_wait": _LOCK_WAIT,
            "person": person or "",
            "acting_as": "engine" if person is None else "person",
            "app_role": self._state.role or None,
            # Planning takes longer than most queries do; the plan for any tenant leaves out partitions just as well.
            "plan_mode": "force_generic_plan" if self.address.is_prepared else None,
        }
        opening: list[tuple[TypedQuery, Mapping[str, Any]]] = [
            (self._begins[begin], {}),
            (self.queries["set_transaction"], settings),
        ]
        if alone:
            opening.append((self.queries["take_turn"], {"lock": _WRITERS, "tenant": self.address.tenant}))
        return opening

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
