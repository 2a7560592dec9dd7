"""Checks the arguments of a call against their JSON schema: returns the arguments with defaults, or says what to fix.

It knows the part of JSON Schema that the table of tools uses, and takes nothing that the schema does not name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from toldonce.errors import InputError, TextTooLong

CALL_CHARS = 300_000
_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "array": (list,),
    "object": (dict,),
}  # fmt: skip
_ARTICLES = {"string": "a text", "integer": "a whole number", "number": "a number", "boolean": "true or false",
             "array": "a list", "object": "a table"}  # fmt: skip


def check_arguments(arguments: object, schema: Mapping[str, Any], *, tool: str) -> dict[str, Any]:
    """The arguments with defaults filled in; what is wrong is refused with the argument and what it must be."""
    if not isinstance(arguments, Mapping):
        raise InputError(f"{tool}: the arguments must be a JSON table, not {type(arguments).__name__}")
    given = {name: value for name, value in arguments.items() if value is not None or name not in schema["properties"]}
    _check_size(given, tool)
    _check_table(given, schema, tool)
    defaults = {n: row["default"] for n, row in schema["properties"].items() if "default" in row}
    return {**defaults, **given}


def _check_size(given: Mapping[str, Any], tool: str) -> None:
    try:
        length = len(json.dumps(given, allow_nan=False))
    except (TypeError, ValueError) as problem:
        raise InputError(f"{tool}: the arguments must be JSON values") from problem
    if length > CALL_CHARS:
        raise TextTooLong(
            f"{tool}: the arguments take {length} characters, the limit is {CALL_CHARS}: send less at once",
            length=length,
            limit=CALL_CHARS,
        )


def _check_table(given: Mapping[str, Any], schema: Mapping[str, Any], where: str) -> None:
    rows: Mapping[str, Any] = schema.get("properties", {})
    if schema.get("additionalProperties") is False:
        for name in given.keys() - rows.keys():
            raise InputError(f"{where}: unknown argument {str(name)[:60]!r}; it takes {', '.join(rows) or 'none'}")
    for name in schema.get("required", ()):
        if name not in given:
            raise InputError(f"{where}: {name} is missing: give {_describe_wanted_type(rows[name])}")
    for name, value in given.items():
        if name in rows:
            _check_argument(value, rows[name], f"{where}: {name}")


def _check_argument(value: Any, row: Mapping[str, Any], where: str) -> None:
    kind: str = row["type"]
    if type(value) not in _TYPES[kind]:
        raise InputError(f"{where} must be {_describe_wanted_type(row)}, not {type(value).__name__}")
    if "enum" in row and value not in row["enum"]:
        raise InputError(f"{where} must be {_describe_wanted_type(row)}")
    if kind == "string":
        _check_argument_length(len(value), row.get("minLength", 0), row.get("maxLength"), where, "characters")
    elif kind in ("integer", "number"):
        _check_bounds(value, row, where)
    elif kind == "array":
        _check_argument_length(len(value), row.get("minItems", 0), row.get("maxItems"), where, "entries")
        for place, item in enumerate(value):
            _check_argument(item, row["items"], f"{where}[{place}]")
    elif kind == "object":
        _check_table(value, row, where)


def _check_bounds(value: float, row: Mapping[str, Any], where: str) -> None:
    if not row.get("minimum", value) <= value <= row.get("maximum", value):
        raise InputError(f"{where} must be {_describe_wanted_type(row)}")


def _check_argument_length(length: int, least: int, most: int | None, where: str, unit: str) -> None:
    if length < least:
        raise InputError(f"{where} is empty: give at least {least}")
    if most is not None and length > most:
        raise TextTooLong(f"{where} has {length} {unit}, the limit is {most}: send less", length=length, limit=most)


def _describe_wanted_type(row: Mapping[str, Any]) -> str:
    if "enum" in row:
        return f"one of {', '.join(map(str, row['enum']))}"
    wanted = _ARTICLES[row["type"]]
    if "minimum" in row and "maximum" in row:
        return f"{wanted} from {row['minimum']:g} to {row['maximum']:g}"
    return wanted
