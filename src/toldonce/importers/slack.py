"""Slack: the folder or zip of an export, with users.json, channels.json and a JSON file for each day of a channel."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
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

NO_TEXT = "without text (files)"
SYSTEM = "a notice of the program, said by nobody"
_DAY = re.compile(r"(?:(?P<root>.*)/)?(?P<channel>[^/]+)/(?P<day>\d{4}-\d{2}-\d{2})\.json")
_USERS = r"(?:.*/)?users\.json"
_CHANNELS = r"(?:.*/)?(?:channels|groups|dms|mpims)\.json"
SAID_SUBTYPES = (None, "bot_message", "me_message", "thread_broadcast", "file_share")
MENTION = re.compile(r"<@([A-Z0-9]+)(?:\|([^>]*))?>")
_CHANNEL_LINK = re.compile(r"<#([A-Z0-9]+)(?:\|([^>]*))?>")
# <!here>, <!subteam^S1|@designers>, <!date^1741000000^{date}|3 March>: the word, what it names, and how it is shown.
_SPECIAL = re.compile(r"<!(\w+)(?:\^([^|>]*))?(?:\|([^>]*))?>")
_LINK = re.compile(r"<((?:https?|ftp|mailto|tel|slack):[^|>]+)(?:\|([^>]*))?>")
# What the parts of a message built from blocks are as text of a message; others hold parts, or nothing to read.
_ELEMENTS: Mapping[str, str] = {
    "user": "<@{user_id}>",
    "channel": "<#{channel_id}>",
    "usergroup": "<!subteam^{usergroup_id}>",
    "broadcast": "<!{range}>",
    "emoji": ":{name}:",
    "link": "<{url}|{text}>",
}
_PARTS = ("text", "fields", "elements", "rows")
# These end a line.
_LINES = frozenset(
    {"rich_text_section", "rich_text_preformatted", "rich_text_quote", "section", "header", "context", "mrkdwn"}
)


def is_slack_export(source: SourceTree) -> bool:
    """Whether there are users and days of channels."""
    return bool(source.find(_USERS)) and any(_DAY.fullmatch(name) for name in source.names)


def read_slack(source: SourceTree, options: ReadOptions) -> Iterator[ImportItem]:
    """Each day of each channel as one conversation; the metadata `thread` names the thread of a message."""
    users, channels = _read_users(source), _read_channel_ids(source)
    names = {number: title for title, number in channels.items()}
    days = {name: found for name in source.names if (found := _DAY.fullmatch(name))}

    def read(name: str) -> Iterator[ImportItem]:
        title, day = days[name]["channel"], days[name]["day"]
        channel = channels.get(title, title)
        messages = [_message_of(value, place, users, names, options) for value, place in _read_list(source, name)]
        ordered = sorted(messages, key=lambda one: one.id if isinstance(one, ImportedMessage) else "")
        yield from build_conversation(ordered, id=f"{channel} {day}", channel=channel, title=f"#{title}")

    yield from read_files(list(days), read)


def _message_of(
    value: object, place: str, users: Mapping[str, str], channels: Mapping[str, str], options: ReadOptions
) -> ImportedMessage | SkippedItem:
    at = moment_of(read_seconds(value.get("ts"))) if isinstance(value, dict) else None
    if not isinstance(value, dict) or at is None:
        return SkippedItem("a message without its time `ts`", place, is_damage=True)
    if value.get("type") != "message" or value.get("subtype") not in SAID_SUBTYPES:
        return SkippedItem(SYSTEM, place)
    said = text_of(value.get("text"))
    if said is None:
        return SkippedItem(NOT_TEXT, place, is_damage=True)
    text = render_slack_text(find_slack_text(value), users, channels)
    if not text:
        return SkippedItem(NO_TEXT, place)
    author = str(first_filled(value, ("user", "bot_id", "username")) or "unknown")
    name = users.get(author) or str(value.get("username") or "") or _name_in_profile(value)
    edited, thread = value.get("edited"), value.get("thread_ts")
    edited_at = moment_of(read_seconds(edited.get("ts"))) if isinstance(edited, dict) else None
    return ImportedMessage(
        id=str(value["ts"]),
        text=text,
        at=at,
        user=options.author_of(author, name),
        name=name,
        role="assistant" if value.get("bot_id") and not value.get("user") else "user",
        metadata={
            **({"edited_at": edited_at.isoformat()} if edited_at is not None else {}),
            **({"thread": str(thread)} if thread and thread != value["ts"] else {}),
        },
        place=place,
    )


def find_slack_text(message: Mapping[str, Any]) -> str:
    """What a message says, with Slack's marks: its text, else its blocks, and what is attached to it.

    What a person attached was written by somebody else, so its lines are quoted. Of a link only the text that holds it
    is taken, not what is at its address.
    """
    said = text_of(message.get("text")) or _text_of_blocks(message.get("blocks"))
    attached = [
        _text_of_attachment(one)
        for one in _tables_in(message.get("attachments"))
        if not (said and first_filled(one, ("from_url", "original_url")))
    ]
    if not message.get("bot_id") and message.get("subtype") != "bot_message":
        attached = ["\n".join(f"&gt; {line}" for line in text.splitlines()) for text in attached]
    return "\n".join(filter(None, (said, *(text for text in attached if text != said))))


def _text_of_attachment(attachment: Mapping[str, Any]) -> str:
    """Everything that an attachment shows; its `fallback` only where that is all there is."""
    parts = [text_of(attachment.get(key)) for key in ("pretext", "title", "text")]
    fields = _tables_in(attachment.get("fields"))
    parts += [": ".join(filter(None, map(text_of, (one.get("title"), one.get("value"))))) for one in fields]
    parts.append(_text_of_blocks(attachment.get("blocks") or attachment.get("message_blocks")))
    shown = "\n".join(filter(None, parts))
    return shown or text_of(attachment.get("fallback")) or ""


def _text_of_blocks(blocks: object) -> str:
    """The text of blocks, which hold each other to any depth, in the order in which they are shown."""
    pieces: list[str] = []
    waiting: list[object] = [blocks]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            pieces.append(value)
        elif isinstance(value, list):
            waiting += reversed(value)
        elif isinstance(value, dict):
            type_ = str(value.get("type"))
            if type_ in _LINES:
                waiting.append("\n")
            if type_ in _ELEMENTS:
                waiting.append(_ELEMENTS[type_].format_map(_Filled(value)))
            else:
                waiting += [value[key] for key in reversed(_PARTS) if key in value]
                waiting += [value["message"]] if isinstance(value.get("message"), dict | list) else []
    return re.sub(r"\n{2,}", "\n", "".join(pieces)).strip()


class _Filled(dict[str, Any]):
    """A table whose missing values are empty."""

    def __missing__(self, key: str) -> str:
        return ""


def _tables_in(value: object) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _name_in_profile(message: Mapping[str, Any]) -> str:
    """The name that a message itself gives of its author, who may be in no list of users."""
    profiles = [message.get(key) for key in ("user_profile", "bot_profile")]
    shown = [first_filled(one, ("display_name", "real_name", "name")) for one in profiles if isinstance(one, dict)]
    return str(next(filter(None, shown), ""))


def render_slack_text(text: str, users: Mapping[str, str], channels: Mapping[str, str] = MappingProxyType({})) -> str:
    """A text with names where Slack has ids, and with its escapes resolved."""
    text = MENTION.sub(lambda found: "@" + (users.get(found[1]) or found[2] or found[1]), text)
    text = _CHANNEL_LINK.sub(lambda found: "#" + (found[2] or channels.get(found[1]) or found[1]), text)
    text = _SPECIAL.sub(lambda found: found[3] or "@" + (found[2] or found[1]), text)
    return html.unescape(_LINK.sub(lambda found: found[2] or found[1], text)).strip()


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
