"""The final score of a candidate, the order of candidates and the choice among them. Pure functions over values.

Import-free: hooks of coding agents load this module without the engine, so that both rank in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence

from toldonce.fading import remaining_strength

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping
    from typing import Protocol, TypeVar

    class Identified(Protocol):
        """Something with an id and a kind: a record, or a row that a hook read."""

        @property
        def id(self) -> str:
            """Its name in the store."""

        @property
        def kind(self) -> str:
            """The name of its kind."""

    AnyItem = TypeVar("AnyItem")
    AnyRecord = TypeVar("AnyRecord", bound=Identified)

Ranking = Sequence[tuple[int, float]]
# The most records that are read for what a prompt always shows.
MOST_STANDING = 400


def reciprocal_rank(rankings: Mapping[str, Ranking], *, weights: Mapping[str, float], k: int) -> dict[int, float]:
    """The fused score of each record, 0 to 1, where 1 is first place in every ranking that found anything."""
    used = {name: ranking for name, ranking in rankings.items() if ranking and weights.get(name, 0) > 0}
    best = sum(weights[name] for name in used) / (k + 1)
    scores: dict[int, float] = {}
    for name, ranking in used.items():
        for rank, (record, _) in enumerate(ranking, start=1):
            scores[record] = scores.get(record, 0.0) + weights[name] / (k + rank) / best
    return scores


class Ageing:
    """What time and use did to a record: how long ago it was used, how often, and whether it is kept from fading."""

    __slots__ = ("access_count", "age_seconds", "half_life_seconds", "is_kept")

    def __init__(
        self, *, age_seconds: float, half_life_seconds: float | None, is_kept: bool, access_count: int
    ) -> None:
        self.age_seconds = age_seconds
        self.half_life_seconds = half_life_seconds
        self.is_kept = is_kept
        self.access_count = access_count


def score_parts(
    names: Container[str], *, fused: float, similarity: float, ageing: Ageing, frequent_at: int
) -> dict[str, float]:
    """The named parts of a score, each 0 to 1, that a preset gives weights to.

    `frequent_at` uses are as many as count. Age takes nothing from what a person validated or pinned.
    """
    parts = {"fused": fused, "similarity": similarity, "frequency": min(ageing.access_count / frequent_at, 1.0)}
    if "recency" in names:
        half_life = None if ageing.is_kept else ageing.half_life_seconds
        parts["recency"] = remaining_strength(age_seconds=ageing.age_seconds, half_life_seconds=half_life)
    return {name: part for name, part in parts.items() if name in names}


def weigh_parts(parts: Mapping[str, float], weights: Mapping[str, float], *, kind_weight: float) -> float:
    """The score that a preset's weights give to the parts of a score."""
    return sum(weight * parts[name] for name, weight in weights.items()) * kind_weight


def order_key(score: float, *, fused: float, at_seconds: float) -> tuple[float, float, float]:
    """Sorts best first; among equals what two signals agree on, then the newest."""
    return (-score, -fused, -at_seconds)


def order_standing(pinned: Sequence[AnyRecord], standing: Sequence[AnyRecord], kinds: Sequence[str]) -> list[AnyRecord]:
    """What a prompt always shows, each once: pinned records, then the others by the order of the kinds.

    Records of one kind stay in the order in which they come in.
    """
    place = {name: number for number, name in enumerate(kinds)}
    by_kind = sorted(standing, key=lambda record: place[record.kind])
    return list({record.id: record for record in [*pinned, *by_kind]}.values())


def diversify_hits(
    scored: Sequence[tuple[float, AnyItem]],
    *,
    limit: int,
    diversity: float,
    alike: Callable[[AnyItem, AnyItem], float],
) -> list[AnyItem]:
    """The best `limit` by maximal marginal relevance: each next one is relevant and unlike those before it.

    Items come with their scores, best first.
    """
    if diversity <= 0 or len(scored) <= 1:
        return [item for _, item in scored[:limit]]
    chosen, left = [scored[0][1]], list(scored[1:])
    nearest = [alike(item, chosen[0]) for _, item in left]
    while left and len(chosen) < limit:
        gains = [(1 - diversity) * score - diversity * near for (score, _), near in zip(left, nearest, strict=True)]
        pick = max(range(len(left)), key=gains.__getitem__)
        best = left.pop(pick)[1]
        nearest.pop(pick)
        chosen.append(best)
        nearest = [max(near, alike(item, best)) for (_, item), near in zip(left, nearest, strict=True)]
    return chosen
