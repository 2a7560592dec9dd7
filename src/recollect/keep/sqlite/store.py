"""The store in one SQLite file: the tables over its connections, its upkeep and its check."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

import apsw

from recollect.keep.sqlite.database import Database
from recollect.keep.store import Tables
from recollect.records import LOCAL_TENANT

T = TypeVar("T")

_VACUUM_OVER = 100 * 1024 * 1024


class SqliteStore:
    """One file, or one process's memory for `:memory:`."""

    def __init__(self, path: str | os.PathLike[str], *, tenant: str = LOCAL_TENANT) -> None:
        self._database = Database(os.fspath(path))
        self._tenant = tenant

    @property
    def place(self) -> str:
        return self._database.path

    def read(self, work: Callable[[Tables], T]) -> T:
        return self._database.read(lambda rows: work(Tables(rows, self._tenant)))

    def write(self, work: Callable[[Tables], T]) -> T:
        return self._database.write(lambda rows: work(Tables(rows, self._tenant)))

    def backup(self, target: str) -> None:
        self._database.backup(target)

    def compact(self) -> None:
        self._database.checkpoint()
        if self.size() > _VACUUM_OVER:
            self._database.exclusive(lambda c: c.execute("VACUUM"))
            self._database.checkpoint()

    def check(self, *, repair: bool) -> list[str]:
        return self._database.exclusive(lambda connection: _check(connection, self._database.queries, repair=repair))

    def size(self) -> int:
        if self._database.in_memory:
            return 0
        files = (Path(self.place + end) for end in ("", "-wal"))
        return sum(f.stat().st_size for f in files if f.exists())

    def close(self) -> None:
        self._database.close()


def _check(connection: apsw.Connection, queries: Mapping[str, str], *, repair: bool) -> list[str]:
    """What is wrong, and with `repair` what was done about it."""
    found = [f"damaged: {row[0]}" for row in connection.execute("PRAGMA integrity_check(20)") if row[0] != "ok"]
    for table, rowid, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        found.append(f"row {rowid} of {table} points to a missing row of {parent}")
    if _words_disagree(connection, queries["check_words"]):
        found.append("the word index does not match the records")
        if repair:
            connection.execute(queries["rebuild_words"])
            found.append("repaired: the word index was built anew")
    if repair:
        connection.execute("PRAGMA optimize")
    return found


def _words_disagree(connection: apsw.Connection, check: str) -> bool:
    try:
        connection.execute(check)
    except apsw.CorruptError:
        return True
    return False
