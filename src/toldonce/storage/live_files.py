"""Reads the bytes of files that SQLite may have open in this process.

POSIX drops all locks that a process holds on a file when any descriptor of that file is closed, also one that had
nothing to do with the locks. A descriptor of a file that is in use here is therefore closed only after its last user.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

Identity = tuple[int, int]

_lock = threading.Lock()
_users: Counter[Identity] = Counter()
_to_close: dict[Identity, list[int]] = {}


@contextmanager
def read_live(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to read, whose locks in this process stay as they are."""
    descriptor = _open_descriptor(path)
    status = os.fstat(descriptor)
    try:
        with open(descriptor, "rb", closefd=False) as file:
            file.seek(0)
            yield file
    finally:
        _close_descriptor(descriptor, (status.st_dev, status.st_ino))


def add_user(identity: Identity) -> None:
    """SQLite has this file open in this process."""
    with _lock:
        _users[identity] += 1


def remove_user(identity: Identity) -> None:
    """SQLite has closed this file; what was read of it meanwhile is closed with its last user."""
    with _lock:
        _users[identity] -= 1
        if _users[identity] <= 0:
            del _users[identity]
            for descriptor in _to_close.pop(identity, ()):
                os.close(descriptor)


def _open_descriptor(path: str | os.PathLike[str]) -> int:
    """A descriptor that waits to be closed is used again, so that there are never more than readers at once."""
    status = os.stat(path)
    with _lock:
        if waiting := _to_close.get((status.st_dev, status.st_ino)):
            return waiting.pop()
    return os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))


def _close_descriptor(descriptor: int, identity: Identity) -> None:
    with _lock:
        if _users[identity] > 0:
            _to_close.setdefault(identity, []).append(descriptor)
        else:
            del _users[identity]
            os.close(descriptor)
