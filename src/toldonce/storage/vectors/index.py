"""Vectors come in with integer keys and labels; the keys nearest to a question come out, with their cosine.

Two bits a dimension stay in memory. The float vectors live in the store and are asked for, a few at a time, through
`fetch`; nothing here reads or writes a database.
"""

from __future__ import annotations

import math
import struct
import threading
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toldonce.errors import InputError, StoreError
from toldonce.storage.vectors.sign_bits import (
    BitQuery,
    Counts,
    Floats,
    Words,
    count_differing_bits,
    encode_sign_bits,
    estimate_cosines,
)

Keys = NDArray[np.int64]
Places = NDArray[np.intp]
Fetch = Callable[[Keys], Floats]

BLOB = np.dtype("<f2")
HEADER = struct.Struct("<4sHHIII")  # magic, version, length of the label names, dimensions, mark of the centre, slots
CHECKSUM = struct.Struct("<I")
MAGIC = b"RCVP"
# Also to be raised when the rotation or the steps of `bits` change: bits of two makes must never meet.
PACK_VERSION = 1

ROWS_AT_ONCE = 1024
FEWEST_SLOTS = 1024
FEWEST_SHORTLISTED = 1500
FEWEST_GUESSED = 560
# Among more rows than this half of the bits are scanned first, and this many times the wanted rows are kept.
# Vectors of fewer words than that have too little in one half.
MANY, HALVED, LONG = 50_000, 5, 4
FEW_VALUES = 16
# This many keys, and a sixteenth of the others, may be added before their order is computed again.
FEW_NEW = 256
# One in this many distances is enough to see how small the smallest are.
SAMPLED = 8
# Below this length a centre taken from other texts costs more recall than it wins.
LITTLE_IN_COMMON = 0.5


class CorruptPack(StoreError):
    """A pack of vectors is damaged or belongs to another index: drop it and make it again from the records."""


# Every half float as a float: looking one up takes half the time of converting it.
_FLOATS = np.arange(1 << 16, dtype="<u2").view(BLOB).astype(np.float32)


def encode_vector(vector: ArrayLike) -> bytes:
    """The bytes in which a vector is stored: float16, little-endian."""
    return np.asarray(vector, dtype=BLOB).tobytes()


def decode_vectors(blobs: Sequence[bytes], dimensions: int, *, is_big_endian: bool = False) -> Floats:
    """The vectors behind stored bytes, one row each."""
    if not {dimensions * BLOB.itemsize}.issuperset(map(len, blobs)):
        raise StoreError(f"A stored vector does not have {dimensions} dimensions: embed its record again.")
    halves = np.frombuffer(b"".join(blobs), dtype="<u2")
    return _FLOATS.take(halves.byteswap() if is_big_endian else halves).reshape(len(blobs), dimensions)


def find_centre(sample: Floats) -> Floats:
    """What all vectors of an embedder have in common, from a hundred or so of them; zeros when that is little.

    Where every text resembles every other, as with some embedders, signs say something only when seen from there.
    """
    mean: Floats = sample.mean(axis=0, dtype=np.float32)
    return mean if np.vecdot(mean, mean) > LITTLE_IN_COMMON**2 else np.zeros_like(mean)


def rows_to_fetch(limit: int) -> int:
    """How many of the best estimates are worth their exact score (measured, see benchmarks/vectors.py)."""
    return 64 + 4 * limit


def rows_to_estimate(limit: int, *, among: int) -> int:
    """How many of the smallest bit distances are worth an estimate (measured, see benchmarks/vectors.py)."""
    return max(FEWEST_SHORTLISTED, 4 * rows_to_fetch(limit), int(6 * math.sqrt(among)))


def rows_to_guess(limit: int, *, among: int) -> int:
    """The same where estimates are all that is wanted."""
    return max(FEWEST_GUESSED, 8 * limit, int(2.0 * math.sqrt(among)))


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows of an index, or room for them. A written row keeps its key and bits; `alive` and `labels` may change."""

    keys: Keys
    alive: NDArray[np.bool_]
    labels: NDArray[np.int32]  # one array a label
    bits: Words  # the words of a row side by side, coarse ones first: picking a row costs one cache miss

    @classmethod
    def empty(cls, size: int, *, labels: int, words: int) -> _Rows:
        return cls(
            keys=np.zeros(size, np.int64),
            alive=np.zeros(size, np.bool_),
            labels=np.zeros((labels, size), np.int32),
            bits=np.zeros((size, 2 * words), np.uint64),
        )

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, which: slice | NDArray[np.bool_]) -> _Rows:
        return _Rows(self.keys[which], self.alive[which], self.labels[:, which], self.bits[which])

    def write(self, rows: _Rows, at: int) -> None:
        there = self[at : at + len(rows)]
        there.keys[:] = rows.keys
        there.alive[:] = rows.alive
        there.labels[:] = rows.labels
        there.bits[:] = rows.bits


class VectorIndex:
    """Finds the nearest of many unit-length vectors, among all or among those whose labels pass a filter.

    `centre` is what `find_centre` gave for the embedder, if anything; it must stay the same as long as packs are kept.
    Safe for threads: a search sees the index as it was when it began. Slots are numbered from 0 in the order of
    arrival; a key put again gets a new slot and its old one dies. Only `compact` renumbers slots.
    """

    def __init__(self, dimensions: int, labels: Sequence[str] = (), *, centre: ArrayLike | None = None) -> None:
        if dimensions < 1 or len(set(labels)) < len(labels) or any("\0" in name for name in labels):
            raise InputError("A vector index needs one dimension or more, and label names that differ.")
        self.dimensions = dimensions
        self.labels = tuple(labels)
        self.centre: Floats = np.zeros(dimensions, np.float32) if centre is None else np.array(centre, np.float32)
        if self.centre.shape != (dimensions,):
            raise InputError(f"The centre of this index has {dimensions} dimensions.")
        self._words = -(-dimensions // 64)
        self._lock = threading.Lock()
        self._last_asked: tuple[bytes, BitQuery] | None = None
        self._clear()

    def __len__(self) -> int:
        with self._lock:
            return self._count - self._dead

    @property
    def slots(self) -> int:
        """How many slots there are, dead ones included."""
        return self._count

    def put(self, keys: Sequence[int] | Keys, vectors: ArrayLike, labels: Mapping[str, Sequence[int]]) -> None:
        """Add vectors, one row a key; a key that is there already, or comes twice, keeps its last vector."""
        matrix = np.asarray(vectors, dtype=np.float32)
        matrix = matrix if matrix.size else matrix.reshape(0, self.dimensions)
        if matrix.shape != (len(keys), self.dimensions) or not np.isfinite(matrix).all():
            raise InputError(f"Give one vector of {self.dimensions} finite numbers for each key.")
        if set(labels) != set(self.labels):
            raise InputError(f"Give exactly these labels: {', '.join(self.labels) or 'none'}.")
        rows = self._empty_rows(len(keys))
        rows.keys[:] = keys
        rows.alive[:] = True
        for name, values in labels.items():
            rows.labels[self._label(name)] = _label_values(values, len(keys))
        for start in range(0, len(keys), ROWS_AT_ONCE):
            part = slice(start, start + ROWS_AT_ONCE)
            rows.bits[part] = encode_sign_bits(matrix[part] - self.centre)
        with self._lock:
            self._append(rows)

    def remove(self, keys: Sequence[int] | Keys) -> None:
        """Remove these keys from search; unknown ones are skipped."""
        with self._lock:
            self._mark_dead(np.asarray(keys, dtype=np.int64))

    def relabel(self, keys: Sequence[int] | Keys, labels: Mapping[str, Sequence[int]]) -> None:
        """Change some labels, one value a key; unknown keys are skipped."""
        changes = {self._label(name): _label_values(values, len(keys)) for name, values in labels.items()}
        with self._lock:
            slot_of = self._slots_by_key()
            places = [place for place, key in enumerate(map(int, keys)) if key in slot_of]
            slots = [slot_of[int(keys[place])] for place in places]
            for label, values in changes.items():
                self._rows.labels[label, slots] = values[places]
                self._update_labels(label, values)

    def search(
        self,
        query: Floats,
        *,
        limit: int,
        fetch: Fetch,
        where: Mapping[str, Collection[int]] | None = None,
        widen: int | None = None,
    ) -> list[tuple[int, float]]:
        """The keys nearest to the query with their cosine, best first and equal ones by key.

        `where` says which values a label may have. `fetch` gets up to `widen` keys and returns their vectors in the
        same order, NaN for a key that is gone. It is called once, with no lock held.
        """
        asked, question = self._prepare_query(query)
        rows, coarse, passing = self._seen_by(where)
        if limit < 1 or not asked.any():
            return []
        widest, among = max(limit, widen or rows_to_fetch(limit)), len(rows if passing is None else passing)
        if among > widest:
            passing, _ = _narrow_candidates(
                question,
                rows,
                coarse=coarse,
                passing=passing,
                widest=widest,
                estimated=rows_to_estimate(limit, among=among),
            )
        keys = rows.keys if passing is None else rows.keys[passing]
        return rescore_exactly(asked, keys, vectors=fetch(keys))[:limit] if len(keys) else []

    def estimate_cosines(
        self, query: Floats, *, limit: int, where: Mapping[str, Collection[int]] | None = None
    ) -> list[tuple[int, float]]:
        """The same with cosines estimated from the bits, seen from the centre: off by 0.02 or so, and no fetch."""
        asked, question = self._prepare_query(query)
        rows, coarse, passing = self._seen_by(where)
        among = len(rows if passing is None else passing)
        if limit < 1 or not among or not asked.any():
            return []
        near, cosines = _narrow_candidates(
            question,
            rows,
            coarse=coarse,
            passing=passing,
            widest=limit,
            estimated=rows_to_guess(limit, among=among),
        )
        order = np.lexsort((rows.keys[near], -cosines))
        return list(zip(rows.keys[near[order]].tolist(), cosines[order].tolist(), strict=True))

    def guess_of(self, query: Floats, first: Keys, after: Keys) -> tuple[Places, Floats]:
        """The same for every key from `first` up to but without `after`, and in which of these ranges it lies.

        Recent keys may be skipped: the order of keys is computed again only when many have come.
        """
        _, question = self._prepare_query(query)
        with self._lock:
            rows, (keys, slots) = self._rows[: self._count], self._in_order()
        begin = keys.searchsorted(first)
        sizes = keys.searchsorted(after) - begin
        which = np.repeat(np.arange(len(first)), sizes)
        there = slots[np.arange(len(which)) + (begin + sizes - sizes.cumsum())[which]]
        alive = rows.alive[there]
        return which[alive], estimate_cosines(rows.bits.take(there[alive], axis=0), question)

    def pack(self, first: int, last: int) -> bytes:
        """A snapshot of the slots from `first` up to but not including `last`; of a dead slot only the key is kept."""
        with self._lock:
            if not 0 <= first <= last <= self._count:
                raise InputError(f"Slots {first} to {last} are not all there: there are {self._count}.")
            rows, content = self._rows[first:last], np.zeros(last - first, self._layout())
            content["key"], content["alive"] = rows.keys, rows.alive
            content["labels"], content["bits"] = rows.labels.T, rows.bits
        content["bits"][~content["alive"]] = 0
        body = self._header(len(content)) + content.tobytes()
        return body + CHECKSUM.pack(zlib.crc32(body))

    def unpack(self, blob: bytes) -> None:
        """Append the slots of a pack; load packs oldest first, before anything newer is put."""
        rows = self._read(blob)
        with self._lock:
            self._append(rows)

    def compact(self) -> None:
        """Give up the dead slots; those left are renumbered, so older packs no longer match them."""
        with self._lock:
            kept = self._rows[: self._count][self._rows.alive[: self._count]]
            self._clear()
            self._append(kept)

    def _clear(self) -> None:
        self._rows = self._empty_rows(FEWEST_SLOTS)
        # The coarse words of `bits` once more, but the first word of every row, then the second: a scan reads in order.
        self._coarse: Words = np.zeros((self._words, FEWEST_SLOTS), np.uint64)
        self._count = 0
        self._dead = 0
        self._highest_key = -(2**63)
        # Keys in order and their slots, except those added since.
        self._ordered: tuple[Keys, Places] = (np.zeros(0, np.int64), np.zeros(0, np.intp))
        # What each label's values are, as long as they are few: a filter that lets all of them pass costs nothing then.
        self._values: list[set[int] | None] = [set() for _ in self.labels]
        # Made when a key is first replaced, removed or relabelled: a process that only searches never pays for it.
        self._slot_of: dict[int, int] | None = None

    def _empty_rows(self, size: int) -> _Rows:
        return _Rows.empty(size, labels=len(self.labels), words=self._words)

    def _label(self, name: str) -> int:
        if name not in self.labels:
            raise InputError(f"There is no label '{name}': the labels are {', '.join(self.labels) or 'none'}.")
        return self.labels.index(name)

    def _slots_by_key(self) -> dict[int, int]:
        if self._slot_of is None:
            slots = np.flatnonzero(self._rows.alive[: self._count])
            self._slot_of = dict(zip(self._rows.keys[slots].tolist(), slots.tolist(), strict=True))
        return self._slot_of

    def _in_order(self) -> tuple[Keys, Places]:
        known = len(self._ordered[0])
        if self._count - known > FEW_NEW + known // 16:
            slots = self._rows.keys[: self._count].argsort(kind="stable")
            self._ordered = (self._rows.keys[slots], slots)
        return self._ordered

    def _mark_dead(self, keys: Keys) -> None:
        if not len(keys) or keys.min() > self._highest_key:
            return
        slot_of = self._slots_by_key()
        dying = [slot_of.pop(key) for key in keys.tolist() if key in slot_of]
        self._rows.alive[dying] = False
        self._dead += len(dying)

    def _append(self, rows: _Rows) -> None:
        """Write rows behind the others. The last slot of a key decides, so a dead one in a pack ends older ones too."""
        if not len(rows):
            return
        self._mark_dead(rows.keys)
        rows = replace(rows, alive=rows.alive & ~_repeated_later(rows.keys))
        first, last = self._count, self._count + len(rows)
        self._grow(last)
        self._rows.write(rows, at=first)
        self._coarse[:, first:last] = rows.bits[:, : self._words].T
        for label, values in enumerate(rows.labels):
            self._update_labels(label, values)
        self._count = last
        self._dead += len(rows) - int(np.count_nonzero(rows.alive))
        self._highest_key = max(self._highest_key, int(rows.keys.max()))
        if self._slot_of is not None:
            places = np.flatnonzero(rows.alive)
            self._slot_of.update(zip(rows.keys[places].tolist(), (places + first).tolist(), strict=True))

    def _update_labels(self, label: int, values: NDArray[np.int32]) -> None:
        seen = self._values[label]
        if seen is not None:
            seen.update(values[~_is_among(values, seen)].tolist())
            self._values[label] = seen if len(seen) <= FEW_VALUES else None

    def _grow(self, needed: int) -> None:
        if needed <= len(self._rows):
            return
        # The old arrays stay as they are for searches that still read them.
        rows, coarse, size = self._rows, self._coarse, max(needed, 2 * len(self._rows))
        self._rows, self._coarse = self._empty_rows(size), np.zeros((self._words, size), np.uint64)
        self._rows.write(rows[: self._count], at=0)
        self._coarse[:, : self._count] = coarse[:, : self._count]

    def _prepare_query(self, query: Floats) -> tuple[Floats, BitQuery]:
        """The query as numbers, and as rows are compared with it: the last one is kept, since a search and what
        follows it ask the same.
        """
        asked = np.asarray(query, dtype=np.float32)
        said, last = asked.tobytes(), self._last_asked
        if last is None or last[0] != said or asked.shape != (self.dimensions,):
            if asked.shape != (self.dimensions,) or not np.isfinite(asked).all():
                raise InputError(f"Give one vector of {self.dimensions} finite numbers.")
            last = self._last_asked = (said, BitQuery(asked - self.centre))
        return asked, last[1]

    def _seen_by(self, where: Mapping[str, Collection[int]] | None) -> tuple[_Rows, Words, Places | None]:
        """The rows as they are now, their coarse bits in order, and which of them pass."""
        with self._lock:
            return self._rows[: self._count], self._coarse[:, : self._count], self._passing_slots(where or {})

    def _passing_slots(self, where: Mapping[str, Collection[int]]) -> Places | None:
        """The slots that are alive and pass the filter; None when that is every slot."""
        passing = self._rows.alive[: self._count] if self._dead else None
        for name, allowed in where.items():
            label = self._label(name)
            seen = self._values[label]
            if seen is None or not seen.issubset(allowed):
                those = _is_among(self._rows.labels[label, : self._count], allowed)
                passing = those if passing is None else passing & those
        return None if passing is None else np.flatnonzero(passing)

    def _layout(self) -> np.dtype[np.void]:
        """One slot in a pack. Words of bits are made from bytes and have no byte order of their own."""
        labels, bits = ("labels", "<i4", (len(self.labels),)), ("bits", "u8", (2 * self._words,))
        return np.dtype([("key", "<i8"), labels, bits, ("alive", "?")])

    def _header(self, size: int) -> bytes:
        """All that must agree before the content of a pack means anything here."""
        names, centre = "\0".join(self.labels).encode(), zlib.crc32(self.centre.astype("<f4").tobytes())
        return HEADER.pack(MAGIC, PACK_VERSION, len(names), self.dimensions, centre, size) + names

    def _read(self, blob: bytes) -> _Rows:
        body, checksum = memoryview(blob)[: -CHECKSUM.size], blob[-CHECKSUM.size :]
        if len(body) < HEADER.size or CHECKSUM.pack(zlib.crc32(body)) != checksum:
            raise CorruptPack
        layout, size = self._layout(), HEADER.unpack_from(body)[-1]
        header = self._header(size)
        if body[: len(header)] != header or len(body) != len(header) + size * layout.itemsize:
            raise CorruptPack
        content = np.frombuffer(body[len(header) :], layout)
        return _Rows(content["key"], content["alive"], content["labels"].T, content["bits"])


def _label_values(values: Sequence[int], count: int) -> NDArray[np.int32]:
    wide = np.asarray(values, dtype=np.int64)
    narrow = wide.astype(np.int32)
    if narrow.shape != (count,) or not np.array_equal(narrow, wide):
        raise InputError("Give one 32-bit integer of each label for each key.")
    return narrow


def _is_among(values: NDArray[np.int32], allowed: Collection[int]) -> NDArray[np.bool_]:
    if len(allowed) > FEW_VALUES:
        return np.isin(values, np.fromiter(allowed, np.int64, len(allowed)))
    found = np.zeros(len(values), np.bool_)
    for value in allowed:
        found |= values == value
    return found


def _repeated_later(keys: Keys) -> NDArray[np.bool_]:
    """Which keys come again further on."""
    repeated = np.ones(len(keys), np.bool_)
    _, from_behind = np.unique(keys[::-1], return_index=True)
    repeated[len(keys) - 1 - from_behind] = False
    return repeated


def _narrow_candidates(
    question: BitQuery, rows: _Rows, *, coarse: Words, passing: Places | None, estimated: int, widest: int
) -> tuple[Places, Floats]:
    """The slots that look best, and about what their cosines are: by bits that differ, then, of fewer, more closely."""
    count = len(rows if passing is None else passing)
    if count > max(widest, estimated):
        passing, bits = _fewest_differing(
            rows, question.coarse, coarse=coarse, passing=passing, wanted=max(widest, estimated)
        )
    else:
        passing = np.arange(count) if passing is None else passing
        bits = rows.bits.take(passing, axis=0)
    cosines = estimate_cosines(bits, question)
    if widest < len(passing):
        best = np.sort(np.argpartition(cosines, -widest)[-widest:])
        passing, cosines = passing[best], cosines[best]
    return passing, cosines


def _fewest_differing(
    rows: _Rows, question: Words, *, coarse: Words, passing: Places | None, wanted: int
) -> tuple[Places, Words]:
    """The slots with the fewest coarse bits that differ from the question's, and all their bits.

    A long scan looks at half of the bits, and at the others of the rows that come out best.
    """
    words = len(question)
    if passing is not None and 4 * len(passing) <= len(rows):
        bits = rows.bits.take(passing, axis=0)
        near = _smallest_distances(count_differing_bits(np.ascontiguousarray(bits.T[:words]), question), wanted)
        return passing[near], bits[near]
    half = words // 2 if len(rows) > MANY and words >= LONG else words
    distances = count_differing_bits(coarse[:half], question[:half])
    distances = distances if passing is None else distances[passing]
    near = _smallest_distances(distances, wanted if half == words else HALVED * wanted)
    slots = near if passing is None else passing[near]
    bits = rows.bits.take(slots, axis=0)
    if half == words:
        return slots, bits
    others = count_differing_bits(np.ascontiguousarray(bits.T[half:words]), question[half:])
    nearer = _smallest_distances(others.astype(np.uint16) + distances[near], wanted)
    return slots[nearer], bits[nearer]


def _smallest_distances(distances: Counts, wanted: int) -> Places:
    """The places of about `wanted` of the smallest distances; ties that would be too many are cut to the last ones."""
    sample = np.partition(distances[::SAMPLED], wanted // SAMPLED)
    limit = sample[wanted // SAMPLED]
    near = np.flatnonzero(distances <= limit)
    if len(near) <= 2 * wanted:
        return near
    return np.concatenate((np.flatnonzero(distances < limit), np.flatnonzero(distances == limit)[-wanted:]))


def rescore_exactly(query: Floats, keys: Keys, *, vectors: Floats) -> list[tuple[int, float]]:
    """Keys with the cosine of their vector, best first and equal ones by key."""
    if vectors.shape != (len(keys), len(query)):
        raise InputError("fetch must return one vector for each key.")
    # Row by row, unlike a matrix product, this gives a vector the same score in whatever company it is scored.
    products = np.vecdot(vectors, query)
    lengths = np.sqrt(np.vecdot(vectors, vectors) * np.vecdot(query, query))
    cosines = np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)
    there = np.flatnonzero(~np.isnan(products))
    order = there[np.lexsort((keys[there], -cosines[there]))]
    return list(zip(keys[order].tolist(), cosines[order].tolist(), strict=True))
