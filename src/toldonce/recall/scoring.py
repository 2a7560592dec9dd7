"""Candidates are scored against the question: each by itself, then the best with what was said around them.

What updates a better one is raised above it (`find_updates`).
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING

from toldonce.lang.registry import all_languages, combine_languages, unite_patterns, unite_words
from toldonce.recall.candidates import FEW, QueryVectors, Rankings, RecallSnapshot, SharedReads, measure_similarity
from toldonce.recall.query import Query, is_current_state_question, is_state_question
from toldonce.storage.store import Tables
from toldonce.storage.tables.search import UnitRow
from toldonce.text.words import fold_word

if TYPE_CHECKING:
    from toldonce.recall.features import Floats, ScoringQuestion, Similarity
    from toldonce.times.reader import Window

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
# What updates another result scores this much more than it.
STEP = 0.05
_OWN = ("words", "vectors")


@dataclass(frozen=True, slots=True)
class RankedView:
    """What the signals found by one view, and how many results are wanted of it."""

    reading: RecallSnapshot
    found: Rankings
    wanted: int


def score_candidates(
    ranked: Sequence[RankedView], query: Query, *, vectors: QueryVectors | None, wide: int
) -> list[dict[int, float]]:
    """For each view how likely each candidate is what is asked for, 0 to 1; the neighbours of the best ones count too.

    Candidates are the first `wide` of each ranking; when more than are wanted are, those that promise less are left
    out. Those of all views are scored together, which costs little more than those of one.
    """
    worth = [select_candidates(view.found, limit=wide) for view in ranked]
    asked = [place for place, view in enumerate(ranked) if worth[place] and not view.found.is_statement]
    found = _score_for_question([ranked[place] for place in asked], query, [worth[p] for p in asked], vectors=vectors)
    scores = dict(zip(asked, found, strict=True))
    for place, view in enumerate(ranked):
        if worth[place] and view.found.is_statement:
            scores[place] = _score_for_statement(view.reading, query, worth[place], view.found, vectors=vectors)
    from toldonce.recall.features import to_chances

    return [to_chances(scores.get(place, {}), by_words=vectors is None) for place in range(len(ranked))]


def _score_for_question(
    ranked: Sequence[RankedView], query: Query, worth: Sequence[Sequence[int]], *, vectors: QueryVectors | None
) -> list[dict[int, float]]:
    """The scores of what is worth it by each view: each record by itself, then the best with what is around them."""
    if not ranked:
        return []
    shared = ranked[0].reading.shared
    tables, rankings = shared.tables, [view.found for view in ranked]
    candidates = list(dict.fromkeys(chain.from_iterable(worth)))
    is_fetched = tables.fetch_ahead(
        lambda t: shared.on(t).read_units(candidates), lambda t: _candidate_similarity(t, candidates, rankings, vectors)
    )
    if is_fetched:
        shared.read_units(candidates)
    alike = _candidate_similarity(tables, candidates, rankings, vectors)
    filled = [_fill_middle(alike, seqs, view.found) for view, seqs in zip(ranked, worth, strict=True)]
    promising = [
        _order_by_promise(some, view.found, wanted=view.wanted) for view, some in zip(ranked, filled, strict=True)
    ]
    shared.read_units(chain.from_iterable(promising))
    chosen = [view.reading.visible_units(seqs) for view, seqs in zip(ranked, promising, strict=True)]
    units = list({unit.seq: unit for some in chosen for unit in some}.values())
    if not units:
        return [{} for _ in ranked]
    told = _tells_of_times(tables, [unit.seq for unit in units], query.windows)
    question = _scoring_question(query, units, told, rankings[0], by_words=vectors is None)
    alone = _score_groups(question, units, chosen, _similarity_alone(units, filled, alike))
    best = [_best_units(some, scored.scores) for some, scored in zip(chosen, alone, strict=True)]
    units = _join_neighbours(shared, list({unit.seq: unit for some in best for unit in some}.values()), vectors)
    around = measure_similarity(tables, [unit.seq for unit in units], vectors)
    question = _scoring_question(query, units, told, rankings[0], by_words=vectors is None)
    joined = [_with_neighbours(shared, some, units) for some in best] if len(best) > 1 else [units]
    closer = _score_groups(question, units, joined, around, follows=shared.follows)
    found = []
    for view, before, some, scored in zip(ranked, alone, joined, closer, strict=True):
        shown = view.reading.filter_shown(some)
        scores = before.scores | {unit.seq: scored.scores[unit.seq] for unit in shown}
        found.append(scores | _raise_updates(question, shown, scored))
    return found


def _with_neighbours(shared: SharedReads, best: Sequence[UnitRow], units: Sequence[UnitRow]) -> list[UnitRow]:
    """Those among the units that are the best by a view, or messages around them."""
    near = {place for unit in best for place in shared.places_around(unit.seq, reach=AROUND)}
    near |= {unit.seq for unit in best}
    return [unit for unit in units if unit.seq in near]


def _score_groups(
    question: ScoringQuestion,
    units: Sequence[UnitRow],
    groups: Sequence[Sequence[UnitRow]],
    similarity: Similarity,
    *,
    follows: Mapping[int, int] | None = None,
) -> list[UnitScores]:
    """What the units of each group score among themselves."""
    from toldonce.recall import features

    place_of = {unit.seq: place for place, unit in enumerate(units)}
    places = [[place_of[unit.seq] for unit in group] for group in groups]
    scores = features.score_groups(question, units, similarity, places, follows=follows)
    return [UnitScores(group, own) for group, own in zip(groups, scores, strict=True)]


class UnitScores:
    """What units scored, by their places in the store."""

    __slots__ = ("scores",)

    def __init__(self, units: Sequence[UnitRow], scores: Floats) -> None:
        self.scores: dict[int, float] = dict(zip([unit.seq for unit in units], scores.tolist(), strict=True))


def _raise_updates(question: ScoringQuestion, units: Sequence[UnitRow], scored: UnitScores) -> dict[int, float]:
    """The scores of those that update a better unit, each a little above it."""
    found = find_updates(question, units, [scored.scores[unit.seq] for unit in units])
    return {
        units[newer].seq: scored.scores[units[older].seq] + STEP * (len(found) - rank)
        for rank, (newer, older) in enumerate(found.items())
    }


def _best_units(units: Sequence[UnitRow], scores: Mapping[int, float]) -> list[UnitRow]:
    """The best units, as far as they come near the first."""
    best = sorted(units, key=lambda unit: -scores[unit.seq])[:CLOSER]
    return [unit for unit in best if scores[unit.seq] >= scores[best[0].seq] - FAR_BEHIND]


def _score_for_statement(
    reading: RecallSnapshot, query: Query, worth: Sequence[int], found: Rankings, *, vectors: QueryVectors | None
) -> dict[int, float]:
    """Score what is related to a statement by meaning: by all candidates together, not by their neighbours."""
    from toldonce.recall import features

    units = reading.visible_units(worth)
    alike = measure_similarity(reading.tables, [unit.seq for unit in units], vectors, for_statement=True)
    question = _scoring_question(query, units, frozenset(), found)
    return UnitScores(units, features.score_units(question, units, alike)).scores


def select_candidates(found: Rankings, *, limit: int) -> list[int]:
    """Candidates worth scoring: the best by words and by vectors, and a few that only a name or a time found."""
    places = [seq for name, ranking in found.lists.items() for seq, _ in ranking[: limit if name in _OWN else FEW]]
    return list(dict.fromkeys(places))


def _candidate_similarity(
    tables: Tables, worth: Sequence[int], rankings: Sequence[Rankings], vectors: QueryVectors | None
) -> dict[int, float]:
    """About how alike each candidate that has a vector and the question are."""
    alike = dict(chain.from_iterable(found.lists.get("vectors", ()) for found in rankings))
    if vectors is not None and (others := [seq for seq in worth if seq not in alike]):
        alike |= vectors.nearby.similarity(tables, vectors.question, others, exact=False)
    return alike


def _fill_middle(alike: Mapping[int, float], worth: Sequence[int], found: Rankings) -> dict[int, float]:
    """The same for all candidates of one view: those without a vector get the middle of the others."""
    known = {seq: alike[seq] for seq in (*worth, *(seq for seq, _ in found.lists.get("vectors", ()))) if seq in alike}
    middle = sum(known.values()) / max(len(known), 1)
    return {seq: known.get(seq, middle) for seq in worth}


def _order_by_promise(alike: Mapping[int, float], found: Rankings, *, wanted: int) -> list[int]:
    """Candidates by what is known of them before they are read, best first: all that are wanted, and no more than are
    worth it or come near the first. `alike` says how alike each of them and the question are.
    """
    from toldonce.recall.features import WEIGHTS

    shares, said_then = dict(found.lists.get("words", ())), {seq for seq, _ in found.lists.get("time", ())}
    by_words = WEIGHTS["cover"] + WEIGHTS["around"]

    def promise(seq: int) -> float:
        dated = WEIGHTS["date"] if seq in said_then else 0.0
        return WEIGHTS["sim"] * alike[seq] + by_words * shares.get(seq, 0.0) + dated

    promises = sorted(((promise(seq), seq) for seq in alike), key=itemgetter(0), reverse=True)
    least = promises[0][0] - LITTLE_PROMISE
    others = (seq for promised, seq in promises[wanted : max(wanted, WORTH)] if promised >= least)
    return [*(seq for _, seq in promises[:wanted]), *others]


def _tells_of_times(tables: Tables, candidates: Sequence[int], windows: Sequence[Window]) -> frozenset[int]:
    """Which of these are about one of these times: "yesterday" in a message is the day before it."""
    return frozenset().union(*(tables.times.filter_by_time(candidates, w.start, w.end) for w in windows))


def _scoring_question(
    query: Query, units: Sequence[UnitRow], told: frozenset[int], found: Rankings, *, by_words: bool = False
) -> ScoringQuestion:
    from toldonce.recall import features

    named = features.authors_by_word(query.parts, units)
    words = tuple(w for w in query.parts if w not in named) or query.parts
    people = frozenset(author for authors in named.values() for author in authors)
    terms = features.weighted_terms(words, found.counts, size=found.size)
    return features.ScoringQuestion(query.text, terms, people, query.windows, told, found.is_statement, by_words)


def _join_neighbours(shared: SharedReads, best: Sequence[UnitRow], vectors: QueryVectors | None) -> list[UnitRow]:
    """The best and the messages around them."""
    own = {unit.seq for unit in best}
    around = [seq for seq in shared.read_windows(own, reach=AROUND) if seq not in own]
    shared.tables.fetch_ahead(
        lambda t: shared.on(t).read_units(around),
        lambda t: measure_similarity(t, [*(unit.seq for unit in best), *around], vectors),
    )
    return [*best, *shared.read_units(around)]


def _similarity_alone(
    units: Sequence[UnitRow], filled: Sequence[Mapping[int, float]], known: Container[int]
) -> Similarity:
    """How alike each is to the question, and which of them have vectors."""
    import numpy as np

    from toldonce.recall.features import Similarity

    sims = {seq: similarity for alike in filled for seq, similarity in alike.items()}
    whose = np.array([place for place, unit in enumerate(units) if unit.seq in known], dtype=np.int64)
    return Similarity(np.array([sims[unit.seq] for unit in units], dtype=np.float32), whose=whose)


# The first results are compared with the best of them, and few are moved: the first five stay the first five.
MOST_RIVALS, MOST_UPDATED, MOST_UPDATES = 5, 3, 2
# The share of the question that the newer unit must say in one place.
LEAST_SAID = 0.2
# The share of what the older unit says of the question in one place that the newer one must say in one place too; less
# is enough beside a word of change.
SAME_MATTER, CHANGED_MATTER = 1 / 2, 1 / 3
# How far a newer unit may score behind the first one without a word of change: when it only answers the question again,
# and when it names another value. The first reach holds too where a word of change alone is no evidence.
REACH, VALUE_REACH = 2.0, 3.0
_LONGEST = 4000
_CLAUSE = re.compile(r"[^.!?;,:\n()–—]+(?:[.,:](?=\d)[^.!?;,:\n()–—]+)*")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = re.compile(r"[^\W\d_]+")

_changed = unite_patterns(lambda language: language.questions.changed, r"(?<![\w'])(?:{})(?![\w'])")
_days = unite_words(lambda language: (*language.calendar.words.months, *language.calendar.words.weekdays))


@combine_languages
def _number_words() -> dict[str, str]:
    """Words for exact numbers from two on; "one" is an article as often."""
    tables = [language.calendar.words for language in all_languages()]
    return {
        word: str(number)
        for table in tables
        for word, number in table.numbers.items()
        if number > 1 and word not in table.vague_numbers
    }


@dataclass(frozen=True)
class _Passage:
    """The place in a text where most of the question's words stand together.

    `held` has the weight of each word that is there, and `share` says how much of the question that is. `words` are
    those of the place and of the clause after it, where values are read as well, unless the question has `asked` them.
    """

    held: Floats
    share: float
    words: str
    asked: frozenset[str]

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers that it names, in figures."""
        table = _number_words()
        spelled = (table[word] for word in _WORD.findall(self.words) if word in table)
        return frozenset({*_NUMBER.findall(self.words), *spelled} - self.asked)

    @cached_property
    def days(self) -> frozenset[str]:
        """The months and days of the week that it names."""
        return _days().intersection(_WORD.findall(self.words))

    @cached_property
    def has_change(self) -> bool:
        """Whether it has a word of change."""
        return _changed().search(self.words) is not None

    def is_same_matter(self, older: _Passage, *, least: float) -> bool:
        """Whether it has at least this share of what the older one says of the question."""
        whole = float(older.held.sum())
        return bool(whole) and float(self.held.clip(max=older.held).sum()) / whole >= least

    def has_other_value(self, older: _Passage) -> bool:
        """Whether both name a number, or both a day, and this one names another."""
        is_other_number = bool(older.numbers) and not self.numbers <= older.numbers
        return is_other_number or (bool(older.days) and not self.days <= older.days)

    def changes_value(self, older: _Passage) -> bool:
        """Whether it has a word of change and another value: the clearest sign of an update."""
        return self.has_change and self.has_other_value(older)


def find_updates(question: ScoringQuestion, units: Sequence[UnitRow], scores: Sequence[float]) -> dict[int, int]:
    """The places of units that update a better one, in order, each with the place of the one that it updates.

    None where the question does not ask for a state.
    """
    if question.is_statement or question.windows or not is_state_question(question.text):
        return {}
    order = sorted(range(len(units)), key=lambda place: -scores[place])[:MOST_RIVALS]
    rivals = _find_later(units, order)
    involved = list(dict.fromkeys(place for older, later in rivals.items() for place in (older, *later)))
    if not involved:
        return {}
    passages = dict(zip(involved, _read_passages(question, [units[place].text for place in involved]), strict=True))
    asks_now = is_current_state_question(question.text)
    found: dict[int, int] = {}
    for older, later in rivals.items():
        if older not in found:
            before, is_first = passages[older], older == order[0]
            chosen = [
                place
                for place in later
                if _is_update(
                    passages[place],
                    before,
                    scores[older] - scores[place],
                    asks_now=asks_now,
                    is_first=is_first,
                )
            ]
            chosen.sort(key=lambda place: not passages[place].changes_value(before))
            new = [place for place in chosen if place not in found]
            found |= dict.fromkeys(new[: MOST_UPDATES - len(found)], older)
    return found


def _is_update(newer: _Passage, older: _Passage, behind: float, *, asks_now: bool, is_first: bool) -> bool:
    """Whether the newer one updates the older one, behind which it scores so far.

    Where the question may be about the past, another value beside a word of change is the only evidence; below the
    first place a word of change is.
    """
    if newer.share < LEAST_SAID:
        return False
    is_same = newer.is_same_matter(older, least=SAME_MATTER)
    if not asks_now:
        return is_same and behind < REACH and newer.changes_value(older)
    if not is_first:
        return is_same and behind < REACH and newer.has_change
    if newer.has_change:
        return newer.is_same_matter(older, least=CHANGED_MATTER)
    return is_same and behind < (VALUE_REACH if newer.has_other_value(older) else REACH)


def _find_later(units: Sequence[UnitRow], order: Sequence[int]) -> dict[int, list[int]]:
    """For each of the first places those after it that the same person said later; those without any are left out."""
    later = {
        older: [place for place in order[rank + 1 :] if _is_said_later(units[place], units[older])]
        for rank, older in enumerate(order[:MOST_UPDATED])
    }
    return {older: places for older, places in later.items() if places}


def _is_said_later(unit: UnitRow, first: UnitRow) -> bool:
    """Whether the same person said it afterwards. An assistant repeats what it has read."""
    is_same_author = (unit.author, unit.role) == (first.author, first.role)
    return is_same_author and unit.role != "assistant" and (unit.at, unit.seq) > (first.at, first.seq)


def _read_passages(question: ScoringQuestion, texts: Sequence[str]) -> list[_Passage]:
    """The passage of each text that holds most of the question's words."""
    import numpy as np

    from toldonce.recall.unit_texts import find_held_terms

    clauses = [_CLAUSE.findall(fold_word(text[:_LONGEST])) or [""] for text in texts]
    weights = np.array(list(question.terms.values()), dtype=np.float32)
    whole = float(weights.sum()) or 1.0
    held = find_held_terms(question.terms, [clause for some in clauses for clause in some]) * weights
    asked = frozenset(_NUMBER.findall(question.text))
    passages, start = [], 0
    for some in clauses:
        rows = held[start : start + len(some)]
        start += len(some)
        begin, end = _find_densest_span(rows)
        best = rows[begin:end].max(axis=0)
        passages.append(_Passage(best, float(best.sum()) / whole, " ".join(some[begin : end + 1]), asked))
    return passages


def _find_densest_span(held: Floats) -> tuple[int, int]:
    """Where the one or two clauses begin and end that hold most; among equals the first single clause."""
    if len(held) == 1:
        return 0, 1
    alone = held.sum(axis=1)
    joined = held[:-1].clip(min=held[1:]).sum(axis=1)
    begin = int(alone.argmax())
    if joined.max() <= alone[begin]:
        return begin, begin + 1
    begin = int(joined.argmax())
    return begin, begin + 2
