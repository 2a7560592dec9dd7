"""Turns the engine's values into plain ones that JSON can hold; the same value always gives the same shape."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import Enum
from os import PathLike, fspath
from typing import Any

from recollect.capture.observe import Skipped


def to_plain_value(value: object) -> Any:
    """The value as tables, lists, texts, numbers, true, false and null; moments are ISO texts, lengths are seconds."""
    if isinstance(value, Skipped):
        return {"skipped": value.reason}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_plain_value(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Mapping):
        return {str(key): to_plain_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain_value(item) for item in value]
    return fspath(value) if isinstance(value, PathLike) else value


def to_json_document(value: object, *, ascii_only: bool = False) -> str:
    """The value as one JSON document."""
    text = json.dumps(to_plain_value(value), ensure_ascii=ascii_only, indent=2)
    # A lone surrogate cannot be written as UTF-8; escaped it is still the same JSON text.
    return "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in text) if not ascii_only else text
