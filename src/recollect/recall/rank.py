"""The final score of a candidate and the choice among candidates. Pure functions over values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect.kinds import Kind, recency
from recollect.presets.policy import RecallPolicy
from recollect.records import Record


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that some signal found."""

    seq: int
    record: Record
    fused: float
    similarity: float


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its final score and the parts it is made of."""

    candidate: Candidate
    score: float
    parts: Mapping[str, float]


def score(candidate: Candidate, kind: Kind, *, policy: RecallPolicy, now: datetime) -> Scored:
    """The score of a candidate, 0 to 1, from the parts that the preset weighs."""
    parts = {
        "fused": candidate.fused,
        "similarity": candidate.similarity,
        "recency": recency(candidate.record, kind, now=now),
        "frequency": min(candidate.record.access_count / policy.frequent_at, 1.0),
    }
    total = sum(weight * parts[name] for name, weight in policy.score.items()) * kind.weight
    return Scored(candidate, min(total, 1.0), {name: parts[name] for name in policy.score})


def in_order(scored: Sequence[Scored]) -> list[Scored]:
    """Best first; among equals what two signals agree on, then the newest."""
    return sorted(scored, key=lambda s: (-s.score, -s.candidate.fused, -s.candidate.record.at.timestamp()))


def diversify(
    scored: Sequence[Scored], *, limit: int, diversity: float, alike: Callable[[Record, Record], float]
) -> list[Scored]:
    """The best `limit` by maximal marginal relevance: each next one is relevant and unlike those before it."""
    if diversity <= 0 or len(scored) <= 1:
        return list(scored[:limit])
    left, chosen = list(scored), [scored[0]]
    left.remove(scored[0])
    nearest = [alike(s.candidate.record, scored[0].candidate.record) for s in left]
    while left and len(chosen) < limit:
        gains = [(1 - diversity) * s.score - diversity * near for s, near in zip(left, nearest, strict=True)]
        pick = max(range(len(left)), key=gains.__getitem__)
        best = left.pop(pick)
        nearest.pop(pick)
        chosen.append(best)
        nearest = [max(n, alike(s.candidate.record, best.candidate.record)) for s, n in zip(left, nearest, strict=True)]
    return chosen


def coverage(terms: Sequence[str], text_words: frozenset[str]) -> float:
    """The share of the question's words that a text holds, counting shared beginnings of four letters or more."""
    if not terms:
        return 0.0
    return sum(_covers(term, text_words) for term in terms) / len(terms)


def _covers(term: str, words: frozenset[str]) -> float:
    if term in words:
        return 1.0
    stem = term[: max(4, len(term) - 3)]
    return 0.8 if len(term) >= 4 and any(w.startswith(stem) for w in words) else 0.0
