"""Persons who were erased, as salted hashes: enough to recognise one who is imported again, and nothing else."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from datetime import datetime

from toldonce.clock import from_micros, to_micros
from toldonce.storage.rows import Rows

# Salt, digest, and the time in microseconds.
Tombstone = tuple[bytes, bytes, int]


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
            "add_tombstone",
            tenant=self._tenant,
            salt=salt,
            digest=_tombstone_digest(salt, user, space),
            at=to_micros(at),
        )

    def erased_at(self, user: str, space: str) -> datetime | None:
        """When this person was last erased from a space; None when they never were."""
        found = [one[2] for one in self.all() if any(is_of(one, user, space=scope) for scope in (None, space))]
        return from_micros(max(found)) if found else None

    def missing_from(self, others: Iterable[Tombstone]) -> list[Tombstone]:
        """The tombstones of another store that this one has not."""
        here = {digest for _, digest, _ in self.all()}
        return [one for one in others if one[1] not in here]

    def all(self) -> list[Tombstone]:
        """Every tombstone: salt, digest, time."""
        return [(row[0], row[1], row[2]) for row in self._rows.all("list_tombstones", tenant=self._tenant)]

    def put(self, tombstone: Tombstone) -> None:
        """Take over a tombstone of another store."""
        salt, digest, at = tombstone
        self._rows.run("add_tombstone", tenant=self._tenant, salt=salt, digest=digest, at=at)

    def is_empty(self) -> bool:
        """Whether nobody was ever erased."""
        return self._rows.one("any_tombstone", tenant=self._tenant) is None


def is_of(tombstone: Tombstone, user: str, *, space: str | None) -> bool:
    """Whether a tombstone is that of a person, in one space or with None in all of them."""
    return _tombstone_digest(tombstone[0], user, space) == tombstone[1]


def _tombstone_digest(salt: bytes, user: str, space: str | None) -> bytes:
    scope = "" if space is None else f"in {space}"
    return hashlib.sha256(b"\0".join((salt, user.encode("utf-8", "surrogatepass"), scope.encode()))).digest()
