"""The bot on Slack: the real slack-bolt in Socket Mode against a Slack of this machine."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import OpenMemory
from tests.integrations.fake_slack import (
    ANA,
    APP_TOKEN,
    BEN,
    BOT,
    BOT_TOKEN,
    DIRECT,
    GENERAL,
    PATIENCE_S,
    PEOPLE,
    PRIVATE,
    TEAM,
    FakeSlack,
)
from tests.integrations.table import Integration
from tests.shell import Shell
from toldonce import Memory
from toldonce.errors import ConfigError, ServerUnavailable
from toldonce.integrations.chat.answering import AnswerRequest
from toldonce.integrations.chat.rules import ChatRules
from toldonce.integrations.chat.runtime import BotRuntime
from toldonce.integrations.chat.slack_bot import SlackBot, find_workspace, open_client, run_slack
from toldonce.stopping import StopFlag

INTEGRATION = Integration(
    name="Slack",
    package="slack_bolt",
    module="toldonce.integrations.chat",
    page="slack.md",
    works={
        "messages with display names in place of mentions": "test_channels_of_a_workspace_are_remembered",
        "edits and deletions": "test_edits_and_deletions_on_slack_are_followed",
        "threads": "test_a_thread_on_slack_is_its_own_conversation",
        "`/memory` commands, answered privately": "test_slash_commands_are_answered_to_the_person_alone",
        "reading up a gap": "test_what_was_written_while_slack_was_away_is_read_from_the_history",
        "edits and deletions in a gap, of the last 100 messages of a channel": (
            "test_edits_and_deletions_while_slack_was_away_are_followed_when_they_are_recent"
        ),
        "answers by a model": "test_the_bot_answers_on_slack_in_a_thread",
    },
    lacks=(
        "answers in older threads from while the bot was away",
        "events over HTTP: it uses Socket Mode, which needs no public address",
        "a memory on a server of Toldonce",
    ),
)
RULES = ChatRules(servers={TEAM: "main"})


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("community")


@pytest.fixture
def fake() -> Iterator[FakeSlack]:
    with FakeSlack().run() as running:
        yield running


def texts(memory: Memory, *, space: str = "main") -> list[str]:
    found = memory.review.records(None, kinds=["message"], limit=500, space=space)
    return [record.text for record in sorted(found, key=lambda one: one.at)]


def until(is_so: Callable[[], object]) -> None:
    """Waits for something that the bot does on its own."""
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


@contextmanager
def connected(fake: FakeSlack, memory: Memory, rules: ChatRules = RULES, **options: Any) -> Iterator[SlackBot]:
    """A bot that is connected and has read what it had missed."""
    client = open_client(BOT_TOKEN, base_url=f"{fake.url}/api/")
    runtime = BotRuntime(memory, rules, platform="slack", **options)
    bot, stopped = SlackBot(runtime, client, find_workspace(client)), StopFlag()
    running = threading.Thread(target=run_slack, args=(bot, APP_TOKEN, stopped), daemon=True)
    before = fake.connections
    running.start()
    try:
        until(lambda: fake.connections > before)
        until(lambda: runtime.progress.last(GENERAL) is not None)
        yield bot
    finally:
        stopped.set()
        running.join(PATIENCE_S)
    assert not running.is_alive()


def test_channels_of_a_workspace_are_remembered(fake: FakeSlack, memory: Memory) -> None:
    with connected(fake, memory):
        fake.post(GENERAL, ANA, f"hey <@{BEN}> see <#C2|random> and <https://example.org|this> &amp; that")
        fake.post(GENERAL, BEN, "tô dentro", files=[{"name": "topo.pdf"}], subtype="file_share")
        fake.post(GENERAL, ANA, "has joined the channel", subtype="channel_join")
        fake.post(GENERAL, BOT, "beep", bot_id="B1")
        fake.post(PRIVATE, ANA, "we should sell the company")
        fake.post(DIRECT, ANA, "just between us")
        fake.post(GENERAL, ANA, "vale, hasta mañana")
        until(lambda: "vale, hasta mañana" in texts(memory))
        renamed = {**PEOPLE[ANA], "profile": {"display_name": "Anita"}}
        fake.send_event({"type": "user_change", "user": renamed, "event_ts": "1"})
        until(lambda: "Anita" in {one.display_name for one in memory.people.all()})
    assert texts(memory) == ["hey @Ben Silva see #random and this & that", "tô dentro", "vale, hasta mañana"]
    assert {one.id: one.display_name for one in memory.people.all()} == {ANA: "Anita", BEN: "Ben Silva"}


def test_an_imported_message_of_slack_is_not_stored_again(fake: FakeSlack, memory: Memory, tmp_path: Path) -> None:
    with connected(fake, memory):
        said = fake.post(GENERAL, ANA, "who brings the rope")
        until(lambda: texts(memory))
        folder = tmp_path / "export"
        (folder / "general").mkdir(parents=True)
        (folder / "users.json").write_text(json.dumps(list(PEOPLE.values())), encoding="utf-8")
        (folder / "channels.json").write_text(json.dumps([{"id": GENERAL, "name": "general"}]), encoding="utf-8")
        (folder / "general" / "2026-03-02.json").write_text(json.dumps([said]), encoding="utf-8")
        assert memory.import_(folder).kept == 0
    assert texts(memory) == ["who brings the rope"]


def test_edits_and_deletions_on_slack_are_followed(fake: FakeSlack, memory: Memory) -> None:
    with connected(fake, memory):
        first, second = fake.post(GENERAL, ANA, "i live in Porto"), fake.post(GENERAL, BEN, "my boss is Quintela")
        third = fake.post(GENERAL, BEN, "parent of a thread")
        fake.edit(GENERAL, first, "i live in Braga")
        fake.delete(GENERAL, second)
        # A message with answers leaves a tombstone.
        gone = {"type": "message", "subtype": "tombstone", "user": "USLACKBOT", "text": "This message was deleted."}
        fake._tell_change("message_changed", GENERAL, message={**gone, "ts": third["ts"]}, previous_message=third)
        until(lambda: texts(memory) == ["i live in Braga"])


def test_a_thread_on_slack_is_its_own_conversation(fake: FakeSlack, memory: Memory) -> None:
    with connected(fake, memory):
        root = fake.post(GENERAL, ANA, "who drives on sunday?")
        fake.post(GENERAL, BEN, "i can, i have a van", thread_ts=root["ts"])
        until(lambda: len(texts(memory)) == 2)
    assert {one.channel for one in memory.sessions.unsettled()} == {GENERAL, f"{GENERAL} {root['ts']}"}


def test_slash_commands_are_answered_to_the_person_alone(fake: FakeSlack, memory: Memory) -> None:
    def answer(user: str, text: str) -> str:
        before = len(fake.responses)
        fake.command(user, text)
        until(lambda: len(fake.responses) > before)
        assert fake.responses[before]["response_type"] == "ephemeral"
        return str(fake.responses[before]["text"])

    with connected(fake, memory):
        fake.post(GENERAL, ANA, "i work as a nurse in Faro")
        fake.post(GENERAL, BEN, "i'm allergic to peanuts btw")
        until(lambda: len(texts(memory)) == 2)
        memory.settle()
        shown = answer(ANA, "")
        assert "nurse" in shown and "peanuts" not in shown
        entry = re.findall(r"`(\w+)`", answer(BEN, "show"))[0]
        assert "no such entry" in answer(ANA, f"forget {entry}")
        assert "Deleted" in answer(BEN, f"forget {entry}")
        answer(ANA, "export")
        until(lambda: fake.uploads)
        assert b"nurse" in fake.uploads[0] and b"peanuts" not in fake.uploads[0]
        assert "deleted" in answer(ANA, "opt-out delete")
        fake.post(GENERAL, ANA, "i am a ghost")
        fake.post(GENERAL, BEN, "boo")
        until(lambda: texts(memory) == ["boo"])


def test_what_was_written_while_slack_was_away_is_read_from_the_history(fake: FakeSlack, memory: Memory) -> None:
    fake.post(GENERAL, ANA, "from before the bot came")
    with connected(fake, memory):
        fake.post(GENERAL, ANA, "live")
        until(lambda: texts(memory) == ["live"])
        fake.drop()
        fake.post(GENERAL, BEN, "while the connection was lost")
        until(lambda: len(texts(memory)) == 2)
    root = fake.post(GENERAL, BEN, "while the bot was off")
    fake.post(GENERAL, ANA, "answered in the thread", thread_ts=root["ts"])
    for number in range(5):
        fake.post(GENERAL, BEN, f"more {number}")
    with connected(fake, memory):
        until(lambda: len(texts(memory)) == 9)
    assert texts(memory)[1:] == [
        "while the connection was lost",
        "while the bot was off",
        "answered in the thread",
        *(f"more {number}" for number in range(5)),
    ]
    with connected(fake, memory):
        fake.post(GENERAL, BEN, "once")
        until(lambda: "once" in texts(memory))
    assert len(texts(memory)) == 10


def test_edits_and_deletions_while_slack_was_away_are_followed_when_they_are_recent(
    fake: FakeSlack, memory: Memory
) -> None:
    with connected(fake, memory):
        first, second = fake.post(GENERAL, ANA, "i live in Porto"), fake.post(GENERAL, BEN, "my boss is Quintela")
        fake.post(GENERAL, BEN, "the end")
        until(lambda: "the end" in texts(memory))
    fake.edit(GENERAL, first, "i live in Braga")
    fake.delete(GENERAL, second)
    with connected(fake, memory):
        until(lambda: texts(memory) == ["i live in Braga", "the end"])


def test_an_event_is_confirmed_once_it_is_stored(fake: FakeSlack, memory: Memory) -> None:
    with connected(fake, memory):
        message = {"type": "message", "user": ANA, "text": "hi", "ts": "1772442999.000100", "channel": GENERAL}
        first = fake.send_event(message)
        until(lambda: first in fake.confirmed)
        assert texts(memory) == ["hi"]
        again = fake.send_event(message)
        until(lambda: again in fake.confirmed)
        assert texts(memory) == ["hi"]


def test_the_bot_answers_on_slack_in_a_thread(fake: FakeSlack, memory: Memory) -> None:
    asked: list[AnswerRequest] = []

    def answer(request: AnswerRequest) -> str:
        asked.append(request)
        return "At nine."

    with connected(fake, memory, answerer=answer):
        fake.post(GENERAL, ANA, "we meet at nine")
        question = fake.post(GENERAL, BEN, f"<@{BOT}> when do we meet?")
        until(lambda: fake.posted)
    assert fake.posted == [{"channel": GENERAL, "text": "At nine.", "thread_ts": question["ts"]}]
    assert len(asked) == 1 and asked[0].message.text == "@Toldonce when do we meet?"


def test_direct_messages_on_slack_are_remembered_apart_if_they_are_chosen(fake: FakeSlack, memory: Memory) -> None:
    with connected(fake, memory, ChatRules(servers={TEAM: "main"}, has_direct=True)):
        first = fake.post(DIRECT, ANA, "my pin is on the fridge")
        fake.post(DIRECT, ANA, "and i hate mondays")
        until(lambda: len(texts(memory, space=f"@{ANA}")) == 2)
        fake.delete(DIRECT, first)
        until(lambda: texts(memory, space=f"@{ANA}") == ["and i hate mondays"])
    assert texts(memory) == []


def test_what_slack_refuses_is_said_with_what_to_do(fake: FakeSlack, memory: Memory) -> None:
    with pytest.raises(ConfigError, match="SLACK_BOT_TOKEN"):
        find_workspace(open_client("xoxb-wrong", base_url=f"{fake.url}/api/"))
    client = open_client(BOT_TOKEN, base_url=f"{fake.url}/api/")
    bot = SlackBot(BotRuntime(memory, RULES, platform="slack"), client, find_workspace(client))
    with pytest.raises(ConfigError, match="SLACK_APP_TOKEN"):
        run_slack(bot, "xapp-wrong", StopFlag())
    fake.refuse_with = "missing_scope"
    with pytest.raises(ConfigError, match="channels:history"):
        find_workspace(client)
    fake.refuse_with = "access_denied"
    with pytest.raises(ConfigError, match="access_denied"):
        find_workspace(client)
    with pytest.raises(ServerUnavailable, match="cannot be reached"):
        find_workspace(open_client(BOT_TOKEN, base_url="http://127.0.0.1:9/api/"))


def test_the_slack_command_says_what_it_needs(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    assert "SLACK_BOT_TOKEN" in shell("bot", "slack", code=2).stderr
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-1")
    assert "SLACK_APP_TOKEN" in shell("bot", "slack", code=2).stderr
    assert "Remember a Discord server" in shell("bot").stdout
