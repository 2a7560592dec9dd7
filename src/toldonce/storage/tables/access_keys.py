"""API keys of the server: whom each stands for, what it may do, and until when. Secrets are stored as hashes only."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from toldonce.clock import from_micros, to_micros
from toldonce.storage.rows import Rows
from toldonce.storage.tables.records import from_stored_time, to_stored_time

Right = Literal["read", "write", "manage"]
KeyRole = Literal["agent", "consolidator", "person"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessKey:
    """Who holds a key acts as `person`, or for everybody in its spaces when there is none.

    `spaces` None are all spaces. `role` is what the holder counts as when something is stored.
    """

    id: str
    name: str
    person: str | None
    spaces: tuple[str, ...] | None
    rights: tuple[Right, ...]
    role: KeyRole
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None

    def has_expired(self, now: datetime) -> bool:
        """Whether its time is over."""
        return self.expires_at is not None and self.expires_at <= now


class AccessKeyTable:
    """The keys of a memory."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def add(self, key: AccessKey, *, digest: bytes) -> None:
        """Store a new key by the hash of its secret."""
        self._rows.run(
            "add_access_key",
            tenant=self._tenant,
            id=key.id,
            name=key.name,
            digest=digest,
            person=key.person,
            spaces=None if key.spaces is None else json.dumps(key.spaces),
            rights=json.dumps(key.rights),
            role=key.role,
            created_at=to_micros(key.created_at),
            expires_at=to_stored_time(key.expires_at),
        )

    def find(self, digest: bytes, *, now: datetime) -> AccessKey | None:
        """The key with this hash, if it holds: neither revoked nor expired."""
        row = self._rows.one("find_access_key", tenant=self._tenant, digest=digest, now=to_micros(now))
        return _key_from_row(row) if row else None

    def all(self) -> list[AccessKey]:
        """All keys, oldest first, those that no longer hold among them."""
        return [_key_from_row(row) for row in self._rows.all("list_access_keys", tenant=self._tenant)]

    def rotate(self, key_id: str, *, digest: bytes, previous_until: datetime) -> bool:
        """Give a key a new secret; the previous one holds until a moment. False when no such key holds."""
        given = {"id": key_id, "digest": digest, "previous_until": to_micros(previous_until)}
        return self._rows.run("rotate_access_key", tenant=self._tenant, **given) > 0

    def revoke(self, key_id: str, *, at: datetime) -> bool:
        """End a key; False when no such key holds."""
        return self._rows.run("revoke_access_key", tenant=self._tenant, id=key_id, at=to_micros(at)) > 0

    def touch(self, key_id: str, *, at: datetime) -> None:
        """A key was used."""
        self._rows.run("touch_access_key", tenant=self._tenant, id=key_id, at=to_micros(at))


def _key_from_row(row: tuple[Any, ...]) -> AccessKey:
    return AccessKey(
        id=row[0],
        name=row[1],
        person=row[2],
        spaces=None if row[3] is None else tuple(json.loads(row[3])),
        rights=tuple(json.loads(row[4])),
        role=row[5],
        created_at=from_micros(row[6]),
        expires_at=from_stored_time(row[7]),
        revoked_at=from_stored_time(row[8]),
        last_used_at=from_stored_time(row[9]),
    )
