"""Times that records mention, read from their texts: "yesterday" in a message of 3 May is kept as 2 May.

Each is read once by each version of the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, NamedTuple

from toldonce.clock import load_zone
from toldonce.jobs.task import JobResult, LeasedJob
from toldonce.storage.store import Tables
from toldonce.storage.tables.jobs import Job
from toldonce.storage.tables.times import MessageOpening
from toldonce.times.reader import VERSION, find_spoken_windows

if TYPE_CHECKING:
    from toldonce.memory import Memory

TIMES = "times"
RULES = "times:rules"
PAGE = 500
BUDGET = timedelta(seconds=60)

Spans = list[tuple[datetime, datetime]]


class TimesPage(NamedTuple):
    """What to read next, and what is true then: up to where all is read, and up to where by older rules still."""

    said: Sequence[MessageOpening]
    read_to: int
    older_to: int
    is_again: bool
    is_last: bool
    zones: Mapping[str, tzinfo]


def lacks_times(tables: Tables) -> bool:
    """Whether records came that were not read yet, or others were read by older rules, and nothing is planned."""
    read_to = _read_to(tables)
    is_done = tables.transfer.last_place() <= read_to and not _older_rules_end(tables, read_to)
    return not is_done and tables.jobs.get("", TIMES) is None


def plan_times(tables: Tables, *, now: datetime) -> None:
    """Plan the job that reads them."""
    if lacks_times(tables):
        tables.jobs.put(Job(space="", key=TIMES, name=TIMES, due_at=now))


def run_times(memory: Memory, task: LeasedJob) -> JobResult:
    """Read what came since the last run, then again what older rules read, until all is read or the time is used up;
    then the next run goes on.
    """
    made = Counter(read=0, times=0)
    while True:
        page = memory.store.read(_next_page)
        made.update(_read_page(memory, task, page))
        if page.is_last or task.elapsed >= BUDGET:
            return JobResult(made, "completed" if page.is_last else "partial")


def _next_page(tables: Tables) -> TimesPage:
    """New records first; then those that older rules read, the newest first."""
    read_to, last = _read_to(tables), tables.transfer.last_place()
    older_to = _older_rules_end(tables, read_to)
    is_again = last <= read_to and older_to > 0
    said = tables.times.up_to(older_to, limit=PAGE) if is_again else tables.times.find_unread(read_to, limit=PAGE)
    is_full = len(said) == PAGE
    if is_again:
        older_to = said[-1].seq - 1 if is_full else 0
    else:
        read_to = said[-1].seq if is_full else last
    zones = {space.name: load_zone(space.zone) for space in tables.people.spaces()}
    return TimesPage(said, read_to, older_to, is_again, not is_full and (is_again or not older_to), zones)


def _read_page(memory: Memory, task: LeasedJob, page: TimesPage) -> Counter[str]:
    """How many records of the page were read, for the first time or again, and how many times were new in them."""
    spans = {said.seq: _find_spans(said, page.zones) for said in page.said}
    found = memory.store.write(lambda t: _store_spans(t, task, spans, page=page))
    return Counter({"read again" if page.is_again else "read": len(page.said), "times": found})


def _find_spans(said: MessageOpening, zones: Mapping[str, tzinfo]) -> Spans:
    found = find_spoken_windows(said.text, said_at=said.at, zone=zones.get(said.space, UTC))
    return [(window.start, window.end) for window in found]


def _store_spans(tables: Tables, task: LeasedJob, spans: Mapping[int, Spans], *, page: TimesPage) -> int:
    task.check_lease_in_transaction(tables)
    if _read_rules_version(tables)[0] <= VERSION:
        tables.documents.set_setting("", RULES, f"{VERSION} {page.older_to}")
    tables.documents.set_setting("", TIMES, str(max(page.read_to, _read_to(tables))))
    return sum(tables.times.put(record, named) for record, named in spans.items())


def _read_to(tables: Tables) -> int:
    """The place up to which all is read, by whatever rules."""
    return int(tables.documents.read_setting("", TIMES) or 0)


def _older_rules_end(tables: Tables, read_to: int) -> int:
    """The place up to which records were read by older rules; what newer ones read is not for these to read again."""
    version, left = _read_rules_version(tables)
    return read_to if version < VERSION else left if version == VERSION else 0


def _read_rules_version(tables: Tables) -> tuple[int, int]:
    """The version of the newest rules that read here, and the place up to which older ones did; they had none first."""
    version, _, left = (tables.documents.read_setting("", RULES) or "0 0").partition(" ")
    return int(version), int(left)
