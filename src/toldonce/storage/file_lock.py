"""A lock among processes: a small file beside what it protects, locked by the operating system.

The lock ends with its process, also when that is killed; the file is removed when the lock is let go.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from toldonce.errors import ReadOnlyStore, StoreBusy

_LOOK_EVERY_SECONDS = 0.02


@contextmanager
def hold_file_lock(path: str, *, wait_seconds: float) -> Iterator[None]:
    """Hold the lock of that name; StoreBusy when another process keeps it for longer than the wait."""
    descriptor = _acquire_lock(path, give_up_at=time.monotonic() + wait_seconds)
    try:
        yield
    finally:
        # Whoever waits for this very file finds out below that it is gone, and takes a new one.
        with contextlib.suppress(OSError):
            os.unlink(path)
        _unlock_file(descriptor)
        os.close(descriptor)


def _acquire_lock(path: str, *, give_up_at: float) -> int:
    while True:
        descriptor = _open_lock_file(path)
        if lock_file(descriptor):
            if _is_same_file(path, descriptor):
                return descriptor
            os.close(descriptor)
            continue
        os.close(descriptor)
        if time.monotonic() > give_up_at:
            raise StoreBusy(f"{path} is locked by another process: wait until it is done and try again")
        time.sleep(_LOOK_EVERY_SECONDS)


def _open_lock_file(path: str) -> int:
    try:
        return os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as problem:
        raise ReadOnlyStore(f"{path} cannot be made: {problem.strerror}") from problem


def _is_same_file(path: str, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except OSError:
        return False


def lock_file(descriptor: int) -> bool:
    """Lock an open file until it is closed; False when another process has it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _unlock_file(descriptor: int) -> None:
    # Closing is not enough where a child process has inherited the open file.
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_UN)


def is_in_use(path: str) -> bool:
    """Whether a process holds this file locked."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        is_free = lock_file(descriptor)
        if is_free:
            _unlock_file(descriptor)
        return not is_free
    finally:
        os.close(descriptor)
