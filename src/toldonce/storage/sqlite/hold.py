"""Keeps all writers out of a memory file, so that another file can replace it without losing a write."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from toldonce.errors import StoreBusy
from toldonce.storage.encryption import EncryptionKey
from toldonce.storage.sqlite.cipher import check_key
from toldonce.storage.sqlite.connect import READ_WRITE, open_connection
from toldonce.storage.sqlite.errors import translating_errors

_BUSY_MS = 2_000
# A writer may come between emptying the log and locking it; readers that stay do so every time.
_ATTEMPTS = 5


@contextmanager
def hold_writers(path: str, *, key: EncryptionKey | None) -> Iterator[None]:
    """Within, nobody writes to the file and its log is empty: everything acknowledged is in the file itself.

    StoreBusy when another process goes on reading an older state, which keeps the log from being emptied.
    """
    with contextlib.closing(_lock_exclusively(path, key)):
        yield


def _lock_exclusively(path: str, key: EncryptionKey | None) -> apsw.Connection:
    with translating_errors(path), contextlib.ExitStack() as undo:
        connection = open_connection(path, flags=READ_WRITE, busy_ms=_BUSY_MS, key=key)
        undo.callback(connection.close)
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        check_key(connection, path)
        for _ in range(_ATTEMPTS):
            with contextlib.suppress(apsw.BusyError):
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                connection.execute("BEGIN IMMEDIATE")
                if not _has_content(path + "-wal"):
                    undo.pop_all()
                    return connection
                connection.execute("ROLLBACK")
    raise StoreBusy(f"{path} is in use: stop every process that has it open, then try again; nothing was changed")


def _has_content(path: str) -> bool:
    try:
        return os.stat(path).st_size > 0
    except FileNotFoundError:
        return False
