"""One memory file: opens it, brings its schema up to date, lends connections to readers and one turn at a time to writers.

Writers that come together share one commit, so a disk flush is paid once for all of them; a write returns only after
that flush. Several processes share the file through SQLite's own locks.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import apsw

from recollect.errors import CorruptStore, NewerSchema, NotAMemory, ReadOnlyStore, StoreClosed
from recollect.keep.sql import load_queries
from recollect.keep.sqlite.errors import translate, translated

T = TypeVar("T")

APPLICATION_ID = 0x5265636F
SCHEMA_VERSION = 1
BUSY_MS = 60_000
MOST_IN_A_COMMIT = 64
_PACKAGE = "recollect.keep.sqlite"


class Rows:
    """Runs named queries on one connection, inside the transaction that lent it."""

    __slots__ = ("_connection", "_queries")

    def __init__(self, connection: apsw.Connection, queries: Mapping[str, str]) -> None:
        self._connection = connection
        self._queries = queries

    def all(self, name: str, /, **values: Any) -> list[tuple[Any, ...]]:
        """Every row of a query."""
        return self._connection.execute(self._queries[name], values).fetchall()

    def one(self, name: str, /, **values: Any) -> tuple[Any, ...] | None:
        """The first row of a query, or nothing."""
        return self._connection.execute(self._queries[name], values).fetchone()

    def run(self, name: str, /, **values: Any) -> int:
        """How many rows a statement changed."""
        self._connection.execute(self._queries[name], values)
        return self._connection.changes()


class _Batch:
    """Writes that will be committed together."""

    __slots__ = ("done", "error", "size")

    def __init__(self) -> None:
        self.done = threading.Event()
        self.error: apsw.Error | None = None
        self.size = 0


class Database:
    """The connections to one memory file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.queries = load_queries(_PACKAGE)
        self._turn = threading.Lock()
        self._count = threading.Lock()
        self._waiting = 0
        self._batch: _Batch | None = None
        self._idle: list[apsw.Connection] = []
        self._closed = False
        with translated(path):
            self._writer = _open_for_writing(path)
            self._rows = Rows(self._writer, self.queries)

    @property
    def in_memory(self) -> bool:
        """Whether the memory lives in this process only."""
        return self.path == ":memory:"

    def read(self, work: Callable[[Rows], T]) -> T:
        """What `work` makes of one unchanging view of the file."""
        try:
            with self._reader() as connection, _savepoint(connection):
                return work(Rows(connection, self.queries))
        except apsw.Error as problem:
            raise translate(problem, self.path) from problem

    def write(self, work: Callable[[Rows], T]) -> T:
        """What `work` returns, once everything it wrote is safely on disk; if it raises, nothing of it is kept."""
        self._join_queue(+1)
        with self._turn:
            self._join_queue(-1)
            batch = self._current_batch()
            try:
                with _savepoint(self._writer):
                    result = work(self._rows)
            except apsw.Error as problem:
                raise translate(problem, self.path) from problem
            finally:
                batch.size += 1
                if not self._waiting or batch.size >= MOST_IN_A_COMMIT:
                    self._commit(batch)
        self._await(batch)
        return result

    def close(self) -> None:
        """Let go of the file; writes under way are finished first."""
        with self._turn:
            if self._closed:
                return
            self._closed = True
            if self._batch:
                self._commit(self._batch)
            for connection in (*self._idle, self._writer):
                connection.close()
            self._idle.clear()

    def backup(self, target: str) -> None:
        """A whole copy of the file at `target`, safe while others write."""
        with translated(target), contextlib.closing(apsw.Connection(target)) as copy:
            with self._reader() as connection, copy.backup("main", connection, "main") as steps:
                while not steps.done:
                    steps.step(1000)
            copy.execute("PRAGMA journal_mode = DELETE")

    def exclusive(self, work: Callable[[apsw.Connection], T]) -> T:
        """What `work` returns, alone on the writing connection and outside a transaction: for maintenance only."""
        with self._turn:
            if self._closed:
                raise StoreClosed
            if self._batch:
                self._commit(self._batch)
            with translated(self.path):
                return work(self._writer)

    def checkpoint(self) -> None:
        """Bring the write-ahead log into the file and cut it to nothing, so that purged text is nowhere on disk."""
        with contextlib.suppress(apsw.BusyError, apsw.LockedError):
            self.exclusive(lambda connection: connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())

    def _join_queue(self, step: int) -> None:
        with self._count:
            self._waiting += step

    def _current_batch(self) -> _Batch:
        if self._closed:
            raise StoreClosed
        if self._batch is None:
            with translated(self.path):
                self._writer.execute("BEGIN IMMEDIATE")
            self._batch = _Batch()
        return self._batch

    def _commit(self, batch: _Batch) -> None:
        self._batch = None
        try:
            self._writer.execute("COMMIT")
        except apsw.Error as problem:
            batch.error = problem
            if not self._writer.get_autocommit():
                self._writer.execute("ROLLBACK")
        finally:
            batch.done.set()

    def _await(self, batch: _Batch) -> None:
        # The writer that should have committed may have been interrupted while it waited for its turn.
        while not batch.done.wait(0.2):
            with self._turn:
                if self._batch is batch:
                    self._commit(batch)
        if batch.error is not None:
            raise translate(batch.error, self.path) from batch.error

    @contextlib.contextmanager
    def _reader(self) -> Iterator[apsw.Connection]:
        if self._closed:
            raise StoreClosed
        if self.in_memory:
            with self._turn:
                yield self._writer
            return
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = _open_for_reading(self.path)
        try:
            yield connection
        finally:
            self._idle.append(connection)


@contextlib.contextmanager
def _savepoint(connection: apsw.Connection) -> Iterator[None]:
    """Within, all statements count or none do."""
    with connection:
        yield


def _open_for_reading(path: str) -> apsw.Connection:
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    connection.set_busy_timeout(BUSY_MS)
    connection.execute("PRAGMA cache_size = -16000; PRAGMA mmap_size = 1073741824; PRAGMA query_only = ON")
    return connection


def _open_for_writing(path: str) -> apsw.Connection:
    _refuse_foreign(path)
    connection = apsw.Connection(path)
    connection.set_busy_timeout(BUSY_MS)
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    connection.execute(
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA cache_size = -16000;"
        "PRAGMA journal_size_limit = 67108864; PRAGMA temp_store = MEMORY"
    )
    _upgrade(connection, path)
    return connection


def _refuse_foreign(path: str) -> None:
    """Stop before touching a file that is not ours."""
    if path == ":memory:":
        return
    file = Path(path)
    if not file.parent.is_dir():
        raise ReadOnlyStore(f"{path}: the folder {file.parent} does not exist: create it first")
    if not file.exists() or file.stat().st_size == 0:
        return
    if not file.is_file():
        raise NotAMemory(f"{path}: not a file")
    with file.open("rb") as opened:
        head = opened.read(100)
    if not head.startswith(b"SQLite format 3\0"):
        raise NotAMemory(f"{path}: {(NotAMemory.__doc__ or '').strip()}")
    if int.from_bytes(head[68:72], "big") != APPLICATION_ID and not _is_fresh(path):
        raise NotAMemory(f"{path}: a database, but not a Recollect memory: choose another path; it was left as it is")


def _is_fresh(path: str) -> bool:
    """Whether the header is only behind the log: a memory just made, not yet checkpointed."""
    with contextlib.closing(apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
        connection.set_busy_timeout(BUSY_MS)
        found = connection.pragma("application_id")
        return bool(found == APPLICATION_ID or (found == 0 and connection.pragma("schema_version") == 0))


def _upgrade(connection: apsw.Connection, path: str) -> None:
    version = connection.pragma("user_version")
    if version > SCHEMA_VERSION:
        raise NewerSchema(
            f"{path}: written by a newer Recollect (schema {version}, this one knows {SCHEMA_VERSION}): "
            "upgrade this installation to open it; nothing was changed",
            found=version,
            known=SCHEMA_VERSION,
        )
    if version == SCHEMA_VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        migrate(connection, migrations())
        connection.execute("COMMIT")
    finally:
        if not connection.get_autocommit():
            connection.execute("ROLLBACK")


def migrations() -> Mapping[int, str]:
    """The SQL that brings a file to each version from the one before."""
    folder = files(_PACKAGE).joinpath("migrations")
    return {int(f.name[:4]): f.read_text(encoding="utf-8") for f in folder.iterdir() if f.name.endswith(".sql")}


def migrate(connection: apsw.Connection, steps: Mapping[int, str], *, target: int = SCHEMA_VERSION) -> None:
    """Bring the open transaction's file to the target version: a fresh file at once, an older one step by step."""
    version = connection.pragma("user_version")
    if version == 0:
        connection.execute(files(_PACKAGE).joinpath("schema.sql").read_text(encoding="utf-8"))
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    else:
        for step in range(version + 1, target + 1):
            if step not in steps:
                raise CorruptStore(f"there is no way from schema {step - 1} to {step}")
            connection.execute(steps[step])
    connection.execute(f"PRAGMA user_version = {target}")
