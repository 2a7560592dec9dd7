"""Chooses the lines of a prompt block: one list, by what each candidate is worth for its tokens. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from toldonce.records import Reason

# How much the cost of a candidate counts against its chance: with 1 short lines would push out likely long ones.
_COST_COUNTS = 0.35
# What adds less than this share of its chance to what is chosen already says nothing new.
_LEAST_NEW = 0.25


@dataclass(frozen=True, slots=True)
class BlockCandidate:
    """Something that a block may tell: its chance to help, its cost in tokens, its words, and what it was read from.

    `covers` are the ids of what a reader knows with it: itself, and the messages whose words it holds.
    """

    id: str
    chance: float
    cost: int
    words: frozenset[str] = field(repr=False)
    covers: frozenset[str] = frozenset()


def choose_candidates(candidates: Sequence[BlockCandidate], *, budget: int, least: float) -> list[BlockCandidate]:
    """The candidates that are worth their place, the best first, until nothing more is or the budget is spent.

    One that retells what is chosen is worth as much less as it repeats.
    """
    open_ones = {one.id: one for one in candidates if one.chance >= least}
    novelty = dict.fromkeys(open_ones, 1.0)
    chosen: list[BlockCandidate] = []
    left = budget
    while open_ones:
        best = max(open_ones.values(), key=lambda one: (_worth(one, novelty[one.id]), -one.cost, one.id))
        del open_ones[best.id]
        if best.cost > left or novelty[best.id] < _LEAST_NEW or best.chance * novelty[best.id] < least:
            continue
        chosen.append(best)
        left -= best.cost
        for one in open_ones.values():
            novelty[one.id] = min(novelty[one.id], _newness(one, best))
    return chosen


def explain_choice(
    candidates: Sequence[BlockCandidate], chosen: Sequence[BlockCandidate], *, least: float
) -> dict[str, Reason]:
    """Why the others were not chosen, by their ids: too unlikely to help, repeated by a chosen one, or no room."""
    kept = {one.id for one in chosen}
    reasons = {}
    for one in candidates:
        if one.id in kept:
            continue
        chance = round(one.chance, 3)
        if one.chance < least:
            reasons[one.id] = Reason("weak", {"score": chance, "least": least})
        elif any(_newness(one, other) < _LEAST_NEW for other in chosen):
            reasons[one.id] = Reason("retold", {"score": chance})
        else:
            reasons[one.id] = Reason("no_room", {"needs": one.cost, "score": chance})
    return reasons


def _worth(candidate: BlockCandidate, novelty: float) -> float:
    cost: float = max(candidate.cost, 1) ** _COST_COUNTS
    return candidate.chance * novelty / cost


def _newness(candidate: BlockCandidate, chosen: BlockCandidate) -> float:
    """The share of a candidate that a chosen one does not say already."""
    if candidate.covers and candidate.covers <= chosen.covers:
        return 0.0
    if not candidate.words:
        return 1.0
    return len(candidate.words - chosen.words) / len(candidate.words)
