"""Runs what is due: plans, leases one job at a time, has its handler do the work, and writes down how it ended.

The handler works in a thread of its own while this one keeps the lease alive, so that a handler that hangs can be left.
Due moments come from the time that was passed in; real time counts only for leases and time-outs.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from toldonce.access import acting_as
from toldonce.errors import JobError, JobTimeout, LeaseLost, ModelError, StoreClosed, ToldonceError
from toldonce.jobs.embed import lacks_vectors, plan_embedding
from toldonce.jobs.planning import Duties, plan_schedules
from toldonce.jobs.schedule import next_moment, retry_after
from toldonce.jobs.task import SKIPPED, JobResult, LeasedJob
from toldonce.jobs.time_index import TIMES, lacks_times, plan_times
from toldonce.jobs.webhooks import lacks_deliveries, plan_deliveries
from toldonce.operations.jobs import EMBED
from toldonce.operations.webhooks import WEBHOOK
from toldonce.storage.store import Tables
from toldonce.storage.tables.jobs import Job, Run

if TYPE_CHECKING:
    from toldonce.memory import Memory

log = logging.getLogger("toldonce.jobs")

LEASE = timedelta(seconds=60)
_BEAT_EVERY = LEASE / 3
_LOOK_EVERY = timedelta(milliseconds=200)
_LAST_WAIT = timedelta(seconds=2)
_LONGEST_WAIT = timedelta(days=1)
# How often one job may run in one pass; a job that takes long goes on in the next pass.
_MOST_TIMES = 50
_SHORTEST_PAUSE = timedelta(milliseconds=200)
_LONGEST_PAUSE = timedelta(seconds=5)


def run_round(memory: Memory, duties: Duties, *, starting: bool, halt: threading.Event) -> timedelta | None:
    """One round in the background: how long to wait for the next, or None when the memory was closed."""
    try:
        shift = DuePass(memory, duties, now=memory.clock(), halt=halt)
        shift.run_due_jobs(starting=starting)
        return shift.next_pause(memory.clock())
    except StoreClosed:
        return None
    except Exception as problem:
        log.error("background work stopped early and goes on in a moment: %s", describe_error(problem))
        return _LONGEST_PAUSE


class DuePass:
    """One pass over everything that is due at one moment."""

    def __init__(self, memory: Memory, duties: Duties, *, now: datetime, halt: threading.Event | None = None) -> None:
        self._memory = memory
        self._store = memory.store
        self._duties = {n: d for n, d in duties.items() if memory.embedder is not None or not d.needs_embedder}
        self._now = now
        self._started = time.monotonic()
        self._halt = halt or threading.Event()

    def run_due_jobs(self, *, starting: bool = False) -> list[Run]:
        """Run jobs until none is due; what they plan for this moment runs too."""
        plan_schedules(self._store, self._duties, now=self._now, starting=starting)
        return self._pass_over_idle() + self.run_planned_jobs()

    def run_planned_jobs(self) -> list[Run]:
        """Run the jobs that are planned already until none is due."""
        runs: list[Run] = []
        times = Counter[tuple[str, str]]()
        while not self._halt.is_set() and (job := self._lease_next()) is not None:
            times[job.space, job.key] += 1
            if times[job.space, job.key] > _MOST_TIMES:
                # What is written down of it does not stay: the file is damaged, and trying on would never end.
                log.error("the job %s comes back whatever is written down: run `toldonce doctor`", job.key)
                break
            if run := self._run(job):
                runs.append(run)
        return runs

    def _pass_over_idle(self) -> list[Run]:
        """Write down in one go that due jobs have nothing to do; a thousand quiet people need no thousand runs."""
        asked = {name: duty.idle for name, duty in self._duties.items() if duty.idle is not None}
        due_at = self._store.read(lambda t: t.jobs.next_due(asked)) if asked else None
        if due_at is None or due_at > self._now:
            return []

        def work(tables: Tables) -> list[Run]:
            found = {name: tables.jobs.find_due(name, now=self._now) for name in asked}
            idle = [job for name, is_idle in asked.items() for job in is_idle(tables, found[name])]
            return [self._pass_over(tables, job) for job in idle]

        return self._store.write(work)

    def _pass_over(self, tables: Tables, job: Job) -> Run:
        due_at = next_moment(job.cron, job.zone, after=self._now) if job.cron else None
        if due_at is not None:
            tables.jobs.put(replace(job, due_at=due_at))
        else:
            tables.jobs.drop(job.space, job.key)
        run = self._run_of(LeasedJob(job, now=self._now), SKIPPED)
        tables.jobs.record(run)
        return run

    def next_pause(self, now: datetime) -> timedelta:
        """How long nothing will be due, within limits: other processes may plan something meanwhile."""
        due_at = self._store.read(lambda t: t.jobs.next_due(self._duties))
        left = due_at - now if due_at is not None else _LONGEST_PAUSE
        return min(max(left, _SHORTEST_PAUSE), _LONGEST_PAUSE)

    def _lease_next(self) -> Job | None:
        if not self._is_due():
            return None
        lasting = LEASE + timedelta(seconds=time.monotonic() - self._started)
        return self._store.write(lambda t: t.jobs.lease(self._duties, now=self._now, lasting=lasting), alone=False)

    def _is_due(self) -> bool:
        """Asked of a reader first, so that an idle memory is never written to."""
        searcher = self._memory.engine.searcher
        if EMBED in self._duties and self._store.read(lambda t: lacks_vectors(t, searcher)):
            self._store.write(lambda t: plan_embedding(t, searcher, now=self._now))
        if TIMES in self._duties and self._store.read(lacks_times):
            self._store.write(lambda t: plan_times(t, now=self._now))
        if WEBHOOK in self._duties and self._store.read(lacks_deliveries):
            self._store.write(lambda t: plan_deliveries(t, now=self._now))
        due_at = self._store.read(lambda t: t.jobs.next_due(self._duties))
        return due_at is not None and due_at <= self._now

    def _run(self, job: Job) -> Run | None:
        task = LeasedJob(job, now=self._now)
        outcome: JobResult | Exception | None
        if job.attempts > job.max_attempts:
            outcome = JobError(f"its worker died {job.attempts - 1} times")
        else:
            outcome = self._carry_out(task)
        if outcome is None:
            self._give_back(job)
            return None
        return self._finish_run(task, outcome)

    def _carry_out(self, task: LeasedJob) -> JobResult | Exception | None:
        """What the handler made of the task, or why it failed; None when this process is told to stop meanwhile."""
        made: list[JobResult | Exception] = []
        finished = threading.Event()

        def work() -> None:
            try:
                with acting_as(interface=f"job: {task.job.name}"):
                    made.append(self._duties[task.job.name].run(self._memory, task))
            except Exception as problem:
                made.append(problem)
            finally:
                finished.set()

        threading.Thread(target=work, name=f"toldonce {task.job.name}", daemon=True).start()
        try:
            return self._await(task, finished, made)
        finally:
            task.mark_lost(LeaseLost("this run is over"))

    def _await(
        self, task: LeasedJob, finished: threading.Event, made: list[JobResult | Exception]
    ) -> JobResult | Exception | None:
        beat_after = _BEAT_EVERY
        while not finished.wait(_seconds_of(min(_LOOK_EVERY, task.job.timeout - task.elapsed))):
            if task.elapsed >= task.job.timeout:
                late = JobTimeout(f"it took longer than {task.job.timeout.total_seconds():g} s")
                task.mark_lost(late)
                return late
            if self._halt.is_set():
                return self._break_off(task, finished, made)
            if task.elapsed >= beat_after:
                beat_after = task.elapsed + _BEAT_EVERY
                self._renew(task)
        return made[0] if made else JobError("its worker ended without a word")

    def _break_off(
        self, task: LeasedJob, finished: threading.Event, made: list[JobResult | Exception]
    ) -> JobResult | Exception | None:
        """Ask the handler to stop; what it ends in spite of that counts."""
        task.mark_lost(LeaseLost("this process stops"))
        finished.wait(_seconds_of(_LAST_WAIT))
        return None if not made or isinstance(made[0], LeaseLost) else made[0]

    def _renew(self, task: LeasedJob) -> None:
        until = self._now + timedelta(seconds=time.monotonic() - self._started) + LEASE
        try:
            held = self._store.write(lambda t: t.jobs.renew(task.job, until=until), alone=False)
        except ToldonceError as problem:
            log.warning("the lease of %s was not renewed, trying again: %s", task.job.key, problem)
            return
        if not held:
            task.mark_lost(LeaseLost())

    def _give_back(self, job: Job) -> None:
        """A process that stops leaves its job to the next one, without counting an attempt."""
        self._store.write(lambda t: t.jobs.reschedule(job, due_at=job.due_at, attempts=job.attempts - 1))

    def _finish_run(self, task: LeasedJob, outcome: JobResult | Exception) -> Run:
        run = self._run_of(task, outcome)
        if isinstance(outcome, Exception):
            log.warning("the job %s failed: %s", task.job.key, run.error)
        wait = timedelta(seconds=outcome.retry_after_s or 0) if isinstance(outcome, ModelError) else timedelta(0)
        return self._store.write(lambda t: self._write_down(t, task, run, wait=min(wait, _LONGEST_WAIT)))

    def _write_down(self, tables: Tables, task: LeasedJob, run: Run, *, wait: timedelta) -> Run:
        current = tables.jobs.get(task.job.space, task.job.key)
        if current is not None and current.lease != task.job.lease:
            run = self._run_of(task, LeaseLost())
        elif current is not None:
            self._plan_again(tables, current, error=run.error, wait=wait)
        tables.jobs.record(run)
        return run

    def _plan_again(self, tables: Tables, job: Job, *, error: str, wait: timedelta) -> None:
        """Reschedule or drop a job of ours whose run is over; a model may have asked to wait."""
        if job.again_at is not None:
            tables.jobs.reschedule(job, due_at=job.again_at, attempts=0, last_error=error)
        elif error and job.attempts < job.max_attempts:
            retry_at = self._now + max(retry_after(job.attempts), wait)
            tables.jobs.reschedule(job, due_at=retry_at, attempts=job.attempts, last_error=error)
        elif job.cron and (due_at := next_moment(job.cron, job.zone, after=self._now)) is not None:
            tables.jobs.reschedule(job, due_at=due_at, attempts=0, last_error=error)
        elif error:
            tables.jobs.reschedule(job, due_at=job.due_at, attempts=job.attempts, last_error=error, failed=True)
        else:
            tables.jobs.drop(job.space, job.key, lease=job.lease)

    def _run_of(self, task: LeasedJob, outcome: JobResult | Exception) -> Run:
        done = outcome if isinstance(outcome, JobResult) else JobResult(status="failed")
        error = describe_error(outcome) if isinstance(outcome, Exception) else ""
        return Run(
            space=task.job.space,
            key=task.job.key,
            name=task.job.name,
            started_at=self._now,
            ended_at=self._now + task.elapsed,
            status=done.status,
            counts=done.counts,
            error=error,
            detail=done.detail,
        )


def describe_error(problem: Exception) -> str:
    """An error in words that carry no remembered text: the messages of others may quote what they worked on."""
    name = type(problem).__name__
    if isinstance(problem, ToldonceError):
        return f"{name}: {problem}"
    frame = problem.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    return f"{name} at {Path(frame.tb_frame.f_code.co_filename).name}:{frame.tb_lineno}" if frame else name


def _seconds_of(length: timedelta) -> float:
    return max(0.0, length.total_seconds())
