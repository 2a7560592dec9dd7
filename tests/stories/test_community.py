"""The community preset: a chat server's channels become notes and profiles, each line with its source."""

from __future__ import annotations

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory
from toldonce.errors import NotAllowed


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("community", space="guild")


def say(memory: Memory, user: str, text: str, *, channel: str = "general") -> object:
    return memory.observe(text, user=user, channel=channel, username=user, display_name=user.title())


def test_people_are_kept_up_to_date_with_every_message(memory: Memory) -> None:
    """COM-1: Id, username and display name; the newest name wins."""
    memory.observe("hi", user="42", channel="general", username="alex", display_name="Alex")
    memory.observe("hi again", user="42", channel="general", username="alex", display_name="Alexandra")
    (person,) = memory.people.all()
    assert (person.id, person.username, person.name) == ("42", "alex", "Alexandra")


def test_the_bots_own_messages_never_enter(memory: Memory) -> None:
    """COM-2: Skipped, and the caller is told why."""
    skipped = memory.observe("I am the bot", user="bot", channel="general", role="assistant")
    assert not skipped
    assert "assistant" in skipped.reason  # type: ignore[union-attr]
    assert memory.stats()["kinds"] == {}


def test_a_quiet_channel_becomes_a_note(memory: Memory, clock: ManualClock) -> None:
    """COM-3, COM-5: after 25 quiet minutes the buffer is one note with its people and its messages as sources."""
    say(memory, "alex", "I started a new job at Dell in Austin")
    clock.pass_time(minutes=10)
    say(memory, "sam", "Congratulations! I just finished Persona 5, what a game")
    clock.pass_time(minutes=24)
    assert not [run for run in memory.tend() if run.name == "settle"]
    clock.pass_time(minutes=2)
    memory.tend()
    (hit,) = memory.recall("new job at Dell", kinds=["note"])
    assert set(hit.record.metadata["participants"]) == {"alex", "sam"}
    assert hit.record.title
    assert len(hit.record.sources) == 2


def test_a_conversation_that_never_goes_quiet_ends_after_two_hours(memory: Memory, clock: ManualClock) -> None:
    """COM-3: The message that comes too late opens a new buffer; the old one is flushed first."""
    for _ in range(13):
        say(memory, "alex", "still talking about the garden party")
        clock.pass_time(minutes=10)
    notes = [run for run in memory.tend() if run.name == "settle"]
    assert len(notes) == 1
    assert memory.stats()["unsettled conversations"] == 1


def test_a_thread_is_a_channel_of_its_own(memory: Memory, clock: ManualClock) -> None:
    """COM-2: Two channels, two notes."""
    say(memory, "alex", "We should play chess on Friday", channel="games")
    say(memory, "sam", "The soup recipe needs more salt and pepper", channel="thread-7")
    clock.pass_time(hours=1)
    memory.tend()
    assert len(memory.recall("chess soup", kinds=["note"])) == 2


def test_a_restart_loses_nothing(open_memory: OpenMemory, memory: Memory, clock: ManualClock) -> None:
    """COM-4: Buffers come back with their timers; overdue ones flush at the first tending."""
    say(memory, "alex", "My dog Bento learnt to swim")
    memory.close()
    clock.pass_time(days=1)
    again = open_memory(space="guild")
    again.tend()
    assert again.recall("Bento", kinds=["note"])


def test_profiles_carry_a_source_for_every_line(memory: Memory, clock: ManualClock) -> None:
    """COM-6, COM-12: 'Where did you learn that?' needs no look-up: title and date stand beside each fact."""
    say(memory, "alex", "I live in Austin and I love RPG games")
    clock.pass_time(hours=1)
    memory.tend()
    profile = memory.profile("alex")
    assert {entry.section for entry in profile.entries} >= {"bio"}
    note = memory.recall("Austin", kinds=["note"])[0].record
    assert all(entry.sources[0] == note.id for entry in profile.entries)
    text = memory.context("tell me about Alex", user="sam", channel="general").text
    assert '<user name="Alex">' in text
    assert f"[{note.title}, Mar 2]" in text


def test_profiles_of_speakers_mentioned_and_participants_appear_once(memory: Memory, clock: ManualClock) -> None:
    """COM-11: Everyone in the conversation, up to three mentioned, up to three from the notes; nobody twice."""
    for name, city in (("alex", "Austin"), ("sam", "Boston"), ("jo", "Chicago"), ("kim", "Denver")):
        say(memory, name, f"I live in {city}", channel=f"room-{name}")
    clock.pass_time(hours=1)
    memory.tend()
    say(memory, "alex", "anyone awake?")
    text = memory.context("does @sam like Boston more than jo does?", user="alex", channel="general").text
    assert text.count('<user name="Alex">') == 1
    assert text.count('<user name="Sam">') == 1
    assert text.count('<user name="Jo">') == 1
    assert "Kim" not in text


def test_blocked_people_are_neither_kept_nor_shown(memory: Memory) -> None:
    """COM-14: A blacklist applies to capture and to retrieval alike."""
    say(memory, "alex", "The picnic is on Sunday")
    memory.people.block("troll")
    assert not say(memory, "troll", "remember me forever")
    with pytest.raises(NotAllowed, match="blocked"):
        memory.remember("The troll likes goats", user="troll")
    assert memory.context("picnic", user="troll", channel="general").text == ""
    assert memory.recall("picnic", user="troll") == []


def test_memory_can_be_switched_off_for_a_server(memory: Memory) -> None:
    """COM-14: While it is off nothing is kept and nothing is shown; switched on again, it is all there."""
    say(memory, "alex", "The picnic is on Sunday")
    memory.spaces.switch(on=False)
    assert not say(memory, "alex", "The picnic is cancelled")
    assert memory.recall("picnic") == []
    memory.spaces.switch(on=True)
    assert [hit.record.text for hit in memory.recall("picnic")] == ["The picnic is on Sunday"]
