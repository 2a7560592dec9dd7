"""The connections to one memory file: lends them to readers, and one turn at a time to writers.

Writers that come together share one commit, so a disk flush is paid once for all of them; a write returns only after
that flush. Several processes share the file through SQLite's own locks.
"""

from __future__ import annotations

import contextlib
import os
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import apsw

from toldonce.errors import FileReplaced, StoreClosed, StoreError, StoreForked
from toldonce.storage.encryption import EncryptionKey
from toldonce.storage.live_files import add_user, remove_user
from toldonce.storage.named_queries import load_queries
from toldonce.storage.rows import Rows
from toldonce.storage.sqlite.check import count_rows, verify_copy
from toldonce.storage.sqlite.connect import BUSY_MS, is_file_replaced, open_connection
from toldonce.storage.sqlite.errors import identify_file, translate_error, translating_errors, unbindable_error
from toldonce.storage.sqlite.file import (
    PACKAGE,
    make_private,
    open_for_reading,
    open_for_writing,
    refuse_newer,
)

T = TypeVar("T")

MOST_IN_A_COMMIT = 64
# How long the log waits for readers of other processes before it is left to be cut later.
_CHECKPOINT_MS = 2_000

# Connections that this process inherited by a fork. Closing them would meddle with the file of the parent.
_inherited: list[apsw.Connection] = []
_open: weakref.WeakSet[Database] = weakref.WeakSet()


def _keep_inherited() -> None:
    for database in list(_open):
        _inherited.extend(database.connections())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_keep_inherited)


class SqliteRows:
    """Runs named queries on one connection, inside the transaction that lent it."""

    __slots__ = ("_connection", "_queries")

    def __init__(self, connection: apsw.Connection, queries: Mapping[str, str]) -> None:
        self._connection = connection
        self._queries = queries

    def all(self, name: str, /, **values: Any) -> list[tuple[Any, ...]]:
        """Every row of a query."""
        try:
            return self._connection.execute(self._queries[name], values).fetchall()
        except (TypeError, OverflowError) as problem:
            raise unbindable_error() from problem

    def one(self, name: str, /, **values: Any) -> tuple[Any, ...] | None:
        """The first row of a query, or nothing."""
        try:
            return self._connection.execute(self._queries[name], values).fetchone()
        except (TypeError, OverflowError) as problem:
            raise unbindable_error() from problem

    def matching(self, words: Sequence[str], *, among: Sequence[str] = (), readers: Sequence[str] = ()) -> str:
        """The FTS5 query for any of these words; see `storage.rows`."""
        parts = [f"audience : ({_any_word_query(readers)})"] if readers else []
        parts += [f"{{text title author}} : ({_any_word_query(some)})" for some in (among, words) if some]
        return " AND ".join(f"({part})" for part in parts)

    def matching_pairs(self, pairs: Sequence[str]) -> str:
        """The FTS5 query for any of these pairs of characters; see `storage.rows`."""
        return " OR ".join(f'"{pair}"' if len(pair) > 1 else f'"{pair}" *' for pair in pairs)

    def run(self, name: str, /, **values: Any) -> int:
        """How many rows a statement changed."""
        try:
            self._connection.execute(self._queries[name], values)
        except (TypeError, OverflowError) as problem:
            raise unbindable_error() from problem
        return self._connection.changes()

    def run_many(self, name: str, several: Sequence[Mapping[str, Any]], /) -> int:
        """How many rows a statement changed, run with each of these values."""
        return sum(self.run(name, **values) for values in several)

    def all_of(self, name: str, several: Sequence[Mapping[str, Any]], /) -> list[list[tuple[Any, ...]]]:
        """Every row of a query for each of these values."""
        return [self.all(name, **values) for values in several]

    def fetch_ahead(self, works: Sequence[Callable[[Rows], object]], /) -> bool:
        """Nothing to gain here: the file is in this process."""
        return False


def _any_word_query(words: Sequence[str]) -> str:
    return " OR ".join('"{}"'.format(word.replace('"', '""')) for word in words)


class _Batch:
    """Writes that will be committed together; `open` is a lock that is held until they are."""

    __slots__ = ("error", "open", "size")

    def __init__(self) -> None:
        self.open = threading.Lock()
        self.open.acquire()
        self.error: apsw.Error | None = None
        self.size = 0


class Database:
    """The connections to one memory file."""

    def __init__(self, path: str, *, key: EncryptionKey | None = None) -> None:
        self.path = path
        self._key = key
        self._index_path = path + "-shm"
        self._version = -1
        self.queries = load_queries(PACKAGE)
        self._turn = threading.Lock()
        self._count = threading.Lock()
        self._waiting = 0
        self._owner = 0
        self._batch: _Batch | None = None
        self._idle: list[apsw.Connection] = []
        self._closed = False
        self._process = os.getpid()
        with translating_errors(path):
            self._writer = open_for_writing(path, key=key)
            self._rows = SqliteRows(self._writer, self.queries)
        self._identity = self._identify_files()
        self._refuse_moved()
        for identity in self._identity:
            add_user(identity)
        _open.add(self)

    @property
    def in_memory(self) -> bool:
        """Whether the memory lives in this process only."""
        return self.path == ":memory:"

    def read(self, work: Callable[[SqliteRows], T]) -> T:
        """What `work` makes of one unchanging view of the file."""
        try:
            with self._reader() as connection, _in_savepoint(connection):
                return work(SqliteRows(connection, self.queries))
        except (apsw.Error, UnicodeError) as problem:
            raise translate_error(problem, self.path) from problem

    def write(self, work: Callable[[SqliteRows], T]) -> T:
        """What `work` returns, once everything it wrote is safely on disk; if it raises, nothing of it is kept."""
        with self._turn_to_write():
            batch = self._current_batch()
            try:
                with _in_savepoint(self._writer) if batch.size else _all_or_nothing(self._writer):
                    result = work(self._rows)
            except UnicodeError as problem:
                raise translate_error(problem, self.path) from problem
            except apsw.Error as problem:
                if self._writer.get_autocommit():
                    # SQLite gave up the whole transaction, with what others had written into it.
                    batch.error = problem
                raise translate_error(problem, self.path) from problem
            finally:
                batch.size += 1
                is_over = self._writer.get_autocommit()
                if is_over or not self._waiting or batch.size >= MOST_IN_A_COMMIT:
                    self._commit(batch)
        self._await(batch)
        return result

    def close(self) -> None:
        """Let go of the file; writes under way are finished first."""
        if os.getpid() != self._process:
            self._closed = True
            return
        with self._turn:
            if self._closed:
                return
            self._closed = True
            if self._batch:
                self._commit(self._batch)
            _open.discard(self)
            is_replaced = self._identity != self._identify_files()
            for connection in self.connections():
                if is_replaced:
                    # The log of that name belongs to others now: it must be neither read nor removed.
                    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
                connection.close()
            self._idle.clear()
            for identity in self._identity:
                remove_user(identity)

    def connections(self) -> list[apsw.Connection]:
        """The connections that nobody reads with at this moment."""
        return [*self._idle, self._writer]

    def backup(self, target: str) -> None:
        """A whole copy of the file at `target`, safe while others write, compared with the original."""
        make_private(target)
        with translating_errors(target), contextlib.closing(open_connection(target, key=self._key)) as copy:
            # One read transaction throughout: a backup of a file that others write to would start over and over.
            with self._reader() as connection, _in_savepoint(connection):
                counts = count_rows(connection, self.queries)
                with copy.backup("main", connection, "main") as steps:
                    while not steps.done:
                        steps.step(1000)
            copy.execute("PRAGMA journal_mode = DELETE")
            verify_copy(copy, self.queries, counts=counts, path=target)

    def exclusive(self, work: Callable[[apsw.Connection], T]) -> T:
        """What `work` returns, alone on the writing connection and outside a transaction: for maintenance only."""
        self._refuse_fork()
        with self._turn:
            if self._closed:
                raise StoreClosed
            if self._batch:
                self._commit(self._batch)
            with translating_errors(self.path):
                return work(self._writer)

    def checkpoint(self) -> bool:
        """Bring the write-ahead log into the file and cut it to nothing; False while another process reads from it."""

        def cut(connection: apsw.Connection) -> bool:
            connection.set_busy_timeout(_CHECKPOINT_MS)
            try:
                busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() or (0,)
                return not busy
            except apsw.BusyError:
                return False
            finally:
                connection.set_busy_timeout(BUSY_MS)

        return self.exclusive(cut)

    def snapshot(self, work: Callable[[apsw.Connection], T]) -> T:
        """What `work` returns on a connection of its own that sees one unchanging state and changes nothing."""
        self._refuse_fork()
        if self.in_memory:
            return self.exclusive(work)
        with contextlib.ExitStack() as stack:
            stack.enter_context(translating_errors(self.path))
            connection = stack.enter_context(contextlib.closing(open_for_reading(self.path, key=self._key)))
            stack.enter_context(_in_savepoint(connection))
            return work(connection)

    def hold(self, work: Callable[[apsw.Connection], T]) -> T:
        """What `work` returns on the writing connection, in one transaction that no other writer comes between."""

        def held(connection: apsw.Connection) -> T:
            connection.execute("BEGIN IMMEDIATE")
            with _all_or_nothing(connection):
                result = work(connection)
                connection.execute("COMMIT")
                return result

        return self.exclusive(held)

    @contextlib.contextmanager
    def _turn_to_write(self) -> Iterator[None]:
        """Alone on the writing connection, and counted while waiting for it."""
        self._refuse_fork()
        if self._owner == threading.get_ident():
            raise RuntimeError("a write was started inside a write: do both in one")
        self._join_queue(+1)
        try:
            self._turn.acquire()
        finally:
            self._join_queue(-1)
        self._owner = threading.get_ident()
        try:
            yield
        finally:
            self._owner = 0
            self._turn.release()

    def _join_queue(self, step: int) -> None:
        with self._count:
            self._waiting += step

    def _current_batch(self) -> _Batch:
        if self._closed:
            raise StoreClosed
        if self._batch is None:
            with translating_errors(self.path):
                self._writer.execute("BEGIN IMMEDIATE")
                # Only now: whoever replaces the file holds this lock meanwhile.
                try:
                    self._refuse_replaced()
                    self._refuse_risen()
                except StoreError:
                    self._writer.execute("ROLLBACK")
                    raise
            self._batch = _Batch()
        return self._batch

    def _refuse_fork(self) -> None:
        """Stop in a child process: the locks and connections of its parent are not its own."""
        if os.getpid() != self._process:
            raise StoreForked

    def _refuse_risen(self) -> None:
        """Stop before writing to a file that a newer Toldonce has brought to its schema; asked when others wrote."""
        if (version := self._writer.data_version()) != self._version:
            refuse_newer(self.path, self._writer.pragma("user_version"))
            self._version = version

    def _refuse_replaced(self) -> None:
        """Stop before using a file that is no longer the one at this path: such a write would be lost."""
        if self._identity != (found := self._identify_files()):
            raise FileReplaced(
                f"{self.path}: the file or its {'-shm' if found[:1] == self._identity[:1] else 'content'} was replaced "
                "or removed while it was open: close this memory and open it again; what was acknowledged is kept"
            )

    def _identify_files(self) -> tuple[tuple[int, int], ...]:
        """Which files these are, whatever their names: the database and the index of its log."""
        if self.in_memory:
            return ()
        return identify_file(self.path), identify_file(self._index_path)

    def _refuse_moved(self) -> None:
        """Stop when the file was replaced while it was opened: database, log and index may not belong together."""
        if self.in_memory:
            return
        _, index = self._identity
        if any(index) and not is_file_replaced(self._writer):
            return
        self._writer.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        self._writer.close()
        raise FileReplaced.at_place(self.path)

    def _commit(self, batch: _Batch) -> None:
        self._batch = None
        try:
            if batch.error is None:
                self._writer.execute("COMMIT")
                # What this process wrote itself is no reason to look at the schema again.
                self._version = self._writer.data_version()
        except apsw.Error as problem:
            batch.error = problem
            if not self._writer.get_autocommit():
                self._writer.execute("ROLLBACK")
        finally:
            batch.open.release()

    def _await(self, batch: _Batch) -> None:
        # The writer that should have committed may have been interrupted while it waited for its turn.
        while not batch.open.acquire(timeout=0.2):
            with self._turn:
                if self._batch is batch:
                    self._commit(batch)
        batch.open.release()
        if batch.error is not None:
            raise translate_error(batch.error, self.path) from batch.error

    @contextlib.contextmanager
    def _reader(self) -> Iterator[apsw.Connection]:
        self._refuse_fork()
        if self._closed:
            raise StoreClosed
        self._refuse_replaced()
        if self.in_memory:
            with contextlib.nullcontext() if self._owner == threading.get_ident() else self._turn:
                yield self._writer
            return
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = open_for_reading(self.path, key=self._key)
        try:
            yield connection
        finally:
            self._give_back(connection)

    def _give_back(self, connection: apsw.Connection) -> None:
        if self._closed:
            connection.close()
        else:
            self._idle.append(connection)


@contextlib.contextmanager
def _all_or_nothing(connection: apsw.Connection) -> Iterator[None]:
    """Within, all statements count or the whole transaction is undone: for its first write, which then needs no
    savepoint. With one, SQLite would copy every page before it changes it.
    """
    is_done = False
    try:
        yield
        is_done = True
    finally:
        if not is_done and not connection.get_autocommit():  # else SQLite has undone everything by itself
            connection.execute("ROLLBACK")


@contextlib.contextmanager
def _in_savepoint(connection: apsw.Connection) -> Iterator[None]:
    """Within, all statements count or none do."""
    connection.execute("SAVEPOINT work")
    is_done = False
    try:
        yield
        is_done = True
    finally:
        if is_done:
            connection.execute("RELEASE work")
        elif not connection.get_autocommit():  # else SQLite has undone everything by itself
            connection.execute("ROLLBACK TO work")
            connection.execute("RELEASE work")
