"""Likeness of meaning: how alike the question and each unit are, and what the likest units would bring to mind.

Pure numbers over vectors; a text of several parts has a row for each, and its best part counts. Products are taken row
by row: a matrix product of this size would wake threads that cost more than they save.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Places = NDArray[np.int64]

ECHOES = 4
# Of what a record has in common with many others, this share is taken off its likeness to a remark. What the remark
# calls up is then heard from so many records, the likest loudest; one that holds more than a few of its words is meant.
COMMON, CALLED_UP, LOUDNESS, FEW_WORDS = 0.4, 6, 20.0, 0.2


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike in meaning the question is to each unit; a row of vectors for each part of a text, and whose it is;
    the shape that all vectors have in common; the vector that asks; what is taken off the likeness of each row.
    """

    sims: Floats
    rows: Floats | None = None
    whose: Places | None = None
    reshape: Floats | None = None
    centre: Floats | None = None
    asked: Floats | None = None
    off: Floats | None = None

    @classmethod
    def none(cls, size: int) -> Likeness:
        """When there are no vectors."""
        return cls(np.zeros(size, dtype=np.float32))

    def less(self, common: Floats | None) -> Likeness:
        """The same with a share of what each row has in common with the store taken off its likeness."""
        if common is None or self.rows is None or self.whose is None or self.asked is None:
            return self
        off = np.float32(COMMON) * common
        sims = best_of(np.vecdot(self.rows, self.asked) - off, self.whose, size=len(self.sims))
        return replace(self, sims=sims, off=off)


def echo(rough: Floats, likeness: Likeness) -> Floats:
    """Likeness to what the few best-looking units say, which may use the words that the question lacks."""
    if likeness.reshape is None or likeness.centre is None or likeness.rows is None or likeness.whose is None:
        return np.zeros(len(rough), dtype=np.float32)
    # The part of a text that is most like the question speaks for it.
    cosines = np.zeros(0) if likeness.asked is None else np.vecdot(likeness.rows, likeness.asked)
    order = np.lexsort((-cosines, -rough[likeness.whose]))
    best = likeness.rows[_one_each(order, likeness.whose)[:ECHOES]]
    asked = np.vecdot(likeness.reshape, best.mean(axis=0) - np.float32(0.5) * likeness.centre)
    asked /= max(float(np.linalg.norm(asked)), 1e-6)
    return best_of(np.vecdot(likeness.rows, asked), likeness.whose, size=len(rough))


def called_up(likeness: Likeness, cover: Floats | None = None) -> Floats:
    """Likeness to what the units likest to a remark say, the likest loudest, less what is taken off.

    `cover` is the share of the remark's words that each unit holds, where that is known.
    """
    rows, whose, asked, off = likeness.rows, likeness.whose, likeness.asked, likeness.off
    reshape, centre = likeness.reshape, likeness.centre
    if rows is None or whose is None or asked is None or off is None or reshape is None or centre is None:
        return np.zeros(len(likeness.sims), dtype=np.float32)
    alike = np.vecdot(rows, asked) - off
    if cover is not None:
        alike += np.maximum(0, cover - np.float32(FEW_WORDS))[whose]
    best = _one_each((-alike).argsort(kind="stable"), whose)[:CALLED_UP]
    loud = np.exp(np.float32(LOUDNESS) * (alike[best] - alike[best].max()))
    heard = np.vecdot(reshape, loud @ rows[best] / loud.sum() - np.float32(0.5) * centre)
    heard /= max(float(np.linalg.norm(heard)), 1e-6)
    return best_of(np.vecdot(rows, heard) - off, whose, size=len(likeness.sims))


def best_of(values: Floats, whose: Places, *, size: int) -> Floats:
    """The highest value of each unit; the middle of all for one that has none."""
    best = np.full(size, -np.inf, dtype=np.float32)
    np.maximum.at(best, whose, values)
    lacking = np.isneginf(best)
    if lacking.any():
        best[lacking] = best[~lacking].mean() if len(whose) else 0
    return best


def _one_each(order: Places, whose: Places) -> Places:
    """Of rows in order, the first of each unit."""
    _, first = np.unique(whose[order], return_index=True)
    chosen: Places = order[np.sort(first)]
    return chosen
