"""Several rankings of the same records become one, by weighted reciprocal rank. Pure functions over lists."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence

from recollect.recall.explain import signal
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


def places_in(
    rankings: Mapping[str, Ranking], *, among: Container[int], of: Container[int]
) -> dict[str, dict[int, int]]:  # fmt: skip
    """For each ranking, at which place among some records it has those that are asked about."""
    places: dict[str, dict[int, int]] = {}
    for name, ranking in rankings.items():
        counted = (seq for seq, _ in ranking if seq in among)
        places[name] = {seq: rank for rank, seq in enumerate(counted, start=1) if seq in of}
    return places


def signals_of(
    record: int, places: Mapping[str, Mapping[int, int]], *, weights: Mapping[str, float],
    details: Mapping[str, str | Callable[[], str]],
) -> tuple[Signal, ...]:  # fmt: skip
    """Which rankings found a record, and at which place; a detail that has to be found out is, when it is asked for."""
    return tuple(
        signal(name, ranks[record], weights.get(name, 0.0), details.get(name, ""))
        for name, ranks in places.items()
        if record in ranks
    )
