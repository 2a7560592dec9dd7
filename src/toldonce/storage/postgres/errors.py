"""Turns what PostgreSQL says went wrong into our errors, with words that tell what to do."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors as theirs

from toldonce.errors import (
    DiskFull,
    InputError,
    LoginRefused,
    ReadOnlyStore,
    ServerUnavailable,
    StoreBusy,
    StoreError,
    ToldonceError,
)

_OURS: tuple[tuple[tuple[type[psycopg.Error], ...], type[StoreError]], ...] = (
    ((theirs.DiskFull, theirs.OutOfMemory), DiskFull),
    ((theirs.InvalidPassword, theirs.InvalidAuthorizationSpecification), LoginRefused),
    ((theirs.LockNotAvailable, theirs.TooManyConnections), StoreBusy),
    # Two transactions in each other's way, or on a standby one in the way of what is replayed there.
    ((theirs.DeadlockDetected, theirs.SerializationFailure), StoreBusy),
    ((theirs.AdminShutdown, theirs.CrashShutdown, theirs.CannotConnectNow), ServerUnavailable),
)
# What cannot be stored: a value too large or not of the type, or a text with a NUL.
_UNTAKEN = (theirs.NumericValueOutOfRange, theirs.UntranslatableCharacter, theirs.ProgramLimitExceeded)
# libpq gives no code where no connection came about, so its words have to tell. Names in them are the reader's own.
_REFUSED = re.compile(
    r"password authentication failed|no password supplied|authentication failed|no pg_hba\.conf entry"
    r'|role ".*" (?:does not exist|is not permitted to log in)'
)
_NO_DATABASE = re.compile(r'database ".*" does not exist')
_CLOSED_DATABASE = re.compile(
    r'permission denied for database ".*"|database ".*" is not currently accepting connections'
)
_NO_CONNECTION_LEFT = re.compile(r"too many clients|remaining connection slots|too many connections for")


def translate_error(problem: Exception, place: str) -> ToldonceError:
    """Our error for one of psycopg's, or for a value that it cannot send."""
    if isinstance(problem, UnicodeError):
        return InputError("a text or name holds half of a character (a lone surrogate): give valid Unicode")
    if isinstance(problem, psycopg.ProgrammingError) and problem.sqlstate is None:
        return unbindable_error()
    if isinstance(problem, theirs.CharacterNotInRepertoire):
        return InputError("a text holds the character NUL, which PostgreSQL cannot store: remove it")
    if isinstance(problem, _UNTAKEN):
        return InputError(f"PostgreSQL cannot take a value of this call: {_first_line(problem)}")
    for kinds, ours in _OURS:
        if isinstance(problem, kinds):
            return ours.at_place(place)
    if isinstance(problem, theirs.QueryCanceled):
        return StoreBusy(
            f"{place}: the server broke off a statement ({_first_line(problem)}): try again; if that does not help, "
            "raise statement_timeout for this login"
        )
    if isinstance(problem, theirs.InsufficientPrivilege):
        return StoreError(
            f"{place}: this login lacks a right ({_first_line(problem)}): as the owner of the database, "
            "`GRANT toldonce_app TO` it"
        )
    if isinstance(problem, theirs.ReadOnlySqlTransaction):
        return read_only_error(place)
    if isinstance(problem, psycopg.OperationalError) and getattr(problem, "sqlstate", None) is None:
        return _from_connection(problem, place)
    return StoreError(f"{place}: the database failed: {_first_line(problem)}")


def read_only_error(place: str) -> ReadOnlyStore:
    """Our error for a server that takes no writes."""
    return ReadOnlyStore(
        f"{place}: this server takes no writes (a standby, or read-only by its settings): "
        "give the address of the primary"
    )


def unbindable_error() -> InputError:
    """Our error for a value of a type or size that no column takes."""
    return InputError("a name must be a text and a number fit into 64 bits: the store cannot take a value of this call")


@contextmanager
def refusing_unbindable() -> Iterator[None]:
    """Within, a value that psycopg cannot send becomes our error."""
    try:
        yield
    except (struct.error, OverflowError, TypeError, AttributeError) as problem:
        raise unbindable_error() from problem


def _from_connection(problem: psycopg.OperationalError, place: str) -> StoreError:
    said = str(problem)
    if _NO_DATABASE.search(said):
        return ServerUnavailable(f"{place}: there is no such database on this server: create it (`createdb NAME`)")
    if _CLOSED_DATABASE.search(said):
        return LoginRefused(
            f"{place}: the server does not let this login into this database: check the name of the database, or "
            "`GRANT CONNECT ON DATABASE` to the login"
        )
    if _REFUSED.search(said):
        return LoginRefused.at_place(place)
    if _NO_CONNECTION_LEFT.search(said):
        return StoreBusy(f"{place}: the server has no free connection: lower pool= here or raise max_connections there")
    return ServerUnavailable.at_place(place, f" ({_first_line(problem)})")


def _first_line(problem: Exception) -> str:
    """The message without its details, which may hold values of rows."""
    diag = getattr(problem, "diag", None)
    said = (diag.message_primary if diag is not None else None) or str(problem)
    return said.strip().partition("\n")[0]
