"""Encrypted SQLite files: giving a connection its key, and telling an encrypted file from a plain one.

Pages are sealed with AEGIS-256, which also shows any change of them. The first 16 bytes of an encrypted file are its
salt, instead of SQLite's own mark.
"""

from __future__ import annotations

import os
from urllib.parse import quote

import apsw

from toldonce.errors import ConfigError, WrongKey
from toldonce.storage.encryption import SALT_BYTES, EncryptionKey, new_salt
from toldonce.storage.live_files import read_live

MAGIC = b"SQLite format 3\0"
_CIPHER = "aegis"


def apply_key(connection: apsw.Connection, path: str, key: EncryptionKey) -> None:
    """Have a connection read and write with the key of this file; nothing is read yet."""
    _require_cipher()
    connection.pragma("cipher", _CIPHER)
    connection.pragma("key", _raw_key(key, read_file_salt(path) or new_salt()))


def write_copy_address(path: str, key: EncryptionKey | None) -> str:
    """The address of a file that is to be written with a key, or plain without one, whatever its source has."""
    if key is not None:
        _require_cipher()
    raw = _raw_key(key, new_salt()) if key is not None else ""
    return f"file:{quote(os.path.abspath(path))}?cipher={_CIPHER}&key={quote(raw)}"


def check_key(connection: apsw.Connection, path: str) -> None:
    """Read the first page: WrongKey when the key does not open it."""
    try:
        connection.pragma("user_version")
    except (apsw.NotADBError, apsw.CorruptError, apsw.IOError) as problem:
        # A page that was decrypted with the wrong key may look damaged, or give a wrong page size and so a read beyond
        # the log. Nothing tells it from a first page that is really damaged: the message names both.
        code = getattr(problem, "extendedresult", 0)
        if isinstance(problem, apsw.IOError) and code != apsw.SQLITE_IOERR_SHORT_READ:
            raise
        raise WrongKey.at_place(path) from None


def is_encrypted_file(path: str) -> bool:
    """Whether a file that is there begins like no plain database; one of another format does so too."""
    return read_file_salt(path) is not None


def read_file_salt(path: str) -> bytes | None:
    """The salt of an encrypted file; None for a plain, an empty or a missing one."""
    try:
        with read_live(path) as file:
            head = file.read(SALT_BYTES)
    except OSError:
        return None
    return None if len(head) < SALT_BYTES or head == MAGIC else head


def _raw_key(key: EncryptionKey, salt: bytes) -> str:
    return f"raw:{key.derive(salt).hex()}{salt.hex()}"


def _require_cipher() -> None:
    if getattr(apsw, "mc_version", None) is None:
        raise ConfigError(
            "this installation cannot encrypt: the package apsw was installed over apsw-sqlite3mc; "
            "pip install --force-reinstall --no-deps apsw-sqlite3mc brings it back"
        )
