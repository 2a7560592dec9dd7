"""What the bots of all platforms share while they run: events in, writes in order, answers out, an orderly end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from toldonce.errors import ToldonceError
from toldonce.integrations.chat.answering import Answerer, build_request
from toldonce.integrations.chat.chat_memory import ChatMemory
from toldonce.integrations.chat.commands import CommandAnswer, MemoryCommands
from toldonce.integrations.chat.progress import Position, ReadProgress
from toldonce.integrations.chat.values import ChannelMessage, ChatAuthor, ChatChannel, DeletedMessage, HistoryWindow
from toldonce.integrations.chat.worker import ChatWorker
from toldonce.stopping import StopFlag

if TYPE_CHECKING:
    from toldonce.integrations.chat.rules import ChatRules
    from toldonce.memory import Memory

T = TypeVar("T")
FAILED = "That did not work. Please try again later."
log = logging.getLogger("toldonce.chat")


def _say_nothing(_: str) -> None:
    pass


class BotRuntime:
    """A memory, the rules of a chat, and the thread that writes. Its `store_` methods return at once.

    Positions are stored before anything is destroyed: with an older one, a process that is killed would later read what
    a person had forgotten from the history again.
    """

    def __init__(
        self,
        memory: Memory,
        rules: ChatRules,
        *,
        platform: str,
        answerer: Answerer | None = None,
        note: Callable[[str], None] = _say_nothing,
    ) -> None:
        self.chat = ChatMemory(memory, rules, platform=platform)
        self.rules = rules
        self.commands = MemoryCommands(self.chat)
        self.progress = ReadProgress(memory, platform)
        self.answerer = answerer
        self.note = note
        self._worker = ChatWorker()

    def store_live(self, message: ChannelMessage) -> Future[Any]:
        """Store a message that was just written."""

        def store() -> None:
            self.chat.observe([message])
            if not self.chat.skips(message.channel):
                self.progress.note_live(message.channel.source, Position(message.at, message.id))

        return self._worker.submit(store)

    def store_history(self, channel: ChatChannel, messages: Sequence[ChannelMessage], last: Position) -> Future[Any]:
        """Store messages of a channel's history, oldest first; it was read up to `last`."""

        def store() -> None:
            self.chat.observe(messages)
            self.progress.note_read(channel.source, last)

        return self._worker.submit(store)

    def store_window(self, window: HistoryWindow) -> Future[Any]:
        """Follow edits and deletions of a stretch of history that was read again."""
        return self._worker.submit(lambda: self.chat.compare(window))

    def store_edit(self, message: ChannelMessage) -> Future[Any]:
        """Store what an edited message says now."""
        return self._worker.submit(lambda: self.chat.replace(message))

    def store_deletion(self, deleted: Sequence[DeletedMessage]) -> Future[Any]:
        """Redact deleted messages."""

        def redact() -> None:
            self.progress.save()
            self.chat.redact(deleted)

        return self._worker.submit(redact)

    def store_channel_deletion(self, channel: ChatChannel) -> Future[Any]:
        """Redact everything that was said in a channel or thread that is gone."""
        return self._worker.submit(lambda: self.chat.redact_channel(channel))

    def store_name(self, author: ChatAuthor, *, server: str) -> Future[Any]:
        """Keep what somebody is called now."""
        return self._worker.submit(lambda: self.chat.rename(author, server=server))

    def store_end(self, channel: ChatChannel) -> Future[Any]:
        """Settle a thread that was closed."""
        return self._worker.submit(lambda: self.chat.end_thread(channel))

    def run_command(self, command: Callable[[MemoryCommands], CommandAnswer]) -> Future[CommandAnswer | None]:
        """Answer a command after what was said before it is stored."""

        def answer() -> CommandAnswer:
            self.progress.save()
            return command(self.commands)

        return self._worker.submit(answer)

    async def finish(self, storing: Future[T]) -> T:
        """What a write gave; who stops waiting does not stop the write."""
        return await asyncio.shield(asyncio.wrap_future(storing))

    async def answer_command(self, command: Callable[[MemoryCommands], CommandAnswer]) -> CommandAnswer:
        """The same for programs that must not wait in their thread."""
        return await self.finish(self.run_command(command)) or CommandAnswer(FAILED)

    def answer(self, message: ChannelMessage) -> str:
        """What the bot says to a message that addresses it; "" for nothing. It waits for the model."""
        if self.answerer is None or not message.is_addressed or not self.chat.find_space(message):
            return ""
        try:
            return self.answerer(build_request(self.chat, message))
        except ToldonceError as problem:
            log.error("no answer: %s", problem)
            return ""

    def close(self) -> None:
        """Finish what was begun and store how far channels were read."""
        self._worker.close()
        self.progress.save()


async def run_until_stopped(
    run: Coroutine[Any, Any, None], close: Callable[[], Coroutine[Any, Any, None]], stopped: StopFlag
) -> None:
    """Run a bot until it ends or the process is told to stop, then close it; errors of the bot come out."""
    running = asyncio.ensure_future(run)
    waiting = asyncio.ensure_future(asyncio.to_thread(stopped.wait))
    try:
        await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
        await close()
        if not running.done():
            running.cancel()
        await asyncio.wait({running})
    finally:
        stopped.set()
        await waiting
    if not running.cancelled():
        running.result()
