"""Turns what SQLite says went wrong into our errors, with words that tell what to do."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from toldonce.errors import (
    CorruptStore,
    DiskFull,
    FileReplaced,
    InputError,
    NotAMemory,
    ReadOnlyStore,
    StoreBusy,
    StoreClosed,
    StoreError,
    ToldonceError,
    TooManyFiles,
)

_OURS: tuple[tuple[type[apsw.Error], type[StoreError]], ...] = (
    (apsw.FullError, DiskFull),
    (apsw.ReadOnlyError, ReadOnlyStore),
    (apsw.PermissionsError, ReadOnlyStore),
    (apsw.CantOpenError, ReadOnlyStore),
    (apsw.CorruptError, CorruptStore),
    (apsw.NotADBError, NotAMemory),
    (apsw.BusyError, StoreBusy),
    (apsw.LockedError, StoreBusy),
    (apsw.ProtocolError, StoreBusy),
    (apsw.ConnectionClosedError, StoreClosed),
)

# A database, its log, the index of the log, and the folder that they are in.
_HANDLES = 4


def translate_error(problem: apsw.Error | UnicodeError, place: str) -> ToldonceError:
    """Our error for an SQLite error, or for a text that cannot be stored or read."""
    if isinstance(problem, UnicodeDecodeError):
        return CorruptStore(
            f"{place}: a text in the file is not valid UTF-8: `toldonce doctor --repair` replaces what cannot be read"
        )
    if isinstance(problem, UnicodeError):
        return InputError("a text or name holds half of a character (a lone surrogate): give valid Unicode")
    if isinstance(problem, apsw.CantOpenError | apsw.IOError) and _has_no_handles():
        return TooManyFiles.at_place(place)
    if getattr(problem, "extendedresult", 0) == apsw.SQLITE_READONLY_DBMOVED:
        return FileReplaced.at_place(place)
    for theirs, ours in _OURS:
        if isinstance(problem, theirs):
            return ours.at_place(place)
    if isinstance(problem, apsw.IOError):
        return _from_disk(problem, place)
    return StoreError(f"{place}: the database failed: {problem}")


def _has_no_handles() -> bool:
    """Whether too few further files can be opened for a database, its log and its index; SQLite does not say so."""
    taken: list[int] = []
    try:
        taken.extend(os.open(os.devnull, os.O_RDONLY) for _ in range(_HANDLES))
    except OSError as problem:
        return problem.errno in (errno.EMFILE, errno.ENFILE)
    finally:
        for descriptor in taken:
            os.close(descriptor)
    return False


def _from_disk(problem: apsw.IOError, place: str) -> StoreError:
    # On a full disk the shared index beside the file is the first thing that cannot grow.
    code = getattr(problem, "extendedresult", 0)
    if code == apsw.SQLITE_IOERR_SHMSIZE:
        return DiskFull.at_place(place)
    name = apsw.mapping_extended_result_codes.get(code, "SQLITE_IOERR")
    return StoreError(
        f"{place}: the disk failed to read or write ({name}): check it and its free space, then try again"
    )


@contextmanager
def translating_errors(place: str) -> Iterator[None]:
    """Within, SQLite's errors come out as ours."""
    try:
        yield
    except (apsw.Error, UnicodeError) as problem:
        raise translate_error(problem, place) from problem


def unbindable_error() -> InputError:
    """Our error for a value of a type or size that no column takes."""
    return InputError("a name must be a text and a number fit into 64 bits: the store cannot take a value of this call")


def identify_file(path: str) -> tuple[int, int]:
    """Which file is at a path, whatever its content; (0, 0) when there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return (0, 0)
    return (status.st_dev, status.st_ino)
