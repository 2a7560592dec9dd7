"""Reads a TOML table into a frozen dataclass, by the dataclass's own types.

An unknown key, a missing key or a value of the wrong type is refused with the file and the key that are wrong.
"""

from __future__ import annotations

import dataclasses
import re
import types
from collections.abc import Mapping
from datetime import timedelta
from functools import lru_cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from toldonce.errors import ConfigError

T = TypeVar("T")

_DURATION = re.compile(r"^(\d+(?:\.\d+)?)\s*(s|m|h|d|w)$")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def read_dataclass(cls: type[T], table: Mapping[str, Any], *, file: str, key: str = "") -> T:
    """An instance of the dataclass `cls` filled from `table`."""
    if not isinstance(table, Mapping):
        raise ConfigError(f"{file}: {key or 'the file'} must be a table")
    fields = {f.name: f for f in dataclasses.fields(cls)}  # type: ignore[arg-type]
    for name in table:
        if name not in fields:
            raise ConfigError(f"{file}: unknown key {_join_key(key, name)!r}; known here: {', '.join(sorted(fields))}")
    hints = _cached_type_hints(cls)  # type: ignore[arg-type]
    values = {n: _convert_value(hints[n], v, file=file, key=_join_key(key, n)) for n, v in table.items()}
    missing = [n for n, f in fields.items() if n not in values and _is_required(f)]
    if missing:
        raise ConfigError(f"{file}: missing key {_join_key(key, missing[0])!r}")
    try:
        return cls(**values)
    except ValueError as problem:
        raise ConfigError(f"{file}: {key or 'file'}: {problem}") from None


def parse_duration(text: str) -> timedelta:
    """A length of time from a text such as `25m`, `2h` or `30d`."""
    match = _DURATION.match(text.strip())
    if not match:
        raise ValueError(f"{text!r} is not a length of time; write it like 25m, 2h or 30d")
    return timedelta(**{_UNITS[match[2]]: float(match[1])})


@lru_cache(maxsize=64)
def _cached_type_hints(cls: type[Any]) -> dict[str, Any]:
    return get_type_hints(cls)


def _is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _join_key(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _convert_value(hint: Any, value: Any, *, file: str, key: str) -> Any:
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _convert_value(next(a for a in args if a is not type(None)), value, file=file, key=key)
    if origin is Literal:
        return _check_choice(args, value, file=file, key=key)
    if origin is tuple:
        return _convert_tuple(args[0], value, file=file, key=key)
    if origin is not None and issubclass(origin, Mapping):
        return _convert_mapping(args[1], value, file=file, key=key)
    if dataclasses.is_dataclass(hint):
        return read_dataclass(hint, value, file=file, key=key)  # type: ignore[arg-type]
    return _convert_scalar(hint, value, file=file, key=key)


def _check_choice(choices: tuple[Any, ...], value: Any, *, file: str, key: str) -> Any:
    if value not in choices:
        raise ConfigError(f"{file}: {key} is {value!r}; choose one of {', '.join(map(str, choices))}")
    return value


def _convert_tuple(hint: Any, value: Any, *, file: str, key: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise ConfigError(f"{file}: {key} must be a list")
    return tuple(_convert_value(hint, v, file=file, key=f"{key}[{i}]") for i, v in enumerate(value))


def _convert_mapping(hint: Any, value: Any, *, file: str, key: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise ConfigError(f"{file}: {key} must be a table")
    return {k: _convert_value(hint, v, file=file, key=_join_key(key, k)) for k, v in value.items()}


def _convert_scalar(hint: Any, value: Any, *, file: str, key: str) -> Any:
    if hint is timedelta and isinstance(value, str):
        try:
            return parse_duration(value)
        except ValueError as problem:
            raise ConfigError(f"{file}: {key}: {problem}") from None
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if hint is Any or (isinstance(value, hint) and not (hint is int and isinstance(value, bool))):
        return value
    wanted = "a length of time such as 25m" if hint is timedelta else f"a {hint.__name__}"
    raise ConfigError(f"{file}: {key} must be {wanted}, not {type(value).__name__} {value!r}")
