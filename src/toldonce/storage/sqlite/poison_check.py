"""Finds rows that no current version would write: times outside the calendar, unreadable texts and JSON.

They come from damage, from other programs, or from versions that checked less. Each finding names the row; a repair
puts the nearest readable value in its place and never removes a record.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import apsw

from toldonce.clock import EARLIEST, LATEST, to_micros

_SHOWN = 20
# Twice as deep as the gate lets in.
_MOST_DEPTH = 40


@dataclass(frozen=True, slots=True)
class CheckedColumns:
    """The columns of a table that are checked: its times, its JSON texts, its plain texts; the others are its key."""

    table: str
    read: str
    replace: str
    name: str
    times: tuple[str, ...] = ()
    tables: tuple[tuple[str, type], ...] = ()
    texts: tuple[str, ...] = ()


# A time out of reach becomes the first of these columns that is within reach, else the nearest end of the calendar.
_TABLES = (
    CheckedColumns(
        "records",
        "unchecked_records",
        "replace_records",
        "id",
        ("at", "created_at", "expires_at", "state_at", "accessed_at", "faded_at"),
        (("tags", list), ("metadata", dict)),
        ("id", "text", "title", "summary", "author", "user", "session", "channel", "branch", "subject"),
    ),
    CheckedColumns(
        "conversations",
        "unchecked_conversations",
        "replace_conversations",
        "id",
        ("started_at", "updated_at", "settled_at"),
    ),
    CheckedColumns(
        "jobs",
        "unchecked_jobs",
        "replace_jobs",
        "key",
        ("due_at", "again_at", "lease_until", "last_run_at"),
        (("args", dict),),
        ("last_error",),
    ),
    CheckedColumns(
        "runs",
        "unchecked_runs",
        "replace_runs",
        "seq",
        ("started_at", "ended_at"),
        (("counts", dict), ("detail", dict)),
        ("error",),
    ),
    CheckedColumns(
        "people", "unchecked_people", "replace_people", "id", ("seen_at",), (), ("username", "display_name")
    ),
    CheckedColumns(
        "documents", "unchecked_documents", "replace_documents", "name", ("at",), (("entries", list), ("data", dict))
    ),
    CheckedColumns("changes", "unchecked_changes", "replace_changes", "seq", ("at",), (), ("reason",)),
)

Row = dict[str, Any]


def check_poison(connection: apsw.Connection, queries: Mapping[str, str], *, repair: bool) -> list[str]:
    """What no version would write today, in words, and with `repair` what was done about it."""
    lines: list[str] = []
    better: list[tuple[str, Row]] = []
    for checked in _TABLES:
        for row in _read_table_rows(connection, queries[checked.read]):
            faults = {column: (fault, value) for column, fault, value in _find_column_faults(checked, row)}
            called = _decode_stored(row[checked.name])
            lines += [f"{called} of {checked.table}: its {column} {fault}" for column, (fault, _) in faults.items()]
            if faults:
                values = {name: _decode_stored(value) for name, value in row.items()}
                better.append((checked.replace, values | {c: value for c, (_, value) in faults.items()}))
    if repair and better:
        with connection:
            for query, values in better:
                connection.execute(queries[query], values)
        return [*_limit_findings(lines), f"repaired: {len(lines)} values that could not be used were replaced"]
    return _limit_findings(lines)


def _limit_findings(lines: list[str]) -> list[str]:
    left = len(lines) - _SHOWN
    return [*lines[:_SHOWN], *([f"{left} more values cannot be used"] if left > 0 else [])]


def _read_table_rows(connection: apsw.Connection, query: str) -> Iterator[Row]:
    cursor = connection.execute(query)
    for row in cursor:
        yield {column[0]: value for column, value in zip(cursor.get_description(), row, strict=True)}


def _find_column_faults(checked: CheckedColumns, row: Row) -> Iterator[tuple[str, str, Any]]:
    """Each column that cannot be used, what is wrong with it, and what a repair writes."""
    first, last = to_micros(EARLIEST), to_micros(LATEST)
    sound = [row[column] for column in checked.times if row[column] is not None and first <= row[column] <= last]
    for column in checked.times:
        at = row[column]
        if at is not None and not first <= at <= last:
            yield column, "lies outside of the calendar", sound[0] if sound else min(max(at, first), last)
    for column, type_ in checked.tables:
        if fault := _table_fault(row[column], type_):
            yield column, fault, "[]" if type_ is list else "{}"
    for column in checked.texts:
        if row[column] is not None and (text := _decode_stored(row[column])).encode() != row[column]:
            yield column, "is not valid UTF-8", text


def _table_fault(stored: bytes, type_: type) -> str:
    try:
        found = json.loads(stored.decode())
    except (ValueError, RecursionError):
        return "is not valid JSON"
    if not isinstance(found, type_):
        return f"is not a {'list' if type_ is list else 'table'}"
    return "" if _json_depth(found) <= _MOST_DEPTH else "is nested too deep"


def _json_depth(value: Any) -> int:
    """How deep a value of JSON is nested, counted level by level."""
    depth, level = 0, [value]
    while level and depth <= _MOST_DEPTH:
        inner = [one for one in level if isinstance(one, dict | list)]
        level = [v for one in inner for v in (one.values() if isinstance(one, dict) else one)]
        depth += 1
    return depth


def _decode_stored(stored: Any) -> Any:
    return stored.decode("utf-8", "replace") if isinstance(stored, bytes) else stored
