"""Slack: the folder or zip of an export, with users.json, channels.json and a JSON file for each day of a channel."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any

from toldonce.importers.json_stream import ELEMENT, JsonStream
from toldonce.importers.source_tree import SourceTree
from toldonce.importers.values import (
    NOT_TEXT,
    ImportedMessage,
    ImportItem,
    ReadOptions,
    SkippedItem,
    build_conversation,
    first_filled,
    moment_of,
    read_files,
    text_of,
)

NO_TEXT = "without text (files, blocks)"
SYSTEM = "a notice of the program, said by nobody"
_DAY = re.compile(r"(?:(?P<root>.*)/)?(?P<channel>[^/]+)/(?P<day>\d{4}-\d{2}-\d{2})\.json")
_USERS = r"(?:.*/)?users\.json"
_CHANNELS = r"(?:.*/)?(?:channels|groups|dms|mpims)\.json"
SAID_SUBTYPES = (None, "bot_message", "me_message", "thread_broadcast", "file_share")
MENTION = re.compile(r"<@([A-Z0-9]+)(?:\|([^>]*))?>")
_CHANNEL_LINK = re.compile(r"<#[A-Z0-9]+\|([^>]*)>")
_LINK = re.compile(r"<((?:https?|mailto):[^|>]+)(?:\|([^>]*))?>")


def is_slack_export(source: SourceTree) -> bool:
    """Whether there are users and days of channels."""
    return bool(source.find(_USERS)) and any(_DAY.fullmatch(name) for name in source.names)


def read_slack(source: SourceTree, options: ReadOptions) -> Iterator[ImportItem]:
    """Each day of each channel as one conversation; the metadata `thread` names the thread of a message."""
    users, channels = _read_users(source), _read_channel_ids(source)
    days = {name: found for name in source.names if (found := _DAY.fullmatch(name))}

    def read(name: str) -> Iterator[ImportItem]:
        title, day = days[name]["channel"], days[name]["day"]
        channel = channels.get(title, title)
        messages = [_message_of(value, place, users, options) for value, place in _read_list(source, name)]
        ordered = sorted(messages, key=lambda one: one.id if isinstance(one, ImportedMessage) else "")
        yield from build_conversation(ordered, id=f"{channel} {day}", channel=channel, title=f"#{title}")

    yield from read_files(list(days), read)


def _message_of(
    value: object, place: str, users: Mapping[str, str], options: ReadOptions
) -> ImportedMessage | SkippedItem:
    at = moment_of(read_seconds(value.get("ts"))) if isinstance(value, dict) else None
    if not isinstance(value, dict) or at is None:
        return SkippedItem("a message without its time `ts`", place, is_damage=True)
    if value.get("type") != "message" or value.get("subtype") not in SAID_SUBTYPES:
        return SkippedItem(SYSTEM, place)
    said = text_of(value.get("text"))
    if said is None:
        return SkippedItem(NOT_TEXT, place, is_damage=True)
    text = render_slack_text(said, users)
    if not text:
        return SkippedItem(NO_TEXT, place)
    author = str(first_filled(value, ("user", "bot_id", "username")) or "unknown")
    name = users.get(author) or str(value.get("username") or "")
    edited, thread = value.get("edited"), value.get("thread_ts")
    return ImportedMessage(
        id=str(value["ts"]),
        text=text,
        at=at,
        user=options.author_of(author, name),
        name=name,
        role="assistant" if value.get("bot_id") and not value.get("user") else "user",
        metadata={
            **({"edited_at": str(edited.get("ts") or "")} if isinstance(edited, dict) else {}),
            **({"thread": str(thread)} if thread and thread != value["ts"] else {}),
        },
        place=place,
    )


def render_slack_text(text: str, users: Mapping[str, str]) -> str:
    """A text with names where Slack has ids, and with its escapes resolved."""
    text = MENTION.sub(lambda found: "@" + (users.get(found[1]) or found[2] or found[1]), text)
    text = _LINK.sub(lambda found: found[2] or found[1], _CHANNEL_LINK.sub(r"#\1", text))
    return html.unescape(text).strip()


def read_seconds(ts: object) -> float | None:
    """The moment of a message in seconds since 1970, which is also its id."""
    try:
        return float(str(ts))
    except ValueError:
        return None


def _read_users(source: SourceTree) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in source.find(_USERS):
        for value, _ in _read_list(source, name):
            if isinstance(value, dict) and value.get("id"):
                profile = value.get("profile") if isinstance(value.get("profile"), dict) else {}
                shown = first_filled({**value, **(profile or {})}, ("display_name", "real_name", "name"))
                found[str(value["id"])] = str(shown or "")
    return found


def _read_channel_ids(source: SourceTree) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in source.find(_CHANNELS):
        for value, _ in _read_list(source, name):
            if isinstance(value, dict) and value.get("id"):
                found[str(value.get("name") or value["id"])] = str(value["id"])
    return found


def _read_list(source: SourceTree, name: str) -> Iterator[tuple[Any, str]]:
    with source.open_text(name) as file:
        stream = JsonStream(file, [(ELEMENT,)], name=name)
        for _, value in stream.read():
            yield value, stream.place
