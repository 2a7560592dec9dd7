"""Candidates and their neighbours are read from the store, and each is weighed as evidence for the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from recollect.keep.search_table import UnitRow
from recollect.keep.store import Store, Tables, View
from recollect.recall.query import Query

if TYPE_CHECKING:
    from recollect.recall.evidence import Likeness, Question
    from recollect.recall.search import Vectors

# How many neighbours on either side are read. Where only words search, the lesser candidates gain nothing by a second.
AROUND, AROUND_BY_WORDS = 2, 1


def weigh(
    store: Store, query: Query, candidates: Sequence[int], view: View, *, best: Sequence[int],
    counts: Mapping[str, int], size: int, vectors: Vectors | None,
) -> dict[int, float]:  # fmt: skip
    """How likely each candidate is what is asked for, 0 to 1; what stands around the best ones is weighed too."""
    from recollect.recall import evidence

    if not candidates:
        return {}
    others = AROUND_BY_WORDS if vectors is None else AROUND
    units, weighed = store.read(lambda t: _units(t, candidates, view, best=best, others=others))
    question = _question(query, units, counts=counts, size=size)
    chances = evidence.chances(evidence.score(question, units, _likeness(units, vectors))).tolist()
    return {unit.seq: chance for unit, chance in zip(units, chances, strict=True) if unit.seq in weighed}


def _question(query: Query, units: Sequence[UnitRow], *, counts: Mapping[str, int], size: int) -> Question:
    from recollect.recall import evidence

    named = evidence.people_named(query.terms, units)
    words = tuple(w for w in query.terms if w not in named) or query.terms
    people = frozenset(author for authors in named.values() for author in authors)
    return evidence.Question(query.text, evidence.weighed_terms(words, counts, size=size), people, query.windows)


def _units(
    tables: Tables, candidates: Sequence[int], view: View, *, best: Sequence[int], others: int
) -> tuple[list[UnitRow], set[int]]:
    """Everything that is read for the evidence, and which of it may be an answer."""
    chosen = set(candidates)
    rows = tables.search.units(best, around=AROUND)
    beside = {seq for row in rows for seq in (*row.before, *row.after)} - chosen
    chosen |= tables.search.visible(beside, view) if beside else set()
    rows += tables.search.units(chosen.difference(best), around=others)
    further = {seq for row in rows for seq in (*row.before, *row.after)} - chosen
    return rows + (tables.search.neighbours(further) if further else []), chosen


def _likeness(units: Sequence[UnitRow], vectors: Vectors | None) -> Likeness:
    import numpy as np

    from recollect.recall.evidence import Likeness, best_of

    if vectors is None:
        return Likeness.none(len(units))
    owners, rows = vectors.nearby.parts([unit.seq for unit in units])
    if not owners:
        return Likeness.none(len(units))
    place_of = {unit.seq: place for place, unit in enumerate(units)}
    centre, reshape = vectors.nearby.shape()
    whose = np.array([place_of[owner] for owner in owners])
    sims = best_of(rows @ vectors.question, whose, size=len(units))
    return Likeness(sims, rows, whose, reshape, centre, vectors.question)
