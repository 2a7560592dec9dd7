"""Which words of a question texts hold: the word itself, one that begins like it, or one near it in meaning."""

from __future__ import annotations

import gzip
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from recollect.text.stem import stem

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
