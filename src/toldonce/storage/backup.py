"""Three rolling copies of a memory beside it, made by the store's own backup call, never by copying files.

A copy is made under a name of its own, verified, and only then renamed; one process at a time does so.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from toldonce.config import is_path
from toldonce.errors import InputError, ReadOnlyStore
from toldonce.records import BackupFile
from toldonce.storage.atomic_file import claim_temporary, remove_leftover_files
from toldonce.storage.file_lock import hold_file_lock
from toldonce.storage.signing import ENDING, checksum_path, signing_key, verify_file, write_checksum
from toldonce.storage.store import Store

COPIES = 3
_FRESH = ".new"
_LOCK = ".bak.lock"
# A copy of a large memory takes a while; other processes wait for it.
_WAIT_SECONDS = 120.0


class Backups:
    """The rolling copies of one store: `.bak.1` is the newest."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def make_backup(
        self,
        target: str | os.PathLike[str] | None = None,
        *,
        key: str | None = None,
        replace_since: datetime | None = None,
    ) -> Path:
        """A verified copy at `target`, or the next rolling one, with its checksum beside it.

        A newest copy that was made after `replace_since` is replaced, so that frequent copies push out no older ones.
        """
        key = signing_key(key)
        if target is not None:
            return self._make_elsewhere(Path(target), key=key)
        if not is_path(self._store.place):
            here = "is a database: see docs/postgresql.md" if "://" in self._store.place else "is in no file: name one"
            raise InputError(f"copies are kept beside a memory in a file; this one {here}")
        with self.hold_lock():
            self._remove_leftovers()
            with self._make_copy(self._path(1), key=key) as fresh:
                if replace_since is None or not self._is_newest_after(replace_since):
                    return self._rotate(fresh)
                _move_copy(fresh, self._path(1))
                return self._path(1)

    def list_backups(self) -> list[BackupFile]:
        """The rolling copies that are there, newest first."""
        if not is_path(self._store.place):
            return []
        found = [path for number in range(1, COPIES + 1) if (path := self._path(number)).is_file()]
        return [
            BackupFile(
                path=str(path), bytes=path.stat().st_size, at=datetime.fromtimestamp(path.stat().st_mtime, tz=UTC)
            )
            for path in found
        ]

    def _is_newest_after(self, moment: datetime) -> bool:
        newest = self._path(1)
        return newest.exists() and newest.stat().st_mtime > moment.timestamp()

    def list_copies(self) -> list[Path]:
        """The rolling copies there are, newest first."""
        return [path for place in range(1, COPIES + 1) if (path := self._path(place)).exists()]

    def renew(self, *, wait_seconds: float = _WAIT_SECONDS) -> int:
        """Drop every copy that still holds what was destroyed and make one; returns how many went."""
        if not os.path.isfile(self._store.place):
            return 0
        with self.hold_lock(wait_seconds=wait_seconds):
            self._remove_leftovers()
            copies = self.list_copies()
            if copies:
                # First the new copy, then the removal: a process that is killed in between leaves at least one.
                with self._make_copy(self._path(1), key=signing_key()) as fresh:
                    self._rotate(fresh)
            kept = {self._path(1), checksum_path(self._path(1))} if copies else set()
            for path in self._list_files():
                if path not in kept and not path.name.endswith(_LOCK):
                    path.unlink(missing_ok=True)
        return len(copies)

    def hold_lock(self, *, wait_seconds: float = _WAIT_SECONDS) -> AbstractContextManager[None]:
        """Held while copies are made, moved or removed; only one process at a time can."""
        return hold_file_lock(self._store.place + _LOCK, wait_seconds=wait_seconds)

    def _make_elsewhere(self, path: Path, *, key: str | None) -> Path:
        if path.exists():
            raise _name_taken_error(path)
        remove_leftover_files(str(path))
        with self._make_copy(path, key=key) as fresh:
            _name_copy(fresh, path)
            checksum_path(fresh).replace(checksum_path(path))
        return path

    def _rotate(self, fresh: Path) -> Path:
        """The fresh copy becomes the newest, and all others move by one place."""
        for place in range(COPIES, 0, -1):
            older = fresh if place == 1 else self._path(place - 1)
            if older.exists():
                _move_copy(older, self._path(place))
        return self._path(1)

    def _remove_leftovers(self) -> None:
        """Remove what killed processes left behind; nobody else makes copies at this moment."""
        for path in self._list_files():
            if _FRESH in path.name.removeprefix(Path(self._store.place).name):
                path.unlink(missing_ok=True)

    def _list_files(self) -> Iterator[Path]:
        """Every file that belongs to the rolling copies."""
        place = Path(self._store.place)
        if place.parent.is_dir():
            yield from [path for path in place.parent.iterdir() if path.name.startswith(f"{place.name}.bak.")]

    def _path(self, place: int) -> Path:
        return Path(f"{self._store.place}.bak.{place}")

    @contextmanager
    def _make_copy(self, path: Path, *, key: str | None) -> Iterator[Path]:
        """A complete copy under a name that nobody else uses; removed afterwards unless it was moved."""
        if not path.parent.is_dir():
            raise ReadOnlyStore(f"the folder {path.parent} does not exist: create it first")
        fresh = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}{_FRESH}")
        with claim_temporary(fresh):
            try:
                self._store.backup(str(fresh))
                write_checksum(fresh, key=key)
                yield fresh
            finally:
                _remove_copy(fresh)


def _move_copy(copy: Path, target: Path) -> None:
    """Move a copy with its checksum, in steps of which none leaves a copy beside a checksum that is not its own.

    The checksum goes first: a copy without one whose checksum is found at the next place was moved halfway.
    """
    target.unlink(missing_ok=True)
    if checksum_path(copy).exists():
        checksum_path(copy).replace(checksum_path(target))
    elif checksum_path(target).exists() and verify_file(copy, key=None) != "sound":
        checksum_path(target).unlink()
    copy.replace(target)


def _name_copy(fresh: Path, path: Path) -> None:
    """Give a finished copy its name, unless another process took that name meanwhile."""
    try:
        os.link(fresh, path)
    except FileExistsError:
        raise _name_taken_error(path) from None
    except OSError:
        # There are no links on this file system: the name is taken by an empty file first.
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            raise _name_taken_error(path) from None
        os.replace(fresh, path)


def _name_taken_error(path: Path) -> InputError:
    return InputError(f"{path} is there already: choose another name for the backup")


def _remove_copy(copy: Path) -> None:
    for end in ("", "-journal", "-wal", "-shm", ENDING):
        Path(f"{copy}{end}").unlink(missing_ok=True)
