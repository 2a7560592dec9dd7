"""Search by vectors in PostgreSQL: every vector of a small scope is compared, a large one has an index.

Exact search costs about half a millisecond per thousand vectors. An index that is filtered down to a small scope costs
more, and misses some.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from toldonce.storage.store import Store, Tables, View
from toldonce.storage.vectors.index import decode_vectors, encode_vector, rescore_exactly
from toldonce.storage.vectors.search import MOST_PARTS, PACK_ROWS, NearestRecords, best_of_parts
from toldonce.storage.vectors.whitening import Whitening

if TYPE_CHECKING:
    from toldonce.storage.postgres.store import PostgresStore

# Up to this many vectors within a scope are compared one by one (measured: 10 ms of processor time).
EXACT_UP_TO = 20_000
# Counting that many takes as long as comparing them: a scope that was large is taken for large this many times more.
_COUNTED_AFTER = 1_000
_MOST_SCOPES = 1_000


class PostgresNearestRecords(NearestRecords):
    """The records nearest to a vector. The vectors stay in the database; of the model, only the whitening is here."""

    def __init__(
        self, store: PostgresStore | Store, *, model: str, dimensions: int, exact_up_to: int = EXACT_UP_TO
    ) -> None:
        super().__init__(store, model=model, dimensions=dimensions)
        self._exact_up_to = exact_up_to
        self._is_indexed = False
        # Searches that may still take a scope for large without counting it again.
        self._large: dict[str, int] = {}

    def pack(self) -> int:
        """Make the index of vectors where there are many, and note up to which; returns how many were new."""
        model = self._store.read(self._known_model)
        if model is None:
            return 0
        ends = self._store.read(lambda t: t.vectors.pack_ends(model))
        row = self._store.read(
            lambda t: t.rows.one("vector_place_after", model=model, after=ends[-1] if ends else 0, skip=PACK_ROWS - 1)
        )
        if row is None:
            return 0
        self.index_if_many((len(ends) + 1) * PACK_ROWS)
        self._store.write(lambda t: t.vectors.put_pack(model, row[0], b""))
        return PACK_ROWS

    def index_if_many(self, count: int) -> bool:
        """Make the index for these dimensions where there are more vectors than are compared one by one."""
        if count <= self._exact_up_to:
            return False
        row = self._store.write(lambda t: t.rows.one("index_vectors", dimensions=self._dimensions))
        return bool(row and row[0])

    def _catch_up(self, tables: Tables) -> bool:
        with self._lock:
            model = self._known_model(tables)
            if model is None:
                return False
            row = tables.rows.one("vector_state", model=model)
            if row is None:
                return False
            shaped_at, self._is_indexed = row
            # Another process may have fitted the whitening since, or a purge removed it.
            if shaped_at != self._shaped_at:
                packed, self._shaped_at, _ = tables.vectors.read_whitening(model)
                self._shape = Whitening.unpack(packed, self._dimensions) if packed is not None else None
            return True

    def chunk_vectors(self, tables: Tables, seqs: Iterable[int]) -> tuple[list[int], NDArray[np.float32]]:
        """The vectors of these records, a row for each part of a text, and whose each row is."""
        if self._model is None:
            return super().chunk_vectors(tables, seqs)
        rows = tables.rows.all("vector_numbers_of", model=self._model, seqs=json.dumps(list(seqs)))
        return [row[0] for row in rows], decode_vectors([row[1] for row in rows], self._dimensions, is_big_endian=True)

    def similarity(
        self, tables: Tables, vector: NDArray[np.float32], seqs: Sequence[int], *, exact: bool = True
    ) -> dict[int, float]:
        """The cosine of a vector and the likest part of each of these that has vectors.

        Those that need not be `exact` are computed by the server, to which the vector goes in half precision.
        """
        if exact or self._model is None:
            return super().similarity(tables, vector, seqs)
        rows = tables.rows.all(
            "products_of", model=self._model, seqs=json.dumps(list(seqs)), question=encode_vector(vector)
        )
        return {record: -product for record, product in rows}

    def _nearest_rows(
        self, tables: Tables, vector: NDArray[np.float32], view: View, *, wanted: int, exact: bool
    ) -> tuple[dict[int, float], bool]:
        shown = view.values()
        scope = {"model": self._model, **{name: shown[name] for name in ("spaces", "user", "kinds")}}
        if not vector.any():
            return {}, False
        is_large = self._is_large(tables, scope)
        given = scope | {"question": encode_vector(vector), "limit": wanted}
        if is_large:
            given["dimensions"] = self._dimensions
        if not exact:
            rows = tables.rows.all("nearest_indexed_products" if is_large else "nearest_products", **given)
            return _best_of_records(rows), len(rows) >= wanted
        rows = tables.rows.all("nearest_indexed" if is_large else "nearest_exact", **given)
        keys = np.fromiter((record * MOST_PARTS + part for record, part, _ in rows), np.int64, len(rows))
        vectors = decode_vectors([row[2] for row in rows], self._dimensions)
        return best_of_parts(rescore_exactly(vector, keys, vectors=vectors)), len(rows) >= wanted

    def _is_large(self, tables: Tables, scope: Mapping[str, object]) -> bool:
        """Whether the index is worth its misses: counted only where there is one, and not each time."""
        if not self._is_indexed:
            return False
        key = json.dumps(scope)
        with self._lock:
            left = self._large.get(key, 0)
            if left:
                self._large[key] = left - 1
                return True
        row = tables.rows.one("count_scope", **scope, limit=self._exact_up_to + 1)
        is_large = row is not None and row[0] > self._exact_up_to
        with self._lock:
            if len(self._large) >= _MOST_SCOPES:
                self._large.clear()
            if is_large:
                self._large[key] = _COUNTED_AFTER
        return is_large


def _best_of_records(rows: Iterable[tuple[int, float]]) -> dict[int, float]:
    """The best cosine of each record, from negative products of its vectors in order."""
    best: dict[int, float] = {}
    for record, product in rows:
        best.setdefault(record, -product)
    return best
