"""Which scheduled jobs there are: by preset, space, person and zone, and how they follow changes."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.conftest import START, ManualClock, OpenMemory
from tests.jobs.conftest import Probe, job_of
from toldonce import Memory, presets
from toldonce.jobs import JobRunner
from toldonce.jobs.handlers import DUTIES
from toldonce.jobs.task import JobDefinition, JobResult, LeasedJob
from toldonce.records import Space
from toldonce.storage.tables.jobs import Job

DAY = timedelta(days=1)


def schedules(memory: Memory) -> dict[tuple[str, str], Job]:
    return {(job.space, job.key): job for job in memory.jobs.all() if job.cron}


def own_preset(folder: Path, *, old: str, new: str, base: str = "assistant") -> str:
    """A preset file that differs from a shipped one in one place."""
    text, _ = presets.preset_text(base)
    assert old in text
    path = folder / "own.toml"
    path.write_text(text.replace(old, new).replace(f'name = "{base}"', 'name = "own"', 1), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("preset", presets.shipped_presets())
def test_every_shipped_schedule_that_something_can_run_is_planned(open_memory: OpenMemory, preset: str) -> None:
    """Jobs that come later have no handler and are not planned; the rest is there with the preset's own clock."""
    memory = open_memory(preset, zone="Europe/Lisbon")
    memory.observe("hello", "alex", session="s1", channel="c1")
    memory.tend(START)
    wanted = {(s.job, s.cron) for s in presets.load_preset(preset).schedules if s.job in DUTIES}
    always = {("expire", "0 * * * *"), ("resume", "5 * * * *"), ("upkeep", "50 4 * * 0")}
    assert {(job.name, job.cron) for job in schedules(memory).values()} == wanted | always


def test_a_first_run_comes_at_the_next_moment_in_the_zone_of_the_space(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant", zone="America/Sao_Paulo")
    memory.tend(START)
    job = job_of(memory, "schedule:fade")
    assert job is not None
    assert (job.due_at, job.zone) == (datetime(2026, 3, 3, 7, 0, tzinfo=UTC), "America/Sao_Paulo")


def test_runs_that_were_missed_before_anyone_tended_happen_once(open_memory: OpenMemory, clock: ManualClock) -> None:
    """Thirty nights passed since the space was made and nothing ran: the first look catches up with one run."""
    memory = open_memory("assistant")
    now = clock.pass_time(days=30)
    assert [run.name for run in memory.tend() if run.name == "fade"] == ["fade"]
    job = job_of(memory, "schedule:fade")
    assert job is not None
    assert now < job.due_at <= now + DAY


def test_a_job_that_catches_up_and_never_ran_is_due_at_once(open_memory: OpenMemory) -> None:
    memory = open_memory("community")
    probe = Probe(name="topics")
    assert len(probe.job_runner.run_due(memory, now=START)) == 1
    assert probe.job_runner.run_due(memory, now=START) == []
    assert len(probe.job_runner.run_due(memory, now=START + 3 * DAY)) == 1


def test_each_person_has_the_job_in_their_own_zone(open_memory: OpenMemory) -> None:
    memory = open_memory("life", zone="Europe/Lisbon")
    for user, zone in (("alex", "Asia/Tokyo"), ("bea", ""), ("caio", "America/Sao_Paulo")):
        memory.people.update(user, zone=zone)
    probe = Probe(name="consolidate")
    assert probe.job_runner.run_due(memory, now=START) == []
    due = {job.key: job.due_at for job in memory.jobs.all()}
    assert due == {
        "schedule:consolidate:alex": datetime(2026, 3, 2, 18, 0, tzinfo=UTC),
        "schedule:consolidate:bea": datetime(2026, 3, 3, 3, 0, tzinfo=UTC),
        "schedule:consolidate:caio": datetime(2026, 3, 3, 6, 0, tzinfo=UTC),
    }
    assert [r.key for r in probe.job_runner.run_due(memory, now=datetime(2026, 3, 3, 3, 0, tzinfo=UTC))] == [
        "schedule:consolidate:alex",
        "schedule:consolidate:bea",
    ]


def test_a_persons_job_follows_their_move_to_another_zone(open_memory: OpenMemory) -> None:
    memory = open_memory("life", zone="Europe/Lisbon")
    memory.people.update("alex")
    probe = Probe(name="consolidate")
    probe.job_runner.run_due(memory, now=START)
    memory.people.update("alex", zone="Asia/Tokyo")
    probe.job_runner.run_due(memory, now=START)
    job = job_of(memory, "schedule:consolidate:alex")
    assert job is not None
    assert (job.zone, job.due_at) == ("Asia/Tokyo", datetime(2026, 3, 2, 18, 0, tzinfo=UTC))


def test_a_blocked_person_has_no_job(open_memory: OpenMemory) -> None:
    memory = open_memory("life")
    memory.people.update("alex")
    probe = Probe(name="consolidate")
    probe.job_runner.run_due(memory, now=START)
    memory.people.block("alex")
    probe.job_runner.run_due(memory, now=START)
    assert memory.jobs.all() == []


def test_a_job_follows_another_schedule_and_keeps_what_is_overdue(memory: Memory) -> None:
    """A newer version says another hour: what is due in future moves, what was missed still happens once."""
    waiting = Job(space="main", key="schedule:fade", name="fade", due_at=START + DAY, cron="0 9 * * *", zone="UTC")
    memory.store.write(lambda t: t.jobs.put(waiting))
    overdue = Job(
        space="main", key="schedule:settle_pending", name="settle_pending", due_at=START - DAY, cron="0 9 * * *"
    )
    memory.store.write(lambda t: t.jobs.put(overdue))
    assert "settle_pending" in [run.name for run in memory.tend(START)]
    rows = schedules(memory)
    assert rows["main", "schedule:fade"].due_at == datetime(2026, 3, 3, 4, 0, tzinfo=UTC)
    assert rows["main", "schedule:settle_pending"].due_at == datetime(2026, 3, 3, 3, 0, tzinfo=UTC)


def test_a_schedule_that_is_gone_takes_its_job_along(memory: Memory) -> None:
    gone = Job(space="main", key="schedule:purge", name="purge", due_at=START, cron="0 9 * * *")
    unknown = Job(space="main", key="schedule:dream", name="dream", due_at=START, cron="0 9 * * *")
    memory.store.write(lambda t: (t.jobs.put(gone), t.jobs.put(unknown)))
    assert "purge" not in [run.name for run in memory.tend(START)]
    assert job_of(memory, "schedule:purge") is None
    assert job_of(memory, "schedule:dream") is not None, "another version's job is not ours to drop"


def test_retries_and_time_out_come_from_the_preset(open_memory: OpenMemory, tmp_path: Path) -> None:
    said = 'job = "fade"\ncron = "0 4 * * *"\nretries = 1\ntimeout = "90s"'
    memory = open_memory(own_preset(tmp_path, old='job = "fade"\ncron = "0 4 * * *"', new=said))
    memory.tend(START)
    job = job_of(memory, "schedule:fade")
    assert job is not None
    assert (job.max_attempts, job.timeout) == (2, timedelta(seconds=90))


def test_one_job_may_come_in_two_rhythms(open_memory: OpenMemory, tmp_path: Path) -> None:
    said = 'job = "fade"\ncron = "0 4 * * *"\n[[schedules]]\njob = "fade"\ncron = "30 16 * * 1-5"'
    memory = open_memory(own_preset(tmp_path, old='job = "fade"\ncron = "0 4 * * *"', new=said))
    memory.tend(START)
    first = memory.jobs.all()
    memory.tend(START)
    assert memory.jobs.all() == first
    assert {job.cron for job in first if job.name == "fade"} == {"0 4 * * *", "30 16 * * 1-5"}


def test_work_on_the_whole_store_is_planned_once_for_many_spaces(memory: Memory) -> None:
    for user in ("alex", "bea", "caio"):
        memory.spaces.add(f"@{user}")
    memory.tend(START)
    assert len([job for job in memory.jobs.all() if job.name == "backup"]) == 1
    assert len([job for job in memory.jobs.all() if job.name == "fade"]) == 4


def test_a_deleted_space_is_only_purged(open_memory: OpenMemory) -> None:
    memory = open_memory("coding", space="shop")
    memory.spaces.add("old")
    duties = {
        name: JobDefinition(run=lambda memory, task: JobResult(), for_deleted=name == "purge")
        for name in ("purge", "backup")
    }
    JobRunner(duties).run_due(memory, now=START)
    memory.spaces.delete("old")
    JobRunner(duties).run_due(memory, now=START)
    assert {job.name for job in memory.jobs.all() if job.space == "old"} == {"purge"}
    assert {job.name for job in memory.jobs.all() if job.space == "shop"} == {"purge", "backup"}


def test_a_space_whose_preset_cannot_be_read_does_not_stop_the_others(
    memory: Memory, caplog: pytest.LogCaptureFixture
) -> None:
    broken = Space(name="broken", preset="strange", preset_text="kinds = 3")
    memory.store.write(lambda t: t.people.add_space(broken, now=START))
    with caplog.at_level(logging.ERROR):
        memory.tend(START)
        memory.tend(START)
    assert job_of(memory, "schedule:fade") is not None
    assert caplog.text.count("'broken' is not tended") == 1


def test_a_zone_that_nobody_knows_counts_as_none(open_memory: OpenMemory) -> None:
    """An import may bring a person whose zone this machine does not know."""
    memory = open_memory("life", zone="Europe/Lisbon")
    person = memory.people.update("alex")
    memory.store.write(lambda t: t.people.update_person(replace(person, zone="Mars/Olympus"), now=START))
    Probe(name="consolidate").job_runner.run_due(memory, now=START)
    job = job_of(memory, "schedule:consolidate:alex")
    assert job is not None
    assert job.zone == "Europe/Lisbon"


def test_a_running_job_is_not_planned_anew(memory: Memory) -> None:
    """Its preset or zone may change meanwhile: the job follows when the run is over, and does not run twice."""
    seen: list[Job | None] = []

    def work(memory: Memory, task: LeasedJob) -> JobResult:
        moved = replace(memory.space, zone="Asia/Tokyo")
        memory.store.write(lambda t: t.people.set_space(moved))
        seen.append(job_of(memory, task.job.key))
        Probe(name="fade").job_runner.run_due(memory, now=task.now)
        seen.append(job_of(memory, task.job.key))
        return JobResult()

    probe = Probe(work, name="fade")
    assert len(probe.job_runner.run_due(memory, now=START + DAY)) == 1
    assert seen[0] == seen[1]
    probe.job_runner.run_due(memory, now=START + DAY)
    job = job_of(memory, "schedule:fade")
    assert job is not None
    assert (job.zone, len(probe.calls)) == ("Asia/Tokyo", 1)
