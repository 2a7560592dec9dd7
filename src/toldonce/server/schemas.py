"""Models of arguments and schemas of answers, made from the operations' own types."""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import inspect
import types
import typing
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model

from toldonce.capture.observe import Skipped
from toldonce.operations.routes import FILES, Route
from toldonce.operations.wire import SKIPPED, resolve_hints
from toldonce.records import Hit, Hits
from toldonce.server.paging import LARGEST_PAGE, USUAL_PAGE
from toldonce.tools.definition import ID_CHARS

# The first two answer with status 404 where there is nothing, and the third always has what was stored.
NEVER_NOTHING = ("documents.get", "entity", "documents.change")
REF = "#/components/schemas/"
_SCALARS: dict[Any, dict[str, Any]] = {
    str: {"type": "string"}, int: {"type": "integer"}, float: {"type": "number"}, bool: {"type": "boolean"},
    datetime: {"type": "string", "format": "date-time"}, timedelta: {"type": "number"}, Path: {"type": "string"},
    type(None): {"type": "null"},
}  # fmt: skip
_NOTHING = {"type": "object", "properties": {"result": {"type": "null"}}, "required": ["result"]}
_LARGEST_NUMBER = 2**53
_LISTS = (collections.abc.Iterable, collections.abc.Sequence)


def path_names(route: Route) -> list[str]:
    """The arguments that are part of the path."""
    return [part[1:-1] for part in route.path.split("/") if part.startswith("{")]


def build_arguments_model(route: Route) -> type[BaseModel] | None:
    """The model of the arguments beside those in the path; None when there are none."""
    hints, in_path = resolve_hints(route.function), path_names(route)
    in_query = route.method == "GET" or route.operation in FILES
    fields: dict[str, Any] = {}
    for name, parameter in route.parameters.items():
        if name not in in_path:
            fields[name] = _build_field(hints[name], parameter, as_text=in_query, name=name)
    if route.listing:
        usual = fields["limit"][1].default if "limit" in fields else USUAL_PAGE
        fields["limit"] = (int, Field(min(usual, LARGEST_PAGE), ge=1, le=LARGEST_PAGE, description="Items on a page."))
        fields["cursor"] = (str | None, Field(None, max_length=500, description="`next` of the page before."))
    if not fields:
        return None
    title = "".join(word.capitalize() for word in route.operation.replace(".", "_").split("_"))
    return create_model(f"{title}Arguments", __config__=ConfigDict(extra="forbid"), **fields)


def _build_field(hint: Any, parameter: inspect.Parameter, *, as_text: bool, name: str) -> tuple[Any, Any]:
    default = ... if parameter.default is inspect.Parameter.empty else parameter.default
    adapted = adapt_type(hint, as_text=as_text)
    if name.endswith("_id"):
        return adapted, Field(default, max_length=ID_CHARS)
    if name == "limit":
        return adapted, Field(default, ge=1, le=LARGEST_PAGE)
    return adapted, Field(default)


def adapt_type(hint: Any, *, as_text: bool = False) -> Any:
    """A type as a request can carry it; in a query a table is a text of JSON."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return Union[tuple(adapt_type(arg, as_text=as_text) for arg in args)]  # noqa: UP007  (made at run time)
    if origin in _LISTS:
        return list[adapt_type(args[0], as_text=as_text)]  # type: ignore[misc]
    if isinstance(origin, type) and issubclass(origin, collections.abc.Mapping):
        return str if as_text else dict[str, Any]
    # JSON tells numbers, texts and true apart; in a query all are texts.
    if hint is int:
        return typing.Annotated[int, Field(ge=-_LARGEST_NUMBER, le=_LARGEST_NUMBER, strict=not as_text)]
    if hint in (float, bool) and not as_text:
        return typing.Annotated[hint, Field(strict=True)]
    if hint in (datetime, date) and not as_text:
        return typing.Annotated[hint, BeforeValidator(_refuse_numbers)]
    return hint


def _refuse_numbers(value: object) -> object:
    """A moment or a day as it was given, unless it is a number of seconds: the description says a text."""
    if isinstance(value, int | float):
        raise ValueError("give a moment as a text, such as 2026-03-02T09:30:00Z")
    return value


def describe_answer(route: Route, shared: dict[str, Any]) -> dict[str, Any]:
    """The schema of the JSON document that an operation answers with; types that it names are added to `shared`."""
    result = route.result
    if result is Hits:
        named = {"hits": list[Hit], "left_out": dict[str, str], "waiting": int}
        properties = {name: describe_type(hint, shared) for name, hint in named.items()}
    elif route.listing:
        properties = {"items": describe_type(result, shared), "next": {"type": ["string", "null"]}}
    elif dataclasses.is_dataclass(result) or get_origin(result) is dict or _is_one_of_tables(result):
        return describe_type(result, shared)
    elif _is_optional_table(result):
        table = describe_type(get_args(result)[0], shared)
        return table if route.operation in NEVER_NOTHING else {"anyOf": [table, dict(_NOTHING)]}
    else:
        properties = {"result": describe_type(result, shared)}
    return {"type": "object", "properties": properties, "required": list(properties)}


def _is_one_of_tables(hint: Any) -> bool:
    return get_origin(hint) is types.UnionType and all(map(dataclasses.is_dataclass, get_args(hint)))


def _is_optional_table(hint: Any) -> bool:
    args = get_args(hint)
    return len(args) == 2 and args[1] is type(None) and dataclasses.is_dataclass(args[0])


def describe_type(hint: Any, shared: dict[str, Any]) -> dict[str, Any]:
    """The schema of what `to_plain_value` makes of a type."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return {"anyOf": [describe_type(arg, shared) for arg in args]}
    if origin is typing.Literal:
        return {"enum": list(args)}
    if origin in (list, frozenset) or (origin is tuple and args[-1] is Ellipsis):
        return {"type": "array", "items": describe_type(args[0], shared)}
    if origin is tuple:
        return {"type": "array", "prefixItems": [describe_type(arg, shared) for arg in args]}
    if origin is dict or (isinstance(origin, type) and issubclass(origin, collections.abc.Mapping)):
        return {"type": "object", "additionalProperties": describe_type(args[1], shared)}
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return {"enum": [one.name.lower() for one in hint]}
    if hint is Skipped:
        return {"type": "object", "properties": {SKIPPED: {"type": "string"}}, "required": [SKIPPED]}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _describe_fields(hint, shared)
    return dict(_SCALARS.get(hint, {}))


def _describe_fields(cls: type, shared: dict[str, Any]) -> dict[str, Any]:
    if cls.__name__ not in shared:
        row: dict[str, Any] = {"type": "object", "description": (cls.__doc__ or "").split("\n")[0]}
        shared[cls.__name__] = row
        hints = resolve_hints(cls)
        names = [field.name for field in dataclasses.fields(cls)]
        row["properties"] = {name: describe_type(hints[name], shared) for name in names}
        row["required"] = names
    return {"$ref": REF + cls.__name__}
