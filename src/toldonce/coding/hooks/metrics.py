"""Runs of the learning job become figures: what sessions spent on finding their way, with memory and without.

Nothing is guessed: a saving is the difference between sessions that had memory and sessions that had none, and it is
called one only when there are enough of both.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from toldonce.storage.tables.jobs import Run

ENOUGH = 30
# From this many sessions on there is a first figure, which says less than a comparison of enough of both sorts.
FIRST = 10
_FEWEST_OF_EACH = 3
_TRIMMED = 0.1
_DRAWS = 2_000
_SEED = 20_260_503


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFigures:
    """One session: what it spent before its first edit, and what memory did in it."""

    agent: str
    session: str
    at: datetime
    with_memory: bool
    discovery_tokens: int
    discovery_calls: int
    search_phase: int
    edits: int
    shown: int
    shown_tokens: int
    searched: int
    used: int
    kept: int
    latency_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFigures:
    """What memory did in all sessions of a project, or of a system.

    A hit is a memory that was shown and whose file the session then read or changed; `coverage` is the share of
    sessions in which memory had something to show. `first_saving` is there from ten sessions with edits on: how many
    discovery tokens less the middle session spent with memory than without, or, where all had memory, the later half
    than the earlier one; `saving_basis` says which.
    """

    sessions: int
    shown: int
    hits: int
    hit_rate: float
    coverage: float
    shown_tokens: int
    latency_ms: float
    first_saving: float | None = None
    saving_basis: Literal["with and without memory", "later and earlier sessions", ""] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionGroup:
    """Sessions of one sort: how many, and their middle."""

    sessions: int
    median: float
    trimmed_mean: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionComparison:
    """Discovery tokens without memory and with it; `saved` and its interval only where there are enough sessions."""

    without: SessionGroup
    with_memory: SessionGroup
    saved: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def is_enough(self) -> bool:
        """Whether there are enough sessions with and without memory to compare them."""
        return min(self.without.sessions, self.with_memory.sessions) >= ENOUGH


def newest_session_figures(runs: Iterable[Run]) -> list[SessionFigures]:
    """The newest figures of each session, oldest session first; runs come newest first."""
    newest: dict[str, Run] = {}
    for run in runs:
        if run.status == "completed" and "discovery_tokens" in run.counts:
            newest.setdefault(run.key, run)
    return sorted(map(_session_of_run, newest.values()), key=lambda one: one.at)


def compare_sessions(sessions: Sequence[SessionFigures]) -> SessionComparison:
    """How much less sessions with memory spent on discovery; those that changed nothing are left out."""
    working = [one for one in sessions if one.edits]
    without = [one.discovery_tokens for one in working if not one.with_memory]
    with_memory = [one.discovery_tokens for one in working if one.with_memory]
    found = SessionComparison(without=_summarise_group(without), with_memory=_summarise_group(with_memory))
    if not found.is_enough:
        return found
    low, high = _saving_interval(without, with_memory)
    saved = found.without.trimmed_mean - found.with_memory.trimmed_mean
    return SessionComparison(without=found.without, with_memory=found.with_memory, saved=saved, low=low, high=high)


def summarise_memory(sessions: Sequence[SessionFigures]) -> MemoryFigures:
    """Hits, coverage, latency and the first figure of what was saved, over these sessions, oldest first."""
    shown, hits = sum(one.shown for one in sessions), sum(one.used for one in sessions)
    saving, basis = _first_saving([one for one in sessions if one.edits])
    return MemoryFigures(
        sessions=len(sessions),
        shown=shown,
        hits=hits,
        hit_rate=hits / shown if shown else 0.0,
        coverage=sum(one.shown > 0 for one in sessions) / len(sessions) if sessions else 0.0,
        shown_tokens=sum(one.shown_tokens for one in sessions),
        latency_ms=_median_of([one.latency_ms for one in sessions if one.latency_ms]),
        first_saving=saving,
        saving_basis=basis,
    )


def _first_saving(
    working: Sequence[SessionFigures],
) -> tuple[float | None, Literal["with and without memory", "later and earlier sessions", ""]]:
    if len(working) < FIRST:
        return None, ""
    without = [one.discovery_tokens for one in working if not one.with_memory]
    with_memory = [one.discovery_tokens for one in working if one.with_memory]
    if min(len(without), len(with_memory)) >= _FEWEST_OF_EACH:
        return _median_of(without) - _median_of(with_memory), "with and without memory"
    tokens = [one.discovery_tokens for one in working]
    half = len(tokens) // 2
    return _median_of(tokens[:half]) - _median_of(tokens[half:]), "later and earlier sessions"


def draw_bars(rows: Sequence[tuple[str, int, str]], *, columns: int) -> list[str]:
    """A chart of text: name, bar and number, the longest bar filling the line."""
    most = max((number for _, number, _ in rows), default=0)
    if not most:
        return []
    names = max(len(name) for name, _, _ in rows)
    room = max(10, columns - names - 12)
    return [f"{name:<{names}}  {sign * max(1, round(room * n / most)) if n else ''} {n:,}" for name, n, sign in rows]


def _session_of_run(run: Run) -> SessionFigures:
    _, agent, session = (*run.key.split(":", 2), "", "")[:3]
    names = (
        "search_phase",
        "discovery_calls",
        "edits",
        "shown",
        "shown_tokens",
        "searched",
        "used",
        "kept",
        "latency_ms",
    )
    counts = {name: int(run.counts.get(name, 0)) for name in names}
    spent = int(run.counts["discovery_tokens"]) + int(run.counts.get("subagents", 0))
    return SessionFigures(
        agent=agent,
        session=session,
        at=run.started_at,
        with_memory=bool(run.counts.get("with_memory")),
        discovery_tokens=spent,
        **counts,
    )


def _summarise_group(numbers: Sequence[int]) -> SessionGroup:
    return SessionGroup(sessions=len(numbers), median=_median_of(numbers), trimmed_mean=_trimmed_mean(numbers))


def _median_of(numbers: Sequence[float]) -> float:
    ordered = sorted(numbers)
    half = len(ordered) // 2
    if not ordered:
        return 0.0
    return float(ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2)


def _trimmed_mean(numbers: Sequence[float]) -> float:
    cut = int(len(numbers) * _TRIMMED)
    kept = sorted(numbers)[cut : len(numbers) - cut]
    return sum(kept) / len(kept) if kept else 0.0


def _saving_interval(without: Sequence[int], with_memory: Sequence[int]) -> tuple[float, float]:
    """Between which savings 95 of 100 redrawn sets of sessions lie; the same for the same sessions."""
    chance = random.Random(_SEED)
    draw: Callable[[Sequence[int]], float] = lambda n: _trimmed_mean(chance.choices(n, k=len(n)))  # noqa: E731
    savings = sorted(draw(without) - draw(with_memory) for _ in range(_DRAWS))
    return savings[int(_DRAWS * 0.025)], savings[int(_DRAWS * 0.975) - 1]
