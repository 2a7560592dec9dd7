"""What happens in a chat, as values that no platform's library is needed for."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

# Who reads a channel: everybody on the server, those who were let in, or one person and the bot.
Audience = Literal["server", "channel", "direct"]
_LONGEST_NAME = 128
_NOT_SHOWN = ("Cc", "Cf", "Cs", "Co", "Cn")
# Emoji and some scripts need them.
_JOINERS = "\u200c\u200d"


def clean_shown_name(name: str) -> str:
    """A name in one line, without characters that hide or reorder what is shown; people choose their own."""
    shown = (c for c in name if unicodedata.category(c) not in _NOT_SHOWN or c in _JOINERS or c.isspace())
    return " ".join("".join(shown).split())[:_LONGEST_NAME]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatAuthor:
    """Who wrote something, by the platform's id and by the names shown there."""

    id: str
    username: str = ""
    display_name: str = ""
    is_bot: bool = False
    roles: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "username", clean_shown_name(self.username))
        object.__setattr__(self, "display_name", clean_shown_name(self.display_name))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatChannel:
    """Where something was written.

    `thread` names a thread in the channel, unique on the platform. `source_id` is the channel's id in exports of the
    platform, by which a message that was imported is known again; without one it is that of the thread or channel.
    """

    platform: str
    id: str
    server: str = ""
    thread: str = ""
    title: str = ""
    audience: Audience = "server"
    source_id: str = ""

    @property
    def name(self) -> str:
        """The conversation that it holds: a thread has its own."""
        return self.thread or self.id

    @property
    def source(self) -> str:
        """The channel's id in exports."""
        return self.source_id or self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelMessage:
    """One message. Its text has names in place of ids; `is_addressed` says that it mentions or answers the bot."""

    id: str
    channel: ChatChannel
    author: ChatAuthor
    text: str
    at: datetime
    mentions: tuple[ChatAuthor, ...] = ()
    reply_to: str = ""
    attachments: tuple[str, ...] = ()
    edited_at: datetime | None = None
    is_addressed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedMessage:
    """A message that is gone. `person` is the other side of a direct conversation."""

    id: str
    channel: ChatChannel
    at: datetime
    person: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryWindow:
    """A stretch of a channel's history as it is now: the ids of all that is left of it, and what was edited."""

    channel: ChatChannel
    since: datetime
    until: datetime
    ids: frozenset[str]
    edited: tuple[ChannelMessage, ...] = ()
