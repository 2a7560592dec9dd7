"""Opens the store that a place names: a path, `:memory:` for one that lives in this process, or a database address."""

from __future__ import annotations

import os

from toldonce.errors import InputError
from toldonce.optional import install_hint
from toldonce.storage.encryption import EncryptionKey
from toldonce.storage.store import Store


def open_store(place: str | os.PathLike[str], *, key: EncryptionKey | None = None) -> Store:
    """The store at that place, made when it is not there yet; encrypted when it is opened with a key."""
    if not isinstance(place, str | os.PathLike):
        raise InputError(f"a memory needs the path of a file, not {type(place).__name__}")
    name = os.fspath(place)
    if "://" in name:
        return _open_address(name, key)
    if not name or "\0" in name:
        raise InputError("a memory needs the path of a file")
    from toldonce.storage.sqlite.store import SqliteStore

    return SqliteStore(name, key=key)


def _open_address(address: str, key: EncryptionKey | None) -> Store:
    scheme = address.partition("://")[0]
    if scheme not in ("postgresql", "postgres"):
        raise InputError(f"this Toldonce cannot open a {scheme} address: give the path of a file, or postgresql://...")
    try:
        from toldonce.storage.postgres.address import read_address
        from toldonce.storage.postgres.store import PostgresStore
    except ModuleNotFoundError as problem:
        if (problem.name or "").partition(".")[0] != "psycopg":
            raise
        raise InputError(f"a postgresql:// address needs more packages: {install_hint('postgres')}") from problem
    return PostgresStore(read_address(address), key=key)
