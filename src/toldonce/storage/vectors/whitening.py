"""What the vectors of a store look like together, so that a question can be asked where they differ from each other.

Vectors of one model crowd into few directions. Asking with a vector that is stretched along the rarer ones finds more,
and costs nothing at search, since the stored vectors stay as they are. Some vectors are like very many others; a few of
the store's own, kept here, tell which.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

FEWEST = 20
SAMPLE = 3_000
STRETCH = 0.25
FLOOR = 1e-3
RAW_SHARE = 0.7
# The size of the sample to compare with, and how many of the nearest count. Half or twice as many found no more.
COMPARED = 256
NEAREST = 20


class Whitening:
    """The mean of the vectors, the matrix that stretches a question, and a few of the vectors to compare with."""

    __slots__ = ("_sample", "_usual", "centre", "matrix")

    def __init__(self, centre: Floats, matrix: Floats, sample: Floats) -> None:
        self.centre = centre
        self.matrix = matrix
        self._sample = sample
        self._usual = _measure_crowding(sample, sample).mean() if self.has_sample else np.float32(0)

    @classmethod
    def of(cls, vectors: Floats) -> Whitening:
        """The shape of a sample of vectors."""
        centre = vectors.mean(axis=0)
        spread = (vectors - centre).T @ (vectors - centre) / len(vectors)
        values, axes = np.linalg.eigh(spread.astype(np.float64))
        matrix = (axes * (np.maximum(values, 0) + FLOOR) ** -STRETCH) @ axes.T
        sample = vectors[np.linspace(0, len(vectors) - 1, min(COMPARED, len(vectors)), dtype=int)]
        return cls(centre.astype(np.float32), matrix.astype(np.float32), sample.astype(np.float32))

    def ask(self, question: Floats) -> Floats:
        """The vector to search with: the stretched question with a share of the question itself."""
        half = np.float32(0.5)
        stretched = _unit_vector(np.vecdot(self.matrix, question - half * self.centre))
        return _unit_vector(stretched + np.float32(RAW_SHARE) * question)

    @staticmethod
    def is_whole(packed: bytes, dimensions: int) -> bool:
        """Whether a packed shape has vectors to compare with; those of an older make have none."""
        return len(packed) // (2 * dimensions) - dimensions - 1 >= FEWEST

    @property
    def has_sample(self) -> bool:
        """Whether there are vectors to compare with."""
        return len(self._sample) >= FEWEST

    def crowding(self, vectors: Floats) -> Floats | None:
        """How much more than usual each of these is like its neighbours in the store, where that is known."""
        return _measure_crowding(vectors, self._sample) - self._usual if self.has_sample else None

    def pack(self) -> bytes:
        """Its stored form."""
        return np.concatenate([self.centre[None], self.matrix, self._sample]).astype("<f2").tobytes()

    @classmethod
    def unpack(cls, packed: bytes, dimensions: int) -> Whitening:
        """The shape that was packed; an older one has no vectors to compare with."""
        rows = np.frombuffer(packed, dtype="<f2").reshape(-1, dimensions).astype(np.float32)
        return cls(rows[0], rows[1 : dimensions + 1], rows[dimensions + 1 :])


def _measure_crowding(vectors: Floats, sample: Floats) -> Floats:
    """The mean similarity of each vector to its nearest in a sample, except the very nearest, which may be itself."""
    counted = max(1, NEAREST * len(sample) // COMPARED)
    nearest = np.partition(vectors @ sample.T, -counted - 1, axis=1)[:, -counted - 1 :]
    crowding: Floats = (nearest.sum(axis=1) - nearest.max(axis=1)) / np.float32(counted)
    return crowding


def _unit_vector(vector: Floats) -> Floats:
    result: Floats = (vector / max(float(np.linalg.norm(vector)), 1e-9)).astype(np.float32)
    return result
