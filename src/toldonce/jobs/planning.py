"""Which scheduled jobs there should be: reads spaces, presets and people, and brings the job table in line with them.

It plans only jobs that something can run, and writes nothing when nothing changed.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache

from toldonce.clock import load_zone
from toldonce.errors import InputError, ToldonceError
from toldonce.jobs.schedule import next_moment
from toldonce.jobs.task import AT_EXIT, JobDefinition
from toldonce.operations.space_state import preset_of_space
from toldonce.presets.policy import Preset, Schedule
from toldonce.records import Space
from toldonce.storage.store import Store, Tables
from toldonce.storage.tables.jobs import Job

log = logging.getLogger("toldonce.jobs")

WHOLE_STORE = ""
PREFIX = "schedule:"
# A job that failed for good gets another series of attempts after this rest, since what it holds must not be lost.
REST = timedelta(days=1)
# The longest that a job waits for another reason than its schedule.
LONGEST_WAIT = timedelta(days=1)
# Nothing is planned further ahead; a later moment was written while a clock was wrong.
FURTHEST = timedelta(days=400)
ALWAYS = (
    Schedule(job="expire", cron="0 * * * *", catch_up=True),
    Schedule(job="resume", cron="5 * * * *", catch_up=True),
    Schedule(job="upkeep", cron="50 4 * * 0", timeout=timedelta(minutes=30)),
)

Duties = Mapping[str, JobDefinition]


@dataclass(frozen=True, slots=True)
class PlannedJob:
    """A job that should be there; one that was never planned has missed what struck since that moment."""

    space: str
    key: str
    schedule: Schedule
    zone: str
    since: datetime | None = None

    def job(self, due_at: datetime) -> Job:
        """The row for it."""
        said = self.schedule
        return Job(
            space=self.space,
            key=self.key,
            name=said.job,
            due_at=due_at,
            cron=said.cron,
            zone=self.zone,
            max_attempts=said.retries + 1,
            timeout=said.timeout,
        )


@dataclass(frozen=True, slots=True)
class ScheduleChanges:
    """What to do to the job table."""

    put: tuple[Job, ...]
    drop: tuple[Job, ...]


def plan_schedules(store: Store, duties: Duties, *, now: datetime, starting: bool = False) -> None:
    """Make, change and drop scheduled jobs until the table says what the presets say.

    Jobs that were planned or leased while a clock was wrong are due at once.
    """
    ahead = {"furthest": now + FURTHEST, "leased": now + LONGEST_WAIT}
    if store.read(lambda t: t.jobs.count_strays(**ahead)):
        freed = store.write(lambda t: t.jobs.free_strays(**ahead, now=now))
        log.warning("%d jobs were planned while a clock was wrong, and run now", freed)
    if store.read(lambda t: _schedule_changes(t, duties, now=now, starting=starting)) != ScheduleChanges((), ()):
        store.write(lambda t: _apply_schedule_changes(t, _schedule_changes(t, duties, now=now, starting=starting)))


def plan_exit_jobs(store: Store, space: str, preset: Preset, *, now: datetime) -> bool:
    """Plan what the preset does when a session or a server ends; whether there is anything."""
    jobs = [
        Job(space=space, key=f"{one.job}:{AT_EXIT}", name=one.job, due_at=now, args={AT_EXIT: True})
        for one in preset.schedules
        if one.at_exit
    ]

    def work(tables: Tables) -> None:
        for job in jobs:
            tables.jobs.put(job)

    if jobs:
        store.write(work)
    return bool(jobs)


def list_planned_jobs(tables: Tables, duties: Duties) -> list[PlannedJob]:
    """Every scheduled job that should be there; what several spaces ask of the whole store is listed once."""
    found: dict[tuple[str, str], PlannedJob] = {}
    for one in _list_wanted_jobs(tables, duties):
        found.setdefault((one.space, one.key), one)
    return list(found.values())


def _list_wanted_jobs(tables: Tables, duties: Duties) -> Iterator[PlannedJob]:
    yield from (_for_store(schedule, "UTC", since=None) for schedule in ALWAYS if schedule.job in duties)
    presets: dict[tuple[str, str | None], Preset | None] = {}
    for space in tables.people.spaces():
        written = (space.preset, space.preset_text)
        if written not in presets:
            presets[written] = readable_preset(space)
        preset = presets[written]
        for name, schedule in _name_schedules(preset.schedules if preset else ()):
            duty = duties.get(schedule.job)
            if duty is None or (space.deleted_at is not None and not duty.for_deleted):
                continue
            if duty.whole_store:
                yield _for_store(schedule, space.zone, since=space.created_at)
            else:
                yield from _in_space(tables, space, name, schedule)


def readable_preset(space: Space) -> Preset | None:
    """The preset of a space, or None when this version cannot read it: that must not stop the work of all others."""
    try:
        return preset_of_space(space)[0]
    except ToldonceError as problem:
        _log_once(space.name, str(problem))
        return None


@lru_cache(maxsize=1024)
def _log_once(space: str, problem: str) -> None:
    """Said once, not with every look at the clock."""
    log.error("the space %r is not tended: %s", space, problem)


def _name_schedules(schedules: Iterable[Schedule]) -> Iterator[tuple[str, Schedule]]:
    """Each schedule by its job's name; a preset may name one job twice, in two rhythms."""
    seen: Counter[str] = Counter()
    for schedule in schedules:
        seen[schedule.job] += 1
        nth = seen[schedule.job]
        yield schedule.job if nth == 1 else f"{schedule.job}#{nth}", schedule


def person_of(job: Job) -> str:
    """The person a scheduled job is for; "" for one that is for the whole space."""
    return job.key.removeprefix(PREFIX).partition(":")[2]


def _for_store(schedule: Schedule, zone_name: str, *, since: datetime | None) -> PlannedJob:
    return PlannedJob(WHOLE_STORE, f"{PREFIX}{schedule.job}:{schedule.cron}", schedule, zone_name, since)


def _in_space(tables: Tables, space: Space, name: str, schedule: Schedule) -> Iterator[PlannedJob]:
    if schedule.per == "space":
        yield PlannedJob(space.name, f"{PREFIX}{name}", schedule, space.zone, space.created_at)
        return
    for person in tables.people.all(space.name):
        if not person.blocked:
            own = person.zone if _is_zone(person.zone) else space.zone
            yield PlannedJob(space.name, f"{PREFIX}{name}:{person.id}", schedule, own)


def _schedule_changes(tables: Tables, duties: Duties, *, now: datetime, starting: bool) -> ScheduleChanges:
    rows = {(row.space, row.key): row for row in tables.jobs.list_scheduled() if row.name in duties}
    put: list[Job] = []
    for one in list_planned_jobs(tables, duties):
        row = rows.pop((one.space, one.key), None)
        at_once = starting and duties[one.schedule.job].at_start
        due_at = _due_at(one, row, now=now, at_once=at_once)
        if due_at is not None:
            put.append(one.job(due_at))
    put += [replace(row, due_at=now) for row in rows.values() if _has_rested(row, now)]
    drop = [row for row in rows.values() if row.key.startswith(PREFIX)]
    return ScheduleChanges(tuple(put), tuple(drop))


def _due_at(one: PlannedJob, row: Job | None, *, now: datetime, at_once: bool) -> datetime | None:
    """When a planned job is due, if its row is missing or says something else; None when the row may stay."""
    if row is None:
        since = min(one.since or now, now)
        return now if one.schedule.catch_up or at_once else next_moment(one.schedule.cron, one.zone, after=since)
    if row.state == "running":
        return None
    if at_once and row.due_at > now:
        return now
    coming = next_moment(one.schedule.cron, one.zone, after=now)
    if (row.cron, row.zone) != (one.schedule.cron, one.zone):
        return row.due_at if row.due_at <= now else coming
    if coming is not None and row.due_at > max(coming, now + LONGEST_WAIT):
        # It was planned while a clock was wrong: only waiting for a model moves a job past its next moment, by a day.
        return coming
    wanted = one.job(row.due_at)
    return None if (row.max_attempts, row.timeout) == (wanted.max_attempts, wanted.timeout) else row.due_at


def _has_rested(row: Job, now: datetime) -> bool:
    if row.state != "failed" or row.last_run_at is None:
        return False
    return row.last_run_at + REST <= now or row.last_run_at > now


def _apply_schedule_changes(tables: Tables, difference: ScheduleChanges) -> None:
    for job in difference.put:
        tables.jobs.put(job)
    for job in difference.drop:
        tables.jobs.drop(job.space, job.key)


def _is_zone(name: str) -> bool:
    try:
        return bool(name) and bool(load_zone(name))
    except InputError:
        return False
