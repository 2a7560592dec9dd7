"""Times that records tell of, read once from their texts: "yesterday" in a message of 3 May is kept as 2 May."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

from recollect.clock import zone
from recollect.keep.job_table import Job
from recollect.keep.store import Tables
from recollect.keep.time_table import Said
from recollect.tend.task import Done, Task
from recollect.times.reader import resolve

if TYPE_CHECKING:
    from recollect.memory import Memory

TIMES = "times"
PAGE = 500
BUDGET = timedelta(seconds=60)

Spans = list[tuple[datetime, datetime]]


def lacks_times(tables: Tables) -> bool:
    """Whether records came that were not read yet, and nothing is planned for them."""
    return tables.search.size() > _read_to(tables) and tables.jobs.get("", TIMES) is None


def plan_times(tables: Tables, *, now: datetime) -> None:
    """Plan the job that reads them."""
    if lacks_times(tables):
        tables.jobs.put(Job(space="", key=TIMES, name=TIMES, due_at=now))


def times(memory: Memory, task: Task) -> Done:
    """Read what came since the last run, until all is read or the time is used up; then the next run goes on."""
    read, kept = 0, 0
    while True:
        page, found = _read_page(memory, task)
        read, kept = read + page, kept + found
        if page < PAGE or task.elapsed >= BUDGET:
            return Done({"read": read, "times": kept}, "completed" if page < PAGE else "partial")


def _read_page(memory: Memory, task: Task) -> tuple[int, int]:
    """How many records were read, and how many times were found in them."""
    page, read_to, zones = memory.store.read(_next_page)
    spans = {said.seq: _spans(said, zones) for said in page}
    return len(page), memory.store.write(lambda t: _keep(t, task, spans, read_to=read_to))


def _next_page(tables: Tables) -> tuple[Sequence[Said], int, Mapping[str, tzinfo]]:
    """What to read next, up to which place all is read then, and the zone of each space."""
    page = tables.times.unread(_read_to(tables), limit=PAGE)
    read_to = page[-1].seq if len(page) == PAGE else tables.search.size()
    return page, read_to, {space.name: zone(space.zone) for space in tables.people.spaces()}


def _spans(said: Said, zones: Mapping[str, tzinfo]) -> Spans:
    found = resolve(said.text, said_at=said.at, zone=zones.get(said.space, UTC))
    return [(window.start, window.end) for window in found]


def _keep(tables: Tables, task: Task, spans: Mapping[int, Spans], *, read_to: int) -> int:
    task.hold(tables)
    tables.documents.set("", TIMES, str(max(read_to, _read_to(tables))))
    return sum(tables.times.put(record, named) for record, named in spans.items())


def _read_to(tables: Tables) -> int:
    return int(tables.documents.setting("", TIMES) or 0)
