"""What one recall reads of the store, each record once, and what each signal finds there for a question."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, pairwise, zip_longest
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, Protocol

from toldonce.lang.vocabulary import frame_words
from toldonce.presets.policy import Preset
from toldonce.recall.query import AskedAttributes, Query, is_statement
from toldonce.recall.rank import Ranking
from toldonce.storage.store import Tables, View
from toldonce.storage.tables.entities import KnownEntity
from toldonce.storage.tables.search import Shown, UnitRow, first_visible
from toldonce.text.words import fold_word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from toldonce.recall.features import Similarity

# Up to this size of a store every word may choose records; above it, words that are in too many records only help to
# order those that the rarer ones chose.
SMALL = 5_000
COMMON = 500
FRAME_WEIGHT = 0.3
# The number of candidates taken from rankings by name, attribute or time alone.
FEW = 10
# If some record contains this share of a statement's words, it is about the same, and the search is as for a question.
SAME_WORDS = 0.4
# The number of facts about people that are checked to find out whom the question means.
_KNOWN = 50
# A statement looks at this many times as many vectors: related records are seldom the most similar ones.
_WIDER = 4
# If more than one in this many of the candidates that were read is hidden, visibility is checked for all of them.
_ONE_IN = 4


class VectorSearcher(Protocol):
    """Search by vectors, if there is an embedder."""

    def search(
        self,
        tables: Tables,
        vector: NDArray[np.float32],
        view: View,
        *,
        limit: int,
        exact: bool = True,
        shown: Shown | None = None,
    ) -> list[tuple[int, float]]:
        """Places of the nearest visible records with their cosine, best first; about the cosine if not `exact`."""

    def similarity(
        self, tables: Tables, vector: NDArray[np.float32], seqs: Sequence[int], *, exact: bool = True
    ) -> dict[int, float]:
        """The cosine of the likest part of each of these that has vectors; about that if not `exact`."""

    def chunk_vectors(self, tables: Tables, seqs: Iterable[int]) -> tuple[list[int], NDArray[np.float32]]:
        """The vectors of these records, a row for each part of a text, and whose each row is."""

    def whitening(self) -> tuple[NDArray[np.float32] | None, NDArray[np.float32] | None]:
        """The mean of all vectors and the matrix that stretches a question, where they are known."""

    def crowding(self, vectors: NDArray[np.float32]) -> NDArray[np.float32] | None:
        """How much more than usual each of these is like many records of the store, where that is known."""


@dataclass(frozen=True, slots=True)
class QueryVectors:
    """The question as a vector, the vector to search with for it, and where to look for its neighbours."""

    raw: NDArray[np.float32]
    question: NDArray[np.float32]
    nearby: VectorSearcher


class SharedReads:
    """What searches of one transaction read for one reader and question: each word, name and record once.

    Records are read as they are seen without the views' kinds and sessions, which `RecallSnapshot` looks at.
    """

    __slots__ = (
        "_best", "_entities", "_mentions", "_precedes", "_shares", "_size", "_units", "follows", "tables", "view",
    )  # fmt: skip

    def __init__(self, tables: Tables, view: View) -> None:
        self.tables = tables
        self.view = replace(view, kinds=None, not_session=None)
        # Which message comes after which, as far as the ranking asked, and the other way round.
        self.follows: Mapping[int, int] = {}
        self._precedes: Mapping[int, int] = {}
        self._shares: dict[tuple[str, ...], TermShares] = {}
        self._best: dict[tuple[tuple[str, ...], int], Ranking] = {}
        self._entities: dict[tuple[str, ...], list[KnownEntity]] = {}
        self._mentions: dict[tuple[tuple[int, ...], int], Ranking] = {}
        self._units: dict[int, UnitRow | None] = {}
        self._size: int | None = None

    @property
    def size(self) -> int:
        """About how many records the store has."""
        if self._size is None:
            self._size = self.tables.search.size()
        return self._size

    def find_shares(self, words: Sequence[str]) -> TermShares:
        """Everything that holds one of these words, with the share of them that it holds."""
        key = tuple(words)
        if key not in self._shares:
            self._shares[key] = _find_shares(self, words)
        return self._shares[key]

    def best_shares(self, words: Sequence[str], most: int) -> Ranking:
        """The first of those that hold these words, whoever may see them."""
        key = (tuple(words), most)
        if key not in self._best:
            self._best[key] = _best_shares(self.find_shares(words).shares, most)
        return self._best[key]

    def find_entities(self, names: tuple[str, ...]) -> list[KnownEntity]:
        """The entities of these names in the reader's spaces."""
        if names not in self._entities:
            self._entities[names] = self.tables.entities.find(names, self.view.spaces)
        return self._entities[names]

    def first_mentions(self, entities: Sequence[int], most: int) -> Ranking:
        """The first records that mention these entities, whoever may see them."""
        key = (tuple(entities), most)
        if key not in self._mentions:
            self._mentions[key] = self.tables.search.first_mentions(entities, most)
        return self._mentions[key]

    def read_units(self, seqs: Iterable[int]) -> list[UnitRow]:
        """These as evidence, in order; one that is neither active nor shown is left out."""
        wanted = list(seqs)
        if new := dict.fromkeys(seq for seq in wanted if seq not in self._units):
            self._units |= new
            self._units.update((unit.seq, unit) for unit in self.tables.search.read_units(new, self.view))
        return [unit for seq in wanted if (unit := self._units[seq]) is not None]

    def unit_at(self, seq: int) -> UnitRow | None:
        """A record as evidence, if it was read."""
        return self._units.get(seq)

    def read_windows(self, seqs: Iterable[int], *, reach: int) -> list[int]:
        """The places of the messages around these, up to `reach` before and after each; notes which follows which."""
        windows = self.tables.search.read_windows(seqs, reach=reach)
        self.follows = {one: after for window in windows for one, after in pairwise(window)}
        self._precedes = {after: one for one, after in self.follows.items()}
        return sorted({seq for window in windows for seq in window})

    def places_around(self, seq: int, *, reach: int) -> Iterable[int]:
        """The places up to `reach` before and after a message, as far as they are known."""
        if seq not in self._precedes and seq not in self.follows:
            return ()
        return chain.from_iterable(_follow_steps(seq, steps, most=reach) for steps in (self._precedes, self.follows))

    def on(self, tables: Tables) -> SharedReads:
        """The same over other tables, with the records that were read; what that one reads is not known here."""
        other = copy(self)
        other.tables, other._units = tables, dict(self._units)
        return other


class RecallSnapshot:
    """The store as one view of a recall sees it.

    One that trusts takes whatever a signal found for shown until it is read, since most of it is and only the most
    promising are read at all. `was_misled` tells when that was wrong too often, and the recall is to be done with care.
    """

    __slots__ = ("_hidden", "_read", "_trusts", "shared", "tables", "view")

    def __init__(self, shared: SharedReads, view: View, *, trusts: bool = False) -> None:
        self.shared = shared
        self.tables = shared.tables
        self.view = view
        self._trusts = trusts
        self._read = self._hidden = 0

    def filter_shown(self, units: Iterable[UnitRow]) -> list[UnitRow]:
        """Those that the view shows."""
        kinds, session = self.view.kinds, self.view.not_session
        return [
            unit
            for unit in units
            if unit.is_shown and (kinds is None or unit.kind in kinds) and (session is None or unit.session != session)
        ]

    def known_visible(self, seqs: Iterable[int]) -> set[int]:
        """Which of these the view shows, as far as that is asked already."""
        return set(seqs) if self._trusts else {unit.seq for unit in self.filter_shown(self.shared.read_units(seqs))}

    def visible_units(self, seqs: Sequence[int]) -> list[UnitRow]:
        """Those of these that the view shows, as evidence, in order."""
        units = self.filter_shown(self.shared.read_units(seqs))
        self._read += len(seqs)
        self._hidden += len(seqs) - len(units)
        return units

    def was_misled(self, found: int, *, wanted: int) -> bool:
        """Whether hidden records took enough places that a careful search would find others."""
        return self._trusts and self._hidden > 0 and (found < wanted or self._hidden * _ONE_IN > self._read)

    def with_care(self) -> RecallSnapshot:
        """The same, with what was read, that asks before it takes anything for shown."""
        return RecallSnapshot(self.shared, self.view)

    def texts_around(self, seq: int, *, reach: int) -> tuple[str, ...]:
        """What is said up to `reach` places before and after a message, as far as it was read and is shown."""
        units = [self.shared.unit_at(place) for place in self.shared.places_around(seq, reach=reach)]
        return tuple(unit.text for unit in self.filter_shown(filter(None, units)))


def _follow_steps(place: int, steps: Mapping[int, int], *, most: int) -> Iterator[int]:
    """The places reached from a place in up to `most` steps."""
    for _ in range(most):
        if (following := steps.get(place)) is None:
            return
        place = following
        yield place


@dataclass(frozen=True, slots=True)
class Rankings:
    """What each signal found, and in words what most of them looked for; how common each word of the question is.

    `is_statement` if nothing is asked, and no record is about the same in the same words.
    """

    lists: dict[str, Ranking]
    details: dict[str, str]
    counts: Mapping[str, int]
    size: int
    is_statement: bool


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """A question with what its search needs: the attributes it asks for, the preset that ranks, its vectors if any."""

    query: Query
    preset: Preset
    asked: AskedAttributes
    vectors: QueryVectors | None = None

    @property
    def is_by_rank(self) -> bool:
        """Whether results are ordered by their places in the rankings alone."""
        return self.preset.recall.ranker == "reciprocal"

    @property
    def few(self) -> int:
        """How many records a name, an attribute or a time alone may find."""
        return self.preset.recall.candidates if self.is_by_rank else FEW


def first_reads(request: RecallRequest, views: Sequence[View]) -> list[Callable[[Tables], object]]:
    """What `gather_rankings` reads first by each view, for `Tables.fetch_ahead`."""

    def ahead(rank: Callable[..., object], view: View) -> Callable[[Tables], object]:
        return lambda tables: rank(RecallSnapshot(SharedReads(tables, view), view), request)

    by_vectors = partial(_rank_by_vectors, for_statement=is_statement(request.query.text))
    by_time = partial(_rank_by_time, found={})
    # Words and names are looked up once for all views; whose records to look among is asked with the size of the store.
    once = [ahead(rank, views[0]) for rank in (_rank_by_words, _rank_by_entities)]
    once.append(lambda tables: tables.search.find_readers(views[0]))
    return once + [ahead(rank, view) for view in views for rank in (by_vectors, _rank_by_subjects, by_time)]


def gather_rankings(reading: RecallSnapshot, request: RecallRequest) -> Rankings:
    """What every signal of the preset finds for a question."""
    policy, text = request.preset.recall, request.query.text
    words = _rank_by_words(reading, request)
    is_guess = is_statement(text) and (request.is_by_rank or words.best_score < SAME_WORDS)
    lists: dict[str, Ranking] = {"words": [*words.ranking, *_rank_by_grams(reading, request)]}
    details: dict[str, str] = {}
    lists["vectors"] = _rank_by_vectors(reading, request, for_statement=is_guess)
    lists["entities"], details["entities"] = _rank_by_entities(reading, request)
    lists["subjects"], details["subjects"] = _rank_by_subjects(reading, request)
    lists["time"], details["time"] = _rank_by_time(reading, request, found=lists)
    used = {name: lists[name] for name in policy.signals if lists.get(name)}
    return Rankings(used, details, words.counts, reading.shared.size, is_guess)


def find_by_words(reading: RecallSnapshot, request: RecallRequest) -> list[int]:
    """The places of records that share words with a question, the most likely first."""
    return [place for place, _ in _rank_by_words(reading, request).ranking]


def _rank_by_words(reading: RecallSnapshot, request: RecallRequest) -> TermMatches:
    rank = rank_full_text if request.is_by_rank else find_by_terms
    return rank(reading, request.query.terms, limit=request.preset.recall.candidates)


def _rank_by_vectors(reading: RecallSnapshot, request: RecallRequest, *, for_statement: bool) -> Ranking:
    """Records by meaning. For a remark the search is wider, and what it calls up counts beside what is like it."""
    vectors, limit, exact = request.vectors, request.preset.recall.candidates, request.is_by_rank
    if vectors is None:
        return []
    near = partial(vectors.nearby.search, reading.tables, vectors.question, reading.view, shown=reading.known_visible)
    if not for_statement:
        return near(limit=limit, exact=exact)
    from toldonce.recall.features import similarity_to_recalled

    found = near(limit=limit * _WIDER, exact=exact)
    alike = measure_similarity(reading.tables, [seq for seq, _ in found], vectors, for_statement=True)
    if alike.off is None:
        return found[:limit]
    order = (-(alike.sims + similarity_to_recalled(alike))).argsort(kind="stable")
    return [found[place] for place in order[:limit].tolist()]


def _rank_by_grams(reading: RecallSnapshot, request: RecallRequest) -> Ranking:
    pairs, limit = request.query.grams, request.preset.recall.candidates
    return scale_to_best(reading.tables.search.find_by_grams(pairs, reading.view, limit=limit)) if pairs else []


def _rank_by_entities(reading: RecallSnapshot, request: RecallRequest) -> tuple[Ranking, str]:
    known = reading.shared.find_entities(request.query.names)
    if not known:
        return [], ""
    ranked = partial(reading.shared.first_mentions, list({k.seq for k in known}))
    found = first_visible(ranked, reading.known_visible, limit=request.few)
    return found, ", ".join(dict.fromkeys(k.name for k in known))


def _rank_by_subjects(reading: RecallSnapshot, request: RecallRequest) -> tuple[Ranking, str]:
    """What is known of the attributes that the question names: its words need not be in the record."""
    asked, limit = request.asked, request.few
    if not asked.attributes:
        return [], ""
    known = partial(reading.tables.search.find_by_subjects, asked.attributes, reading.view)
    found = known(owners=asked.other_words, limit=limit) or _search_by_subject(reading, asked.other_words, known)
    return found[:limit], ", ".join(asked.attributes)


def _search_by_subject(reading: RecallSnapshot, names: Sequence[str], known: Callable[..., Ranking]) -> Ranking:
    """What is known about a person named in the question, else about the asker, else about anybody."""
    found, view = known(limit=_KNOWN), reading.view
    # A fact begins with the name of the person it is about.
    called = [
        unit.seq
        for unit in reading.shared.read_units(seq for seq, _ in found)
        if fold_word(unit.text.split(" ", 1)[0]) in names
    ]
    if called:
        return [row for row in found if row[0] in called]
    if any(reading.tables.people.get(space, name) for space in view.spaces for name in names):
        return []
    return (known(owners=[view.user], limit=_KNOWN) if view.user else []) or found


def _rank_by_time(
    reading: RecallSnapshot, request: RecallRequest, *, found: Mapping[str, Ranking]
) -> tuple[Ranking, str]:
    """Records of the named time: first those that another signal found, then alternately records about that time and
    messages from it, so that neither hides the other.
    """
    query, limit = request.query, request.preset.recall.candidates
    if not query.windows:
        return [], ""
    tables, view = reading.tables, reading.view
    spans = [(window.start, window.end) for window in query.windows]
    told = [row for start, end in spans for row in tables.times.find_by_time(start, end, view, limit=limit)]
    said = [row for start, end in spans for row in tables.search.find_by_time(start, end, view, limit=limit)]
    said.sort(key=lambda row: -row[1])
    ranks = {seq: rank for ranking in found.values() for rank, (seq, _) in reversed(list(enumerate(ranking)))}
    by_turns = dict(row for pair in zip_longest(told, said) for row in pair if row is not None)
    inside = sorted(by_turns.items(), key=lambda row: ranks.get(row[0], limit * 2))
    return inside[:limit], ", ".join(w.text for w in query.windows)


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


def find_by_terms(reading: RecallSnapshot, words: Sequence[str], *, limit: int) -> TermMatches:
    """The records that hold most of these words, the newest first among equals."""
    counts = reading.shared.find_shares(words).counts
    ranked = partial(reading.shared.best_shares, words)
    return TermMatches(first_visible(ranked, reading.known_visible, limit=limit), counts)


class TermShares(NamedTuple):
    """Records with the share of a question's words that they hold, and in how many records each word is."""

    shares: Mapping[int, float]
    counts: Mapping[str, int]


def _find_shares(shared: SharedReads, words: Sequence[str]) -> TermShares:
    size, holding = shared.size, partial(shared.tables.search.places_by_word, view=shared.view)
    most = SMALL if size <= SMALL else COMMON
    places = holding(words, most=most)
    ends = shared.tables.search.place_ends() if any(len(those) >= most for those in places.values()) else (0, 0)
    counts = {word: _estimate_frequency(those, most=most, size=size, ends=ends) for word, those in places.items()}
    if size > SMALL:
        rare = [word for word, those in places.items() if 0 < len(those) < most]
        common = [word for word, those in places.items() if len(those) >= most]
        # Where no word is rare, what holds two of them is looked for beside the newest that hold one.
        also = holding(common, beside=rare or words, most=most)
        places |= {word: those if rare else list({*places[word], *those}) for word, those in also.items()}
    weights = {word: term_weight(word, count, size=size) for word, count in counts.items()}
    return TermShares(_weight_shares(places, weights), counts)


def _estimate_frequency(places: Sequence[int], *, most: int, size: int, ends: tuple[int, int]) -> int:
    """In how many records a word is. Where only the newest are known, how close together they are tells it."""
    if len(places) < most:
        return len(places)
    first, last = ends
    return min(size, len(places) * (last - first + 1) // max(1, last - places[-1] + 1))


def rank_full_text(reading: RecallSnapshot, words: Sequence[str], *, limit: int) -> TermMatches:
    """Records in the order of the full-text index, which also looks at how long they are: for adding up ranks."""
    search, view, size = reading.tables.search, reading.view, reading.shared.size
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


def measure_similarity(
    tables: Tables, seqs: Sequence[int], vectors: QueryVectors | None, *, for_statement: bool = False
) -> Similarity:
    """How alike these are to the question; to a remark less, where they are like much else in the store."""
    import numpy as np

    from toldonce.recall.features import Similarity, best_per_unit

    if vectors is None or not seqs:
        return Similarity.without_vectors(len(seqs))
    owners, rows = vectors.nearby.chunk_vectors(tables, seqs)
    if not owners:
        return Similarity.without_vectors(len(seqs))
    place_of = {seq: place for place, seq in enumerate(seqs)}
    centre, reshape = vectors.nearby.whitening()
    whose = np.array([place_of[owner] for owner in owners])
    sims = best_per_unit(np.vecdot(rows, vectors.question), whose, size=len(seqs))
    found = Similarity(sims, rows, whose, reshape, centre, vectors.question)
    return found.without_crowding(vectors.nearby.crowding(rows)) if for_statement else found
