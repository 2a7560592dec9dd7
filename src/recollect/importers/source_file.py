"""A SQLite file of another program, opened so that neither it nor its folder can change."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw

from recollect.errors import BadImport
from recollect.storage.named_queries import load_queries
from recollect.storage.sqlite.connect import READ_ONLY, READ_WRITE, connect

_MAGIC = b"SQLite format 3\x00"


class Database:
    """Answers the named queries of this folder."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._queries = load_queries("recollect.importers")

    def rows(self, query: str) -> list[dict[str, Any]]:
        """Every row of a query, by the names of its columns."""
        cursor = self._connection.execute(self._queries[query])
        found: list[dict[str, Any]] = []
        for row in cursor:
            names = [column[0] for column in cursor.get_description()]
            found.append(dict(zip(names, row, strict=True)))
        return found

    def tables(self) -> set[str]:
        """The names of all tables."""
        return {row["name"] for row in self.rows("tables")}


def is_database(place: Path) -> bool:
    """Whether a file is a SQLite database, by its first bytes."""
    try:
        with place.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError as problem:
        raise BadImport(f"{place} cannot be read: {problem.strerror}") from None


@contextmanager
def opened(place: Path) -> Iterator[Database]:
    """The database at a path. One with a log beside it is read from a copy, since opening it would change the log."""
    logs = [log for end in ("-wal", "-journal") if (log := place.with_name(place.name + end)).is_file()]
    with tempfile.TemporaryDirectory(prefix="recollect-import-") as folder:
        try:
            for file in (place, *logs) if logs else ():
                shutil.copy(file, folder)
            with closing(_copy(Path(folder) / place.name) if logs else _in_place(place)) as connection:
                yield Database(connection)
        except apsw.Error as problem:
            raise BadImport(f"{place} is damaged, or not what it looks like: {problem}") from problem
        except OSError as problem:
            raise BadImport(f"{place} cannot be read: {problem.strerror}") from problem


def _in_place(place: Path) -> apsw.Connection:
    address = f"file:{quote(str(place.resolve()))}?immutable=1"
    return connect(address, flags=READ_ONLY | apsw.SQLITE_OPEN_URI)


def _copy(place: Path) -> apsw.Connection:
    return connect(str(place), flags=READ_WRITE)
