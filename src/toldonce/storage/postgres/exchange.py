"""Queries on their way to the server and rows on their way back: several of them in one exchange.

psycopg's cursors flush and poll for each query, in its pipelines too, and that takes longer than most queries of a
recall do. Here any number of queries is sent by libpq's pipeline with one flush, and what comes often is prepared.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import psycopg
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ExecStatus, Format, TransactionStatus
from psycopg.pq.abc import PGconn, PGresult

from toldonce.storage.postgres.connection import ServerConnection, collect_results, flush_queries
from toldonce.storage.postgres.errors import refusing_unbindable
from toldonce.storage.postgres.queries import TypedQuery

_COMMIT = TypedQuery(b"COMMIT", b"COMMIT", (), sees_records=False)
_DONE = (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK)


class QueryResult(NamedTuple):
    """The rows of a query, and how many a statement changed or returned; -1 for one that counts none."""

    rows: list[tuple[Any, ...]]
    changed: int


class _Message(NamedTuple):
    """A statement with its values as the server takes them."""

    sql: bytes
    values: Sequence[Any]
    types: tuple[int, ...]
    formats: Sequence[Format]


Asked: TypeAlias = Sequence[tuple[TypedQuery, Mapping[str, Any]]]


class Exchange:
    """Sends the queries of a transaction and reads what comes back; what opens the transaction goes with the first."""

    __slots__ = ("_is_prepared", "_opening", "_replace", "_transformer", "connection")

    def __init__(
        self,
        connection: ServerConnection,
        *,
        opening: Asked,
        is_prepared: bool,
        replace: Callable[[ServerConnection], ServerConnection],
    ) -> None:
        self._opening = opening
        self._is_prepared = is_prepared
        self._replace = replace
        self._use(connection)

    def ask(self, asked: Asked, *, prepare: bool = True) -> list[QueryResult]:
        """What the server answers to each of these; where one fails, its error is raised and those after it not run."""
        opening, self._opening = self._opening, ()
        try:
            answers = self._send_all([*opening, *asked], prepare=prepare)
        except psycopg.OperationalError:
            # Nothing was done yet where the server had closed a connection before: another one is as good.
            if not (opening and self.connection.closed):
                raise
            self._use(self._replace(self.connection))
            answers = self._send_all([*opening, *asked], prepare=prepare)
        return answers[len(opening) :]

    def commit(self) -> None:
        """Keep what was done; where nothing was asked, there is nothing to keep."""
        if self._opening:
            return
        self._refuse_failed_transaction()
        self.ask([(_COMMIT, {})])

    def end_reading(self) -> None:
        """End a transaction that only read, without waiting for the server's answer; the next exchange reads it."""
        if self._opening:
            return
        self._refuse_failed_transaction()
        pgconn = self.connection.pgconn
        pgconn.enter_pipeline_mode()
        self._send(pgconn, self._write(_COMMIT, {}), prepare=False)
        pgconn.pipeline_sync()
        self.connection.wait(flush_queries(pgconn))
        self.connection.has_unread_commit = True

    def roll_back(self) -> None:
        """Undo what was done, as far as the connection still can; the server does the rest."""
        with contextlib.suppress(psycopg.Error):
            if not self.connection.is_reusable:
                self.connection.execute("ROLLBACK")

    def _refuse_failed_transaction(self) -> None:
        # A commit after a failed statement would undo everything and say nothing.
        if self.connection.info.transaction_status == TransactionStatus.INERROR:
            raise psycopg.errors.InFailedSqlTransaction("a statement failed, so nothing was kept")

    def _use(self, connection: ServerConnection) -> None:
        self.connection = connection
        # It remembers how values of each type are written and read.
        self._transformer = Transformer(connection)

    def _send_all(self, asked: Asked, *, prepare: bool) -> list[QueryResult]:
        with refusing_unbindable():
            messages = [self._write(query, values) for query, values in asked]
        pgconn = self.connection.pgconn
        results: list[PGresult] = []
        prepared: list[bool] = []
        is_done = False
        is_commit_unread = self.connection.take_unread_commit()
        if not is_commit_unread:
            pgconn.enter_pipeline_mode()
        try:
            prepared += [self._send(pgconn, message, prepare=prepare and self._is_prepared) for message in messages]
            pgconn.pipeline_sync()
            if is_commit_unread:
                self.connection.wait(collect_results(pgconn, []))
            self.connection.wait(collect_results(pgconn, results))
            _refuse_failed(results)
            is_done = True
        except psycopg.OperationalError:
            # Before it went away the server may have said why.
            _refuse_failed(results)
            raise
        finally:
            if not is_done:
                for message in itertools.compress(messages, prepared):
                    self.connection.statements.drop_name(message.sql, message.types)
            # It fails after an interrupt in the middle: such a connection is closed when it is given back.
            with contextlib.suppress(psycopg.Error):
                pgconn.exit_pipeline_mode()
        return self._read(results, prepared)

    def _write(self, query: TypedQuery, values: Mapping[str, Any]) -> _Message:
        ordered = [values[name] for name in query.order]
        written = self._transformer.dump_sequence(ordered, [PyFormat.AUTO] * len(ordered))
        return _Message(query.text, written, tuple(self._transformer.types or ()), self._transformer.formats or ())

    def _send(self, pgconn: PGconn, message: _Message, *, prepare: bool) -> bool:
        """Send a statement; returns whether it is prepared first, which has an answer of its own."""
        sql, values, types, formats = message
        name, is_new = self.connection.statements.find_name(sql, types) if prepare else (b"", False)
        if is_new:
            pgconn.send_prepare(name, sql, types)
        if name:
            pgconn.send_query_prepared(name, values, formats, result_format=Format.BINARY)
        else:
            pgconn.send_query_params(sql, values, types, formats, result_format=Format.BINARY)
        return is_new

    def _read(self, results: Iterable[PGresult], prepared: Sequence[bool]) -> list[QueryResult]:
        left = iter(results)
        answers = []
        for is_new in prepared:
            if is_new:
                next(left)
            answers.append(self._read_one(next(left)))
        return answers

    def _read_one(self, result: PGresult) -> QueryResult:
        if result.status != ExecStatus.TUPLES_OK:
            return QueryResult([], -1 if result.command_tuples is None else result.command_tuples)
        self._transformer.set_pgresult(result)
        return QueryResult(self._transformer.load_rows(0, result.ntuples, tuple), result.ntuples)


def _refuse_failed(results: Sequence[PGresult]) -> None:
    for result in results:
        if result.status not in _DONE:
            raise error_from_result(result)
