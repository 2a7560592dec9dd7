"""Replaces a memory with a backup: checked first, atomic, and with the replaced file kept next to it."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from toldonce.clock import from_micros
from toldonce.errors import CorruptStore, NotAMemory, ToldonceError, WrongKey
from toldonce.storage import erase
from toldonce.storage.atomic_file import claim_temporary, remove_leftover_files
from toldonce.storage.backup import COPIES
from toldonce.storage.encryption import EncryptionKey
from toldonce.storage.file_lock import hold_file_lock
from toldonce.storage.open import open_store
from toldonce.storage.signing import Verdict, find_refusal, signing_key, verify_file
from toldonce.storage.sqlite.cipher import is_encrypted_file
from toldonce.storage.sqlite.convert import KEY_LOCK
from toldonce.storage.sqlite.hold import hold_writers
from toldonce.storage.store import Store, Tables
from toldonce.storage.tables.tombstones import Tombstone, is_of

_LOGS = ("-wal", "-shm", "-journal")
_TRIAL = ".restoring."
_WAIT_SECONDS = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FileContents:
    """What a memory file holds."""

    spaces: int
    people: int
    records: int
    newest: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupPreview:
    """What a backup holds and what the memory holds now; `problem` says why it cannot be restored, or is empty."""

    backup: str
    bytes: int
    checksum: Verdict
    holds: FileContents | None
    present: FileContents | None
    problem: str = ""


def rolling_copies(place: str) -> list[Path]:
    """The rolling copies beside a memory, newest first; the memory itself need not open."""
    return [path for number in range(1, COPIES + 1) if (path := Path(f"{place}.bak.{number}")).is_file()]


def preview_backup(
    backup: Path, place: str, *, key: EncryptionKey | None = None, allow_unproven: bool = False
) -> BackupPreview:
    """Look at a copy of a backup; the backup itself and the memory stay as they are. `key` is what both have."""
    with make_trial_copy(backup, place) as trial:
        verdict, refusal = _verify_copy(backup, trial, allow_unproven=allow_unproven)
        holds, problem = _inspect_file(str(trial), key)
    return BackupPreview(
        backup=str(backup),
        bytes=backup.stat().st_size,
        checksum=verdict,
        holds=holds,
        present=_inspect_file(place, key)[0] if os.path.isfile(place) else None,
        problem=refusal or problem,
    )


def _verify_copy(backup: Path, trial: Path, *, allow_unproven: bool) -> tuple[Verdict, str]:
    """What the checksums of a backup say of a copy of it, and why it is refused."""
    key = signing_key()
    verdict = verify_file(backup, key=key, content=trial)
    return verdict, find_refusal(verdict, key=key, allow_unproven=allow_unproven)


def find_newest_sound(
    place: str, *, key: EncryptionKey | None = None, allow_unproven: bool = False
) -> tuple[BackupPreview | None, list[BackupPreview]]:
    """The newest rolling copy that can be restored, and the newer ones that cannot."""
    passed: list[BackupPreview] = []
    for copy in rolling_copies(place):
        seen = preview_backup(copy, place, key=key, allow_unproven=allow_unproven)
        if not seen.problem:
            return seen, passed
        passed.append(seen)
    return None, passed


def restore_backup(
    backup: Path, place: str, *, key: EncryptionKey | None = None, allow_unproven: bool = False
) -> str | None:
    """Replace the memory with a copy of the backup; returns where the replaced file is kept, if there was one.

    CorruptStore when the copy is not what was written, or when a signing key is set and nothing proves that it is;
    with `allow_unproven` the latter is taken.

    Persons who were erased since the backup was made are erased from it too. A process that has the memory open
    notices that its file was replaced, and stops before it writes. StoreBusy when one keeps reading from its log.
    """
    remove_leftover_files(place, mark=_TRIAL)
    with make_trial_copy(backup, place) as trial:
        # What is put in place is what was verified, whoever changes the backup meanwhile.
        if refusal := _verify_copy(backup, trial, allow_unproven=allow_unproven)[1]:
            raise CorruptStore(f"{backup} cannot be restored: {refusal}; nothing was changed")
        with contextlib.closing(open_store(trial, key=_key_for_file(str(trial), key))) as store:
            if store.write(lambda t: _erase_again(t, _erased_at(place, key))):
                store.rewrite()
            store.compact()
        _remove_logs(str(trial))
        _sync_file(trial)
        with hold_file_lock(place + KEY_LOCK, wait_seconds=_WAIT_SECONDS):
            return _exchange_files(trial, place, key)


@contextmanager
def make_trial_copy(backup: Path, place: str) -> Iterator[Path]:
    """A copy of a backup beside the memory, removed afterwards unless it was moved."""
    trial = Path(f"{place}{_TRIAL}{os.getpid()}-{secrets.token_hex(4)}")
    with claim_temporary(trial):
        try:
            trial.touch(mode=0o600, exist_ok=False)
            shutil.copyfile(backup, trial)
            yield trial
        finally:
            trial.unlink(missing_ok=True)
            _remove_logs(str(trial))


def _erased_at(place: str, key: EncryptionKey | None) -> list[Tombstone]:
    """Who was erased from the memory at a place; nobody when it cannot be opened."""
    if not os.path.isfile(place):
        return []
    try:
        with contextlib.closing(open_store(place, key=_key_for_file(place, key))) as store:
            return store.read(lambda t: t.tombstones.all())
    except ToldonceError:
        return []


def _erase_again(tables: Tables, erased: list[Tombstone]) -> bool:
    """Erase from a backup who was erased after it was made; whether there was anybody."""
    found = False
    for tombstone in tables.tombstones.missing_from(erased):
        for home, user in tables.amounts.list_owners():
            for space in (None, home):
                if is_of(tombstone, user, space=space):
                    erase.erase_person(tables, user, space=space, now=from_micros(tombstone[2]))
                    found = True
        tables.tombstones.put(tombstone)
    return found


def _key_for_file(path: str, key: EncryptionKey | None) -> EncryptionKey | None:
    """The key for a file that is encrypted: a backup may be older than the encryption of its memory."""
    return key if is_encrypted_file(path) else None


def _inspect_file(path: str, key: EncryptionKey | None) -> tuple[FileContents | None, str]:
    """What a file holds and what is wrong with it."""
    try:
        with contextlib.closing(open_store(path, key=_key_for_file(path, key))) as store:
            found = store.check(repair=False)
            return _read_contents(store), found[0] if found else ""
    except ToldonceError as problem:
        return None, str(problem)


def _read_contents(store: Store) -> FileContents:
    def read(tables: Tables) -> FileContents:
        spaces = tables.people.spaces()
        counted = [row for space in spaces for row in tables.records.count_by_kind(space.name, None)]
        newest = max((row[3] for row in counted), default=None)
        people = tables.documents.count_sizes(None)[0]
        return FileContents(spaces=len(spaces), people=people, records=sum(row[2] for row in counted), newest=newest)

    return store.read(read)


def _exchange_files(trial: Path, place: str, key: EncryptionKey | None) -> str | None:
    """Replace the present file with the trial; the old one is kept under a second name with its log.

    Killed anywhere, it leaves the old file with all that was acknowledged, or the new one.
    """
    if not os.path.exists(place):
        _move_logs(place, _free_replaced_path(place))
        os.replace(trial, place)
        return None
    aside = _free_replaced_path(place)
    try:
        with hold_writers(place, key=_key_for_file(place, key)):
            _link_or_copy(place, aside)
            # The log is empty, and who opens the new file beside it waits for the lock until the log is gone.
            os.replace(trial, place)
            _move_logs(place, aside)
    except (CorruptStore, NotAMemory, WrongKey):
        # The present file cannot be opened, so nobody writes to it. Its log is the only thing that may still help.
        for end in ("", *_LOGS):
            _link_or_copy(place + end, aside + end)
        _remove_logs(place)
        os.replace(trial, place)
    return aside


def _move_logs(place: str, aside: str) -> None:
    """A log that stayed would be read into the restored file."""
    for end in _LOGS:
        with contextlib.suppress(FileNotFoundError):
            os.replace(place + end, aside + end)


def _link_or_copy(path: str, second: str) -> None:
    """Give a file a second name, or make a copy where there are no links; nothing when there is no such file."""
    with contextlib.suppress(FileNotFoundError, FileExistsError):
        try:
            os.link(path, second)
        except (FileNotFoundError, FileExistsError):
            raise
        except OSError:
            shutil.copyfile(path, second)


def _free_replaced_path(place: str) -> str:
    number = 1
    while any(os.path.exists(f"{place}.replaced.{number}{end}") for end in ("", *_LOGS)):
        number += 1
    return f"{place}.replaced.{number}"


def _remove_logs(path: str) -> None:
    for end in _LOGS:
        Path(path + end).unlink(missing_ok=True)


def _sync_file(path: Path) -> None:
    with open(path, "rb+") as file:
        os.fsync(file.fileno())
