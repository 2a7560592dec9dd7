"""Persons who were erased, as salted hashes: enough to recognise one who is imported again, and nothing else."""

from __future__ import annotations

import hashlib
import os
from datetime import datetime

from recollect.clock import from_micros, to_micros
from recollect.keep.rows import Rows


class TombstoneTable:
    """Remembers that a person was erased, and when, without keeping who it was."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def add(self, user: str, *, space: str | None, at: datetime) -> None:
        """A person was erased from one space, or with None from all of them."""
        salt = os.urandom(16)
        self._rows.run(
            "add_tombstone", tenant=self._tenant, salt=salt, digest=_digest(salt, user, space), at=to_micros(at)
        )

    def erased_at(self, user: str, space: str) -> datetime | None:
        """When this person was last erased from a space; None when they never were."""
        rows = self._rows.all("list_tombstones", tenant=self._tenant)
        scopes = (None, space)
        found = [at for salt, digest, at in rows if any(_digest(salt, user, scope) == digest for scope in scopes)]
        return from_micros(max(found)) if found else None

    def is_empty(self) -> bool:
        """Whether nobody was ever erased."""
        return self._rows.one("any_tombstone", tenant=self._tenant) is None


def _digest(salt: bytes, user: str, space: str | None) -> bytes:
    scope = "" if space is None else f"in {space}"
    return hashlib.sha256(b"\0".join((salt, user.encode("utf-8", "surrogatepass"), scope.encode()))).digest()
