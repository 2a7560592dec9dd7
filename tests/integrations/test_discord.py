"""COM-16, the bot on Discord: the real discord.py against a gateway and a REST API of this machine."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.conftest import OpenMemory
from tests.integrations.fake_discord import (
    ANA,
    BEN,
    BOT,
    DIRECT,
    GENERAL,
    GUILD,
    MODS,
    OWN,
    RANDOM,
    TOKEN,
    FakeDiscord,
    user,
)
from tests.integrations.table import Integration
from tests.shell import Shell
from toldonce import Memory
from toldonce.errors import ConfigError, InputError, ModelError, ServerUnavailable
from toldonce.integrations.chat.answering import AnswerRequest
from toldonce.integrations.chat.discord_bot import DiscordBot, run_discord
from toldonce.integrations.chat.rules import ChatRules
from toldonce.integrations.chat.runtime import BotRuntime
from toldonce.stopping import StopFlag

INTEGRATION = Integration(
    name="Discord",
    package="discord.py",
    module="toldonce.integrations.chat",
    page="discord.md",
    works={
        "messages with display names in place of mentions": "test_messages_are_remembered_as_people_see_them",
        "edits": "test_an_edit_replaces_what_was_said_also_when_the_library_has_forgotten_the_message",
        "deletions, also in bulk": "test_deleted_messages_are_redacted_one_by_one_and_in_bulk",
        "threads": "test_a_thread_is_its_own_conversation_and_settles_when_it_is_closed",
        "`/memory` commands, answered privately": "test_people_see_correct_and_forget_their_own_by_commands",
        "opt-out and opt-in": "test_who_opts_out_is_deleted_and_not_remembered_again",
        "resuming": "test_a_resumed_connection_loses_and_repeats_nothing",
        "reading up a gap": "test_what_was_written_during_a_gap_is_read_from_the_history",
        "edits and deletions in a gap, of the last 100 messages of a channel": (
            "test_edits_and_deletions_during_a_gap_are_followed_when_they_are_recent"
        ),
        "answers by a model": "test_the_bot_answers_when_it_is_addressed",
    },
    lacks=(
        "direct messages from while the bot was away",
        "messages from before the bot came (import an export)",
        "a memory on a server of Toldonce",
    ),
)
PATIENCE_S = 30
RULES = ChatRules(servers={str(GUILD): "main"})


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("community")


def texts(memory: Memory, *, space: str = "main") -> list[str]:
    found = memory.review.records(None, kinds=["message"], limit=500, space=space)
    return [record.text for record in sorted(found, key=lambda one: one.at)]


async def until(is_so: Callable[[], object]) -> None:
    """Waits for something that the bot does on its own."""
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():
            await asyncio.sleep(0.01)


@asynccontextmanager
async def connected(
    fake: FakeDiscord, memory: Memory, rules: ChatRules = RULES, *, is_killed: bool = False, **options: Any
) -> AsyncIterator[DiscordBot]:
    """A bot that is connected and has read what it had missed; one that is killed stores nothing at its end."""
    shared = {name: options.pop(name) for name in ("answerer", "note") if name in options}
    runtime = BotRuntime(memory, rules, platform="discord", **shared)
    bot = DiscordBot(runtime, **options)
    running = asyncio.ensure_future(bot.start(TOKEN))
    try:
        await until(lambda: bot._reading is not None and bot._reading.done())
        yield bot
    finally:
        await bot.close()
        await asyncio.wait({running})
        if not is_killed:
            await asyncio.to_thread(runtime.close)
    running.result()


def play(story: Callable[[FakeDiscord], Awaitable[None]]) -> None:
    async def run() -> None:
        async with FakeDiscord().run() as fake:
            await story(fake)

    asyncio.run(run())


def test_messages_are_remembered_as_people_see_them(memory: Memory) -> None:
    async def story(fake: FakeDiscord) -> None:
        async with connected(fake, memory):
            await fake.post(
                GENERAL,
                ANA,
                f"yo <@{BEN['id']}> <@&{GUILD}> see <#{RANDOM}> at <t:1772450000:R> <:chalk:55> ok?",
                mentions=[BEN],
                attachments=[{"id": "1", "filename": "topo.pdf", "size": 1, "url": "u", "proxy_url": "u"}],
            )
            await fake.post(GENERAL, BEN, "tô chegando, 10min", nick="Benny")
            await fake.post(GENERAL, BEN, "vale, te espero", nick="Benny", type=19)
            await fake.post(GENERAL, user(13, "Beep", bot=True), "beep")
            await fake.post(GENERAL, OWN, "i am the bot")
            await fake.post(GENERAL, ANA, "", type=7)
            await fake.post(GENERAL, ANA, "!play something")
            await fake.post(MODS, ANA, "we should ban Zorro")
            await fake.post(RANDOM, ANA, "last one")
            await until(lambda: "last one" in texts(memory))

    play(story)
    shown = "yo @Ben @@everyone see #random at 2026-03-02 11:13 UTC :chalk: ok?"
    assert texts(memory) == [shown, "tô chegando, 10min", "vale, te espero", "last one"]
    kept = next(one for one in memory.review.records(None, kinds=["message"]) if one.text == shown)
    assert (kept.user, kept.author, kept.metadata["attachments"]) == (ANA["id"], "Ana", ["topo.pdf"])
    assert {person.display_name for person in memory.people.all()} == {"Ana", "Benny"}


@pytest.mark.parametrize("remembered", [1000, None], ids=["cached", "not cached"])
def test_an_edit_replaces_what_was_said_also_when_the_library_has_forgotten_the_message(
    memory: Memory, remembered: int | None
) -> None:
    async def story(fake: FakeDiscord) -> None:
        async with connected(fake, memory, max_messages=remembered):
            first = await fake.post(GENERAL, ANA, "i moved to Porto")
            await fake.edit(first, "i moved to Braga, typo")
            # A preview that Discord adds is an update without an edit.
            second = await fake.post(GENERAL, ANA, "https://example.org/crag")
            await fake.dispatch("MESSAGE_UPDATE", {**second, "embeds": [{"type": "link", "url": "u"}]})
            await until(lambda: texts(memory) == ["i moved to Braga, typo", "https://example.org/crag"])

    play(story)


def test_deleted_messages_are_redacted_one_by_one_and_in_bulk(memory: Memory) -> None:
    async def story(fake: FakeDiscord) -> None:
        async with connected(fake, memory, max_messages=None):
            said = [await fake.post(GENERAL, BEN, f"oops number {n}") for n in range(5)]
            await fake.post(GENERAL, ANA, "everything fine?")
            await fake.delete(said[0])
            await fake.delete(*said[1:])
            await until(lambda: texts(memory) == ["everything fine?"])

    play(story)


def test_a_thread_is_its_own_conversation_and_settles_when_it_is_closed(memory: Memory) -> None:
    async def story(fake: FakeDiscord) -> None:
        async with connected(fake, memory):
            thread, other = await fake.open_thread(GENERAL, "sunday trip"), await fake.open_thread(GENERAL, "oops")
            await fake.post(int(thread["id"]), ANA, "i can drive, i have a van for six people")
            await fake.post(int(other["id"]), ANA, "wrong thread lol")
            await fake.post(GENERAL, BEN, "who drives on sunday?")
            await until(lambda: len(texts(memory)) == 3)
            open_now = {one.channel for one in memory.sessions.unsettled()}
            assert open_now == {thread["id"], other["id"], str(GENERAL)}
            closed = {**thread, "thread_metadata": {**thread["thread_metadata"], "archived": True}}
            await fake.dispatch("THREAD_UPDATE", closed)
            await until(lambda: thread["id"] not in {one.channel for one in memory.sessions.unsettled()})
            gone = {name: other[name] for name in ("id", "guild_id", "parent_id", "type")}
            await fake.dispatch("THREAD_DELETE", gone)
            await until(lambda: len(texts(memory)) == 2)

    play(story)
    kept = next(one for one in memory.review.records(None, kinds=["message"]) if "van" in one.text)
    assert kept.metadata["parent_channel"] == str(GENERAL)


def test_a_resumed_connection_loses_and_repeats_nothing(memory: Memory) -> None:
    async def story(fake: FakeDiscord) -> None:
        async with connected(fake, memory):
            await fake.post(GENERAL, ANA, "before")
            await until(lambda: texts(memory) == ["before"])
            await fake.ask_to_reconnect()
            await fake.post(GENERAL, ANA, "during")
            await until(lambda: fake.resumed)
            await fake.post(GENERAL, ANA, "after")
            await until(lambda: "after" in texts(memory))

    play(story)
    assert texts(memory) == ["before", "during", "after"]


def test_what_was_written_during_a_gap_is_read_from_the_history(memory: Memory) -> None:
    async def story(fake: FakeDiscord) -> None:
        await fake.post(GENERAL, BEN, "from before the bot came")
        async with connected(fake, memory) as bot:
            await fake.post(GENERAL, ANA, "before")
            await until(lambda: texts(memory) == ["before"])
            first = bot._reading
            await fake.invalidate()
            await fake.post(GENERAL, BEN, "while the session was lost")
            await fake.post(RANDOM, BEN, "in a channel where nobody had written")
            await until(lambda: bot._reading is not first and bot._reading and bot._reading.done())
            await until(lambda: len(texts(memory)) == 3)
        for n in range(250):
            await fake.post(GENERAL, BEN, f"while the bot was off {n}")
        thread, number = await fake.open_thread(GENERAL, "new thread"), fake.snowflake()
        await fake.post(int(thread["id"]), ANA, "in a thread that is new")
        await fake.open_channel(number, "new")
        await fake.post(number, ANA, "in a channel that is new")
        await fake.post(MODS, ANA, "never read")
        fake.history_requests.clear()
        async with connected(fake, memory):
            await fake.post(GENERAL, ANA, "back again")
            await until(lambda: "back again" in texts(memory))
        assert not any(str(MODS) in request for request in fake.history_requests)
        fake.history_requests.clear()
        async with connected(fake, memory):
            assert len(texts(memory)) == 256

    play(story)
    found = texts(memory)
    assert found[:3] == ["before", "while the session was lost", "in a channel where nobody had written"]
    assert found[3:253] == [f"while the bot was off {n}" for n in range(250)]
    assert found[253:] == ["in a thread that is new", "in a channel that is new", "back again"]


def test_edits_and_deletions_during_a_gap_are_followed_when_they_are_recent(memory: Memory) -> None:
    async def story(fake: FakeDiscord) -> None:
        async with connected(fake, memory):
            said = [await fake.post(GENERAL, ANA, f"thing number {n}") for n in range(5)]
            await fake.post(RANDOM, BEN, "elsewhere")
            await until(lambda: len(texts(memory)) == 6)
        await fake.edit(said[1], "thing number one, edited")
        await fake.delete(said[2])
        await fake.delete(said[4])
        await fake.post(GENERAL, BEN, "new")
        async with connected(fake, memory):
            await until(lambda: "new" in texts(memory))

    play(story)
    assert texts(memory) == ["thing number 0", "thing number one, edited", "thing number 3", "elsewhere", "new"]


def test_a_bot_that_was_killed_reads_again_what_it_stored_and_stores_nothing_twice(memory: Memory) -> None:
    async def story(fake: FakeDiscord) -> None:
        async with connected(fake, memory, is_killed=True):
            for number in range(5):
                await fake.post(GENERAL, ANA, f"i have secret number {number}")
            await until(lambda: len(texts(memory)) == 5)
            found = (await command(fake, ANA, "search", query="secret number 3"))["content"]
            entry = re.findall(r"secret number 3 `(\w+)`", found)[0]
            assert "Deleted" in (await command(fake, ANA, "forget", entry=entry))["content"]
            await fake.post(GENERAL, BEN, "ok")
            await until(lambda: "ok" in texts(memory))
        await fake.post(GENERAL, BEN, "while it was dead")
        async with connected(fake, memory):
            await until(lambda: "while it was dead" in texts(memory))

    play(story)
    kept = [f"i have secret number {number}" for number in (0, 1, 2, 4)]
    assert texts(memory) == [*kept, "ok", "while it was dead"]


async def command(fake: FakeDiscord, author: dict[str, Any], name: str, **options: Any) -> dict[str, Any]:
    """What a command is answered with."""
    before = len(fake.replies)
    await fake.interact(author, name, **options)
    await until(lambda: len(fake.replies) > before)
    answer = fake.replies[before]
    assert answer["flags"] == 64, "only the person sees it"
    return answer


def test_people_see_correct_and_forget_their_own_by_commands(memory: Memory) -> None:
    async def story(fake: FakeDiscord) -> None:
        async with connected(fake, memory):
            assert [one["name"] for one in fake.commands] == ["memory"]
            await fake.post(GENERAL, ANA, "i work as a nurse in Faro")
            await fake.post(GENERAL, BEN, "i'm allergic to peanuts btw")
            await until(lambda: len(texts(memory)) == 2)
            memory.settle()
            shown = (await command(fake, ANA, "show"))["content"]
            assert "nurse" in shown and "peanuts" not in shown
            found = (await command(fake, BEN, "search", query="peanuts"))["content"]
            entry = re.findall(r"allergic to peanuts `(\w+)`", found)[0]
            await fake.type_into(BEN, "forget", "entry", "pean")
            await until(lambda: any(one["type"] == 8 for one in fake.callbacks))
            choices = next(one for one in fake.callbacks if one["type"] == 8)["data"]["choices"]
            assert all("nurse" not in choice["name"] for choice in choices)
            assert "no such entry" in (await command(fake, ANA, "forget", entry=entry))["content"]
            assert "no such entry" in (await command(fake, ANA, "correct", entry=entry, text="x"))["content"]
            assert "Corrected" in (await command(fake, BEN, "correct", entry=entry, text="I eat everything"))["content"]
            exported = await command(fake, ANA, "export")
            assert "nurse" in exported["file"] and "peanuts" not in exported["file"]
            mine = re.findall(r"`(\w+)`", (await command(fake, ANA, "show"))["content"])
            for one in mine:
                await command(fake, ANA, "forget", entry=one)
            assert "Nothing is known" in (await command(fake, ANA, "show"))["content"]

    play(story)
    assert not any("nurse" in text for text in texts(memory))


def test_who_opts_out_is_deleted_and_not_remembered_again(memory: Memory) -> None:
    async def story(fake: FakeDiscord) -> None:
        async with connected(fake, memory):
            await fake.post(GENERAL, ANA, "i'm getting divorced :(")
            await fake.post(GENERAL, BEN, "oh no")
            await until(lambda: len(texts(memory)) == 2)
            assert "deleted" in (await command(fake, ANA, "opt-out", delete=True))["content"]
            await fake.post(GENERAL, ANA, "still here")
            await fake.post(GENERAL, BEN, "ok?")
            await until(lambda: texts(memory) == ["oh no", "ok?"])
        # What is read again from the history is still not remembered.
        memory.store.write(lambda t: t.documents.set_setting("main", "chat:discord", "{}"))
        async with connected(fake, memory):
            await command(fake, ANA, "opt-in")
            await fake.post(GENERAL, ANA, "new me")
            await until(lambda: texts(memory) == ["oh no", "ok?", "new me"])

    play(story)


def test_the_bot_answers_when_it_is_addressed(memory: Memory) -> None:
    asked: list[AnswerRequest] = []

    def answer(request: AnswerRequest) -> str:
        asked.append(request)
        return "At nine, says Ana. @everyone"

    async def story(fake: FakeDiscord) -> None:
        async with connected(fake, memory, answerer=answer):
            await fake.post(GENERAL, ANA, "we meet at nine at the van")
            await fake.post(GENERAL, BEN, f"<@{BOT}> when do we meet?", mentions=[OWN])
            await until(lambda: fake.replies)
            await fake.post(GENERAL, BEN, "thanks")
            await until(lambda: "thanks" in texts(memory))

    play(story)
    assert len(asked) == 1 and asked[0].message.text == "@Toldonce when do we meet?"
    assert any("nine" in one.text for one in asked[0].before)
    assert "At nine, says Ana. @everyone" not in texts(memory)


def test_direct_messages_are_remembered_apart_if_they_are_chosen(memory: Memory) -> None:
    async def story(fake: FakeDiscord) -> None:
        async with connected(fake, memory, ChatRules(servers={str(GUILD): "main"}, has_direct=True)):
            first = await fake.post(DIRECT, ANA, "my pin is on the fridge", guild_id=None)
            await fake.post(DIRECT, ANA, "and i hate mondays", guild_id=None)
            await until(lambda: len(texts(memory, space=f"@{ANA['id']}")) == 2)
            await fake.delete(first)
            await until(lambda: texts(memory, space=f"@{ANA['id']}") == ["and i hate mondays"])

    play(story)
    assert texts(memory) == []


def test_a_server_where_commands_are_refused_is_remembered_all_the_same(memory: Memory) -> None:
    notes: list[str] = []

    async def story(fake: FakeDiscord) -> None:
        fake.refuses_commands = True
        async with connected(fake, memory, note=notes.append):
            await fake.post(GENERAL, ANA, "hello")
            await until(lambda: texts(memory) == ["hello"])

    play(story)
    assert any("scope=bot+applications.commands" in note for note in notes)
    assert "Remembering Climbers" in notes


def test_an_answer_that_fails_is_no_answer(memory: Memory) -> None:
    def fail(_: AnswerRequest) -> str:
        raise ModelError("no model")

    async def story(fake: FakeDiscord) -> None:
        async with connected(fake, memory, answerer=fail):
            await fake.post(GENERAL, BEN, f"<@{BOT}> when do we meet?", mentions=[OWN])
            await fake.post(GENERAL, BEN, "anyone?")
            await until(lambda: len(texts(memory)) == 2)
        assert fake.replies == []

    play(story)


def run_bot(fake: FakeDiscord, memory: Memory, rules: ChatRules, token: str = TOKEN) -> None:
    runtime = BotRuntime(memory, rules, platform="discord")
    run_discord({}, runtime, token, StopFlag())


@pytest.mark.parametrize(
    ("rules", "token", "closes_with", "problem", "advice"),
    [
        (RULES, "wrong", None, ConfigError, "DISCORD_TOKEN"),
        (RULES, TOKEN, 4014, ConfigError, "Message Content Intent"),
        (ChatRules(), TOKEN, None, InputError, "Climbers (1000)"),
    ],
)
def test_what_is_missing_is_said_with_what_to_do(
    memory: Memory, rules: ChatRules, token: str, closes_with: int | None, problem: type[Exception], advice: str
) -> None:
    async def story(fake: FakeDiscord) -> None:
        fake.close_with = closes_with
        with pytest.raises(problem, match=re.escape(advice)):
            await asyncio.to_thread(run_bot, fake, memory, rules, token)

    play(story)


def test_a_discord_that_cannot_be_reached_is_an_error(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discord.http.Route.BASE", "http://127.0.0.1:9/api")
    with pytest.raises(ServerUnavailable, match="cannot be reached"):
        run_bot(FakeDiscord.__new__(FakeDiscord), memory, RULES)


def test_stopping_finishes_what_was_begun(memory: Memory) -> None:
    async def story(fake: FakeDiscord) -> None:
        stopped, runtime = StopFlag(), BotRuntime(memory, RULES, platform="discord")
        running = asyncio.create_task(asyncio.to_thread(run_discord, {}, runtime, TOKEN, stopped))
        await asyncio.wait_for(fake.is_ready.wait(), PATIENCE_S)
        await fake.post(GENERAL, ANA, "hello")
        await until(lambda: texts(memory) == ["hello"])
        stopped.set()
        await asyncio.wait_for(running, PATIENCE_S)

    play(story)


def test_the_command_says_what_it_needs(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    assert "DISCORD_TOKEN" in shell("bot", "discord", code=2).stderr
    monkeypatch.setenv("DISCORD_TOKEN", "x")
    assert "Copy Server ID" in shell("bot", "discord", "--server", "climbers", code=2).stderr
    assert "writer" in shell("bot", "discord", "--server", "1", "--answer", code=2).stderr
    assert "share the space" in shell("bot", "discord", "--server", "1", "--server", "2", code=2).stderr
