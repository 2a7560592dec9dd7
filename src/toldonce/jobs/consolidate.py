"""One person's night: what they said is settled, new facts meet the old ones, patterns are noted, documents renewed.

Nothing is asked of a model when the person said nothing new. Conversations are settled one by one; all the rest, with
the mark that it is done, is one transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from toldonce.capture.observe import SEEN_AGAIN
from toldonce.clock import from_micros, to_micros
from toldonce.distil.documents import new_document
from toldonce.jobs.drafting import draft_with_writer, find_space_and_preset, guard_against_changes, model_output
from toldonce.jobs.nightly import NightRun
from toldonce.jobs.planning import person_of
from toldonce.jobs.task import SKIPPED, JobResult, LeasedJob
from toldonce.storage.store import Tables
from toldonce.storage.tables.jobs import Job

if TYPE_CHECKING:
    from toldonce.memory import Memory

# Kept beside the person's documents, and erased with them.
_PROGRESS = "consolidation"


def consolidate_person(memory: Memory, task: LeasedJob) -> JobResult:
    """Consolidate one person's knowledge; skipped when they said nothing since the last time."""
    home, person = find_space_and_preset(memory, task), person_of(task.job)
    if home is None or not memory.store.read(lambda t: has_news(t, task.space, [person])):
        return SKIPPED
    night = NightRun(memory, task, *home, person=person)
    settled = night.settle()
    check = guard_against_changes(memory, task)
    known = memory.store.read(lambda t: night.known_records(t))
    since = memory.store.read(lambda t: _last_consolidated_at(t, task.space, person))
    if not settled and all(since is not None and record.created_at <= since for record in known):
        memory.store.write(lambda t: _mark_consolidated(t, task.space, person, now=task.now))
        return SKIPPED
    writer, found = draft_with_writer(memory, task, home[1], lambda w: night.draft_all(w, known, since=since))

    def keep(tables: Tables) -> dict[str, int]:
        check(tables)
        _mark_consolidated(tables, task.space, person, now=task.now)
        return night.store_drafts(tables, found, writer=writer)

    counts = memory.store.write(keep)
    stretch = {"from": since.isoformat() if since else None, "to": task.now.isoformat()}
    return JobResult(
        {"conversations": settled, "known": len(known), **counts}, detail={**stretch, **model_output(writer.raw)}
    )


def find_idle_jobs(tables: Tables, jobs: Sequence[Job]) -> list[Job]:
    """Those of the jobs whose people said nothing since the last time."""
    busy: dict[str, Collection[str]] = {}
    for space in {job.space for job in jobs}:
        busy[space] = has_news(tables, space, [person_of(job) for job in jobs if job.space == space])
    return [job for job in jobs if person_of(job) not in busy[job.space]]


def has_news(tables: Tables, space: str, people: Sequence[str]) -> set[str]:
    """Those of the people who said something since they were last consolidated."""
    waiting = {conversation.user for conversation in tables.conversations.find_unsettled(space)}
    settled = tables.conversations.last_settled(space)
    found: set[str] = set()
    for person in people:
        done = _last_consolidated_at(tables, space, person)
        seen = tables.people.get(space, person)
        spoke = [settled.get(person), seen.seen_at + SEEN_AGAIN if seen and seen.seen_at else None]
        if person in waiting or any(at is not None and (done is None or at > done) for at in spoke):
            found.add(person)
    return found


def _last_consolidated_at(tables: Tables, space: str, person: str) -> datetime | None:
    """When a person was last consolidated."""
    kept = tables.documents.get(space, person, _PROGRESS)
    return from_micros(kept.data["to"]) if kept else None


def _mark_consolidated(tables: Tables, space: str, person: str, *, now: datetime) -> None:
    kept = tables.documents.get(space, person, _PROGRESS)
    made = replace(kept or new_document(_PROGRESS, person, space, at=now), data={"to": to_micros(now)}, version=1)
    if kept is None:
        tables.documents.put(made)
    else:
        tables.documents.rewrite(made)
