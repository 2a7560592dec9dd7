"""Turns what SQLite says went wrong into our errors, with words that tell what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from recollect.errors import (
    CorruptStore,
    DiskFull,
    InputError,
    NotAMemory,
    ReadOnlyStore,
    RecollectError,
    StoreBusy,
    StoreClosed,
    StoreError,
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
    (apsw.ConnectionClosedError, StoreClosed),
)


def translate(problem: apsw.Error | UnicodeEncodeError, place: str) -> RecollectError:
    """Our error for an SQLite error, or for a text that cannot be stored."""
    if isinstance(problem, UnicodeEncodeError):
        return InputError("a text or name holds half of a character (a lone surrogate): give valid Unicode")
    for theirs, ours in _OURS:
        if isinstance(problem, theirs):
            return ours(f"{place}: {(ours.__doc__ or '').strip()}")
    if isinstance(problem, apsw.IOError) and "full" in str(problem).lower():
        return DiskFull(f"{place}: {(DiskFull.__doc__ or '').strip()}")
    return StoreError(f"{place}: the database failed: {problem}")


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Within, SQLite's errors come out as ours."""
    try:
        yield
    except apsw.Error as problem:
        raise translate(problem, place) from problem
