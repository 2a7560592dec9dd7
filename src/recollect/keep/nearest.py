"""Search by vectors in one store: an index in this process that catches up with the store before each search.

It holds vectors of one model only. A new process starts from the packs kept in the store and reads the rest.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.keep.store import Store, Tables, View
from recollect.keep.vector_table import VectorRow
from recollect.keep.vectors import CorruptPack, VectorIndex, decode

_AT_ONCE = 5000
_PACK_EVERY = 20_000
_LABELS = ("space", "owner", "kind")
_SHARED = 0


class Nearest:
    """The records nearest to a vector, among those a view may show."""

    def __init__(self, store: Store, *, model: str, dimensions: int) -> None:
        self._store = store
        self._name = model
        self._dimensions = dimensions
        self._model: int | None = None
        self._index = VectorIndex(dimensions, _LABELS)
        self._numbers: dict[str, dict[str, int]] = {name: {} for name in _LABELS}
        self._last = 0
        self._lock = threading.Lock()

    def search(self, vector: NDArray[np.float32], view: View, *, limit: int) -> list[tuple[int, float]]:
        """Places of the nearest records and their cosine, best first; what the view hides is left out."""
        self._catch_up()
        if not len(self._index):
            return []
        wide = limit * 2 + 20
        found = self._index.search(vector, limit=wide, where=self._where(view), fetch=self._fetch)
        seen = self._store.read(lambda t: t.search.visible([seq for seq, _ in found], view))
        return [(seq, cosine) for seq, cosine in found if seq in seen][:limit]

    def cosines(self, vector: NDArray[np.float32], seqs: Iterable[int]) -> dict[int, float]:
        """The exact cosine of each of these records that has a vector."""
        model = self._model
        if model is None:
            return {}
        blobs = self._store.read(lambda t: t.vectors.of(model, seqs))
        if not blobs:
            return {}
        values = decode(list(blobs.values()), self._dimensions) @ vector
        return dict(zip(blobs, map(float, values), strict=True))

    def forget(self) -> None:
        """Start anew from the store, after a purge."""
        with self._lock:
            self._index = VectorIndex(self._dimensions, _LABELS)
            self._last = 0

    def pack(self) -> int:
        """Keep what was indexed since the last pack in the store, for a quick start elsewhere; returns how many rows."""
        self._catch_up()
        if self._model is None:
            return 0
        model = self._model
        packs = self._store.read(lambda t: [last for last, _ in t.vectors.packs(model)])
        done = packs[-1] if packs else 0
        rows = self._store.read(lambda t: t.vectors.after(model, done, limit=_PACK_EVERY))
        if len(rows) < _PACK_EVERY:
            return 0
        part = VectorIndex(self._dimensions, _LABELS)
        self._put(part, rows)
        self._store.write(lambda t: t.vectors.put_pack(model, rows[-1].seq, self._packed(part)))
        return len(rows)

    def _packed(self, part: VectorIndex) -> bytes:
        import json

        names = json.dumps(self._numbers).encode()
        return len(names).to_bytes(4, "big") + names + part.pack(0, part.slots)

    def _catch_up(self) -> None:
        with self._lock:
            if self._model is None:
                known = self._store.read(lambda t: t.vectors.known_model(self._name))
                if known is None:
                    return
                self._model = known[0]
            while rows := self._store.read(self._newer):
                self._put(self._index, rows)
                self._last = rows[-1].seq

    def _newer(self, tables: Tables) -> list[VectorRow]:
        assert self._model is not None, "set by the caller"
        return tables.vectors.after(self._model, self._last, limit=_AT_ONCE)

    def _put(self, index: VectorIndex, rows: Sequence[VectorRow]) -> None:
        vectors = decode([row.vector for row in rows], self._dimensions)
        labels = {
            "space": [self._number("space", row.space) for row in rows],
            "owner": [self._owner(row) for row in rows],
            "kind": [self._number("kind", row.kind) for row in rows],
        }
        index.put([row.record for row in rows], vectors, labels)

    def _owner(self, row: VectorRow) -> int:
        if row.user is None or row.visibility != "private":
            return _SHARED
        return self._number("owner", row.user)

    def _number(self, label: str, value: str) -> int:
        return self._numbers[label].setdefault(value, len(self._numbers[label]) + 1)

    def _where(self, view: View) -> dict[str, list[int]]:
        where = {"space": [self._numbers["space"].get(s, -1) for s in view.spaces]}
        if view.user is not None:
            where["owner"] = [_SHARED, self._numbers["owner"].get(view.user, -1)]
        if view.kinds is not None:
            where["kind"] = [self._numbers["kind"].get(k, -1) for k in view.kinds]
        return where

    def _fetch(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        model = self._model
        assert model is not None, "searched after catching up"
        blobs = self._store.read(lambda t: t.vectors.of(model, [int(k) for k in keys]))
        empty = np.zeros(self._dimensions, dtype=np.float16).tobytes()
        return decode([blobs.get(int(k), empty) for k in keys], self._dimensions)


__all__ = ["CorruptPack", "Nearest"]
