"""Makes sure that what was destroyed is in no file of a memory any more, and says what could not be done yet.

After an erasure everything is written again. After a purge the bytes of the memory itself are searched first, and are
written again only if something was found, since purges are frequent. Rolling copies are renewed after either.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from toldonce.errors import StoreError
from toldonce.records import Copy, Erasure
from toldonce.storage.backup import Backups
from toldonce.storage.erase import DestroyedRecords
from toldonce.storage.raw_scan import find_in_files
from toldonce.storage.store import Store
from toldonce.storage.tables.jobs import Job

ERASE_REST = "erase_rest"
_ATTEMPTS = 24
# An erasure waits until another process has made its copy, and says so if that takes longer; a purge hardly waits.
_LONG_WAIT_S = 120.0
SHORT_WAIT_S = 2.0
# Files that a restore replaced, and what a killed restore left.
_ASIDE = (".replaced.", ".damaged.")
_TRIAL = ".restoring."
# Where traces are that no table holds.
_BESIDE = "bytes of files and statistics"
VECTORS = "the vector engine cannot be reached: it still holds destroyed vectors until the job `erase_rest` has run"
COPYING = "the backups could not be renewed yet: they still hold what was destroyed until the job `erase_rest` has run"


def build_rest_job(now: datetime) -> Job:
    """The job that finishes an erasure which could not be finished at once."""
    timeout = timedelta(minutes=30)
    return Job(space="", key=ERASE_REST, name=ERASE_REST, due_at=now, max_attempts=_ATTEMPTS, timeout=timeout)


def finish_erasure(store: Store, backups: Backups) -> tuple[str, ...]:
    """Write the store again and renew its backups; returns what could not be done yet, in words."""
    pending: list[str] = []
    for trial in sibling_files(store.place, _TRIAL):
        trial.unlink(missing_ok=True)
    pending += store.rewrite()
    return (*pending, *renew_backups(backups, wait_seconds=_LONG_WAIT_S))


def finish_purge(store: Store, texts: Collection[str]) -> tuple[str, ...]:
    """Leave none of these texts in the files of the store; returns what could not be done yet, in words."""
    store.compact()
    return store.rewrite() if find_leftovers(store, texts, store.files()) else ()


def renew_backups(backups: Backups, *, wait_seconds: float) -> tuple[str, ...]:
    """Leave no rolling copy that holds what was destroyed; returns what could not be done yet, in words.

    Their bytes are not searched first: a copy may be encrypted, and words that others said too name nobody's record.
    """
    try:
        backups.renew(wait_seconds=wait_seconds)
    except StoreError:
        return (COPYING,)
    return ()


def find_leftovers(store: Store, texts: Collection[str], paths: Iterable[str]) -> set[str]:
    """Which of these texts files or the statistics of a server hold although nothing that is kept says them."""
    spelled = {form: text for text in texts for form in (text, text.casefold())}
    found = {spelled[form] for form in find_in_files(paths, spelled)} | store.find_in_statistics(texts)
    return found - store.read(lambda t: t.purge.still_said(found)) if found else set()


def make_receipt(
    store: Store,
    backups: Backups,
    destroyed: DestroyedRecords,
    *,
    user: str,
    space: str | None,
    pending: tuple[str, ...],
) -> Erasure:
    """Search every table and every file for what was erased; tell what is left, what waits and what is elsewhere."""
    traces = store.read(lambda t: t.purge.count_traces(user, space=space))
    # A log that others still read from is reported as such, and known to hold what was erased.
    paths = [*(p for p in store.files() if not (pending and p.endswith("-wal"))), *map(str, backups.list_copies())]
    left = find_leftovers(store, destroyed.texts, paths)
    found = {name: count for name, count in traces.items() if count} | ({_BESIDE: len(left)} if left else {})
    return Erasure(
        removed=destroyed.records,
        traces=found,
        pending=pending,
        copies=_existing_copies(store),
        searched=len(destroyed.texts),
        files=len(paths),
    )


def _existing_copies(store: Store) -> tuple[Copy, ...]:
    """Copies at paths of the caller's choice, and files that a restore replaced: they may be the last of their kind."""
    noted = [copy for copy in store.read(lambda t: t.copies.all()) if os.path.exists(copy.path)]
    replaced = [
        _describe_copy(path) for path in sibling_files(store.place, *_ASIDE) if not path.name.endswith(("-wal", "-shm"))
    ]
    return (*noted, *replaced)


def _describe_copy(path: Path) -> Copy:
    return Copy(path=str(path), what="backup", at=datetime.fromtimestamp(path.stat().st_mtime, UTC))


def sibling_files(place: str, *marks: str) -> list[Path]:
    """The files beside a memory whose names go on with one of these marks."""
    memory = Path(place)
    if not memory.is_file():
        return []
    begins = tuple(memory.name + mark for mark in marks)
    return sorted(path for path in memory.parent.iterdir() if path.name.startswith(begins))
