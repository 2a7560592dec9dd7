"""Letta: an agent file (.af), of the present version with lists of agents and blocks or of the first with one agent."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any, TextIO

from toldonce.importers.json_stream import ELEMENT, JsonStream
from toldonce.importers.source_tree import SourceTree
from toldonce.importers.values import (
    NOT_TEXT,
    ImportedMessage,
    ImportItem,
    OlderMemory,
    ReadOptions,
    SkippedItem,
    group_by_day,
    id_of,
    moment_of,
    read_files,
    text_of,
)

HIDDEN = "instructions, tool results and heartbeats"
PERSONA = "what the agent is instructed to be"
NO_TEXT = "without text"
UNFILLED = "a line of a form that is not filled in"
_HEAD = re.compile(r'"(?:core_memory|in_context_message_ids|in_context_message_indices|block_ids|agent_type)"\s*:')
_BLOCKS = [("blocks", ELEMENT), ("core_memory", ELEMENT)]
_MESSAGES = [("agents", ELEMENT, "messages", ELEMENT), ("messages", ELEMENT)]
_PERSONA = "persona"
# A field of a form that nobody has filled in: `Age: ?`. "Allergies: none" says something.
_UNFILLED = re.compile(
    r"[^:]{1,60}:\s*(?:[?_…-]+|\.{2,}|unknown|not (?:yet )?known|not (?:specified|provided)"
    r"|n/a|tbd|desconhecid[oa]|desconocid[oa])?\.?",
    re.IGNORECASE,
)
_SPOKEN = {"user", "assistant"}
_USER_MESSAGE, _SEND = "user_message", "send_message"


def is_letta_file(source: SourceTree) -> bool:
    """Whether this is an agent file."""
    return bool(_find_files(source))


def _find_files(source: SourceTree) -> list[str]:
    names = source.find(r"(?:.*/)?[^/]*\.(?:af|json)")
    return [name for name in names if name.endswith(".af") or _HEAD.search(source.peek(name))]


def read_letta(source: SourceTree, _: ReadOptions) -> Iterator[ImportItem]:
    """The lines of the memory blocks as facts, then the messages."""
    yield from read_files(_find_files(source) or source.lone_file, lambda name: _read_agent(source, name))


def _read_agent(source: SourceTree, name: str) -> Iterator[ImportItem]:
    shown = "" if name == source.path.name else name
    with _open_agent(source, name) as file:
        stream = JsonStream(file, _BLOCKS, name=shown)
        for _place, block in stream.read():
            yield from _facts_of_block(block, stream.place)
    with _open_agent(source, name) as file:
        stream = JsonStream(file, _MESSAGES, name=shown)
        messages = (_message_of(value, stream.place) for _place, value in stream.read())
        yield from group_by_day(messages, channel=f"letta {name.rpartition('/')[2]}")


@contextmanager
def _open_agent(source: SourceTree, name: str) -> Iterator[TextIO]:
    """The JSON of an agent, also where a program saved it as a text in JSON."""
    # An open file has one place in it, so its beginning is looked at before it is read.
    is_text = source.peek(name).lstrip("\ufeff \t\r\n").startswith('"')
    with source.open_text(name) as file:
        if not is_text:
            yield file
            return
        (_, text), *_ = JsonStream(file, [()], name=name).read()
        yield io.StringIO(str(text))


def _facts_of_block(block: object, place: str) -> Iterator[ImportItem]:
    label = text_of(block.get("label")) if isinstance(block, dict) else None
    if not isinstance(block, dict) or not isinstance(value := block.get("value"), str) or label is None:
        yield SkippedItem("a block without `label` or `value`", place, is_damage=True)
        return
    if label == _PERSONA:
        yield SkippedItem(PERSONA, place)
        return
    at = moment_of(block.get("updated_at") or block.get("created_at"))
    for line in filter(None, (one.strip().lstrip("-*•# ").strip() for one in value.splitlines())):
        if _UNFILLED.fullmatch(line):
            yield SkippedItem(UNFILLED, place)
            continue
        digest = blake2b(line.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        identity = f"{block.get('id') or label} {digest}"
        yield OlderMemory(id=identity, text=line, type="fact", at=at, metadata={"block": label}, place=place)


def _message_of(value: object, place: str) -> ImportedMessage | SkippedItem:
    if not isinstance(value, dict) or moment_of(value.get("created_at")) is None:
        return SkippedItem("a message without `created_at`", place, is_damage=True)
    role = str(value.get("role"))
    if role not in _SPOKEN:
        return SkippedItem(HIDDEN, place)
    try:
        text = _user_text(value) if role == "user" else _assistant_text(value)
    except ValueError:
        return SkippedItem(NOT_TEXT, place, is_damage=True)
    if text is None:
        return SkippedItem(HIDDEN, place)
    if not text:
        return SkippedItem(NO_TEXT, place)
    identity = id_of(value.get("id")) or f"{value['created_at']} {role}"
    return ImportedMessage(id=identity, text=text, at=moment_of(value["created_at"]), role=role, place=place)


def _user_text(value: Mapping[str, Any]) -> str | None:
    """What the person wrote: Letta packs it in a table with a type; None for heartbeats and other events."""
    text = _plain_text(value.get("content"))
    packed = _parse_table(text)
    if packed is None or "type" not in packed:
        return text
    return _require_text(packed.get("message")) if packed["type"] == _USER_MESSAGE else None


def _assistant_text(value: Mapping[str, Any]) -> str | None:
    """What the agent sent: the argument of its tool `send_message`; its text beside a call is its reasoning."""
    calls = value.get("tool_calls")
    if calls in (None, []):
        return _plain_text(value.get("content"))
    if not isinstance(calls, list):
        raise ValueError("tool_calls")
    functions = [call.get("function") for call in calls if isinstance(call, dict)]
    sent = [f for f in functions if isinstance(f, dict) and f.get("name") == _SEND]
    if not sent:
        return None
    arguments = _parse_table(str(sent[0].get("arguments") or "")) or {}
    return _require_text(arguments.get("message"))


def _plain_text(content: object) -> str:
    """The text of a message; raises ValueError for what is none."""
    if not isinstance(content, list):
        return _require_text(content)
    parts = (part for part in content if isinstance(part, dict) and part.get("type") == "text")
    return "\n".join(_require_text(part.get("text")) for part in parts).strip()


def _require_text(value: object) -> str:
    if (text := text_of(value)) is None:
        raise ValueError("text")
    return text


def _parse_table(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
