"""The bot on Discord: what people write there is remembered, with edits, deletions and threads, and gaps are read up.

discord.py keeps the connection; every event is turned into a value at once, so that writes keep their order.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import aiohttp
import discord
from discord import app_commands

from toldonce.errors import ConfigError, InputError, ServerUnavailable
from toldonce.integrations.chat.discord_commands import LONGEST_ANSWER, NOBODY, build_commands
from toldonce.integrations.chat.discord_events import read_channel, read_deletion, read_message
from toldonce.integrations.chat.progress import Position
from toldonce.integrations.chat.runtime import BotRuntime, run_until_stopped
from toldonce.integrations.chat.values import ChannelMessage, ChatChannel, HistoryWindow
from toldonce.stopping import StopFlag

TOKEN_VARIABLE = "DISCORD_TOKEN"
_BATCH = 100
_ANSWERS_AT_ONCE = 4
_PERMISSIONS = discord.Permissions(view_channel=True, read_message_history=True, send_messages=True)
_PORTAL = "https://discord.com/developers/applications"
log = logging.getLogger("toldonce.chat.discord")


class DiscordBot(discord.Client):
    """A connection to Discord for one memory."""

    def __init__(self, runtime: BotRuntime, **options: Any) -> None:
        intents = discord.Intents.none()
        intents.guilds = intents.guild_messages = intents.message_content = True
        intents.dm_messages = runtime.rules.has_direct
        super().__init__(intents=intents, allowed_mentions=NOBODY, **options)
        self.runtime = runtime
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(build_commands(runtime))
        self.problem: InputError | None = None
        self._reading: asyncio.Task[None] | None = None
        self._answering = asyncio.Semaphore(_ANSWERS_AT_ONCE)

    async def setup_hook(self) -> None:
        """Offer the commands on the servers that are set up, and in direct messages if those are remembered."""
        for server in self.runtime.rules.servers:
            guild = discord.Object(int(server))
            self.tree.copy_global_to(guild=guild)
            try:
                await self.tree.sync(guild=guild)
            except discord.Forbidden:
                self.runtime.note(f"The bot may not offer commands on server {server}: invite it with {self._invite()}")
        if self.runtime.rules.has_direct:
            await self.tree.sync()

    async def close(self) -> None:
        """Stop reading histories, then leave."""
        if self._reading is not None:
            self._reading.cancel()
        await super().close()

    # Connection

    async def on_ready(self) -> None:
        """A new connection: read what was written since the last one."""
        self.runtime.progress.mark_behind()
        there = {str(guild.id): guild for guild in self.guilds}
        if not self.runtime.rules.servers and not self.runtime.rules.has_direct:
            self.problem = InputError(_explain_servers(there.values(), self._invite()))
            await self.close()
            return
        for server in self.runtime.rules.servers:
            known = there.get(server)
            told = f"Remembering {known.name}" if known else f"Not on server {server} yet: invite with {self._invite()}"
            self.runtime.note(told)
        if self._reading is not None:
            self._reading.cancel()
        self._reading = asyncio.create_task(self.catch_up())

    async def on_disconnect(self) -> None:
        """The connection was lost."""
        self.runtime.progress.pause()

    async def on_resumed(self) -> None:
        """The connection goes on; Discord has sent again what was missed."""
        self.runtime.progress.resume()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was invited."""
        if str(guild.id) in self.runtime.rules.servers:
            await self._catch_up_guild(guild)

    async def on_guild_channel_create(self, channel: discord.abc.GuildChannel) -> None:
        """A channel was made: everything in it is still to come."""
        self._begin_channel(channel, server=channel.guild.id)

    async def on_thread_create(self, thread: discord.Thread) -> None:
        """A thread was made."""
        self._begin_channel(thread, server=thread.guild.id)

    def _begin_channel(self, channel: Any, *, server: int) -> None:
        place = read_channel(channel, server=str(server))
        if not self.runtime.chat.skips(place) and self.runtime.progress.last(place.name) is None:
            self.runtime.progress.note_read(place.name, _position_of(channel.id - 1))
            self.runtime.progress.mark_current(place.name)

    async def catch_up(self) -> None:
        """Read what was written in every channel since the last message that was stored."""
        for guild in self.guilds:
            if str(guild.id) in self.runtime.rules.servers:
                await self._catch_up_guild(guild)
        await asyncio.to_thread(self.runtime.progress.save)

    async def _catch_up_guild(self, guild: discord.Guild) -> None:
        for channel in (*guild.channels, *guild.threads):
            if isinstance(channel, discord.abc.Messageable):
                place = read_channel(channel, server=str(guild.id))
                if not self.runtime.chat.skips(place):
                    try:
                        await self._catch_up_channel(channel, place)
                    except discord.HTTPException as problem:
                        log.warning("channel %s could not be read: %s", channel.id, problem.status)

    async def _catch_up_channel(self, channel: Any, place: ChatChannel) -> None:
        known = self.runtime.progress.last(place.name)
        if known is not None:
            await self._compare_window(channel, place, known)
        last = known or self._find_start(channel, place)
        if last is not None:
            async for batch in self._read_history(channel, last):
                stored = [said for one in batch if (said := read_message(one, bot_id=self._own_id)) is not None]
                await self.runtime.finish(self.runtime.store_history(place, stored, _position_of(batch[-1].id)))
        else:
            self.runtime.progress.note_read(place.name, _position_of(channel.last_message_id or channel.id))
        self.runtime.progress.mark_current(place.name)

    async def _compare_window(self, channel: Any, place: ChatChannel, last: Position) -> None:
        """Look at the newest messages that are stored once more: they may have been edited or deleted in the gap."""
        before = discord.Object(int(last.id) + 1)
        there = [message async for message in channel.history(limit=_BATCH, before=before)]
        if not there:
            return
        said = (read_message(one, bot_id=self._own_id) for one in there if one.edited_at is not None)
        window = HistoryWindow(
            channel=place,
            since=min(one.created_at for one in there),
            until=last.at,
            ids=frozenset(str(one.id) for one in there),
            edited=tuple(one for one in said if one is not None),
        )
        await self.runtime.finish(self.runtime.store_window(window))

    def _find_start(self, channel: Any, place: ChatChannel) -> Position | None:
        """Where to begin in a channel that was never read: at its beginning if it was made during the gap."""
        before = self.runtime.progress.last(place.id) if place.thread else self.runtime.progress.newest()
        is_new = before is not None and discord.utils.snowflake_time(channel.id) > before.at
        # A thread may have the id of the message that it began with.
        return _position_of(channel.id - 1) if is_new else None

    async def _read_history(self, channel: Any, last: Position) -> AsyncIterator[list[discord.Message]]:
        batch: list[discord.Message] = []
        async for message in channel.history(limit=None, after=discord.Object(int(last.id)), oldest_first=True):
            batch.append(message)
            if len(batch) == _BATCH:
                yield batch
                batch = []
        if batch:
            yield batch

    # Messages

    async def on_message(self, message: discord.Message) -> None:
        """Somebody wrote."""
        if (said := read_message(message, bot_id=self._own_id)) is None:
            return
        await self.runtime.finish(self.runtime.store_live(said))
        if said.is_addressed and self.runtime.answerer is not None and not said.author.is_bot:
            await self._answer(message, said)

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Somebody changed a message, or Discord added a preview to it."""
        said = read_message(payload.message, bot_id=self._own_id)
        if said is not None and said.edited_at is not None:
            await self.runtime.finish(self.runtime.store_edit(said))

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """A message is gone."""
        await self._redact({payload.message_id}, payload.channel_id, payload.guild_id)

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Several messages are gone at once."""
        await self._redact(payload.message_ids, payload.channel_id, payload.guild_id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """A thread that is closed is settled now."""
        if payload.data.get("thread_metadata", {}).get("archived"):
            thread = self._read_thread(payload.thread_id, payload.parent_id, payload.guild_id)
            await self.runtime.finish(self.runtime.store_end(thread))

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread is gone, and with it its messages, of which Discord says nothing."""
        thread = self._read_thread(payload.thread_id, payload.parent_id, payload.guild_id)
        await self.runtime.finish(self.runtime.store_channel_deletion(thread))

    def _read_thread(self, thread: int, parent: int, server: int) -> ChatChannel:
        known = self.get_channel(parent) or discord.Object(parent)
        return replace(read_channel(known, server=str(server)), thread=str(thread))

    async def _redact(self, ids: set[int], channel_id: int, server: int | None) -> None:
        channel = self.get_channel(channel_id)
        if channel is None and server is None and self.runtime.rules.has_direct:
            channel = await self.fetch_channel(channel_id)
        gone = [read_deletion(one, channel, channel_id=channel_id, server=server) for one in sorted(ids)]
        await self.runtime.finish(self.runtime.store_deletion(gone))

    async def _answer(self, message: discord.Message, said: ChannelMessage) -> None:
        async with self._answering, message.channel.typing():
            text = await asyncio.to_thread(self.runtime.answer, said)
        if text:
            await message.reply(text[:LONGEST_ANSWER], mention_author=False)

    @property
    def _own_id(self) -> int:
        return self.user.id if self.user else 0

    def _invite(self) -> str:
        return discord.utils.oauth_url(
            self.application_id or 0, permissions=_PERMISSIONS, scopes=("bot", "applications.commands")
        )


def run_discord(bot_options: dict[str, Any], runtime: BotRuntime, token: str, stopped: StopFlag) -> None:
    """Run the bot until the process is told to stop; what was begun is stored first."""

    async def run() -> None:
        bot = DiscordBot(runtime, **bot_options)
        await run_until_stopped(bot.start(token), bot.close, stopped)
        if bot.problem is not None:
            raise bot.problem

    try:
        asyncio.run(run())
    except discord.LoginFailure:
        raise ConfigError(
            f"Discord refused the token: copy it from {_PORTAL} (Bot, Reset Token) and set it in {TOKEN_VARIABLE}"
        ) from None
    except discord.PrivilegedIntentsRequired:
        raise ConfigError(
            f"the bot may not read messages: switch on Message Content Intent at {_PORTAL} (Bot, Privileged Gateway"
            " Intents)"
        ) from None
    except (discord.HTTPException, discord.GatewayNotFound, aiohttp.ClientError, OSError) as problem:
        raise ServerUnavailable(f"Discord cannot be reached: {type(problem).__name__}; try again later") from problem
    finally:
        runtime.close()


def _position_of(snowflake: int) -> Position:
    return Position(discord.utils.snowflake_time(snowflake), str(snowflake))


def _explain_servers(guilds: Any, invite: str) -> str:
    listed = ", ".join(f"{guild.name} ({guild.id})" for guild in guilds)
    known = f"the bot is on: {listed}" if listed else f"the bot is on no server yet, invite it with {invite}"
    return f"no server is set up, so nothing is remembered: name one with --server ID; {known}"
