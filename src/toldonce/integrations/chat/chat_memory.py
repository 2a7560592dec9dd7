"""A memory as a chat uses it: messages are observed once, replaced when edited and redacted when deleted.

Its methods wait for the store: call them in a thread, writes one after another. Identity is the platform's id of who
wrote; no text says whose memory is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any

from toldonce.access import acting_as
from toldonce.capture.observe import IncomingMessage, MessageSource, Skipped
from toldonce.integrations.chat.rules import PRIVATE, ChatRules, find_channel_skip, find_message_skip, list_spaces
from toldonce.integrations.chat.values import ChannelMessage, ChatAuthor, ChatChannel, DeletedMessage, HistoryWindow
from toldonce.integrations.recent_values import RecentValues
from toldonce.operations.chat_messages import (
    SaidAt,
    SourcedMessage,
    redact_chat_messages,
    redact_records,
    rename_person,
    replace_chat_message,
    store_chat_messages,
)
from toldonce.records import PERSONAL, Record, personal_space
from toldonce.storage.store import View

if TYPE_CHECKING:
    from toldonce.memory import Memory

OPTED_OUT = "this person does not want to be remembered"
DELETED = "it was deleted"
_PAGE = 500


class ChatMemory:
    """Turns what happens on one platform into operations of a memory."""

    def __init__(self, memory: Memory, rules: ChatRules, *, platform: str) -> None:
        self.memory = memory
        self.rules = rules
        self.platform = platform
        # A message may be read from the history while its deletion is on the way.
        self._deleted: RecentValues[tuple[str, str], bool] = RecentValues()
        self._names: RecentValues[tuple[str, str], str] = RecentValues()
        for space in rules.servers.values():
            self._ensure_space(space)

    def skips(self, channel: ChatChannel) -> str:
        """Why nothing of a channel is remembered; "" if it is."""
        return find_channel_skip(channel, self.rules)

    def observe(self, messages: Sequence[ChannelMessage]) -> list[Record | Skipped]:
        """Store messages, oldest first; each says what was stored or why not."""
        kept: list[Record | Skipped] = []
        for space, group in groupby(messages, key=self._find_space):
            kept += self._observe_in(space, list(group))
        return kept

    def replace(self, message: ChannelMessage) -> Record | Skipped:
        """Store what an edited message says now; what was learnt from its old text goes."""
        spaces = list_spaces(message.channel, self.rules, person=message.author.id)
        skip = self._find_skip(message)
        gone = DeletedMessage(id=message.id, channel=message.channel, at=message.at, person=message.author.id)
        self._redact_in(spaces if skip else spaces[1:], [gone])
        if skip:
            return Skipped(skip)
        self._ensure_space(spaces[0])
        with acting_as(interface=self.platform, person=message.author.id):
            return replace_chat_message(self.memory.engine, _as_sourced(message), space=spaces[0])[0]

    def redact(self, deleted: Sequence[DeletedMessage]) -> int:
        """Destroy deleted messages and what was learnt from them alone; how many records are gone."""
        for one in deleted:
            self._deleted.put((one.channel.source, one.id), True)
        removed = 0
        for _, group in groupby(deleted, key=lambda one: (one.channel, one.person)):
            same = list(group)
            removed += self._redact_in(list_spaces(same[0].channel, self.rules, person=same[0].person), same)
        return removed

    def compare(self, window: HistoryWindow) -> int:
        """Follow edits and deletions that no event reported, by a stretch of history; how many records are gone."""
        for message in window.edited:
            self.replace(message)
        removed = 0
        for space in filter(self._has_space, list_spaces(window.channel, self.rules, person="")):
            kind = self.memory.spaces.preset(space).capture.kind
            view, _ = self.memory.engine.view_for(
                None,
                space,
                kinds=[kind],
                channel=window.channel.name,
                since=window.since,
                until=window.until + timedelta(microseconds=1),
            )
            gone = [one.id for one in self._read_page(view) if _find_message_id(one) not in {"", *window.ids}]
            with acting_as(interface=self.platform):
                removed += redact_records(self.memory.engine, gone, space=space) if gone else 0
        return removed

    def redact_channel(self, channel: ChatChannel) -> int:
        """Destroy all messages of a channel or thread that is gone, and what was learnt from them alone."""
        removed = 0
        for space in filter(self._has_space, list_spaces(channel, self.rules, person="")):
            kind = self.memory.spaces.preset(space).capture.kind
            view, _ = self.memory.engine.view_for(None, space, kinds=[kind], channel=channel.name)
            with acting_as(interface=self.platform):
                while found := self._read_page(view):
                    removed += redact_records(self.memory.engine, [one.id for one in found], space=space)
        return removed

    def end_thread(self, channel: ChatChannel) -> None:
        """Settle what was said in a thread that was closed."""
        spaces = list_spaces(channel, self.rules, person="")
        if spaces and not self.skips(channel) and self._has_space(spaces[0]):
            with acting_as(interface=self.platform):
                self.memory.settle(channel=channel.name, space=spaces[0])

    def rename(self, author: ChatAuthor, *, server: str) -> None:
        """Keep a person's new name and let the old one lead to them; somebody who never spoke stays unknown."""
        if (space := self.rules.servers.get(server)) is not None and not author.is_bot:
            self._learn_name(author, space)

    def list_own_spaces(self, user: str) -> list[str]:
        """Every space of this chat that something of a person may be in."""
        shared = list(dict.fromkeys(self.rules.servers.values()))
        private = [
            s.name for s in self.memory.spaces.all() if s.name.startswith(tuple(one + PRIVATE for one in shared))
        ]
        own = personal_space(user)
        there = [own] if self._has_space(own) else []
        return list(dict.fromkeys([*shared, *private, *there]))

    def is_opted_out(self, user: str, *, server: str = "") -> bool:
        """Whether a person is kept out of memory on a server, or anywhere."""
        named = self.rules.servers.get(server)
        spaces = [named] if named is not None else list(self.rules.servers.values())
        return any(self.memory.people.is_kept_out(user, space=space) for space in spaces)

    def find_space(self, message: ChannelMessage) -> str:
        """The space that a message is remembered in; "" if it is not."""
        return self._find_space(message)

    def _find_space(self, message: ChannelMessage) -> str:
        if self._find_skip(message):
            return ""
        return next(iter(list_spaces(message.channel, self.rules, person=message.author.id)), "")

    def _find_skip(self, message: ChannelMessage) -> str:
        if skip := find_message_skip(message, self.rules):
            return skip
        if self._deleted.get((message.channel.source, message.id)):
            return DELETED
        is_elsewhere = message.channel.audience != "server"
        return OPTED_OUT if is_elsewhere and self.is_opted_out(message.author.id, server=message.channel.server) else ""

    def _observe_in(self, space: str, messages: Sequence[ChannelMessage]) -> list[Record | Skipped]:
        if not space:
            return [Skipped(self._find_skip(message) or "it has no space") for message in messages]
        self._ensure_space(space)
        for author in {message.author.id: message.author for message in messages}.values():
            self._learn_name(author, space)
        person = messages[0].author.id if len(messages) == 1 else None
        with acting_as(interface=self.platform, person=person):
            return store_chat_messages(self.memory.engine, [_as_sourced(one) for one in messages], space=space)

    def _read_page(self, view: View) -> list[Record]:
        return self.memory.store.read(lambda t: t.records.find(view, limit=_PAGE))

    def _redact_in(self, spaces: Sequence[str], deleted: Sequence[DeletedMessage]) -> int:
        gone = [SaidAt(_source_of(one.channel, one.id), one.at) for one in deleted]
        there = [space for space in spaces if self._has_space(space)]
        with acting_as(interface=self.platform):
            return sum(redact_chat_messages(self.memory.engine, gone, space=space) for space in there)

    def _learn_name(self, author: ChatAuthor, space: str) -> None:
        key = (space, author.id)
        if not author.display_name or self._names.get(key) == author.display_name:
            return
        known = self.memory.store.read(lambda t: t.people.get(space, author.id))
        self._names.put(key, author.display_name)
        if known is None or known.display_name == author.display_name:
            return
        with acting_as(interface=self.platform, person=author.id):
            self.memory.people.update(
                author.id, display_name=author.display_name, username=author.username, space=space
            )
            rename_person(self.memory.engine, author.id, names=(known.name, author.display_name), space=space)

    def _ensure_space(self, name: str) -> None:
        if not self._has_space(name) and not name.startswith(PERSONAL):
            self.memory.spaces.add(name)

    def _has_space(self, name: str) -> bool:
        return self.memory.store.read(lambda t: t.people.space(name)) is not None


def _find_message_id(record: Record) -> str:
    """The platform's id of a message that was observed or imported; "" if it has none."""
    for origin in ("chat", "imported"):
        if isinstance(known := record.metadata.get(origin), dict):
            return str(known.get("id") or "")
    return ""


def _source_of(channel: ChatChannel, message_id: str) -> MessageSource:
    return MessageSource(channel.platform, channel.source, message_id)


def _as_sourced(message: ChannelMessage) -> SourcedMessage:
    channel, author = message.channel, message.author
    metadata: dict[str, Any] = {
        "chat": {"platform": channel.platform, "server": channel.server, "channel": channel.id, "id": message.id}
    }
    if channel.thread:
        metadata["thread"], metadata["parent_channel"] = channel.thread, channel.id
    if message.reply_to:
        metadata["reply_to"] = message.reply_to
    if message.mentions:
        metadata["mentions"] = [one.id for one in message.mentions]
    if message.attachments:
        metadata["attachments"] = list(message.attachments)
    if message.edited_at is not None:
        metadata["edited_at"] = message.edited_at.isoformat()
    said = IncomingMessage(
        text=message.text,
        user=author.id,
        session=channel.name,
        at=message.at,
        channel=channel.name,
        username=author.username,
        display_name=author.display_name,
        metadata=metadata,
    )
    return SourcedMessage(_source_of(channel, message.id), said)
