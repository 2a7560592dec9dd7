"""What a score is worth: the chance that a record helps with the question it was found for. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Calibration:
    """How scores become chances, fitted on questions with known evidence: `benchmarks/chances.py` fits it again.

    A record counts by its own score, by how far it is behind the best, and by how far the best is ahead of the third,
    which tells whether anything stands out at all.
    """

    base: float
    score: float
    behind: float
    ahead: float


# With vectors, and where words alone find what they can.
BY_MEANING = Calibration(base=-3.16, score=0.107, behind=1.078, ahead=0.99)
BY_WORDS = Calibration(base=-3.49, score=0.347, behind=1.006, ahead=0.788)
_THIRD = 2


def to_chances(scores: Mapping[int, float], calibration: Calibration) -> dict[int, float]:
    """The chance of each record, 0 to 1, in the order of their scores."""
    ordered = sorted(scores, key=lambda seq: -scores[seq])
    if not ordered:
        return {}
    best, third = scores[ordered[0]], scores[ordered[min(_THIRD, len(ordered) - 1)]]
    ahead = calibration.base + calibration.ahead * (best - third)
    return {
        seq: _logistic(ahead + calibration.score * scores[seq] + calibration.behind * (scores[seq] - best))
        for seq in ordered
    }


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0
