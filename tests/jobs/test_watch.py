"""The thread that tends a memory while its process lives. Nothing here waits for time to pass, only for events."""

from __future__ import annotations

import gc
import threading
from datetime import timedelta
from pathlib import Path

import pytest

from tests.conftest import START, ManualClock, OpenMemory
from tests.jobs.conftest import Probe, job_of, plan_job
from toldonce import Memory
from toldonce.jobs import JobRunner
from toldonce.jobs.task import JobDefinition, JobResult, LeasedJob
from toldonce.records import Record

PATIENCE = 60


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "toldonce tend"]


class Gate:
    """A duty that says when it has begun."""

    def __init__(self) -> None:
        self.begun = threading.Event()

    def __call__(self, memory: Memory, task: LeasedJob) -> JobResult:
        self.begun.set()
        return JobResult()


def test_due_jobs_run_in_the_background_until_it_is_stopped(memory: Memory) -> None:
    gate = Gate()
    plan_job(memory, START)
    stop = Probe(gate).job_runner.watch(memory)
    assert gate.begun.wait(PATIENCE)
    stop()
    assert threads() == []
    assert job_of(memory) is None
    stop()


def test_starting_twice_is_one_thread_which_looks_at_once(memory: Memory) -> None:
    gate = Gate()
    tender = Probe(gate).job_runner
    stop = tender.watch(memory)
    plan_job(memory, START)
    assert tender.watch(memory) == stop
    assert gate.begun.wait(PATIENCE)
    assert len(threads()) == 1
    stop()


def test_tending_ends_when_what_the_background_has_begun_is_done(memory: Memory) -> None:
    begun, left = threading.Event(), list[object]()

    def by_hand() -> None:
        begun.wait(PATIENCE)
        memory.tend()
        left.append(job_of(memory))

    asked = threading.Thread(target=by_hand)

    def work(memory: Memory, task: LeasedJob) -> JobResult:
        begun.set()
        asked.join(0.3)
        return JobResult()

    asked.start()
    plan_job(memory, START)
    stop = Probe(work).job_runner.watch(memory)
    asked.join(PATIENCE)
    stop()
    assert left == [None]


def test_it_can_be_started_again_after_a_stop(memory: Memory) -> None:
    gate = Gate()
    tender = Probe(gate).job_runner
    tender.watch(memory)()
    plan_job(memory, START)
    stop = tender.watch(memory)
    assert gate.begun.wait(PATIENCE)
    stop()


def test_an_error_is_logged_and_the_work_goes_on(
    open_memory: OpenMemory, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    failed, gate = threading.Event(), Gate()

    def strange_clock() -> object:
        if threading.current_thread().name == "toldonce tend" and not failed.is_set():
            failed.set()
            raise OSError("my diary says: no clock today")
        return clock()

    memory = open_memory("assistant", clock=strange_clock)
    plan_job(memory, START)
    tender = Probe(gate).job_runner
    stop = tender.watch(memory)
    assert failed.wait(PATIENCE)
    tender.watch(memory)
    assert gate.begun.wait(PATIENCE)
    stop()
    assert "background work stopped early" in caplog.text and "OSError at test_watch.py" in caplog.text
    assert "diary" not in caplog.text


def test_a_job_under_way_is_given_back_when_the_process_stops(memory: Memory) -> None:
    """Another process may take it at once, and no attempt is counted."""
    begun = threading.Event()

    def work(memory: Memory, task: LeasedJob) -> JobResult:
        begun.set()
        while not threading.Event().wait(0.001):
            task.check_lease()
        return JobResult()

    plan_job(memory, START)
    stop = Probe(work).job_runner.watch(memory)
    assert begun.wait(PATIENCE)
    stop()
    job = job_of(memory)
    assert job is not None
    assert (job.state, job.attempts, job.lease) == ("ready", 0, None)
    assert memory.jobs.runs(name="note") == []


def test_a_job_that_ends_while_the_process_stops_counts(memory: Memory) -> None:
    begun, stopping = threading.Event(), threading.Event()

    def work(memory: Memory, task: LeasedJob) -> JobResult:
        begun.set()
        stopping.wait(PATIENCE)
        return JobResult({"notes": 1})

    plan_job(memory, START)
    stop = Probe(work).job_runner.watch(memory)
    assert begun.wait(PATIENCE)
    stopper = threading.Thread(target=stop)
    stopper.start()
    stopping.set()
    stopper.join(PATIENCE)
    assert [dict(run.counts) for run in memory.jobs.runs(name="note")] == [{"notes": 1}]
    assert job_of(memory) is None


def test_closing_a_memory_ends_its_thread(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant", background=True)
    (thread,) = threads()
    memory.observe("I live in Lisbon", "alex", session="s1")
    assert threads() == [thread]
    memory.close()
    assert not thread.is_alive()


def test_a_memory_that_is_dropped_is_not_kept_alive_by_its_thread(tmp_path: Path) -> None:
    memory = Memory.open(tmp_path / "dropped.db", "assistant", embedder=None, background=True)
    memory.observe("I live in Lisbon", "alex", session="s1")
    (thread,) = threads()
    watch = memory.job_runner.watch(memory).__self__  # type: ignore[attr-defined]
    del memory
    gc.collect()
    watch.wake()
    thread.join(PATIENCE)
    assert not thread.is_alive()


def test_the_start_of_a_process_cleans_up_at_once(memory: Memory, clock: ManualClock) -> None:
    """Jobs that run at the start do so even if their last run was a moment ago."""
    gate = Gate()
    tender = JobRunner({"expire": JobDefinition(run=gate, whole_store=True, at_start=True)})
    assert len(tender.run_due(memory, now=START)) == 1
    assert tender.run_due(memory, now=START) == []
    gate.begun.clear()
    clock.pass_time(seconds=1)
    stop = tender.watch(memory)
    assert gate.begun.wait(PATIENCE)
    stop()


def test_it_waits_for_the_next_due_moment_but_never_long(memory: Memory, clock: ManualClock) -> None:
    halt = threading.Event()
    tender = Probe().job_runner
    waits = []
    for wait in (timedelta(seconds=2), timedelta(days=2), timedelta(microseconds=1)):
        plan_job(memory, START + wait)
        waits.append(tender.turn(memory, starting=False, halt=halt))
    assert waits == [timedelta(seconds=2), timedelta(seconds=5), timedelta(milliseconds=200)]


def test_a_closed_memory_ends_the_watch(memory: Memory) -> None:
    memory.close()
    assert Probe().job_runner.turn(memory, starting=False, halt=threading.Event()) is None


class Announcing(JobRunner):
    """Does the usual work and says when a round is over."""

    def __init__(self) -> None:
        super().__init__()
        self.round_over = threading.Event()

    def turn(self, memory: Memory, *, starting: bool, halt: threading.Event) -> timedelta | None:
        pause = super().turn(memory, starting=starting, halt=halt)
        self.round_over.set()
        return pause


@pytest.fixture
def announcing(monkeypatch: pytest.MonkeyPatch) -> Announcing:
    runner = Announcing()
    monkeypatch.setattr("toldonce.make_job_runner", lambda: runner)
    return runner


def test_opening_deals_with_what_is_overdue(
    open_memory: OpenMemory, clock: ManualClock, announcing: Announcing
) -> None:
    """COM-4, COM-10: an overdue conversation and a missed night are made up for before anybody says anything."""
    memory = open_memory("community")
    for channel in ("one", "two"):
        memory.observe("The ramen place on Rua Augusta closes early on Sunday", user="alex", channel=channel)
    memory.close()
    clock.pass_time(days=2)
    again = open_memory(background=True)
    assert announcing.round_over.wait(PATIENCE)
    assert again.stats()["unsettled conversations"] == 0
    assert [r.record.kind for r in again.timeline(kinds=["note"])] == ["note", "note"]
    assert [run.status for run in again.jobs.runs(name="topics")]


def test_opening_removes_what_expired(open_memory: OpenMemory, clock: ManualClock, announcing: Announcing) -> None:
    """ROB-5: what expired while nothing ran is cleaned up at start."""
    memory = open_memory("companion")
    said = memory.observe("The blue ball is under the sofa", user="alex", session="s1")
    memory.close()
    clock.pass_time(days=400)
    again = open_memory(background=True)
    assert announcing.round_over.wait(PATIENCE)
    assert isinstance(said, Record)
    (run,) = [run for run in again.jobs.runs(name="expire") if run.counts.get("expired")]
    assert run.status == "completed"
    assert again.recall("ball", user="alex", kinds=["message"]) == []


def test_remembering_wakes_the_background(open_memory: OpenMemory, announcing: Announcing) -> None:
    """What was remembered gets its vector without an `observe`."""
    memory = open_memory("assistant", background=True)
    assert announcing.round_over.wait(PATIENCE)
    announcing.round_over.clear()
    memory.remember("Alex is allergic to nuts", user="alex")
    assert announcing.round_over.wait(PATIENCE)
    assert len(threads()) == 1
