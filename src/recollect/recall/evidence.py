"""How well a record answers a question, by many small pieces of evidence weighed together.

Pure numbers over values: words that the record and its neighbours share with the question, likeness of meaning, who
said it, when, and what sort of question it is. The weights were fitted on public question sets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from recollect.clock import to_micros
from recollect.keep.search_table import UnitRow as Unit
from recollect.recall.around import Around, Floats, bm25
from recollect.recall.query import fold
from recollect.recall.stem import stem
from recollect.recall.stopwords import FRAME
from recollect.recall.when import Window

FRAME_WEIGHT = 0.3
NEARBY_CHARS = 30
FEEDBACK_FROM = 4
DAY = 86_400_000_000.0

WEIGHTS: Mapping[str, float] = {
    "full": 1.43, "prefix": 1.24, "near": 0.61, "window": 1.32, "window_cover": 3.14, "answers": 2.22, "session": 0.81,
    "sim": 4.81, "sim_near": 0.8, "session_sim": 1.0, "feedback": 1.24, "by_named": 0.61, "assistant": -2.75,
    "assistant_asked": 2.39, "is_question": -0.48, "length": 0.89, "long": -2.21, "when": 1.19, "number": 0.21,
    "date": 1.9, "first_person": 1.11,
}  # fmt: skip
NAMES = tuple(WEIGHTS)
# What turns the sum into a score between 0 and 1: about 0.7 for the best answer to a usual question.
SLOPE, MIDDLE = 0.65, 8.2

_WORD = re.compile(r"[^\W_]+")
_WHEN = re.compile(
    r"^\W*(?:when|what (?:date|day|month|year|time)|which (?:date|day|month|year)|quando|h[aá] quanto"
    r"|(?:em )?que (?:dia|data|m[eê]s|ano))\b|\bhow (?:long|many (?:days|weeks|months|years))\b",
    re.I,
)
_NUMBER = re.compile(r"\bhow (?:many|much|often|old)\b|\bquant[oa]s?\b", re.I)
_ASKS_YOU = re.compile(r"\byou(?:r|rs)?\b|\bvoc[eê]s?\b", re.I)
_POLITE = re.compile(
    r"\b(?:can|could|would|will|do|pode|poderia|consegue) (?:you|voc[eê])\b(?: please)?|thank you|obrigad[oa]", re.I
)
_TIMES = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|recently|since|until|weeks?|weekends?|months?|years?|days?"
    r"|hours?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|april|june|july|august|september|october"
    r"|november|december|ontem|hoje|amanh[aã]|semanas?|m[eê]s|meses|anos?|dias?|atr[aá]s|passad[oa]|(?:19|20)\d\d"
    r"|\d{1,2}(?:st|nd|rd|th))\b",
    re.I,
)
_DIGITS = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twice|dozen|couple|several|dois|duas|tr[eê]s|quatro"
    r"|cinco)\b",
    re.I,
)
_FIRST = re.compile(r"\b(?:i|i'm|i've|my|me|mine|we|our|eu|meu|minha)\b", re.I)


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the evidence sees it: its terms with how telling each is, and the people it names."""

    text: str
    terms: Mapping[str, float]
    people: frozenset[str] = frozenset()
    windows: tuple[Window, ...] = ()


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike in meaning the question is to each unit, and to what the best of them say, given their rough scores."""

    sims: Floats
    vectors: Sequence[Floats | None] = ()
    reshape: NDArray[np.float32] | None = None
    centre: Floats | None = field(default=None)

    @classmethod
    def none(cls, size: int) -> Likeness:
        """When there are no vectors."""
        return cls(np.zeros(size, dtype=np.float32))


def weighed_terms(words: Sequence[str], counts: Mapping[str, int], *, size: int) -> dict[str, float]:
    """The stems of a question's words and how telling each is: rare ones more, words of the question's frame less."""
    found: dict[str, float] = {}
    for word in words:
        seen = min(counts.get(word, 0), size)
        telling = float(np.log(1 + (size - seen + 0.5) / (seen + 0.5)))
        found.setdefault(stem(word), telling * (FRAME_WEIGHT if word in FRAME else 1.0))
    return found


def people_named(words: Sequence[str], units: Sequence[Unit]) -> dict[str, frozenset[str]]:
    """For each word of a question that is part of an author's name: the authors of that name."""
    authors = {fold(unit.author) for unit in units if unit.author}
    named = {word: frozenset(a for a in authors if word in a.split()) for word in words}
    return {word: those for word, those in named.items() if those}


def chances(scores: Floats) -> Floats:
    """Scores as shares between 0 and 1."""
    result: Floats = 1 / (1 + np.exp(-SLOPE * (scores - MIDDLE)))
    return result


def score(
    question: Question, units: Sequence[Unit], likeness: Likeness, *, weights: Mapping[str, float] = WEIGHTS
) -> Floats:
    """One number per unit; a higher one is better evidence."""
    row = np.array([weights[name] for name in NAMES], dtype=np.float32)
    result: Floats = features(question, units, likeness, weights=weights) @ row
    return result


def features(
    question: Question, units: Sequence[Unit], likeness: Likeness, *, weights: Mapping[str, float] = WEIGHTS
) -> Floats:
    """One row per unit with the columns of `NAMES`."""
    texts = [fold(unit.text) for unit in units]
    idf = np.array(list(question.terms.values()), dtype=np.float32)
    total = max(float(idf.sum()), 1e-6)
    length = np.array([text.count(" ") + 1 for text in texts], dtype=np.float32)
    around = Around(units, length)
    columns = _by_words(question, texts, idf=idf, length=length, around=around, asks=_holding("?", units))
    columns |= _by_circumstance(question, units, length=length)
    columns["sim"] = likeness.sims
    columns["sim_near"] = around.mean(likeness.sims)
    columns["session_sim"] = around.session_best(likeness.sims)
    columns["feedback"] = np.zeros(len(units), dtype=np.float32)
    for name in ("near", "window", "session"):
        columns[name] = columns[name] / total
    rough = np.stack([columns[name] for name in NAMES], axis=1) @ np.array([weights[n] for n in NAMES], np.float32)
    columns["feedback"] = _feedback(rough, likeness)
    return np.stack([columns[name] for name in NAMES], axis=1).astype(np.float32)


def _by_words(
    question: Question, texts: Sequence[str], *, idf: Floats, length: Floats, around: Around, asks: Floats
) -> dict[str, Floats]:
    """What a unit, its neighbours and its conversation share with the question's words."""
    counts, prefixes, near = _occurrences(question, texts)
    total = max(float(idf.sum()), 1e-6)
    held = (counts > 0).astype(np.float32)
    own = bm25(counts, length, idf) / total
    widened, widened_length = around.widened(counts, length)
    return {
        "full": held @ idf / total,
        "prefix": (prefixes * (counts == 0)) @ idf / total,
        "near": near,
        "window": bm25(widened, widened_length, idf),
        "window_cover": around.best(held) @ idf / total,
        "answers": around.previous(own * asks),
        "session": around.session_bm25(counts, length, idf),
    }


def _by_circumstance(question: Question, units: Sequence[Unit], *, length: Floats) -> dict[str, Floats]:
    """Who said it, when and how, against what sort of question it is."""
    nothing = np.zeros(len(units), dtype=np.float32)
    is_assistant = np.array([unit.role == "assistant" for unit in units], dtype=np.float32)
    capped = np.log1p(np.minimum(length, 60)) / 5
    asks_assistant = bool(_ASKS_YOU.search(_POLITE.sub(" ", question.text)))
    ends_asking = np.array([unit.text.rstrip().endswith("?") for unit in units], dtype=np.float32)
    return {
        "by_named": np.array([fold(unit.author) in question.people for unit in units], dtype=np.float32),
        "assistant": is_assistant,
        "assistant_asked": is_assistant * asks_assistant,
        "is_question": ends_asking * (1 - is_assistant),
        "length": capped,
        "long": np.log1p(length) / 5 - capped,
        "when": _matching(_TIMES, units) if _WHEN.search(question.text) else nothing,
        "number": _matching(_DIGITS, units) if _NUMBER.search(question.text) else nothing,
        "date": _dated(question.windows, units),
        "first_person": _first_person(units) if question.people else nothing,
    }


def _occurrences(question: Question, texts: Sequence[str]) -> tuple[Floats, Floats, Floats]:
    """How often each term stands in each text, the best word that begins like it, and neighbouring terms close by."""
    counts = np.zeros((len(texts), len(question.terms)), dtype=np.float32)
    prefixes = np.zeros_like(counts)
    near = np.zeros(len(texts), dtype=np.float32)
    starts = np.cumsum([0] + [len(text) + 1 for text in texts[:-1]])
    joined = "\n".join(texts)
    telling = list(question.terms.values())
    last: dict[int, list[int]] = {}
    for column, term in enumerate(question.terms):
        found = list(_words_like(term, joined))
        rows = np.searchsorted(starts, [place for place, _ in found], side="right") - 1
        mine: dict[int, list[int]] = {}
        for row, (place, shared) in zip(rows.tolist(), found, strict=True):
            if shared == 1:
                counts[row, column] += 1
                mine.setdefault(row, []).append(place)
            else:
                prefixes[row, column] = max(prefixes[row, column], shared)
        for row in mine.keys() & last.keys():
            if min(abs(a - b) for a in last[row][:8] for b in mine[row][:8]) <= NEARBY_CHARS:
                near[row] += min(telling[column - 1], telling[column])
        last = mine
    return counts, prefixes, near


def _words_like(term: str, text: str) -> Iterator[tuple[int, float]]:
    """Where words of this stem begin, with 1, and words that only begin like it, with the share they have in common."""
    size = len(term)
    soft = size >= 5 and term.isalpha()
    stub = term[: max(5, size - 3) if size > 6 else max(4, size - 1)] if soft else term.rstrip("i") or term
    place = text.find(stub)
    while place >= 0:
        word = _WORD.match(text, place)
        end = word.end() if word else place + len(stub)
        if word and (place == 0 or not text[place - 1].isalnum()):
            if stem(word.group()) == term:
                yield place, 1.0
            elif soft and end - place <= size + 5:
                yield place, len(stub) / max(end - place, size, len(stub) + 1)
        place = text.find(stub, end)


def _feedback(rough: Floats, likeness: Likeness) -> Floats:
    """Likeness to what the few best-looking units say, which may use the words that the question lacks."""
    known = [place for place in np.argsort(-rough).tolist() if place < len(likeness.vectors)]
    best = [likeness.vectors[place] for place in known if likeness.vectors[place] is not None][:FEEDBACK_FROM]
    if likeness.reshape is None or likeness.centre is None or len(rough) <= FEEDBACK_FROM + 1 or not best:
        return np.zeros(len(rough), dtype=np.float32)
    middle = np.mean([vectors[0] for vectors in best if vectors is not None], axis=0) - likeness.centre / 2
    asked = likeness.reshape @ middle
    asked /= max(float(np.linalg.norm(asked)), 1e-6)
    return np.array(
        [0.0 if vectors is None else float((vectors @ asked).max()) for vectors in likeness.vectors], dtype=np.float32
    )


def _dated(windows: Sequence[Window], units: Sequence[Unit]) -> Floats:
    """How near each unit's moment is to a time that the question names."""
    best = np.zeros(len(units), dtype=np.float32)
    moments = np.array([unit.at for unit in units], dtype=np.float64)
    for window in windows:
        start, end = to_micros(window.start), to_micros(window.end)
        scale = min(max((end - start) / DAY / 4, 1.5), 40.0)
        gaps = np.maximum(np.maximum(start - moments, moments - end), 0) / DAY
        best = np.maximum(best, np.exp(-gaps / scale).astype(np.float32))
    return best


def _matching(pattern: re.Pattern[str], units: Sequence[Unit]) -> Floats:
    return np.array([pattern.search(unit.text) is not None for unit in units], dtype=np.float32)


def _holding(sign: str, units: Sequence[Unit]) -> Floats:
    return np.array([sign in unit.text for unit in units], dtype=np.float32)


def _first_person(units: Sequence[Unit]) -> Floats:
    return np.array([min(3, len(_FIRST.findall(unit.text[:400]))) / 3 for unit in units], dtype=np.float32)
