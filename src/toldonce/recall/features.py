"""How well a record answers a question, by a few pieces of evidence weighed together.

Pure numbers over values: which of the question's words the record and its neighbours hold, similarity of meaning, who
said it, when, and what sort of question it is. The weights were fitted on public question sets; each piece earned its
place there, and `docs/ranking.md` says by how much.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from toldonce.clock import to_micros
from toldonce.recall.candidates import term_weight
from toldonce.recall.query import (
    is_about_assistant,
    is_course_question,
    is_help_request,
    is_summary_request,
    is_time_question,
)
from toldonce.recall.unit_texts import (
    TextTraits,
    count_first_person,
    match_terms,
    names_a_time,
    read_traits,
    tells_preference,
)
from toldonce.storage.tables.search import UnitRow as Unit
from toldonce.text.words import fold_word, stem_of_word
from toldonce.times.reader import Window

Floats = NDArray[np.float32]
Places = NDArray[np.int64]

WEIGHTS: Mapping[str, float] = {
    "cover": 1.8, "around": 3.8, "answers": 3.3, "near": 3.0, "kin": 3.7, "sim": 4.9, "echo": 3.1, "next": 0.5,
    "author": 0.9, "first": 1.1, "reply": -2.8, "reply_asked": 4.0, "reply_summary": 1.5, "question": -0.5,
    "long": -1.1, "time": 1.4, "date": 3.6, "tells": 1.0,
    "wish": 2.5, "late": -1.2,
}  # fmt: skip
NAMES = tuple(WEIGHTS)
# A statement asks nothing: related records need not be near its words, and a time it names is its own. Such a result is
# a guess, which scores less than an answer.
STATEMENT: Mapping[str, float] = {"echo": 1.6, "around": 0.0, "answers": 0.0, "next": 0.0, "date": 0.0}
GUESS = 0.6
# A request for help describes its topic in other words than earlier messages did.
HELP: Mapping[str, float] = {"cover": 0.5, "around": 0.5}
# Without vectors nothing tells which of the messages around a hit are to the point: what a record says counts
# more than anything around it.
BY_WORDS: Mapping[str, float] = {"cover": 2.5, "around": 0.6, "answers": 0.5, "next": 0.0}
SHORT, SHORT_NEIGHBOUR, LONG = 50.0, 30.0, 60.0
# An instruction applies to its topic: in full from this similarity, or share of the question's words, on.
ON_TOPIC = 0.3
DAY = 86_400_000_000.0


@dataclass(frozen=True, slots=True)
class ScoringQuestion:
    """A question as the features see it: its stems with their weights, the people and the times it names.

    `told` are the places of units known to be about such a time. `by_words` if no vectors help to find them.
    """

    text: str
    terms: Mapping[str, float]
    people: frozenset[str] = frozenset()
    windows: tuple[Window, ...] = ()
    told: frozenset[int] = frozenset()
    is_statement: bool = False
    by_words: bool = False

    @property
    def wants_help(self) -> bool:
        """Whether it asks for help, not what somebody said of it."""
        return not self.people and is_help_request(self.text)


def weighted_terms(words: Sequence[str], counts: Mapping[str, int], *, size: int) -> dict[str, float]:
    """The stems of a question's words and how telling each is: rare ones more, words of the question's frame less."""
    found: dict[str, float] = {}
    for word in words:
        found.setdefault(stem_of_word(word), term_weight(word, counts.get(word, 0), size=size))
    return found


def authors_by_word(words: Sequence[str], units: Sequence[Unit]) -> dict[str, frozenset[str]]:
    """For each word of a question that is part of an author's name: the authors of that name."""
    authors = {fold_word(author) for author in {unit.author for unit in units} if author}
    named = {word: frozenset(a for a in authors if word in a.split()) for word in words}
    return {word: those for word, those in named.items() if those}


@dataclass(frozen=True, slots=True)
class Calibration:
    """How scores become chances, fitted on questions with known evidence: `benchmarks/chances.py` fits it again.

    A record counts by its own score, by how far it is behind the best, and by how far the best is ahead of the usual
    one: the mean of those from the third place to the tenth, which tells whether anything stands out at all.
    """

    base: float
    score: float
    behind: float
    ahead: float


# With vectors, and where words alone find what they can.
CALIBRATED = Calibration(base=-3.493, score=0.047, behind=1.102, ahead=0.872)
CALIBRATED_BY_WORDS = Calibration(base=-3.589, score=0.233, behind=1.077, ahead=0.821)
# The places of the usual ones. A single one would be no measure: the same thing said twice, or kept as a message and a
# fact, takes two.
_USUAL_FROM, _USUAL_TO = 2, 10


def usual_score(ordered: Sequence[float]) -> float:
    """The mean of the scores from the third place to the tenth; where nothing has a place, it counts as 0."""
    return sum(ordered[_USUAL_FROM:_USUAL_TO]) / (_USUAL_TO - _USUAL_FROM)


def to_chances(scores: Mapping[int, float], *, by_words: bool) -> dict[int, float]:
    """The chance of each record to help, 0 to 1, in the order of their scores."""
    calibration = CALIBRATED_BY_WORDS if by_words else CALIBRATED
    ordered = sorted(scores, key=lambda seq: -scores[seq])
    if not ordered:
        return {}
    best = scores[ordered[0]]
    ahead = calibration.base + calibration.ahead * (best - usual_score([scores[seq] for seq in ordered]))
    return {
        seq: _logistic(ahead + calibration.score * scores[seq] + calibration.behind * (scores[seq] - best))
        for seq in ordered
    }


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def score_units(
    question: ScoringQuestion,
    units: Sequence[Unit],
    similarity: Similarity,
    *,
    follows: Mapping[int, int] | None = None,
) -> Floats:
    """One number per unit; a higher one is better evidence. `follows` says which place comes after which."""
    return score_groups(question, units, similarity, [range(len(units))], follows=follows)[0]


def score_groups(
    question: ScoringQuestion,
    units: Sequence[Unit],
    similarity: Similarity,
    groups: Sequence[Sequence[int]],
    *,
    follows: Mapping[int, int] | None = None,
) -> list[Floats]:
    """The numbers of the units in each group, which is given by their places; units are compared within their group."""
    share = STATEMENT if question.is_statement else HELP if question.wants_help else {}
    by_words = BY_WORDS if question.by_words else {}
    weights = {
        name: np.float32(weight * share.get(name, 1.0) * by_words.get(name, 1.0)) for name, weight in WEIGHTS.items()
    }
    columns = _columns_alone(question, units, similarity, follows=follows)
    alone = _weigh_columns(columns, weights, size=len(units))
    found = []
    for group in groups:
        compared = _columns_in_group(question, units, columns, similarity, group) if group else {}
        scores = alone[group] + _weigh_columns(compared, weights, size=len(group))
        found.append(np.float32(GUESS) * scores if question.is_statement else scores)
    return found


def _weigh_columns(columns: Mapping[str, Floats], weights: Mapping[str, np.float32], *, size: int) -> Floats:
    """The weighted sum of these columns."""
    total: Floats = np.zeros(size, dtype=np.float32)
    for name, column in columns.items():
        total += weights[name] * column
    return total


def compute_features(
    question: ScoringQuestion,
    units: Sequence[Unit],
    similarity: Similarity,
    *,
    follows: Mapping[int, int] | None = None,
) -> Floats:
    """One row per unit with the columns of `NAMES`."""
    columns = _columns_alone(question, units, similarity, follows=follows)
    columns |= _columns_in_group(question, units, columns, similarity, range(len(units)))
    nothing = np.zeros(len(units), dtype=np.float32)
    return np.stack([columns.get(name, nothing) for name in NAMES], axis=1).astype(np.float32)


def _columns_alone(
    question: ScoringQuestion, units: Sequence[Unit], similarity: Similarity, *, follows: Mapping[int, int] | None
) -> dict[str, Floats]:
    """What does not depend on which units a unit is compared with; a column of zeros may be left out."""
    traits = [read_traits(unit.text) for unit in units]
    length = np.array([trait.length for trait in traits], dtype=np.float32)
    beside = _Neighbours(units, follows or {})
    columns = _word_features(question, units, traits, length=length, beside=beside)
    columns |= _circumstance_features(question, units, traits, length=length)
    if question.wants_help:
        near = np.maximum(similarity.sims, columns["cover"])
        columns["wish"] = _preference_match(traits, units, near=near)
    if beside.all is not None:
        columns["next"] = _need_for_neighbours(length) * _values_at(similarity.sims, beside.after)
    return columns


def _columns_in_group(
    question: ScoringQuestion,
    units: Sequence[Unit],
    columns: Mapping[str, Floats],
    similarity: Similarity,
    group: Sequence[int],
) -> dict[str, Floats]:
    """The columns that compare a unit with the others of its group; one of zeros may be left out."""
    places = np.array(group, dtype=np.int64)
    if len(group) < len(units):
        similarity = similarity.among(places)
    found = {"sim": similarity.sims}
    if similarity.off is not None:
        found["echo"] = similarity_to_recalled(similarity, columns["cover"][places])
    elif similarity.rows is not None:
        found["echo"] = similarity_to_best(_rough_scores(columns, similarity.sims, places), similarity)
    if is_course_question(question.text):
        found["late"] = _lateness_of_units([units[place] for place in group])
    return found


def _word_features(
    question: ScoringQuestion,
    units: Sequence[Unit],
    traits: Sequence[TextTraits],
    *,
    length: Floats,
    beside: _Neighbours,
) -> dict[str, Floats]:
    """What a unit and its neighbours hold of the question's words, and of words near them in meaning or form."""
    shares = np.array(list(question.terms.values()), dtype=np.float32)
    shares /= max(float(shares.sum()), 1e-6)
    held, kin, near = match_terms(question.terms, [trait.folded for trait in traits])
    cover = held @ shares
    lacking = (1 - held) * shares
    found = {"cover": cover, "near": np.vecdot(lacking, near), "kin": np.vecdot(lacking, kin)}
    if beside.all is None:
        return found | {"around": cover}
    needed, lent = _need_for_neighbours(length), np.minimum(1, SHORT_NEIGHBOUR / length)
    asks = np.array([trait.has_question for trait in traits], dtype=np.float32)
    voices = _speaker_numbers(units)
    wide = np.maximum(held, _values_at(held * lent[:, None], beside.all).max(axis=0) * needed[:, None])
    answers = needed * _values_at(cover * lent * asks, beside.before) * (voices != voices[beside.before])
    return found | {"around": wide @ shares, "answers": answers}


def _speaker_numbers(units: Sequence[Unit]) -> Places:
    """A number for who speaks in each unit: nobody answers their own question."""
    numbers: dict[tuple[str, str], int] = {}
    return np.array([numbers.setdefault((unit.author, unit.role), len(numbers)) for unit in units], dtype=np.int64)


def _circumstance_features(
    question: ScoringQuestion, units: Sequence[Unit], traits: Sequence[TextTraits], *, length: Floats
) -> dict[str, Floats]:
    """Who said it, when and how, against what sort of question it is; a column of zeros may be left out."""
    reply = np.array([unit.role == "assistant" for unit in units], dtype=np.float32)
    asks = np.array([trait.ends_with_question for trait in traits], dtype=np.float32)
    found = {
        "reply": reply,
        "question": asks * (1 - reply),
        "long": np.log(np.maximum(1, (1 + length) / (1 + LONG))),
    }
    if question.people:
        spoken = {author for author in {unit.author for unit in units} if fold_word(author) in question.people}
        found["author"] = np.array([unit.author in spoken for unit in units], dtype=np.float32)
        found["first"] = np.array([count_first_person(unit.text) for unit in units], dtype=np.float32)
    if is_about_assistant(question.text):
        found["reply_asked"] = reply
    if is_summary_request(question.text):
        found["reply_summary"] = reply
    if is_time_question(question.text):
        found["time"] = np.array([names_a_time(unit.text.casefold()) for unit in units], dtype=np.float32)
    if question.windows:
        found["date"] = _time_match(question.windows, units)
    if question.told:
        found["tells"] = np.array([unit.seq in question.told for unit in units], dtype=np.float32)
    return found


# What is added up for a first guess at which units fit, beside their similarity.
_ROUGH: Mapping[str, float] = {"cover": 4, "around": 3, "near": 2, "date": 3, "reply": -2, "reply_asked": 2}


def _rough_scores(columns: Mapping[str, Floats], sims: Floats, places: Places) -> Floats:
    """A first guess at which of the units at these places fit, to hear what they say."""
    guess = 4 * sims
    for name, weight in _ROUGH.items():
        if name in columns:
            guess += np.float32(weight) * columns[name][places]
    return guess


def _time_match(windows: Sequence[Window], units: Sequence[Unit]) -> Floats:
    """How near each unit's moment is to a time that the question names."""
    best = np.zeros(len(units), dtype=np.float32)
    moments = np.array([unit.at for unit in units], dtype=np.float64)
    for window in windows:
        start, end = to_micros(window.start), to_micros(window.end)
        softness = min(max((end - start) / DAY / 4, 3.0), 40.0)
        gaps = np.maximum(np.maximum(start - moments, moments - end), 0) / DAY
        best = np.maximum(best, np.exp(-gaps / softness).astype(np.float32))
    return best


def _preference_match(traits: Sequence[TextTraits], units: Sequence[Unit], *, near: Floats) -> Floats:
    """Which units say what their author prefers or wants of every answer, as far as it is near what is asked."""
    found = [
        unit.role != "assistant" and tells_preference(trait.folded) for unit, trait in zip(units, traits, strict=True)
    ]
    holds: Floats = np.array(found, dtype=np.float32) * np.clip(near / ON_TOPIC, 0, 1)
    return holds


def _lateness_of_units(units: Sequence[Unit]) -> Floats:
    """0 for what was said first, 1 for what was said last, by order of time."""
    late = np.zeros(len(units), dtype=np.float32)
    in_order = sorted(range(len(units)), key=lambda place: (units[place].at, units[place].seq))
    late[in_order] = np.linspace(0, 1, len(units))
    return late


def _need_for_neighbours(length: Floats) -> Floats:
    """How much a text needs its neighbours: all of it when it is short, less the longer it is."""
    needed: Floats = np.minimum(1, SHORT / length).astype(np.float32)
    return needed


class _Neighbours:
    """The rows of the units before and after each one, and `all` up to two places away; -1 where there is none."""

    def __init__(self, units: Sequence[Unit], follows: Mapping[int, int]) -> None:
        row = {unit.seq: place for place, unit in enumerate(units)} if follows else {}
        pairs = [(row[one], row[next_]) for one, next_ in follows.items() if one in row and next_ in row]
        there, following = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        before, after = np.full((2, len(units)), -1, dtype=np.int64)
        after[there], before[following] = following, there
        self.before, self.after = before, after
        self.all = np.stack((before, _step_twice(before), after, _step_twice(after))) if len(there) else None


def _step_twice(steps: Places) -> Places:
    """Where taking each step twice leads."""
    return np.where(steps >= 0, steps[steps], -1) if len(steps) else steps


def _values_at(values: Floats, places: Places) -> Floats:
    """The values at these places, 0 where a place is -1."""
    padded = np.concatenate((values, np.zeros_like(values[:1]))) if len(values) else values
    taken: Floats = padded[places]
    return taken


ECHOES = 4
# `COMMON` is the share of a record's similarity to many others that is subtracted from its similarity to a statement.
# The mean of the nearest `CALLED_UP` records, weighted by similarity (`LOUDNESS`), then finds what is related to it. A
# record that contains more than the share `FEW_WORDS` of its words counts as more similar.
COMMON, CALLED_UP, LOUDNESS, FEW_WORDS = 0.4, 6, 20.0, 0.2


@dataclass(frozen=True, slots=True)
class Similarity:
    """How alike in meaning the question is to each unit; a row of vectors for each part of a text, and whose it is;
    the shape that all vectors have in common; the vector that asks; what is taken off the similarity of each row.
    """

    sims: Floats
    rows: Floats | None = None
    whose: Places | None = None
    reshape: Floats | None = None
    centre: Floats | None = None
    asked: Floats | None = None
    off: Floats | None = None

    @classmethod
    def without_vectors(cls, size: int) -> Similarity:
        """When there are no vectors."""
        return cls(np.zeros(size, dtype=np.float32))

    def among(self, places: Places) -> Similarity:
        """The same for the units at these places alone; one that has no vector gets the middle of these."""
        sims = self.sims[places]
        if self.whose is None:
            return replace(self, sims=sims)
        number = np.full(len(self.sims), -1, dtype=np.int64)
        number[self.whose] = 0
        lacking = number[places] < 0
        if lacking.any():
            sims[lacking] = 0 if lacking.all() else sims[~lacking].mean()
        if self.rows is None or lacking.all():
            return Similarity(sims)
        number[:] = -1
        number[places] = np.arange(len(places))
        kept = np.flatnonzero(number[self.whose] >= 0)
        off = None if self.off is None else self.off[kept]
        return replace(self, sims=sims, rows=self.rows[kept], whose=number[self.whose[kept]], off=off)

    def without_crowding(self, common: Floats | None) -> Similarity:
        """The same, with a share of each row's similarity to the whole store subtracted."""
        if common is None or self.rows is None or self.whose is None or self.asked is None:
            return self
        off = np.float32(COMMON) * common
        sims = best_per_unit(np.vecdot(self.rows, self.asked) - off, self.whose, size=len(self.sims))
        return replace(self, sims=sims, off=off)


def similarity_to_best(rough: Floats, similarity: Similarity) -> Floats:
    """Likeness to what the few best-looking units say, which may use the words that the question lacks."""
    if similarity.reshape is None or similarity.centre is None or similarity.rows is None or similarity.whose is None:
        return np.zeros(len(rough), dtype=np.float32)
    # The part of a text that is most like the question speaks for it.
    cosines = np.zeros(0) if similarity.asked is None else np.vecdot(similarity.rows, similarity.asked)
    order = np.lexsort((-cosines, -rough[similarity.whose]))
    best = similarity.rows[_first_row_per_unit(order, similarity.whose)[:ECHOES]]
    asked = np.vecdot(similarity.reshape, best.mean(axis=0) - np.float32(0.5) * similarity.centre)
    asked /= max(float(np.linalg.norm(asked)), 1e-6)
    return best_per_unit(np.vecdot(similarity.rows, asked), similarity.whose, size=len(rough))


def similarity_to_recalled(similarity: Similarity, cover: Floats | None = None) -> Floats:
    """Likeness to what the units likest to a remark say, the likest loudest, less what is taken off.

    `cover` is the share of the remark's words that each unit holds, where that is known.
    """
    rows, whose, asked, off = similarity.rows, similarity.whose, similarity.asked, similarity.off
    reshape, centre = similarity.reshape, similarity.centre
    if rows is None or whose is None or asked is None or off is None or reshape is None or centre is None:
        return np.zeros(len(similarity.sims), dtype=np.float32)
    alike = np.vecdot(rows, asked) - off
    if cover is not None:
        alike += np.maximum(0, cover - np.float32(FEW_WORDS))[whose]
    best = _first_row_per_unit((-alike).argsort(kind="stable"), whose)[:CALLED_UP]
    loud = np.exp(np.float32(LOUDNESS) * (alike[best] - alike[best].max()))
    heard = np.vecdot(reshape, loud @ rows[best] / loud.sum() - np.float32(0.5) * centre)
    heard /= max(float(np.linalg.norm(heard)), 1e-6)
    return best_per_unit(np.vecdot(rows, heard) - off, whose, size=len(similarity.sims))


def best_per_unit(values: Floats, whose: Places, *, size: int) -> Floats:
    """The highest value of each unit; the middle of all for one that has none."""
    best = np.full(size, -np.inf, dtype=np.float32)
    np.maximum.at(best, whose, values)
    lacking = np.isneginf(best)
    if lacking.any():
        best[lacking] = best[~lacking].mean() if len(whose) else 0
    return best


def _first_row_per_unit(order: Places, whose: Places) -> Places:
    """Of rows in order, the first of each unit."""
    _, first = np.unique(whose[order], return_index=True)
    chosen: Places = order[np.sort(first)]
    return chosen
