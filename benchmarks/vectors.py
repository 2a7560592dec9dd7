"""Measures the vector index: recall@10 against exact search, and CPU per query without the cost of fetching.

Run `python benchmarks/vectors.py` for made-up but correlated vectors of several sizes (the largest need 4 GB), or with
`--rows rows.npy --queries queries.npy` for the embeddings of real texts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from toldonce.storage.vectors.index import VectorIndex

Floats = NDArray[np.float32]
Halves = NDArray[np.float16]

LIMIT = 10
OWNERS = 100
AT_ONCE = 50_000


def unit(rows: Floats) -> Floats:
    unit_rows: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit_rows


def correlated(count: int, dimensions: int, *, clusters: int, chance: np.random.Generator) -> Iterator[Floats]:
    """Clusters of clusters in a few strong directions, a common drift as embedders have it, and noise."""
    rank = 64
    strength = (3 / np.sqrt(rank * (1 + np.arange(rank)))).astype(np.float32)
    directions = chance.standard_normal((rank, dimensions), np.float32) * strength[:, None]
    centres = chance.standard_normal((clusters, rank), np.float32)
    drift = chance.standard_normal(dimensions, np.float32) / 2
    for start in range(0, count, AT_ONCE):
        size = min(AT_ONCE, count - start)
        near = centres[chance.integers(0, clusters, size)] + 0.6 * chance.standard_normal((size, rank), np.float32)
        yield unit(near @ directions + chance.standard_normal((size, dimensions), np.float32) / 2 + drift)


def made_up(count: int, dimensions: int, queries: int) -> tuple[Halves, Floats]:
    rows = np.empty((count + queries, dimensions), np.float16)
    start, chance = 0, np.random.default_rng(count)
    for part in correlated(len(rows), dimensions, clusters=max(10, count // 200), chance=chance):
        rows[start : start + len(part)] = part
        start += len(part)
    return rows[:count], unit(rows[count:].astype(np.float32))


def exact(rows: Halves, queries: Floats, allowed: NDArray[np.bool_]) -> list[set[int]]:
    """The true best of each query among the allowed rows."""
    keys = np.flatnonzero(allowed)
    scores = np.concatenate(
        [
            queries @ unit(rows[keys[start : start + AT_ONCE]].astype(np.float32)).T
            for start in range(0, len(keys), AT_ONCE)
        ],
        axis=1,
    )
    best = np.argpartition(-scores, LIMIT, axis=1)[:, :LIMIT] if len(keys) > LIMIT else np.argsort(-scores, axis=1)
    return [set(keys[row].tolist()) for row in best]


def filled(rows: Halves, owners: NDArray[np.int64]) -> tuple[VectorIndex, float]:
    """An index of the rows, and the CPU seconds that putting them took."""
    index, began = VectorIndex(rows.shape[1], ("owner",)), time.process_time()
    for start in range(0, len(rows), AT_ONCE):
        keys = np.arange(start, min(start + AT_ONCE, len(rows)))
        index.put(keys, rows[keys].astype(np.float32), {"owner": owners[keys].tolist()})
    return index, time.process_time() - began


def measured(
    index: VectorIndex, queries: Floats, *, rows: Halves, where: dict[str, list[int]], truth: list[set[int]]
) -> str:
    """One line of figures: recall, median CPU of a query without fetching, rows fetched."""
    spent, fetching, fetched, right = [], 0.0, 0, 0

    def fetch(keys: NDArray[np.int64]) -> Floats:
        nonlocal fetching, fetched
        began = time.process_time()
        vectors = rows[keys].astype(np.float32)
        fetching, fetched = fetching + time.process_time() - began, fetched + len(keys)
        return vectors

    for query, true in zip(queries, truth, strict=True):
        fetching, began = 0.0, time.process_time()
        found = index.search(query, limit=LIMIT, where=where, fetch=fetch)
        spent.append(time.process_time() - began - fetching)
        right += len(true & {key for key, _ in found})
    recall = right / sum(map(len, truth))
    return f"recall@{LIMIT} {recall:.4f}   {1000 * float(np.median(spent)):7.3f} ms   {fetched // len(queries)} fetched"


def timed(action: Callable[[], object]) -> float:
    began = time.process_time()
    action()
    return 1000 * (time.process_time() - began)


def report(rows: Halves, queries: Floats) -> None:
    owners = np.random.default_rng(0).integers(0, OWNERS, len(rows))
    index, seconds = filled(rows, owners)
    pack = index.pack(0, index.slots)
    load = timed(lambda: VectorIndex(rows.shape[1], ("owner",)).unpack(pack))
    print(
        f"{len(rows):,} x {rows.shape[1]}: put {len(rows) / seconds:,.0f} rows/s, pack {len(pack) / 1e6:.1f} MB, ",
        end="",
    )
    print(f"loaded in {load:.1f} ms")
    for name, where, allowed in (
        ("all", {}, np.ones(len(rows), np.bool_)),
        (f"1 of {OWNERS} owners", {"owner": [7]}, owners == 7),
        ("all but one owner", {"owner": [o for o in range(OWNERS) if o != 7]}, owners != 7),
    ):
        line = measured(index, queries, rows=rows, where=where, truth=exact(rows, queries, allowed))
        print(f"  {name:18} {line}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, help="a .npy file of embeddings to search")
    parser.add_argument("--queries", type=Path, help="a .npy file of embeddings to search for")
    parser.add_argument("--count", type=int, default=100, help="how many queries")
    parser.add_argument("--largest", type=int, default=1_000_000, help="leave larger made-up sets out")
    given = parser.parse_args()
    if given.rows and given.queries:
        queries = np.random.default_rng(0).permutation(np.load(given.queries))[: given.count]
        report(np.load(given.rows).astype(np.float16), unit(queries.astype(np.float32)))
        return
    for count in (1_000, 10_000, 100_000, 1_000_000):
        for dimensions in (256, 384):
            if count <= given.largest:
                report(*made_up(count, dimensions, given.count))


if __name__ == "__main__":
    main()
