"""Which older store lies at a path, and everything in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from toldonce.errors import BadImport
from toldonce.importers import chroma
from toldonce.importers import sqlite_facts as facts
from toldonce.importers.formats import list_format_names
from toldonce.importers.source_file import OlderDatabase, is_database, open_older_database
from toldonce.importers.source_tree import SourceTree
from toldonce.importers.values import OlderMemory

_HEAD_BYTES = 512
# How an export of ours begins, also one that is sealed.
_OWN = '{"toldonce'

_READERS: Mapping[str, Callable[[OlderDatabase], Iterator[OlderMemory]]] = {
    "facts": facts.read_fact_table,
    "ChromaDB": chroma.read_chroma,
}


def recognise_older_store(path: str | os.PathLike[str]) -> str | None:
    """What an older program left at a path; None for any other file, an export of ours among them."""
    place = Path(path)
    if place.is_dir():
        if not (place / chroma.FILE).is_file():
            raise refuse_unknown(place, "it is a folder of no format that is known")
        return "ChromaDB"
    if not is_database(place):
        _refuse_what_is_no_export(place)
        return None
    if place.name == chroma.FILE:
        return "ChromaDB"
    with open_older_database(place) as database:
        tables = database.list_tables()
    if {"records", "spaces"} <= tables:
        raise BadImport(f"{place} is a memory itself: write it to a file with `toldonce export`, and import that")
    if "facts" not in tables:
        raise BadImport(f"{place} is a SQLite file without a table `facts`: there is nothing here that can be imported")
    return "facts"


def _refuse_what_is_no_export(place: Path) -> None:
    """Refuse what is no export of ours either: archives, pages, other JSON, plain text."""
    try:
        with SourceTree(place) as source:
            if source.is_packed:
                inner = next(iter(source.find(r"(?i:.*\.zip)")), None)
                if inner is not None:
                    raise refuse_unknown(place, f"it holds another archive, {inner}: unpack it, and name that")
                raise refuse_unknown(place, "it is an archive of no format that is known")
        with place.open("rb") as file:
            head = file.read(_HEAD_BYTES).decode("utf-8-sig").lstrip()
    except (OSError, UnicodeDecodeError):
        return
    if head.startswith("<"):
        raise refuse_unknown(place, "it is a page of HTML")
    if head and not head.startswith(_OWN):
        raise refuse_unknown(place, "line 1: is not the header of an export of Toldonce", line=1)


def refuse_unknown(place: Path, why: str, *, line: int = 0) -> BadImport:
    """The error for a file or folder that no format recognises."""
    return BadImport(
        f"{place} is not recognised: {why}; nothing was imported. The formats are {', '.join(list_format_names())}:"
        " name the file or folder that the other program wrote, its format with --format, or the columns of a"
        " table with --map (docs/import.md)",
        line=line,
    )


def read_older_store(path: str | os.PathLike[str], what: str) -> list[OlderMemory]:
    """Every memory of an older store, in the order it holds them."""
    place = Path(path)
    with open_older_database(place / chroma.FILE if place.is_dir() else place) as database:
        return list(_READERS[what](database))
