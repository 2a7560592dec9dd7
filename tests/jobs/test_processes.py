"""Several processes tend one file: each job runs once, and a killed worker's job is taken over."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

from recollect import Memory
from tests.conftest import START, ManualClock, OpenMemory
from tests.jobs.conftest import Probe, job_of, plan_job

WORKER = """
import os, sys, threading
from datetime import datetime
from recollect import Memory
from recollect.jobs import JobRunner
from recollect.jobs.task import JobResult, JobDefinition

path, now, mode = sys.argv[1], datetime.fromisoformat(sys.argv[2]), sys.argv[3]

def work(memory, task):
    if mode == "hang":
        print("leased", flush=True)
        threading.Event().wait()
    detail = {"key": task.job.key, "worker": os.getpid()}
    memory.store.write(lambda t: t.audit.add("main", "worked", at=task.now, detail=detail))
    return JobResult()

with Memory.open(path, embedder=None, background=False) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    runs = JobRunner({"note": JobDefinition(run=work)}).run_due(memory, now=now)
    print(len(runs), flush=True)
"""


def worker(memory: Memory, mode: str = "work") -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WORKER, memory.store.place, START.isoformat(), mode]
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
