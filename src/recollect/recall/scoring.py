"""Candidates are scored against the question: each by itself, then the best with what was said around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

from recollect.recall.candidates import RecallSnapshot
from recollect.recall.query import Query
from recollect.storage.store import Tables
from recollect.storage.tables.search import UnitRow

if TYPE_CHECKING:
    from recollect.recall.features import Floats, ScoringQuestion, Similarity
    from recollect.recall.search import QueryVectors, Rankings
    from recollect.times.reader import Window

# The number of most promising candidates that are scored at all.
WORTH = 80
# Candidates that promise this much less than the first are scored only if that many results are wanted.
LITTLE_PROMISE = 7.0
# The `CLOSER` best are scored again with the messages up to `AROUND` places before and after them, which are then
# candidates too. Reading further, or around more of them, costs twice the time and finds nothing more.
CLOSER = 30
AROUND = 2
# Candidates this far behind the first are seldom helped by their neighbours: leaving them out moved recall on no public
# set by more than half a point.
FAR_BEHIND = 5.5
# The number of candidates taken from rankings by name, attribute or time alone.
FEW = 10
# What updates another result scores this much more than it, so that rounding keeps the order.
STEP = 2e-4
_OWN = ("words", "vectors")


def score_candidates(
    reading: RecallSnapshot, query: Query, found: Rankings, *, vectors: QueryVectors | None, wide: int, wanted: int
) -> dict[int, float]:
    """How likely each candidate is what is asked for, 0 to 1; the neighbours of the best ones count too.

    Candidates are the first `wide` of each ranking; when more than `wanted` are, those that promise less are left out.
    """
    from recollect.recall import features

    worth, tables = select_candidates(found, limit=wide), reading.tables
    if not worth:
        return {}
    if found.is_statement:
        return _score_for_statement(reading, query, worth, found, vectors=vectors)
    alike = _candidate_similarity(tables, worth, found, vectors)
    units = reading.visible_units(_order_by_promise(worth, found, alike, wanted=wanted))
    if not units:
        return {}
    told = _tells_of_times(tables, [unit.seq for unit in units], query.windows)
    alone = features.score_units(_scoring_question(query, units, told, found), units, _similarity_alone(units, alike))
    chances = _unit_probabilities(units, alone)
    units, shown, follows = _join_neighbours(reading, _best_units(units, alone))
    around = measure_similarity(tables, [unit.seq for unit in units], vectors)
    asked = _scoring_question(query, units, told, found)
    closer = features.score_units(asked, units, around, follows=follows)
    chances.update((seq, chance) for seq, chance in _unit_probabilities(units, closer).items() if seq in shown)
    return chances | _raise_updates(asked, units, closer, shown=shown)


def _raise_updates(
    question: ScoringQuestion, units: Sequence[UnitRow], scores: Floats, *, shown: set[int]
) -> dict[int, float]:
    """The scores of those that update a better unit, each a little above it; all others keep theirs."""
    from recollect.recall import updates

    places = [place for place, unit in enumerate(units) if unit.seq in shown]
    among, chances = [units[place] for place in places], _unit_probabilities(units, scores)
    found = updates.find_updates(question, among, scores[places])
    return {
        among[newer].seq: chances[among[older].seq] + STEP * (len(found) - rank)
        for rank, (newer, older) in enumerate(found.items())
    }


def _best_units(units: Sequence[UnitRow], scores: Floats) -> list[UnitRow]:
    """The best units, as far as they come near the first."""
    order = (-scores).argsort(kind="stable")[:CLOSER]
    return [units[place] for place in order[scores[order] >= scores[order[0]] - FAR_BEHIND].tolist()]


def _score_for_statement(
    reading: RecallSnapshot, query: Query, worth: Sequence[int], found: Rankings, *, vectors: QueryVectors | None
) -> dict[int, float]:
    """Score what is related to a statement by meaning: by all candidates together, not by their neighbours."""
    from recollect.recall import features

    units = reading.visible_units(worth)
    alike = measure_similarity(reading.tables, [unit.seq for unit in units], vectors, for_statement=True)
    return _unit_probabilities(
        units, features.score_units(_scoring_question(query, units, frozenset(), found), units, alike)
    )


def _unit_probabilities(units: Sequence[UnitRow], scores: Floats) -> dict[int, float]:
    from recollect.recall import features

    return dict(zip((unit.seq for unit in units), features.to_probabilities(scores).tolist(), strict=True))


def select_candidates(found: Rankings, *, limit: int) -> list[int]:
    """Candidates worth scoring: the best by words and by vectors, and a few that only a name or a time found."""
    places = [seq for name, ranking in found.lists.items() for seq, _ in ranking[: limit if name in _OWN else FEW]]
    return list(dict.fromkeys(places))


def _candidate_similarity(
    tables: Tables, worth: Sequence[int], found: Rankings, vectors: QueryVectors | None
) -> dict[int, float]:
    """About how alike each candidate and the question are; one without a vector gets the middle of the others."""
    alike = dict(found.lists.get("vectors", ()))
    if vectors is not None and (others := [seq for seq in worth if seq not in alike]):
        alike |= vectors.nearby.similarity(tables, vectors.question, others, exact=False)
    middle = sum(alike.values()) / max(len(alike), 1)
    return {seq: alike.get(seq, middle) for seq in worth}


def _order_by_promise(worth: Sequence[int], found: Rankings, alike: Mapping[int, float], *, wanted: int) -> list[int]:
    """Candidates by what is known of them before they are read, best first: all that are wanted, and no more than are
    worth it or come near the first.
    """
    from recollect.recall.features import WEIGHTS

    shares, said_then = dict(found.lists.get("words", ())), {seq for seq, _ in found.lists.get("time", ())}
    by_words = WEIGHTS["cover"] + WEIGHTS["around"]

    def promise(seq: int) -> float:
        dated = WEIGHTS["date"] if seq in said_then else 0.0
        return WEIGHTS["sim"] * alike[seq] + by_words * shares.get(seq, 0.0) + dated

    promises = sorted(((promise(seq), seq) for seq in worth), key=itemgetter(0), reverse=True)
    least = promises[0][0] - LITTLE_PROMISE
    others = (seq for promised, seq in promises[wanted : max(wanted, WORTH)] if promised >= least)
    return [*(seq for _, seq in promises[:wanted]), *others]


def _tells_of_times(tables: Tables, candidates: Sequence[int], windows: Sequence[Window]) -> frozenset[int]:
    """Which of these are about one of these times: "yesterday" in a message is the day before it."""
    return frozenset().union(*(tables.times.filter_by_time(candidates, w.start, w.end) for w in windows))


def _scoring_question(query: Query, units: Sequence[UnitRow], told: frozenset[int], found: Rankings) -> ScoringQuestion:
    from recollect.recall import features

    named = features.authors_by_word(query.terms, units)
    words = tuple(w for w in query.terms if w not in named) or query.terms
    people = frozenset(author for authors in named.values() for author in authors)
    terms = features.weighted_terms(words, found.counts, size=found.size)
    return features.ScoringQuestion(query.text, terms, people, query.windows, told, found.is_statement)


def _join_neighbours(
    reading: RecallSnapshot, best: Sequence[UnitRow]
) -> tuple[list[UnitRow], set[int], dict[int, int]]:
    """The best and the messages around them, which of all may be an answer, and which follows which."""
    own = {unit.seq for unit in best}
    windows = reading.tables.search.read_windows(own, reach=AROUND)
    around = sorted({seq for window in windows for seq in window} - own)
    reading.follows = follows = {one: after for window in windows for one, after in pairwise(window)}
    others = reading.read_units(around)
    return [*best, *others], own.union(unit.seq for unit in others if unit.is_shown), follows


def _similarity_alone(units: Sequence[UnitRow], alike: Mapping[int, float]) -> Similarity:
    """How alike each is to the question, and no more."""
    import numpy as np

    from recollect.recall.features import Similarity

    return Similarity(np.array([alike[unit.seq] for unit in units], dtype=np.float32))


def measure_similarity(
    tables: Tables, seqs: Sequence[int], vectors: QueryVectors | None, *, for_statement: bool = False
) -> Similarity:
    """How alike these are to the question; to a remark less, where they are like much else in the store."""
    import numpy as np

    from recollect.recall.features import Similarity, best_per_unit

    if vectors is None or not seqs:
        return Similarity.without_vectors(len(seqs))
    owners, rows = vectors.nearby.chunk_vectors(tables, seqs)
    if not owners:
        return Similarity.without_vectors(len(seqs))
    place_of = {seq: place for place, seq in enumerate(seqs)}
    centre, reshape = vectors.nearby.whitening()
    whose = np.array([place_of[owner] for owner in owners])
    sims = best_per_unit(np.vecdot(rows, vectors.question), whose, size=len(seqs))
    found = Similarity(sims, rows, whose, reshape, centre, vectors.question)
    return found.without_crowding(vectors.nearby.crowding(rows)) if for_statement else found
