"""Several rankings of the same records become one, by weighted reciprocal rank. Pure functions over lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recollect.records import Signal

Ranking = Sequence[tuple[int, float]]


def reciprocal_rank(rankings: Mapping[str, Ranking], *, weights: Mapping[str, float], k: int) -> dict[int, float]:
    """The fused score of each record, 0 to 1, where 1 is first place in every ranking that found anything."""
    used = {name: ranking for name, ranking in rankings.items() if ranking and weights.get(name, 0) > 0}
    best = sum(weights[name] for name in used) / (k + 1)
    scores: dict[int, float] = {}
    for name, ranking in used.items():
        for rank, (record, _) in enumerate(ranking, start=1):
            scores[record] = scores.get(record, 0.0) + weights[name] / (k + rank) / best
    return scores


def places_in(rankings: Mapping[str, Ranking]) -> dict[str, dict[int, int]]:
    """For each ranking, at which place it has each record."""
    return {name: {seq: rank for rank, (seq, _) in enumerate(ranking, start=1)} for name, ranking in rankings.items()}


def signals_of(
    record: int, places: Mapping[str, Mapping[int, int]], *, weights: Mapping[str, float], details: Mapping[str, str]
) -> tuple[Signal, ...]:
    """Which rankings found a record, and at which place."""
    return tuple(
        Signal(name, ranks[record], weights.get(name, 0.0), details.get(name, ""))
        for name, ranks in places.items()
        if record in ranks
    )
