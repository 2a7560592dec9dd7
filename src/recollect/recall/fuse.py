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


def signals_of(
    record: int, rankings: Mapping[str, Ranking], *, weights: Mapping[str, float], details: Mapping[str, str]
) -> tuple[Signal, ...]:
    """Which rankings found a record, and at which rank."""
    found = []
    for name, ranking in rankings.items():
        rank = next((i for i, (r, _) in enumerate(ranking, start=1) if r == record), 0)
        if rank:
            found.append(Signal(name, rank, weights.get(name, 0.0), details.get(name, "")))
    return tuple(found)
