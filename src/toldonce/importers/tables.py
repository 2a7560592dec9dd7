"""Any CSV or JSONL file, by a mapping of our fields to its columns."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from itertools import chain, islice
from typing import Any

from toldonce.errors import BadImport, InputError
from toldonce.importers.source_tree import SourceTree
from toldonce.importers.values import (
    ImportedMessage,
    ImportItem,
    OlderMemory,
    ReadOptions,
    SkippedItem,
    build_conversation,
    moment_of,
    plain_metadata,
)

FIELDS = ("text", "user", "at", "id", "name", "kind", "session", "role")
_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "bot": "assistant"}
_ROWS_WITH_ALL_COLUMNS = 1_000
# Spreadsheets write semicolons where the comma is the decimal sign.
_SEPARATORS = ",;\t|"
_LONGEST_VALUE = 64_000_000
_Row = tuple[Mapping[str, Any], str]


def is_csv_file(source: SourceTree) -> bool:
    """Whether this is one CSV file."""
    return not source.is_folder and source.path.suffix.lower() in (".csv", ".tsv")


def _is_json(source: SourceTree, name: str) -> bool:
    return not is_csv_file(source) and source.peek(name).lstrip().startswith("{")


def read_table(source: SourceTree, options: ReadOptions) -> Iterator[ImportItem]:
    """Each row as a memory or, where a column names the session, as a message of that conversation."""
    if unknown := set(options.columns) - set(FIELDS):
        raise InputError(f"there is no field {min(unknown)!r} to map: choose from {', '.join(FIELDS)}")
    if source.is_folder or source.is_packed:
        raise InputError("a mapping of columns needs one CSV or JSONL file")
    name = source.path.name
    rows = _json_rows(source, name) if _is_json(source, name) else _csv_rows(source, name)
    known, rows = _check_columns(rows, options)
    if options.columns.get("session", "session") not in known:
        for row in rows:
            yield row if isinstance(row, SkippedItem) else _memory_of(row, options)
        return
    for session, group in _group_by_session(rows, options):
        found = [row if isinstance(row, SkippedItem) else _message_of(row, options) for row in group]
        yield from build_conversation(found, id=session)


def _group_by_session(
    rows: Iterator[_Row | SkippedItem], options: ReadOptions
) -> Iterator[tuple[str, list[_Row | SkippedItem]]]:
    """Rows that follow each other with one session; a row that cannot be read belongs to the one before it."""
    session: str | None = None
    held: list[_Row | SkippedItem] = []
    for row in rows:
        if not isinstance(row, SkippedItem):
            found = _field(row[0], "session", options)
            if session not in (None, found):
                yield str(session), held
                held = []
            session = found
        held.append(row)
    yield session or "", held


def _csv_rows(source: SourceTree, name: str) -> Iterator[_Row | SkippedItem]:
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_VALUE))
    header = source.peek(name).partition("\n")[0]
    with source.open_text(name) as file:
        reader = csv.DictReader(file, strict=True, delimiter=max(_SEPARATORS, key=header.count))
        try:
            for row in reader:
                place = f"line {reader.line_num}"
                if None in row or None in row.values():
                    yield SkippedItem("a row with more or fewer columns than the header", place, is_damage=True)
                else:
                    yield row, place
        except csv.Error as problem:
            raise BadImport(f"line {reader.line_num + 1}: {problem}", line=reader.line_num + 1) from None
        except UnicodeDecodeError:
            raise BadImport(f"{name}: this is no UTF-8 text") from None


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


def _check_columns(
    rows: Iterator[_Row | SkippedItem], options: ReadOptions
) -> tuple[list[str], Iterator[_Row | SkippedItem]]:
    """The columns and all rows; the first of them must have the columns that are mapped, each in one row at least."""
    first = list(islice(rows, _ROWS_WITH_ALL_COLUMNS))
    known = list(dict.fromkeys(str(name) for row in first if not isinstance(row, SkippedItem) for name in row[0]))
    there = f"there are {', '.join(known)}"
    if known and options.columns.get("text", "text") not in known:
        raise BadImport(f"say which column holds the text, with --map text=COLUMN: {there}")
    if known and (missing := [column for column in options.columns.values() if column not in known]):
        raise BadImport(f"there is no column {missing[0]!r}: {there}")
    return known, chain(first, rows)


def _field(row: Mapping[str, Any], name: str, options: ReadOptions) -> str:
    value = row.get(options.columns.get(name, name))
    return "" if value is None else str(value).strip()


def _memory_of(row: _Row, options: ReadOptions) -> OlderMemory | SkippedItem:
    value, place = row
    text, at = value.get(options.columns.get("text", "text")), _field(value, "at", options)
    if not isinstance(text, str):
        return SkippedItem("a row without a text", place, is_damage=True)
    moment = moment_of(float(at) if at.replace(".", "", 1).isdigit() else at)
    if at and moment is None:
        return SkippedItem("a time that cannot be read", place, is_damage=True)
    user = _field(value, "user", options)
    used = tuple(options.columns.get(field, field) for field in FIELDS)
    return OlderMemory(
        id=_field(value, "id", options) or _hash_row(f"{at} {user} {text}"),
        text=text,
        type=(_field(value, "kind", options) or "fact").lower(),
        at=moment,
        user=options.author_of(user) if user else None,
        name=_field(value, "name", options),
        metadata=plain_metadata(value, without=used),
        place=place,
    )


def _hash_row(told: str) -> str:
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _message_of(row: _Row, options: ReadOptions) -> ImportedMessage | SkippedItem:
    made = _memory_of(row, options)
    if isinstance(made, SkippedItem):
        return made
    if made.at is None:
        return SkippedItem("a message without a time", made.place, is_damage=True)
    return ImportedMessage(
        id=made.id,
        text=made.text,
        at=made.at,
        user=made.user,
        name=made.name,
        role=_ROLES.get(_field(row[0], "role", options).lower() or "user", "user"),
        metadata=made.metadata,
        place=made.place,
    )
