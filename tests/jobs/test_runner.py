"""Running what is due: order, leases, retries, time-outs, and what is written down."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.conftest import START, ManualClock, OpenMemory
from tests.jobs.conftest import Probe, job_of, lease_one, plan_job
from toldonce import Memory
from toldonce.errors import InputError, JobTimeout, LeaseLost
from toldonce.jobs import JobRunner, runner
from toldonce.jobs.planning import REST
from toldonce.jobs.runner import LEASE
from toldonce.jobs.schedule import retry_after
from toldonce.jobs.task import JobDefinition, JobResult, LeasedJob

MINUTE = timedelta(minutes=1)


def test_due_jobs_run_in_order_of_time_and_key(memory: Memory) -> None:
    probe = Probe()
    for key, wait in (("c", 0), ("b", 1), ("a", 1), ("later", 10)):
        plan_job(memory, START + wait * MINUTE, key=key)
    runs = probe.job_runner.run_due(memory, now=START + 5 * MINUTE)
    assert [run.key for run in runs] == ["c", "a", "b"]
    assert [run.counts for run in runs] == [{"notes": 1}] * 3
    assert {now for _, now in probe.calls} == {START + 5 * MINUTE}
    assert [job.key for job in memory.jobs.all()] == ["later"]


def test_nothing_due_writes_nothing(memory: Memory) -> None:
    probe = Probe()
    plan_job(memory, START + MINUTE)
    before = (memory.jobs.all(), memory.jobs.runs())
    assert probe.job_runner.run_due(memory, now=START) == []
    assert (memory.jobs.all(), memory.jobs.runs()) == before


def test_a_job_nobody_can_run_waits(memory: Memory) -> None:
    plan_job(memory, START)
    assert Probe(name="other").job_runner.run_due(memory, now=START) == []
    assert job_of(memory) is not None


def test_every_run_is_written_down(memory: Memory) -> None:
    results = {
        "whole": JobResult({"n": 2}),
        "part": JobResult({"n": 1}, "partial"),
        "none": JobResult(status="skipped"),
    }
    probe = Probe(lambda _, task: results[task.job.key])
    for key in results:
        plan_job(memory, START, key=key)
    probe.job_runner.run_due(memory, now=START)
    assert {r.key: (r.status, dict(r.counts)) for r in memory.jobs.runs(name="note")} == {
        "whole": ("completed", {"n": 2}),
        "part": ("partial", {"n": 1}),
        "none": ("skipped", {}),
    }
    assert all(r.started_at == START <= r.ended_at for r in memory.jobs.runs(name="note"))


def test_what_a_job_plans_for_now_runs_in_the_same_call(memory: Memory) -> None:
    def work(memory: Memory, task: LeasedJob) -> JobResult:
        if task.job.key == "one":
            plan_job(memory, task.now, key="two")
        return JobResult()

    plan_job(memory, START)
    assert [run.key for run in Probe(work).job_runner.run_due(memory, now=START)] == ["one", "two"]


def test_a_cron_job_that_missed_many_moments_runs_once(memory: Memory) -> None:
    probe = Probe()
    plan_job(memory, START, cron="0 * * * *", zone="Europe/Lisbon")
    week_later = START + timedelta(days=7, minutes=20)
    assert len(probe.job_runner.run_due(memory, now=week_later)) == 1
    job = job_of(memory)
    assert job is not None
    assert (job.due_at, job.state, job.attempts) == (week_later + 40 * MINUTE, "ready", 0)


def test_planning_a_waiting_job_again_moves_it(memory: Memory) -> None:
    probe = Probe()
    plan_job(memory, START + MINUTE)
    plan_job(memory, START + 3 * MINUTE)
    assert probe.job_runner.run_due(memory, now=START + 2 * MINUTE) == []
    assert len(probe.job_runner.run_due(memory, now=START + 3 * MINUTE)) == 1


def test_planning_a_running_job_again_has_it_run_once_more(memory: Memory) -> None:
    def work(memory: Memory, task: LeasedJob) -> JobResult:
        if len(probe.calls) == 1:
            plan_job(memory, task.now + 2 * MINUTE)
            plan_job(memory, task.now + 5 * MINUTE)
        return JobResult()

    probe = Probe(work)
    plan_job(memory, START)
    assert len(probe.job_runner.run_due(memory, now=START)) == 1
    assert probe.job_runner.run_due(memory, now=START + 4 * MINUTE) == []
    assert len(probe.job_runner.run_due(memory, now=START + 5 * MINUTE)) == 1
    assert job_of(memory) is None


def test_a_leased_job_is_left_alone(memory: Memory) -> None:
    probe = Probe()
    plan_job(memory, START)
    lease_one(memory, "note", START)
    assert probe.job_runner.run_due(memory, now=START) == []
    assert probe.job_runner.run_due(memory, now=START + LEASE - timedelta(seconds=1)) == []


def test_a_second_runner_does_not_run_what_the_first_is_running(open_memory: OpenMemory) -> None:
    """Two processes' worth of connections to one file: while the first runs the job, the second finds nothing to do."""
    first, second = open_memory("assistant"), open_memory()
    found: list[list[object]] = []

    def work(memory: Memory, task: LeasedJob) -> JobResult:
        found.append(list(Probe().job_runner.run_due(second, now=task.now)))
        return JobResult()

    plan_job(first, START)
    assert len(Probe(work).job_runner.run_due(first, now=START)) == 1
    assert found == [[]]


def test_a_job_whose_worker_went_silent_is_taken_over(memory: Memory) -> None:
    probe = Probe()
    plan_job(memory, START)
    silent = lease_one(memory, "note", START)
    (run,) = probe.job_runner.run_due(memory, now=START + LEASE)
    assert run.status == "completed"
    assert not memory.store.write(lambda t: t.jobs.renew(silent, until=START + 2 * LEASE))


def test_a_worker_that_lost_its_job_can_neither_write_nor_end_it(memory: Memory) -> None:
    """A process was asleep, another took over: the first one's transactions are refused, the job stays the other's."""

    def work(memory: Memory, task: LeasedJob) -> JobResult:
        later = task.now + 2 * LEASE
        memory.store.write(lambda t: t.jobs.lease(["note"], now=later, lasting=LEASE))
        with pytest.raises(LeaseLost):
            memory.store.write(task.check_lease_in_transaction)
        return JobResult({"notes": 1})

    plan_job(memory, START)
    (run,) = Probe(work).job_runner.run_due(memory, now=START)
    assert (run.status, run.error) == ("failed", "LeaseLost: Another worker took this job over.")
    job = job_of(memory)
    assert job is not None
    assert (job.state, job.attempts) == ("running", 2)


def until(is_so: Callable[[], bool]) -> None:
    """Look again and again, without holding anything, until it is so."""
    for _ in range(10_000):
        if is_so():
            return
        threading.Event().wait(0.005)
    raise AssertionError("it never came about")


@pytest.fixture
def quick_heart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "_LOOK_EVERY", timedelta(milliseconds=5))
    monkeypatch.setattr(runner, "_BEAT_EVERY", timedelta(milliseconds=10))


@pytest.mark.usefixtures("quick_heart")
def test_a_long_run_keeps_its_lease_alive(memory: Memory) -> None:
    def work(memory: Memory, task: LeasedJob) -> JobResult:
        def is_renewed() -> bool:
            job = job_of(memory)
            return job is not None and job.lease == task.job.lease and job.lease_until > task.job.lease_until  # type: ignore[operator]

        until(is_renewed)
        task.check_lease()
        return JobResult()

    plan_job(memory, START)
    assert [run.status for run in Probe(work).job_runner.run_due(memory, now=START)] == ["completed"]


@pytest.mark.usefixtures("quick_heart")
def test_a_worker_notices_that_its_job_was_taken_over(memory: Memory) -> None:
    def work(memory: Memory, task: LeasedJob) -> JobResult:
        memory.store.write(lambda t: t.jobs.lease(["note"], now=task.now + 2 * LEASE, lasting=LEASE))
        with pytest.raises(LeaseLost):
            until(lambda: task.check_lease() is not None)
        noticed.set()
        return JobResult()

    noticed = threading.Event()
    plan_job(memory, START)
    (run,) = Probe(work).job_runner.run_due(memory, now=START)
    assert noticed.is_set()
    assert run.error == "LeaseLost: Another worker took this job over."
    assert job_of(memory).state == "running"  # type: ignore[union-attr]


def test_a_failure_is_tried_again_after_growing_waits_and_then_given_up(memory: Memory) -> None:
    def work(memory: Memory, task: LeasedJob) -> JobResult:
        raise InputError("the model said no")

    probe = Probe(work)
    plan_job(memory, START, max_attempts=3)
    now = START
    for attempt in (1, 2):
        assert [r.status for r in probe.job_runner.run_due(memory, now=now)] == ["failed"]
        wait = retry_after(attempt)
        assert probe.job_runner.run_due(memory, now=now + wait - timedelta(seconds=1)) == []
        now += wait
    assert len(probe.job_runner.run_due(memory, now=now)) == 1
    job = job_of(memory)
    assert job is not None
    assert (job.state, job.attempts, job.last_error) == ("failed", 3, "InputError: the model said no")
    assert probe.job_runner.run_due(memory, now=now + timedelta(hours=23)) == []
    assert len(probe.calls) == 3


def test_a_job_given_up_gets_another_chance_after_a_rest(memory: Memory) -> None:
    """Nothing that waits to be worked on is lost to a long outage."""

    def broken(memory: Memory, task: LeasedJob) -> JobResult:
        raise InputError("away")

    plan_job(memory, START, max_attempts=1)
    Probe(broken).job_runner.run_due(memory, now=START)
    probe = Probe()
    assert probe.job_runner.run_due(memory, now=START + REST - MINUTE) == []
    assert [r.status for r in probe.job_runner.run_due(memory, now=START + REST)] == ["completed"]
    assert job_of(memory) is None


def test_a_cron_job_that_keeps_failing_comes_back_at_its_next_moment(memory: Memory) -> None:
    def work(memory: Memory, task: LeasedJob) -> JobResult:
        raise InputError("no")

    probe = Probe(work)
    plan_job(memory, START, cron="0 3 * * *", max_attempts=2)
    probe.job_runner.run_due(memory, now=START)
    probe.job_runner.run_due(memory, now=START + retry_after(1))
    job = job_of(memory)
    assert job is not None
    assert (job.state, job.attempts, job.due_at.hour) == ("ready", 0, 3)
    assert job.due_at > START


def test_one_failed_job_does_not_stop_the_others(memory: Memory) -> None:
    def work(memory: Memory, task: LeasedJob) -> JobResult:
        if task.job.key == "a":
            raise ZeroDivisionError
        return JobResult()

    for key in "abc":
        plan_job(memory, START, key=key)
    runs = Probe(work).job_runner.run_due(memory, now=START)
    assert [r.status for r in runs] == ["failed", "completed", "completed"]


def test_the_errors_of_others_are_told_without_their_words(memory: Memory, caplog: pytest.LogCaptureFixture) -> None:
    """A parser's message may quote what someone said: neither the run nor the log repeats it."""

    def work(memory: Memory, task: LeasedJob) -> JobResult:
        raise ValueError("cannot read 'my PIN is 1234'")

    plan_job(memory, START)
    (run,) = Probe(work).job_runner.run_due(memory, now=START)
    job = job_of(memory)
    assert job is not None
    assert run.error.startswith("ValueError at test_runner.py:")
    assert "1234" not in run.error + job.last_error + caplog.text
    assert "ValueError" in caplog.text


def test_a_handler_that_hangs_is_left_and_can_do_no_more(memory: Memory) -> None:
    release, refused = threading.Event(), threading.Event()

    def work(memory: Memory, task: LeasedJob) -> JobResult:
        release.wait()
        with pytest.raises(JobTimeout):
            memory.store.write(task.check_lease_in_transaction)
        with pytest.raises(JobTimeout):
            task.check_lease()
        refused.set()
        return JobResult({"notes": 1})

    plan_job(memory, START, timeout=timedelta(milliseconds=50), max_attempts=2)
    (run,) = Probe(work).job_runner.run_due(memory, now=START)
    assert (run.status, run.error) == ("failed", "JobTimeout: it took longer than 0.05 s")
    release.set()
    assert refused.wait(30)
    job = job_of(memory)
    assert job is not None
    assert (job.state, job.due_at) == ("ready", START + retry_after(1))
    assert len(memory.jobs.runs(name="note")) == 1


def test_a_job_that_kills_its_worker_is_not_tried_for_ever(memory: Memory) -> None:
    """Each attempt ends without a word; after the last allowed one the job is given up without being run."""
    probe = Probe()
    plan_job(memory, START, max_attempts=2)
    now = START
    for _ in range(2):
        lease_one(memory, "note", now)
        now += LEASE
    (run,) = probe.job_runner.run_due(memory, now=now)
    assert (run.status, run.error, probe.calls) == ("failed", "JobError: its worker died 2 times", [])
    job = job_of(memory)
    assert job is not None
    assert job.state == "failed"


def test_a_run_whose_job_was_dropped_meanwhile_is_still_written_down(memory: Memory) -> None:
    """A handler may finish its own job in the transaction that does the work."""

    def work(memory: Memory, task: LeasedJob) -> JobResult:
        memory.store.write(lambda t: t.jobs.drop(task.space, task.job.key))
        return JobResult({"notes": 1})

    plan_job(memory, START)
    (run,) = Probe(work).job_runner.run_due(memory, now=START)
    assert run.status == "completed"
    assert [r.key for r in memory.jobs.runs(name="note")] == ["one"]


# Jobs with nothing to do


def test_idle_jobs_are_passed_over_in_one_write(memory: Memory, clock: ManualClock) -> None:
    """They leave a record as skipped, are due again by their schedule, and no handler is called for them."""
    called: list[str] = []

    def work(memory: Memory, task: LeasedJob) -> JobResult:
        called.append(task.job.key)
        return JobResult()

    tender = JobRunner(
        {"note": JobDefinition(run=work, idle=lambda tables, jobs: [job for job in jobs if job.key != "busy"])}
    )
    for key in ("quiet", "calm", "busy"):
        plan_job(memory, START, key=key, cron="0 3 * * *")
    runs = tender.run_due(memory, now=clock())
    assert sorted((run.key, run.status) for run in runs) == [
        ("busy", "completed"),
        ("calm", "skipped"),
        ("quiet", "skipped"),
    ]
    assert called == ["busy"]
    job = job_of(memory, "quiet")
    assert job is not None
    assert job.due_at == START + timedelta(hours=18)


def test_an_idle_job_without_a_schedule_is_done(memory: Memory, clock: ManualClock) -> None:
    tender = JobRunner({"note": JobDefinition(run=lambda memory, task: JobResult(), idle=lambda tables, jobs: jobs)})
    plan_job(memory, START)
    assert [run.status for run in tender.run_due(memory, now=clock())] == ["skipped"]
    assert job_of(memory) is None
