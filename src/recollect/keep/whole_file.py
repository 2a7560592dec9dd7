"""Files that take their name only when they are complete, and what killed processes left of such files."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from recollect.errors import DiskFull, ReadOnlyStore
from recollect.keep.file_lock import is_in_use, lock_file

_PART = ".part"
_FRESH = ".new"
_LONGEST_NAME = 100


@contextmanager
def whole_file(target: Path) -> Iterator[BinaryIO]:
    """A file that takes its name only when it is complete and on disk; it is locked until then."""
    part = None
    try:
        descriptor, part = tempfile.mkstemp(dir=target.parent, prefix=_prefix(target), suffix=_PART)
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


def remove_leftovers(path: str) -> None:
    """Remove what a killed export or backup left beside its target; files that are being written stay."""
    target = Path(path)
    if not target.parent.is_dir():
        return
    for file in target.parent.iterdir():
        is_part = file.name.startswith(_prefix(target)) and file.name.endswith(_PART)
        is_fresh = file.name.startswith(f"{target.name}.") and _FRESH in file.name.removeprefix(target.name)
        if (is_part or is_fresh) and file.is_file() and not is_in_use(str(file)):
            file.unlink(missing_ok=True)


def _prefix(target: Path) -> str:
    return f".{target.name[:_LONGEST_NAME]}."
