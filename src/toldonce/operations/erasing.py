"""What is destroyed goes from every file too, backups among them; for a whole person a receipt says so.

That is planned as a job in the transaction that destroys, so that another process finishes what a killed one began.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta

from toldonce.operations.engine import Engine
from toldonce.records import Erasure, personal_space
from toldonce.state_folder import remove_session_files
from toldonce.storage import erase
from toldonce.storage.store import Tables
from toldonce.storage.tables.jobs import Job

# What is not finished by then was killed, or is very large; finishing it twice does no harm.
_FINISH_AFTER = timedelta(minutes=10)
# Where purges come by the minute, as people edit what they said in a chat, one renewal serves many.
_RENEW_AFTER = timedelta(hours=1)


def erase_person(engine: Engine, user: str, *, space: str | None) -> Erasure:
    """Destroy everything of a person and everything derived from it; returns the receipt."""
    from toldonce.storage.scrub import make_receipt

    now = engine.clock()
    rest = build_finishing_job(now)

    def work(tables: Tables) -> erase.DestroyedRecords:
        plan_finishing(tables, rest)
        return erase.erase_person(tables, user, space=space, now=now)

    destroyed = engine.write(work)
    engine.drop_known_spaces(personal_space(user))
    pending = finish_erasure(engine)
    engine.write(lambda t: _drop_unless_replanned(t, rest))
    receipt = make_receipt(engine.store, engine.backups, destroyed, user=user, space=space, pending=pending)
    left = tuple(f"{path} of the hooks could not be removed" for path in remove_session_files(destroyed.sessions))
    return replace(receipt, pending=(*receipt.pending, *left)) if left else receipt


def build_finishing_job(now: datetime, *, is_frequent: bool = False) -> Job:
    """The job that takes what was destroyed out of every file, if nobody has done so by then."""
    from toldonce.storage.scrub import build_rest_job

    return build_rest_job(now + (_RENEW_AFTER if is_frequent else _FINISH_AFTER))


def plan_finishing(tables: Tables, rest: Job) -> None:
    """Plan that job in the transaction that destroys, unless one waits already."""
    waiting = tables.jobs.get(rest.space, rest.key)
    if waiting is None or waiting.state != "ready" or waiting.due_at > rest.due_at:
        tables.jobs.put(rest)


def finish_purge(engine: Engine, texts: Collection[str], rest: Job, *, is_frequent: bool = False) -> None:
    """Remove purged records from caches, files and rolling backups; what cannot be done yet stays planned as `rest`.

    Of what `is_frequent` the backups are left to the planned job, and so are the tables and statistics of a server,
    which is not asked to vacuum all of them after each purge.
    """
    from toldonce.storage import scrub

    is_forgotten = engine.searcher.forget()
    pending = scrub.finish_purge(engine.store, texts)
    is_left = "://" in engine.store.place or (is_frequent and bool(engine.backups.list_copies()))
    if not is_left:
        pending = (*pending, *scrub.renew_backups(engine.backups, wait_seconds=scrub.SHORT_WAIT_S))
    if pending or not is_forgotten:
        engine.write(lambda t: t.jobs.put(scrub.build_rest_job(engine.clock())))
    elif not is_left:
        engine.write(lambda t: _drop_unless_replanned(t, rest))


def finish_erasure(engine: Engine) -> tuple[str, ...]:
    """Remove what was destroyed from every file; what cannot be done yet is returned and planned as a job."""
    from toldonce.storage import scrub
    from toldonce.storage.atomic_file import remove_leftover_files

    is_forgotten = engine.searcher.forget()
    for copy in engine.store.read(lambda t: t.copies.all()):
        remove_leftover_files(copy.path)
    engine.write(lambda t: t.copies.drop_missing())
    pending = scrub.finish_erasure(engine.store, engine.backups)
    if not is_forgotten:
        pending = (*pending, scrub.VECTORS)
    if pending:
        engine.write(lambda t: t.jobs.put(scrub.build_rest_job(engine.clock())))
    return pending


def _drop_unless_replanned(tables: Tables, planned: Job) -> None:
    """Remove a job that is no longer needed, unless somebody else has planned it for another moment since."""
    job = tables.jobs.get(planned.space, planned.key)
    if job is not None and job.state == "ready" and job.due_at == planned.due_at:
        tables.jobs.drop(planned.space, planned.key)
