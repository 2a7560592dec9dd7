"""Several processes tend one file: each job runs once, and a killed worker's job is taken over."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.conftest import START, ManualClock, OpenMemory
from tests.jobs.conftest import Probe, job_of, plan_job
from toldonce import Memory

WORKER = """
import os, sys, threading
from datetime import datetime
from toldonce import Memory
from toldonce.jobs import JobRunner
from toldonce.jobs.task import JobResult, JobDefinition

path, now, mode = sys.argv[1], datetime.fromisoformat(sys.argv[2]), sys.argv[3]

def work(memory, task):
    if mode == "hang":
        print("leased", flush=True)
        threading.Event().wait()
    detail = {"key": task.job.key, "worker": os.getpid()}

    def note(t):
        # The effect of a job is the same if it is done again: a worker may be killed before it says that it is done.
        if not t.documents.read_setting("main", task.job.key):
            t.documents.set_setting("main", task.job.key, "done")
            t.audit.add("main", "worked", at=task.now, detail=detail)

    memory.store.write(note)
    if mode == "tell":
        print("done", flush=True)
    return JobResult()

with Memory.open(path, embedder=None, background=False) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    runs = JobRunner({"note": JobDefinition(run=work)}).run_due(memory, now=now)
    print(len(runs), flush=True)
"""


def worker(memory: Memory, mode: str = "work", *, now: datetime = START) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WORKER, memory.store.place, now.isoformat(), mode]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def test_each_job_runs_once_in_one_of_two_processes(memory: Memory) -> None:
    keys = {f"job {i}" for i in range(60)}
    for key in keys:
        plan_job(memory, START, key=key)
    workers = [worker(memory), worker(memory)]
    for process in workers:
        go(process)
    done = [int(process.communicate(timeout=120)[0]) for process in workers]
    trail = memory.store.read(lambda t: t.audit.list_entries("main", action="worked", limit=1000))
    assert sorted(line.detail["key"] for line in trail) == sorted(keys)
    assert sum(done) == len(memory.jobs.runs(name="note", limit=1000)) == 60
    assert memory.jobs.all() == []


@pytest.mark.parametrize(("workers", "jobs"), [(3, 60), pytest.param(8, 2000, marks=pytest.mark.slow)])
def test_killed_workers_lose_no_job_and_do_none_twice(memory: Memory, workers: int, jobs: int) -> None:
    """Round after round all workers are killed after some jobs; the next ones come when the leases have ended."""
    rng = random.Random(8)
    keys = [f"job {number}" for number in range(jobs)]
    for key in keys:
        # A job whose workers die again and again is given up, which is not asked here.
        plan_job(memory, START, key=key, max_attempts=10)
    for round_ in range(4):
        kill_workers(
            memory, START + timedelta(minutes=2 * round_), [rng.randint(1, jobs // 16) for _ in range(workers)]
        )
    rest = [worker(memory, "work", now=START + timedelta(minutes=10)) for _ in range(workers)]
    for process in rest:
        go(process)
    for process in rest:
        assert process.communicate(timeout=600)[0]
    runs = memory.jobs.runs(name="note", limit=10 * jobs)
    assert Counter(run.key for run in runs if run.status == "completed") == Counter(keys)
    effects = memory.store.read(lambda t: t.audit.list_entries("main", action="worked", limit=10 * jobs))
    assert Counter(line.detail["key"] for line in effects) == Counter(keys)
    assert memory.jobs.all() == []


def kill_workers(memory: Memory, now: datetime, after: list[int]) -> None:
    """Each worker is killed somewhere in the job after so many."""
    started = [worker(memory, "tell", now=now) for _ in after]
    for process in started:
        go(process)
    for process, jobs in zip(started, after, strict=True):
        assert process.stdout is not None
        for _ in range(jobs):
            if not process.stdout.readline().startswith("done"):
                break
        process.kill()
        process.communicate()


def test_the_job_of_a_killed_process_is_taken_over_when_its_lease_ends(memory: Memory, clock: ManualClock) -> None:
    plan_job(memory, START)
    process = worker(memory, "hang")
    go(process)
    assert process.stdout is not None
    assert process.stdout.readline() == "leased\n"
    process.kill()
    process.wait(60)
    process.communicate()
    probe = Probe()
    assert probe.job_runner.run_due(memory, now=START) == []
    leased = job_of(memory)
    assert leased is not None and leased.lease_until is not None
    assert timedelta(seconds=60) <= leased.lease_until - START < timedelta(seconds=90)
    assert [run.status for run in probe.job_runner.run_due(memory, now=leased.lease_until)] == ["completed"]


def test_a_file_carries_its_jobs_into_the_next_process(open_memory: OpenMemory, tmp_path: Path) -> None:
    first = open_memory("assistant")
    plan_job(first, START)
    first.close()
    process = worker(open_memory())
    go(process)
    assert process.communicate(timeout=120)[0] == "1\n"
