"""One run of a job as its handler sees it: what to do, at which moment, and whether it still may.

A handler that took too long, or whose lease another worker took, is fenced: its next beat raises.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeAlias

from toldonce.errors import JobError, LeaseLost
from toldonce.storage.store import Tables
from toldonce.storage.tables.jobs import Job, RunStatus

if TYPE_CHECKING:
    from toldonce.memory import Memory


@dataclass(frozen=True, slots=True)
class JobResult:
    """What a handler did: counts by name, whether that was all, a part, or nothing to do, and what else to record.

    What a model literally said is kept in `detail` as "output" and nowhere else: purging removes it.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    status: RunStatus = "completed"
    detail: Mapping[str, Any] = field(default_factory=dict)


SKIPPED = JobResult(status="skipped")
# Marks a job that runs because a session or a server ended, not by the clock.
AT_EXIT = "at_exit"


class LeasedJob:
    """A leased job under way."""

    __slots__ = ("_fence", "_started", "job", "now")

    def __init__(self, job: Job, *, now: datetime) -> None:
        self.job = job
        self.now = now
        self._started = time.monotonic()
        self._fence: JobError | None = None

    @property
    def space(self) -> str:
        """The space the job belongs to; "" for one that serves the whole store."""
        return self.job.space

    @property
    def is_last_try(self) -> bool:
        """Whether the job is not tried again soon when this run fails."""
        return self.job.attempts >= self.job.max_attempts

    @property
    def elapsed(self) -> timedelta:
        """How long the run has taken so far."""
        return timedelta(seconds=time.monotonic() - self._started)

    def check_lease(self) -> None:
        """Go on, or raise when the run is no longer ours. A handler calls it between two pieces of work."""
        if self._fence is not None:
            raise self._fence

    def check_lease_in_transaction(self, tables: Tables) -> None:
        """The same inside a transaction, where the store itself says whose the job is."""
        self.check_lease()
        current = tables.jobs.get(self.job.space, self.job.key)
        if current is None or current.lease != self.job.lease:
            raise LeaseLost

    def mark_lost(self, reason: JobError) -> None:
        """Let the handler know that nothing more of it counts, and why; the first reason stands."""
        self._fence = self._fence or reason


Handler: TypeAlias = "Callable[[Memory, LeasedJob], JobResult]"
Idle: TypeAlias = Callable[[Tables, Sequence[Job]], Collection[Job]]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobDefinition:
    """What runs for a job's name, and where: for one space, or once for the whole store.

    `idle` says of many due jobs at once which of them have nothing to do, so that those need no run of their own.
    """

    run: Handler
    idle: Idle | None = None
    whole_store: bool = False
    needs_embedder: bool = False
    for_deleted: bool = False
    at_start: bool = False
