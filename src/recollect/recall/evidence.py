"""How well a record answers a question, by a few pieces of evidence weighed together.

Pure numbers over values: which of the question's words the record and its neighbours hold, likeness of meaning, who
said it, when, and what sort of question it is. The weights were fitted on public question sets; each piece earned its
place there, and `docs/ranking.md` says by how much.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from recollect.clock import to_micros
from recollect.lang.registry import combined, languages, unite_patterns, unite_words
from recollect.recall.asks import (
    asks_for_a_summary,
    asks_for_help,
    asks_how_things_stand,
    asks_over_time,
    asks_the_assistant,
    asks_when,
)  # fmt: skip
from recollect.recall.likeness import Floats, Likeness, Places, called_up, echo
from recollect.recall.presence import presence
from recollect.recall.words import telling
from recollect.storage.tables.search import UnitRow as Unit
from recollect.text.fold import fold
from recollect.text.patterns import join_patterns
from recollect.text.stem import stem
from recollect.times.reader import Window

WEIGHTS: Mapping[str, float] = {
    "cover": 1.8, "around": 3.8, "answers": 3.3, "near": 3.0, "kin": 3.7, "sim": 4.9, "echo": 3.1, "next": 0.5,
    "author": 0.9, "first": 1.1, "reply": -2.8, "reply_asked": 4.0, "reply_summary": 1.5, "question": -0.5,
    "long": -1.1, "time": 1.4, "date": 3.6, "tells": 1.0,
    "wish": 2.5, "late": -1.2,
}  # fmt: skip
NAMES = tuple(WEIGHTS)
# A remark asks nothing: what it brings to mind need not stand where its words are spoken of, and a time it names is its
# own. It is a guess, which scores less than an answer does.
REMARK: Mapping[str, float] = {"echo": 1.6, "around": 0.0, "answers": 0.0, "next": 0.0, "date": 0.0}
GUESS = 0.6
# Whoever asks for help tells what it is about in other words than when it came up before.
HELP: Mapping[str, float] = {"cover": 0.5, "around": 0.5}
# Where a question asks how things stand, the newest of the candidates within this reach of the best gains so much.
NEWEST, REACH, ENOUGH_SAID = 2.0, 2.0, 0.7
MOST_RIVALS = 10
SHORT, SHORT_NEIGHBOUR, LONG = 50.0, 30.0, 60.0
# A wish holds for what it is about: in full from this much likeness, or share of the question's words, on.
ON_TOPIC = 0.3
DAY = 86_400_000_000.0
# What turns the sum into a score between 0 and 1: about 0.7 for the best answer to a usual question.
SLOPE, MIDDLE = 0.5, 9.0

# Words that name a time, and times in figures; looking words up takes a fifth of the time of one pattern for all.
_times = unite_words(lambda language: language.questions.time_words)


@combined
def _in_figures() -> re.Pattern[str]:
    figures = join_patterns(language.questions.time_figures for language in languages()) or "(?!)"
    return re.compile(rf"\b(?:(?:19|20)\d\d|{figures})\b")


_WORDS = re.compile(r"\w+")


# How people say what they want of every answer; a text without one of the signs is not looked at further.
@combined
def _wish_signs() -> tuple[str, ...]:
    return tuple(sign for language in languages() for sign in language.questions.wish_signs)


@combined
def _wish() -> re.Pattern[str]:
    return re.compile(join_patterns(language.questions.wish for language in languages()) or "(?!)")


_first_person_words = unite_patterns(lambda language: language.questions.first_person, r"\b(?:{})\b")


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the evidence sees it: its stems with how telling each is, the people and the times it names.

    `told` are the places of units known to tell of such a time.
    """

    text: str
    terms: Mapping[str, float]
    people: frozenset[str] = frozenset()
    windows: tuple[Window, ...] = ()
    told: frozenset[int] = frozenset()
    is_remark: bool = False

    @property
    def wants_help(self) -> bool:
        """Whether it asks for help, not what somebody said of it."""
        return not self.people and asks_for_help(self.text)


def weighed_terms(words: Sequence[str], counts: Mapping[str, int], *, size: int) -> dict[str, float]:
    """The stems of a question's words and how telling each is: rare ones more, words of the question's frame less."""
    found: dict[str, float] = {}
    for word in words:
        found.setdefault(stem(word), telling(word, counts.get(word, 0), size=size))
    return found


def people_named(words: Sequence[str], units: Sequence[Unit]) -> dict[str, frozenset[str]]:
    """For each word of a question that is part of an author's name: the authors of that name."""
    authors = {fold(author) for author in {unit.author for unit in units} if author}
    named = {word: frozenset(a for a in authors if word in a.split()) for word in words}
    return {word: those for word, those in named.items() if those}


def chances(scores: Floats) -> Floats:
    """Scores as shares between 0 and 1."""
    result: Floats = 1 / (1 + np.exp(-SLOPE * (scores - MIDDLE)))
    return result


def score(
    question: Question, units: Sequence[Unit], likeness: Likeness, *, follows: Mapping[int, int] | None = None
) -> Floats:
    """One number per unit; a higher one is better evidence. `follows` says which place comes after which."""
    share = REMARK if question.is_remark else HELP if question.wants_help else {}
    row = np.array([WEIGHTS[name] * share.get(name, 1.0) for name in NAMES], dtype=np.float32)
    pieces = features(question, units, likeness, follows=follows)
    scores: Floats = pieces @ row
    if question.is_remark:
        return np.float32(GUESS) * scores
    if question.windows or not asks_how_things_stand(question.text):
        return scores
    return scores + NEWEST * _newest(units, scores, pieces[:, NAMES.index("cover")])


def features(
    question: Question, units: Sequence[Unit], likeness: Likeness, *, follows: Mapping[int, int] | None = None
) -> Floats:
    """One row per unit with the columns of `NAMES`."""
    texts = [fold(unit.text) for unit in units]
    length = np.array([text.count(" ") + 1 for text in texts], dtype=np.float32)
    beside = _Beside(units, follows or {})
    columns = _by_words(question, units, texts, length=length, beside=beside)
    columns |= _by_circumstance(question, units, length=length)
    columns["sim"] = likeness.sims
    columns["wish"] = np.zeros_like(length)
    if question.wants_help:
        columns["wish"] = _wishes(texts, units, near=np.maximum(likeness.sims, columns["cover"]))
    columns["next"] = _short(length) * _at(likeness.sims, beside.after)
    columns["echo"] = echo(_rough(columns), likeness) if likeness.off is None else called_up(likeness, columns["cover"])
    return np.stack([columns[name] for name in NAMES], axis=1).astype(np.float32)


def _by_words(
    question: Question, units: Sequence[Unit], texts: Sequence[str], *, length: Floats, beside: _Beside
) -> dict[str, Floats]:
    """What a unit and its neighbours hold of the question's words, and of words near them in meaning or form."""
    shares = np.array(list(question.terms.values()), dtype=np.float32)
    shares /= max(float(shares.sum()), 1e-6)
    held, kin, near = presence(question.terms, texts)
    cover = (held * shares).sum(axis=1)
    lent = np.minimum(1, SHORT_NEIGHBOUR / length)
    asks = np.array(["?" in unit.text for unit in units], dtype=np.float32)
    voices = _voices(units)
    wide = held
    if beside.all is not None:
        wide = np.maximum(held, _at(held * lent[:, None], beside.all).max(axis=0) * _short(length)[:, None])
    return {
        "cover": cover,
        "around": (wide * shares).sum(axis=1),
        "answers": _short(length) * _at(cover * lent * asks, beside.before) * (voices != voices[beside.before]),
        "near": ((1 - held) * near * shares).sum(axis=1),
        "kin": ((1 - held) * kin * shares).sum(axis=1),
    }


def _voices(units: Sequence[Unit]) -> Places:
    """A number for who speaks in each unit: nobody answers their own question."""
    numbers: dict[tuple[str, str], int] = {}
    return np.array([numbers.setdefault((unit.author, unit.role), len(numbers)) for unit in units], dtype=np.int64)


def _by_circumstance(question: Question, units: Sequence[Unit], *, length: Floats) -> dict[str, Floats]:
    """Who said it, when and how, against what sort of question it is."""
    nothing = np.zeros(len(units), dtype=np.float32)
    reply = np.array([unit.role == "assistant" for unit in units], dtype=np.float32)
    asks = np.array([unit.text.rstrip().endswith("?") for unit in units], dtype=np.float32)
    spoken = {author for author in {unit.author for unit in units} if fold(author) in question.people}
    author = np.array([unit.author in spoken for unit in units], dtype=np.float32)
    return {
        "author": author,
        "first": _first_person(units) if question.people else nothing,
        "reply": reply,
        "reply_asked": reply * asks_the_assistant(question.text),
        "reply_summary": reply * asks_for_a_summary(question.text),
        "question": asks * (1 - reply),
        "long": np.log(np.maximum(1, (1 + length) / (1 + LONG))),
        "time": _naming_times(units) if asks_when(question.text) else nothing,
        "date": _dated(question.windows, units),
        "tells": np.array([unit.seq in question.told for unit in units], dtype=np.float32),
        "late": _lateness(units) if asks_over_time(question.text) else nothing,
    }


def _rough(columns: Mapping[str, Floats]) -> Floats:
    """A first guess at which units fit, to hear what they say."""
    guess: Floats = (
        4 * columns["sim"] + 4 * columns["cover"] + 3 * columns["around"] + 2 * columns["near"] + 3 * columns["date"]
        - 2 * (columns["reply"] - columns["reply_asked"])
    )  # fmt: skip
    return guess


def _newest(units: Sequence[Unit], scores: Floats, cover: Floats) -> Floats:
    """1 for the newest of what the author of the best unit said to the point, 0 for the oldest, by order of time."""
    gain = np.zeros(len(units), dtype=np.float32)
    first = (-scores).argsort(kind="stable")[:MOST_RIVALS].tolist()
    best = first[0] if first else -1
    rivals = [
        place
        for place in first
        if scores[best] - scores[place] <= REACH
        and (units[place].author, units[place].role) == (units[best].author, units[best].role)
        and cover[place] >= ENOUGH_SAID * cover[best]
    ]
    if len(rivals) < 2:
        return gain
    said = max(float(cover[rivals].max()), 1e-6)
    for age, place in enumerate(sorted(rivals, key=lambda place: (units[place].at, units[place].seq))):
        gain[place] = age / (len(rivals) - 1) * cover[place] / said
    return gain


def _dated(windows: Sequence[Window], units: Sequence[Unit]) -> Floats:
    """How near each unit's moment is to a time that the question names."""
    best = np.zeros(len(units), dtype=np.float32)
    moments = np.array([unit.at for unit in units], dtype=np.float64)
    for window in windows:
        start, end = to_micros(window.start), to_micros(window.end)
        softness = min(max((end - start) / DAY / 4, 3.0), 40.0)
        gaps = np.maximum(np.maximum(start - moments, moments - end), 0) / DAY
        best = np.maximum(best, np.exp(-gaps / softness).astype(np.float32))
    return best


def _naming_times(units: Sequence[Unit]) -> Floats:
    lowered = (unit.text.casefold() for unit in units)
    return np.array([_names_a_time(text) for text in lowered], dtype=np.float32)


def _names_a_time(text: str) -> bool:
    # Most texts that name one have it between spaces, where it is found quickest.
    if not _times().isdisjoint(text.split()) or not _times().isdisjoint(_WORDS.findall(text)):
        return True
    return _in_figures().search(text) is not None


def _wishes(texts: Sequence[str], units: Sequence[Unit], *, near: Floats) -> Floats:
    """Which units say what their author prefers or wants of every answer, as far as it is near what is asked."""
    found = [
        unit.role != "assistant" and any(sign in text for sign in _wish_signs()) and _wish().search(text) is not None
        for unit, text in zip(units, texts, strict=True)
    ]
    holds: Floats = np.array(found, dtype=np.float32) * np.clip(near / ON_TOPIC, 0, 1)
    return holds


def _lateness(units: Sequence[Unit]) -> Floats:
    """0 for what was said first, 1 for what was said last, by order of time."""
    late = np.zeros(len(units), dtype=np.float32)
    in_order = sorted(range(len(units)), key=lambda place: (units[place].at, units[place].seq))
    late[in_order] = np.linspace(0, 1, len(units))
    return late


def _first_person(units: Sequence[Unit]) -> Floats:
    return np.array(
        [min(3, len(_first_person_words().findall(unit.text[:400]))) / 3 for unit in units], dtype=np.float32
    )


def _short(length: Floats) -> Floats:
    """How much a text needs its neighbours: all of it when it is short, less the longer it is."""
    needed: Floats = np.minimum(1, SHORT / length).astype(np.float32)
    return needed


class _Beside:
    """The rows of the units before and after each one, and `all` up to two places away; -1 where there is none."""

    def __init__(self, units: Sequence[Unit], follows: Mapping[int, int]) -> None:
        row = {unit.seq: place for place, unit in enumerate(units)} if follows else {}
        after = np.array([row.get(follows.get(unit.seq, -1), -1) for unit in units], dtype=np.int64)
        before = np.full(len(units), -1, dtype=np.int64)
        there = np.flatnonzero(after >= 0)
        before[after[there]] = there
        self.before, self.after = before, after
        self.all = np.stack((before, _twice(before), after, _twice(after))) if len(there) else None


def _twice(steps: Places) -> Places:
    """Where taking each step twice leads."""
    return np.where(steps >= 0, steps[steps], -1) if len(steps) else steps


def _at(values: Floats, places: Places) -> Floats:
    """The values at these places, 0 where a place is -1."""
    padded = np.concatenate((values, np.zeros_like(values[:1]))) if len(values) else values
    taken: Floats = padded[places]
    return taken
