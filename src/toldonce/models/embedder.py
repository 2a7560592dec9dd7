"""What turns texts into vectors: the contract, and how a setting names one. No model is loaded before it is used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors of unit length. Called from any thread."""

    @property
    def name(self) -> str:
        """The model's name, recorded with every vector; vectors of two models never mix.

        An embedder behind an address also has it as `address`, and one whose model may become another under the same
        name says so by `may_change`: what it makes of one text is then compared with what it made before.
        """

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""

    @property
    def local(self) -> bool:
        """Whether texts stay on this machine."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text, in order; [] gives an empty array of shape (0, dimensions).

        Raises ModelError when there is no answer, and TextRefused when one of these texts is why.
        """


def have_direction(vectors: Vectors) -> bool:
    """Whether each of them is a vector that can be compared: of numbers, and not all zero."""
    lengths = np.linalg.norm(vectors, axis=1)
    return bool(np.isfinite(lengths).all() and (lengths > 0).all())
