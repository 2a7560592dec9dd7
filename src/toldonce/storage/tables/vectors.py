"""Vectors beside their records, in the same transaction; what to embed next; packed parts of the search index."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from toldonce.storage.rows import Rows


class VectorRow(NamedTuple):
    """A stored vector with what a filter needs to know of its record."""

    seq: int
    record: int
    part: int
    vector: bytes
    space: str
    user: str | None
    kind: str
    visibility: str


class VectorTable:
    """Vectors by model; spaces of different models never mix."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def register_model(self, name: str, dimensions: int) -> int:
        """The number of a model, which is recorded with its dimensions when first seen."""
        self._rows.run("add_model", name=name, dimensions=dimensions)
        return self.known_model(name)[0]  # type: ignore[index]

    def known_model(self, name: str) -> tuple[int, int] | None:
        """Number and dimensions of a recorded model."""
        row = self._rows.one("get_model", name=name)
        return (row[0], row[1]) if row else None

    def list_models(self) -> list[tuple[int, str, int, int]]:
        """All models: number, name, dimensions, how many vectors."""
        return [(r[0], r[1], r[2], r[3]) for r in self._rows.all("list_models")]

    def find_waiting(self, *, limit: int, among: Iterable[int] | None = None) -> list[tuple[int, str]]:
        """Records that wait for a vector, all or of these places, newest first, with the text to embed."""
        rows = self._rows.all("records_to_embed", limit=limit, among=_pack_places(among))
        return [(r[0], r[2] + r[1]) for r in rows]

    def waiting_places(
        self, *, limit: int, not_session: str | None = None, among: Iterable[int] | None = None
    ) -> list[int]:
        """The places of records that wait for a vector, all or of these, newest first, without those of a session."""
        rows = self._rows.all("places_to_embed", not_session=not_session, among=_pack_places(among), limit=limit)
        return [row[0] for row in rows]

    def put(self, model: int, vectors: Iterable[tuple[int, Sequence[bytes]]]) -> int:
        """Keep the vectors of records, one for each part of their text; a record purged meanwhile is skipped.

        A record with none was refused by the model: it waits no longer, until `want_all`. Returns how many got theirs.
        """
        given = {record: list(parts) for record, parts in vectors}
        # The parts of a record stay together: the sample of vectors that whitening is learned from depends on it.
        rows = [(record, part, vector) for record, parts in given.items() for part, vector in enumerate(parts)]
        self._rows.run_many(
            "put_vector",
            [{"model": model, "record": record, "part": part, "vector": vector} for record, part, vector in rows],
        )
        kept = self.parts_of(model, given)
        surplus = [(record, part) for record, part in kept if part >= len(given[record])]
        self._rows.run_many(
            "drop_vector", [{"model": model, "record": record, "part": part} for record, part in surplus]
        )
        self._rows.run("mark_embedded", seqs=json.dumps(list(given)))
        return len({record for record, _ in kept.difference(surplus)})

    def want_all(self, model: int) -> int:
        """Every record without a vector of this model waits for one; returns how many."""
        return self._rows.run("want_vectors", model=model)

    def count_lacking(self, model: int | None, *, space: str | None) -> int:
        """How many records of a space have no vector of this model, or of any if it is None, and are to have one."""
        row = self._rows.one("count_lacking", tenant=self._tenant, model=model, space=space)
        return row[0] if row else 0

    def models_of(self, record: int) -> list[str]:
        """The names of the models that made vectors of a record, in the order in which they were first used."""
        return [row[0] for row in self._rows.all("models_of_record", record=record)]

    def has_models(self) -> bool:
        """Whether any model has made a vector here."""
        return self._rows.one("any_model") is not None

    def find_refused(self, model: int) -> list[str]:
        """The ids of active records that neither have a vector of this model nor wait for one, newest first."""
        return [row[0] for row in self._rows.all("records_refused", tenant=self._tenant, model=model)]

    def drop_others(self, model: int) -> int:
        """Destroy the vectors of all other models."""
        return self._rows.run("drop_other_vectors", model=model)

    def read_written_after(self, model: int, seq: int, *, limit: int) -> list[VectorRow]:
        """Vectors written since that place, in order."""
        return [VectorRow(*row) for row in self._rows.all("vectors_after", model=model, after=seq, limit=limit)]

    def of(self, model: int, records: Iterable[int]) -> dict[tuple[int, int], bytes]:
        """The vectors of these records, by record and part."""
        rows = self._rows.all("vectors_of", model=model, seqs=json.dumps(list(records)))
        return {(row[0], row[1]): row[2] for row in rows}

    def parts_of(self, model: int, records: Iterable[int]) -> set[tuple[int, int]]:
        """The records and parts among these that have a vector."""
        rows = self._rows.all("vector_parts_of", model=model, seqs=json.dumps(list(records)))
        return {(row[0], row[1]) for row in rows}

    def count_unpacked(self, model: int, *, limit: int) -> int:
        """How many vectors came after the last packed part, counted up to a limit."""
        row = self._rows.one("count_unpacked", model=model, limit=limit)
        return row[0] if row else 0

    def read_whitening(self, model: int) -> tuple[bytes | None, int, int]:
        """What the model's vectors look like here, how many there were when that was found, and how many there are."""
        row = self._rows.one("get_shape", model=model)
        return (row[0], row[1], row[2]) if row else (None, 0, 0)

    def set_shape(self, model: int, shape: bytes, *, count: int) -> None:
        """Keep what the model's vectors look like here."""
        self._rows.run("set_shape", model=model, shape=shape, count=count)

    def sample_vectors(self, model: int, *, count: int, limit: int) -> list[bytes]:
        """About `limit` of the model's vectors, spread over all of them."""
        every = max(1, count // limit)
        return [row[0] for row in self._rows.all("sample_vectors", model=model, every=every, limit=limit)]

    def read_packs(self, model: int) -> list[tuple[int, bytes]]:
        """Packed parts of the index with the last vector in each, in order."""
        return [(row[0], row[1]) for row in self._rows.all("list_packs", model=model)]

    def pack_ends(self, model: int) -> list[int]:
        """The last vector in each pack, in order."""
        return [row[0] for row in self._rows.all("list_pack_ends", model=model)]

    def put_pack(self, model: int, last: int, pack: bytes) -> None:
        """Keep a packed part of the index."""
        self._rows.run("put_pack", model=model, last=last, pack=pack)

    def drop_packs(self, model: int) -> None:
        """Packs of a model are stale."""
        self._rows.run("drop_packs", model=model)


def _pack_places(places: Iterable[int] | None) -> str | None:
    return None if places is None else json.dumps(list(places))
