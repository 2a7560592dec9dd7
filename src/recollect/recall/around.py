"""What stands around a record in its conversation: the messages before and after it, and the whole as far as seen.

Arrays come in, arrays of the same length go out. A long message counts for less, as a neighbour and for its neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

SHORT, SHORT_NEIGHBOUR = 50.0, 30.0
NEAR, FAR = 0.5, 0.25
SATURATION, LENGTH_SHARE = 1.2, 0.75


class Placed(Protocol):
    """Something that has a place in a conversation."""

    @property
    def seq(self) -> int: ...
    @property
    def talk(self) -> str | None: ...
    @property
    def before(self) -> tuple[int, ...]: ...
    @property
    def after(self) -> tuple[int, ...]: ...


def bm25(counts: Floats, length: Floats, idf: Floats) -> Floats:
    """The usual score of words in texts, at most the sum of `idf`."""
    scale = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length / max(float(length.mean()), 1e-6))
    result: Floats = (idf * counts / (counts + scale[:, None])).sum(axis=1)
    return result


class Around:
    """The neighbours and the conversation of each of some units."""

    def __init__(self, units: Sequence[Placed], length: Floats) -> None:
        row = {unit.seq: place for place, unit in enumerate(units)}
        talks: dict[str, int] = {}
        self._before = [_rows([u.before[step : step + 1] for u in units], row) for step in (0, 1)]
        self._after = [_rows([u.after[step : step + 1] for u in units], row) for step in (0, 1)]
        self._own = np.minimum(1, SHORT / np.maximum(length, 1)).astype(np.float32)
        self._as_neighbour = np.minimum(1, SHORT_NEIGHBOUR / np.maximum(length, 1)).astype(np.float32)
        self._talk = np.array([talks.setdefault(u.talk, len(talks)) if u.talk else -1 for u in units], dtype=np.int64)
        self._talks = len(talks)

    def previous(self, values: Floats) -> Floats:
        """Each unit's predecessor's value."""
        return self._own * _at(values * self._as_neighbour, self._before[0])

    def mean(self, values: Floats) -> Floats:
        """The mean of the values right before and after."""
        both = _at(values, self._before[0]) + _at(values, self._after[0])
        result: Floats = self._own * both * np.float32(0.5)
        return result

    def best(self, held: Floats) -> Floats:
        """What each unit or, for less, one of its neighbours holds."""
        result = held.copy()
        scaled = held * self._as_neighbour[:, None]
        for places in (*self._before, *self._after):
            result = np.maximum(result, _at(scaled, places) * self._own[:, None])
        return result

    def widened(self, counts: Floats, length: Floats) -> tuple[Floats, Floats]:
        """Counts and lengths with a share of the neighbours' added."""
        scaled, lengths = counts * self._as_neighbour[:, None], length * self._as_neighbour
        more, longer = counts.copy(), length.copy()
        for share, before, after in ((NEAR, self._before[0], self._after[0]), (FAR, self._before[1], self._after[1])):
            part = np.float32(share) * self._own
            more += part[:, None] * (_at(scaled, before) + _at(scaled, after))
            longer += part * (_at(lengths, before) + _at(lengths, after))
        return more, longer

    def session_best(self, values: Floats) -> Floats:
        """The best value in each unit's conversation; 0 for a unit that stands alone."""
        known = self._talk >= 0
        best = np.full(max(self._talks, 1), -1.0, dtype=np.float32)
        np.maximum.at(best, self._talk[known], values[known])
        return np.where(known, best[self._talk], 0).astype(np.float32)

    def session_bm25(self, counts: Floats, length: Floats, idf: Floats) -> Floats:
        """How well the whole conversation, as far as it was seen, fits the question; 0 for a unit that stands alone."""
        known = self._talk >= 0
        size = max(self._talks, 1)
        summed = np.zeros((size, counts.shape[1]), dtype=np.float32)
        np.add.at(summed, self._talk[known], counts[known])
        lengths = np.bincount(self._talk[known], length[known], size).astype(np.float32)
        scores = bm25(summed, lengths, idf)
        return np.where(known, scores[self._talk], 0).astype(np.float32)


def _rows(seqs: Sequence[tuple[int, ...]], row: dict[int, int]) -> NDArray[np.int64]:
    return np.array([row.get(seq[0], -1) if seq else -1 for seq in seqs], dtype=np.int64)


def _at(values: Floats, places: NDArray[np.int64]) -> Floats:
    taken: Floats = values[places].copy()
    taken[places < 0] = 0
    return taken
