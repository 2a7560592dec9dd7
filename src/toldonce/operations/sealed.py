"""`memory.sealed`: items that a client sealed before it sent them. This side stores and searches, and can read nothing.

A client (`toldonce.sealed_memory`) makes the vector and the box; the key that opens a box never comes here.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, get_args

from toldonce.capture.fields import check_names, require_counts
from toldonce.clock import as_bound, as_moment
from toldonce.errors import InputError
from toldonce.operations.engine import Engine
from toldonce.operations.quotas import amounts_of_records, check_quotas, quota_of, tenant_quota_of
from toldonce.operations.space_state import require_on
from toldonce.records import Visibility
from toldonce.storage.keyed_ids import is_keyed
from toldonce.storage.store import Tables
from toldonce.storage.tables.sealed import SealedRow

if TYPE_CHECKING:
    from collections.abc import Mapping

LARGEST_BOX = 256 * 1024
MOST_DIMENSIONS = 4_096
MOST_AT_ONCE = 500
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedItem:
    """A vector to search by, and a box that only the client's key opens; both base64.

    The vector is float16, little-endian, of unit length. `seal` tells which key opens the box without telling the key.
    """

    id: str
    seal: str
    model: str
    box: str
    vector: str = ""
    at: datetime | None = None
    user: str | None = None
    visibility: Visibility = "private"


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedHit:
    """A sealed item that was found, without its vector, and the cosine."""

    item: SealedItem
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedCount:
    """How many items one key sealed with vectors of one model; `own` are those of the person who asks."""

    seal: str
    own: bool
    items: int
    bytes: int
    newest: datetime
    model: str = ""


class Sealed:
    """Store, search and destroy sealed items under the same access rules as records."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def put(self, items: Sequence[SealedItem], *, space: str | None = None) -> int:
        """Store items, all of them or none; returns how many are new. One that is here already stays.

        Who sealed it gives it the vector of another model by sending it again.
        """
        if len(items) > MOST_AT_ONCE:
            raise InputError(f"send at most {MOST_AT_ONCE} sealed items at once")
        now = self._engine.clock()
        home, preset = self._engine.find_space(space)
        rows = [_read_item(item, space=home.name, now=now) for item in items]

        def work(tables: Tables) -> int:
            require_on(tables, home.name)
            for person in {row.user for row in rows}:
                if tables.people.is_kept_out(home.name, person):
                    raise InputError("this person is kept out of memory: nothing was stored")
            state = tables.people.read_space_state(home.name)
            quota, tenant = quota_of(state, preset), tenant_quota_of(state)
            adding = amounts_of_records((row.space, row.user, row.box + row.vector) for row in rows)
            check_quotas(tables, adding, quotas={home.name: quota}, tenant=tenant, now=now)
            stored = sum(tables.sealed.put(row) for row in rows if not _was_destroyed(tables, row.id))
            tables.audit.add(home.name, "store sealed", at=now, detail={"items": stored})
            return stored

        return self._engine.write(work)

    def search(
        self,
        vector: str,
        *,
        model: str,
        seals: Sequence[str],
        user: str | None = None,
        space: str | None = None,
        limit: int = 10,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
    ) -> list[SealedHit]:
        """The nearest items that a person may see, of one model and one client's keys, best first."""
        require_counts(least=1, limit=limit)
        now = self._engine.clock()
        asked = _read_vector(vector)
        found_in = self._readable(user, space)

        def read(tables: Tables) -> list[SealedHit]:
            nearest = tables.sealed.find_nearest(
                asked,
                space=found_in or "",
                user=user,
                model=model,
                seals=list(seals),
                limit=min(limit, MOST_AT_ONCE),
                since=as_bound(since, now) if since is not None else None,
                until=as_bound(until, now) if until is not None else None,
            )
            rows = tables.sealed.get([id_ for id_, _ in nearest], space=found_in or "", user=user)
            return [SealedHit(item=_to_item(rows[id_], vector=False), score=score) for id_, score in nearest]

        return self._engine.store.read(read, person=user) if found_in is not None else []

    def get(self, item_id: str, *, user: str | None = None, space: str | None = None) -> SealedItem | None:
        """One item, if this person may see it."""
        found_in = self._readable(user, space)
        if found_in is None:
            return None
        row = self._engine.store.read(
            lambda t: t.sealed.get([item_id], space=found_in, user=user).get(item_id), person=user
        )
        return _to_item(row) if row is not None else None

    def all(self, *, user: str | None = None, space: str | None = None, limit: int = 50) -> list[SealedItem]:
        """Items that a person may see, newest first."""
        require_counts(least=0, limit=limit)
        found_in = self._readable(user, space)
        if found_in is None:
            return []
        rows = self._engine.store.read(lambda t: t.sealed.all(space=found_in, user=user, limit=limit), person=user)
        return [_to_item(row) for row in rows]

    def count(self, *, user: str | None = None, space: str | None = None) -> list[SealedCount]:
        """How many items a person may see, by key: all that this side knows about them."""
        found_in = self._readable(user, space)
        if found_in is None:
            return []
        counts = self._engine.store.read(lambda t: t.sealed.count(space=found_in, user=user), person=user)
        return [
            SealedCount(
                seal=one.seal, own=one.is_own, items=one.items, bytes=one.bytes, newest=one.newest, model=one.model
            )
            for one in counts
        ]

    def delete(self, item_id: str, *, user: str | None = None, space: str | None = None) -> bool:
        """Destroy an item for good; False when this person has none of that id."""
        home, _ = self._engine.find_space(space, reader=user)
        now = self._engine.clock()

        def work(tables: Tables) -> bool:
            is_gone = tables.sealed.drop(item_id, space=home.name, user=user)
            if is_gone:
                tables.purge.note_destroyed([item_id] if is_keyed(item_id) else [])
                tables.audit.add(home.name, "delete sealed", at=now, actor=user, detail={"item": item_id})
            return is_gone

        return self._engine.write(work)

    def _readable(self, user: str | None, space: str | None) -> str | None:
        """The name of the space; None where nothing may be shown to this person now."""
        check_names(user=user)
        home, _ = self._engine.find_space(space, reader=user)
        return None if self._engine.is_kept_out(user, space) else home.name


def _was_destroyed(tables: Tables, item_id: str) -> bool:
    """Whether a retry sends again what was destroyed."""
    return is_keyed(item_id) and tables.purge.was_destroyed(item_id)


def _read_item(item: SealedItem | Mapping[str, object], *, space: str, now: datetime) -> SealedRow:
    """A checked item. What is inside its box cannot be checked."""
    one = item if isinstance(item, SealedItem) else SealedItem(**item)  # type: ignore[arg-type]
    check_names(id=one.id, seal=one.seal, model=one.model, user=one.user)
    for name in ("id", "seal", "model"):
        if not 0 < len(getattr(one, name)) <= _LONGEST_NAME:
            raise InputError(f"{name} of a sealed item must have 1 to {_LONGEST_NAME} characters")
    if one.visibility not in get_args(Visibility):
        raise InputError(f"visibility is one of {', '.join(get_args(Visibility))}")
    box = _read_base64(one.box, "box")
    if not 0 < len(box) <= LARGEST_BOX:
        raise InputError(f"box of a sealed item must have 1 to {LARGEST_BOX} bytes: split the text")
    at = as_moment(one.at, now) if one.at is not None else now
    return SealedRow(
        space=space,
        id=one.id,
        at=at,
        seal=one.seal,
        model=one.model,
        vector=_read_vector(one.vector),
        box=box,
        user=one.user,
        visibility=one.visibility,
    )


def _read_vector(said: str) -> bytes:
    import numpy as np

    raw = _read_base64(said, "vector")
    if not 0 < len(raw) <= 2 * MOST_DIMENSIONS or len(raw) % 2:
        raise InputError(f"vector must be 1 to {MOST_DIMENSIONS} numbers of two bytes (float16), as base64")
    length = float(np.linalg.norm(np.frombuffer(raw, dtype="<f2").astype(np.float32)))
    if not 0.9 < length < 1.1:
        raise InputError("vector must be of unit length: divide it by its length")
    return raw


def _read_base64(said: str, name: str) -> bytes:
    try:
        return base64.b64decode(said, validate=True)
    except (binascii.Error, ValueError, TypeError):
        raise InputError(f"{name} of a sealed item must be base64") from None


def _to_item(row: SealedRow, *, vector: bool = True) -> SealedItem:
    return SealedItem(
        id=row.id,
        at=row.at,
        seal=row.seal,
        model=row.model,
        vector=base64.b64encode(row.vector).decode() if vector else "",
        box=base64.b64encode(row.box).decode(),
        user=row.user,
        visibility=row.visibility,
    )
