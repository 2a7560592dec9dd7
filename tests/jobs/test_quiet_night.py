"""What may be waited for: a night in which nobody said anything, and a conversation settled by rules."""

from __future__ import annotations

import time

from tests.conftest import ManualClock, OpenMemory
from toldonce.records import Person
from toldonce.storage.store import Tables


class Unasked:
    """A writer that nobody may ask."""

    name = "unasked"

    def __getattr__(self, task: str) -> object:
        raise AssertionError(f"the writer was asked for {task}")


def test_a_night_without_news_over_a_thousand_people_asks_no_writer_and_is_short(
    open_memory: OpenMemory, clock: ManualClock
) -> None:
    memory = open_memory("life", writer=Unasked())

    def arrive(tables: Tables) -> None:
        for number in range(1000):
            tables.people.update_person(Person(id=f"p{number}", space=memory.space.name), now=clock.now)

    memory.store.write(arrive)
    memory.tend()
    clock.pass_time(days=1)
    assert {run.status for run in memory.tend() if run.name == "consolidate"} == {"skipped"}
    clock.pass_time(days=1)
    began = time.process_time()
    runs = [run for run in memory.tend() if run.name == "consolidate"]
    assert time.process_time() - began < 5
    assert len(runs) == 1000
    assert {run.status for run in runs} == {"skipped"}


def test_a_hundred_messages_are_settled_by_rules_in_less_than_a_second(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.observe_many(
        {"text": f"On day {n} I met Ana in Porto, and I moved to street number {n}.", "user": "alex", "session": "s"}
        for n in range(100)
    )
    began = time.process_time()
    (settled,) = memory.settle(session="s")
    assert time.process_time() - began < 1
    assert settled.kept
