"""Sealed items: vectors to search by, and boxes that only a client's key opens. Nothing here can read a box."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from toldonce.clock import from_micros, to_micros
from toldonce.records import Visibility
from toldonce.storage.rows import Rows
from toldonce.storage.tables.records import to_stored_time

# Vectors are read and compared in pages, so that a large space needs little memory.
_PAGE = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedRow:
    """One sealed item as it is stored; `vector` is float16, little-endian, of unit length."""

    space: str
    id: str
    at: datetime
    seal: str
    model: str
    vector: bytes
    box: bytes
    user: str | None = None
    visibility: Visibility = "private"


class SealCount(NamedTuple):
    """How many items one key sealed with vectors of one model, their bytes, and the moment of the newest."""

    seal: str
    is_own: bool
    items: int
    bytes: int
    newest: datetime
    model: str


class SealedTable:
    """Sealed items of a space, as far as a person may see them; None sees all."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def put(self, row: SealedRow) -> bool:
        """Store an item; False when one with its id is here already.

        That one stays, but takes the vector of another model from who sealed it with the same key.
        """
        content = {"model_name": row.model, "numbers": row.vector, "box": row.box}
        place = {"tenant": self._tenant, "space": row.space, "id": row.id, "user": row.user, "seal": row.seal}
        if self._rows.run("put_sealed", **place, **content, visibility=row.visibility, at=to_micros(row.at)):
            return True
        self._rows.run("renew_sealed", **place, **content)
        return False

    def find_nearest(
        self,
        vector: bytes,
        *,
        space: str,
        user: str | None,
        model: str,
        seals: Sequence[str],
        limit: int,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> list[tuple[str, float]]:
        """Ids and cosines of the nearest items of one model and these keys, best first; exact, over all of them."""
        pages = self._pages(
            space=space,
            user=user,
            model_name=model,
            seals=json.dumps(list(seals)),
            since=to_stored_time(since),
            until=to_stored_time(until),
        )
        scored = ((cosine, id_) for page in pages for id_, cosine in _compare_page(vector, page))
        return [(id_, cosine) for cosine, id_ in heapq.nlargest(limit, scored)]

    def get(self, ids: Iterable[str], *, space: str, user: str | None) -> dict[str, SealedRow]:
        """Items by id."""
        rows = self._rows.all(
            "get_sealed", tenant=self._tenant, space=space, user=user, ids=json.dumps(sorted(set(ids)))
        )
        return {row.id: row for row in map(_sealed_from_row, rows)}

    def all(self, *, space: str, user: str | None, limit: int) -> list[SealedRow]:
        """Items, newest first."""
        rows = self._rows.all("list_sealed", tenant=self._tenant, space=space, user=user, limit=limit)
        return [_sealed_from_row(row) for row in rows]

    def count(self, *, space: str, user: str | None) -> list[SealCount]:
        """How many items each key sealed, the person's own ones apart."""
        rows = self._rows.all("count_sealed", tenant=self._tenant, space=space, user=user)
        return [SealCount(row[0], bool(row[1]), row[2], int(row[3]), from_micros(row[4]), row[5]) for row in rows]

    def drop(self, item_id: str, *, space: str, user: str | None) -> bool:
        """Destroy an item; False when there is none that is this person's."""
        return self._rows.run("drop_sealed", tenant=self._tenant, space=space, id=item_id, user=user) > 0

    def _pages(self, **given: Any) -> Iterator[list[tuple[Any, ...]]]:
        after = ""
        while page := self._rows.all("sealed_vectors", tenant=self._tenant, after_id=after, limit=_PAGE, **given):
            after = page[-1][0]
            yield page


def _compare_page(vector: bytes, page: Sequence[tuple[Any, ...]]) -> Iterator[tuple[str, float]]:
    """Cosines of one page; an item whose vector has another length never matches."""
    import numpy as np

    asked = np.frombuffer(vector, dtype="<f2").astype(np.float32)
    fitting = [row for row in page if len(row[1]) == len(vector)]
    if not fitting:
        return
    matrix = np.frombuffer(b"".join(row[1] for row in fitting), dtype="<f2").reshape(len(fitting), -1)
    cosines = matrix.astype(np.float32) @ asked
    yield from ((row[0], float(cosine)) for row, cosine in zip(fitting, cosines, strict=True))


def _sealed_from_row(row: tuple[Any, ...]) -> SealedRow:
    return SealedRow(
        space=row[0],
        id=row[1],
        user=row[2],
        visibility=row[3],
        at=from_micros(row[4]),
        seal=row[5],
        model=row[6],
        vector=bytes(row[7]),
        box=bytes(row[8]),
    )
