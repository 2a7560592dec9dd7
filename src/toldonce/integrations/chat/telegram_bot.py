"""The bot on Telegram: what people write in groups is remembered, with edits and topics.

Updates are fetched one batch at a time and confirmed only once they are stored: what was delivered and not stored
comes again. Telegram does not report deletions to bots, so people have a command for that.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import telegram
from telegram.error import Conflict, Forbidden, InvalidToken, NetworkError, RetryAfter, TelegramError

from toldonce.errors import ConfigError, ServerUnavailable
from toldonce.integrations.chat.commands import CommandAnswer, split_answer
from toldonce.integrations.chat.runtime import BotRuntime, run_until_stopped
from toldonce.integrations.chat.telegram_events import read_answered, read_channel, read_command, read_message
from toldonce.stopping import StopFlag

TOKEN_VARIABLE = "TELEGRAM_TOKEN"
LONGEST_ANSWER = 4000
COMMAND = "memory"
_KINDS = ["message", "edited_message"]
_POLL_S = 30
_RETRY_S = 5.0
_FORGET = "forget"
_ANSWERED = "The message you answered is forgotten."
log = logging.getLogger("toldonce.chat.telegram")


class TelegramBot:
    """A connection to Telegram for one memory. `pause` waits between attempts to reach it."""

    def __init__(
        self,
        runtime: BotRuntime,
        bot: telegram.Bot,
        *,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.runtime = runtime
        self._bot = bot
        self._pause = pause
        self._offset: int | None = None
        self._answering: set[asyncio.Task[None]] = set()
        self._told: set[int] = set()

    async def run(self) -> None:
        """Read updates until cancelled."""
        async with self._bot:
            await self._introduce()
            try:
                while True:
                    for update in await self._fetch():
                        await self._handle(update)
                        self._offset = update.update_id + 1
            finally:
                await self._confirm()

    async def close(self) -> None:
        """Stop answering; `run` ends when it is cancelled."""
        for task in self._answering:
            task.cancel()

    async def _confirm(self) -> None:
        """Tell Telegram what is stored, so that it does not come again."""
        if self._offset is not None:
            try:
                await self._bot.get_updates(offset=self._offset, limit=1, timeout=0, allowed_updates=_KINDS)
            except TelegramError as problem:
                log.info("the last updates will come again: %s", type(problem).__name__)

    async def _introduce(self) -> None:
        me = self._bot.bot
        await self._bot.set_my_commands([(COMMAND, "What is remembered about you")])
        if not me.can_read_all_group_messages and self.runtime.rules.servers:
            self.runtime.note(
                f"@{me.username} does not see what people write in groups: in @BotFather use /setprivacy, choose"
                f" @{me.username} and Disable, then add it to the group again"
            )
        self.runtime.note(f"Connected as @{me.username}")

    async def _fetch(self) -> tuple[telegram.Update, ...]:
        """The next updates. A connection that is lost is tried again."""
        while True:
            try:
                return await self._bot.get_updates(offset=self._offset, timeout=_POLL_S, allowed_updates=_KINDS)
            except RetryAfter as problem:
                wait = problem.retry_after
                await self._pause(wait.total_seconds() if hasattr(wait, "total_seconds") else wait)
            except NetworkError as problem:
                log.warning("Telegram cannot be reached, trying again: %s", type(problem).__name__)
                await self._pause(_RETRY_S)

    async def _handle(self, update: telegram.Update) -> None:
        me = self._bot.bot
        if update.edited_message is not None:
            if (edited := read_message(update.edited_message, bot=me)) is not None:
                await self.runtime.finish(self.runtime.store_edit(edited))
            return
        message = update.message
        if message is None:
            return
        if (command := read_command(message, COMMAND, bot=me)) is not None and message.from_user is not None:
            await self._answer_command(message, command)
        elif (said := read_message(message, bot=me)) is not None:
            await self.runtime.finish(self.runtime.store_live(said))
            self._name_unknown(message)
            if said.is_addressed and self.runtime.answerer is not None:
                self._start(self._answer(message, said))

    def _name_unknown(self, message: telegram.Message) -> None:
        """Say the id of a group that is not set up, which Telegram shows nowhere."""
        chat, channel = message.chat, read_channel(message)
        if channel.audience == "server" and channel.server not in self.runtime.rules.servers:
            if chat.id not in self._told:
                self.runtime.note(f"Not remembered: {chat.title} ({chat.id}). Name it with --chat={chat.id}")
            self._told.add(chat.id)

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _answer(self, message: telegram.Message, said: Any) -> None:
        if text := await asyncio.to_thread(self.runtime.answer, said):
            await self._send(message.reply_text(text[:LONGEST_ANSWER]))

    async def _answer_command(self, message: telegram.Message, text: str) -> None:
        """Answer a command in the private chat. Who asks comes from Telegram, never from the command."""
        assert message.from_user is not None
        user, chat = f"user{message.from_user.id}", message.from_user.id
        answered = read_answered(message)
        if text.casefold() == _FORGET and answered is not None:
            await self.runtime.finish(self.runtime.store_deletion([answered]))
            answer = CommandAnswer(_ANSWERED)
        else:
            answer = await self.runtime.answer_command(lambda commands: commands.run(user, text))
        try:
            for part in split_answer(answer.text, LONGEST_ANSWER):
                await self._bot.send_message(chat, part)
            if answer.file:
                await self._bot.send_document(chat, answer.file, filename=answer.file_name)
        except Forbidden:
            link = f"https://t.me/{self._bot.bot.username}"
            await self._send(message.reply_text(f"I answer you alone: open {link}, press Start, and ask there."))
        except TelegramError as problem:
            log.warning("an answer could not be sent: %s", type(problem).__name__)

    async def _send(self, sending: Awaitable[Any]) -> None:
        try:
            await sending
        except TelegramError as problem:
            log.warning("an answer could not be sent: %s", type(problem).__name__)


def run_telegram(runtime: BotRuntime, token: str, stopped: StopFlag, **options: Any) -> None:
    """Run the bot until the process is told to stop; what was begun is stored first."""

    async def run() -> None:
        bot = TelegramBot(runtime, telegram.Bot(token, **options))
        await run_until_stopped(bot.run(), bot.close, stopped)

    try:
        asyncio.run(run())
    except (InvalidToken, Forbidden):
        raise ConfigError(
            f"Telegram refused the token: copy it from @BotFather (/mybots, API Token) and set it in {TOKEN_VARIABLE}"
        ) from None
    except Conflict:
        raise ConfigError(
            "another program reads this bot's messages, or it has a webhook: stop that one, a bot has one reader"
        ) from None
    except NetworkError as problem:
        raise ServerUnavailable(f"Telegram cannot be reached: {type(problem).__name__}; try again later") from problem
    finally:
        runtime.close()
