"""Opens a memory file: refuses what is not one without touching it, and brings an older one up to date."""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path

import apsw

from toldonce.errors import (
    ConfigError,
    CorruptStore,
    FileReplaced,
    NeedsKey,
    NewerSchema,
    NotAMemory,
    ReadOnlyStore,
    TooManyFiles,
    WrongKey,
)
from toldonce.storage.encryption import SALT_BYTES, EncryptionKey
from toldonce.storage.file_lock import hold_file_lock
from toldonce.storage.live_files import read_live
from toldonce.storage.sqlite.cipher import MAGIC, check_key, read_file_salt
from toldonce.storage.sqlite.connect import (
    BUSY_MS,
    READ_ONLY,
    READ_WRITE,
    is_file_replaced,
    open_connection,
    refuse_lost_file,
)

PACKAGE = "toldonce.storage.sqlite"
APPLICATION_ID = 0x5265636F
SCHEMA_VERSION = 7
_HEAD_BYTES = 100
# In KiB. Every page of an encrypted file that is not in the cache has to be decrypted, and none can be mapped.
_CACHE = {False: "PRAGMA cache_size = -16000", True: "PRAGMA cache_size = -64000"}
_MAKING_SECONDS = 60.0
_REMOVED_BY_ANOTHER = apsw.SQLITE_IOERR_DELETE_NOENT


def open_for_reading(path: str, *, key: EncryptionKey | None = None) -> apsw.Connection:
    """A connection that cannot change anything."""
    refuse_lost_file(path)
    connection = open_connection(path, flags=READ_ONLY, key=key)
    connection.execute(f"{_CACHE[key is not None]}; PRAGMA mmap_size = 17179869184; PRAGMA query_only = ON")
    return connection


def open_for_writing(path: str, *, key: EncryptionKey | None = None) -> apsw.Connection:
    """A connection to a memory of the current schema, made when there is no file yet."""
    if key is None:
        _refuse_foreign(path)
    else:
        _refuse_plain(path)
    make_private(path)
    with contextlib.ExitStack() as undo:
        if key is not None:
            _make_encrypted(path, key)
        connection = open_connection(path, key=key)
        undo.callback(connection.close)
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        with _detecting_replacement(connection, path, is_keyed=key is not None):
            if key is not None:
                check_key(connection, path)
            refuse_newer(path, connection.pragma("user_version"))
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
            _write_ahead(connection)
        if is_file_replaced(connection):
            # Its log would be taken for the log of the file that is at this path now.
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            raise FileReplaced.at_place(path)
        connection.execute(
            "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;"
            f"{_CACHE[key is not None]}; PRAGMA journal_size_limit = 67108864; PRAGMA temp_store = MEMORY"
        )
        _upgrade_file(connection, path)
        undo.pop_all()
    return connection


@contextlib.contextmanager
def _detecting_replacement(connection: apsw.Connection, path: str, *, is_keyed: bool) -> Iterator[None]:
    """Within, a file that cannot be read since it was encrypted or decrypted meanwhile is reported as replaced."""
    try:
        yield
    except (apsw.IOError, apsw.NotADBError, apsw.CorruptError) as problem:
        if is_file_replaced(connection) or (read_file_salt(path) is not None) != is_keyed:
            raise FileReplaced.at_place(path) from problem
        raise


def make_private(path: str) -> None:
    """An empty file that only its owner may read, where there is none yet; SQLite gives its logs the same rights."""
    if path != ":memory:":
        # SQLite reports what cannot be created, in the words that the rest of this module knows.
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _write_ahead(connection: apsw.Connection) -> None:
    """Write to a log first. SQLite does not wait by itself when several processes do this at the same moment.

    Nor does it expect that another one has removed the old journal, which both were about to do.
    """
    give_up_at = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
            return
        except (apsw.BusyError, apsw.IOError) as problem:
            is_passing = (
                isinstance(problem, apsw.BusyError) or getattr(problem, "extendedresult", 0) == _REMOVED_BY_ANOTHER
            )
            if not is_passing or time.monotonic() > give_up_at:
                raise
            time.sleep(0.01)


def _refuse_plain(path: str) -> None:
    """Stop before a key is used on a file that was written without one."""
    if path == ":memory:":
        raise ConfigError("a memory inside this process cannot be encrypted: give the path of a file")
    _refuse_bad_path(path)
    if _read_file_head(Path(path)).startswith(MAGIC):
        raise WrongKey(
            f"{path} is not encrypted: encrypt it with `toldonce encrypt`, or open it without a key; "
            "nothing was changed"
        )


def _make_encrypted(path: str, key: EncryptionKey) -> None:
    """Give a new file its salt, once: processes that make it at the same moment must agree on it."""
    if read_file_salt(path) is not None:
        return
    with hold_file_lock(path + ".key.lock", wait_seconds=_MAKING_SECONDS):
        if read_file_salt(path) is None:
            with contextlib.closing(open_connection(path, key=key)) as connection:
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _refuse_foreign(path: str) -> None:
    """Stop before touching a file that is not ours, or that only a newer Toldonce understands."""
    if path == ":memory:":
        return
    _refuse_bad_path(path)
    head = _read_file_head(Path(path))
    if not head:
        return
    if not head.startswith(MAGIC):
        if len(head) >= SALT_BYTES and len(head) == _HEAD_BYTES:
            raise NeedsKey.at_place(path)
        raise NotAMemory.at_place(path)
    version, application, changes = (int.from_bytes(head[i : i + 4], "big") for i in (60, 68, 40))
    if application == APPLICATION_ID:
        refuse_newer(path, version)
    elif application or changes or not _is_fresh(path):
        raise NotAMemory(f"{path}: a database, but not a Toldonce memory: choose another path; it was left as it is")


def _refuse_bad_path(path: str) -> None:
    file = Path(path)
    if not os.path.isdir(file.parent):
        raise ReadOnlyStore(f"{path}: the folder {file.parent} does not exist: create it first")
    if os.path.exists(file) and not os.path.isfile(file):
        raise NotAMemory(f"{path}: not a file: give the path of a file")
    refuse_lost_file(path)


def _read_file_head(file: Path) -> bytes:
    """The first bytes of a file; none when there is no file yet."""
    try:
        with read_live(file) as opened:
            return opened.read(_HEAD_BYTES)
    except FileNotFoundError:
        return b""
    except OSError as problem:
        if problem.errno in (errno.EMFILE, errno.ENFILE):
            raise TooManyFiles.at_place(file) from problem
        raise ReadOnlyStore.at_place(file, f" ({problem.strerror})") from problem


def _is_fresh(path: str) -> bool:
    """Whether the header is only behind the log: a memory just made, not yet checkpointed."""
    with contextlib.closing(open_connection(path, flags=READ_WRITE)) as connection:
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        # In this order: whoever makes the memory meanwhile writes both at once.
        is_empty = connection.pragma("schema_version") == 0
        return connection.pragma("application_id") in (APPLICATION_ID, 0 if is_empty else APPLICATION_ID)


def refuse_newer(path: str, version: int) -> None:
    """Stop at a file whose schema this version does not know."""
    if version > SCHEMA_VERSION:
        raise NewerSchema(
            f"{path}: written by a newer Toldonce (schema {version}, this one knows {SCHEMA_VERSION}): "
            "upgrade this installation to open it; nothing was changed",
            found=version,
            known=SCHEMA_VERSION,
        )


def _upgrade_file(connection: apsw.Connection, path: str) -> None:
    if connection.pragma("user_version") == SCHEMA_VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        refuse_newer(path, connection.pragma("user_version"))
        migrate_file(connection, load_migrations())
        connection.execute("COMMIT")
    finally:
        if not connection.get_autocommit():
            connection.execute("ROLLBACK")


def load_migrations() -> Mapping[int, str]:
    """The SQL that brings a file to each version from the one before."""
    folder = files(PACKAGE).joinpath("migrations")
    return {int(f.name[:4]): f.read_text(encoding="utf-8") for f in folder.iterdir() if f.name.endswith(".sql")}


def migrate_file(connection: apsw.Connection, steps: Mapping[int, str], *, target: int = SCHEMA_VERSION) -> None:
    """Bring the open transaction's file to the target version: a fresh file at once, an older one step by step."""
    version = connection.pragma("user_version")
    if version == 0:
        connection.execute(files(PACKAGE).joinpath("schema.sql").read_text(encoding="utf-8"))
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    else:
        for step in range(version + 1, target + 1):
            if step not in steps:
                raise CorruptStore(f"there is no way from schema {step - 1} to {step}")
            connection.execute(steps[step])
    connection.execute(f"PRAGMA user_version = {target}")
