"""Callbacks: the process that did the work is called after the commit, with ids and counts and no text."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import AsyncMemory, InputError, Memory
from toldonce.operations.events import EVENTS, Event, read_plain_event

DOCS = Path(__file__).parents[1] / "docs" / "events.md"


def collect(memory: Memory, *names: str) -> list[Event]:
    """The events of these names, or of all, from now on."""
    found: list[Event] = []
    for name in names or EVENTS:
        memory.on(name, found.append)
    return found


def test_a_completed_session_is_told_with_its_counts(open_memory: OpenMemory) -> None:
    memory = open_memory("life")
    found = collect(memory, "session_completed")
    memory.observe("I live in Lisbon and my goal is to run a marathon", "alex", session="monday")
    assert found == []
    (settled,) = memory.settle(session="monday")
    (event,) = found
    assert (event.name, event.id, event.space) == ("session_completed", settled.conversation, memory.space.name)
    counts = {"session": "monday", "records": len(settled.kept), "documents": settled.documents}
    assert event.data == counts and len(settled.kept) > 0


def test_the_background_calls_back_too(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life")
    found = collect(memory, "session_completed", "job_finished")
    memory.observe("I live in Lisbon", "alex", session="monday")
    clock.pass_time(days=2)
    memory.tend()
    assert [event.data["session"] for event in found if event.name == "session_completed"] == ["monday"]
    assert ("settle", "completed") in [(event.id, event.action) for event in found if event.name == "job_finished"]


def test_records_and_questions_are_events(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life")
    found = collect(memory)
    memory.observe("I live in Lisbon", "alex", session="a")
    memory.settle(session="a")
    home = next(hit.record for hit in memory.recall("where do I live", "alex", kinds=["fact"]))
    memory.confirm(home.id)
    clock.pass_time(days=1)
    memory.observe("I live in Porto", "alex", session="b")
    memory.settle(session="b")
    (question,) = memory.questions("alex")
    memory.answer(question.id, "I live in Porto now", user="alex")
    names = [event.name for event in found]
    assert {"record_added", "record_changed", "question_asked", "question_answered"} <= set(names)
    asked = [event for event in found if event.name.startswith("question")]
    assert [(event.id, event.action) for event in asked] == [(question.id, "asked"), (question.id, "answered")]
    told = json.dumps([event.plain() for event in found])
    assert "Lisbon" not in told and "Porto" not in told


def test_what_another_process_did_is_not_told(open_memory: OpenMemory) -> None:
    mine, other = open_memory("assistant"), open_memory()
    found = collect(mine, "record_added")
    other.remember("Alex likes tea", user="alex")
    kept = mine.remember("Sam likes coffee", user="sam")
    assert [event.id for event in found] == [kept.id]


def test_the_record_is_there_when_the_callback_reads(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    texts: list[str] = []
    memory.on("record_added", lambda event: texts.append(memory.get(event.id).text))
    memory.remember("Alex likes tea", user="alex")
    assert texts == ["Alex likes tea"]


def test_nothing_is_told_of_what_was_not_kept(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    found = collect(memory)
    with pytest.raises(InputError):
        memory.observe_many([{"text": "one", "user": "alex"}, {"text": 5, "user": "alex"}])
    assert found == []


def test_a_callback_that_raises_is_logged_and_harms_nothing(
    open_memory: OpenMemory, caplog: pytest.LogCaptureFixture
) -> None:
    memory = open_memory("assistant")

    def fail(_: Event) -> None:
        raise ValueError("broken host")

    memory.on("record_added", fail)
    found = collect(memory, "record_added")
    with caplog.at_level(logging.ERROR, "toldonce"):
        kept = memory.remember("Alex likes tea", user="alex")
    assert memory.get(kept.id).text == "Alex likes tea"
    assert [event.id for event in found] == [kept.id]
    assert "record_added" in caplog.text


def test_off_and_the_end_of_a_block_end_it(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    found: list[Event] = []
    subscription = memory.on("record_added", found.append)
    subscription.off()
    subscription.off()
    with memory.on("record_added", found.append):
        kept = memory.remember("Alex likes tea", user="alex")
    memory.remember("Sam likes coffee", user="sam")
    assert [event.id for event in found] == [kept.id]


def test_more_events_than_a_page_all_come(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    found = collect(memory, "record_added")
    kept = memory.observe_many([{"text": f"Room {n} is painted", "user": "alex", "session": "s"} for n in range(1_203)])
    assert [event.id for event in found] == [record.id for record in kept]  # type: ignore[union-attr]


@pytest.mark.parametrize("wrong", [lambda m: m.on("session_complete", print), lambda m: m.on("record_added", None)])
def test_a_wrong_name_or_callback_is_refused(open_memory: OpenMemory, wrong: Callable[[Memory], object]) -> None:
    memory = open_memory("assistant")
    with pytest.raises(InputError, match="record_added"):
        wrong(memory)


def test_async_callbacks_run_in_the_loop(tmp_path: Path) -> None:
    async def story() -> tuple[list[str], str]:
        async with await AsyncMemory.open(tmp_path / "memory.db", embedder=None, background=False) as memory:
            heard: asyncio.Queue[str] = asyncio.Queue()

            async def put(event: Event) -> None:
                await heard.put(event.id)

            await memory.on("record_added", put)
            await memory.on("record_added", lambda event: heard.put_nowait(event.id))
            kept = await memory.remember("Alex likes tea", user="alex")
            return [await asyncio.wait_for(heard.get(), 30) for _ in range(2)], kept.id

    found, kept = asyncio.run(story())
    assert found == [kept, kept]


@pytest.mark.parametrize("name", EVENTS)
def test_every_event_is_documented(name: str) -> None:
    assert f"| `{name}` |" in DOCS.read_text(encoding="utf-8")


def test_an_event_of_a_newer_server_is_left_out() -> None:
    plain = {"id": "x", "space": "main", "action": "moved", "at": "2026-03-02T09:00:00+00:00"}
    assert read_plain_event("planet", plain) is None
    changed = read_plain_event("record", {**plain, "state": "active"})
    assert changed is not None and (changed.name, changed.data) == ("record_changed", {"state": "active"})
