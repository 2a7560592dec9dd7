"""The nightly jobs with a language model over real HTTP: what it says is kept once, paid for once, and checked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.conftest import ManualClock, OpenMemory
from tests.scripted import Request, Scripted, Status, scripted
from toldonce import Memory, Record
from toldonce.storage.store import Store, Tables
from toldonce.storage.tables.jobs import Run

T = TypeVar("T")
START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
TOMORROW = START + timedelta(days=1)
# The next day, before its night work.
AFTER_MIDNIGHT = START + timedelta(hours=16)


def note(request: Request) -> dict[str, Any]:
    said = [row for row in request.data["messages"] if "id" in row]
    return {"title": "A talk", "summary": said[0]["text"], "sources": [m["id"] for m in said]}


def topics(request: Request) -> dict[str, Any]:
    sources = [n["id"] for n in request.data["notes"]]
    return {"topics": [{"title": "The whole day", "summary": "They talked about dogs.", "sources": sources}]}


def insights(request: Request) -> dict[str, Any]:
    found = request.data["records"]
    return {
        "insights": [
            {
                "text": "Maria is on the move.",
                "evidence": "two of two",
                "confidence": 0.9,
                "sources": [r["id"] for r in found],
            }
        ]
    }


@pytest.fixture
def server() -> Iterator[Scripted]:
    with scripted() as server:
        server.say(note=note, topics=topics)
        yield server


def kept(memory: Memory, kind: str) -> list[Record]:
    found = memory.store.read(lambda t: t.records.read_page(None, limit=1000))
    return [r for _, r in found if r.kind == kind]


def chat(memory: Memory) -> None:
    for n, text in enumerate(["My dog Bento barks", "Bento the dog eats", "It rains in Porto"]):
        memory.observe(text, user="alex", channel=f"c{n}")
    memory.settle()


def runs(done: list[Run], name: str) -> list[Run]:
    return [run for run in done if run.name == name]


def test_what_the_model_said_is_kept_with_the_run(
    open_memory: OpenMemory, clock: ManualClock, server: Scripted
) -> None:
    memory = open_memory("community", writer=server.writer)
    chat(memory)
    clock.now = TOMORROW
    (run,) = runs(memory.tend(), "topics")
    (topic,) = kept(memory, "topic")
    assert (topic.title, topic.text, len(topic.sources)) == ("The whole day", "They talked about dogs.", 3)
    assert "scripted" in topic.made_by
    assert "They talked about dogs." in run.detail["output"]


def test_a_model_that_is_away_leaves_nothing_and_is_asked_again(
    open_memory: OpenMemory, clock: ManualClock, server: Scripted
) -> None:
    memory = open_memory("community", writer=server.writer)
    chat(memory)
    server.say(topics=Status(500))
    clock.now = TOMORROW
    (run,) = runs(memory.tend(), "topics")
    assert (run.status, kept(memory, "topic")) == ("failed", [])
    server.say(topics=topics)
    clock.pass_time(minutes=10)
    assert [r.status for r in runs(memory.tend(), "topics")] == ["completed"]
    assert len(kept(memory, "topic")) == 1


def test_rules_stand_in_at_the_last_try_where_the_preset_says_so(
    open_memory: OpenMemory, clock: ManualClock, server: Scripted
) -> None:
    memory = open_memory("life", writer=server.writer)
    memory.observe("I live in Recife", user="maria", session="s1", display_name="Maria")
    memory.tend()
    server.say(facts=Status(500), user_memory=Status(500), insights=Status(500))
    states = []
    clock.now = TOMORROW
    for _ in range(5):
        states += [run.status for run in runs(memory.tend(), "consolidate")]
        clock.pass_time(hours=1)
    assert states[-1] == "completed"
    assert set(states[:-1]) <= {"failed"}
    assert [e.text for e in memory.profile("maria").entries] == ["lives in Recife"]


# A kill between the answer and the commit


class Doomed:
    """A store whose process is killed in the write that would have marked a night as done, before it is committed."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def write(self, work: Callable[[Tables], T], *, alone: bool = True) -> T:
        def deadly(tables: Tables) -> T:
            made = work(tables)
            person = tables.documents.get("main", "maria", "consolidation")
            if tables.documents.read_setting("main", "done:topics") or person:
                os.kill(os.getpid(), signal.SIGKILL)
            return made

        return self._store.write(deadly, alone=alone)


def opened(path: str, now: datetime, writer: str) -> Memory:
    return Memory.open(path, embedder=None, background=False, writer=writer, clock=lambda: now)


def tend_and_die(path: str, writer: str) -> None:
    """Runs in the process that is killed."""
    memory = opened(path, TOMORROW, writer)
    memory.engine.store = Doomed(memory.store)  # type: ignore[assignment]
    memory.tend()


@pytest.mark.parametrize("preset, task, kind", [("community", "topics", "topic"), ("life", "insights", "insight")])
def test_a_killed_night_is_made_up_for_without_paying_twice(
    tmp_path: Path, server: Scripted, preset: str, task: str, kind: str
) -> None:
    path = str(tmp_path / "memory.db")
    server.say(insights=insights)
    with Memory.open(path, preset, embedder=None, background=False, clock=lambda: START) as memory:
        if preset == "community":
            chat(memory)
        memory.observe("I moved to Lisbon. I love fado.", user="maria", session="s1", channel="c9")
        memory.settle()
        memory.tend()
    with opened(path, AFTER_MIDNIGHT, "none") as memory:
        memory.observe("I work at Acme.", user="maria", session="s2", channel="c9")
        memory.settle()
    command = [sys.executable, __file__, path, server.writer]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    killed = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, env=env)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    paid = server.calls
    assert paid[task] == 1
    with opened(path, TOMORROW + timedelta(minutes=5), server.writer) as memory:
        assert (memory.storage.check(), kept(memory, kind)) == ([], [])
        memory.tend()
        assert server.calls[task] == 1, "the answer was paid for and is there"
        assert len(kept(memory, kind)) == 1
        memory.tend()
        assert len(kept(memory, kind)) == 1


if __name__ == "__main__":
    tend_and_die(*sys.argv[1:])
