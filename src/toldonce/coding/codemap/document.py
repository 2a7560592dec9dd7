"""The map of a code base as one versioned document of the memory, and back; without a change no version is made."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from toldonce.coding.codemap.render import module_line, render_map, tool_lines
from toldonce.coding.codemap.values import Confidence, Module, ModuleMap, Toolchain
from toldonce.records import Document, DocumentEntry

NAME = "codemap"
OWNER = ""
# Under this key stands what a hook may show without reading the rest.
SHORT = "short"


def to_document(map_: ModuleMap, *, space: str, at: datetime, previous: Document | None = None) -> Document:
    """The next version of the map's document; the previous one itself when nothing changed."""
    data = _map_data(map_)
    if previous is not None and previous.data == data:
        return previous
    entries = [DocumentEntry(section=section, text=text, at=at) for section, text in tool_lines(map_)]
    entries += [DocumentEntry(section="modules", text=module_line(module), at=at) for module in map_.modules]
    version = previous.version + 1 if previous else 1
    return Document(
        name=NAME,
        owner=OWNER,
        space=space,
        version=version,
        entries=tuple(_keep_entry_times(entries, previous)),
        at=at,
        data=data,
    )


def from_document(document: Document) -> ModuleMap:
    """The map that a document holds; fields that a later version added are left out."""
    return map_from_data(document.data)


def map_from_data(data: Mapping[str, Any]) -> ModuleMap:
    """The map that a document's data hold."""
    modules = tuple(_module_from_row(row) for row in data.get("modules", ()))
    tools = _known_fields(Toolchain, data.get("tools", {}))
    return ModuleMap(modules=modules, languages=dict(data.get("languages", {})), tools=Toolchain(**tools))


def _map_data(map_: ModuleMap) -> dict[str, Any]:
    """Only lists, tables, texts and numbers, so that what is read back compares equal."""
    return {
        SHORT: render_map(map_),
        "languages": dict(map_.languages),
        "tools": _row_without_tuples(dataclasses.asdict(map_.tools)),
        "modules": [
            {**_row_without_tuples(dataclasses.asdict(module)), "confidence": module.confidence.name.lower()}
            for module in map_.modules
        ],
    }


def _row_without_tuples(row: dict[str, Any]) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in row.items()}


def _module_from_row(row: Mapping[str, Any]) -> Module:
    fields = _known_fields(Module, row)
    confidence = Confidence[str(row.get("confidence", "shallow")).upper()]
    return Module(**{**fields, "confidence": confidence})


def _known_fields(kind: type[Any], row: Mapping[str, Any]) -> dict[str, Any]:
    names = {field.name for field in dataclasses.fields(kind)}
    return {key: tuple(value) if isinstance(value, list) else value for key, value in row.items() if key in names}


def _keep_entry_times(entries: list[DocumentEntry], previous: Document | None) -> list[DocumentEntry]:
    """Entries of the previous version keep their time."""
    old = {(e.section, e.text): e.at for e in previous.entries} if previous else {}
    return [dataclasses.replace(e, at=old.get((e.section, e.text), e.at)) for e in entries]
