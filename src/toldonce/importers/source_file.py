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

from toldonce.errors import BadImport
from toldonce.storage.named_queries import load_queries
from toldonce.storage.sqlite.connect import READ_ONLY, READ_WRITE, open_connection

_MAGIC = b"SQLite format 3\x00"


class OlderDatabase:
    """Answers the named queries of this folder."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._queries = load_queries("toldonce.importers")

    def read_rows(self, query: str) -> list[dict[str, Any]]:
        """Every row of a query, by the names of its columns."""
        cursor = self._connection.execute(self._queries[query])
        found: list[dict[str, Any]] = []
        for row in cursor:
            names = [column[0] for column in cursor.get_description()]
            found.append(dict(zip(names, row, strict=True)))
        return found

    def list_tables(self) -> set[str]:
        """The names of all tables."""
        return {row["name"] for row in self.read_rows("tables")}


def is_database(place: Path) -> bool:
    """Whether a file is a SQLite database, by its first bytes."""
    try:
        with place.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError as problem:
        raise BadImport(f"{place} cannot be read: {problem.strerror}") from None


@contextmanager
def open_older_database(place: Path) -> Iterator[OlderDatabase]:
    """The database at a path. One with a log beside it is read from a copy, since opening it would change the log."""
    logs = [log for end in ("-wal", "-journal") if (log := place.with_name(place.name + end)).is_file()]
    with tempfile.TemporaryDirectory(prefix="toldonce-import-") as folder:
        try:
            for file in (place, *logs) if logs else ():
                shutil.copy(file, folder)
            with closing(_open_copy(Path(folder) / place.name) if logs else _open_in_place(place)) as connection:
                yield OlderDatabase(connection)
        except apsw.Error as problem:
            raise BadImport(f"{place} is damaged, or not what it looks like: {problem}") from problem
        except UnicodeDecodeError as problem:
            raise BadImport(f"{place} is damaged: it holds a text that is no UTF-8") from problem
        except OSError as problem:
            raise BadImport(f"{place} cannot be read: {problem.strerror}") from problem


def _open_in_place(place: Path) -> apsw.Connection:
    address = f"file:{quote(str(place.resolve()))}?immutable=1"
    return open_connection(address, flags=READ_ONLY | apsw.SQLITE_OPEN_URI)


def _open_copy(place: Path) -> apsw.Connection:
    return open_connection(str(place), flags=READ_WRITE)
