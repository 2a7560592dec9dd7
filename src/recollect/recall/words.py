"""A question's words become records: those that hold most of them, rare words counting for more."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter

from recollect.lang.vocabulary import frame_words
from recollect.recall.rank import Ranking
from recollect.recall.reading import Reading
from recollect.storage.tables.search import first_shown

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
