"""What the vectors of a store look like together, so that a question can be asked where they differ from each other.

Vectors of one model crowd into few directions. Asking with a vector that is stretched along the rarer ones finds more,
and costs nothing at search, since the stored vectors stay as they are.
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


class Shape:
    """The mean of the vectors and the matrix that stretches a question."""

    __slots__ = ("centre", "matrix")

    def __init__(self, centre: Floats, matrix: Floats) -> None:
        self.centre = centre
        self.matrix = matrix

    @classmethod
    def of(cls, vectors: Floats) -> Shape:
        """The shape of a sample of vectors."""
        centre = vectors.mean(axis=0)
        spread = (vectors - centre).T @ (vectors - centre) / len(vectors)
        values, axes = np.linalg.eigh(spread.astype(np.float64))
        matrix = (axes * (np.maximum(values, 0) + FLOOR) ** -STRETCH) @ axes.T
        return cls(centre.astype(np.float32), matrix.astype(np.float32))

    def ask(self, question: Floats) -> Floats:
        """The vector to search with: the stretched question with a share of the question itself."""
        half = np.float32(0.5)
        stretched = _unit(self.matrix @ (question - half * self.centre))
        return _unit(stretched + np.float32(RAW_SHARE) * question)

    def pack(self) -> bytes:
        """Its stored form."""
        return np.concatenate([self.centre[None], self.matrix]).astype("<f2").tobytes()

    @classmethod
    def unpack(cls, packed: bytes, dimensions: int) -> Shape:
        """The shape that was packed."""
        rows = np.frombuffer(packed, dtype="<f2").reshape(dimensions + 1, dimensions).astype(np.float32)
        return cls(rows[0], rows[1:])


def _unit(vector: Floats) -> Floats:
    result: Floats = (vector / max(float(np.linalg.norm(vector)), 1e-9)).astype(np.float32)
    return result
