"""Jobs: one row per key, one worker at a time by lease, and a record of what was done."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from toldonce.conformance.samples import NOW, SPACE, Reopen, moment_after, write_each
from toldonce.storage.store import Store
from toldonce.storage.tables.jobs import Job, Run

LASTING = timedelta(minutes=1)


class JobsConformance:
    """What is due, who works on it, and what was done."""

    def test_a_planned_job_comes_back_whole(self, store: Store) -> None:
        job = _put_job(store, args={"a": [1, "é"]}, cron="0 3 * * *", zone="Asia/Tokyo", timeout=timedelta(seconds=1.5))
        assert _get_job(store) == job
        assert store.read(lambda t: t.jobs.get("work", "k")) is None

    def test_planning_again_moves_a_waiting_job(self, store: Store) -> None:
        _put_job(store, args={"a": 1})
        moved = _put_job(store, due_at=moment_after(hours=1), args={"a": 2}, max_attempts=9)
        assert store.read(lambda t: t.jobs.all()) == [moved]

    def test_jobs_are_listed_the_next_first(self, store: Store) -> None:
        _put_job(store, key="late", due_at=moment_after(hours=1))
        _put_job(store, key="b")
        _put_job(store, key="a")
        _put_job(store, key="there", space="work", due_at=moment_after(hours=-1))
        assert [j.key for j in store.read(lambda t: t.jobs.all())] == ["there", "a", "b", "late"]
        assert [j.key for j in store.read(lambda t: t.jobs.all(SPACE))] == ["a", "b", "late"]

    def test_scheduled_and_failed_jobs_are_told_from_those_that_come_once(self, store: Store) -> None:
        _put_job(store, key="broken")
        broken = _require_job(_lease_job(store, now=NOW))
        store.write(lambda t: t.jobs.reschedule(broken, due_at=NOW, attempts=1, last_error="it broke", failed=True))
        _put_job(store, key="once")
        _put_job(store, key="daily", cron="0 3 * * *", due_at=moment_after(hours=1))
        assert [j.key for j in store.read(lambda t: t.jobs.list_scheduled())] == ["broken", "daily"]

    def test_jobs_of_a_wrong_clock_are_found_and_made_due(self, store: Store) -> None:
        limits = {"furthest": moment_after(days=400), "leased": moment_after(days=1)}
        _put_job(store, key="held")
        store.write(lambda t: t.jobs.lease(["n"], now=NOW, lasting=timedelta(days=3_000)))
        _put_job(store, key="late", due_at=moment_after(days=3_000))
        _put_job(store, key="daily", cron="0 3 * * *", due_at=moment_after(days=3_000))
        _put_job(store, key="soon", due_at=moment_after(days=2))
        assert store.read(lambda t: t.jobs.count_strays(**limits)) == 2
        assert store.write(lambda t: t.jobs.free_strays(**limits, now=NOW)) == 2
        assert store.read(lambda t: t.jobs.count_strays(**limits)) == 0
        due = [job for job in store.read(lambda t: t.jobs.all()) if job.due_at == NOW]
        assert [(job.key, job.state, job.lease) for job in due] == [("held", "ready", None), ("late", "ready", None)]

    def test_only_what_is_due_and_known_can_be_leased(self, store: Store) -> None:
        _put_job(store, due_at=moment_after(hours=1))
        _put_job(store, key="other", name="unknown")
        assert _lease_job(store, now=NOW) is None
        assert _lease_job(store, now=moment_after(minutes=59)) is None
        assert _lease_job(store, now=moment_after(hours=1)) is not None

    def test_due_jobs_of_a_name_are_listed_unless_taken_or_failed_before(self, store: Store) -> None:
        for key, hour in (("b", 0), ("a", 0), ("late", 2)):
            _put_job(store, key=key, due_at=moment_after(hours=hour))
        _put_job(store, key="other", name="unknown")
        assert [job.key for job in store.read(lambda t: t.jobs.find_due("n", now=NOW))] == ["a", "b"]
        assert _require_job(_lease_job(store, now=NOW)).key == "a"
        assert [job.key for job in store.read(lambda t: t.jobs.find_due("n", now=moment_after(hours=2)))] == [
            "b",
            "late",
        ]

    def test_the_longest_due_is_leased_first(self, store: Store) -> None:
        for key, hour in (("c", 2), ("b", 1), ("a", 1)):
            _put_job(store, key=key, due_at=moment_after(hours=hour))
        leased = [_require_job(_lease_job(store, now=moment_after(hours=3))).key for _ in range(3)]
        assert leased == ["a", "b", "c"]

    def test_a_lease_says_who_until_when_and_which_attempt(self, store: Store) -> None:
        _put_job(store)
        job = _require_job(_lease_job(store, now=moment_after(minutes=5)))
        assert (job.state, job.attempts, job.last_run_at) == ("running", 1, moment_after(minutes=5))
        assert job.lease
        assert job.lease_until == moment_after(minutes=6)
        assert _get_job(store) == job

    def test_a_leased_job_is_nobody_elses(self, store: Store) -> None:
        _put_job(store)
        _require_job(_lease_job(store, now=NOW))
        assert _lease_job(store, now=moment_after(seconds=59)) is None

    def test_a_job_whose_worker_went_silent_is_taken_over(self, store: Store) -> None:
        _put_job(store)
        first = _require_job(_lease_job(store, now=NOW))
        second = _require_job(_lease_job(store, now=moment_after(minutes=1)))
        assert (second.key, second.attempts) == (first.key, 2)
        assert second.lease != first.lease

    def test_a_renewed_lease_holds_longer(self, store: Store) -> None:
        _put_job(store)
        job = _require_job(_lease_job(store, now=NOW))
        assert store.write(lambda t: t.jobs.renew(job, until=moment_after(minutes=5)))
        assert _lease_job(store, now=moment_after(minutes=4)) is None
        assert _lease_job(store, now=moment_after(minutes=5)) is not None

    def test_who_lost_the_lease_can_neither_renew_nor_end_nor_drop(self, store: Store) -> None:
        _put_job(store)
        loser = _require_job(_lease_job(store, now=NOW))
        winner = _require_job(_lease_job(store, now=moment_after(minutes=2)))
        assert not store.write(lambda t: t.jobs.renew(loser, until=moment_after(hours=9)))
        assert not store.write(lambda t: t.jobs.reschedule(loser, due_at=moment_after(days=1), attempts=0))
        assert not store.write(lambda t: t.jobs.drop(SPACE, "k", lease=loser.lease))
        assert _get_job(store) == winner
        assert store.write(lambda t: t.jobs.drop(SPACE, "k", lease=winner.lease))
        assert store.read(lambda t: t.jobs.all()) == []

    def test_leases_need_no_turn_among_writers(self, store: Store) -> None:
        _put_job(store)
        job = store.write(lambda t: t.jobs.lease(["n"], now=NOW, lasting=LASTING), alone=False)
        assert _require_job(job).key == "k"
        assert store.write(lambda t: t.jobs.lease(["n"], now=NOW, lasting=LASTING), alone=False) is None

    def test_whoever_listens_for_jobs_can_stop(self, store: Store) -> None:
        stop = store.listen(lambda: None)
        stop()
        stop()

    def test_a_job_planned_while_it_runs_runs_once_more(self, store: Store) -> None:
        _put_job(store)
        job = _require_job(_lease_job(store, now=NOW))
        _put_job(store, due_at=moment_after(hours=2))
        running = _get_job(store)
        assert (running.state, running.lease, running.due_at) == ("running", job.lease, NOW)
        assert running.again_at == moment_after(hours=2)
        store.write(lambda t: t.jobs.reschedule(job, due_at=moment_after(hours=2), attempts=0))
        ready = _get_job(store)
        assert (ready.state, ready.due_at, ready.again_at) == ("ready", moment_after(hours=2), None)

    def test_ending_a_run_frees_the_job_and_keeps_the_error(self, store: Store) -> None:
        _put_job(store)
        job = _require_job(_lease_job(store, now=NOW))
        assert store.write(
            lambda t: t.jobs.reschedule(job, due_at=moment_after(hours=1), attempts=1, last_error="no network")
        )
        now = _get_job(store)
        assert (now.state, now.due_at, now.attempts, now.last_error) == (
            "ready",
            moment_after(hours=1),
            1,
            "no network",
        )
        assert (now.lease, now.lease_until, now.last_run_at) == (None, None, NOW)
        assert _require_job(_lease_job(store, now=moment_after(hours=1))).attempts == 2

    def test_a_failed_job_waits_until_it_is_planned_again(self, store: Store) -> None:
        _put_job(store)
        job = _require_job(_lease_job(store, now=NOW))
        store.write(lambda t: t.jobs.reschedule(job, due_at=NOW, attempts=3, failed=True))
        assert _get_job(store).state == "failed"
        assert _lease_job(store, now=moment_after(days=9)) is None
        assert store.read(lambda t: t.jobs.next_due(["n"])) is None
        _put_job(store, due_at=moment_after(days=1))
        revived = _get_job(store)
        assert (revived.state, revived.attempts) == ("ready", 0)

    def test_a_job_can_be_dropped_whoever_holds_it(self, store: Store) -> None:
        _put_job(store)
        _require_job(_lease_job(store, now=NOW))
        assert store.write(lambda t: t.jobs.drop(SPACE, "k"))
        assert not store.write(lambda t: t.jobs.drop(SPACE, "k"))

    def test_the_next_due_moment_counts_leases_too(self, store: Store) -> None:
        assert store.read(lambda t: t.jobs.next_due(["n"])) is None
        _put_job(store, due_at=moment_after(hours=1))
        _put_job(store, key="early", name="unknown")
        assert store.read(lambda t: t.jobs.next_due(["n"])) == moment_after(hours=1)
        _require_job(_lease_job(store, now=moment_after(hours=1)))
        assert store.read(lambda t: t.jobs.next_due(["n"])) == moment_after(hours=1) + LASTING

    def test_runs_are_told_newest_first(self, store: Store) -> None:
        runs = [_sample_run(n) for n in range(3)]
        write_each(store, runs, lambda t, run: t.jobs.record(run))
        assert store.read(lambda t: t.jobs.runs()) == runs[::-1]
        assert store.read(lambda t: t.jobs.runs(limit=1)) == runs[2:]
        assert store.read(lambda t: t.jobs.runs(SPACE, name="n")) == runs[::-1]
        assert store.read(lambda t: t.jobs.runs("work")) == []
        assert store.read(lambda t: t.jobs.runs(name="other")) == []

    def test_old_runs_can_be_trimmed(self, store: Store) -> None:
        write_each(store, range(3), lambda t, n: t.jobs.record(_sample_run(n)))
        assert store.write(lambda t: t.jobs.trim_runs(before=_sample_run(2).ended_at)) == 2
        assert store.read(lambda t: t.jobs.runs()) == [_sample_run(2)]

    @pytest.mark.parametrize("names", [[], ["other"]])
    def test_a_worker_that_knows_no_such_job_gets_none(self, store: Store, names: list[str]) -> None:
        _put_job(store)
        assert store.write(lambda t: t.jobs.lease(names, now=moment_after(days=1), lasting=LASTING)) is None

    def test_jobs_and_leases_survive_reopening(self, store: Store, reopen: Reopen) -> None:
        _put_job(store)
        job = _require_job(_lease_job(store, now=NOW))
        store.write(lambda t: t.jobs.record(_sample_run(0)))
        again = reopen(store)
        assert _get_job(again) == job
        assert again.read(lambda t: t.jobs.runs()) == [_sample_run(0)]


def _put_job(store: Store, **given: Any) -> Job:
    job = Job(**{"space": SPACE, "key": "k", "name": "n", "due_at": NOW, **given})
    store.write(lambda t: t.jobs.put(job))
    return job


def _get_job(store: Store) -> Job:
    return _require_job(store.read(lambda t: t.jobs.get(SPACE, "k")))


def _lease_job(store: Store, *, now: datetime) -> Job | None:
    return store.write(lambda t: t.jobs.lease(["n", "m"], now=now, lasting=LASTING))


def _require_job(job: Job | None) -> Job:
    assert job is not None
    return job


def _sample_run(n: int) -> Run:
    return Run(
        space=SPACE,
        key="k",
        name="n",
        started_at=moment_after(hours=n),
        ended_at=moment_after(hours=n, seconds=9),
        status="failed" if n else "completed",
        counts={"settled": n},
        error="it broke" if n else "",
        detail={"n": [n]},
    )
