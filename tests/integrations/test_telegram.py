"""The bot on Telegram: the real python-telegram-bot against a Bot API of this machine."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import telegram

from tests.conftest import OpenMemory
from tests.integrations.fake_telegram import ANA, BEN, GROUP, OWN, SECOND, TOKEN, FakeTelegram, person
from tests.integrations.table import Integration
from tests.integrations.test_discord import PATIENCE_S, until
from tests.shell import Shell
from toldonce import Memory
from toldonce.errors import ConfigError, ServerUnavailable
from toldonce.integrations.chat.answering import AnswerRequest
from toldonce.integrations.chat.rules import ChatRules
from toldonce.integrations.chat.runtime import BotRuntime
from toldonce.integrations.chat.telegram_bot import TelegramBot, run_telegram
from toldonce.stopping import StopFlag

INTEGRATION = Integration(
    name="Telegram",
    package="python-telegram-bot",
    module="toldonce.integrations.chat",
    page="telegram.md",
    works={
        "messages of groups": "test_groups_that_are_set_up_are_remembered",
        "edits": "test_an_edit_replaces_what_was_said_on_telegram",
        "topics as threads": "test_a_topic_is_its_own_conversation",
        "`/memory` commands, answered in the private chat": "test_commands_are_answered_to_the_person_alone",
        "no message lost or doubled by a stop": "test_what_was_not_confirmed_comes_again_and_is_stored_once",
        "answers by a model": "test_the_bot_answers_on_telegram_when_it_is_addressed",
    },
    lacks=(
        "deletions: Telegram tells no bot of them; people answer a message with `/memory forget`",
        "messages from more than a day before a start, which Telegram drops",
        "a memory on a server of Toldonce",
    ),
)
RULES = ChatRules(servers={str(GROUP): "main"})


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("community")


def texts(memory: Memory, *, space: str = "main") -> list[str]:
    found = memory.review.records(None, kinds=["message"], limit=500, space=space)
    return [record.text for record in sorted(found, key=lambda one: one.at)]


async def no_pause(_: float) -> None:
    await asyncio.sleep(0)


@asynccontextmanager
async def connected(
    fake: FakeTelegram, memory: Memory, rules: ChatRules = RULES, **options: Any
) -> AsyncIterator[list[str]]:
    """Runs the bot; gives what it tells its operator."""
    notes: list[str] = []
    runtime = BotRuntime(memory, rules, platform="telegram", note=notes.append, **options)
    bot = TelegramBot(runtime, telegram.Bot(TOKEN, base_url=fake.url), pause=no_pause)
    running = asyncio.create_task(bot.run())
    try:
        yield notes
    finally:
        await bot.close()
        running.cancel()
        await asyncio.wait({running})
        await asyncio.to_thread(runtime.close)


def play(story: Callable[[FakeTelegram], Awaitable[None]]) -> None:
    async def run() -> None:
        async with FakeTelegram().run() as fake:
            await story(fake)

    asyncio.run(run())


def test_groups_that_are_set_up_are_remembered(memory: Memory) -> None:
    async def story(fake: FakeTelegram) -> None:
        async with connected(fake, memory) as notes:
            fake.post(GROUP, ANA, "im allergic to kiwi fyi")
            fake.post(GROUP, BEN, "bora escalar no domingo?")
            fake.post(SECOND, ANA, "family things")
            fake.post(11, ANA, "a private thing")
            fake.post(GROUP, {**OWN, "id": 98, "username": "other_bot"}, "beep")
            fake.post(GROUP, ANA, "/roll 2d6")
            fake.push(message={**fake.message(GROUP, ANA, ""), "new_chat_title": "Climbers!"})
            document = {"file_id": "f", "file_unique_id": "u", "file_name": "topo.pdf"}
            captioned = {**fake.message(GROUP, ANA, ""), "caption": "the topo of Monsanto", "document": document}
            del captioned["text"]
            fake.push(message=captioned)
            fake.post(GROUP, BEN, "vale!")
            await until(lambda: "vale!" in texts(memory))
        assert any(f"--chat={SECOND}" in note for note in notes)

    play(story)
    assert texts(memory) == ["im allergic to kiwi fyi", "bora escalar no domingo?", "the topo of Monsanto", "vale!"]
    assert {one.id: one.display_name for one in memory.people.all()} == {"user11": "Ana", "user12": "Ben Silva"}
    assert len(memory.spaces.all()) == 1


def test_an_imported_message_of_telegram_is_not_stored_again(memory: Memory, tmp_path: Path) -> None:
    async def story(fake: FakeTelegram) -> None:
        said = fake.message(GROUP, ANA, "who brings the rope")
        export = {
            "name": "Climbers",
            "type": "private_supergroup",
            "id": 1234567890,
            "messages": [
                {
                    "id": said["message_id"],
                    "type": "message",
                    "date": "2026-03-02T09:00:01",
                    "date_unixtime": str(said["date"]),
                    "from": "Ana",
                    "from_id": "user11",
                    "text": "who brings the rope",
                }
            ],
        }
        path = tmp_path / "result.json"
        path.write_text(json.dumps(export), encoding="utf-8")
        assert memory.import_(path).kept == 1
        async with connected(fake, memory):
            fake.push(message=said)
            fake.post(GROUP, BEN, "me")
            await until(lambda: "me" in texts(memory))

    play(story)
    assert texts(memory) == ["who brings the rope", "me"]


def test_an_edit_replaces_what_was_said_on_telegram(memory: Memory) -> None:
    async def story(fake: FakeTelegram) -> None:
        async with connected(fake, memory):
            first = fake.post(GROUP, ANA, "i live in Porto")
            fake.edit(first, "i live in Braga")
            await until(lambda: texts(memory) == ["i live in Braga"])

    play(story)


def test_a_topic_is_its_own_conversation(memory: Memory) -> None:
    async def story(fake: FakeTelegram) -> None:
        async with connected(fake, memory):
            fake.post(GROUP, ANA, "in general")
            fake.post(GROUP, BEN, "in the topic", message_thread_id=7, is_topic_message=True)
            await until(lambda: len(texts(memory)) == 2)

    play(story)
    assert {one.channel for one in memory.sessions.unsettled()} == {str(GROUP), f"{GROUP} 7"}


def test_commands_are_answered_to_the_person_alone(memory: Memory) -> None:
    async def story(fake: FakeTelegram) -> None:
        async with connected(fake, memory):
            fake.post(GROUP, ANA, "i work as a nurse in Faro")
            mine = fake.post(GROUP, BEN, "i'm allergic to peanuts btw")
            await until(lambda: len(texts(memory)) == 2)
            memory.settle()
            fake.post(GROUP, ANA, "/memory@other_bot show")
            fake.post(GROUP, ANA, "/memory@toldonce_bot show")
            await until(lambda: fake.said(11))
            assert "nurse" in fake.said(11)[0] and "peanuts" not in fake.said(11)[0]
            assert fake.said(GROUP) == []
            fake.post(GROUP, ANA, "/memory forget", reply_to_message=mine)
            await until(lambda: len(fake.said(11)) == 2)
            assert "no such entry" in fake.said(11)[1] and len(texts(memory)) == 2
            fake.post(GROUP, BEN, "/memory forget", reply_to_message=mine)
            await until(lambda: fake.said(12))
            assert texts(memory) == ["i work as a nurse in Faro"]
            fake.post(11, ANA, "/memory export")
            await until(lambda: fake.sent[-1][0] == "sendDocument")
            assert "nurse" in fake.sent[-1][1]["document"]
            fake.post(11, ANA, "/memory opt-out delete")
            fake.post(GROUP, ANA, "i am a ghost")
            fake.post(GROUP, BEN, "boo")
            await until(lambda: texts(memory) == ["boo"])
            fake.blocked_by.add(12)
            fake.post(GROUP, BEN, "/memory")
            await until(lambda: fake.said(GROUP))
            assert "https://t.me/toldonce_bot" in fake.said(GROUP)[0]

    play(story)


def test_what_was_not_confirmed_comes_again_and_is_stored_once(memory: Memory) -> None:
    async def story(fake: FakeTelegram) -> None:
        fake.post(GROUP, ANA, "written before the start")
        async with connected(fake, memory):
            # It is confirmed by the next request, which may come some time after it was stored.
            await until(lambda: len(texts(memory)) == 1 and fake.offsets[-1] > 0)
        last = fake.offsets[-1]
        assert not [one for one in fake.updates if one["update_id"] >= last]
        again = fake.post(GROUP, ANA, "delivered twice")
        fake.push(message=again)
        fake.errors = [(502, "Bad Gateway"), (429, "Too Many Requests: retry after 1")]
        async with connected(fake, memory):
            fake.post(GROUP, BEN, "ok")
            await until(lambda: "ok" in texts(memory))

    play(story)
    assert texts(memory) == ["written before the start", "delivered twice", "ok"]


def test_the_bot_answers_on_telegram_when_it_is_addressed(memory: Memory) -> None:
    asked: list[AnswerRequest] = []

    def answer(request: AnswerRequest) -> str:
        asked.append(request)
        return "At nine."

    async def story(fake: FakeTelegram) -> None:
        async with connected(fake, memory, answerer=answer):
            text = "@toldonce_bot when do we meet?"
            fake.post(GROUP, ANA, "we meet at nine")
            fake.post(GROUP, BEN, text, entities=[{"type": "mention", "offset": 0, "length": len("@toldonce_bot")}])
            await until(lambda: fake.said(GROUP))

    play(story)
    assert len(asked) == 1 and "At nine." not in texts(memory)


def test_a_bot_that_cannot_read_groups_says_how_to_let_it(memory: Memory) -> None:
    async def story(fake: FakeTelegram) -> None:
        fake.reads_all = False
        async with connected(fake, memory) as notes:
            await until(lambda: any("/setprivacy" in note for note in notes))

    play(story)


@pytest.mark.parametrize(
    ("token", "error", "problem", "advice"),
    [
        ("1:wrong", None, ConfigError, "TELEGRAM_TOKEN"),
        (TOKEN, (409, "Conflict: terminated by other getUpdates request"), ConfigError, "one reader"),
    ],
)
def test_what_telegram_refuses_is_said_with_what_to_do(
    memory: Memory, token: str, error: tuple[int, str] | None, problem: type[Exception], advice: str
) -> None:
    async def story(fake: FakeTelegram) -> None:
        fake.errors = [error] if error else []
        runtime = BotRuntime(memory, RULES, platform="telegram")
        with pytest.raises(problem, match=re.escape(advice)):
            await asyncio.to_thread(run_telegram, runtime, token, StopFlag(), base_url=fake.url)

    play(story)


def test_a_telegram_that_cannot_be_reached_is_an_error(memory: Memory) -> None:
    runtime = BotRuntime(memory, RULES, platform="telegram")
    with pytest.raises(ServerUnavailable, match="cannot be reached"):
        run_telegram(runtime, TOKEN, StopFlag(), base_url="http://127.0.0.1:9/bot")


def test_stopping_the_telegram_bot_finishes_what_was_begun(memory: Memory) -> None:
    async def story(fake: FakeTelegram) -> None:
        stopped, runtime = StopFlag(), BotRuntime(memory, RULES, platform="telegram")
        running = asyncio.create_task(asyncio.to_thread(run_telegram, runtime, TOKEN, stopped, base_url=fake.url))
        fake.post(GROUP, person(13, "Cleo"), "hello")
        await until(lambda: texts(memory) == ["hello"])
        stopped.set()
        await asyncio.wait_for(running, PATIENCE_S)

    play(story)


def test_the_telegram_command_says_what_it_needs(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TELEGRAM_TOKEN", raising=False)
    assert "@BotFather" in shell("bot", "telegram", code=2).stderr
    monkeypatch.setenv("TELEGRAM_TOKEN", "x")
    assert "share the space" in shell("bot", "telegram", "--chat=-1", "--chat=-2", code=2).stderr
