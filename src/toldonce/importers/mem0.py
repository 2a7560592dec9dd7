"""mem0: the JSON of `get_all`, a folder of Qdrant in local mode, or history.db where nothing else is left."""

from __future__ import annotations

import io
import pickle
import re
from collections.abc import Iterator, Mapping
from typing import Any

from toldonce.importers.json_stream import ELEMENT, JsonStream
from toldonce.importers.source_file import is_database, open_older_database
from toldonce.importers.source_tree import SourceTree
from toldonce.importers.values import (
    ImportItem,
    OlderMemory,
    ReadOptions,
    SkippedItem,
    first_filled,
    id_of,
    moment_of,
    read_files,
)

_POINTS = r"(?:.*/)?collection/[^/]+/storage\.sqlite"
_HISTORY = r"(?:.*/)?history\.db"
_MEMORY = re.compile(r'"memory"\s*:\s*"')
_MARK = re.compile(r'"(?:hash|user_id|agent_id|run_id)"\s*:')
_LISTS = [(ELEMENT,), ("results", ELEMENT), ("memories", ELEMENT)]
# What the standard library documents and shows that a damaged pickle can raise.
_DAMAGED_PICKLE = (
    pickle.UnpicklingError,
    AttributeError,
    EOFError,
    ImportError,
    LookupError,
    MemoryError,
    OverflowError,
    RecursionError,
    TypeError,
    ValueError,
)
_OWN = ("id", "memory", "data", "hash", "created_at", "updated_at", "user_id", "metadata", "score", "text_lemmatized")


def is_mem0_store(source: SourceTree) -> bool:
    """Whether this is a list of memories, or a store that mem0 left on this machine."""
    if source.has_paths and (source.find(_POINTS) or _find_history(source)):
        return True
    return bool(_find_lists(source))


def _find_lists(source: SourceTree) -> list[str]:
    heads = ((name, source.peek(name)) for name in source.find(r"[^/]*\.json"))
    return [name for name, head in heads if _MEMORY.search(head) and _MARK.search(head)]


def _find_history(source: SourceTree) -> list[str]:
    return [name for name in source.find(_HISTORY) if is_database(source.locate(name)) and _has_history(source, name)]


def _has_history(source: SourceTree, name: str) -> bool:
    with open_older_database(source.locate(name)) as database:
        return "history" in database.list_tables()


def read_mem0(source: SourceTree, _: ReadOptions) -> Iterator[ImportItem]:
    """Every memory with its owner and time. The history is read only where there are no memories beside it."""
    if lists := _find_lists(source):
        yield from read_files(lists, lambda name: _read_list(source, name))
    elif stores := source.find(_POINTS):
        yield from read_files(stores, lambda name: _read_points(source, name))
    elif histories := _find_history(source):
        yield from read_files(histories, lambda name: _read_history(source, name))
    elif source.lone_file:
        yield from _read_list(source, source.path.name)


def _read_list(source: SourceTree, name: str) -> Iterator[ImportItem]:
    with source.open_text(name) as file:
        stream = JsonStream(file, _LISTS, name="" if name == source.path.name else name)
        for _, value in stream.read():
            yield _memory_of(value, value.get("id") if isinstance(value, dict) else None, stream.place)


def _memory_of(value: object, identity: object, place: str) -> ImportItem:
    text = first_filled(value, ("memory", "data")) if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(text, str) or not id_of(identity):
        return SkippedItem("a memory without an id or a text", place, is_damage=True)
    inner = value.get("metadata")
    rest = {key: one for key, one in value.items() if key not in _OWN and one not in (None, "", [], {})}
    owner = first_filled(value, ("user_id", "agent_id"))
    return OlderMemory(
        id=str(identity),
        text=text,
        type="fact",
        at=moment_of(first_filled(value, ("updated_at", "created_at"))),
        user=None if owner is None else str(owner),
        metadata={**rest, **(inner if isinstance(inner, dict) else {})},
        place=place,
    )


def _read_points(source: SourceTree, name: str) -> Iterator[ImportItem]:
    with open_older_database(source.locate(name)) as database:
        rows = database.read_rows("mem0_points") if "points" in database.list_tables() else []
    for number, row in enumerate(rows, start=1):
        place = f"{name}, point {number}"
        point = _read_point(row["point"])
        payload = point.get("payload") if point is not None else None
        if point is None or not isinstance(payload, dict):
            yield SkippedItem("a point that cannot be read", place, is_damage=True)
        else:
            yield _memory_of(payload, point.get("id"), place)


def _read_history(source: SourceTree, name: str) -> Iterator[ImportItem]:
    with open_older_database(source.locate(name)) as database:
        rows = database.read_rows("mem0_history")
    newest: dict[str, Mapping[str, Any]] = {str(row.get("memory_id")): row for row in rows}
    for identity, row in newest.items():
        if row.get("is_deleted") or row.get("event") == "DELETE":
            yield SkippedItem("deleted in mem0", f"{name}, memory {identity}")
        else:
            value = {"memory": row.get("new_memory"), "created_at": row.get("updated_at") or row.get("created_at")}
            yield _memory_of(value, identity, f"{name}, memory {identity}")


class _Inert:
    """Stands for every object in a pickle: it keeps the state that it is given, and nothing is ever called."""

    state: object = None

    def __new__(cls, *_: object, **__: object) -> _Inert:
        return object.__new__(cls)

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def __setstate__(self, state: object) -> None:
        self.state = state


class _InertUnpickler(pickle.Unpickler):
    """Reads data out of a pickle without importing or running anything that it names."""

    def find_class(self, _module: str, _name: str) -> Any:
        return _Inert

    def persistent_load(self, _: Any) -> Any:
        raise pickle.UnpicklingError("a reference to something outside")


def _read_point(packed: object) -> Mapping[str, Any] | None:
    """The fields of a point, or None when they cannot be read."""
    if not isinstance(packed, bytes):
        return None
    try:
        found = _InertUnpickler(io.BytesIO(packed)).load()
    except _DAMAGED_PICKLE:
        return None
    state = found.state if isinstance(found, _Inert) else found
    if isinstance(state, dict) and isinstance(inner := state.get("__dict__"), dict):
        state = inner
    return state if isinstance(state, dict) else None
