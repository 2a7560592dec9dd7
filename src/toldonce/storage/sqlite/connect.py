"""The one place that opens SQLite connections, and the check that a memory needs before one is opened."""

from __future__ import annotations

import os

import apsw

from toldonce.errors import CorruptStore

# Hooks import this module: what only encrypted files need is imported for them alone.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from toldonce.storage.encryption import EncryptionKey

READ_ONLY = apsw.SQLITE_OPEN_READONLY
READ_WRITE = apsw.SQLITE_OPEN_READWRITE
CREATE = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
BUSY_MS = 60_000


def open_connection(
    path: str, *, flags: int = CREATE, busy_ms: int = BUSY_MS, key: EncryptionKey | None = None
) -> apsw.Connection:
    """A connection that waits for the locks of others, and reads an encrypted file with its key."""
    connection = apsw.Connection(path, flags=flags)
    connection.set_busy_timeout(busy_ms)
    # Else SQLite prepares a query again whenever it is run, if a partial index comes into question: most of ours.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    if key is not None:
        from toldonce.storage.sqlite.cipher import apply_key

        apply_key(connection, path, key)
    return connection


def is_file_replaced(connection: apsw.Connection) -> bool:
    """Whether another file, or none, is now at the path of a connection's file.

    The connection knows its own file. The number of the file that was at the path before it was opened proves nothing:
    a file system gives the number of a removed file to the next one that is made.
    """
    import ctypes

    answer = ctypes.c_int(0)
    connection.file_control("main", apsw.SQLITE_FCNTL_HAS_MOVED, ctypes.addressof(answer))
    return bool(answer.value)


def refuse_lost_file(path: str) -> None:
    """Stop before SQLite deletes a log that may hold the only copy of what was written.

    The log is looked at first: a memory in the making has its first page before its log, so this finds no false case.
    """
    log = path + "-wal"
    if path == ":memory:" or not _file_size(log):
        return
    if not _file_size(path):
        raise CorruptStore(
            f"{path} is empty or missing, but {log} holds data: the database file was lost and the log was kept as it "
            f"is; restore a backup with `toldonce restore`, or move {log} away to start with an empty memory"
        )


def _file_size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0
