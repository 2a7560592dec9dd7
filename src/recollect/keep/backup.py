"""Three rolling copies of a memory beside it, made by the store's own backup call, never by copying files."""

from __future__ import annotations

import os
from pathlib import Path

from recollect.errors import InputError, ReadOnlyStore
from recollect.keep.store import Store

COPIES = 3


class Backups:
    """The rolling copies of one store: `.bak.1` is the newest."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def make(self, target: str | os.PathLike[str] | None = None) -> Path:
        """A copy at `target`, or the next rolling one."""
        if target is not None:
            path = Path(target)
            if path.exists():
                raise InputError(f"{path} is there already: choose another name for the backup")
            self._copy(path)
            return path
        newest = self._path(1)
        fresh = newest.with_name(newest.name + ".new")
        fresh.unlink(missing_ok=True)
        self._copy(fresh)
        for place in range(COPIES, 1, -1):
            if self._path(place - 1).exists():
                self._path(place - 1).replace(self._path(place))
        fresh.replace(newest)
        return newest

    def existing(self) -> list[Path]:
        """The rolling copies there are, newest first."""
        return [path for place in range(1, COPIES + 1) if (path := self._path(place)).exists()]

    def renew(self) -> int:
        """After an erasure: drop copies that still hold what was erased and make one anew; returns how many went."""
        old = self.existing()
        for path in old:
            path.unlink()
        if old:
            self.make()
        return len(old)

    def _path(self, place: int) -> Path:
        return Path(f"{self._store.place}.bak.{place}")

    def _copy(self, path: Path) -> None:
        if not path.parent.is_dir():
            raise ReadOnlyStore(f"the folder {path.parent} does not exist: create it first")
        self._store.backup(str(path))
