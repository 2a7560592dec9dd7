"""Slack's messages, channels and people as values. Pure: what Slack calls people and channels is handed in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toldonce.importers.slack import MENTION, SAID_SUBTYPES, find_slack_text, read_seconds, render_slack_text
from toldonce.importers.values import moment_of
from toldonce.integrations.chat.values import Audience, ChannelMessage, ChatAuthor, ChatChannel, DeletedMessage

PLATFORM = "slack"
_BOT = "bot_message"
_TOMBSTONE = "tombstone"


def read_message(
    message: Mapping[str, Any], channel: ChatChannel, people: Mapping[str, ChatAuthor], *, bot_id: str
) -> ChannelMessage | None:
    """A message that somebody wrote; None for a notice of the program. `people` are its author and who is mentioned."""
    at = moment_of(read_seconds(message.get("ts")))
    user = str(message.get("user") or "")
    if at is None or message.get("subtype") not in SAID_SUBTYPES or message.get("subtype") == _BOT or not user:
        return None
    text = find_slack_text(message)
    edited, files = message.get("edited"), message.get("files")
    author = people.get(user) or ChatAuthor(id=user)
    return ChannelMessage(
        id=str(message["ts"]),
        channel=locate_message(message, channel),
        author=ChatAuthor(
            id=author.id,
            username=author.username,
            display_name=author.display_name,
            is_bot=author.is_bot or bool(message.get("bot_id")),
        ),
        text=render_slack_text(text, {one.id: one.display_name for one in people.values()}),
        at=at,
        mentions=tuple(people[one] for one in list_mentions(text) if one in people),
        reply_to=_find_thread(message),
        attachments=tuple(str(one.get("name") or "") for one in files) if isinstance(files, list) else (),
        edited_at=moment_of(read_seconds(edited.get("ts"))) if isinstance(edited, dict) else None,
        is_addressed=channel.audience == "direct" or bot_id in list_mentions(text),
    )


def read_deletion(event: Mapping[str, Any], channel: ChatChannel) -> DeletedMessage | None:
    """A message that is gone, from a `message_deleted` event or from one that left a tombstone in its thread."""
    before = event.get("previous_message")
    before = before if isinstance(before, dict) else {}
    ts = event.get("deleted_ts") or before.get("ts")
    if (at := moment_of(read_seconds(ts))) is None:
        return None
    return DeletedMessage(
        id=str(ts), channel=locate_message(before, channel), at=at, person=str(before.get("user") or "")
    )


def is_tombstone(message: Mapping[str, Any]) -> bool:
    """Whether a message was deleted and is shown only because others answered it."""
    return message.get("subtype") == _TOMBSTONE


def read_channel(info: Mapping[str, Any], *, server: str) -> ChatChannel:
    """Where something is written, from what `conversations.info` says."""
    audience: Audience = "channel" if info.get("is_private") or info.get("is_mpim") else "server"
    number = str(info["id"])
    return ChatChannel(
        platform=PLATFORM,
        id=number,
        server="" if info.get("is_im") else server,
        title=str(info.get("name") or ""),
        audience="direct" if info.get("is_im") else audience,
        source_id=number,
    )


def read_author(user: Mapping[str, Any]) -> ChatAuthor:
    """Who somebody is, from what `users.info` says."""
    profile = user.get("profile")
    named = profile if isinstance(profile, dict) else {}
    shown = named.get("display_name") or named.get("real_name") or user.get("real_name") or user.get("name") or ""
    return ChatAuthor(
        id=str(user["id"]),
        username=str(user.get("name") or ""),
        display_name=str(shown),
        is_bot=bool(user.get("is_bot")),
    )


def list_mentions(text: str) -> list[str]:
    """The ids of people whom a text mentions."""
    return [found[1] for found in MENTION.finditer(text)]


def locate_message(message: Mapping[str, Any], channel: ChatChannel) -> ChatChannel:
    """The channel of a message, with its thread if it answers another message."""
    if not (thread := _find_thread(message)):
        return channel
    return ChatChannel(
        platform=channel.platform,
        id=channel.id,
        server=channel.server,
        thread=f"{channel.id} {thread}",
        title=channel.title,
        audience=channel.audience,
        source_id=channel.source_id,
    )


def _find_thread(message: Mapping[str, Any]) -> str:
    thread = str(message.get("thread_ts") or "")
    return thread if thread != str(message.get("ts") or "") else ""
