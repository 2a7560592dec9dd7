"""How alike two sets of words are."""

from __future__ import annotations

from collections.abc import Set


def jaccard(one: Set[str], other: Set[str]) -> float:
    """How much two sets of words have in common, 0 to 1."""
    return len(one & other) / len(one | other) if one and other else 0.0
