"""Files that take their name only when they are complete, and what killed processes left of such files."""

from __future__ import annotations

import errno
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO

from toldonce.errors import DiskFull, ReadOnlyStore
from toldonce.storage.file_lock import hold_file_lock, is_in_use, lock_file

_PART = ".part"
_FRESH = ".new"
_LONGEST_NAME = 100
_CLAIM = ".lock"
# How temporary files are named that a process claims: its id and a random number.
_OWNER = re.compile(r"\d+-[0-9a-f]{8}(?:\.new)?")


@contextmanager
def write_whole_file(target: Path) -> Iterator[BinaryIO]:
    """A file that takes its name only when it is complete and on disk; it is locked until then."""
    part = None
    try:
        descriptor, part = tempfile.mkstemp(dir=target.parent, prefix=_temporary_prefix(target), suffix=_PART)
        lock_file(descriptor)
        with open(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            os.replace(part, target)
        part = None
    except OSError as problem:
        kind = DiskFull if problem.errno in (errno.ENOSPC, errno.EDQUOT) else ReadOnlyStore
        raise kind(f"{target} cannot be written: {problem.strerror}") from problem
    finally:
        if part is not None:
            Path(part).unlink(missing_ok=True)


def claim_temporary(path: Path) -> AbstractContextManager[None]:
    """Within, no other process takes this temporary file, or what SQLite keeps beside it, for a leftover."""
    return hold_file_lock(f"{path}{_CLAIM}", wait_seconds=0)


def remove_leftover_files(path: str, *, mark: str = _FRESH) -> None:
    """Remove what a killed export, backup or restore left beside its target; files that are being written stay."""
    target = Path(path)
    if not target.parent.is_dir():
        return
    for file in target.parent.iterdir():
        is_part = file.name.startswith(_temporary_prefix(target)) and file.name.endswith(_PART)
        is_fresh = file.name.startswith(f"{target.name}.") and mark in file.name.removeprefix(target.name)
        if (is_part or is_fresh) and file.is_file() and not _is_being_written(file, target):
            file.unlink(missing_ok=True)


def _is_being_written(file: Path, target: Path) -> bool:
    owner = _OWNER.search(file.name, len(target.name))
    claim = file.with_name(file.name[: owner.end()] + _CLAIM) if owner else file
    return is_in_use(str(claim)) or is_in_use(str(file))


def _temporary_prefix(target: Path) -> str:
    return f".{target.name[:_LONGEST_NAME]}."
