"""Candidates are weighed as evidence for the question: each by itself, then the best with what was said around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from recollect.keep.search_table import UnitRow
from recollect.keep.store import Store, Tables, View
from recollect.recall.asks import asks_something
from recollect.recall.query import Query

if TYPE_CHECKING:
    from recollect.recall.evidence import Likeness, Question
    from recollect.recall.search import Vectors
    from recollect.recall.when import Window

# So many of the best candidates are weighed again with the messages up to so many places before and after them, which
# are then answers too. Reading further, or around more of them, costs twice the time and finds nothing more.
CLOSER = 30
AROUND = 2


def weigh(
    store: Store, query: Query, candidates: Sequence[int], view: View, *, counts: Mapping[str, int], size: int,
    vectors: Vectors | None, alike: Mapping[int, float],
) -> dict[int, float]:  # fmt: skip
    """How likely each candidate is what is asked for, 0 to 1; what stands around the best ones is weighed too.

    `alike` is what is known already of how alike candidates and the question are.
    """
    from recollect.recall import evidence

    if not candidates:
        return {}
    is_remark = not asks_something(query.text)
    asked = () if is_remark else query.windows
    units, told = store.read(lambda t: (t.search.units(candidates), _telling(t, candidates, asked)))
    question = _question(query, units, told, counts=counts, size=size)
    alone = evidence.score(
        question, units, _likeness(units, vectors) if is_remark else _by_itself(units, vectors, alike)
    )
    found = dict(zip((unit.seq for unit in units), evidence.chances(alone).tolist(), strict=True))
    # What a remark brings to mind is told by meaning: by all candidates together, not by what was said around them.
    if is_remark:
        return found
    best = [units[place] for place in (-alone).argsort(kind="stable")[:CLOSER].tolist()]
    units, weighed = store.read(lambda t: _together(t, best, view))
    question = _question(query, units, told, counts=counts, size=size)
    chances = evidence.chances(evidence.score(question, units, _likeness(units, vectors))).tolist()
    found.update((unit.seq, chance) for unit, chance in zip(units, chances, strict=True) if unit.seq in weighed)
    return found


def _telling(tables: Tables, candidates: Sequence[int], windows: Sequence[Window]) -> frozenset[int]:
    """Which of these tell of one of these times: "yesterday" in a message is the day before it."""
    return frozenset().union(*(tables.times.telling(candidates, w.start, w.end) for w in windows))


def _question(
    query: Query, units: Sequence[UnitRow], told: frozenset[int], *, counts: Mapping[str, int], size: int
) -> Question:
    from recollect.recall import evidence

    named = evidence.people_named(query.terms, units)
    words = tuple(w for w in query.terms if w not in named) or query.terms
    people = frozenset(author for authors in named.values() for author in authors)
    terms = evidence.weighed_terms(words, counts, size=size)
    return evidence.Question(query.text, terms, people, query.windows, told)


def _together(tables: Tables, best: Sequence[UnitRow], view: View) -> tuple[list[UnitRow], set[int]]:
    """The best and the messages around them, each with its neighbours, and which of all may be an answer."""
    own = {unit.seq for unit in best}
    windows = tables.search.windows(own, reach=AROUND)
    others, shown = tables.search.units_in_view({seq for window in windows for seq in window} - own, view)
    after = {one: next_ for window in windows for one, next_ in pairwise(window)}
    before = {next_: one for one, next_ in after.items()}
    units = [
        UnitRow(*unit[:6], before=_steps(unit.seq, before), after=_steps(unit.seq, after)) for unit in (*best, *others)
    ]
    return units, own | shown


def _steps(seq: int, step: Mapping[int, int]) -> tuple[int, ...]:
    """Where one and two steps lead."""
    first = step.get(seq)
    second = step.get(first) if first is not None else None
    return () if first is None else (first,) if second is None else (first, second)


def _by_itself(units: Sequence[UnitRow], vectors: Vectors | None, alike: Mapping[int, float]) -> Likeness:
    """How alike each is to the question, and no more."""
    import numpy as np

    from recollect.recall.evidence import Likeness

    likeness = _likeness([unit for unit in units if unit.seq not in alike], vectors)
    others = iter(likeness.sims.tolist())
    sims = [alike[unit.seq] if unit.seq in alike else next(others) for unit in units]
    return Likeness(np.array(sims, dtype=np.float32))


def _likeness(units: Sequence[UnitRow], vectors: Vectors | None) -> Likeness:
    import numpy as np

    from recollect.recall.evidence import Likeness, best_of

    if vectors is None or not units:
        return Likeness.none(len(units))
    owners, rows = vectors.nearby.parts([unit.seq for unit in units])
    if not owners:
        return Likeness.none(len(units))
    place_of = {unit.seq: place for place, unit in enumerate(units)}
    centre, reshape = vectors.nearby.shape()
    whose = np.array([place_of[owner] for owner in owners])
    sims = best_of(rows @ vectors.question, whose, size=len(units))
    return Likeness(sims, rows, whose, reshape, centre, vectors.question)
