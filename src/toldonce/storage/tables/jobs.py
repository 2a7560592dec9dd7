"""Jobs with their leases, and the record of past runs. One row per key: at most one run of a key at a time."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from toldonce.clock import from_micros, to_micros
from toldonce.storage.rows import Rows
from toldonce.storage.tables.records import from_stored_time, read_stored_table

RunStatus = Literal["completed", "partial", "skipped", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Something to do at a time, once or by a schedule."""

    space: str
    key: str
    name: str
    due_at: datetime
    args: Mapping[str, Any] = field(default_factory=dict)
    cron: str = ""
    zone: str = "UTC"
    max_attempts: int = 3
    timeout: timedelta = timedelta(minutes=5)
    state: Literal["ready", "running", "failed"] = "ready"
    again_at: datetime | None = None
    attempts: int = 0
    lease: str | None = None
    lease_until: datetime | None = None
    last_run_at: datetime | None = None
    last_error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What one run of a job did; `detail["output"]` is what a model literally said, which purging takes away."""

    space: str
    key: str
    name: str
    started_at: datetime
    ended_at: datetime
    status: RunStatus
    counts: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict)


class JobTable:
    """What is due, who works on it, and what was done."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def put(self, job: Job) -> None:
        """Plan a job: a waiting one of its key moves to the new time, a running one runs once more afterwards."""
        self._rows.run(
            "put_job",
            tenant=self._tenant,
            space=job.space,
            key=job.key,
            name=job.name,
            args=json.dumps(dict(job.args)),
            due_at=to_micros(job.due_at),
            cron=job.cron,
            zone=job.zone,
            max_attempts=job.max_attempts,
            timeout_ms=job.timeout // timedelta(milliseconds=1),
        )

    def get(self, space: str, key: str) -> Job | None:
        """A job by its key."""
        row = self._rows.one("get_job", tenant=self._tenant, space=space, key=key)
        return _job_from_row(row) if row else None

    def all(self, space: str | None = None) -> list[Job]:
        """All jobs, the next one first."""
        return [_job_from_row(row) for row in self._rows.all("list_jobs", tenant=self._tenant, space=space)]

    def list_scheduled(self) -> list[Job]:
        """The jobs that come again by a schedule, and those that failed, the next one first."""
        return [_job_from_row(row) for row in self._rows.all("scheduled_jobs", tenant=self._tenant)]

    def count_strays(self, *, furthest: datetime, leased: datetime) -> int:
        """How many jobs wait beyond the first moment or are leased beyond the second."""
        row = self._rows.one("stray_jobs", tenant=self._tenant, furthest=to_micros(furthest), leased=to_micros(leased))
        return row[0] if row else 0

    def free_strays(self, *, furthest: datetime, leased: datetime, now: datetime) -> int:
        """Make those jobs due now, whoever holds them."""
        return self._rows.run(
            "free_stray_jobs",
            tenant=self._tenant,
            furthest=to_micros(furthest),
            leased=to_micros(leased),
            now=to_micros(now),
        )

    def find_due(self, name: str, *, now: datetime) -> list[Job]:
        """The jobs of a name that are due, free, and did not fail before."""
        return [
            _job_from_row(row) for row in self._rows.all("due_jobs", tenant=self._tenant, name=name, now=to_micros(now))
        ]

    def lease(self, names: Iterable[str], *, now: datetime, lasting: timedelta) -> Job | None:
        """Take the first job that is due and free, or whose worker let its lease run out."""
        row = self._rows.one("next_job", tenant=self._tenant, now=to_micros(now), names=json.dumps(list(names)))
        if row is None:
            return None
        job = _job_from_row(row)
        self._rows.run(
            "lease_job",
            tenant=self._tenant,
            space=job.space,
            key=job.key,
            lease=secrets.token_hex(8),
            lease_until=to_micros(now + lasting),
            now=to_micros(now),
        )
        return self.get(job.space, job.key)

    def renew(self, job: Job, *, until: datetime) -> bool:
        """Keep a lease alive; False when it is no longer ours."""
        return (
            self._rows.run(
                "renew_lease",
                tenant=self._tenant,
                space=job.space,
                key=job.key,
                lease=job.lease,
                lease_until=to_micros(until),
            )
            > 0
        )

    def reschedule(
        self, job: Job, *, due_at: datetime, attempts: int, last_error: str = "", failed: bool = False
    ) -> bool:
        """End a run and say when the job is due again; False when the lease is no longer ours."""
        return (
            self._rows.run(
                "reschedule_job",
                tenant=self._tenant,
                space=job.space,
                key=job.key,
                lease=job.lease,
                state="failed" if failed else "ready",
                due_at=to_micros(due_at),
                attempts=attempts,
                last_error=last_error,
            )
            > 0
        )

    def drop(self, space: str, key: str, *, lease: str | None = None) -> bool:
        """Remove a job that is done for good."""
        return self._rows.run("drop_job", tenant=self._tenant, space=space, key=key, lease=lease) > 0

    def next_due(self, names: Iterable[str]) -> datetime | None:
        """When the next job is due."""
        row = self._rows.one("next_due", tenant=self._tenant, names=json.dumps(list(names)))
        return from_stored_time(row[0]) if row else None

    def record(self, run: Run) -> None:
        """Keep what a run did."""
        self._rows.run(
            "add_run",
            tenant=self._tenant,
            space=run.space,
            key=run.key,
            name=run.name,
            started_at=to_micros(run.started_at),
            ended_at=to_micros(run.ended_at),
            status=run.status,
            counts=json.dumps(dict(run.counts)),
            error=run.error,
            detail=json.dumps(dict(run.detail)),
        )

    def runs(self, space: str | None = None, *, name: str | None = None, limit: int = 50) -> list[Run]:
        """Past runs, newest first."""
        rows = self._rows.all("list_runs", tenant=self._tenant, space=space, name=name, limit=limit)
        return [
            Run(
                space=r[0],
                key=r[1],
                name=r[2],
                started_at=from_micros(r[3]),
                ended_at=from_micros(r[4]),
                status=r[5],
                counts=read_stored_table(r[6]),
                error=r[7],
                detail=read_stored_table(r[8]),
            )
            for r in rows
        ]

    def trim_runs(self, *, before: datetime) -> int:
        """Drop the record of runs that ended before a moment."""
        return self._rows.run("trim_runs", tenant=self._tenant, before=to_micros(before))


def _job_from_row(row: tuple[Any, ...]) -> Job:
    return Job(
        space=row[0],
        key=row[1],
        name=row[2],
        args=read_stored_table(row[3]),
        state=row[4],
        due_at=from_micros(row[5]),
        again_at=from_stored_time(row[6]),
        cron=row[7],
        zone=row[8],
        attempts=row[9],
        max_attempts=row[10],
        timeout=timedelta(milliseconds=row[11]),
        lease=row[12],
        lease_until=from_stored_time(row[13]),
        last_run_at=from_stored_time(row[14]),
        last_error=row[15],
    )
