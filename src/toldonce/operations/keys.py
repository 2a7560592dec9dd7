"""`memory.keys`: API keys for the server. A key says whom its holder acts for, where, and what it may do."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import get_args

from toldonce.capture.fields import check_names
from toldonce.clock import as_moment
from toldonce.errors import InputError
from toldonce.operations.engine import Engine
from toldonce.records import new_id
from toldonce.storage.store import Tables
from toldonce.storage.tables.access_keys import AccessKey, KeyRole, Right

PREFIX = "tk_"
RIGHTS: tuple[Right, ...] = get_args(Right)
ROLES: tuple[KeyRole, ...] = get_args(KeyRole)
# That a key was used is written at most once in this time.
_TOUCH_EVERY = timedelta(minutes=1)
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key with its secret, which is shown once and cannot be read again."""

    key: AccessKey
    secret: str


class Keys:
    """Add, list, rotate and revoke the keys of a memory."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(
        self,
        name: str,
        *,
        user: str | None = None,
        spaces: Sequence[str] | None = None,
        rights: Sequence[Right] = ("read", "write"),
        role: KeyRole = "agent",
        expires_at: datetime | str | None = None,
    ) -> NewKey:
        """Create a key that acts for `user` or, without one, for everybody, in these spaces or in all."""
        now = self._engine.clock()
        check_names(name=name, user=user)
        if not name.strip() or len(name) > _LONGEST_NAME:
            raise InputError(f"a key needs a name of 1 to {_LONGEST_NAME} characters, to tell it from others")
        if user is not None and not user.strip():
            raise InputError("the person of a key is blank: name them, or leave it out for a key of everybody")
        key = AccessKey(
            id=new_id("key", now),
            name=name.strip(),
            person=user,
            spaces=self._check_spaces(spaces),
            rights=_check_rights(rights),
            role=_check_role(role),
            created_at=now,
            expires_at=as_moment(expires_at, now) if expires_at is not None else None,
        )
        if key.has_expired(now):
            raise InputError("the key would have expired already: give a later moment")
        secret = _make_secret()

        def work(tables: Tables) -> None:
            tables.access_keys.add(key, digest=hash_secret(secret))
            tables.audit.add("", "add key", at=now, detail={"key": key.id})

        self._engine.write(work)
        return NewKey(key, secret)

    def all(self) -> list[AccessKey]:
        """All keys, oldest first, those that were revoked or expired among them; never a secret."""
        return self._engine.store.read(lambda t: t.access_keys.all())

    def rotate(self, key_id: str, *, grace_hours: float = 0.0) -> NewKey:
        """Give a key a new secret; the previous one holds for some hours more, none by default."""
        if not 0 <= grace_hours <= 24 * 30:
            raise InputError("grace_hours must be a number from 0 to 720")
        now, secret = self._engine.clock(), _make_secret()

        def work(tables: Tables) -> AccessKey:
            until = now + timedelta(hours=grace_hours)
            _require_done(tables.access_keys.rotate(key_id, digest=hash_secret(secret), previous_until=until), key_id)
            tables.audit.add("", "rotate key", at=now, detail={"key": key_id})
            return _find_key(tables, key_id)

        return NewKey(self._engine.write(work), secret)

    def revoke(self, key_id: str) -> AccessKey:
        """End a key at once."""
        now = self._engine.clock()

        def work(tables: Tables) -> AccessKey:
            _require_done(tables.access_keys.revoke(key_id, at=now), key_id)
            tables.audit.add("", "revoke key", at=now, detail={"key": key_id})
            return _find_key(tables, key_id)

        return self._engine.write(work)

    def identify(self, secret: str) -> AccessKey | None:
        """The key that a secret belongs to, if it holds; that it was used is noted."""
        now = self._engine.clock()
        found = self._engine.store.read(lambda t: t.access_keys.find(hash_secret(secret), now=now))
        if found is not None and (found.last_used_at is None or now - found.last_used_at >= _TOUCH_EVERY):
            key_id = found.id
            self._engine.write(lambda t: t.access_keys.touch(key_id, at=now), with_notes=False)
        return found

    def _check_spaces(self, spaces: Sequence[str] | None) -> tuple[str, ...] | None:
        if spaces is None:
            return None
        if isinstance(spaces, str) or not spaces:
            raise InputError("spaces is a list of names with at least one; leave it out for all spaces")
        return tuple(self._engine.find_space(name)[0].name for name in dict.fromkeys(spaces))


def hash_secret(secret: str) -> bytes:
    """What is stored of a secret. Secrets have 256 random bits, so that a fast hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


def _make_secret() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def _find_key(tables: Tables, key_id: str) -> AccessKey:
    return next(key for key in tables.access_keys.all() if key.id == key_id)


def _require_done(is_done: bool, key_id: str) -> None:
    if not is_done:
        raise InputError(f"there is no key {str(key_id)[:60]!r} that holds: `toldonce keys list` shows all")


def _check_rights(rights: Sequence[Right]) -> tuple[Right, ...]:
    if isinstance(rights, str) or not rights or any(right not in RIGHTS for right in rights):
        raise InputError(f"rights is a list of {', '.join(RIGHTS)}, with at least one")
    return tuple(right for right in RIGHTS if right in rights)


def _check_role(role: KeyRole) -> KeyRole:
    if role not in ROLES:
        raise InputError(f"the role of a key is one of {', '.join(ROLES)}")
    return role
