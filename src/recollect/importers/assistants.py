"""Exports of chat assistants: ChatGPT, Claude and Gemini. Each conversation comes out whole, in the order of turns."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any

from recollect.importers.json_stream import ELEMENT, JsonStream
from recollect.importers.source_tree import SourceTree
from recollect.importers.values import (
    ImportedConversation,
    ImportedMessage,
    ImportItem,
    ReadOptions,
    SkippedItem,
    first_filled,
    group_by_day,
    moment_of,
)

HIDDEN = "hidden instructions, tool calls and reasoning"
NO_TEXT = "without text (images, files)"
OTHER_ACTIVITY = "an activity that is no prompt"
_ROLES = {"user": "user", "human": "user", "assistant": "assistant"}
_CONVERSATIONS = r"(?:.*/)?conversations(?:-\d+)?\.json"
_ACTIVITY = r"(?:.*/)?My ?Activity\.json"
_KEY_MAPPING = re.compile(r'"mapping"\s*:')
_KEY_CHAT_MESSAGES = re.compile(r'"chat_messages"\s*:')
_GEMINI = re.compile(r'"(?:header|products)"\s*:\s*\[?\s*"[^"]{0,40}(?:Gemini|Bard)')
# The word that Takeout puts before a prompt where the account is in English.
_PROMPTED = "Prompted "
_TAG, _BREAK = re.compile(r"<[^>]*>"), re.compile(r"<(?:br|/p|/li|/h\d|/tr|/div)\b[^>]*>", re.IGNORECASE)


def is_chatgpt_export(source: SourceTree) -> bool:
    """Whether there is a conversations.json with trees of messages."""
    return any(_KEY_MAPPING.search(source.peek(name)) for name in source.find(_CONVERSATIONS) or source.lone_file)


def is_claude_export(source: SourceTree) -> bool:
    """Whether there is a conversations.json with lists of messages."""
    names = source.find(_CONVERSATIONS) or source.lone_file
    return any(_KEY_CHAT_MESSAGES.search(source.peek(name)) for name in names)


def is_gemini_export(source: SourceTree) -> bool:
    """Whether there is an activity file of Google Takeout that is about Gemini."""
    return any(_GEMINI.search(source.peek(name)) for name in source.find(_ACTIVITY) or source.lone_file)


def read_chatgpt(source: SourceTree, _: ReadOptions) -> Iterator[ImportItem]:
    """Every conversation, along the branch that was shown last."""
    for place, value in _read_conversations(source):
        if not isinstance(value, dict) or not isinstance(value.get("mapping"), dict):
            yield SkippedItem("a conversation without its table `mapping`", place, is_damage=True)
            continue
        yield from _chatgpt_conversation(value, place)


def _chatgpt_conversation(value: Mapping[str, Any], place: str) -> Iterator[ImportItem]:
    identity = str(first_filled(value, ("conversation_id", "id")) or "")
    branch = _walk_branch(value["mapping"], value.get("current_node"))
    if not identity or branch is None:
        yield SkippedItem("a conversation whose tree of messages is broken", place, is_damage=True)
        return
    messages = []
    for node, message in branch:
        role, text = str((message.get("author") or {}).get("role")), _chatgpt_text(message)
        if role not in _ROLES or _is_hidden(message):
            yield SkippedItem(HIDDEN, place)
        elif not text:
            yield SkippedItem(NO_TEXT, place)
        else:
            at = moment_of(message.get("create_time")) or moment_of(value.get("create_time"))
            made = ImportedMessage(id=node, text=text, at=at, role=_ROLES[role], place=place)
            messages.append(made)
    if messages:
        yield ImportedConversation(
            id=identity, messages=tuple(messages), title=str(value.get("title") or ""), place=place
        )


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
    texts = [part for part in parts if isinstance(part, str)] if isinstance(parts, list) else []
    return "\n\n".join(filter(None, (text.strip() for text in texts)))


def read_claude(source: SourceTree, _: ReadOptions) -> Iterator[ImportItem]:
    """Every conversation with its messages as they were sent."""
    for place, value in _read_conversations(source):
        if not isinstance(value, dict) or not isinstance(value.get("chat_messages"), list) or not value.get("uuid"):
            yield SkippedItem("a conversation without `uuid` or `chat_messages`", place, is_damage=True)
            continue
        messages = []
        for number, message in enumerate(value["chat_messages"]):
            made = _claude_message(message, value, f"{place}, message {number + 1}")
            if isinstance(made, ImportedMessage):
                messages.append(made)
            else:
                yield made
        if messages:
            title = str(value.get("name") or "")
            yield ImportedConversation(id=str(value["uuid"]), messages=tuple(messages), title=title, place=place)


def _claude_message(message: object, conversation: Mapping[str, Any], place: str) -> ImportedMessage | SkippedItem:
    if not isinstance(message, dict) or message.get("sender") not in _ROLES or not message.get("uuid"):
        return SkippedItem("a message without `uuid` or a known `sender`", place, is_damage=True)
    blocks = message.get("content")
    texts = [
        str(block.get("text") or "")
        for block in (blocks if isinstance(blocks, list) else ())
        if isinstance(block, dict) and block.get("type") == "text"
    ]
    text = "\n\n".join(filter(None, (one.strip() for one in texts))) or str(message.get("text") or "").strip()
    if not text:
        return SkippedItem(NO_TEXT, place)
    at = moment_of(message.get("created_at")) or moment_of(conversation.get("created_at"))
    role = _ROLES[message["sender"]]
    return ImportedMessage(id=str(message["uuid"]), text=text, at=at, role=role, place=place)


def read_gemini(source: SourceTree, _: ReadOptions) -> Iterator[ImportItem]:
    """Every prompt with its answer, one conversation a day: Takeout does not say which prompts belong together."""
    for name in source.find(_ACTIVITY) or source.lone_file:
        # The newest comes first there, so a day is turned around once it is whole.
        for item in group_by_day(_gemini_messages(source, name), channel="Gemini"):
            if isinstance(item, ImportedConversation):
                ordered = tuple(sorted(item.messages, key=lambda m: (str(m.at), m.role != "user")))
                yield ImportedConversation(id=item.id, messages=ordered, title="Gemini", place=item.place)
            else:
                yield item


def _gemini_messages(source: SourceTree, name: str) -> Iterator[ImportedMessage | SkippedItem]:
    for place, value in _read_items(source, name):
        at = moment_of(value.get("time")) if isinstance(value, dict) else None
        if not isinstance(value, dict) or at is None:
            yield SkippedItem("an activity without a time", place, is_damage=True)
            continue
        title, answers = str(value.get("title") or ""), value.get("safeHtmlItem")
        prompt = title.removeprefix(_PROMPTED).strip()
        pieces = [str(one.get("html") or "") for one in answers or () if isinstance(one, dict)]
        answer = _plain_of_html("\n".join(pieces))
        if not prompt or not (answer or title.startswith(_PROMPTED)):
            yield SkippedItem(OTHER_ACTIVITY, place)
            continue
        identity = str(value["time"])
        yield ImportedMessage(id=identity, text=prompt, at=at, place=place)
        if answer:
            yield ImportedMessage(id=f"{identity} answer", text=answer, at=at, role="assistant", place=place)


def _plain_of_html(text: str) -> str:
    lines = html.unescape(_TAG.sub("", _BREAK.sub("\n", text))).splitlines()
    return "\n".join(filter(None, (line.strip() for line in lines)))


def _read_conversations(source: SourceTree) -> Iterator[tuple[str, Any]]:
    for name in source.find(_CONVERSATIONS) or source.lone_file:
        yield from _read_items(source, name)


def _read_items(source: SourceTree, name: str) -> Iterator[tuple[str, Any]]:
    with source.open_text(name) as file:
        stream = JsonStream(file, [(ELEMENT,)], name="" if name == source.path.name else name)
        for number, (_, value) in enumerate(stream.read(), start=1):
            yield f"{stream.place}, item {number}", value
