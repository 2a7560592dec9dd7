"""MemPalace: the drawers of a palace, which are a ChromaDB folder, and the triples of its knowledge graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

from toldonce.errors import BadImport
from toldonce.importers import chroma
from toldonce.importers.source_file import OlderDatabase, is_database, open_older_database
from toldonce.importers.source_tree import SourceTree
from toldonce.importers.values import (
    ImportItem,
    OlderMemory,
    ReadOptions,
    SkippedItem,
    first_filled,
    moment_of,
    read_files,
)

CLOSET = "an index entry that MemPalace makes of its drawers"
REGISTRY = "a mark that a file was read"
_PALACE = r"(?:.*/)?chroma\.sqlite3"
_GRAPH = r"(?:.*/)?knowledge_graph\.sqlite3"
_TABLES = {"triples", "entities"}
_CLOSETS, _REGISTRY_ROOM = "mempalace_closets", "_registry"
# When a drawer is from: the day of a diary or of its text, else when its file was changed, else when it was filed.
_AT = ("date", "content_date", "source_mtime", "filed_at")
_OF_TRIPLE = ("valid_from", "valid_to", "confidence", "source_file", "source_drawer_id", "source_closet")


def is_mempalace_folder(source: SourceTree) -> bool:
    """Whether this is a palace, its knowledge graph, or the folder with both."""
    return source.has_paths and any(
        _is_of_mempalace(source, name) for name in (*_find_palaces(source), *_find_graphs(source))
    )


def _find_palaces(source: SourceTree) -> list[str]:
    return source.find(_PALACE)


def _find_graphs(source: SourceTree) -> list[str]:
    return source.find(_GRAPH)


def _is_of_mempalace(source: SourceTree, name: str) -> bool:
    """Whether a file is one of MemPalace; a damaged one says nothing, and is reported when it is read."""
    try:
        with _open_database(source, name) as database:
            tables = database.list_tables()
            has_rooms = "embedding_metadata" in tables and database.read_rows("chroma_has_rooms")[0]["has_rooms"]
            return bool(has_rooms) or tables >= _TABLES
    except BadImport:
        return False


@contextmanager
def _open_database(source: SourceTree, name: str) -> Iterator[OlderDatabase]:
    place = source.locate(name)
    if not is_database(place):
        raise BadImport(f"{name} is no SQLite database")
    with open_older_database(place) as database:
        yield database


def read_mempalace(source: SourceTree, _: ReadOptions) -> Iterator[ImportItem]:
    """Each drawer as a note, and each triple as a fact with the time in which it holds."""
    if not source.has_paths:
        raise BadImport(
            "MemPalace keeps databases, which cannot be read from an archive or a stream: import the folder itself"
        )
    palaces, graphs = _find_palaces(source), _find_graphs(source)
    read = {**dict.fromkeys(palaces, _read_drawers), **dict.fromkeys(graphs, _read_triples)}
    yield from read_files(list(read), lambda name: read[name](source, name))


def _read_drawers(source: SourceTree, name: str) -> Iterator[ImportItem]:
    with _open_database(source, name) as database:
        drawers = list(chroma.read_chroma(database))
    for drawer in drawers:
        place, said = f"{name}, {drawer.id}", drawer.metadata
        if said.get("collection") == _CLOSETS:
            yield SkippedItem(CLOSET, place)
        elif said.get("room") == _REGISTRY_ROOM:
            yield SkippedItem(REGISTRY, place)
        else:
            yield replace(drawer, type="note", at=moment_of(first_filled(said, _AT)) or drawer.at, place=place)


def _read_triples(source: SourceTree, name: str) -> Iterator[ImportItem]:
    with _open_database(source, name) as database:
        rows = database.read_rows("mempalace_triples")
    for row in rows:
        yield _fact_of(row, f"{name}, triple {row.get('id')}")


def _fact_of(row: Mapping[str, Any], place: str) -> ImportItem:
    subject, object_ = (first_filled(row, (f"{end}_name", end)) for end in ("subject", "object"))
    predicate = row.get("predicate")
    if not (isinstance(subject, str) and isinstance(predicate, str) and isinstance(object_, str) and row.get("id")):
        return SkippedItem("a triple without a subject, predicate or object", place, is_damage=True)
    return OlderMemory(
        id=str(row["id"]),
        text=f"{subject} {predicate.replace('_', ' ')} {object_}",
        type="fact",
        at=_begin_of(row.get("valid_from")) or moment_of(row.get("extracted_at")),
        metadata={key: row[key] for key in _OF_TRIPLE if row.get(key) not in (None, "")} | {"predicate": predicate},
        ended_at=_begin_of(row.get("valid_to")),
        place=place,
    )


def _begin_of(date: object) -> datetime | None:
    """A moment, a day, or the beginning of a month or a year."""
    text = str(date or "")
    return moment_of(text) or moment_of(f"{text}-01") or moment_of(f"{text}-01-01")
