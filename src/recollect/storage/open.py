"""Opens the store that a place names: a path, or `:memory:` for one that lives in this process."""

from __future__ import annotations

import os

from recollect.errors import InputError
from recollect.storage.encryption import EncryptionKey
from recollect.storage.store import Store


def open_store(place: str | os.PathLike[str], *, key: EncryptionKey | None = None) -> Store:
    """The store at that place, made when it is not there yet; encrypted when it is opened with a key."""
    if not isinstance(place, str | os.PathLike):
        raise InputError(f"a memory needs the path of a file, not {type(place).__name__}")
    name = os.fspath(place)
    if "://" in name:
        scheme = name.partition("://")[0]
        raise InputError(f"this Recollect cannot open a {scheme} address: give the path of a file")
    if not name or "\0" in name:
        raise InputError("a memory needs the path of a file")
    from recollect.storage.sqlite.store import SqliteStore

    return SqliteStore(name, key=key)
