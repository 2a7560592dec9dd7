"""The two passes at midnight: topics of a day's notes, and profiles put in order; each day exactly once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from tests.conftest import ManualClock, OpenMemory
from tests.jobs.conftest import lease_one
from toldonce import Memory, Record
from toldonce.distil.drafts import Material, TopicDraft
from toldonce.distil.writer import RulesWriter
from toldonce.storage.tables.jobs import Run

TALKS = {
    "dogs": ["My dog Bento ate my shoes again", "Bento the dog needs a vet for his paw"],
    "games": ["The new strategy game has a great tutorial", "That strategy game crashed twice on my laptop"],
    "food": ["The ramen place on Rua Augusta is excellent", "I cooked ramen with egg and noodles"],
    "linux": ["My Linux kernel update broke the wifi driver", "The wifi driver works on the older kernel"],
}


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("community", zone="America/Sao_Paulo")


def talk(memory: Memory, clock: ManualClock, *, about: tuple[str, ...] = tuple(TALKS)) -> None:
    """Two conversations about each thing, in channels of their own, each noted when it is quiet."""
    for thing in about:
        for n, text in enumerate(TALKS[thing]):
            memory.observe(text, user="alex", channel=f"{thing}-{n}", display_name="Alex")
            memory.observe(f"Tell us more about that, {thing} are fun", user="sam", channel=f"{thing}-{n}")
        clock.pass_time(minutes=30)
        memory.tend()


def topics(memory: Memory) -> list[Record]:
    return [r for _, r in memory.store.read(lambda t: t.records.read_page(None)) if r.kind == "topic"]


def notes(memory: Memory) -> list[Record]:
    return [r for _, r in memory.store.read(lambda t: t.records.read_page(None)) if r.kind == "note"]


def named(runs: list[Run], name: str) -> list[Run]:
    return [run for run in runs if run.name == name]


def test_a_days_notes_become_three_to_eight_topics(memory: Memory, clock: ManualClock) -> None:
    """COM-8: each with a title, a summary, its notes and everyone who took part."""
    talk(memory, clock)
    assert topics(memory) == []
    clock.pass_time(days=1)
    (run,) = named(memory.tend(), "topics")
    made = topics(memory)
    assert 3 <= len(made) <= 8
    assert run.counts == {"topics": len(made), "days": 1}
    assert {source for topic in made for source in topic.sources} == {note.id for note in notes(memory)}
    assert all(topic.title and topic.metadata["participants"] == ["alex", "sam"] for topic in made)


def test_topics_are_found_beside_notes(memory: Memory, clock: ManualClock) -> None:
    talk(memory, clock)
    clock.pass_time(days=1)
    memory.tend()
    assert {"note", "topic"} <= {hit.record.kind for hit in memory.recall("ramen noodles", limit=10)}


def test_notes_about_one_thing_share_a_topic(memory: Memory, clock: ManualClock) -> None:
    talk(memory, clock)
    clock.pass_time(days=1)
    memory.tend()
    for words in ("Bento", "ramen", "kernel"):
        mine = {note.id for note in notes(memory) if words in note.text}
        assert len(mine) == 2
        assert any(mine <= set(topic.sources) for topic in topics(memory))


def test_a_day_is_done_once(memory: Memory, clock: ManualClock) -> None:
    talk(memory, clock)
    clock.pass_time(days=1)
    memory.tend()
    made = topics(memory)
    for _ in range(3):
        clock.pass_time(days=1)
        memory.tend()
    assert topics(memory) == made


def test_missed_days_are_each_covered_at_once(memory: Memory, clock: ManualClock) -> None:
    """COM-10: a memory that slept for days makes up for every one of them when it is tended again."""
    for _ in range(3):
        for thing, texts in TALKS.items():
            for n, text in enumerate(texts):
                memory.observe(text, user="alex", channel=f"{thing}-{n}")
        clock.pass_time(minutes=30)
        memory.settle()
        clock.pass_time(days=1)
    (run,) = named(memory.tend(), "topics")
    assert run.counts["days"] == 3
    assert len({topic.metadata["day"] for topic in topics(memory)}) == 3


def test_a_talk_over_midnight_is_not_lost(memory: Memory, clock: ManualClock) -> None:
    """Its notes are made after its day was done, and go into the topics of the next one."""
    clock.now = datetime(2026, 3, 3, 2, 50, tzinfo=UTC)  # ten to midnight in São Paulo
    for n, text in enumerate(
        ("The ramen place on Rua Augusta is excellent", "The ramen place on Rua Augusta closes early")
    ):
        memory.observe(text, user="alex", channel=f"food-{n}")
    clock.pass_time(minutes=12)
    memory.tend()
    clock.pass_time(minutes=30)
    memory.tend()
    assert len(notes(memory)) == 2
    clock.pass_time(days=1)
    memory.tend()
    assert [set(topic.sources) for topic in topics(memory)] == [{note.id for note in notes(memory)}]


def test_a_pass_that_dies_after_its_work_leaves_no_double(memory: Memory, clock: ManualClock) -> None:
    from toldonce.jobs.handlers import DUTIES
    from toldonce.jobs.task import LeasedJob

    talk(memory, clock)
    clock.pass_time(days=1)
    job = lease_one(memory, "topics", clock())
    DUTIES["topics"].run(memory, LeasedJob(job, now=clock()))
    made = topics(memory)
    assert made
    clock.pass_time(minutes=5)
    memory.tend()
    assert topics(memory) == made


def test_what_is_destroyed_meanwhile_does_not_come_back_in_a_topic(open_memory: OpenMemory, clock: ManualClock) -> None:
    """The pass is broken off and made anew without it."""

    class Slow(RulesWriter):
        """While it thinks, somebody destroys what it was given."""

        def topics(self, notes: Sequence[Material]) -> list[TopicDraft]:
            for note in notes:
                if "Bento" in note.text:
                    memory.purge(note.id)
            return super().topics(notes)

    memory = open_memory("community", zone="America/Sao_Paulo", writer=Slow())
    talk(memory, clock)
    clock.pass_time(days=1)
    (run,) = named(memory.tend(), "topics")
    assert (run.status, topics(memory)) == ("failed", [])
    clock.pass_time(minutes=1)
    (run,) = named(memory.tend(), "topics")
    assert run.status == "completed"
    assert "Bento" not in str(topics(memory))


# Profiles


def lines(memory: Memory, user: str) -> list[str]:
    return [entry.text for entry in memory.profile(user).entries]


def say(memory: Memory, clock: ManualClock, *texts: str) -> None:
    for text in texts:
        memory.observe(text, user="alex", channel="c", display_name="Alex")
        clock.pass_time(minutes=30)
        memory.tend()


def test_profiles_lose_what_they_say_twice(memory: Memory, clock: ManualClock) -> None:
    """COM-9: one line stays, with the notes of both."""
    say(memory, clock, "I love hiking. My dog barks a lot.", "I love hiking in the mountains. It rained on my bike.")
    assert len([line for line in lines(memory, "alex") if "hiking" in line]) == 2
    clock.pass_time(days=1)
    (run,) = named(memory.tend(), "consolidate_profiles")
    assert run.counts == {"people": 1, "changed": 1}
    (entry,) = [e for e in memory.profile("alex").entries if "hiking" in e.text]
    assert entry.text == "loves hiking in the mountains"
    assert len([source for source in entry.sources if source.startswith("note")]) == 2


def test_of_two_lines_that_exclude_each_other_the_newer_stays(memory: Memory, clock: ManualClock) -> None:
    say(memory, clock, "I love coffee. My bike has a flat tyre.", "I hate coffee. My bike is repaired now.")
    clock.pass_time(days=1)
    memory.tend()
    assert [line for line in lines(memory, "alex") if "coffee" in line] == ["hates coffee"]


def test_a_profile_that_is_in_order_gets_no_new_version(memory: Memory, clock: ManualClock) -> None:
    say(memory, clock, "I live in Lisbon. My dog barks a lot.")
    before = memory.profile("alex")
    clock.pass_time(days=1)
    memory.tend()
    assert memory.profile("alex").version == before.version
    assert memory.profile("alex").entries == before.entries


def test_lines_go_when_their_source_is_erased_after_consolidating(memory: Memory, clock: ManualClock) -> None:
    say(memory, clock, "I love hiking. My dog barks a lot.")
    clock.pass_time(days=1)
    memory.tend()
    memory.erase(user="alex")
    assert lines(memory, "alex") == []
