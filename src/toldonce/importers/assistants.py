"""Exports of ChatGPT and Gemini. Each conversation comes out whole, in the order of turns."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from toldonce.importers.json_stream import read_json_items
from toldonce.importers.source_tree import SourceTree
from toldonce.importers.values import (
    NOT_TEXT,
    ImportedConversation,
    ImportedMessage,
    ImportItem,
    ReadOptions,
    SkippedItem,
    build_conversation,
    first_filled,
    group_by_day,
    id_of,
    moment_of,
    read_files,
    text_of,
)

HIDDEN = "hidden instructions, tool calls and reasoning"
NO_TEXT = "without text (images, files)"
OTHER_ACTIVITY = "an activity that is no prompt"
OTHER_BRANCH = "on a branch that was left for another"
_ROLES = {"user": "user", "assistant": "assistant"}
CONVERSATIONS = r"(?:.*/)?conversations(?:-\d+)?\.json"
_SPOKEN = "audio_transcription"
# In other languages the file is called otherwise, and its folder is still named after the product.
_ACTIVITY = r"(?:.*/)?(?:My ?Activity|[^/]*(?:Gemini|Bard)[^/]*/[^/]+)\.json"
_KEY_MAPPING = re.compile(r'"mapping"\s*:')
_GEMINI = re.compile(r'"(?:header|products)"\s*:\s*\[?\s*"[^"]{0,40}(?:Gemini|Bard)')
# The word that Takeout puts before a prompt where the account is in English.
_PROMPTED = "Prompted "
# What a page does not show.
_UNSEEN = re.compile(
    r"<(script|style|template|noscript)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.IGNORECASE | re.DOTALL
)
_TAG, _BREAK = re.compile(r"<[^>]*>"), re.compile(r"<(?:br|/p|/li|/h\d|/tr|/div)\b[^>]*>", re.IGNORECASE)


def is_chatgpt_export(source: SourceTree) -> bool:
    """Whether there is a conversations.json with trees of messages."""
    return any(_KEY_MAPPING.search(source.peek(name)) for name in _find_conversation_files(source))


def _find_conversation_files(source: SourceTree) -> list[str]:
    return source.find(CONVERSATIONS) or source.lone_file


def is_gemini_export(source: SourceTree) -> bool:
    """Whether there is an activity file of Google Takeout that is about Gemini."""
    return any(_GEMINI.search(source.peek(name)) for name in source.find(_ACTIVITY) or source.lone_file)


def read_chatgpt(source: SourceTree, _: ReadOptions) -> Iterator[ImportItem]:
    """Every conversation, along the branch that was shown last."""
    yield from read_files(_find_conversation_files(source), lambda name: _chatgpt_conversations(source, name))


def _chatgpt_conversations(source: SourceTree, name: str) -> Iterator[ImportItem]:
    for place, value in read_json_items(source, name):
        if isinstance(value, dict) and isinstance(value.get("mapping"), dict):
            yield from _chatgpt_conversation(value, place)
        else:
            yield SkippedItem("a conversation without its table `mapping`", place, is_damage=True)


def _chatgpt_conversation(value: Mapping[str, Any], place: str) -> Iterator[ImportItem]:
    identity = id_of(first_filled(value, ("conversation_id", "id")))
    branch = _walk_branch(value["mapping"], value.get("current_node"))
    if not identity or branch is None:
        yield SkippedItem("a conversation whose tree of messages is broken", place, is_damage=True)
        return
    messages = [_chatgpt_message(node, message, value, place) for node, message in branch]
    shown = {node for node, _ in branch}
    for node, other in value["mapping"].items():
        if node not in shown and isinstance(other, dict) and isinstance(other.get("message"), dict):
            yield SkippedItem(OTHER_BRANCH, place)
    yield from build_conversation(messages, id=identity, title=str(value.get("title") or ""))


def _chatgpt_message(
    node: str, message: Mapping[str, Any], conversation: Mapping[str, Any], place: str
) -> ImportedMessage | SkippedItem:
    author = message.get("author")
    role, text = str(author.get("role") if isinstance(author, dict) else ""), _chatgpt_text(message)
    if role not in _ROLES or _is_hidden(message):
        return SkippedItem(HIDDEN, place)
    if not text:
        return SkippedItem(NO_TEXT, place)
    at = moment_of(message.get("create_time")) or moment_of(conversation.get("create_time"))
    if at is None:
        return SkippedItem("a message without a time", place, is_damage=True)
    return ImportedMessage(id=node, text=text, at=at, role=_ROLES[role], place=place)


def _is_hidden(message: Mapping[str, Any]) -> bool:
    """Whether a message was never shown: an instruction, or a call of a tool."""
    metadata = message.get("metadata")
    is_marked = isinstance(metadata, dict) and bool(metadata.get("is_visually_hidden_from_conversation"))
    return is_marked or message.get("recipient") not in (None, "all")


def _walk_branch(mapping: Mapping[str, Any], current: object) -> list[tuple[str, Mapping[str, Any]]] | None:
    """The messages from the root to the node that was shown last; None where the tree cannot be followed."""
    if current is None:
        leaves = [key for key, node in mapping.items() if isinstance(node, dict) and not node.get("children")]
        current = leaves[-1] if leaves else None
    found: list[tuple[str, Mapping[str, Any]]] = []
    seen: set[str] = set()
    while current is not None:
        node = mapping.get(current) if isinstance(current, str) else None
        if not isinstance(node, dict) or current in seen:
            return None
        seen.add(str(current))
        if isinstance(message := node.get("message"), dict):
            found.append((str(current), message))
        current = node.get("parent")
    return found[::-1]


def _chatgpt_text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if not isinstance(content, dict) or content.get("content_type") not in ("text", "multimodal_text", None):
        return ""
    parts = content.get("parts")
    texts = map(_chatgpt_part, parts) if isinstance(parts, list) else ()
    return "\n\n".join(filter(None, (text.strip() for text in texts)))


def _chatgpt_part(part: object) -> str:
    """The text of a part: what was written, or what was said in a voice chat."""
    if isinstance(part, dict) and part.get("content_type") == _SPOKEN:
        part = part.get("text")
    return part if isinstance(part, str) else ""


def read_gemini(source: SourceTree, _: ReadOptions) -> Iterator[ImportItem]:
    """Every prompt with its answer, one conversation a day: Takeout does not say which prompts belong together."""
    names = source.find(_ACTIVITY) or source.lone_file
    yield from read_files(names, lambda name: _gemini_conversations(source, name))


def _gemini_conversations(source: SourceTree, name: str) -> Iterator[ImportItem]:
    damaged: list[SkippedItem] = []

    def read_sound() -> Iterator[ImportedMessage | SkippedItem]:
        # Each prompt stands for itself: one that cannot be read takes no day with it, which might not be its own.
        for one in _gemini_messages(source, name):
            if isinstance(one, SkippedItem) and one.is_damage:
                damaged.append(one)
            else:
                yield one

    # The newest comes first there, so a day is turned around once it is whole.
    for item in group_by_day(read_sound(), channel="Gemini", title="Gemini"):
        if isinstance(item, ImportedConversation):
            ordered = tuple(sorted(item.messages, key=lambda m: (str(m.at), m.role != "user")))
            yield replace(item, messages=ordered)
        else:
            yield item
    yield from damaged


def _gemini_messages(source: SourceTree, name: str) -> Iterator[ImportedMessage | SkippedItem]:
    for place, value in read_json_items(source, name):
        at = moment_of(value.get("time")) if isinstance(value, dict) else None
        if not isinstance(value, dict) or at is None:
            yield SkippedItem("an activity without a time", place, is_damage=True)
            continue
        title, answers = text_of(value.get("title")), value.get("safeHtmlItem")
        pieces = (
            [text_of(one.get("html")) for one in answers if isinstance(one, dict)] if isinstance(answers, list) else []
        )
        if title is None or None in pieces:
            yield SkippedItem(NOT_TEXT, place, is_damage=True)
            continue
        prompt = title.removeprefix(_PROMPTED).strip()
        answer = _plain_of_html("\n".join(filter(None, pieces)))
        if not prompt or not (answer or title.startswith(_PROMPTED)):
            yield SkippedItem(OTHER_ACTIVITY, place)
            continue
        identity = str(value["time"])
        yield ImportedMessage(id=identity, text=prompt, at=at, place=place)
        if answer:
            yield ImportedMessage(id=f"{identity} answer", text=answer, at=at, role="assistant", place=place)


def _plain_of_html(text: str) -> str:
    text = _UNSEEN.sub("", text)
    lines = html.unescape(_TAG.sub("", _BREAK.sub("\n", text))).splitlines()
    return "\n".join(filter(None, (line.strip() for line in lines)))
