"""Encrypts, decrypts and re-keys a memory file as a whole, in one step that a crash cannot leave half done.

A copy is written with the other key, verified, and only then replaces the file. Until that moment the old
file is complete; a killed run leaves a copy with the new key, which the next run or the next opening removes. The
memory must not be in use.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import apsw

from toldonce.errors import NotAMemory, StoreBusy, WrongKey
from toldonce.storage.atomic_file import claim_temporary, remove_leftover_files
from toldonce.storage.encryption import EncryptionKey
from toldonce.storage.file_lock import hold_file_lock
from toldonce.storage.named_queries import load_queries
from toldonce.storage.sqlite.check import count_rows, verify_copy
from toldonce.storage.sqlite.cipher import check_key, is_encrypted_file, write_copy_address
from toldonce.storage.sqlite.connect import READ_WRITE, is_file_replaced, open_connection
from toldonce.storage.sqlite.errors import translating_errors
from toldonce.storage.sqlite.file import APPLICATION_ID, PACKAGE, make_private

CONVERTED = ".rekey"
KEY_LOCK = ".key.lock"
_WAIT_SECONDS = 10.0
_BUSY_MS = 2_000


def change_encryption(path: str, *, old: EncryptionKey | None, new: EncryptionKey | None) -> None:
    """Have a memory file encrypted with `new`, or plain for None; `old` is the key it has now, None for a plain one."""
    if not os.path.isfile(path):
        raise NotAMemory(f"{path}: there is no file")
    if is_encrypted_file(path) != (old is not None):
        raise WrongKey(f"{path} is {'' if old is None else 'not '}encrypted; nothing was changed")
    with hold_file_lock(path + KEY_LOCK, wait_seconds=_WAIT_SECONDS), translating_errors(path):
        remove_leftover_files(path, mark=CONVERTED)
        with (
            contextlib.closing(_open_alone(path, old)) as connection,
            _make_converted_copy(connection, path, new=new) as copy,
        ):
            _replace_file(copy, path)


def _open_alone(path: str, key: EncryptionKey | None) -> apsw.Connection:
    """The only connection to a file, with its log brought in and removed; nobody else can open it meanwhile."""
    connection = open_connection(path, flags=READ_WRITE | apsw.SQLITE_OPEN_URI, busy_ms=_BUSY_MS, key=key)
    with contextlib.ExitStack() as undo:
        undo.callback(connection.close)
        check_key(connection, path)
        if connection.pragma("application_id") != APPLICATION_ID:
            raise NotAMemory(f"{path}: a database, but not a Toldonce memory")
        try:
            if connection.pragma("journal_mode", "delete") != "delete":
                raise apsw.BusyError
            connection.pragma("locking_mode", "exclusive")
            connection.execute("BEGIN EXCLUSIVE")
            if connection.pragma("journal_mode") != "delete" or is_file_replaced(connection):
                # Somebody has opened or replaced it in between.
                raise apsw.BusyError
        except apsw.BusyError:
            raise StoreBusy(f"{path} is in use: stop every process that has it open, then try again") from None
        undo.pop_all()
    return connection


@contextlib.contextmanager
def _make_converted_copy(connection: apsw.Connection, path: str, *, new: EncryptionKey | None) -> Iterator[str]:
    """A verified copy of the file with the other key; removed afterwards unless it was moved."""
    target = f"{path}.{os.getpid()}-{secrets.token_hex(4)}{CONVERTED}"
    queries = load_queries(PACKAGE)
    with contextlib.ExitStack() as undo:
        undo.enter_context(claim_temporary(Path(target)))
        undo.callback(_remove_converted_copy, target)
        make_private(target)
        counts = count_rows(connection, queries)
        connection.execute("COMMIT")
        # Pages are written with the key of the copy from the first one on: killed at any moment, this
        # leaves nothing beside the memory that is plainer than what was asked for.
        connection.execute("VACUUM INTO ?", (write_copy_address(target, new),))
        with contextlib.closing(open_connection(target, key=new)) as changed:
            check_key(changed, target)
            verify_copy(changed, queries, counts=counts, path=target)
        yield target


def _replace_file(copy: str, path: str) -> None:
    with open(copy, "rb") as file:
        os.fsync(file.fileno())
    os.replace(copy, path)
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _remove_converted_copy(copy: str) -> None:
    for end in ("", "-journal", "-wal", "-shm"):
        Path(copy + end).unlink(missing_ok=True)
