"""Discord: JSON files of DiscordChatExporter, one a channel, and the package that Discord itself sends on request."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from typing import Any

from toldonce.importers.json_stream import ANY, ELEMENT, JsonStream
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

NO_TEXT = "without text (attachments, stickers, calls)"
SYSTEM = "a notice of the program, said by nobody"
_SAID_TYPES = ("Default", "Reply", None)
_GUILD = re.compile(r'"guild"\s*:\s*\{')
_CHANNEL = re.compile(r'"channel"\s*:\s*\{')
_PACKAGE = r"(?:.*/)?messages/c?(\d+)/messages\.(json|csv)"
_PACKAGE_INDEX = r"(?:.*/)?messages/index\.json"
_HEAD = ("guild", "channel")


def is_discord_chat_export(source: SourceTree) -> bool:
    """Whether there is a file of DiscordChatExporter."""
    return bool(_find_channel_files(source))


def is_discord_package(source: SourceTree) -> bool:
    """Whether this is the package that Discord sends of one's own data."""
    return bool(_find_package_files(source))


def _find_channel_files(source: SourceTree) -> list[str]:
    found = []
    for name in source.find(r".*\.json"):
        head = source.peek(name)
        if _GUILD.search(head) and _CHANNEL.search(head):
            found.append(name)
    return found


def read_discord_chat_export(source: SourceTree, options: ReadOptions) -> Iterator[ImportItem]:
    """Every message of every channel file, by day."""
    names = _find_channel_files(source) or source.lone_file
    yield from read_files(names, lambda name: _read_channel(source, name, options))


def _read_channel(source: SourceTree, name: str, options: ReadOptions) -> Iterator[ImportItem]:
    with source.open_text(name) as file:
        shown = "" if name == source.path.name else name
        stream = JsonStream(file, [("guild",), ("channel",), ("messages", ELEMENT)], name=shown)
        values = stream.read()
        head = dict(_take_head(values))
        channel, guild = head.get("channel") or {}, head.get("guild") or {}
        title = f"{guild.get('name', '')} #{channel.get('name', '')}".strip()
        messages = (_chat_message(value, stream.place, options) for _, value in values)
        yield from group_by_day(messages, channel=str(channel.get("id") or name), title=title)


def _take_head(values: Iterator[tuple[tuple[str, ...], Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What stands before the messages: the server and the channel."""
    for wanted in _HEAD:
        place, value = next(values, ((), None))
        if place != (wanted,) or not isinstance(value, dict):
            return
        yield wanted, value


def _chat_message(value: object, place: str, options: ReadOptions) -> ImportedMessage | SkippedItem:
    author = value.get("author") if isinstance(value, dict) else None
    if (
        not isinstance(value, dict)
        or not isinstance(author, dict)
        or not id_of(value.get("id"))
        or not id_of(author.get("id"))
    ):
        return SkippedItem("a message without `id` or `author`", place, is_damage=True)
    if (at := moment_of(value.get("timestamp"))) is None:
        return SkippedItem("a message without a time", place, is_damage=True)
    if value.get("type") not in _SAID_TYPES:
        return SkippedItem(SYSTEM, place)
    text = text_of(value.get("content"))
    if text is None:
        return SkippedItem(NOT_TEXT, place, is_damage=True)
    if not text:
        return SkippedItem(NO_TEXT, place)
    username, shown = str(author.get("name") or ""), str(author.get("nickname") or "")
    return ImportedMessage(
        id=str(value["id"]),
        text=text,
        at=at,
        user=options.author_of(str(author["id"]), username, shown),
        name=shown or username,
        role="assistant" if author.get("isBot") else "user",
        metadata=_chat_metadata(value),
        place=place,
    )


def _chat_metadata(value: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if edited := value.get("timestampEdited"):
        found["edited_at"] = str(edited)
    reference = value.get("reference")
    if isinstance(reference, dict) and reference.get("messageId"):
        found["reply_to"] = str(reference["messageId"])
    if isinstance(files := value.get("attachments"), list) and files:
        found["attachments"] = [str(one.get("fileName") or "") for one in files if isinstance(one, dict)]
    return found


def read_discord_package(source: SourceTree, _: ReadOptions) -> Iterator[ImportItem]:
    """One's own messages, which is all that the package holds, by channel and day."""
    titles = _read_channel_names(source)
    files = {name: (channel, kind) for name, channel, kind in _find_package_files(source)}

    def read(name: str) -> Iterator[ImportItem]:
        channel, kind = files[name]
        reader = _package_json if kind == "json" else _package_csv
        # The newest comes first there.
        found = sorted(reader(source, name), key=_order_in_package)
        yield from group_by_day(found, channel=channel, title=titles.get(channel, ""))

    yield from read_files(list(files), read)


def _find_package_files(source: SourceTree) -> list[tuple[str, str, str]]:
    pattern = re.compile(_PACKAGE, re.IGNORECASE)
    matches = [(name, pattern.fullmatch(name)) for name in source.names]
    return [(name, found.group(1), found.group(2).lower()) for name, found in matches if found is not None]


def _read_channel_names(source: SourceTree) -> dict[str, str]:
    titles: dict[str, str] = {}
    for name in source.find(f"(?i:{_PACKAGE_INDEX})"):
        with source.open_text(name) as file:
            for place, value in JsonStream(file, [(ANY,)], name=name).read():
                titles[place[0]] = str(value or "")
    return titles


def _package_json(source: SourceTree, name: str) -> Iterator[ImportedMessage | SkippedItem]:
    with source.open_text(name) as file:
        stream = JsonStream(file, [(ELEMENT,)], name=name)
        for _, value in stream.read():
            yield _package_message(value if isinstance(value, dict) else {}, stream.place)


def _package_csv(source: SourceTree, name: str) -> Iterator[ImportedMessage | SkippedItem]:
    with source.open_text(name) as file:
        reader = csv.DictReader(file)
        for row in reader:
            yield _package_message(row, f"{name}, line {reader.line_num}")


def _package_message(value: Mapping[str, Any], place: str) -> ImportedMessage | SkippedItem:
    at, identity = moment_of(value.get("Timestamp")), id_of(value.get("ID"))
    if at is None or not identity:
        return SkippedItem("a message without `ID` or `Timestamp`", place, is_damage=True)
    text = text_of(value.get("Contents"))
    if text is None:
        return SkippedItem(NOT_TEXT, place, is_damage=True)
    return ImportedMessage(id=identity, text=text, at=at, place=place) if text else SkippedItem(NO_TEXT, place)


def _order_in_package(item: ImportedMessage | SkippedItem) -> str:
    return item.at.isoformat() if isinstance(item, ImportedMessage) and item.at is not None else ""
