"""The store in one SQLite file: the tables over its connections, its upkeep and its check."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import apsw

from toldonce.records import LOCAL_TENANT
from toldonce.storage.encryption import EncryptionKey
from toldonce.storage.sqlite.check import check_file, check_indexes, rebuild_indexes
from toldonce.storage.sqlite.database import Database, SqliteRows
from toldonce.storage.store import Tables
from toldonce.storage.vectors.pack_check import check_packs

if TYPE_CHECKING:
    from toldonce.storage.vectors.search import NearestRecords

T = TypeVar("T")

_VACUUM_OVER = 100 * 1024 * 1024
READING = "another process is reading: {file} still holds deleted pages until the job `erase_rest` has run"


class SqliteStore:
    """One file, or one process's memory for `:memory:`."""

    def __init__(
        self, path: str | os.PathLike[str], *, tenant: str = LOCAL_TENANT, key: EncryptionKey | None = None
    ) -> None:
        self._database = Database(os.fspath(path), key=key)
        self.key = key
        self._tenant = tenant
        self._tables: Tables | None = None

    @property
    def place(self) -> str:
        return self._database.path

    def read(self, work: Callable[[Tables], T], *, person: str | None = None) -> T:
        return self._database.read(lambda rows: work(Tables(rows, self._tenant)))

    def write(self, work: Callable[[Tables], T], *, alone: bool = True) -> T:
        return self._database.write(lambda rows: work(self._writing_tables(rows)))

    def _writing_tables(self, rows: SqliteRows) -> Tables:
        """The tables over the writing connection, made once: it is lent to one writer at a time."""
        if self._tables is None or self._tables.rows is not rows:
            self._tables = Tables(rows, self._tenant)
        return self._tables

    def listen(self, wake: Callable[[], object]) -> Callable[[], None]:
        """A file cannot notice; whoever works on it looks every few seconds."""
        return lambda: None

    def vector_search(self, *, model: str, dimensions: int) -> NearestRecords:
        from toldonce.storage.vectors.search import NearestRecords

        return NearestRecords(self, model=model, dimensions=dimensions)

    def backup(self, target: str) -> None:
        self._database.backup(target)

    def compact(self) -> None:
        self._database.checkpoint()
        if self.size() > _VACUUM_OVER and self._database.exclusive(_is_hollow):
            self._database.exclusive(lambda c: c.execute("VACUUM"))
            self._database.checkpoint()

    def rewrite(self) -> tuple[str, ...]:
        """Index terms of purged records stay as separators in the full-text index until it is rebuilt, and moved rows
        leave copies in the gaps of pages until all pages are written again.
        """
        database = self._database
        database.hold(lambda c: rebuild_indexes(c, database.queries))
        database.exclusive(_write_pages)
        return () if database.checkpoint() else (READING.format(file=os.path.basename(self.place) + "-wal"),)

    def find_in_statistics(self, texts: Collection[str]) -> set[str]:
        return set()

    def files(self) -> list[str]:
        return [path for end in ("", "-wal", "-shm") if os.path.isfile(path := self.place + end)]

    def check(self, *, repair: bool) -> list[str]:
        database = self._database
        found = database.snapshot(check_file)
        if any(line.startswith("damaged") and "fts5" not in line.casefold() for line in found):
            return found
        found += database.hold(lambda c: check_indexes(c, database.queries, found=found, repair=repair))
        if repair:
            database.exclusive(lambda c: c.execute("PRAGMA optimize"))
        if any(line.startswith("damaged") for line in found):
            return found
        work = partial(check_packs, repair=repair)
        return found + (self.write(work) if repair else self.read(work))

    def size(self) -> int:
        if self._database.in_memory:
            return 0
        files = (Path(self.place + end) for end in ("", "-wal"))
        return sum(f.stat().st_size for f in files if f.exists())

    def close(self) -> None:
        self._database.close()


def _write_pages(connection: apsw.Connection) -> None:
    if connection.table_exists("main", "sqlite_stat4"):
        # The samples of the query planner are values of rows.
        connection.execute("ANALYZE")
    connection.execute("VACUUM")


def _is_hollow(connection: apsw.Connection) -> bool:
    """Whether a quarter of the file or more is free room."""
    return bool(connection.pragma("freelist_count") * 4 >= connection.pragma("page_count"))
