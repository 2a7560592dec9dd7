"""Which words of a question texts hold: the word itself, one that begins like it, or one near it in meaning."""

from __future__ import annotations

import gzip
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from recollect.recall.stem import stem

Floats = NDArray[np.float32]

# A text of so many characters says the same words over and over: looking for each among them once is quicker.
LONG = 600
_WORD = re.compile(r"[^\W_]+")


def presence(terms: Iterable[str], texts: Sequence[str]) -> tuple[Floats, Floats, Floats]:
    """For each text and term: whether it holds the word, one that begins like it, one near it in meaning."""
    asked = tuple(terms)
    held = np.zeros((len(texts), len(asked)), dtype=np.float32)
    kin, near = np.zeros_like(held), np.zeros_like(held)
    lines = [text if len(text) < LONG else _words_once(text) for text in texts]
    starts = list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
    joined = "\n".join(lines)
    for column, term in enumerate(asked):
        for place, shared in _words_like(term, joined):
            row = bisect_right(starts, place) - 1
            if shared == 1:
                held[row, column] = 1
            else:
                kin[row, column] = max(kin[row, column], shared)
        for other, strength in _near(term):
            for place, shared in _words_like(other, joined):
                if shared == 1:
                    row = bisect_right(starts, place) - 1
                    near[row, column] = max(near[row, column], strength)
    return held, kin, near


@lru_cache(maxsize=512)
def _words_once(text: str) -> str:
    """The words of a text, each once."""
    return " ".join(dict.fromkeys(_WORD.findall(text)))


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
