"""The timeline: what happened when, with what became of it."""

from __future__ import annotations

import pytest

from tests.conftest import START, ManualClock, OpenMemory
from toldonce import InputError, Memory


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("life")


def told(memory: Memory, *args: str, **options: object) -> list[tuple[str, str]]:
    return [(h.action, h.record.text) for h in memory.timeline(*args, **options)]  # type: ignore[arg-type]


def test_records_and_changes_stand_in_the_order_they_happened(memory: Memory, clock: ManualClock) -> None:
    first = memory.remember("Alex lives in Porto", user="alex", subject="alex/residence")
    clock.pass_time(days=1)
    second = memory.remember("Alex lives in Lisbon", user="alex", subject="alex/residence")
    clock.pass_time(days=1)
    memory.confirm(second.id)
    happened = memory.timeline("alex")
    assert [(h.action, h.record.id) for h in happened] == [
        ("added", first.id),
        ("added", second.id),
        ("superseded", first.id),
        ("confirmed", second.id),
    ]
    replaced = happened[2]
    assert replaced.other is not None
    assert (replaced.other.id, replaced.at) == (second.id, second.created_at)


def test_a_correction_shows_both_sides(memory: Memory, clock: ManualClock) -> None:
    wrong = memory.remember("Alex works at a bank", user="alex")
    clock.pass_time(hours=1)
    memory.correct(wrong.id, "Alex works at a school")
    last = memory.timeline("alex")[-1]
    assert (last.action, last.reason, last.by) == ("superseded", "corrected by a person", "person")
    assert last.other is not None
    assert last.other.text == "Alex works at a school"


def test_only_the_stretch_of_time_that_was_asked_for(memory: Memory, clock: ManualClock) -> None:
    for day in range(5):
        memory.remember(f"note of day {day}", user="alex")
        clock.pass_time(days=1)
    since, until = START.replace(day=3), START.replace(day=5)
    assert told(memory, "alex", since=since, until=until) == [("added", "note of day 1"), ("added", "note of day 2")]


def test_the_newest_come_when_there_are_too_many(memory: Memory, clock: ManualClock) -> None:
    for day in range(5):
        memory.remember(f"note of day {day}", user="alex")
        clock.pass_time(days=1)
    assert told(memory, "alex", limit=2) == [("added", "note of day 3"), ("added", "note of day 4")]
    with pytest.raises(InputError):
        memory.timeline("alex", limit=0)


def test_kinds_and_people_are_told_apart(memory: Memory) -> None:
    memory.remember("Alex likes tea", kind="preference", user="alex")
    memory.remember("Alex is tall", user="alex")
    memory.remember("Sam is short", user="sam")
    assert told(memory, "alex", kinds=["preference"]) == [("added", "Alex likes tea")]
    assert len(told(memory)) == 3


def test_a_person_sees_the_notes_they_took_part_in(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("community")
    for name in ("alex", "sam"):
        memory.observe(f"{name} talks about the garden party on Sunday", user=name, channel="general")
    clock.pass_time(hours=1)
    memory.tend()
    assert [h.record.kind for h in memory.timeline("sam")] == ["message", "note", "statement"]
    assert told(memory, "kim") == []


def test_what_ran_out_is_told_before_anybody_cleaned_up(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("companion")
    memory.remember("Table set for four", kind="context", user="ana")
    clock.pass_time(days=1)
    before = told(memory, "ana")
    memory.tend()
    assert before == told(memory, "ana") == [("added", "Table set for four"), ("expired", "Table set for four")]


def test_a_space_that_is_off_tells_nothing(memory: Memory) -> None:
    memory.remember("Alex is tall", user="alex")
    memory.spaces.switch(on=False)
    assert told(memory) == []
