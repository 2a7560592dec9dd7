"""Figures for rankings: a ranking and its question come in, numbers between 0 and 1 and their means go out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from toldonce.bench.values import BenchQuestion

DEPTHS = (1, 5, 10, 20)
ALL = "ALL"
ROUNDS = 1000
_NOWHERE = 10**9

Scores = Mapping[str, float | None]


def score_ranking(ranking: Sequence[str], question: BenchQuestion) -> dict[str, float | None]:
    """Every figure of one ranking, best first. What does not apply to the question is None."""
    ranked = list(dict.fromkeys(ranking))
    return {
        **measure_relevance(ranked, question.gold),
        **measure_statements(ranked, question.groups, dated=question.dated),
    }


def measure_relevance(ranked: Sequence[str], gold: frozenset[str]) -> dict[str, float | None]:
    """Any, share and all of the wanted passages at each depth, NDCG at 10, and one over the place of the first."""
    wanted = [passage in gold for passage in ranked]
    found: dict[str, float | None] = {}
    for depth in DEPTHS:
        got = sum(wanted[:depth])
        found[f"hit@{depth}"] = float(got > 0)
        found[f"recall@{depth}"] = got / len(gold)
        found[f"all@{depth}"] = float(got == len(gold))
    found["ndcg@10"] = _discounted_gain(wanted[:10]) / _discounted_gain([True] * min(10, len(gold)))
    found["mrr"] = 1 / (wanted.index(True) + 1) if any(wanted) else 0.0
    return found


def measure_statements(
    ranked: Sequence[str], groups: Sequence[frozenset[str]], *, dated: bool
) -> dict[str, float | None]:
    """Whether several statements about one thing were all seen, and the newest of them above every older one.

    Where neither the newest nor an older one is there, or one passage makes both, `fresh` is a half.
    """
    found: dict[str, float | None] = {"both@20": None, "fresh": None, "new@5": None}
    if len(groups) < 2:
        return found
    place = {passage: at for at, passage in reversed(list(enumerate(ranked)))}
    firsts = [min((place.get(passage, _NOWHERE) for passage in group), default=_NOWHERE) for group in groups]
    found["both@20"] = float(all(first < 20 for first in firsts))
    if dated:
        newest, older = firsts[-1], min(firsts[:-1])
        found["fresh"] = 0.5 if newest == older else float(newest < older)
        found["new@5"] = float(newest < 5)
    return found


def summarise_scores(rows: Iterable[tuple[str, Scores]]) -> dict[str, dict[str, float]]:
    """The mean of each figure for each category, in order of their names, and for all; `n` counts the questions."""
    given = list(rows)
    groups: dict[str, list[Scores]] = {name: [] for name in sorted({category for category, _ in given})}
    for category, scores in given:
        groups[category].append(scores)
    return {name: mean_scores(some) for name, some in [*groups.items(), (ALL, [scores for _, scores in given])]}


def mean_scores(rows: Sequence[Scores]) -> dict[str, float]:
    """The mean of each figure over the rows that have it; a figure that none has is left out."""
    found: dict[str, float] = {"n": len(rows)}
    for name in dict.fromkeys(name for row in rows for name in row):
        values = [value for row in rows if (value := row.get(name)) is not None]
        if values:
            found[name] = math.fsum(values) / len(values)
    return found


def confidence_interval(values: Sequence[float], *, rounds: int = ROUNDS, seed: int = 0) -> tuple[float, float] | None:
    """Where the mean lies in 95 of 100 samples drawn from the values; None for fewer than two."""
    import numpy as np

    given = np.asarray(values, dtype=float)
    if len(given) < 2:
        return None
    drawn = np.random.default_rng(seed).integers(0, len(given), (rounds, len(given)))
    low, high = np.percentile(given[drawn].mean(axis=1), [2.5, 97.5])
    return float(low), float(high)


def _discounted_gain(wanted: Sequence[bool]) -> float:
    return math.fsum(1 / math.log2(place + 2) for place, is_wanted in enumerate(wanted) if is_wanted)
