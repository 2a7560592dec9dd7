"""Telegram: result.json of Telegram Desktop, of one chat or of the whole account."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from toldonce.importers.json_stream import ELEMENT, JsonStream
from toldonce.importers.source_tree import SourceTree
from toldonce.importers.values import (
    NOT_TEXT,
    ImportedMessage,
    ImportItem,
    ReadOptions,
    SkippedItem,
    group_by_day,
    id_of,
    moment_of,
    read_files,
    text_of,
)

NO_TEXT = "without text (photos, voice messages, stickers)"
SYSTEM = "a notice of the program, said by nobody"
_NAME = r"(?:.*/)?[^/]*\.json"
_CHAT = re.compile(
    r'"type"\s*:\s*"(?:personal_chat|private_group|private_supergroup|public_supergroup|bot_chat|saved_messages|private_channel|public_channel)"'
)
_MESSAGE = re.compile(r'"date_unixtime"\s*:|"from_id"\s*:\s*"(?:user|channel)\d+"')
_CHATS = ((), ("chats", "list", ELEMENT), ("left_chats", "list", ELEMENT))


def is_telegram_export(source: SourceTree) -> bool:
    """Whether there is a result.json of Telegram Desktop."""
    return bool(_find_files(source))


def _find_files(source: SourceTree) -> list[str]:
    found = []
    for name in source.find(_NAME):
        head = source.peek(name)
        if _CHAT.search(head) and ('"messages"' in head or '"chats"' in head) and _MESSAGE.search(head):
            found.append(name)
    return found


def read_telegram(source: SourceTree, options: ReadOptions) -> Iterator[ImportItem]:
    """Every message of every chat, by day."""
    yield from read_files(_find_files(source) or source.lone_file, lambda name: _read_chats(source, name, options))


def _read_chats(source: SourceTree, name: str, options: ReadOptions) -> Iterator[ImportItem]:
    patterns = [(*chat, *last) for chat in _CHATS for last in (("id",), ("name",), ("type",), ("messages", ELEMENT))]
    with source.open_text(name) as file:
        stream = JsonStream(file, patterns, name="" if name == source.path.name else name)
        chat: dict[str, Any] = {}
        for is_message, values in groupby(stream.read(), key=lambda found: found[0][-1] == ELEMENT):
            if not is_message:
                chat = {place[-1]: value for place, value in values}
                continue
            channel, title = str(chat.get("id") or name), str(chat.get("name") or "")
            messages = (_message_of(value, stream.place, options) for _, value in values)
            yield from group_by_day(messages, channel=channel, title=title)


def _message_of(value: object, place: str, options: ReadOptions) -> ImportedMessage | SkippedItem:
    if not isinstance(value, dict) or not id_of(value.get("id")):
        return SkippedItem("a message without `id`", place, is_damage=True)
    if value.get("type") != "message":
        return SkippedItem(SYSTEM, place)
    if (at := _moment_of_message(value)) is None:
        return SkippedItem("a message without a time", place, is_damage=True)
    text = _plain_text(value.get("text"))
    if text is None:
        return SkippedItem(NOT_TEXT, place, is_damage=True)
    if not text:
        return SkippedItem(NO_TEXT, place)
    name = str(value.get("from") or "")
    author = str(value.get("from_id") or name or "unknown")
    edited, reply = value.get("edited"), value.get("reply_to_message_id")
    return ImportedMessage(
        id=str(value["id"]),
        text=text,
        at=at,
        user=options.author_of(author, name, author.removeprefix("user")),
        name=name,
        metadata={
            **({"edited_at": str(edited)} if edited else {}),
            **({"reply_to": str(reply)} if reply else {}),
            **({"forwarded_from": str(value["forwarded_from"])} if value.get("forwarded_from") else {}),
        },
        place=place,
    )


def _moment_of_message(value: Mapping[str, Any]) -> Any:
    """The moment in seconds since 1970, which newer versions write beside the local time without a zone."""
    unix = value.get("date_unixtime")
    if isinstance(unix, str) and unix.isdigit():
        return moment_of(int(unix))
    return moment_of(value.get("date"))


def _plain_text(text: object) -> str | None:
    """A text, or the pieces of one with links and formatting; None for anything else."""
    if not isinstance(text, list):
        return text_of(text)
    pieces = [one.get("text") if isinstance(one, dict) else one for one in text]
    texts = [one for one in pieces if isinstance(one, str)]
    return "".join(texts).strip() if len(texts) == len(pieces) else None
