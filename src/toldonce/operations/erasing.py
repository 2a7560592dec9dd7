"""Everything of a person is destroyed: rows, derived records, documents, backups, files; and a receipt says so."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from toldonce.operations.engine import Engine
from toldonce.records import Erasure, personal_space
from toldonce.state_folder import remove_session_files
from toldonce.storage import erase
from toldonce.storage.store import Tables
from toldonce.storage.tables.jobs import Job

# An erasure that is not finished by then was killed, or is very large; finishing it twice does no harm.
_FINISH_AFTER = timedelta(minutes=10)


def erase_person(engine: Engine, user: str, *, space: str | None) -> Erasure:
    """Destroy everything of a person and everything derived from it; returns the receipt."""
    from toldonce.storage.scrub import build_rest_job, make_receipt

    now = engine.clock()
    rest = replace(build_rest_job(now), due_at=now + _FINISH_AFTER)

    def work(tables: Tables) -> erase.DestroyedRecords:
        # Planned in the same transaction: if this process is killed now, another one finishes the erasure.
        tables.jobs.put(rest)
        return erase.erase_person(tables, user, space=space, now=now)

    destroyed = engine.write(work)
    engine.drop_known_spaces(personal_space(user))
    pending = finish_erasure(engine)
    engine.write(lambda t: _drop_unless_replanned(t, rest))
    receipt = make_receipt(engine.store, engine.backups, destroyed, user=user, space=space, pending=pending)
    left = tuple(f"{path} of the hooks could not be removed" for path in remove_session_files(destroyed.sessions))
    return replace(receipt, pending=(*receipt.pending, *left)) if left else receipt


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
