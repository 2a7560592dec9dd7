"""The reports that come by themselves: on a schedule, the whole week or month that has just ended is kept as a report.

What was reported before is not reported again, and who was not seen in that time gets no report.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING

from toldonce.capture.observe import SEEN_AGAIN
from toldonce.clock import load_zone
from toldonce.jobs.drafting import find_space_and_preset
from toldonce.jobs.planning import person_of
from toldonce.jobs.task import SKIPPED, JobResult, LeasedJob
from toldonce.storage.store import Tables
from toldonce.storage.tables.jobs import Job
from toldonce.storage.tables.records import RecordFilter

if TYPE_CHECKING:
    from toldonce.memory import Memory


def run_weekly_report(memory: Memory, task: LeasedJob) -> JobResult:
    """The seven days before today."""
    return _write_period_report(memory, task, "week")


def run_monthly_report(memory: Memory, task: LeasedJob) -> JobResult:
    """The calendar month before this one."""
    return _write_period_report(memory, task, "month")


def idle_week(tables: Tables, jobs: Sequence[Job]) -> list[Job]:
    """Those of the jobs whose people were not seen in the week."""
    return [job for job in jobs if not _has_spoken(tables, job, "week")]


def idle_month(tables: Tables, jobs: Sequence[Job]) -> list[Job]:
    """Those of the jobs whose people were not seen in the month."""
    return [job for job in jobs if not _has_spoken(tables, job, "month")]


def _write_period_report(memory: Memory, task: LeasedJob, about: str) -> JobResult:
    user = person_of(task.job) or None
    since, until = _last_whole_period(task.job, about, now=task.now)
    stretch = RecordFilter(spaces=(task.space,), user=user, since=since, until=until, joined=True)
    if find_space_and_preset(memory, task) is None or not memory.store.read(
        lambda t: t.records.in_time(stretch, limit=1)
    ):
        return SKIPPED
    told = memory.report(about, user, since=since, until=until, keep=True, space=task.space)
    return JobResult({"reports": 1, "sources": len(told.sources)})


def _has_spoken(tables: Tables, job: Job, about: str) -> bool:
    """Whether there can be anything to report, as far as the person's row says."""
    person = tables.people.get(job.space, person_of(job))
    since, _ = _last_whole_period(job, about, now=job.due_at)
    return person is None or person.seen_at is None or person.seen_at + SEEN_AGAIN >= since


def _last_whole_period(job: Job, about: str, *, now: datetime) -> tuple[datetime, datetime]:
    """The last whole week or calendar month that was over by then, where the person lives."""
    today = now.astimezone(load_zone(job.zone))
    midnight = datetime.combine(today.date(), time.min, tzinfo=today.tzinfo)
    if about == "week":
        return midnight - timedelta(days=7), midnight
    first = midnight.replace(day=1)
    return (first - timedelta(days=1)).replace(day=1), first
