"""How well a record answers a question, by many small pieces of evidence weighed together.

Pure numbers over values: words the record and its neighbours share with the question, likeness of meaning, who said it,
when, and what sort of question it is. The weights come from `benchmarks/train_ranker.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from recollect.recall.query import fold
from recollect.recall.stem import stem
from recollect.recall.stopwords import FRAME, STOP
from recollect.recall.when import Window

Floats = NDArray[np.float32]

SHORT = 50.0
NEAR, FAR = 0.5, 0.25
SATURATION, LENGTH_SHARE = 1.2, 0.75
FRAME_WEIGHT = 0.3
NEARBY_CHARS = 30
DAY = timedelta(days=1)

NAMES = (
    "lex", "full", "prefix", "near", "window", "window_cover", "answers", "session", "sim", "sim_1", "sim_2",
    "session_sim", "by_named", "names", "assistant", "assistant_asked", "is_question", "length", "long", "when",
    "number", "date", "first_person",
)  # fmt: skip
WEIGHTS: Mapping[str, float] = {
    "lex": 0.82, "full": 3.11, "prefix": 1.37, "near": 1.0, "window": 1.97, "window_cover": 2.23, "answers": 1.3,
    "session": 1.48, "sim": 4.31, "sim_1": 1.6, "sim_2": 0.4, "session_sim": 1.4, "by_named": 0.63, "names": -0.36,
    "assistant": -2.37, "assistant_asked": 2.93, "is_question": -0.65, "length": 1.23, "long": -1.1, "when": 1.26,
    "number": 0.73, "date": 3.03, "first_person": 1.1,
}  # fmt: skip

_WORD = re.compile(r"[^\W_]+")
_WHEN = re.compile(
    r"^\W*(?:when|what (?:date|day|month|year|time)|which (?:date|day|month|year)|quando|h[aá] quanto|(?:em )?que (?:dia|data|m[eê]s|ano))\b"
    r"|\bhow (?:long|many (?:days|weeks|months|years))\b",
    re.I,
)
_NUMBER = re.compile(r"\bhow (?:many|much|often|old)\b|\bquant[oa]s?\b", re.I)
_ASKS_YOU = re.compile(r"\byou(?:r|rs)?\b|\bvoc[eê]s?\b|\bseus? conselhos?\b", re.I)
_POLITE = re.compile(
    r"\b(?:can|could|would|will|do|pode|poderia|consegue) (?:you|voc[eê])\b(?: please)?|thank you|obrigad[oa]", re.I
)
_TIMES = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|recently|since|until|weeks?|weekends?|months?|years?|days?|hours?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|april|june|july|august|september|october|november"
    r"|december|ontem|hoje|amanh[aã]|semanas?|m[eê]s|meses|anos?|dias?|atr[aá]s|passad[oa]|(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th))\b",
    re.I,
)
_DIGITS = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twice|dozen|couple|several|dois|duas|tr[eê]s|quatro|cinco)\b",
    re.I,
)
_FIRST = re.compile(r"\b(?:i|i'm|i've|my|me|mine|we|our|eu|meu|minha)\b", re.I)


@dataclass(frozen=True, slots=True)
class Unit:
    """A record as the evidence sees it: a candidate, or a neighbour of one."""

    seq: int
    text: str
    author: str
    role: str
    at: datetime
    talk: str | None
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the evidence sees it."""

    text: str
    terms: tuple[str, ...]
    idf: tuple[float, ...]
    people: frozenset[str] = frozenset()
    windows: tuple[Window, ...] = ()
    sims: Mapping[int, float] = field(default_factory=dict)


def weighed_terms(
    words: Sequence[str], counts: Mapping[str, int], *, size: int
) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """The stems of a question's words and how telling each is: rare ones more, words of the question's frame less."""
    found: dict[str, float] = {}
    for word in words:
        seen = min(counts.get(word, 0), size)
        telling = float(np.log(1 + (size - seen + 0.5) / (seen + 0.5)))
        found.setdefault(stem(word), telling * (FRAME_WEIGHT if word in FRAME else 1.0))
    return tuple(found), tuple(found.values())


def score(question: Question, units: Sequence[Unit], *, weights: Mapping[str, float] = WEIGHTS) -> Floats:
    """One number per unit; a higher one is better evidence."""
    row = np.array([weights[name] for name in NAMES], dtype=np.float32)
    result: Floats = features(question, units) @ row
    return result


def features(question: Question, units: Sequence[Unit]) -> Floats:
    """One row per unit with the columns of `NAMES`."""
    texts = [fold(unit.text) for unit in units]
    counts, prefixes, near = _occurrences(question, texts)
    idf = np.array(question.idf, dtype=np.float32)
    total = max(float(idf.sum()), 1e-6)
    length = np.array([text.count(" ") + 1 for text in texts], dtype=np.float32)
    sims = np.array([question.sims.get(unit.seq, 0.0) for unit in units], dtype=np.float32)
    around = _Around(units, length)
    is_assistant = np.array([unit.role == "assistant" for unit in units], dtype=np.float32)
    asks = np.array(["?" in unit.text for unit in units], dtype=np.float32)
    held = (counts > 0).astype(np.float32)
    lex = _bm25(counts, length, idf) / (total * (SATURATION + 1))
    widened, widened_length = around.widened(counts, length)
    kind = question.text
    capped = np.log1p(np.minimum(length, 60)) / 5
    named = np.array(
        [bool(question.people) and fold(unit.author) in question.people for unit in units], dtype=np.float32
    )
    columns = {
        "lex": lex,
        "full": held @ idf / total,
        "prefix": (prefixes * (counts == 0)) @ idf / total,
        "near": near / total,
        "window": _bm25(widened, widened_length, idf) / (total * (SATURATION + 1)),
        "window_cover": around.best(held) @ idf / total,
        "answers": around.previous(lex * asks),
        "session": around.session_bm25(counts, length, idf) / (total * (SATURATION + 1)),
        "sim": sims,
        "sim_1": around.mean(sims, step=0),
        "sim_2": around.mean(sims, step=1),
        "session_sim": around.session_best(sims),
        "by_named": named,
        "names": np.array([_names_any(text, question.people) for text in texts], dtype=np.float32),
        "assistant": is_assistant,
        "assistant_asked": is_assistant * bool(_ASKS_YOU.search(_POLITE.sub(" ", kind))),
        "is_question": np.array([unit.text.rstrip().endswith("?") for unit in units], dtype=np.float32)
        * (1 - is_assistant),
        "length": capped,
        "long": np.log1p(length) / 5 - capped,
        "when": _matches(_TIMES, units) if _WHEN.search(kind) else np.zeros(len(units), np.float32),
        "number": _matches(_DIGITS, units) if _NUMBER.search(kind) else np.zeros(len(units), np.float32),
        "date": _dated(question.windows, units),
        "first_person": _first_person(units) * bool(question.people),
    }
    return np.stack([columns[name] for name in NAMES], axis=1).astype(np.float32)


def _occurrences(question: Question, texts: Sequence[str]) -> tuple[Floats, Floats, Floats]:
    """How often each term stands in each text, the best word that only begins like it, and neighbouring terms met close."""
    counts = np.zeros((len(texts), len(question.terms)), dtype=np.float32)
    prefixes = np.zeros_like(counts)
    near = np.zeros(len(texts), dtype=np.float32)
    finders = [_Finder(term) for term in question.terms]
    for row, text in enumerate(texts):
        last: list[int] = []
        for column, finder in enumerate(finders):
            places, likeness = finder.find(text)
            counts[row, column] = len(places)
            prefixes[row, column] = likeness
            if last and places and min(abs(a - b) for a in last[:8] for b in places[:8]) <= NEARBY_CHARS:
                near[row] += min(question.idf[column - 1], question.idf[column])
            last = places
    return counts, prefixes, near


class _Finder:
    """Finds the words of one stem in folded texts, and words that share its beginning."""

    def __init__(self, term: str) -> None:
        self._term = term
        size = len(term)
        self._soft = size >= 5 and term.isalpha()
        self._stub = (
            term[: max(5, size - 3) if size > 6 else max(4, size - 1)] if self._soft else term.rstrip("i") or term
        )
        self._pattern = re.compile(rf"(?<![^\W_]){re.escape(self._stub)}[^\W_]*")

    def find(self, text: str) -> tuple[list[int], float]:
        if self._stub not in text:
            return [], 0.0
        places, likeness = [], 0.0
        for match in self._pattern.finditer(text):
            word = match.group()
            if stem(word) == self._term:
                places.append(match.start())
            elif self._soft and len(word) <= len(self._term) + 5:
                likeness = max(likeness, len(self._stub) / max(len(word), len(self._term)))
        return places, likeness


class _Around:
    """What stands near each unit: its neighbours in the conversation, weighed by how short they are, and the whole of it."""

    def __init__(self, units: Sequence[Unit], length: Floats) -> None:
        self._row = {unit.seq: row for row, unit in enumerate(units)}
        self._before = [
            self._rows([u.before[step] if len(u.before) > step else None for u in units]) for step in (0, 1)
        ]
        self._after = [self._rows([u.after[step] if len(u.after) > step else None for u in units]) for step in (0, 1)]
        self._short = np.minimum(1, SHORT / np.maximum(length, 1)).astype(np.float32)
        talks: dict[str, int] = {}
        self._talk = np.array([talks.setdefault(u.talk, len(talks)) if u.talk else -1 for u in units])
        self._talks = len(talks)

    def previous(self, values: Floats) -> Floats:
        """Each unit's predecessor's value."""
        return self._short * self._at(values * self._short, self._before[0])

    def mean(self, values: Floats, *, step: int) -> Floats:
        """The mean of the values one or two places before and after."""
        return self._short * (self._at(values, self._before[step]) + self._at(values, self._after[step])) / 2

    def best(self, held: Floats) -> Floats:
        """What each unit or, for less, one of its neighbours holds."""
        result = held.copy()
        scaled = held * self._short[:, None]
        for places in (*self._before, *self._after):
            result = np.maximum(result, self._at(scaled, places) * self._short[:, None])
        return result

    def widened(self, counts: Floats, length: Floats) -> tuple[Floats, Floats]:
        """Counts and lengths with a share of the neighbours' added."""
        scaled, lengths = counts * self._short[:, None], length * self._short
        more, longer = counts.copy(), length.copy()
        for share, before, after in ((NEAR, self._before[0], self._after[0]), (FAR, self._before[1], self._after[1])):
            part = share * self._short
            more += part[:, None] * (self._at(scaled, before) + self._at(scaled, after))
            longer += part * (self._at(lengths, before) + self._at(lengths, after))
        return more, longer

    def session_best(self, values: Floats) -> Floats:
        """The best value in each unit's conversation."""
        if not self._talks:
            return np.zeros_like(values)
        best = np.full(self._talks, -1.0, dtype=np.float32)
        known = self._talk >= 0
        np.maximum.at(best, self._talk[known], values[known])
        return np.where(known, best[self._talk], 0).astype(np.float32)

    def session_bm25(self, counts: Floats, length: Floats, idf: Floats) -> Floats:
        """How well the conversation as a whole, as far as it was seen, fits the question."""
        if not self._talks:
            return np.zeros(len(counts), dtype=np.float32)
        known = self._talk >= 0
        summed = np.zeros((self._talks, counts.shape[1]), dtype=np.float32)
        np.add.at(summed, self._talk[known], counts[known])
        lengths = np.bincount(self._talk[known], length[known], self._talks).astype(np.float32)
        scores = _bm25(summed, lengths, idf)
        return np.where(known, scores[self._talk], 0).astype(np.float32)

    def _rows(self, seqs: Sequence[int | None]) -> NDArray[np.int64]:
        return np.array([-1 if seq is None else self._row.get(seq, -1) for seq in seqs], dtype=np.int64)

    @staticmethod
    def _at(values: Floats, places: NDArray[np.int64]) -> Floats:
        taken: Floats = values[places].copy()
        taken[places < 0] = 0
        return taken


def _bm25(counts: Floats, length: Floats, idf: Floats) -> Floats:
    scale = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length / max(float(length.mean()), 1e-6))
    result: Floats = (idf * counts * (SATURATION + 1) / (counts + scale[:, None])).sum(axis=1)
    return result


def _dated(windows: Sequence[Window], units: Sequence[Unit]) -> Floats:
    """How near each unit's moment is to a time that the question names."""
    best = np.zeros(len(units), dtype=np.float32)
    for window in windows:
        width = (window.end - window.start) / DAY
        scale = min(max(width / 4, 1.5), 40.0)
        gaps = [max((window.start - u.at) / DAY, (u.at - window.end) / DAY, 0.0) for u in units]
        best = np.maximum(best, np.exp(-np.array(gaps, dtype=np.float32) / scale))
    return best


def _matches(pattern: re.Pattern[str], units: Sequence[Unit]) -> Floats:
    return np.array([pattern.search(unit.text) is not None for unit in units], dtype=np.float32)


def _first_person(units: Sequence[Unit]) -> Floats:
    return np.array([min(3, len(_FIRST.findall(unit.text[:400]))) / 3 for unit in units], dtype=np.float32)


def _names_any(text: str, people: frozenset[str]) -> bool:
    return any(person in text for person in people)


def content_terms(text: str, windows: Sequence[Window]) -> tuple[str, ...]:
    """The folded words of a question that carry content, without the words that name a time."""
    rest = list(text)
    for window in windows:
        rest[window.start_char : window.end_char] = " " * (window.end_char - window.start_char)
    for source in ("".join(rest), text):
        words = [fold(w) for w in _WORD.findall(re.sub(r"['’](?:s|re|ve|ll|d|m|t)\b", "", source))]
        content = tuple(dict.fromkeys(w for w in words if w not in STOP and len(w) > 1))
        if content:
            return content
    return tuple(dict.fromkeys(fold(w) for w in _WORD.findall(text)))
