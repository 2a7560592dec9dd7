"""Discord's messages, channels and people as values. Pure: nothing is fetched or stored."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import discord

from toldonce.integrations.chat.values import Audience, ChannelMessage, ChatAuthor, ChatChannel, DeletedMessage

PLATFORM = "discord"
_SAID_TYPES = (discord.MessageType.default, discord.MessageType.reply)
_MARKUP = re.compile(
    r"<(?P<sign>@!?|@&|#)(?P<id>\d+)>|<a?(?P<emoji>:\w+:)\d+>|</(?P<command>[^:>]+):\d+>|<t:(?P<time>-?\d{1,12})(?::\w)?>"
)


def read_message(message: discord.Message, *, bot_id: int) -> ChannelMessage | None:
    """A message that somebody wrote; None for a notice of the program."""
    if message.type not in _SAID_TYPES:
        return None
    replied = message.reference.resolved if message.reference else None
    answers_bot = isinstance(replied, discord.Message) and replied.author.id == bot_id
    channel = read_channel(message.channel, server=_id_of(message.guild))
    is_mentioned = any(user.id == bot_id for user in message.mentions)
    return ChannelMessage(
        id=str(message.id),
        channel=channel,
        author=read_author(message.author, is_bot=message.webhook_id is not None),
        text=render_text(message),
        at=message.created_at,
        mentions=tuple(read_author(user) for user in message.mentions),
        reply_to=str(message.reference.message_id or "") if message.reference else "",
        attachments=tuple(one.filename for one in message.attachments),
        edited_at=message.edited_at,
        is_addressed=is_mentioned or answers_bot or channel.audience == "direct",
    )


def read_deletion(message_id: int, channel: Any, *, channel_id: int, server: int | None) -> DeletedMessage:
    """A deletion, of which Discord tells only ids; the moment of a message is part of its id."""
    recipient = channel.recipient if isinstance(channel, discord.DMChannel) else None
    known = channel if channel is not None else discord.Object(channel_id)
    return DeletedMessage(
        id=str(message_id),
        channel=read_channel(known, server=str(server or "")),
        at=discord.utils.snowflake_time(message_id),
        person=_id_of(recipient),
    )


def read_channel(channel: Any, *, server: str) -> ChatChannel:
    """Where something is written. A channel that is not known yet counts as private."""
    if not server:
        return ChatChannel(platform=PLATFORM, id=str(channel.id), audience="direct")
    if isinstance(channel, discord.Thread):
        parent = channel.parent
        return ChatChannel(
            platform=PLATFORM,
            id=str(channel.parent_id),
            server=server,
            thread=str(channel.id),
            title=parent.name if parent else "",
            audience="channel" if channel.is_private() else _find_audience(parent),
        )
    title = channel.name if isinstance(channel, discord.abc.GuildChannel) else ""
    return ChatChannel(
        platform=PLATFORM, id=str(channel.id), server=server, title=title, audience=_find_audience(channel)
    )


def read_author(user: discord.abc.User, *, is_bot: bool = False) -> ChatAuthor:
    """Who somebody is, with the name that is shown on the server."""
    roles = (
        {text for role in user.roles for text in (str(role.id), role.name)} if isinstance(user, discord.Member) else ()
    )
    return ChatAuthor(
        id=str(user.id),
        username=user.name,
        display_name=user.display_name,
        is_bot=is_bot or user.bot,
        roles=frozenset(roles),
    )


def render_text(message: discord.Message) -> str:
    """The text as people see it: names in place of ids."""
    named = {user.id: user.display_name for user in message.mentions}

    def render(found: re.Match[str]) -> str:
        if found["emoji"]:
            return found["emoji"]
        if found["command"]:
            return f"/{found['command']}"
        if found["time"]:
            return _render_time(int(found["time"]))
        return _render_name(found["sign"], int(found["id"]), named, message.guild)

    return _MARKUP.sub(render, message.content).strip()


def _render_name(sign: str, wanted: int, named: dict[int, str], guild: discord.Guild | None) -> str:
    if sign == "#":
        channel = guild.get_channel_or_thread(wanted) if guild else None
        return f"#{channel.name}" if channel else "#channel"
    if sign == "@&":
        role = guild.get_role(wanted) if guild else None
        return f"@{role.name}" if role else "@role"
    member = guild.get_member(wanted) if guild else None
    return f"@{named.get(wanted) or (member.display_name if member else 'somebody')}"


def _render_time(seconds: int) -> str:
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
    except (OverflowError, OSError, ValueError):
        return ""


def _find_audience(channel: Any) -> Audience:
    if not isinstance(channel, discord.abc.GuildChannel):
        return "channel"
    return "server" if channel.permissions_for(channel.guild.default_role).view_channel else "channel"


def _id_of(thing: Any) -> str:
    return str(thing.id) if thing is not None else ""
