"""JSON with comments: read it, and change values in its text so that comments and layout of the rest stay."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# A comment that is never closed goes to the end at once, or its end would be looked for from every place.
_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|(//[^\n]*|/\*.*?(?:\*/|\Z))', re.DOTALL)
_PLAIN = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_SPACE = re.compile(r"\s*")
_INDENT = re.compile(r"^([ \t]+)\S", re.MULTILINE)
_MOST_EDITS = 1_000
_DEEPEST = 100
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A value and where it stands; a table has its members by key, each with the place of the key, a list its items."""

    value: Any
    start: int
    end: int
    members: Mapping[str, tuple[int, JsonNode]] = field(default_factory=dict)
    items: tuple[JsonNode, ...] = ()


def read_jsonc(text: str) -> Any:
    """The value of a JSON text that may have comments and commas before a closing bracket; ValueError for others."""
    return _parse(_blank_comments(text)).value


def edit_jsonc(text: str, wanted: Any) -> str:
    """The text changed so that it means `wanted`; comments and everything that did not change stay as they are."""
    for _ in range(_MOST_EDITS):
        blank = _blank_comments(text)
        root = _parse(blank)
        edit = _first_edit(blank, root, wanted, _indent_of(text), depth=0)
        if edit is None:
            return text
        for start, end, new in sorted(edit, reverse=True):
            text = text[:start] + new + text[end:]
    raise ValueError("too many changes for one file")


Edit = list[tuple[int, int, str]]


def _blank_comments(text: str) -> str:
    """The text with a sign that is no space for each of a comment's, so that places in both are the same."""
    return _COMMENT.sub(_blank_comment, text)


def _blank_comment(found: re.Match[str]) -> str:
    is_open = found[0].startswith("/*") and not found[0].endswith("*/", 2)
    return found[0] if found[1] is None or is_open else re.sub(r"[^\n]", "\0", found[0])


def _parse(blank: str) -> JsonNode:
    plain = blank.replace("\0", " ")
    node = _read_value(plain, _skip_space(plain, 0), 0)
    if _skip_space(plain, node.end) != len(plain):
        raise ValueError("there is more after the end of the value")
    return node


def _skip_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _read_value(text: str, start: int, depth: int) -> JsonNode:
    if depth > _DEEPEST:
        raise ValueError("it is nested too deeply")
    opening = text[start : start + 1]
    if opening == "{":
        return _read_table(text, start, depth)
    if opening == "[":
        return _read_list(text, start, depth)
    if opening == '"':
        value, end = _DECODER.raw_decode(text, start)
        return JsonNode(value, start, end)
    if found := _PLAIN.match(text, start):
        return JsonNode(json.loads(found[0]), start, found.end())
    raise ValueError(f"no value at place {start}")


def _read_table(text: str, start: int, depth: int) -> JsonNode:
    members: dict[str, tuple[int, JsonNode]] = {}
    place = _skip_space(text, start + 1)
    while text[place : place + 1] != "}":
        if text[place : place + 1] != '"':
            raise ValueError(f"no key at place {place}")
        key_start = place
        key, place = _DECODER.raw_decode(text, place)
        place = _skip_space(text, place)
        if text[place : place + 1] != ":":
            raise ValueError(f"no colon at place {place}")
        node = _read_value(text, _skip_space(text, place + 1), depth + 1)
        members[key] = (key_start, node)
        place = _end_of_part(text, node.end, "}")
    return JsonNode({key: node.value for key, (_, node) in members.items()}, start, place + 1, members=members)


def _read_list(text: str, start: int, depth: int) -> JsonNode:
    items: list[JsonNode] = []
    place = _skip_space(text, start + 1)
    while text[place : place + 1] != "]":
        items.append(_read_value(text, place, depth + 1))
        place = _end_of_part(text, items[-1].end, "]")
    return JsonNode([item.value for item in items], start, place + 1, items=tuple(items))


def _end_of_part(text: str, end: int, closing: str) -> int:
    """Where the next part begins, or the closing bracket stands."""
    place = _skip_space(text, end)
    if text[place : place + 1] == ",":
        return _skip_space(text, place + 1)
    if text[place : place + 1] != closing:
        raise ValueError(f"neither a comma nor {closing} at place {place}")
    return place


def _first_edit(blank: str, node: JsonNode, wanted: Any, indent: str, *, depth: int) -> Edit | None:
    """The first change that brings a text nearer to what is wanted; None when it means that already."""
    if node.value == wanted and type(node.value) is type(wanted):
        return None
    if isinstance(wanted, dict) and isinstance(node.value, dict):
        for key, (start, child) in node.members.items():
            if key not in wanted:
                return _removal(blank, start, child.end)
            if edit := _first_edit(blank, child, wanted[key], indent, depth=depth + 1):
                return edit
        key = next(key for key in wanted if key not in node.members)
        last = list(node.members.values())[-1][1] if node.members else None
        written = f"{json.dumps(key, ensure_ascii=False)}: {_dump(wanted[key], indent, depth + 1)}"
        return _insertion(blank, node, last, written, indent * (depth + 1), indent * depth)
    if isinstance(wanted, list) and isinstance(node.value, list):
        return _list_edit(blank, node, wanted, indent, depth=depth)
    return [(node.start, node.end, _dump(wanted, indent, depth))]


def _list_edit(blank: str, node: JsonNode, wanted: list[Any], indent: str, *, depth: int) -> Edit | None:
    """Take out an item that is not wanted, or add one at the end; items in between are replaced in place."""
    for place, item in enumerate(node.items):
        if item.value not in wanted and len(node.items) > len(wanted):
            return _removal(blank, item.start, item.end)
        if place < len(wanted) and (edit := _first_edit(blank, item, wanted[place], indent, depth=depth + 1)):
            return edit
    if len(node.items) > len(wanted):
        return _removal(blank, node.items[-1].start, node.items[-1].end)
    written = _dump(wanted[len(node.items)], indent, depth + 1)
    last = node.items[-1] if node.items else None
    return _insertion(blank, node, last, written, indent * (depth + 1), indent * depth)


def _insertion(blank: str, node: JsonNode, last: JsonNode | None, written: str, inner: str, outer: str) -> Edit:
    """A new part at the end of a table or list, behind the comments there."""
    closing = node.end - 1
    place = len(blank[:closing].rstrip())
    is_on_own_line = "\n" in blank[place:closing]
    edit = [(place, place, f"\n{inner}{written}{'' if is_on_own_line else chr(10) + outer}")]
    has_comma = last is not None and blank[_skip_blank(blank, last.end)] == ","
    if last is not None and not has_comma:
        edit.append((last.end, last.end, ","))
        if last.end == place:
            edit = [(place, place, f",{edit[0][2]}")]
    return edit


def _removal(blank: str, start: int, end: int) -> Edit:
    """A part goes with the blanks before it and one comma beside it."""
    opening = len(blank[:start].rstrip())
    # The line end behind a comment stays, or what follows would be part of it.
    opening = start if blank[opening - 1] == "\0" else opening
    following = _skip_blank(blank, end)
    if blank[following] == ",":
        return [(opening, end, ""), (following, following + 1, "")]
    before = len(blank[:start].replace("\0", " ").rstrip())
    comma = [(before - 1, before, "")] if blank[before - 1] == "," else []
    return [*comma, (opening, end, "")]


def _skip_blank(blank: str, place: int) -> int:
    while place < len(blank) and (blank[place].isspace() or blank[place] == "\0"):
        place += 1
    return place


def _dump(value: Any, indent: str, depth: int) -> str:
    written = json.dumps(value, indent=indent, ensure_ascii=False)
    return written.replace("\n", "\n" + indent * depth)


def _indent_of(text: str) -> str:
    found = _INDENT.search(text)
    return found[1] if found else "  "
