"""A model's answer as typed values: text comes in, a validated answer and what is wrong with it come out.

The pydantic model of an answer is also the schema that the language model is given. Every text passes the gate; no
problem quotes the answer. Loaded only where a language model is configured: pydantic is the extra `models`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Generic, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Strict,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from toldonce.capture.gate import GateLimits, admit_through_gate
from toldonce.errors import EmptyText, TextTooLong

MOST_ITEMS = 200
MOST_REFS = 1000
_LARGEST_NUMBER = 1e9
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_QUOTED_NAME = re.compile(r"'([^']*)'")

# What to fix, by the type of pydantic's error. Its own messages mention Python types.
_FIXES = {
    "bool_type": "must be true or false",
    "finite_number": "must be a number",
    "float_type": "must be a number",
    "greater_than_equal": "must be a number",
    "less_than_equal": "must be a number",
    "string_type": "must be a text",
    "string_unicode": "must be a text",
    "tuple_type": "must be a list",
}

Place = tuple[int | str, ...]


def _replace_surrogates(value: object) -> object:
    """The text with a mark for each half of a character, which JSON can escape and no text can hold."""
    return _SURROGATE.sub("\ufffd", value) if isinstance(value, str) else value


def keep_text(most_chars: int) -> AfterValidator:
    """Lets a text in that will be kept: cleaned by the gate, not empty, not too long."""

    def admit_text(value: str) -> str:
        try:
            return admit_through_gate(value.strip(), limits=GateLimits(max_chars=most_chars)).text
        except EmptyText:
            raise PydanticCustomError("empty_text", "is empty") from None
        except TextTooLong:
            raise PydanticCustomError(
                "long_text", "is too long: at most {most_chars} characters", {"most_chars": most_chars}
            ) from None

    return AfterValidator(admit_text)


def _cut_to_length(most_chars: int) -> AfterValidator:
    """Lets a text in that only points to something, cut to a length."""
    return AfterValidator(lambda value: value[:most_chars])


T = TypeVar("T")
Text = Annotated[str, BeforeValidator(_replace_surrogates)]
Line = Annotated[Text, keep_text(300)]
Title = Annotated[Text, keep_text(120)]
Prose = Annotated[Text, keep_text(4000)]
Page = Annotated[Text, keep_text(16_000)]
# The name of something in the input, or words of it: looked up there, never kept.
Ref = Annotated[Text, _cut_to_length(40)]
Quote = Annotated[Text, _cut_to_length(4000)]
Flag = Annotated[bool, Strict()]
Number = Annotated[float, Strict(), Field(ge=-_LARGEST_NUMBER, le=_LARGEST_NUMBER, allow_inf_nan=False)]
Refs = Annotated[tuple[Ref, ...], Field(max_length=MOST_REFS)]
Items = Annotated[tuple[T, ...], Field(max_length=MOST_ITEMS)]


class Answer(BaseModel):
    """An answer, or an item of one. What is missing counts as null; null and "" are the same where null is allowed."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    @model_validator(mode="before")
    @classmethod
    def _take_asked_fields(cls, value: object) -> dict[str, object]:
        if not isinstance(value, dict):
            raise PydanticCustomError("no_object", "must be an object")
        found = {name: value.get(name) for name in cls.model_fields}
        optional = (name for name, field in cls.model_fields.items() if type(None) in get_args(field.annotation))
        return found | {name: None for name in optional if found[name] == ""}


A = TypeVar("A", bound=Answer)


@dataclass(frozen=True, slots=True)
class ReadAnswer(Generic[A]):
    """What could be read of an answer, and what was wrong with it. A list in it lacks its bad items."""

    answer: A | None
    problems: tuple[str, ...] = ()
    is_json: bool = True
    bad_items: frozenset[Place] = frozenset()


def read_answer(form: type[A], text: str) -> ReadAnswer[A]:
    """The answer in a model's words; JSON may stand inside a fence or between sentences."""
    value = find_json(text)
    if value is None:
        return ReadAnswer(None, ("the answer is not one JSON object",), is_json=False)
    try:
        return ReadAnswer(form.model_validate(value))
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
    problems = tuple(_describe_answer_error(one) for one in found)
    bad_items = {_innermost_item(one["loc"]) for one in found}
    if () in bad_items:
        return ReadAnswer(None, problems)
    return ReadAnswer(form.model_validate(_drop_items(value, bad_items)), problems, bad_items=frozenset(bad_items))


@cache
def schema_of(form: type[Answer]) -> Mapping[str, Any]:
    """The JSON schema of an answer, in the part of the language that all providers know."""
    schema = form.model_json_schema()
    return _simplify_schema(schema, schema.get("$defs", {}))


def find_json(text: str) -> dict[str, Any] | None:
    """The JSON object in a model's words; None when there is none."""
    spoken = text.rpartition("</think>")[2]
    start, end = spoken.find("{"), spoken.rfind("}")
    try:
        value = json.loads(spoken[start : end + 1]) if 0 <= start < end else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _describe_answer_error(error: ErrorDetails) -> str:
    """Where something is wrong and what to do about it, without a word of the answer."""
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error["loc"]).removeprefix(".")
    return f"{place} {_fix_of(error)}"


def _fix_of(error: ErrorDetails) -> str:
    kind, context = error["type"], error.get("ctx", {})
    if kind == "literal_error":
        return f"must be one of {', '.join(_QUOTED_NAME.findall(context['expected']))}"
    if kind == "too_long":
        return f"must have at most {context['max_length']} items"
    return _FIXES.get(kind, error["msg"])


def _innermost_item(place: Place) -> Place:
    """The place of the list's item that holds a place; () for what is in no list."""
    numbers = [depth for depth, step in enumerate(place) if isinstance(step, int)]
    return place[: numbers[-1] + 1] if numbers else ()


def _drop_items(value: Any, bad: set[Place], place: Place = ()) -> Any:
    """The value without the items at these places."""
    if not any(one[: len(place)] == place for one in bad):
        return value
    if isinstance(value, list):
        kept = [(number, inner) for number, inner in enumerate(value) if (*place, number) not in bad]
        return [_drop_items(inner, bad, (*place, number)) for number, inner in kept]
    if isinstance(value, dict):
        return {name: _drop_items(inner, bad, (*place, name)) for name, inner in value.items()}
    return value


def _simplify_schema(schema: Mapping[str, Any], shared: Mapping[str, Any]) -> dict[str, Any]:
    """A schema with its references put in place and without what some providers refuse: limits, titles, defaults."""
    if "$ref" in schema:
        return _simplify_schema(shared[schema["$ref"].rpartition("/")[2]], shared)
    if "anyOf" in schema:
        # What may be missing is asked for as "", which counts as null: a union costs tokens and not all know it.
        return _simplify_schema(schema["anyOf"][0], shared)
    if schema["type"] == "array":
        return {"type": "array", "items": _simplify_schema(schema["items"], shared)}
    if schema["type"] == "object":
        fields = {name: _simplify_schema(inner, shared) for name, inner in schema["properties"].items()}
        return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    return {key: schema[key] for key in ("type", "enum") if key in schema}
