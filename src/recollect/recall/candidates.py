"""What one recall reads of the store, each record once; and the records that hold the question's words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter

from recollect.lang.vocabulary import frame_words
from recollect.recall.rank import Ranking
from recollect.storage.store import Tables, View
from recollect.storage.tables.search import UnitRow, first_visible

# Up to this size of a store every word may choose records; above it, words that are in too many records only help to
# order those that the rarer ones chose.
SMALL = 5_000
COMMON = 500
FRAME_WEIGHT = 0.3


@dataclass(frozen=True, slots=True)
class TermMatches:
    """Records with the share of the question that they hold, best first, and in how many records each word is."""

    ranking: Ranking
    counts: Mapping[str, int]

    @property
    def best_score(self) -> float:
        """The best score."""
        return self.ranking[0][1] if self.ranking else 0.0


def term_weight(word: str, seen: int, *, size: int) -> float:
    """How much a word tells: rare ones more, words of the question's frame less."""
    often = min(seen, size)
    return math.log(1 + (size - often + 0.5) / (often + 0.5)) * (FRAME_WEIGHT if word in frame_words() else 1.0)


def find_by_terms(reading: RecallSnapshot, words: Sequence[str], *, size: int, limit: int) -> TermMatches:
    """The records that hold most of these words, the newest first among equals."""
    holding = reading.words.find_places
    most = SMALL if size <= SMALL else COMMON
    places = holding(words, most=most)
    ends = reading.tables.search.place_ends() if any(len(those) >= most for those in places.values()) else (0, 0)
    counts = {word: _estimate_frequency(those, most=most, size=size, ends=ends) for word, those in places.items()}
    if size > SMALL:
        rare = [word for word, those in places.items() if 0 < len(those) < most]
        common = [word for word, those in places.items() if len(those) >= most]
        # Where no word is rare, what holds two of them is looked for beside the newest that hold one.
        also = holding(common, beside=rare or words, most=most)
        places |= {word: those if rare else list({*places[word], *those}) for word, those in also.items()}
    weights = {word: term_weight(word, count, size=size) for word, count in counts.items()}
    shares = _weight_shares(places, weights)
    return TermMatches(first_visible(partial(_best_shares, shares), reading.known_visible, limit=limit), counts)


def _estimate_frequency(places: Sequence[int], *, most: int, size: int, ends: tuple[int, int]) -> int:
    """In how many records a word is. Where only the newest are known, how close together they are tells it."""
    if len(places) < most:
        return len(places)
    first, last = ends
    return min(size, len(places) * (last - first + 1) // max(1, last - places[-1] + 1))


def rank_full_text(reading: RecallSnapshot, words: Sequence[str], *, size: int, limit: int) -> TermMatches:
    """Records in the order of the full-text index, which also looks at how long they are: for adding up ranks."""
    search, view = reading.tables.search, reading.view
    counts = {word: search.count_matches((word,), most=COMMON) for word in words}
    rare = [word for word, count in counts.items() if 0 < count < COMMON]
    if words and size > SMALL and not rare:
        return TermMatches(search.recent_words(words, view, limit=limit), counts)
    among = rare if size > SMALL and len(rare) < len(words) else ()
    return TermMatches(search.find_by_words(words, view, among=among, limit=limit) if words else [], counts)


def scale_to_best(found: Ranking) -> list[tuple[int, float]]:
    """Scores of any scale as shares of the best one."""
    best = max((score for _, score in found), default=0.0)
    return [(seq, score / best if best > 0 else 1.0) for seq, score in found]


def _weight_shares(places: Mapping[str, Sequence[int]], weights: Mapping[str, float]) -> dict[int, float]:
    """Everything that holds a word, with the share of the words' weight that it holds."""
    whole = sum(weights.values()) or 1.0
    shares: dict[int, float] = {}
    for word, those in places.items():
        share = weights[word] / whole
        for seq in those:
            shares[seq] = shares.get(seq, 0.0) + share
    return shares


def _best_shares(shares: Mapping[int, float], most: int) -> list[tuple[int, float]]:
    """The `most` best, newest first among equals. Sorting the bare numbers first is faster."""
    least = sorted(shares.values(), reverse=True)[most - 1] if len(shares) > most else 0.0
    return sorted((row for row in shares.items() if row[1] >= least), key=itemgetter(1, 0), reverse=True)[:most]


class WordPlaces:
    """Where the words of a question are, for one reader: searches of one transaction look each of them up once."""

    __slots__ = ("_known", "_tables", "_view")

    def __init__(self, tables: Tables, view: View) -> None:
        self._tables = tables
        self._view = view
        self._known: dict[tuple[tuple[str, ...], tuple[str, ...], int], dict[str, list[int]]] = {}

    def find_places(self, words: Sequence[str], *, most: int, beside: Sequence[str] = ()) -> dict[str, list[int]]:
        """As `places_by_word` finds them."""
        key = (tuple(words), tuple(beside), most)
        if key not in self._known:
            self._known[key] = self._tables.search.places_by_word(words, self._view, most=most, beside=beside)
        return dict(self._known[key])

    def on(self, tables: Tables) -> WordPlaces:
        """The same over other tables, with what was looked up."""
        other = WordPlaces(tables, self._view)
        other._known = dict(self._known)
        return other


# If more than one in this many of the candidates that were read is hidden, visibility is checked for all of them.
_ONE_IN = 4


class RecallSnapshot:
    """The store as one recall sees it. Records that were read are remembered until the recall is done.

    One that trusts takes whatever a signal found for shown until it is read, since most of it is and only the most
    promising are read at all. `was_misled` tells when that was wrong too often, and the recall is to be done with care.
    """

    __slots__ = ("_hidden", "_read", "_trusts", "_units", "follows", "tables", "view", "words")

    def __init__(self, tables: Tables, view: View, *, trusts: bool = False, words: WordPlaces | None = None) -> None:
        self.tables = tables
        self.view = view
        self.words = words or WordPlaces(tables, view)
        self._trusts = trusts
        # Which message comes after which, as far as the ranking asked.
        self.follows: Mapping[int, int] = {}
        self._units: dict[int, UnitRow | None] = {}
        self._read = self._hidden = 0

    def known_visible(self, seqs: Iterable[int]) -> set[int]:
        """Which of these the view shows, as far as that is asked already."""
        return set(seqs) if self._trusts else {unit.seq for unit in self.read_units(seqs) if unit.is_shown}

    def visible_units(self, seqs: Sequence[int]) -> list[UnitRow]:
        """Those of these that the view shows, as evidence, in order."""
        units = [unit for unit in self.read_units(seqs) if unit.is_shown]
        self._read += len(seqs)
        self._hidden += len(seqs) - len(units)
        return units

    def was_misled(self, found: int, *, wanted: int) -> bool:
        """Whether hidden records took enough places that a careful search would find others."""
        return self._trusts and self._hidden > 0 and (found < wanted or self._hidden * _ONE_IN > self._read)

    def with_care(self) -> RecallSnapshot:
        """The same, with what was read, that asks before it takes anything for shown."""
        careful = RecallSnapshot(self.tables, self.view, words=self.words)
        careful._units = self._units
        return careful

    def on(self, tables: Tables) -> RecallSnapshot:
        """The same over other tables, with what was read; what that one reads is not known here."""
        other = RecallSnapshot(tables, self.view, trusts=self._trusts, words=self.words.on(tables))
        other._units = dict(self._units)
        return other

    def read_units(self, seqs: Iterable[int]) -> list[UnitRow]:
        """These as evidence, in order; one that is neither active nor shown is left out."""
        wanted = list(seqs)
        if new := dict.fromkeys(seq for seq in wanted if seq not in self._units):
            self._units |= new
            self._units.update((unit.seq, unit) for unit in self.tables.search.read_units(new, self.view))
        return [unit for seq in wanted if (unit := self._units[seq]) is not None]

    def neighbours_of(self, seqs: Iterable[int], *, reach: int) -> dict[int, tuple[str, ...]]:
        """What is said up to `reach` places before and after each of these, as far as it was read and is shown."""
        before = {after: one for one, after in self.follows.items()}
        return {
            seq: tuple(
                unit.text
                for steps in (before, self.follows)
                for place in _follow_steps(seq, steps, most=reach)
                if (unit := self._units.get(place)) is not None and unit.is_shown
            )
            for seq in seqs
        }


def _follow_steps(place: int, steps: Mapping[int, int], *, most: int) -> Iterator[int]:
    """The places reached from a place in up to `most` steps."""
    for _ in range(most):
        if (following := steps.get(place)) is None:
            return
        place = following
        yield place
