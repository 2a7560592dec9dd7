"""The reports that come by themselves: on a schedule, the whole week or month that has just ended is kept as a report.

What was reported before is not reported again, and who was not seen in that time gets no report.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING

from recollect.capture.observe import SEEN_AGAIN
from recollect.clock import zone
from recollect.jobs.drafting import home_of
from recollect.jobs.planning import person_of
from recollect.jobs.task import SKIPPED, Done, Task
from recollect.storage.store import Tables
from recollect.storage.tables.jobs import Job
from recollect.storage.tables.records import Stretch

if TYPE_CHECKING:
    from recollect.memory import Memory


def weekly(memory: Memory, task: Task) -> Done:
    """The seven days before today."""
    return _report(memory, task, "week")


def monthly(memory: Memory, task: Task) -> Done:
    """The calendar month before this one."""
    return _report(memory, task, "month")


def idle_week(tables: Tables, jobs: Sequence[Job]) -> list[Job]:
    """Those of the jobs whose people were not seen in the week."""
    return [job for job in jobs if not _was_seen(tables, job, "week")]


def idle_month(tables: Tables, jobs: Sequence[Job]) -> list[Job]:
    """Those of the jobs whose people were not seen in the month."""
    return [job for job in jobs if not _was_seen(tables, job, "month")]


def _report(memory: Memory, task: Task, about: str) -> Done:
    user = person_of(task.job) or None
    since, until = _stretch(task.job, about, now=task.now)
    stretch = Stretch(spaces=(task.space,), user=user, since=since, until=until, joined=True)
    if home_of(memory, task) is None or not memory.store.read(lambda t: t.records.in_time(stretch, limit=1)):
        return SKIPPED
    told = memory.report(about, user, since=since, until=until, keep=True, space=task.space)
    return Done({"reports": 1, "sources": len(told.sources)})


def _was_seen(tables: Tables, job: Job, about: str) -> bool:
    """Whether there can be anything to report, as far as the person's row says."""
    person = tables.people.get(job.space, person_of(job))
    since, _ = _stretch(job, about, now=job.due_at)
    return person is None or person.seen_at is None or person.seen_at + SEEN_AGAIN >= since


def _stretch(job: Job, about: str, *, now: datetime) -> tuple[datetime, datetime]:
    """The last whole week or calendar month that was over by then, where the person lives."""
    today = now.astimezone(zone(job.zone))
    midnight = datetime.combine(today.date(), time.min, tzinfo=today.tzinfo)
    if about == "week":
        return midnight - timedelta(days=7), midnight
    first = midnight.replace(day=1)
    return (first - timedelta(days=1)).replace(day=1), first
