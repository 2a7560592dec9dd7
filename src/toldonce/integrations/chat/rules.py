"""What of a chat is remembered, and in which space. Pure; nothing is remembered that was not set up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from toldonce.errors import InputError
from toldonce.integrations.chat.values import ChannelMessage, ChatChannel
from toldonce.records import personal_space

DEFAULT_PREFIXES = ("!", "/")
# Between the space of a server and a private channel of it.
PRIVATE = "/"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRules:
    """Which servers, channels and messages are remembered.

    `servers` gives each server its space. With `channels`, by id or name, only those are remembered; a private channel
    is remembered only if it is named. Messages that begin with one of `prefixes` are commands for some bot.
    """

    servers: Mapping[str, str] = field(default_factory=dict)
    channels: frozenset[str] = frozenset()
    skipped_channels: frozenset[str] = frozenset()
    skipped_roles: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = DEFAULT_PREFIXES
    has_direct: bool = False

    def __post_init__(self) -> None:
        shared = [space for space in self.servers.values() if list(self.servers.values()).count(space) > 1]
        if shared:
            raise InputError(
                f"two servers would share the space {shared[0]!r}, and people of one would read what was said in the"
                " other: name a space for each, as in ID=SPACE"
            )


def find_channel_skip(channel: ChatChannel, rules: ChatRules) -> str:
    """Why nothing of a channel is remembered; "" if it is."""
    if channel.audience == "direct":
        return "" if rules.has_direct else "direct messages are not remembered"
    if channel.server not in rules.servers:
        return "this server is not set up"
    names = {channel.id, channel.thread, channel.title.removeprefix("#")} - {""}
    if names & rules.skipped_channels:
        return "this channel is left out"
    if rules.channels and not names & rules.channels:
        return "only other channels are remembered"
    if channel.audience == "channel" and not names & rules.channels:
        return "a private channel is remembered only if it is named"
    return ""


def find_message_skip(message: ChannelMessage, rules: ChatRules) -> str:
    """Why a message is not remembered; "" if it is."""
    if skip := find_channel_skip(message.channel, rules):
        return skip
    if message.author.is_bot:
        return "bots are not remembered"
    if message.author.roles & rules.skipped_roles:
        return "people of this role are left out"
    if message.text.lstrip().startswith(rules.prefixes):
        return "a command for a bot"
    return "" if message.text.strip() else "without text"


def list_spaces(channel: ChatChannel, rules: ChatRules, *, person: str) -> tuple[str, ...]:
    """The space that a channel is remembered in, and others that it may have been remembered in before.

    What was said to a few is not for everybody: a private channel has a space of its own, and what was said to the bot
    alone is in the person's own space, which nobody else can enter.
    """
    if channel.audience == "direct":
        return (personal_space(person),) if person else ()
    if (shared := rules.servers.get(channel.server)) is None:
        return ()
    private = f"{shared}{PRIVATE}{channel.id}"
    return (private, shared) if channel.audience == "channel" else (shared, private)


def read_servers(given: tuple[str, ...], *, default: str) -> dict[str, str]:
    """Servers and their spaces from texts like ID or ID=SPACE."""
    found: dict[str, str] = {}
    for text in given:
        server, _, space = (part.strip() for part in text.partition("="))
        if not server or server in found:
            raise InputError(f"{text!r} is no server, or is named twice: write its id, or ID=SPACE")
        found[server] = space or default
    return found
