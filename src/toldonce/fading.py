"""How much time leaves of a record's strength. Numbers in, numbers out.

Import-free: hooks of coding agents load this module without the engine.
"""

from __future__ import annotations

import math


def remaining_strength(*, age_seconds: float, half_life_seconds: float | None) -> float:
    """How much strength is left, 1 to 0, after that time; all of it where there is no half-life."""
    if half_life_seconds is None or age_seconds <= 0:
        return 1.0
    return math.exp(-math.log(2) * (age_seconds / half_life_seconds))
