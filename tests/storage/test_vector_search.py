"""Likeness of records to a question, told from the index or from the stored vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.conftest import OpenMemory
from toldonce.models.embedder import Vectors


class Arbitrary:
    """A vector for each text that depends on its words alone."""

    name, dimensions, local = "arbitrary", 256, True

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = [np.random.default_rng(sum(map(ord, text)) * len(text)).standard_normal(256) for text in texts]
        unit: Vectors = np.array([row / np.linalg.norm(row) for row in rows], dtype=np.float32)
        return unit


def test_likeness_from_the_index_is_about_the_exact_one_and_knows_the_newest_too(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant", embedder=Arbitrary())
    nearest = memory.engine.searcher.vector_search
    assert nearest is not None
    asked = Arbitrary().embed(["what is it?"])[0]

    def grow(count: int) -> list[int]:
        memory.observe_many({"text": f"message {n} of {count}", "user": "alex", "session": "s"} for n in range(count))
        memory.tend()
        memory.recall("what is it?", user="alex")
        return [seq for seq, _ in memory.store.read(lambda t: t.records.read_page(None, limit=1_000))]

    for count in (300, 5):
        seqs = grow(count)
        exact = memory.store.read(lambda t, seqs=seqs: nearest.similarity(t, asked, seqs))  # type: ignore[misc]
        about = memory.store.read(lambda t, seqs=seqs: nearest.similarity(t, asked, seqs, exact=False))  # type: ignore[misc]
        assert exact.keys() == about.keys() == set(seqs)
        assert max(abs(exact[seq] - about[seq]) for seq in seqs) < 0.15
