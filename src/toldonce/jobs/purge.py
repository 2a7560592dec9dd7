"""Destroys what its grace no longer keeps: forgotten and expired records, and spaces that were deleted long ago."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from toldonce.errors import StoreBusy
from toldonce.jobs.task import SKIPPED, JobResult, LeasedJob
from toldonce.operations.erasing import build_finishing_job, finish_purge, plan_finishing
from toldonce.operations.space_state import preset_of_space
from toldonce.records import Space
from toldonce.storage import erase
from toldonce.storage.scrub import VECTORS, finish_erasure
from toldonce.storage.store import Tables
from toldonce.storage.tables.purge import MOST_WORDS

if TYPE_CHECKING:
    from toldonce.memory import Memory

PAGE = 500


def run_purge(memory: Memory, task: LeasedJob) -> JobResult:
    """Destroy what is past its grace, in short transactions, and give the room back."""
    space = memory.store.read(lambda t: t.people.space(task.space))
    if space is None:
        return SKIPPED
    grace = preset_of_space(space)[0].grace
    words: list[str] = []
    if _is_past(space, grace.forgotten, now=task.now):
        counts = _purge_space(memory, task, grace.forgotten, words)
    else:
        purged = _purge_forgotten(memory, task, grace.forgotten, words) + _purge_expired(
            memory, task, grace.expired, words
        )
        counts = {"purged": purged}
    if any(counts.values()):
        finish_purge(memory.engine, words, build_finishing_job(task.now))
    return JobResult(counts)


def run_erase_rest(memory: Memory, task: LeasedJob) -> JobResult:
    """Finish an erasure that others kept from being finished; while they still do, the job is tried again."""
    task.check_lease()
    pending = finish_erasure(memory.store, memory.engine.backups)
    if not memory.engine.searcher.forget():
        pending = (*pending, VECTORS)
    if pending:
        raise StoreBusy("; ".join(pending))
    return JobResult({"rewritten": 1})


def _is_past(space: Space | None, grace: timedelta | None, *, now: datetime) -> bool:
    if space is None or space.deleted_at is None or grace is None:
        return False
    return space.deleted_at + grace <= now


def _purge_forgotten(memory: Memory, task: LeasedJob, grace: timedelta | None, words: list[str]) -> int:
    """What a person hid goes with everything that was drawn from it alone."""
    if grace is None:
        return 0
    before = task.now - grace

    def doomed(tables: Tables) -> list[int]:
        found = tables.purge.find_by_state_before(task.space, "forgotten", before=before, limit=PAGE)
        return tables.purge.with_derived(found, whole=False) if found else []

    return _destroy_pages(memory, task, doomed, words)


def _purge_expired(memory: Memory, task: LeasedJob, grace: timedelta | None, words: list[str]) -> int:
    """What merely grew old goes unless something was drawn from it: evidence stays as long as what rests on it."""
    if grace is None:
        return 0
    before = task.now - grace
    return _destroy_pages(
        memory,
        task,
        lambda t: t.purge.find_unused_by_state_before(task.space, "expired", before=before, limit=PAGE),
        words,
    )


def _purge_space(memory: Memory, task: LeasedJob, grace: timedelta | None, words: list[str]) -> dict[str, int]:
    def still_doomed(tables: Tables) -> bool:
        return _is_past(tables.people.space(task.space), grace, now=task.now)

    def doomed(tables: Tables) -> list[int]:
        # Someone may restore the space between two pages; what is left then stays.
        found = tables.purge.of_space(task.space, limit=PAGE) if still_doomed(tables) else []
        return tables.purge.with_derived(found, whole=False) if found else []

    def drop(tables: Tables) -> int:
        task.check_lease_in_transaction(tables)
        if not still_doomed(tables):
            return 0
        tables.people.drop_space(task.space)
        return 1

    return {"purged": _destroy_pages(memory, task, doomed, words), "spaces": memory.store.write(drop)}


def _destroy_pages(memory: Memory, task: LeasedJob, doomed: Callable[[Tables], list[int]], words: list[str]) -> int:
    """Destroy page by page; `words` gets some that are now nowhere else, to look for in the files afterwards."""

    def page(tables: Tables) -> erase.DestroyedRecords:
        task.check_lease_in_transaction(tables)
        destroyed = erase.destroy_and_name(tables, doomed(tables), now=task.now)
        if destroyed.records:
            plan_finishing(tables, build_finishing_job(task.now))
            tables.audit.add(task.space, "purge", at=task.now, detail={"records": destroyed.records})
        return destroyed

    total = 0
    while memory.store.read(doomed) and (destroyed := memory.store.write(page)).records:
        total += destroyed.records
        words.extend(destroyed.texts[: MOST_WORDS - len(words)])
    return total
