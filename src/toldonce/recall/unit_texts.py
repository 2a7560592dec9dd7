"""The texts of records as ranking reads them: what each says of itself, and which words of a question it contains.

The same texts come up in question after question, so what was read of the last few thousand short ones is remembered.
"""

from __future__ import annotations

import gzip
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache, wraps
from importlib.resources import files
from itertools import accumulate
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from toldonce.lang.registry import all_languages, combine_languages, unite_patterns, unite_words, until_registration
from toldonce.text.patterns import join_patterns
from toldonce.text.words import fold_word, is_unspaced, stem_of_word

Floats = NDArray[np.float32]
T = TypeVar("T")

# How many texts are remembered, and how long one may be: longer ones are seldom read and would take much memory.
_MOST_TEXTS, _LONGEST = 4096, 1000


def _remembered(read: Callable[[str], T]) -> Callable[[str], T]:
    """The same function, which reads a short text once until another language is registered."""
    remembered: Callable[[str], T] = until_registration(lru_cache(maxsize=_MOST_TEXTS)(read))

    @wraps(read)
    def of_text(text: str) -> T:
        return remembered(text) if len(text) <= _LONGEST else read(text)

    return of_text


class TextTraits(NamedTuple):
    """A text without case and accents, its length in words, whether a question mark is in it and at its end."""

    folded: str
    length: int
    has_question: bool
    ends_with_question: bool


@_remembered
def read_traits(text: str) -> TextTraits:
    """What is seen of a text at once."""
    folded = fold_word(text)
    return TextTraits(folded, folded.count(" ") + 1, "?" in text, text.rstrip().endswith("?"))


# Words that name a time, and times in figures; looking words up takes a fifth of the time of one pattern for all.
_times = unite_words(lambda language: language.questions.time_words)


@combine_languages
def _in_figures() -> re.Pattern[str]:
    figures = join_patterns(language.questions.time_figures for language in all_languages()) or "(?!)"
    return re.compile(rf"\b(?:(?:19|20)\d\d|{figures})\b")


_WORDS = re.compile(r"\w+")


# How people say what they want of every answer; a text without one of the signs is not looked at further.
@combine_languages
def _wish_signs() -> tuple[str, ...]:
    return tuple(sign for language in all_languages() for sign in language.questions.wish_signs)


@combine_languages
def _wish() -> re.Pattern[str]:
    return re.compile(join_patterns(language.questions.wish for language in all_languages()) or "(?!)")


_first_person_words = unite_patterns(lambda language: language.questions.first_person, r"\b(?:{})\b")


@_remembered
def names_a_time(lowered: str) -> bool:
    """Whether a text in lower case names a time."""
    # Most texts that name one have it between spaces, where it is found quickest.
    if not _times().isdisjoint(lowered.split()) or not _times().isdisjoint(_WORDS.findall(lowered)):
        return True
    return _in_figures().search(lowered) is not None


@_remembered
def tells_preference(folded: str) -> bool:
    """Whether a folded text says what its author prefers or wants of every answer."""
    return any(sign in folded for sign in _wish_signs()) and _wish().search(folded) is not None


@_remembered
def count_first_person(text: str) -> float:
    """How much the beginning of a text is in the first person, 0 to 1."""
    return min(3, len(_first_person_words().findall(text[:400]))) / 3


# Texts of at least this many characters repeat their words: each distinct word is looked at once.
LONG_TEXT_CHARS = 600
_WORD = re.compile(r"[^\W_]+")
_APART = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
_AFTER_ALL = chr(0x10FFFF)


class WantedStem(NamedTuple):
    """A stem to look for, what words of it begin with, and how near its meaning is to the word that was asked for.

    With `is_soft`, words that only begin like it count too; with `is_part`, it may stand anywhere in a word.
    """

    stem: str
    stub: str
    is_soft: bool
    is_part: bool
    nearness: float


@lru_cache(maxsize=4096)
def _want_stem(stem: str, nearness: float) -> WantedStem:
    if is_unspaced(stem):
        return WantedStem(stem, stem, is_soft=False, is_part=True, nearness=nearness)
    size = len(stem)
    is_soft = size >= 5 and stem.isalpha()
    stub = stem[: max(5, size - 3) if size > 6 else max(4, size - 1)] if is_soft else stem.rstrip("i") or stem
    return WantedStem(stem, stub, is_soft, is_part=False, nearness=nearness)


@lru_cache(maxsize=1024)
def _related_stems(term: str) -> tuple[WantedStem, ...]:
    """Stems of words near this one in meaning."""
    pairs = (entry.rpartition(":") for entry in _load_thesaurus().get(term, "").split())
    return tuple(_want_stem(other, float(nearness)) for other, _, nearness in pairs)


def match_terms(terms: Iterable[str], texts: Sequence[str]) -> tuple[Floats, Floats, Floats]:
    """For each text and term: whether it holds the word, one that begins like it, one near it in meaning."""
    asked, said = tuple(terms), _TermTexts(texts)
    held = np.zeros((len(texts), len(asked)), dtype=np.float32)
    kin, near = np.zeros_like(held), np.zeros_like(held)
    for column, term in enumerate(asked):
        for row, shared in said.find_stem(_want_stem(term, 1.0)):
            if shared == 1:
                held[row, column] = 1
            else:
                kin[row, column] = max(kin[row, column], shared)
        for related in _related_stems(term):
            for row, shared in said.find_stem(related):
                if shared == 1:
                    near[row, column] = max(near[row, column], related.nearness)
    return held, kin, near


def find_held_terms(terms: Iterable[str], texts: Sequence[str]) -> Floats:
    """For each text and term 1 if it holds the word, else 0."""
    asked, said = tuple(terms), _TermTexts(texts)
    held = np.zeros((len(texts), len(asked)), dtype=np.float32)
    for column, term in enumerate(asked):
        for row, shared in said.find_stem(_want_stem(term, 1.0)):
            if shared == 1:
                held[row, column] = 1
    return held


class _TermTexts:
    """Texts to look for words in: the short ones as lines of one text, of the long ones their words in order."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._long = {row: _words_in_text(text) for row, text in enumerate(texts) if len(text) >= LONG_TEXT_CHARS}
        self._words = sorted(frozenset().union(*self._long.values()))
        lines = ["" if row in self._long else text for row, text in enumerate(texts)] if self._long else texts
        self._starts = list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
        self._joined = "\n".join(lines)

    def find_stem(self, wanted: WantedStem) -> list[tuple[int, float]]:
        """Places of texts with a word of this stem, with 1, or one that only begins like it, with what they share."""
        stem, stub, is_soft, is_part, _ = wanted
        if is_part:
            return [(row, 1.0) for row in self._find_part(stem)]
        found = self._find_in_short(stub) if stub in self._joined else []
        if self._words:
            found += self._find_in_long(stub)
        matches = []
        for row, word in found:
            if stem_of_word(word) == stem:
                matches.append((row, 1.0))
            elif is_soft and len(word) <= len(stem) + 5:
                matches.append((row, len(stub) / max(len(word), len(stem), len(stub) + 1)))
        return matches

    def _find_part(self, part: str) -> set[int]:
        rows = {row for row, words in self._long.items() if any(part in word for word in words)}
        place = self._joined.find(part)
        while place >= 0:
            rows.add(bisect_right(self._starts, place) - 1)
            place = self._joined.find(part, place + len(part))
        return rows

    def _find_in_short(self, stub: str) -> list[tuple[int, str]]:
        text, found = self._joined, []
        place = text.find(stub)
        while place >= 0:
            word = _WORD.match(text, place)
            end = word.end() if word else place + len(stub)
            if word and (place == 0 or not text[place - 1].isalnum()):
                found.append((bisect_right(self._starts, place) - 1, word.group()))
            place = text.find(stub, end)
        return found

    def _find_in_long(self, stub: str) -> list[tuple[int, str]]:
        first = bisect_left(self._words, stub)
        words = self._words[first : bisect_left(self._words, stub + _AFTER_ALL, first)]
        return [(row, word) for word in words for row, held in self._long.items() if word in held]


@lru_cache(maxsize=256)
def _words_in_text(text: str) -> frozenset[str]:
    return frozenset(text.translate(_APART).split() if text.isascii() else _WORD.findall(text))


@cache
def _load_thesaurus() -> Mapping[str, str]:
    packed = files("toldonce.recall").joinpath("thesaurus.txt.gz").read_bytes()
    lines = gzip.decompress(packed).decode("utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines if "\t" in line)
