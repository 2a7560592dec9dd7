"""Jobs and duties for tests: a duty that counts its runs, and ways to plan a job and to look at one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.conftest import OpenMemory
from toldonce import Memory
from toldonce.jobs import JobRunner
from toldonce.jobs.task import JobDefinition, JobResult, LeasedJob
from toldonce.storage.tables.jobs import Job

Work = Callable[[Memory, LeasedJob], JobResult]


class Probe:
    """A tender with one duty, `note`, that writes down what it was called for and does what it is told."""

    def __init__(self, work: Work | None = None, *, name: str = "note") -> None:
        self.calls: list[tuple[str, datetime]] = []
        self.work: Work = work or (lambda memory, task: JobResult({"notes": 1}))
        self.job_runner = JobRunner({name: JobDefinition(run=self._run)})

    def _run(self, memory: Memory, task: LeasedJob) -> JobResult:
        self.calls.append((task.job.key, task.now))
        return self.work(memory, task)


def plan_job(memory: Memory, due_at: datetime, *, key: str = "one", **fields: Any) -> None:
    job = Job(space=memory.space.name, key=key, name="note", due_at=due_at, **fields)
    memory.store.write(lambda t: t.jobs.put(job))


def job_of(memory: Memory, key: str = "one", *, space: str | None = None) -> Job | None:
    where = memory.space.name if space is None else space
    return memory.store.read(lambda t: t.jobs.get(where, key))


def lease_one(memory: Memory, name: str, now: datetime, *, lasting: timedelta = timedelta(seconds=60)) -> Job:
    """What a worker in another process does first."""
    job = memory.store.write(lambda t: t.jobs.lease([name], now=now, lasting=lasting))
    assert job is not None
    return job


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant")
