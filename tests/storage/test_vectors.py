from __future__ import annotations

import os
import subprocess
import sys
import threading
import zlib
from collections.abc import Collection, Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from toldonce.errors import InputError, StoreError
from toldonce.storage.vectors.index import (
    CHECKSUM,
    CorruptPack,
    VectorIndex,
    decode_vectors,
    encode_vector,
    find_centre,
)

Floats = NDArray[np.float32]
SOURCE = Path(__file__).resolve().parents[2] / "src"
NAMES = ("space", "owner")
DIMENSIONS = 8


def unit(rows: Floats) -> Floats:
    unit_rows: Floats = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit_rows


def clustered(count: int, dimensions: int, *, seed: int = 0, drift: float = 0.5) -> Floats:
    """Vectors as embedders make them: clusters in a few strong directions, something in common, noise."""
    chance = np.random.default_rng(seed)
    directions = np.random.default_rng(1).standard_normal((48, dimensions)) / np.sqrt(1 + np.arange(48))[:, None]
    common = np.random.default_rng(2).standard_normal(dimensions)
    near = np.random.default_rng(3).standard_normal((100, 48))[chance.integers(0, 100, count)]
    near = near + 0.6 * chance.standard_normal((count, 48))
    rows = near @ directions / 2 + chance.standard_normal((count, dimensions)) / 2 + drift * common
    return unit(rows.astype(np.float32))


def fetch_from(vectors: Floats):  # type: ignore[no-untyped-def]
    return lambda keys: vectors[keys]


def index_of(vectors: Floats, **labels: Collection[int]) -> VectorIndex:
    index = VectorIndex(vectors.shape[1], tuple(labels))
    index.put(np.arange(len(vectors)), vectors, {name: list(values) for name, values in labels.items()})
    return index


def best(query: Floats, vectors: Mapping[int, Floats], limit: int) -> list[tuple[int, float]]:
    """What exact search returns, from the definition of a cosine."""
    scores = {
        key: float(np.dot(query.astype(float), vector) / np.linalg.norm(query.astype(float)) / np.linalg.norm(vector))
        for key, vector in vectors.items()
    }
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]


def recall(
    index: VectorIndex, vectors: Floats, *, queries: Floats, allowed: NDArray[np.int64], **given: object
) -> float:
    """The part of the true best ten that a search finds."""
    right = 0
    for query in queries:
        true = allowed[np.argsort(-(vectors[allowed] @ query))[:10]]
        found = index.search(query, limit=10, fetch=fetch_from(vectors), **given)  # type: ignore[arg-type]
        right += len(set(true.tolist()) & {key for key, _ in found})
    return right / (10 * len(queries))


# What the index promises, against a dictionary that does the same the slow way.

KEYS = st.integers(-3, 12)
VECTORS = st.lists(st.integers(-4, 4), min_size=DIMENSIONS, max_size=DIMENSIONS).filter(any)
LABELS = st.integers(0, 2)
PUT = st.tuples(st.just("put"), st.lists(st.tuples(KEYS, VECTORS, LABELS, LABELS), max_size=5))
REMOVE = st.tuples(st.just("remove"), st.lists(KEYS, max_size=4))
RELABEL = st.tuples(st.just("relabel"), st.lists(st.tuples(KEYS, LABELS), max_size=4))
OTHER = st.tuples(st.sampled_from(("compact", "reload")), st.just([]))
WHERE = st.dictionaries(st.sampled_from(NAMES), st.sets(st.integers(-1, 3)))


class Model:
    """The index and its slow twin: what one is told, the other is told."""

    def __init__(self) -> None:
        self.index = VectorIndex(DIMENSIONS, NAMES)
        self.vectors: dict[int, Floats] = {}
        self.labels: dict[int, dict[str, int]] = {}

    def put(self, rows: list[tuple[int, list[int], int, int]]) -> None:
        labels = {"space": [row[2] for row in rows], "owner": [row[3] for row in rows]}
        self.index.put([row[0] for row in rows], [row[1] for row in rows], labels)
        for key, vector, space, owner in rows:
            self.vectors[key] = np.array(vector, np.float32)
            self.labels[key] = {"space": space, "owner": owner}

    def remove(self, keys: list[int]) -> None:
        self.index.remove(keys)
        for key in keys:
            self.vectors.pop(key, None)

    def relabel(self, rows: list[tuple[int, int]]) -> None:
        self.index.relabel([key for key, _ in rows], {"owner": [owner for _, owner in rows]})
        for key, owner in rows:
            if key in self.vectors:
                self.labels[key]["owner"] = owner

    def compact(self, _: list[object]) -> None:
        self.index.compact()
        assert self.index.slots == len(self.index)

    def reload(self, _: list[object]) -> None:
        middle, last, fresh = self.index.slots // 2, self.index.slots, VectorIndex(DIMENSIONS, NAMES)
        for part in (self.index.pack(0, middle), self.index.pack(middle, last)):
            fresh.unpack(part)
        assert fresh.slots == self.index.slots
        self.index = fresh

    def expected(self, query: Floats, where: Mapping[str, Collection[int]], limit: int) -> list[tuple[int, float]]:
        passing = {
            key: vector
            for key, vector in self.vectors.items()
            if all(self.labels[key][name] in allowed for name, allowed in where.items())
        }
        return best(query, passing, limit)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.one_of(PUT, REMOVE, RELABEL, OTHER), max_size=12), VECTORS, WHERE, st.integers(1, 6))
def test_search_equals_exact_search_after_any_changes(steps, query, where, limit) -> None:  # type: ignore[no-untyped-def]
    model, asked = Model(), np.array(query, np.float32)
    for name, argument in steps:
        getattr(model, name)(argument)
    found = model.index.search(
        asked, limit=limit, where=where, fetch=lambda keys: np.stack([model.vectors[key] for key in keys.tolist()])
    )
    expected = model.expected(asked, where, limit)
    assert len(model.index) == len(model.vectors)
    assert [score for _, score in found] == pytest.approx([score for _, score in expected], abs=1e-6)
    whole = dict(model.expected(asked, where, limit=99))
    assert all(score == pytest.approx(whole[key], abs=1e-6) for key, score in found)
    assert len({key for key, _ in found}) == len(found)


@pytest.mark.parametrize("dimensions", [256, 384])
def test_search_finds_99_in_100_of_the_true_best(dimensions: int) -> None:
    vectors, queries = clustered(20_000, dimensions), clustered(40, dimensions, seed=9)
    assert recall(index_of(vectors), vectors, queries=queries, allowed=np.arange(20_000)) >= 0.99


@pytest.mark.parametrize(
    "owners", [[3], [3, 4, 5, 6], list(range(10, 30)), list(range(2, 60)), list(range(1, 100))], ids=len
)
def test_filtered_search_finds_99_in_100_of_the_true_best_that_pass(owners: list[int]) -> None:
    vectors, queries = clustered(20_000, 256), clustered(20, 256, seed=9)
    owner_of = np.random.default_rng(0).integers(0, 100, 20_000)
    index = index_of(vectors, owner=owner_of.tolist())
    allowed = np.flatnonzero(np.isin(owner_of, owners))
    assert recall(index, vectors, queries=queries, allowed=allowed, where={"owner": owners}) >= 0.99
    found = index.search(queries[0], limit=50, where={"owner": owners}, fetch=fetch_from(vectors))
    assert len(found) == 50 and {int(owner_of[key]) for key, _ in found} <= set(owners)


def test_all_filters_must_pass() -> None:
    vectors = clustered(300, 64)
    index = index_of(vectors, space=[key % 3 for key in range(300)], owner=[key % 7 for key in range(300)])
    found = index.search(vectors[0], limit=300, where={"space": {0, 2}, "owner": [5]}, fetch=fetch_from(vectors))
    assert {key for key, _ in found} == {key for key in range(300) if key % 3 != 1 and key % 7 == 5}


def test_filter_that_allows_nothing_finds_nothing() -> None:
    vectors = clustered(300, 64)
    index = index_of(vectors, owner=[1] * 300)
    for allowed in ([], [2], [2**40], range(2, 99)):
        assert index.search(vectors[0], limit=5, where={"owner": allowed}, fetch=fetch_from(vectors)) == []


def test_removed_and_replaced_rows_of_a_large_index_are_not_found() -> None:
    vectors = clustered(20_000, 256)
    index = index_of(vectors)
    query = vectors[7].copy()
    vectors[7] = -query
    index.put([7], vectors[7:8], {})
    nearest = [key for key, _ in index.search(query, limit=5, fetch=fetch_from(vectors))]
    index.remove(nearest[:2])
    assert 7 not in nearest
    assert [key for key, _ in index.search(query, limit=3, fetch=fetch_from(vectors))] == nearest[2:]
    assert len(index) == 19_998 and index.slots == 20_001


def test_only_the_best_are_fetched_and_each_once() -> None:
    vectors, asked = clustered(20_000, 256), []

    def fetch(keys: NDArray[np.int64]) -> Floats:
        asked.append(keys)
        return vectors[keys]

    index = index_of(vectors)
    index.search(vectors[5], limit=10, fetch=fetch)
    index.search(vectors[5], limit=10, fetch=fetch, widen=30)
    assert [len(keys) for keys in asked] == [104, 30]
    assert len(set(asked[0].tolist())) == 104 and 5 in asked[0]


@pytest.mark.parametrize("many", [250_000, 1_000])
def test_guesses_hold_the_true_best_with_about_their_cosines(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toldonce.storage.vectors.index.MANY", many)
    vectors = clustered(20_000, 384)
    index, queries = index_of(vectors, owner=[n % 3 for n in range(len(vectors))]), clustered(30, 384, seed=9)
    missed, errors = 0, list[float]()
    for query in queries:
        for where, rows in ((None, slice(None)), ({"owner": [0, 1]}, np.arange(len(vectors)) % 3 < 2)):
            guessed = dict(index.estimate_cosines(query, limit=50, where=where))
            cosines = vectors @ query
            allowed = np.arange(len(vectors))[rows]
            missed += len(set(allowed[np.argsort(-cosines[allowed])[:10]].tolist()) - set(guessed))
            errors += [guess - cosines[key] for key, guess in guessed.items()]
            assert list(guessed.values()) == sorted(guessed.values(), reverse=True)
    assert missed <= 0.01 * 10 * 2 * len(queries)
    assert abs(np.mean(errors)) < 0.02
    assert np.std(errors) < 0.04


@pytest.mark.parametrize("dimensions", [32, 64, 128, 256])
def test_a_long_scan_finds_the_old_ones_whatever_the_dimensions(
    dimensions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors = clustered(20_000, dimensions)
    index = index_of(vectors)
    fetch = fetch_from(vectors)
    for key in range(0, 2_000, 100):
        monkeypatch.setattr("toldonce.storage.vectors.index.MANY", 1_000)
        assert key in dict(index.estimate_cosines(vectors[key], limit=20))
        halved = index.search(vectors[key], limit=10, fetch=fetch)
        monkeypatch.setattr("toldonce.storage.vectors.index.MANY", 250_000)
        whole = index.search(vectors[key], limit=10, fetch=fetch)
        assert len(set(halved) & set(whole)) >= 9


def test_guesses_pass_filters_and_leave_out_the_dead() -> None:
    vectors = clustered(50, 32)
    index = index_of(vectors, owner=[n % 2 for n in range(50)])
    index.remove([4])
    assert {key for key, _ in index.estimate_cosines(vectors[4], limit=99, where={"owner": [0]})} == set(
        range(0, 50, 2)
    ) - {4}
    assert (
        index.estimate_cosines(vectors[4], limit=5, where={"owner": [7]})
        == index.estimate_cosines(np.zeros(32, np.float32), limit=5)
        == []
    )
    assert index.estimate_cosines(vectors[4], limit=0) == []


def test_guesses_of_some_keys_are_those_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toldonce.storage.vectors.index.FEW_NEW", 10)
    vectors, index = clustered(300, 384), VectorIndex(384)
    keys = np.random.default_rng(5).permutation(300) * 2
    index.put(keys, vectors, {})
    guessed = dict(index.estimate_cosines(vectors[7], limit=300))
    first = np.array([500, 40, 41, 900])
    which, cosines = index.guess_of(vectors[7], first, first + 5)
    assert which.tolist() == [0, 0, 0, 1, 1, 1, 2, 2]
    assert cosines.tolist() == [guessed[key] for key in (500, 502, 504, 40, 42, 44, 42, 44)]


def test_guesses_of_some_keys_leave_out_the_dead_and_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toldonce.storage.vectors.index.FEW_NEW", 10)
    vectors = clustered(40, 32)
    index = index_of(vectors)
    first = np.array([3, 100])

    def known() -> list[int]:
        return index.guess_of(vectors[0], first, first + 1)[0].tolist()

    assert known() == [0]
    index.put([100], vectors[:1], {})
    assert known() == [0], "the order of keys is not found anew for each"
    index.put([3], vectors[:1], {})
    assert known() == [], "what was there for this key is dead"
    index.put(np.arange(200, 220), vectors[:20], {})
    assert known() == [0, 1]


def test_many_equal_rows_do_not_hide_a_nearer_one() -> None:
    vectors = np.repeat(clustered(1, 256, seed=4), 30_000, axis=0)
    vectors[0] = clustered(1, 256, seed=5)[0]
    found = index_of(vectors).search(vectors[0], limit=1, fetch=fetch_from(vectors))
    assert found == [(0, pytest.approx(1.0))]


def test_equal_scores_come_in_the_order_of_keys() -> None:
    vectors = np.repeat(clustered(1, 16), 20, axis=0)
    found = index_of(vectors).search(vectors[0], limit=6, fetch=fetch_from(vectors))
    assert [key for key, _ in found] == [0, 1, 2, 3, 4, 5]


def test_score_is_the_cosine_whatever_the_length() -> None:
    vectors = np.array([[3, 4], [0, 2], [-5, 0], [0, 0]], np.float32)
    found = index_of(vectors).search(np.array([0, 7], np.float32), limit=9, fetch=fetch_from(vectors))
    assert found == [(1, 1.0), (0, pytest.approx(0.8)), (2, 0.0), (3, 0.0)]


def test_key_that_is_gone_from_the_store_is_left_out() -> None:
    vectors = clustered(5, 16)
    index = index_of(vectors)
    query = vectors[2].copy()
    vectors[2] = np.nan
    assert {key for key, _ in index.search(query, limit=9, fetch=fetch_from(vectors))} == {0, 1, 3, 4}


def test_nothing_is_like_a_zero_vector_or_in_an_empty_index() -> None:
    vectors = clustered(5, 16)
    empty = VectorIndex(16)
    empty.put([], [], {})
    assert empty.search(vectors[0], limit=3, fetch=fetch_from(vectors)) == []
    assert index_of(vectors).search(np.zeros(16, np.float32), limit=3, fetch=fetch_from(vectors)) == []
    assert index_of(vectors).search(vectors[0], limit=0, fetch=fetch_from(vectors)) == []


@pytest.mark.parametrize("drift", [2.0, 4.0])
def test_centre_saves_recall_where_all_vectors_resemble_each_other(drift: float) -> None:
    vectors, queries = clustered(20_000, 256, drift=drift), clustered(40, 256, seed=9, drift=drift)
    index = VectorIndex(256, centre=find_centre(clustered(100, 256, seed=8, drift=drift)))
    index.put(np.arange(20_000), vectors, {})
    assert recall(index, vectors, queries=queries, allowed=np.arange(20_000)) >= 0.99
    assert recall(index_of(vectors), vectors, queries=queries, allowed=np.arange(20_000)) < 0.97


def test_centre_is_zero_where_vectors_have_little_in_common() -> None:
    assert not find_centre(clustered(100, 256, drift=0.0)).any()


# Bad input.


@pytest.mark.parametrize(
    "keys, vectors, labels",
    [
        ([1, 2], [[1, 0]], {"owner": [1, 1]}),
        ([1], [[1, 0, 0]], {"owner": [1]}),
        ([1], [], {"owner": [1]}),
        ([1], [[np.nan, 0]], {"owner": [1]}),
        ([1], [[1, 0]], {}),
        ([1], [[1, 0]], {"owner": [1], "kind": [1]}),
        ([1], [[1, 0]], {"owner": [1, 2]}),
        ([1], [[1, 0]], {"owner": [2**31]}),
    ],
)
def test_put_that_does_not_fit_is_refused_and_changes_nothing(keys, vectors, labels) -> None:  # type: ignore[no-untyped-def]
    index = VectorIndex(2, ("owner",))
    with pytest.raises(InputError):
        index.put(keys, vectors, labels)
    assert len(index) == index.slots == 0


def test_a_question_that_comes_again_is_looked_at_again() -> None:
    vectors = clustered(40, 384)
    index, asked = index_of(vectors), vectors[3].copy()
    first = index.estimate_cosines(asked, limit=5)
    assert index.estimate_cosines(asked.tolist(), limit=5) == first  # type: ignore[arg-type]
    with pytest.raises(InputError, match="384 finite numbers"):
        index.estimate_cosines(asked[None], limit=5)
    asked[:] = vectors[4]
    assert (first[0][0], index.estimate_cosines(asked, limit=5)[0][0]) == (3, 4)


def test_unknown_labels_and_misshapen_questions_are_refused() -> None:
    vectors = clustered(3, 16)
    index = index_of(vectors, owner=[1, 2, 3])
    with pytest.raises(InputError, match="no label 'colour'"):
        index.search(vectors[0], limit=3, where={"colour": [1]}, fetch=fetch_from(vectors))
    with pytest.raises(InputError, match="no label 'colour'"):
        index.relabel([1], {"colour": [1]})
    with pytest.raises(InputError, match="16 finite numbers"):
        index.search(vectors[0][:8], limit=3, fetch=fetch_from(vectors))
    with pytest.raises(InputError, match="16 finite numbers"):
        index.estimate_cosines(vectors[0][:8], limit=3)
    with pytest.raises(InputError, match="no label 'colour'"):
        index.estimate_cosines(vectors[0], limit=3, where={"colour": [1]})
    with pytest.raises(InputError, match="one vector for each key"):
        index.search(vectors[0], limit=3, fetch=lambda keys: vectors[keys][:1])
    with pytest.raises(InputError, match="not all there"):
        index.pack(0, 4)


@pytest.mark.parametrize("arguments", [(0, ()), (4, ("owner", "owner")), (4, ("a\0b",))])
def test_index_with_impossible_shape_is_refused(arguments: tuple[int, tuple[str, ...]]) -> None:
    with pytest.raises(InputError):
        VectorIndex(*arguments)
    with pytest.raises(InputError):
        VectorIndex(4, centre=[1, 2, 3])


# Packs.


def packed_index() -> tuple[VectorIndex, Floats]:
    vectors = clustered(3000, 96)
    index = index_of(vectors, space=[key % 3 for key in range(3000)], owner=[-key for key in range(3000)])
    index.remove([10, 20])
    index.put([30], vectors[30:31], {"space": [9], "owner": [9]})
    return index, vectors


def test_packs_in_parts_bring_back_the_same_index() -> None:
    index, vectors = packed_index()
    fresh = VectorIndex(96, ("space", "owner"))
    for first, last in ((0, 1000), (1000, 1000), (1000, 3001)):
        fresh.unpack(index.pack(first, last))
    assert (len(fresh), fresh.slots) == (len(index), index.slots) == (2998, 3001)
    assert fresh.pack(0, 3001) == index.pack(0, 3001)
    for where in ({}, {"space": [9]}, {"space": [0], "owner": range(-900, 0)}):
        answers = [each.search(vectors[30], limit=5, where=where, fetch=fetch_from(vectors)) for each in (index, fresh)]
        assert answers[0] == answers[1]


def test_last_slot_of_a_key_decides_when_older_packs_are_stale() -> None:
    vectors = clustered(4, 64)
    index = index_of(vectors)
    stale = index.pack(0, 4)
    index.put([1, 2], vectors[1:3], {})
    index.remove([2])
    fresh = VectorIndex(64)
    fresh.unpack(stale)
    fresh.unpack(index.pack(4, 6))
    assert sorted(key for key, _ in fresh.search(vectors[0], limit=9, fetch=fetch_from(vectors))) == [0, 1, 3]


def test_pack_keeps_nothing_of_a_removed_vector_but_its_key() -> None:
    vectors, packs = clustered(3, 64), []
    for rows in ([0, 1], [0, 2]):
        index = index_of(vectors[rows])
        index.remove([1])
        packs.append(index.pack(0, 2))
    assert packs[0] == packs[1]


@given(st.data())
def test_damaged_pack_is_refused_and_changes_nothing(data: st.DataObject) -> None:
    pack = bytearray(index_of(clustered(20, 64), owner=range(20)).pack(0, 20))
    place = data.draw(st.integers(0, len(pack) - 1))
    cut = data.draw(st.booleans())
    if cut:
        del pack[place:]
    else:
        pack[place] ^= data.draw(st.integers(1, 255))
    fresh = VectorIndex(64, ("owner",))
    with pytest.raises(CorruptPack):
        fresh.unpack(bytes(pack))
    assert fresh.slots == 0


@pytest.mark.parametrize(
    "other",
    [
        VectorIndex(63, ("owner",)),
        VectorIndex(64, ("space",)),
        VectorIndex(64, ("owner", "space")),
        VectorIndex(64),
        VectorIndex(64, ("owner",), centre=[0.1] * 64),
    ],
)
def test_pack_of_another_index_is_refused(other: VectorIndex) -> None:
    pack = index_of(clustered(20, 64), owner=range(20)).pack(0, 20)
    with pytest.raises(CorruptPack):
        other.unpack(pack)
    assert other.slots == 0


def test_pack_of_a_newer_version_or_a_wrong_length_is_refused() -> None:
    body = index_of(clustered(20, 64), owner=range(20)).pack(0, 20)[: -CHECKSUM.size]
    for changed in (body[:4] + b"\xff" + body[5:], body + b"\0", body[:-1]):
        with pytest.raises(CorruptPack):
            VectorIndex(64, ("owner",)).unpack(changed + CHECKSUM.pack(zlib.crc32(changed)))
    assert issubclass(CorruptPack, StoreError)


# The same bits everywhere.

DIGEST = """
import hashlib, numpy
from toldonce.storage.vectors.index import VectorIndex
for dimensions in (1, 100, 256, 384):
    rows = (numpy.arange(50 * dimensions, dtype=numpy.int64) ** 2 * 7919 % 201 - 100).reshape(50, dimensions)
    index = VectorIndex(dimensions, ("owner",))
    index.put(range(50), rows.astype(numpy.float32), {"owner": range(50)})
    print(hashlib.sha256(index.pack(0, 50)).hexdigest()[:16])
"""


@pytest.mark.parametrize("seed", ["0", "1", "4294967295"])
def test_bits_are_the_same_in_every_process_and_on_every_machine(seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run([sys.executable, "-c", DIGEST], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["e66b1cf10c6bb1f7", "ab268dbc8b8c5c1d", "f4d062e0df1f1ab8", "4369903dc411ef1a"]


def test_stored_vector_comes_back_with_half_precision() -> None:
    vectors = clustered(3, 256)
    blobs = [encode_vector(vector) for vector in vectors]
    assert [len(blob) for blob in blobs] == [512] * 3
    np.testing.assert_allclose(decode_vectors(blobs, 256), vectors, atol=3e-4)
    assert decode_vectors(blobs, 256).dtype == np.float32 and decode_vectors([], 256).shape == (0, 256)


def test_stored_vector_of_other_dimensions_is_refused() -> None:
    with pytest.raises(StoreError, match="256 dimensions"):
        decode_vectors([encode_vector(np.ones(256)), encode_vector(np.ones(128))], 256)


# Threads.


def test_searches_miss_nothing_while_another_thread_puts() -> None:
    vectors = clustered(12_000, 64)
    index, failures, done = VectorIndex(64, ("owner",)), [], threading.Event()
    index.put([0], vectors[:1], {"owner": [1]})

    def write() -> None:
        for start in range(1, 12_000, 37):
            keys = [0, *range(start, min(start + 37, 12_000))]
            index.put(keys, vectors[keys], {"owner": [1] * len(keys)})
            index.remove([start])
            index.relabel([start + 1], {"owner": [2]})
        done.set()

    def read() -> None:
        searches = 0
        while not done.is_set() or not searches:
            found = index.search(vectors[0], limit=5, where={"owner": [1]}, fetch=fetch_from(vectors))
            searches += 1
            if found[:1] != [(0, pytest.approx(1.0))] or len(dict(found)) != len(found):
                failures.append(found)

    threads = [threading.Thread(target=write), *(threading.Thread(target=read) for _ in range(3))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(index) == 12_000 - len(range(1, 12_000, 37))
