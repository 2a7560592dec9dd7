"""A folder that ChromaDB made: the documents of its collections come out with their type, time and metadata.

Only its SQLite file is read; vectors are in other files and are computed again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from toldonce.errors import BadImport
from toldonce.importers.source_file import OlderDatabase
from toldonce.importers.values import OlderMemory, first_filled, moment_of

FILE = "chroma.sqlite3"

_DOCUMENT = "chroma:document"
_TYPE = ("type", "memory_type")
_AT = ("created_at", "timestamp")
_OWNER = ("user", "user_id")
_KEY = "context_key"
_NEEDED = {"collections", "segments", "embeddings", "embedding_metadata"}
# A memory that does not say what it is was meant to last.
_DEFAULT_TYPE = "fact"


def read_chroma(database: OlderDatabase) -> Iterator[OlderMemory]:
    """Every memory of every collection."""
    if missing := _NEEDED - database.list_tables():
        raise BadImport(f"this is no ChromaDB folder of version 0.4 or later: it has no table {min(missing)!r}")
    metadata: dict[int, dict[str, Any]] = defaultdict(dict)
    for row in database.read_rows("chroma_metadata"):
        metadata[row["id"]][row["key"]] = _metadata_value(row)
    for row in database.read_rows("chroma_memories"):
        yield _memory_of_row(row, metadata[row["place"]])


def _metadata_value(row: Mapping[str, Any]) -> Any:
    if row.get("bool_value") is not None:
        return bool(row["bool_value"])
    return next((row[name] for name in ("string_value", "int_value", "float_value") if row[name] is not None), None)


def _memory_of_row(row: Mapping[str, Any], said: Mapping[str, Any]) -> OlderMemory:
    owner, text = first_filled(said, _OWNER), str(said.get(_DOCUMENT) or "")
    without = (_DOCUMENT, *_TYPE, *_AT, *_OWNER)
    # What was set under a key had the value alone as its text.
    value = {"value": text} if _KEY in said else {}
    return OlderMemory(
        id=str(row["id"]),
        text=text,
        type=str(first_filled(said, _TYPE) or _DEFAULT_TYPE).lower(),
        at=moment_of(first_filled(said, _AT)) or moment_of(row["stored_at"]),
        user=None if owner is None else str(owner),
        metadata={k: v for k, v in said.items() if k not in without and v is not None}
        | {"collection": row["collection"], **value},
    )
