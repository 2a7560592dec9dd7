"""The engine's values as plain ones that JSON can hold, and back by their types; a copy equals its original.

Interfaces write answers with it, and a remote memory reads them.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from enum import Enum
from functools import cache
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from toldonce.capture.observe import Skipped
from toldonce.records import Hit, Hits

SKIPPED = "skipped"


def to_plain_value(value: object) -> Any:
    """The value as tables, lists, texts, numbers, true, false and null; moments are ISO texts, lengths are seconds."""
    if isinstance(value, str | int | float | None) and not isinstance(value, Enum):
        return value
    if isinstance(value, Skipped):
        return {SKIPPED: value.reason}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: to_plain_value(getattr(value, name)) for name in _field_names(type(value))}
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Mapping):
        return {str(key): to_plain_value(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return [to_plain_value(item) for item in sorted(value)]
    if isinstance(value, list | tuple):
        return [to_plain_value(item) for item in value]
    return fspath(value) if isinstance(value, PathLike) else value


def from_plain_value(hint: Any, value: Any) -> Any:
    """The value of a type that `to_plain_value` wrote so."""
    origin, args = get_origin(hint), get_args(hint)
    if value is None or hint is Any or origin is Literal:
        return value
    if origin in (Union, types.UnionType):
        return from_plain_value(_choose_type(args, value), value)
    if hint is Hits:
        return Hits(from_plain_value(list[Hit], value["hits"]), left_out=value["left_out"], waiting=value["waiting"])
    if origin is tuple and args[-1] is not Ellipsis:
        return tuple(from_plain_value(part, item) for part, item in zip(args, value, strict=True))
    if origin in (list, tuple, frozenset):
        return origin(from_plain_value(args[0], item) for item in value)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {key: from_plain_value(args[1], item) for key, item in value.items()}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _read_fields(hint, value)
    return _read_scalar(hint, value)


def _choose_type(choices: tuple[Any, ...], value: Any) -> Any:
    """Which of several types a value was written from."""
    if Skipped in choices and isinstance(value, Mapping) and value.keys() == {SKIPPED}:
        return Skipped
    wanted = [one for one in choices if one not in (type(None), Skipped)]
    if len(wanted) > 1 and isinstance(value, str) and str in wanted:
        return str
    return wanted[0]


def _read_fields(cls: type, value: Mapping[str, Any]) -> Any:
    if cls is Skipped:
        return Skipped(value[SKIPPED])
    hints = resolve_hints(cls)
    # A server may be newer than its client: what the client does not know is left out.
    return cls(**{name: from_plain_value(hints[name], item) for name, item in value.items() if name in hints})


def _read_scalar(hint: Any, value: Any) -> Any:
    if hint is datetime:
        return datetime.fromisoformat(value)
    if hint is timedelta:
        return timedelta(seconds=value)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint[value.upper()]
    return Path(value) if hint is Path else value


@cache
def _field_names(cls: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(cls))


@cache
def resolve_hints(named: Callable[..., Any]) -> dict[str, Any]:
    """The types of a class's fields or of an operation's arguments, those that are imported late among them."""
    return get_type_hints(named, localns=_late_types())


@cache
def _late_types() -> dict[str, Any]:
    """Types that modules of operations name without importing them at run time."""
    from toldonce.distil.settle import Settled
    from toldonce.storage.lifecycle import Flagged
    from toldonce.storage.tables.usage import PeriodCost, Usage

    late: dict[str, Any] = {"Settled": Settled, "Flagged": Flagged, "Usage": Usage, "PeriodCost": PeriodCost}
    # These are no values: no interface carries them.
    local = ("Writer", "Tiers", "Embedder", "Reranker", "Tagger", "EncryptionKey")
    return late | dict.fromkeys(local, Any)
