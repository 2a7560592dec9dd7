"""One row of the table of tools: what an agent reads about a tool, and the operation behind it.

A row's arguments are JSON schemas; words that a preset decides are filled in when the preset is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from toldonce.errors import InputError, UnknownKind
from toldonce.presets.policy import Author, Preset

if TYPE_CHECKING:
    from toldonce.memory import Memory

Role = Literal["agent", "consolidator", "person"]
Schema = Mapping[str, Any]

# Stand for an `enum` that the preset fills: kinds to search, kinds an agent may write, areas of life.
SOUGHT, WRITTEN, AREAS = "sought kinds", "written kinds", "areas"

QUERY_CHARS = 4_000
ID_CHARS = 200
TEXT_CHARS = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """On whose behalf tools are called, and where. The arguments of a call cannot change it.

    `reach` are the spaces that the credential is for; None are all.
    """

    user: str | None = None
    session: str | None = None
    space: str | None = None
    branch: str | None = None
    root: str | None = None
    made_by: str = "agent"
    role: Role = "agent"
    reach: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.role not in get_args(Role):
            raise InputError(f"there is no role {str(self.role)[:40]!r}: it must be one of {', '.join(get_args(Role))}")

    @property
    def author(self) -> Author:
        """Who counts as the writer of what the call keeps."""
        return "person" if self.role == "person" else "agent"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call as an operation gets it: the arguments are checked and their defaults filled in."""

    memory: Memory
    preset: Preset
    caller: Caller
    given: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool. `loss` says in words what a call would take away, or None when it takes nothing."""

    name: str
    about: str
    run: Callable[[ToolCall], Any]
    arguments: Mapping[str, Schema]
    required: tuple[str, ...] = ()
    roles: tuple[Role, ...] = ("agent", "person")
    loss: Callable[[ToolCall], str | None] | None = None
    reads: bool = False
    quotes: bool = False


def text_schema(about: str, *, most: int = TEXT_CHARS, choice: str = "", default: str | None = None) -> Schema:
    """A text that is not empty; with `choice`, one of those words."""
    row: dict[str, Any] = {"type": "string", "description": about, "minLength": 1, "maxLength": most}
    if choice:
        row["enum"] = choice
    return row if default is None else {**row, "default": default}


def record_id(about: str) -> Schema:
    """The id of a record."""
    return text_schema(about, most=ID_CHARS)


def number_schema(about: str, *, least: float, most: float, default: float | None = None) -> Schema:
    """A number within bounds."""
    row = {"type": "number", "description": about, "minimum": least, "maximum": most}
    return row if default is None else {**row, "default": default}


def count_schema(about: str, *, most: int, default: int | None = None, least: int = 1) -> Schema:
    """A whole number within bounds."""
    row = {"type": "integer", "description": about, "minimum": least, "maximum": most}
    return row if default is None else {**row, "default": default}


def flag_schema(about: str, *, default: bool) -> Schema:
    """True or false."""
    return {"type": "boolean", "description": about, "default": default}


def texts_schema(about: str, *, most: int = 50, choice: str = "", chars: int = 1_000) -> Schema:
    """A list of texts."""
    items: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": chars}
    items |= {"enum": choice} if choice else {}
    return {"type": "array", "description": about, "items": items, "maxItems": most}


def table_schema(about: str, fields: Mapping[str, Schema] | None = None, *, required: tuple[str, ...] = ()) -> Schema:
    """A table of values: of these fields and no other, or of any."""
    row: dict[str, Any] = {"type": "object", "description": about}
    if fields is None:
        return row
    return {**row, "properties": dict(fields), "required": list(required), "additionalProperties": False}


def tables_schema(about: str, fields: Mapping[str, Schema], *, required: tuple[str, ...], most: int) -> Schema:
    """A list of tables of one form."""
    return {
        "type": "array",
        "description": about,
        "items": table_schema("", fields, required=required),
        "maxItems": most,
    }


def input_schema(tool: Tool, preset: Preset) -> dict[str, Any]:
    """The JSON schema of a tool's arguments under a preset. Nothing beside the arguments is taken."""
    words = {
        SOUGHT: list(searchable_kind_words(preset)),
        WRITTEN: list(writable_kind_words(preset)),
        AREAS: list(preset.areas),
    }
    properties = {name: _fill_schema(schema, words) for name, schema in tool.arguments.items()}
    return {"type": "object", "properties": properties, "required": list(tool.required), "additionalProperties": False}


def searchable_kind_words(preset: Preset) -> dict[str, tuple[str, ...]]:
    """The words for kinds that a search may name, each with the kinds it stands for."""
    words = preset.tool_kinds or tuple(kind.shown_as for kind in preset.kinds.values())
    return _group_kind_words(words, preset)


def writable_kind_words(preset: Preset) -> dict[str, tuple[str, ...]]:
    """The words for kinds that an agent may write."""
    may = tuple(
        kind.shown_as for name, kind in preset.kinds.items() if "agent" in kind.writers and name != preset.capture.kind
    )
    return _group_kind_words(preset.tool_kinds or may, preset)


def kind_for(word: str, preset: Preset) -> str:
    """The kind that a tool writes under a word of the preset."""
    known = writable_kind_words(preset)
    if word not in known:
        raise UnknownKind(f"the {preset.name} preset has no {word!r} that a tool may write")
    return known[word][0]


def kind_word(kind: str, preset: Preset) -> str:
    """What tools call a kind: one that they do not name counts as the default kind."""
    known = searchable_kind_words(preset)
    return next((word for word, kinds in known.items() if kind in kinds), preset.kind(kind).shown_as)


def _group_kind_words(words: tuple[str, ...], preset: Preset) -> dict[str, tuple[str, ...]]:
    groups: dict[str, tuple[str, ...]] = {word: (preset.kind(word).name,) for word in words}
    named = {kind for kinds in groups.values() for kind in kinds}
    rest = tuple(
        name
        for name, kind in preset.kinds.items()
        if name not in named and name != preset.capture.kind and "agent" in kind.writers
    )
    for word, kinds in groups.items():
        if preset.default_kind in kinds and preset.tool_kinds:
            groups[word] = kinds + rest
    return groups


def _fill_schema(schema: Any, words: Mapping[str, list[str]]) -> Any:
    """A schema with the preset's words in place; where the preset has none, any word goes."""
    if isinstance(schema, list):
        return [_fill_schema(part, words) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    row = {key: _fill_schema(value, words) for key, value in schema.items()}
    if isinstance(row.get("enum"), str):
        row["enum"] = words[row["enum"]]
        if not row["enum"]:
            del row["enum"]
        elif row.get("default", row["enum"][0]) not in row["enum"]:
            row["default"] = row["enum"][0]
    return row
