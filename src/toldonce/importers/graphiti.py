"""Zep and Graphiti: JSON with `edges` (facts with the time in which they hold) and `episodes` (what was said)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from toldonce.importers.json_stream import ELEMENT, JsonStream
from toldonce.importers.source_tree import SourceTree
from toldonce.importers.values import (
    ImportedConversation,
    ImportedMessage,
    ImportItem,
    OlderMemory,
    ReadOptions,
    SkippedItem,
    first_filled,
    id_of,
    moment_of,
    read_files,
)

_FACT, _VALID = re.compile(r'"fact"\s*:\s*"'), re.compile(r'"(?:valid_at|invalid_at)"\s*:')
_EPISODES = re.compile(r'"(?:episodes|edges)"\s*:\s*\[')
_LISTS = [("edges", ELEMENT), ("facts", ELEMENT), ("episodes", ELEMENT)]
_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant"}
_KEPT = ("name", "valid_at", "invalid_at", "expired_at", "source_node_uuid", "target_node_uuid", "episodes")


def is_graphiti_export(source: SourceTree) -> bool:
    """Whether there is JSON with facts that hold for a time, or with episodes."""
    return bool(_find_files(source))


def _find_files(source: SourceTree) -> list[str]:
    heads = ((name, source.peek(name)) for name in source.find(r"(?:.*/)?[^/]*\.json"))
    return [name for name, head in heads if _EPISODES.search(head) and (_FACT.search(head) or _VALID.search(head))]


def read_graphiti(source: SourceTree, options: ReadOptions) -> Iterator[ImportItem]:
    """Facts with their dates, and each episode as a message."""
    yield from read_files(_find_files(source) or source.lone_file, lambda name: _read_graph(source, name, options))


def _read_graph(source: SourceTree, name: str, options: ReadOptions) -> Iterator[ImportItem]:
    with source.open_text(name) as file:
        stream = JsonStream(file, _LISTS, name="" if name == source.path.name else name)
        for (which, _), value in stream.read():
            if not isinstance(value, dict) or not id_of(value.get("uuid")):
                yield SkippedItem("an entry without `uuid`", stream.place, is_damage=True)
            elif which == "episodes":
                yield _episode_of(value, stream.place, options)
            else:
                yield _fact_of(value, stream.place)


def _fact_of(value: Mapping[str, Any], place: str) -> ImportItem:
    if not isinstance(text := value.get("fact"), str):
        return SkippedItem("an edge without `fact`", place, is_damage=True)
    owner = first_filled(value, ("user_id", "group_id"))
    return OlderMemory(
        id=str(value["uuid"]),
        text=text,
        type="fact",
        at=moment_of(first_filled(value, ("valid_at", "created_at"))),
        user=None if owner is None else str(owner),
        metadata={key: value[key] for key in _KEPT if value.get(key)},
        ended_at=moment_of(first_filled(value, ("invalid_at", "expired_at"))),
        place=place,
    )


def _episode_of(value: Mapping[str, Any], place: str, options: ReadOptions) -> ImportItem:
    at = moment_of(first_filled(value, ("valid_at", "created_at")))
    text = value.get("content")
    if at is None or not isinstance(text, str):
        return SkippedItem("an episode without `content` or a time", place, is_damage=True)
    role = _ROLES.get(str(first_filled(value, ("role_type", "role")) or "user").lower(), "user")
    owner = first_filled(value, ("user_id", "group_id"))
    message = ImportedMessage(
        id=str(value["uuid"]),
        text=text,
        at=at,
        user=None if owner is None else options.author_of(str(owner)),
        role=role,
        metadata={"source": str(value["source_description"])} if value.get("source_description") else {},
        place=place,
    )
    session = str(first_filled(value, ("session_id", "thread_id")) or f"{owner or 'graph'} {at:%Y-%m-%d}")
    return ImportedConversation(id=session, messages=(message,), title=str(value.get("name") or ""), place=place)
