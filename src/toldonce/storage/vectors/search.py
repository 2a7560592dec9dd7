"""Search by vectors in one store: an index in this process that catches up with the store before each search.

It holds vectors of one model only. A new process starts from the packs kept in the store and reads the rest.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from toldonce.storage.store import Store, Tables, View
from toldonce.storage.tables.search import Shown
from toldonce.storage.tables.vectors import VectorRow
from toldonce.storage.vectors.index import CorruptPack, VectorIndex, decode_vectors
from toldonce.storage.vectors.whitening import FEWEST, SAMPLE, Whitening

log = logging.getLogger(__name__)

PACK_ROWS = 10_000
# A record's place and the part of its text make one key of the index.
MOST_PARTS = 64
_AT_ONCE = 5_000
LABELS = ("space", "owner", "kind")
_SHARED = 0


class NearestRecords:
    """The records nearest to a vector, among those a view may show."""

    def __init__(self, store: Store, *, model: str, dimensions: int) -> None:
        self._store = store
        self._name = model
        self._dimensions = dimensions
        self._model: int | None = None
        self._index = VectorIndex(dimensions, LABELS)
        self._last = 0
        self._shape: Whitening | None = None
        self._shaped_at = 0
        self._lock = threading.Lock()

    def search(
        self,
        tables: Tables,
        vector: NDArray[np.float32],
        view: View,
        *,
        limit: int,
        exact: bool = True,
        shown: Shown | None = None,
    ) -> list[tuple[int, float]]:
        """Places of the nearest records and their cosine, best first; what the view hides is left out.

        Cosines that need not be `exact` are estimated from the index, off by 0.02 or so. `shown` says what the view
        shows, for a caller that reads each record once.
        """
        if not self._catch_up(tables):
            return []
        asked = shown or partial(tables.search.filter_visible, view=view)
        found: list[tuple[int, float]] = []
        # The second time because hidden records or the parts of long ones took the places: look further.
        for wanted in (limit + limit // 8, limit * 2 + 20):
            near, full = self._nearest_rows(tables, vector, view, wanted=wanted, exact=exact)
            seen = asked(near)
            found = [row for row in near.items() if row[0] in seen][:limit]
            if len(found) >= limit or not full:
                break
        return found

    def _nearest_rows(
        self, tables: Tables, vector: NDArray[np.float32], view: View, *, wanted: int, exact: bool
    ) -> tuple[dict[int, float], bool]:
        """The records of the nearest `wanted` rows with their cosine, best first, and whether there may be more."""
        where = filter_columns(view)
        if exact:
            fetch = partial(self._fetch_vectors, tables)
            found = self._index.search(vector, limit=wanted, where=where, fetch=fetch, widen=wanted + wanted // 2)
        else:
            found = self._index.estimate_cosines(vector, limit=wanted, where=where)
        return best_of_parts(found), len(found) >= wanted

    def chunk_vectors(self, tables: Tables, seqs: Iterable[int]) -> tuple[list[int], NDArray[np.float32]]:
        """The vectors of these records, a row for each part of a text, and whose each row is."""
        blobs = tables.vectors.of(self._model, seqs) if self._model is not None else {}
        return [record for record, _ in blobs], decode_vectors(list(blobs.values()), self._dimensions)

    def similarity(
        self, tables: Tables, vector: NDArray[np.float32], seqs: Sequence[int], *, exact: bool = True
    ) -> dict[int, float]:
        """The cosine of a vector and the likest part of each of these that has vectors.

        Those that need not be `exact` are estimated from the index alone, as far as it knows them.
        """
        best: dict[int, float] = {}
        if not exact:
            first = np.fromiter(seqs, np.int64, len(seqs)) * MOST_PARTS
            which, cosines = self._index.guess_of(vector, first, first + MOST_PARTS)
            _keep_best(best, [seqs[place] for place in which.tolist()], cosines)
        if others := [seq for seq in seqs if seq not in best]:
            owners, rows = self.chunk_vectors(tables, others)
            _keep_best(best, owners, np.vecdot(rows, vector))
        return best

    def query_vector(self, question: NDArray[np.float32]) -> NDArray[np.float32]:
        """The vector to search with for a question."""
        if self._shape is None:
            self._store.read(self._catch_up)
        return self._shape.ask(question) if self._shape else question

    def whitening(self) -> tuple[NDArray[np.float32] | None, NDArray[np.float32] | None]:
        """The mean of the vectors and the matrix that stretches a question, where there are enough of them."""
        return (self._shape.centre, self._shape.matrix) if self._shape else (None, None)

    def crowding(self, vectors: NDArray[np.float32]) -> NDArray[np.float32] | None:
        """How much more than usual each of these is like many records of the store, where that is known."""
        return self._shape.crowding(vectors) if self._shape else None

    def learn_shape(self) -> bool:
        """Fit the whitening again once there are half as many vectors more; returns whether it did.

        A whitening of an older version, which has no sample to compare with, is fitted again at once.
        """
        model = self._store.read(self._known_model)
        if model is None:
            return False
        packed, then, count = self._store.read(lambda t: t.vectors.read_whitening(model))
        lacking = packed is not None and not Whitening.is_whole(packed, self._dimensions)
        if count < (FEWEST if lacking else max(FEWEST, then * 3 // 2)):
            return False
        sample = self._store.read(lambda t: t.vectors.sample_vectors(model, count=count, limit=SAMPLE))
        shape = Whitening.of(decode_vectors(sample, self._dimensions))
        self._store.write(lambda t: t.vectors.set_shape(model, shape.pack(), count=count))
        self._shape = shape
        return True

    def forget(self) -> None:
        """Start again from the store, after a purge."""
        with self._lock:
            self._index = VectorIndex(self._dimensions, LABELS)
            self._last = 0
            self._shape = None

    def pack(self) -> int:
        """Keep the next whole part of the index in the store, for a quick start elsewhere; returns how many rows."""
        model = self._store.read(self._known_model)
        if model is None:
            return 0
        packs = self._store.read(lambda t: t.vectors.pack_ends(model))
        rows = self._store.read(
            lambda t: t.vectors.read_written_after(model, packs[-1] if packs else 0, limit=PACK_ROWS)
        )
        if len(rows) < PACK_ROWS:
            return 0
        part = VectorIndex(self._dimensions, LABELS)
        self._put(part, rows)
        packed = part.pack(0, part.slots)
        self._store.write(lambda t: t.vectors.put_pack(model, rows[-1].seq, packed))
        return len(rows)

    def count_packs(self) -> int:
        """How many packs are kept."""
        model = self._store.read(self._known_model)
        return len(self._store.read(lambda t: t.vectors.pack_ends(model))) if model is not None else 0

    def _catch_up(self, tables: Tables) -> bool:
        """Know what the store has; returns whether it has any vectors."""
        with self._lock:
            model = self._known_model(tables)
            if model is None:
                return False
            if self._last == 0:
                self._unpack(tables, model)
            while rows := tables.vectors.read_written_after(model, self._last, limit=_AT_ONCE):
                self._put(self._index, rows)
                self._last = rows[-1].seq
            # Another process may have fitted the whitening since.
            if self._shape is None or self._last > self._shaped_at * 5 // 4:
                self._load_shape(tables, model)
            return len(self._index) > 0

    def _known_model(self, tables: Tables) -> int | None:
        """The number of the model, once the store knows it."""
        if self._model is None:
            known = tables.vectors.known_model(self._name)
            self._model = known[0] if known else None
        return self._model

    def _unpack(self, tables: Tables, model: int) -> None:
        for last, pack in tables.vectors.read_packs(model):
            try:
                self._index.unpack(pack)
            except CorruptPack:
                log.warning("a pack of vectors is damaged and is skipped; `toldonce doctor --repair` rebuilds it")
                return
            self._last = last

    def _load_shape(self, tables: Tables, model: int) -> None:
        packed, _, _ = tables.vectors.read_whitening(model)
        self._shaped_at = self._last
        if packed is not None:
            self._shape = Whitening.unpack(packed, self._dimensions)

    def _put(self, index: VectorIndex, rows: Sequence[VectorRow]) -> None:
        vectors = decode_vectors([row.vector for row in rows], self._dimensions)
        index.put([row.record * MOST_PARTS + row.part for row in rows], vectors, label_columns(rows))

    def _fetch_vectors(self, tables: Tables, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        """Vectors in the order of the keys; a row of NaN for a record that was purged meanwhile."""
        model = self._model
        assert model is not None, "searched after catching up"
        wanted = [divmod(key, MOST_PARTS) for key in keys.tolist()]
        blobs = tables.vectors.of(model, {record for record, _ in wanted})
        gone = np.full(self._dimensions, np.nan, dtype="<f2").tobytes()
        return decode_vectors([blobs.get(key, gone) for key in wanted], self._dimensions)


def best_of_parts(found: Iterable[tuple[int, float]]) -> dict[int, float]:
    """The best cosine of each record, from keys of its parts in order."""
    best: dict[int, float] = {}
    for key, cosine in found:
        best.setdefault(key // MOST_PARTS, cosine)
    return best


def _keep_best(best: dict[int, float], owners: Sequence[int], cosines: NDArray[np.float32]) -> None:
    for owner, cosine in zip(owners, cosines.tolist(), strict=True):
        best[owner] = max(cosine, best.get(owner, cosine))


def label_columns(rows: Sequence[VectorRow]) -> dict[str, list[int]]:
    """What a filter asks of vectors, as numbers: the space, whose it is, and the kind of each."""
    return {
        "space": [_label_number(row.space) for row in rows],
        "owner": [_owner_number(row) for row in rows],
        "kind": [_label_number(row.kind) for row in rows],
    }


def filter_columns(view: View) -> dict[str, list[int]]:
    """The numbers that a view allows in each of those columns; a column that is not named may have any."""
    where = {"space": [_label_number(space) for space in view.spaces]}
    if view.user is not None:
        where["owner"] = [_SHARED, _label_number(view.user)]
    if view.kinds is not None:
        where["kind"] = [_label_number(kind) for kind in view.kinds]
    return where


def _owner_number(row: VectorRow) -> int:
    return _SHARED if row.user is None or row.visibility != "private" else _label_number(row.user)


def _label_number(value: str) -> int:
    """A label as a number that every process agrees on. Two values may share one: the store has the last word."""
    return int.from_bytes(hashlib.blake2b(value.encode(), digest_size=4).digest(), "big") >> 1 | 1
