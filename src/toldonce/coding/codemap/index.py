"""The search index of one working tree: an SQLite file in the user's cache folder, rebuilt when it cannot be used.

It is a cache of a checkout, never memory: deleting it costs only the time of a scan.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import apsw

from toldonce.errors import InputError, StoreBusy, StoreError
from toldonce.storage.named_queries import load_queries
from toldonce.storage.sqlite.connect import READ_ONLY, open_connection

# Raised when what is read out of a file changes; a changed schema is noticed by itself.
_READING = 2
# Ids of files that a task is searched in stand below this, all others above.
OTHERS = 1 << 32
SOURCES = (1, OTHERS - 1)
ALL = (1, (1 << 62) - 1)
_WAIT_MS = 5_000
# As in schema.sql.
_TOKENS = ["unicode61", "remove_diacritics", "2", "tokenchars", "_"]


class Index:
    """An open index. One process may write while others read."""

    __slots__ = ("_connection", "_queries", "_tokenizer", "place", "root")

    def __init__(self, root: Path, place: Path, *, connection: apsw.Connection) -> None:
        self.root = root
        self.place = place
        self._connection = connection
        self._queries = load_queries("toldonce.coding.codemap")
        self._tokenizer: Any = None

    def read_all(self, query: str, /, **values: Any) -> list[Any]:
        """Every row of a query."""
        return self._connection.execute(self._queries[query], values).fetchall()

    def read_one(self, query: str, /, **values: Any) -> Any:
        """The first value of the first row; None without one."""
        row = self._connection.execute(self._queries[query], values).fetchone()
        return row[0] if row else None

    def run(self, query: str, /, **values: Any) -> None:
        """Run a query that gives nothing."""
        self._connection.execute(self._queries[query], values)

    def run_many(self, query: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Run a query once for each row of values."""
        self._connection.executemany(self._queries[query], rows)

    def read_fact(self, name: str) -> str | None:
        """A small value kept with the index."""
        found: str | None = self.read_one("get_fact", name=name)
        return found

    @contextmanager
    def in_transaction(self) -> Iterator[None]:
        """Everything inside is written together, or not at all."""
        self.run("begin")
        done = False
        try:
            yield
            done = True
        finally:
            self.run("commit" if done else "rollback")

    def stems(self, text: str) -> list[str]:
        """The words of a text as the full-text index holds them."""
        if self._tokenizer is None:
            self._tokenizer = self._connection.fts5_tokenizer("porter", _TOKENS)
        found = self._tokenizer(text.encode("utf-8", "replace"), apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False)
        return [forms[0] for forms in found]

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def index_path(root: Path, folder: Path | None = None) -> Path:
    """Where the index of a working tree is kept."""
    folder = folder or _index_cache_folder()
    name = blake2b(str(root.resolve()).encode("utf-8", "surrogateescape"), digest_size=10).hexdigest()
    label = re.sub(r"[^A-Za-z0-9._-]", "", root.resolve().name)[:40] or "root"
    return folder / f"{label}-{name}.sqlite"


def open_index(root: Path, *, cache: Path | None = None) -> Index | None:
    """The index of a working tree for reading; None when it was never scanned, or by another version."""
    place = index_path(root, cache)
    if not place.exists():
        return None
    try:
        connection = open_connection(str(place), flags=READ_ONLY)
        index = _checked_index(root, place, connection)
        return index if index.read_fact("version") == _index_version() else None
    except apsw.Error:
        return None


def make_index(root: Path, *, cache: Path | None = None) -> Index:
    """The index of a working tree for writing, created if missing and rebuilt if damaged or outdated."""
    if not root.is_dir():
        raise InputError(f"{root} is not a folder: name the top of a working tree")
    place = index_path(root, cache)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with problems_named(place):
            try:
                return _create_index_file(root, place)
            except (apsw.NotADBError, apsw.CorruptError, apsw.SQLError, _Outdated):
                for leftover in (place, Path(f"{place}-wal"), Path(f"{place}-shm")):
                    leftover.unlink(missing_ok=True)
                return _create_index_file(root, place)
    except OSError as problem:
        raise StoreError(f"the code index {place} cannot be written: {problem.strerror}") from problem


@contextmanager
def problems_named(place: Path) -> Iterator[None]:
    """Whatever the database cannot do becomes an error of ours that says what helps."""
    try:
        yield
    except apsw.BusyError as problem:
        raise StoreBusy("another process is writing the code index: try again") from problem
    except apsw.Error as problem:
        name = type(problem).__name__
        raise StoreError(f"the code index {place} cannot be used ({name}): delete it and scan again") from problem


class _Outdated(Exception):
    """The file was made by another version of this module."""


def _create_index_file(root: Path, place: Path) -> Index:
    index = _checked_index(root, place, open_connection(str(place)))
    with ExitStack() as unless_done:
        unless_done.callback(index.close)
        index.run("set_up")
        with index.in_transaction():
            if not index.read_one("has_tables"):
                _initialise_index(index)
        if index.read_fact("version") != _index_version():
            raise _Outdated
        unless_done.pop_all()
    return index


def _initialise_index(index: Index) -> None:
    index._connection.execute(_index_schema())
    index.run("put_fact", name="version", value=_index_version())
    index.run("put_fact", name="root", value=str(index.root.resolve()).encode("utf-8", "replace").decode())


@cache
def _index_schema() -> str:
    return Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")


@cache
def _index_version() -> str:
    return f"{_READING}-{blake2b(_index_schema().encode(), digest_size=8).hexdigest()}"


def _checked_index(root: Path, place: Path, connection: apsw.Connection) -> Index:
    connection.set_busy_timeout(_WAIT_MS)
    return Index(root, place, connection=connection)


def _index_cache_folder() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("toldonce", appauthor=False) / "codemap"
