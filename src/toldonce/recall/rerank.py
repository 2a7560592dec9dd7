"""The first hits, ordered by what the engine found and by a reranker that reads question and text together.

Hits come in and go out best first. A reranker that fails changes nothing: the engine's order stands.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from toldonce.errors import ModelError
from toldonce.recall.rank import reciprocal_rank
from toldonce.records import Hit, Record, Signal

if TYPE_CHECKING:
    from toldonce.models.reranker import Reranker

NAME = "reranker"
# The number of hits given to the reranker; a smaller limit selects from these.
DEPTH = 20
# Both orders count alike; the constant is the one that reciprocal ranks are usually joined with.
_WEIGHTS = {"engine": 1.0, NAME: 1.0}
_K = 60
# About what a small cross-encoder reads of a text; some servers refuse more.
_MOST_CHARS = 2000
# After a failure it is left alone for so long, so that not every recall waits for a server that is away.
_REST = timedelta(minutes=1)

log = logging.getLogger("toldonce")


class Reranking:
    """A reranker at work; remembers when it failed."""

    def __init__(self, reranker: Reranker) -> None:
        self.reranker = reranker
        self._failed_at: datetime | None = None

    def order(self, question: str, hits: list[Hit], *, now: datetime) -> list[Hit]:
        """The same hits, the first `DEPTH` of them in the joint order."""
        first, rest = hits[:DEPTH], hits[DEPTH:]
        if len(first) < 2 or self._is_paused(now):
            return hits
        try:
            scores = _check_rerank_scores(
                self.reranker.scores(question, [text_for_reranker(hit.record) for hit in first]), len(first)
            )
        except ModelError as problem:
            self._failed_at = now
            log.warning("the reranker is left out for a minute: %s", problem)
            return hits
        return join_rankings(first, scores) + rest

    def _is_paused(self, now: datetime) -> bool:
        return self._failed_at is not None and self._failed_at <= now < self._failed_at + _REST


def text_for_reranker(record: Record) -> str:
    """A record as a reranker reads it: who said it or its title, then its text.

    "I" in a message is its author, whom questions name. The date stays out: the engine reckons with times, while a
    reranker would match the figures of one.
    """
    return ": ".join(part for part in (record.author, record.title, record.text) if part)[:_MOST_CHARS]


def join_rankings(hits: Sequence[Hit], scores: Sequence[float]) -> list[Hit]:
    """Hits by the reciprocal ranks of both orders; ties keep the engine's order.

    The engine's scores are reassigned, the highest to the first, so that a score still says how good the hit at that
    place is for the question. Each hit's reasons give its own score and both of its places.
    """
    own = range(len(hits))
    reranked = sorted(own, key=lambda place: -scores[place])
    lists = {"engine": [(place, 0.0) for place in own], NAME: [(place, 0.0) for place in reranked]}
    fused = reciprocal_rank(lists, weights=_WEIGHTS, k=_K)
    given = sorted((hit.score for hit in hits), reverse=True)
    order = sorted(own, key=lambda place: -fused[place])
    ranks = {place: rank for rank, place in enumerate(reranked, start=1)}
    return [
        _add_rerank_signal(hits[place], score, place=place + 1, rank=ranks[place])
        for place, score in zip(order, given, strict=True)
    ]


def was_reranked(hit: Hit) -> bool:
    """Whether a reranker had a say in a hit's place."""
    return any(signal.name == NAME for signal in hit.why.signals)


def _add_rerank_signal(hit: Hit, score: float, *, place: int, rank: int) -> Hit:
    signal = Signal(NAME, rank, _WEIGHTS[NAME], f"without it #{place} with {hit.score:.2f}")
    return replace(hit, score=score, why=replace(hit.why, signals=(*hit.why.signals, signal)))


def _check_rerank_scores(scores: Sequence[float], count: int) -> Sequence[float]:
    if len(scores) != count:
        raise ModelError(f"it answered {len(scores)} scores for {count} texts")
    try:
        numbers = [float(score) for score in scores]
    except (TypeError, ValueError):
        numbers = [math.nan]
    if not all(map(math.isfinite, numbers)):
        raise ModelError("it answered with something that is no number")
    return numbers
