"""Any CSV or JSONL file, by a mapping of our fields to its columns."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from recollect.errors import BadImport, InputError
from recollect.importers.source_tree import SourceTree
from recollect.importers.values import (
    ImportedConversation,
    ImportedMessage,
    ImportItem,
    OlderMemory,
    ReadOptions,
    SkippedItem,
    moment_of,
    plain_metadata,
)

FIELDS = ("text", "user", "at", "id", "name", "kind", "session", "role")
_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "bot": "assistant"}
_Row = tuple[Mapping[str, Any], str]


def is_csv_file(source: SourceTree) -> bool:
    """Whether this is one CSV file."""
    return not source.is_folder and source.path.suffix.lower() == ".csv"


def read_table(source: SourceTree, options: ReadOptions) -> Iterator[ImportItem]:
    """Each row as a memory or, where a column names the session, as a message of that conversation."""
    if unknown := set(options.columns) - set(FIELDS):
        raise InputError(f"there is no field {min(unknown)!r} to map: choose from {', '.join(FIELDS)}")
    if source.is_folder or source.is_packed:
        raise InputError("a mapping of columns needs one CSV or JSONL file")
    name = source.path.name
    rows = _csv_rows(source, name) if is_csv_file(source) else _json_rows(source, name)
    if "session" not in options.columns:
        for row in rows:
            yield row if isinstance(row, SkippedItem) else _memory_of(row, options)
        return
    session = options.columns["session"]
    for key, group in groupby(rows, key=lambda row: "" if isinstance(row, SkippedItem) else str(row[0].get(session))):
        yield from _conversation_of(key, list(group), options)


def _csv_rows(source: SourceTree, name: str) -> Iterator[_Row | SkippedItem]:
    with source.open_text(name) as file:
        reader = csv.DictReader(file, strict=True)
        try:
            for row in reader:
                place = f"line {reader.line_num}"
                if None in row or None in row.values():
                    yield SkippedItem("a row with more or fewer columns than the header", place, is_damage=True)
                else:
                    yield row, place
        except (csv.Error, UnicodeDecodeError) as problem:
            raise BadImport(f"line {reader.line_num + 1}: {problem}", line=reader.line_num + 1) from None


def _json_rows(source: SourceTree, name: str) -> Iterator[_Row | SkippedItem]:
    with source.open_text(name) as file:
        try:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield _parse_json_row(line, f"line {number}")
        except UnicodeDecodeError:
            raise BadImport(f"{name}: this is no UTF-8 text") from None


def _parse_json_row(line: str, place: str) -> _Row | SkippedItem:
    try:
        value = json.loads(line)
    except ValueError:
        value = None
    return (value, place) if isinstance(value, dict) else SkippedItem("no JSON object", place, is_damage=True)


def _field(row: Mapping[str, Any], name: str, options: ReadOptions) -> str:
    column = options.columns.get(name, name)
    if name in options.columns and column not in row:
        raise BadImport(f"there is no column {column!r}: there are {', '.join(map(str, row))}")
    value = row.get(column)
    return "" if value is None else str(value).strip()


def _text_of(row: Mapping[str, Any], options: ReadOptions) -> str:
    if options.columns.get("text", "text") not in row:
        known = ", ".join(map(str, row))
        raise BadImport(f"say which column holds the text, with --map text=COLUMN: there are {known}")
    return _field(row, "text", options)


def _memory_of(row: _Row, options: ReadOptions) -> ImportItem:
    value, place = row
    text, at = _text_of(value, options), _field(value, "at", options)
    moment = moment_of(float(at) if at.replace(".", "", 1).isdigit() else at)
    if at and moment is None:
        return SkippedItem("a time that cannot be read", place, is_damage=True)
    user = _field(value, "user", options)
    used = tuple(options.columns.get(field, field) for field in FIELDS)
    return OlderMemory(
        id=_field(value, "id", options) or f"{at} {user} {text}",
        text=text,
        type=(_field(value, "kind", options) or "fact").lower(),
        at=moment,
        user=options.author_of(user) if user else None,
        name=_field(value, "name", options),
        metadata=plain_metadata(value, without=used),
        place=place,
    )


def _conversation_of(session: str, rows: list[_Row | SkippedItem], options: ReadOptions) -> Iterator[ImportItem]:
    messages = []
    for row in rows:
        if isinstance(row, SkippedItem):
            yield row
            continue
        made = _memory_of(row, options)
        if not isinstance(made, OlderMemory):
            yield made
            continue
        role = _ROLES.get(_field(row[0], "role", options).lower() or "user", "user")
        messages.append(
            ImportedMessage(
                id=made.id,
                text=made.text,
                at=made.at,
                user=made.user,
                name=made.name,
                role=role,
                metadata=made.metadata,
                place=made.place,
            )
        )
    if messages:
        yield ImportedConversation(id=session, messages=tuple(messages), place=messages[0].place)
