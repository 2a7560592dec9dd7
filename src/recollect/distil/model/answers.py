"""A model's answer as typed values: text comes in, an instance of a task's dataclass and what is wrong come out.

The dataclass is also the schema that the model is given. Every text passes the gate; no problem quotes the answer.
"""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from recollect.capture.gate import GateLimits, admit
from recollect.errors import EmptyText, TextTooLong

A = TypeVar("A")

MOST_ITEMS = 200
MOST_REFS = 1000


@dataclass(frozen=True, slots=True)
class Most:
    """How long a text may be, and whether it is text to keep or only points to something."""

    chars: int
    kept: bool = True


Line = Annotated[str, Most(300)]
Title = Annotated[str, Most(120)]
Prose = Annotated[str, Most(4000)]
Page = Annotated[str, Most(16_000)]
# The name of something in the input, or words of it: looked up there, never kept.
Ref = Annotated[str, Most(40, kept=False)]
Quote = Annotated[str, Most(4000, kept=False)]


@dataclass(frozen=True, slots=True)
class Read(Generic[A]):
    """What could be read of an answer, and what was wrong with it. A list in it lacks its bad items."""

    answer: A | None
    problems: tuple[str, ...] = ()
    is_json: bool = True


def schema_of(cls: type[Any]) -> Mapping[str, Any]:
    """The JSON schema of a dataclass, in the part of the language that all providers know."""
    return _schema(cls)


def read_answer(cls: type[A], text: str) -> Read[A]:
    """The answer in a model's words; JSON may stand inside a fence or between sentences."""
    value = _json_in(text)
    if value is None:
        return Read(None, ("the answer is not one JSON object",), is_json=False)
    problems: list[str] = []
    try:
        answer = _table(cls, value, "", problems)
    except _Bad as problem:
        return Read(None, (*problems, str(problem)))
    return Read(answer, tuple(problems))


class _Bad(ValueError):
    """A value that cannot be used, with its place in the answer."""


def _json_in(text: str) -> dict[str, Any] | None:
    spoken = text.rpartition("</think>")[2]
    start, end = spoken.find("{"), spoken.rfind("}")
    try:
        value = json.loads(spoken[start : end + 1]) if 0 <= start < end else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return get_type_hints(cls, include_extras=True)


def _schema(hint: Any) -> dict[str, Any]:
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        inner = _schema(args[0])
        return {**inner, "type": [inner["type"], "null"]}
    if origin is Literal:
        return {"type": "string", "enum": list(args)}
    if origin is tuple:
        return {"type": "array", "items": _schema(args[0])}
    if dataclasses.is_dataclass(hint):
        fields = {name: _schema(inner) for name, inner in _hints(hint).items()}  # type: ignore[arg-type]
        return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    return {"type": "boolean" if hint is bool else "number" if hint is float else "string"}


def _read(hint: Any, value: Any, place: str, problems: list[str]) -> Any:
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return None if value is None or value == "" else _read(args[0], value, place, problems)
    if origin is Literal:
        if value not in args:
            raise _Bad(f"{place} must be one of {', '.join(map(str, args))}")
        return value
    if origin is tuple:
        return _items(args[0], value, place, problems)
    if dataclasses.is_dataclass(hint):
        return _table(hint, value, place, problems)  # type: ignore[arg-type]
    if origin is Annotated:
        return _text(value, args[1], place)
    return _plain(hint, value, place)


def _table(cls: type[A], value: Any, place: str, problems: list[str]) -> A:
    if not isinstance(value, dict):
        raise _Bad(f"{place} must be an object")
    prefix = f"{place}." if place else ""
    hints = _hints(cls)  # type: ignore[arg-type]
    found = {name: _read(hint, value.get(name), prefix + name, problems) for name, hint in hints.items()}
    return cls(**found)


def _items(hint: Any, value: Any, place: str, problems: list[str]) -> tuple[Any, ...]:
    """Each item by itself, so that a bad one can be told apart from the good."""
    if not isinstance(value, list):
        raise _Bad(f"{place} must be a list")
    most = MOST_ITEMS if dataclasses.is_dataclass(hint) else MOST_REFS
    if len(value) > most:
        raise _Bad(f"{place} must have at most {most} items")
    items = []
    for number, item in enumerate(value):
        try:
            items.append(_read(hint, item, f"{place}[{number}]", problems))
        except _Bad as problem:
            problems.append(str(problem))
    return tuple(items)


def _text(value: Any, most: Most, place: str) -> str:
    if not isinstance(value, str):
        raise _Bad(f"{place} must be a text")
    try:
        if not most.kept:
            return value if len(value) <= most.chars else value[: most.chars]
        return admit(value.strip(), limits=GateLimits(max_chars=most.chars)).text
    except EmptyText:
        raise _Bad(f"{place} is empty") from None
    except TextTooLong:
        raise _Bad(f"{place} is too long: at most {most.chars} characters") from None


def _plain(hint: Any, value: Any, place: str) -> Any:
    if hint is bool:
        if not isinstance(value, bool):
            raise _Bad(f"{place} must be true or false")
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1e9 <= value <= 1e9:
        raise _Bad(f"{place} must be a number")
    return float(value)
