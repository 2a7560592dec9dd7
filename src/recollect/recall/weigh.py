"""Candidates and their neighbours are read from the store, and each is weighed as evidence for the question."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from recollect.keep.search_table import UnitRow
from recollect.keep.store import Store, Tables
from recollect.recall.query import Query

# More neighbours than one on either side cost more than they find.
AROUND = 1

if TYPE_CHECKING:
    from recollect.recall.evidence import Likeness, Question
    from recollect.recall.search import Vectors


def weigh(
    store: Store, query: Query, candidates: Collection[int], *, counts: Mapping[str, int], size: int,
    vectors: Vectors | None,
) -> dict[int, float]:  # fmt: skip
    """How likely each candidate is what the question asks for, 0 to 1."""
    from recollect.recall import evidence

    if not candidates:
        return {}
    question, units, likeness = gather(store, query, candidates, counts=counts, size=size, vectors=vectors)
    chances = evidence.chances(evidence.score(question, units, likeness)).tolist()
    wanted = set(candidates)
    return {unit.seq: chance for unit, chance in zip(units, chances, strict=True) if unit.seq in wanted}


def gather(
    store: Store, query: Query, candidates: Collection[int], *, counts: Mapping[str, int], size: int,
    vectors: Vectors | None,
) -> tuple[Question, list[UnitRow], Likeness]:  # fmt: skip
    """The question, the candidates with their neighbours, and how alike each is to the question."""
    from recollect.recall import evidence

    units = _units(store, candidates)
    named = evidence.people_named(query.terms, units)
    words = tuple(w for w in query.terms if w not in named) or query.terms
    people = frozenset(author for authors in named.values() for author in authors)
    terms = evidence.weighed_terms(words, counts, size=size)
    question = evidence.Question(query.text, terms, people, query.windows)
    return question, units, _likeness(units, vectors)


def _units(store: Store, candidates: Collection[int]) -> list[UnitRow]:
    def read(tables: Tables) -> list[UnitRow]:
        rows = tables.search.units(candidates, around=AROUND)
        near = {seq for row in rows for seq in (*row.before, *row.after)}.difference(candidates)
        return rows + (tables.search.neighbours(near) if near else [])

    return store.read(read)


def _likeness(units: Sequence[UnitRow], vectors: Vectors | None) -> Likeness:
    import numpy as np

    from recollect.recall.evidence import Likeness

    if vectors is None:
        return Likeness.none(len(units))
    found = vectors.nearby.parts([unit.seq for unit in units])
    sims = np.zeros(len(units), dtype=np.float32)
    rows = []
    for place, unit in enumerate(units):
        mine = found.get(unit.seq)
        if mine is not None:
            cosines = mine @ vectors.question
            sims[place] = cosines.max()
            mine = mine[np.argsort(-cosines)]
        rows.append(mine)
    centre, reshape = vectors.nearby.shape()
    return Likeness(sims, rows, reshape, centre)
