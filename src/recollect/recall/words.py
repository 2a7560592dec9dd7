"""A question's words become records: those that hold most of them, rare words counting for more."""

from __future__ import annotations

import gzip
import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from importlib.resources import files
from itertools import accumulate, chain
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from recollect.lang.vocabulary import frame_words
from recollect.recall.rank import Ranking
from recollect.recall.reading import Reading
from recollect.storage.tables.search import first_shown
from recollect.text.stem import stem

# Up to this size of a store every word may choose records; above it, words that are in too many records only help to
# order those that the rarer ones chose.
SMALL = 5_000
COMMON = 500
FRAME_WEIGHT = 0.3


@dataclass(frozen=True, slots=True)
class Held:
    """Records with the share of the question that they hold, best first, and in how many records each word is."""

    ranking: Ranking
    counts: Mapping[str, int]

    @property
    def most(self) -> float:
        """The best score."""
        return self.ranking[0][1] if self.ranking else 0.0


def telling(word: str, seen: int, *, size: int) -> float:
    """How much a word tells: rare ones more, words of the question's frame less."""
    often = min(seen, size)
    return math.log(1 + (size - often + 0.5) / (often + 0.5)) * (FRAME_WEIGHT if word in frame_words() else 1.0)


def held(reading: Reading, words: Sequence[str], *, size: int, limit: int) -> Held:
    """The records that hold most of these words, the newest first among equals."""
    holding = partial(reading.tables.search.holding, view=reading.view)
    most = SMALL if size <= SMALL else COMMON
    places = holding(words, most=most)
    counts = {word: _count(those, most=most, size=size) for word, those in places.items()}
    if size > SMALL:
        rare = [word for word, those in places.items() if 0 < len(those) < most]
        common = [word for word, those in places.items() if len(those) >= most]
        # Where no word is rare, what holds two of them is looked for beside the newest that hold one.
        also = holding(common, beside=rare or words, most=most)
        places |= {word: those if rare else list({*places[word], *those}) for word, those in also.items()}
    weights = {word: telling(word, count, size=size) for word, count in counts.items()}
    shares = _shares(places, weights)
    return Held(first_shown(partial(_best, shares), reading.shown, limit=limit), counts)


def _count(places: Sequence[int], *, most: int, size: int) -> int:
    """In how many records a word is. Where only the newest are known, how close together they are tells it."""
    if len(places) < most:
        return len(places)
    return min(size, len(places) * size // max(1, size - places[-1] + 1))


def in_full_text(reading: Reading, words: Sequence[str], *, size: int, limit: int) -> Held:
    """Records in the order of the full-text index, which also looks at how long they are: for adding up ranks."""
    search, view = reading.tables.search, reading.view
    counts = {word: search.matches((word,), most=COMMON) for word in words}
    rare = [word for word, count in counts.items() if 0 < count < COMMON]
    if words and size > SMALL and not rare:
        return Held(search.recent_words(words, view, limit=limit), counts)
    among = rare if size > SMALL and len(rare) < len(words) else ()
    return Held(search.words(words, view, among=among, limit=limit) if words else [], counts)


def as_shares(found: Ranking) -> list[tuple[int, float]]:
    """Scores of any scale as shares of the best one."""
    best = max((score for _, score in found), default=0.0)
    return [(seq, score / best if best > 0 else 1.0) for seq, score in found]


def _shares(places: Mapping[str, Sequence[int]], weights: Mapping[str, float]) -> dict[int, float]:
    """Everything that holds a word, with the share of the words' weight that it holds."""
    whole = sum(weights.values()) or 1.0
    shares: dict[int, float] = {}
    for word, those in places.items():
        share = weights[word] / whole
        for seq in those:
            shares[seq] = shares.get(seq, 0.0) + share
    return shares


def _best(shares: Mapping[int, float], most: int) -> list[tuple[int, float]]:
    """The first so many, best and newest first. Numbers alone are sorted first, which is quick."""
    least = sorted(shares.values(), reverse=True)[most - 1] if len(shares) > most else 0.0
    return sorted((row for row in shares.items() if row[1] >= least), key=itemgetter(1, 0), reverse=True)[:most]


Floats = NDArray[np.float32]

# Texts of so many characters say the same words over and over: each is looked at once for all of them.
LONG = 600
_WORD = re.compile(r"[^\W_]+")
_APART = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
_AFTER_ALL = chr(0x10FFFF)


def presence(terms: Iterable[str], texts: Sequence[str]) -> tuple[Floats, Floats, Floats]:
    """For each text and term: whether it holds the word, one that begins like it, one near it in meaning."""
    asked, said = tuple(terms), _Said(texts)
    held = np.zeros((len(texts), len(asked)), dtype=np.float32)
    kin, near = np.zeros_like(held), np.zeros_like(held)
    for column, term in enumerate(asked):
        for row, shared in said.like(term):
            if shared == 1:
                held[row, column] = 1
            else:
                kin[row, column] = max(kin[row, column], shared)
        for other, strength in _near(term):
            for row, shared in said.like(other):
                if shared == 1:
                    near[row, column] = max(near[row, column], strength)
    return held, kin, near


class _Said:
    """Texts to look for words in: the short ones as lines of one text, of the long ones their words in order."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._long = {row: _words_of(text) for row, text in enumerate(texts) if len(text) >= LONG}
        self._words = sorted(frozenset().union(*self._long.values()))
        lines = ["" if row in self._long else text for row, text in enumerate(texts)]
        self._starts = list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
        self._joined = "\n".join(lines)

    def like(self, term: str) -> Iterator[tuple[int, float]]:
        """Places of texts with a word of this stem, with 1, or one that only begins like it, with what they share."""
        size = len(term)
        soft = size >= 5 and term.isalpha()
        stub = term[: max(5, size - 3) if size > 6 else max(4, size - 1)] if soft else term.rstrip("i") or term
        for row, word in chain(self._in_short(stub), self._in_long(stub)):
            if stem(word) == term:
                yield row, 1.0
            elif soft and len(word) <= size + 5:
                yield row, len(stub) / max(len(word), size, len(stub) + 1)

    def _in_short(self, stub: str) -> Iterator[tuple[int, str]]:
        text = self._joined
        place = text.find(stub)
        while place >= 0:
            word = _WORD.match(text, place)
            end = word.end() if word else place + len(stub)
            if word and (place == 0 or not text[place - 1].isalnum()):
                yield bisect_right(self._starts, place) - 1, word.group()
            place = text.find(stub, end)

    def _in_long(self, stub: str) -> Iterator[tuple[int, str]]:
        first = bisect_left(self._words, stub)
        for word in self._words[first : bisect_left(self._words, stub + _AFTER_ALL, first)]:
            for row, words in self._long.items():
                if word in words:
                    yield row, word


@lru_cache(maxsize=256)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(text.translate(_APART).split() if text.isascii() else _WORD.findall(text))


@cache
def _thesaurus() -> Mapping[str, str]:
    packed = files("recollect.recall").joinpath("thesaurus.txt.gz").read_bytes()
    lines = gzip.decompress(packed).decode("utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines if "\t" in line)


@lru_cache(maxsize=4096)
def _near(term: str) -> tuple[tuple[str, float], ...]:
    """Stems of words near this one in meaning, and how near."""
    pairs = (entry.rpartition(":") for entry in _thesaurus().get(term, "").split())
    return tuple((other, float(strength)) for other, _, strength in pairs)
