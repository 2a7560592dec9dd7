"""Which older store lies at a path, and everything in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from toldonce.errors import BadImport
from toldonce.importers import chroma
from toldonce.importers import sqlite_facts as facts
from toldonce.importers.source_file import OlderDatabase, is_database, open_older_database
from toldonce.importers.values import OlderMemory

_READERS: Mapping[str, Callable[[OlderDatabase], Iterator[OlderMemory]]] = {
    "facts": facts.read_fact_table,
    "ChromaDB": chroma.read_chroma,
}


def recognise_older_store(path: str | os.PathLike[str]) -> str | None:
    """What an older program left at a path; None for any other file, an export of ours among them."""
    place = Path(path)
    if place.is_dir():
        if not (place / chroma.FILE).is_file():
            raise BadImport(
                f"{place} is a folder of no format that is known: there is nothing here that can be imported; name the"
                " file or folder that the other program wrote, or its format with --format (docs/import.md)"
            )
        return "ChromaDB"
    if not is_database(place):
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


def read_older_store(path: str | os.PathLike[str], what: str) -> list[OlderMemory]:
    """Every memory of an older store, in the order it holds them."""
    place = Path(path)
    with open_older_database(place / chroma.FILE if place.is_dir() else place) as database:
        return list(_READERS[what](database))
