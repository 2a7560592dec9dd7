"""Exports of Claude: conversations along the branch that was shown last, what Claude remembered, and projects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any

from toldonce.importers.assistants import CONVERSATIONS, NO_TEXT, OTHER_BRANCH
from toldonce.importers.json_stream import read_json_items
from toldonce.importers.notes import split_note
from toldonce.importers.source_tree import SourceTree
from toldonce.importers.values import (
    NOT_TEXT,
    ImportedMessage,
    ImportItem,
    OlderMemory,
    ReadOptions,
    SkippedItem,
    build_conversation,
    id_of,
    moment_of,
    read_files,
    text_of,
)

OTHER_FILE = "a file of the archive that is not read"
STARTER_PROJECT = "a project that came with the account"
_ROLES = {"human": "user", "user": "user", "assistant": "assistant"}
_MEMORIES = r"(?:.*/)?memories(?:/[^/]+)?\.json"
_PROJECTS = r"(?:.*/)?projects(?:/[^/]+)?\.json"
_ACCOUNT = r"(?:.*/)?users\.json"
_KEY_CHAT_MESSAGES = re.compile(r'"chat_messages"\s*:')
_KEY_MEMORY = re.compile(r'"conversations_memory"\s*:')
# What encloses a text that was pasted or attached: what stands between such marks is not taken for its author's words.
_FENCES = ("~~~", "```", '"""')


def is_claude_export(source: SourceTree) -> bool:
    """Whether there is a conversations.json with lists of messages, or what Claude remembered."""
    return any(_KEY_CHAT_MESSAGES.search(source.peek(name)) for name in _find_conversation_files(source)) or any(
        _KEY_MEMORY.search(source.peek(name)) for name in source.find(_MEMORIES)
    )


def _find_conversation_files(source: SourceTree) -> list[str]:
    return source.find(CONVERSATIONS) or [name for name in source.lone_file if not source.find(_MEMORIES)]


def read_claude(source: SourceTree, _: ReadOptions) -> Iterator[ImportItem]:
    """Every conversation with its messages as they were sent, then memories and projects as notes."""
    readers = {
        **dict.fromkeys(_find_conversation_files(source), _read_conversations),
        **dict.fromkeys(source.find(_MEMORIES), _read_memories),
        **dict.fromkeys(source.find(_PROJECTS), _read_projects),
    }
    yield from read_files(list(readers), lambda name: readers[name](source, name))
    known = {*readers, *source.find(_ACCOUNT)}
    yield from (SkippedItem(OTHER_FILE, name) for name in source.find(r".*\.json") if name not in known)


def _read_conversations(source: SourceTree, name: str) -> Iterator[ImportItem]:
    for place, value in read_json_items(source, name):
        if (
            not isinstance(value, dict)
            or not isinstance(value.get("chat_messages"), list)
            or not id_of(value.get("uuid"))
        ):
            yield SkippedItem("a conversation without `uuid` or `chat_messages`", place, is_damage=True)
            continue
        shown = _find_branch(value["chat_messages"], value.get("current_leaf_message_uuid"))
        messages = [
            _message_of(message, value, f"{place}, message {number}")
            if number in shown
            else SkippedItem(OTHER_BRANCH, f"{place}, message {number}")
            for number, message in enumerate(value["chat_messages"], start=1)
        ]
        yield from build_conversation(messages, id=str(value["uuid"]), title=str(value.get("name") or ""))


def _find_branch(messages: Sequence[object], leaf: object) -> set[int]:
    """The numbers of the messages on the way from the first one to the last that was shown.

    A message that names no parent is on it, as all are in exports that know no branches. Where the export does not say
    which message was shown last, it is the newest one.
    """
    by_id: dict[str, tuple[int, Mapping[str, Any]]] = {}
    shown: set[int] = set()
    for number, one in enumerate(messages, start=1):
        if isinstance(one, dict) and id_of(one.get("uuid")) and "parent_message_uuid" in one:
            by_id[str(one["uuid"])] = (number, one)
        else:
            shown.add(number)
    newest = max(by_id, key=lambda uuid: (_time_of(by_id[uuid][1]), by_id[uuid][0]), default="")
    current = found if (found := id_of(leaf)) in by_id else newest
    while current in by_id:
        number, message = by_id.pop(current)
        shown.add(number)
        current = id_of(message["parent_message_uuid"])
    return shown


def _time_of(message: Mapping[str, Any]) -> str:
    return str(moment_of(message.get("created_at")) or "")


def _message_of(message: object, conversation: Mapping[str, Any], place: str) -> ImportedMessage | SkippedItem:
    if not isinstance(message, dict) or str(message.get("sender")) not in _ROLES or not id_of(message.get("uuid")):
        return SkippedItem("a message without `uuid` or a known `sender`", place, is_damage=True)
    parts = [text_of(block.get("text")) for block in _tables_in(message.get("content")) if block.get("type") == "text"]
    whole = text_of(message.get("text"))
    attached = [_fenced_text(one) for one in _tables_in(message.get("attachments"))]
    if whole is None or None in parts or None in attached:
        return SkippedItem(NOT_TEXT, place, is_damage=True)
    text = "\n\n".join(filter(None, ("\n\n".join(filter(None, parts)) or whole, *attached)))
    if not text:
        return SkippedItem(NO_TEXT, place)
    at = moment_of(message.get("created_at")) or moment_of(conversation.get("created_at"))
    if at is None:
        return SkippedItem("a message without a time", place, is_damage=True)
    role = _ROLES[message["sender"]]
    return ImportedMessage(id=str(message["uuid"]), text=text, at=at, role=role, place=place)


def _tables_in(value: object) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _fenced_text(attachment: Mapping[str, Any]) -> str | None:
    """What was pasted or read from a file that was attached, marked as such; None where it is no text."""
    text = text_of(attachment.get("extracted_content"))
    if not text:
        return text
    fence = next((mark for mark in _FENCES if mark not in text), _FENCES[0])
    title = " ".join(str(attachment.get("file_name") or "").split())
    return f"{fence} {title}".rstrip() + f"\n{text}\n{fence}"


def _read_memories(source: SourceTree, name: str) -> Iterator[ImportItem]:
    for place, value in read_json_items(source, name):
        projects = value.get("project_memories") if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(projects, dict | None):
            yield SkippedItem("memories without `conversations_memory`", place, is_damage=True)
            continue
        at, file_at = moment_of(value.get("updated_at")), source.time_of(name)
        yield from _notes_of(value.get("conversations_memory"), "memory", at=at, file_at=file_at, place=place)
        for project, text in (projects or {}).items():
            identity = f"memory of project {project}"
            yield from _notes_of(text, identity, at=at, file_at=file_at, place=place, project=project)


def _read_projects(source: SourceTree, name: str) -> Iterator[ImportItem]:
    for place, value in read_json_items(source, name):
        if not isinstance(value, dict) or not id_of(value.get("uuid")):
            yield SkippedItem("a project without `uuid`", place, is_damage=True)
            continue
        if value.get("is_starter_project"):
            yield SkippedItem(STARTER_PROJECT, place)
            continue
        at = moment_of(value.get("updated_at")) or moment_of(value.get("created_at"))
        file_at = source.time_of(name)
        title, project = str(value.get("name") or ""), str(value["uuid"])
        for key in ("description", "prompt_template"):
            yield from _notes_of(
                value.get(key), f"{project} {key}", at=at, file_at=file_at, place=place, project=project, title=title
            )
        docs = value.get("docs")
        for doc in docs if isinstance(docs, list) else ():
            if not isinstance(doc, dict):
                yield SkippedItem("a document of a project that is none", place, is_damage=True)
                continue
            file, made_at = str(doc.get("filename") or ""), moment_of(doc.get("created_at")) or at
            identity = f"{project} {id_of(doc.get('uuid')) or file}"
            yield from _notes_of(
                doc.get("content"),
                identity,
                at=made_at,
                file_at=file_at,
                place=place,
                project=project,
                title=title,
                note=file,
            )


def _notes_of(
    value: object, identity: str, *, at: datetime | None, file_at: datetime | None, place: str, **metadata: str
) -> Iterator[OlderMemory | SkippedItem]:
    """The pieces of a text in Markdown; nothing where there is no text."""
    if (text := text_of(value)) is None:
        yield SkippedItem(NOT_TEXT, place, is_damage=True)
        return
    for piece in split_note(text):
        digest = blake2b(f"{piece.heading}\n{piece.text}".encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        shown = {key: one for key, one in {**metadata, "section": piece.heading}.items() if one}
        heading = metadata.get("note") or metadata.get("title") or ""
        yield OlderMemory(
            id=f"{identity} {digest}",
            text=f"{heading}: {piece.text}" if heading else piece.text,
            type="note",
            at=at,
            file_at=file_at,
            metadata=shown,
            place=place,
        )
