"""Kill -9 in any task of a model, a model that is down for a day, and garbage: nothing lost or twice, costs counted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.conftest import ManualClock, OpenMemory
from tests.scripted import EMPTY, Raw, Request, Scripted, Status, scripted
from toldonce import Memory, Record
from toldonce.cli.main import cli
from toldonce.distil.ledger import Ledger
from toldonce.distil.tiers import TASKS
from toldonce.presets.loader import preset_text
from toldonce.storage.store import Tables
from toldonce.storage.tables.jobs import Job

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
    """A task of a model: in which preset, what was said before, when it is due, and how it is begun.

    `kinds` are what its result is kept as, where rules make one too if the model fails for good.
    """

    preset: str
    said: tuple[str, ...] = ()
    at: datetime = NEXT_DAY
    is_settled: bool = True
    apart: timedelta = timedelta(minutes=1)
    kinds: tuple[str, ...] = ()
    prepare: Callable[[Path], None] = lambda folder: None
    work: Callable[[Path, Case, datetime, str], None] = lambda *given: settle_and_tend(*given)


def open_file(folder: Path, preset: str, now: datetime, writer: str = "none") -> Memory:
    if preset == NOTING and not (folder / f"{NOTING}.toml").exists():
        (folder / f"{NOTING}.toml").write_text(noting_preset(), encoding="utf-8")
    chosen = str(folder / f"{NOTING}.toml") if preset == NOTING else preset
    return Memory.open(
        str(folder / "memory.db"), chosen, embedder=None, background=False, writer=writer, clock=lambda: now
    )


def noting_preset() -> str:
    """A preset like assistant in which no facts are read, so that the model is asked for notes and names."""
    text, _ = preset_text("assistant")
    for old, new in (('name = "assistant"', f'name = "{NOTING}"'), ('"facts", ', ""), ('note_by = "rules"', "")):
        text = text.replace(old, new, 1)
    return text


def settle_and_tend(folder: Path, case: Case, now: datetime, writer: str) -> None:
    with open_file(folder, case.preset, now, writer) as memory:
        memory.settle()
        memory.tend()


def end_session(folder: Path) -> None:
    """A coding agent's session is over and waits to be read."""
    said = ("user", "Users are logged out after five minutes."), ("assistant", "EXPIRY counts seconds, not minutes.")
    rows = [
        {"type": role, "sessionId": "s", "cwd": str(folder), "uuid": str(n), "message": {"id": str(n), "content": text}}
        for n, (role, text) in enumerate(said)
    ]
    transcript = folder / "session.jsonl"
    transcript.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    args = {"session": "s", "agent": "claude-code", "transcript": str(transcript)}
    with open_file(folder, "coding", START) as memory:
        job = Job(space=memory.space.name, key="learn_session:s", name="learn_session", due_at=NEXT_DAY, args=args)
        memory.store.write(lambda t: t.jobs.put(job))


def write_code(folder: Path) -> None:
    (folder / "tree" / "shop").mkdir(parents=True)
    (folder / "tree" / "shop" / "cart.py").write_text("def total(): pass\n", encoding="utf-8")


def name_modules(folder: Path, case: Case, now: datetime, writer: str) -> None:
    """As a person does it who types the command again after a crash."""
    env = {"TOLDONCE_PLACE": str(folder / "memory.db"), "TOLDONCE_WRITER": writer, "TOLDONCE_EMBEDDER": "none"}
    CliRunner().invoke(cli, ["scan", str(folder / "tree"), "--name-modules"], env=env)


NOTING = "noting"
MOVED = ("I moved to Lisbon.", "I love fado.")
CASES = {
    "note": Case(NOTING, MOVED[:1], is_settled=False),
    "facts": Case("assistant", MOVED[:1], is_settled=False, kinds=("fact", "preference")),
    "topics": Case("community", TALKS, kinds=("topic",)),
    "profile": Case("community", ("My dog Bento barks.", *(f"I love {thing}." for thing in LIKED))),
    "judge": Case("life", ("I have two children.", "I have three children.")),
    "insights": Case("life", MOVED, apart=timedelta(hours=16)),
    "user_memory": Case("life", MOVED),
    "reflect": Case(
        "assistant", ("I live in Lisbon.", "I work at Acme.", "I love hiking."), SUNDAY, kinds=("reflection",)
    ),
    "report": Case("life", MOVED, at=NEXT_MONDAY, kinds=("report",)),
    "names": Case(NOTING, ("I met Ana.",)),
    "modules": Case("coding", prepare=write_code, work=name_modules),
    "session": Case("coding", prepare=end_session),
}


@pytest.fixture
def server() -> Iterator[Scripted]:
    with scripted() as server:
        server.say(facts=one_fact, insights=one_insight, reflect=one_reflection, modules=one_module)
        yield server


def one_module(request: Request) -> dict[str, Any]:
    return {"modules": [{"id": "m1", "name": "carts", "description": "What people buy.", "related": []}]}


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


def live_through(folder: Path, case: Case) -> None:
    """What was said before, read by rules where it is settled."""
    with open_file(folder, case.preset, START) as memory:
        memory.tend()
    for number, text in enumerate(case.said):
        with open_file(folder, case.preset, START + number * case.apart) as memory:
            memory.observe(text, user="alex", session=f"s{number}", channel=f"c{number}", display_name="Alex")
            if case.is_settled:
                memory.settle()
                memory.tend()
    case.prepare(folder)


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


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))


@pytest.mark.parametrize("moment", ["while it is asked", "before its result is stored"])
@pytest.mark.parametrize("task", TASKS)
def test_a_kill_in_any_task_loses_nothing_and_doubles_nothing(
    tmp_path: Path, server: Scripted, task: str, moment: str
) -> None:
    case = CASES[task]
    live_through(tmp_path, case)
    is_asking = moment == "while it is asked"
    command = [sys.executable, __file__, str(tmp_path), task, server.writer, "" if is_asking else task]
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
        case.work(tmp_path, case, case.at + timedelta(minutes=minutes), server.writer)
    assert server.calls[task] == (2 if is_asking else 1), "what was paid for is not asked again"
    with open_file(tmp_path, case.preset, case.at + timedelta(hours=4), server.writer) as memory:
        check_nothing_lost(memory, case)
        answered = Counter(request.task for request in server.requests)
        answered[task] -= is_asking
        assert Counter({used.task: used.calls for used in memory.jobs.usage()}) == answered


def check_nothing_lost(memory: Memory, case: Case) -> None:
    """All that was said is there and read, nothing is there twice, and what the task makes is there."""
    assert memory.storage.check() == []
    assert memory.stats()["unsettled conversations"] == 0
    found = [record for _, record in memory.store.read(lambda t: t.records.read_page(None, limit=1000))]
    assert {record.text for record in found} >= set(case.said)
    counts = Counter((record.kind, record.text) for record in derived(memory) if record.state == "active")
    assert max(counts.values(), default=1) == 1
    assert not case.kinds or not {record.kind for record in found}.isdisjoint(case.kinds)


GARBAGE = Raw("I am sorry, { this is no : answer")


@pytest.mark.parametrize("fault", [Status(500), GARBAGE], ids=["down", "garbage"])
@pytest.mark.parametrize("task", TASKS)
def test_a_bad_day_in_any_task_loses_nothing_and_is_counted(
    tmp_path: Path, server: Scripted, task: str, fault: Any
) -> None:
    """The work waits, is done by rules, or is asked for again by who started it."""
    case = CASES[task]
    live_through(tmp_path, case)
    good = server.answers.get(task, EMPTY[task])
    server.say(**{task: fault})
    for hours in (0, 1, 6, 24):
        case.work(tmp_path, case, case.at + timedelta(hours=hours), server.writer)
    in_vain = server.calls[task]
    assert in_vain > 0
    server.say(**{task: good})
    for hours in (25, 50, 24 * 8):
        case.work(tmp_path, case, case.at + timedelta(hours=hours), server.writer)
    with open_file(tmp_path, case.preset, case.at + timedelta(days=9), server.writer) as memory:
        check_nothing_lost(memory, case)
        assert not any("sorry" in record.text for record in derived(memory))
        used = [one for one in memory.jobs.usage() if one.task == task]
        paid = server.calls[task] - (0 if fault is GARBAGE else in_vain)
        assert sum(one.calls for one in used) == paid
        assert sum(one.refused for one in used) == (in_vain if fault is GARBAGE else 0)


PRESETS = ["assistant", "coding", "community", "companion", "life"]


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
    if sys.argv[4]:
        die_before_commit(sys.argv[4])
    begun = CASES[sys.argv[2]]
    begun.work(Path(sys.argv[1]), begun, begun.at, sys.argv[3])
