"""Kill -9 in any task of a model, a model that is down for a day, and garbage: nothing lost or twice, costs counted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory, Record
from recollect.distil.ledger import Ledger
from recollect.storage.store import Tables
from tests.conftest import ManualClock, OpenMemory
from tests.scripted import EMPTY, Raw, Request, Scripted, Status, scripted

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
NEXT_DAY = START + timedelta(days=1)
SUNDAY = datetime(2026, 3, 8, 4, 0, tzinfo=UTC)
NEXT_MONDAY = datetime(2026, 3, 9, 6, 0, tzinfo=UTC)
LIKED = "chess climbing pottery rowing sewing juggling fencing baking sailing".split()


TALKS = (
    "My dog Bento ate my shoes again",
    "That strategy game crashed twice on my laptop",
    "I cooked ramen with egg and noodles",
    "The wifi driver works on the older kernel",
)


@dataclass(frozen=True)
class Case:
    """A task of a model: in which preset, what was said before, and when it is due."""

    preset: str
    said: tuple[str, ...]
    at: datetime = NEXT_DAY
    is_settled: bool = True
    apart: timedelta = timedelta(minutes=1)


CASES = {
    "facts": Case("assistant", ("I moved to Lisbon.",), is_settled=False),
    "topics": Case("community", TALKS),
    "profile": Case("community", ("My dog Bento barks.", *(f"I love {thing}." for thing in LIKED))),
    "judge": Case("life", ("I have two children.", "I have three children.")),
    "insights": Case("life", ("I moved to Lisbon.", "I love fado."), apart=timedelta(hours=16)),
    "user_memory": Case("life", ("I moved to Lisbon.", "I love fado.")),
    "reflect": Case("assistant", ("I live in Lisbon.", "I work at Acme.", "I love hiking."), at=SUNDAY),
    "report": Case("life", ("I moved to Lisbon.", "I love fado."), at=NEXT_MONDAY),
}


@pytest.fixture
def server() -> Iterator[Scripted]:
    with scripted() as server:
        server.say(facts=one_fact, insights=one_insight, reflect=one_reflection)
        yield server


def one_fact(request: Request) -> dict[str, Any]:
    said = request.data["messages"][0]
    return {
        "facts": [
            {"type": "preference", "text": "Alex moved.", "change": "holds", "confidence": 0.9, "source": said["id"]}
        ]
    }  # fmt: skip


def one_insight(request: Request) -> dict[str, Any]:
    sources = [row["id"] for row in request.data["records"]]
    told = {"text": "Alex is on the move.", "evidence": "all of it", "confidence": 0.6, "sources": sources}
    return {"insights": [told] if len(sources) > 1 else []}


def one_reflection(request: Request) -> dict[str, Any]:
    return {"title": "A week", "text": "Alex moved.", "sources": [request.data["records"][0]["id"]]}


def open_file(path: str, preset: str, now: datetime, writer: str = "none") -> Memory:
    return Memory.open(path, preset, embedder=None, background=False, writer=writer, clock=lambda: now)


def live_through(path: str, case: Case) -> None:
    """What was said before, read by rules where it is settled."""
    with open_file(path, case.preset, START) as memory:
        memory.tend()
    for number, text in enumerate(case.said):
        with open_file(path, case.preset, START + number * case.apart) as memory:
            memory.observe(text, user="alex", session=f"s{number}", channel=f"c{number}", display_name="Alex")
            if case.is_settled:
                memory.settle()
                memory.tend()


def do_work(path: str, preset: str, now: datetime, writer: str) -> None:
    with open_file(path, preset, now, writer) as memory:
        memory.settle()
        memory.tend()


def derived(memory: Memory) -> list[Record]:
    found = memory.store.read(lambda t: t.records.read_page(None, limit=1000))
    return [record for _, record in found if record.conversation is None]


def die_before_commit(task: str) -> None:
    """Have this process killed in the transaction that stores what this task was answered with."""
    record, stored = Ledger.record_usage, Ledger.stored
    paid: set[str] = set()

    def note_task(self: Ledger, *given: Any, task: str, **more: Any) -> None:
        paid.add(task)
        record(self, *given, task=task, **more)

    def kill(self: Ledger, tables: Tables) -> None:
        stored(self, tables)
        if task in paid:
            os.kill(os.getpid(), signal.SIGKILL)

    Ledger.record_usage, Ledger.stored = note_task, kill  # type: ignore[assignment, method-assign]


@pytest.mark.parametrize("moment", ["while it is asked", "before its result is stored"])
@pytest.mark.parametrize("task", CASES)
def test_a_kill_in_any_task_loses_nothing_and_doubles_nothing(
    tmp_path: Path, server: Scripted, task: str, moment: str
) -> None:
    case, path = CASES[task], str(tmp_path / "memory.db")
    live_through(path, case)
    is_asking = moment == "while it is asked"
    command = [
        sys.executable,
        __file__,
        path,
        case.preset,
        case.at.isoformat(),
        server.writer,
        task if not is_asking else "",
    ]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    child: list[subprocess.Popen[str]] = []
    good = server.answers.get(task, EMPTY[task])

    def kill(request: Request) -> Any:
        child[0].send_signal(signal.SIGKILL)
        return Status(500)

    if is_asking:
        server.say(**{task: kill})
    child.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=env))
    problems = child[0].communicate(timeout=120)[1]
    assert child[0].returncode == -signal.SIGKILL, problems
    asked = server.calls[task]
    assert asked == 1
    server.say(**{task: good})
    for minutes in (6, 60, 180):
        do_work(path, case.preset, case.at + timedelta(minutes=minutes), server.writer)
    assert server.calls[task] == (2 if is_asking else 1), "what was paid for is not asked again"
    with open_file(path, case.preset, case.at + timedelta(hours=4), server.writer) as memory:
        assert memory.storage.check() == []
        assert memory.stats()["unsettled conversations"] == 0
        counts = Counter((record.kind, record.text) for record in derived(memory) if record.state == "active")
        assert max(counts.values()) == 1
        answered = Counter(request.task for request in server.requests)
        answered[task] -= is_asking
        assert Counter({used.task: used.calls for used in memory.jobs.usage()}) == answered


PRESETS = ["assistant", "coding", "community", "companion", "life"]
GARBAGE = Raw("I am sorry, { this is no : answer")


@pytest.mark.parametrize("fault", [Status(500), GARBAGE], ids=["down", "garbage"])
@pytest.mark.parametrize("preset", PRESETS)
def test_a_bad_day_of_a_model_loses_nothing_and_is_counted(
    open_memory: OpenMemory, clock: ManualClock, server: Scripted, preset: str, fault: Any
) -> None:
    """The conversation waits or is read by rules; on the next day everything is there once."""
    memory = open_memory(preset, writer=server.writer)
    memory.tend()
    good = dict(server.answers)
    server.say(**dict.fromkeys(EMPTY, fault))
    memory.observe("I moved to Lisbon.", user="alex", session="s1", channel="c1", display_name="Alex")
    memory.observe("hi", user="alex", session="s2", channel="c2", display_name="Alex")
    for _ in range(24):
        clock.pass_time(hours=1)
        memory.tend()
    asked_in_vain = len(server.requests)
    assert asked_in_vain > 0
    paid = asked_in_vain if fault is GARBAGE else 0
    assert sum(used.calls for used in memory.jobs.usage()) == sum(used.refused for used in memory.jobs.usage()) == paid
    assert not any("sorry" in record.text for record in derived(memory))
    server.say(**{**EMPTY, **good})
    for _ in range(24):
        clock.pass_time(hours=2)
        memory.tend()
    memory.settle()
    assert memory.stats()["unsettled conversations"] == 0
    counts = Counter((record.kind, record.text) for record in derived(memory) if record.state == "active")
    assert not counts or max(counts.values()) == 1
    entries = [entry.text for entry in memory.profile("alex").entries] if preset in ("community", "life") else []
    assert any("moved" in text or "lives" in text for text in [*entries, *(text for _, text in counts)])
    assert [hit.record.text for hit in memory.recall("Lisbon", user="alex", kinds=["message"])] == [
        "I moved to Lisbon."
    ]
    total = Counter({used.task: used.calls for used in memory.jobs.usage()})
    assert total.total() == len(server.requests) - (0 if fault is GARBAGE else asked_in_vain)


if __name__ == "__main__":
    if sys.argv[5]:
        die_before_commit(sys.argv[5])
    do_work(sys.argv[1], sys.argv[2], datetime.fromisoformat(sys.argv[3]), sys.argv[4])
