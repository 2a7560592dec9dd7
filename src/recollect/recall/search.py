"""A question becomes ranked hits: signals, fusion, score, diversity; with why each was found, or was left out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache, partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Protocol

from recollect.lang.vocabulary import content_words
from recollect.presets.policy import Kind, Preset, RecallPolicy, is_fading
from recollect.recall.candidates import RecallSnapshot, WordPlaces, find_by_terms, rank_full_text, scale_to_best
from recollect.recall.query import Query, find_asked_attributes, find_named_attributes, is_statement
from recollect.recall.rank import (
    Ageing,
    Ranking,
    diversify_hits,
    order_key,
    reciprocal_rank,
    score_parts,
    weigh_parts,
)
from recollect.recall.scoring import AROUND, FEW, measure_similarity, score_candidates
from recollect.records import Hit, Reason, Record, Signal, Why, WhyNot
from recollect.storage.store import Tables, View
from recollect.storage.tables.search import Shown, first_visible
from recollect.text.words import fold_word, jaccard_similarity, stem_of_word, term_coverage, text_grams

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The strength of a record about exactly the attribute that was asked for, whatever its words.
_TOLD = 0.5
# Without vectors, the order by words is more reliable and fewer candidates are scored.
_BY_WORDS = 0.6
# If some record contains this share of a statement's words, it is about the same, and the search is as for a question.
SAME_WORDS = 0.4
# The number of facts about people that are checked to find out whom the question means.
_KNOWN = 50
# A demoted record scores at most this share of what the newest value of its subject scores.
_DEMOTED = 0.99
# A statement looks at this many times as many vectors: related records are seldom the most similar ones.
_WIDER = 4


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


@dataclass(slots=True)
class SearchTrace:
    """What happened to every candidate, kept only when somebody asks; `wanted` if fewer are than were searched for."""

    candidates: dict[str, str] = field(default_factory=dict)
    wanted: int | None = None
    causes: dict[str, Reason] = field(default_factory=dict)

    def drop(self, record: Record, reason: str, cause: Reason) -> None:
        """A candidate was left out."""
        self.candidates.setdefault(record.id, reason)
        self.causes.setdefault(record.id, cause)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that some signal found."""

    seq: int
    record: Record
    fused: float
    similarity: float


@dataclass(frozen=True, slots=True)
class ScoredCandidate:
    """A candidate with its final score and the parts it is made of."""

    candidate: Candidate
    score: float
    parts: Mapping[str, float]


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


def first_reads(view: View, vectors: QueryVectors | None) -> list[Callable[[Tables], object]]:
    """What `search_records` reads whatever the question, for `Tables.fetch_ahead`."""
    reads: list[Callable[[Tables], object]] = [lambda t: t.search.size(), lambda t: t.search.find_readers(view)]
    if vectors is not None:
        reads.append(lambda t: vectors.nearby.search(t, vectors.question, view, limit=1))
    return reads


def search_records(
    tables: Tables,
    query: Query,
    view: View,
    *,
    preset: Preset,
    limit: int,
    min_score: float,
    vectors: QueryVectors | None = None,
    trace: SearchTrace | None = None,
    words: WordPlaces | None = None,
) -> list[Hit]:
    """The best hits for a question, best first. `words` are what an earlier search of the transaction looked up."""
    policy = preset.recall
    order_stands = set(policy.score) == {"fused"} and not policy.diversity and trace is None
    wanted = limit if order_stands else max(policy.candidates, limit)
    weighed = wanted if trace is None else sys.maxsize
    rank = partial(_rank_candidates, query=query, preset=preset, vectors=vectors, wanted=weighed)
    # Of some kinds alone, most of what the signals find is hidden.
    trusts = policy.ranker != "reciprocal" and trace is None and view.kinds is None
    reading = RecallSnapshot(tables, view, trusts=trusts, words=words)
    rankings, fused = rank(reading)
    if reading.was_misled(len(fused), wanted=wanted):
        reading = reading.with_care()
        rankings, fused = rank(reading)
    best = sorted(fused, key=fused.__getitem__, reverse=True)[:wanted]
    records = tables.records.by_seq(best)
    alike = dict.fromkeys(best, 0.0)
    if "similarity" in policy.score:
        alike = _similarity_to_query(tables, query, records, vectors=vectors)
    chosen = [Candidate(seq, records[seq], fused[seq], alike[seq]) for seq in best if seq in records]
    scored = _order_best_first(
        _score_candidate(c, preset.kind_or_default(c.record.kind), policy=policy, now=view.now) for c in chosen
    )
    scored = _raise_newer_values(scored, demoted_to=preset.distil.demoted_to)
    hits = _choose_scored(scored, policy=policy, limit=limit, min_score=min_score, trace=trace)
    # A place is one among what was weighed: a hidden record has none and takes none.
    shown = {s.candidate.seq for s in hits}
    places, beside = ranks_of_records(rankings.lists, among=fused, of=shown), reading.neighbours_of(shown, reach=AROUND)
    return [_build_hit(s, rankings, places, policy=policy, query=query, beside=beside[s.candidate.seq]) for s in hits]


def _score_candidate(candidate: Candidate, kind: Kind, *, policy: RecallPolicy, now: datetime) -> ScoredCandidate:
    """The score of a candidate, 0 to 1, from the parts that the preset weighs."""
    record = candidate.record
    ageing = Ageing(
        age_seconds=(now - (record.accessed_at or record.at)).total_seconds(),
        half_life_seconds=kind.ranking_half_life_seconds,
        is_kept=kind.protected or not is_fading(record),
        access_count=record.access_count,
    )
    parts = score_parts(
        fused=candidate.fused, similarity=candidate.similarity, ageing=ageing, frequent_at=policy.frequent_at
    )
    total = weigh_parts(parts, policy.score, kind_weight=kind.weight)
    return ScoredCandidate(candidate, min(total, 1.0), {name: parts[name] for name in policy.score})


def _raise_newer_values(scored: list[ScoredCandidate], *, demoted_to: float) -> list[ScoredCandidate]:
    """The same with the newest value of a subject before demoted ones, however well the words of those match."""
    demoted = [one for one in scored if one.candidate.record.confidence <= demoted_to]
    if not demoted:
        return scored
    newest: dict[str | None, ScoredCandidate] = {}
    for one in scored:
        record = one.candidate.record
        held = newest.get(record.subject)
        if record.confidence > demoted_to and (held is None or record.at > held.candidate.record.at):
            newest[record.subject] = one
    scores: dict[int, float] = {}
    for one in demoted:
        record, other = one.candidate.record, newest.get(one.candidate.record.subject)
        if record.subject and other is not None and record.at < other.candidate.record.at:
            raised = max(one.score, other.score, scores.get(other.candidate.seq, 0.0))
            scores |= {other.candidate.seq: raised, one.candidate.seq: min(one.score, raised * _DEMOTED)}
    return _order_best_first(replace(one, score=scores.get(one.candidate.seq, one.score)) for one in scored)


def _order_best_first(scored: Iterable[ScoredCandidate]) -> list[ScoredCandidate]:
    def key(one: ScoredCandidate) -> tuple[float, float, float]:
        found = one.candidate
        return order_key(one.score, fused=found.fused, at_seconds=found.record.at.timestamp())

    return sorted(scored, key=key)


def _rank_candidates(
    reading: RecallSnapshot, *, query: Query, preset: Preset, vectors: QueryVectors | None, wanted: int
) -> tuple[Rankings, dict[int, float]]:
    """What every signal found, and one score for everything worth it."""
    rankings = gather_rankings(reading, query, preset=preset, vectors=vectors)
    return rankings, _fuse_rankings(reading, query, rankings, policy=preset.recall, vectors=vectors, wanted=wanted)


def gather_rankings(reading: RecallSnapshot, query: Query, *, preset: Preset, vectors: QueryVectors | None) -> Rankings:
    """What every signal of the preset finds for a question."""
    tables, view, policy = reading.tables, reading.view, preset.recall
    wide, by_rank = policy.candidates, policy.ranker == "reciprocal"
    few = wide if by_rank else FEW
    size = tables.search.size()
    rank_words = partial(rank_full_text if by_rank else find_by_terms, words=query.terms, size=size, limit=wide)
    attributes = find_asked_attributes(query, preset.subjects)
    rank_subjects = partial(_rank_by_subjects, query=query, attributes=attributes, preset=preset, limit=few)
    rank_vectors = partial(_rank_by_vectors, vectors=vectors, limit=wide, exact=by_rank)
    tables.fetch_ahead(
        lambda t: rank_words(reading.on(t)),
        lambda t: rank_vectors(reading.on(t), for_statement=is_statement(query.text)),
        lambda t: _rank_by_entities(reading.on(t), query, limit=few),
        lambda t: rank_subjects(reading.on(t)),
        lambda t: _rank_by_time(t, query, view, limit=wide, found={}),
    )
    words = rank_words(reading)
    is_guess = is_statement(query.text) and (by_rank or words.best_score < SAME_WORDS)
    lists: dict[str, Ranking] = {"words": [*words.ranking, *_rank_by_grams(tables, query, view, limit=wide)]}
    details: dict[str, str] = {}
    lists["vectors"] = rank_vectors(reading, for_statement=is_guess)
    lists["entities"], details["entities"] = _rank_by_entities(reading, query, limit=few)
    lists["subjects"], details["subjects"] = rank_subjects(reading)
    lists["time"], details["time"] = _rank_by_time(tables, query, view, limit=wide, found=lists)
    used = {name: lists[name] for name in policy.signals if lists.get(name)}
    return Rankings(used, details, words.counts, size, is_guess)


def _fuse_rankings(
    reading: RecallSnapshot,
    query: Query,
    rankings: Rankings,
    *,
    policy: RecallPolicy,
    vectors: QueryVectors | None,
    wanted: int,
) -> dict[int, float]:
    """One score between 0 and 1 for everything worth it that some signal found, by the preset's way to join them."""
    if policy.ranker == "reciprocal":
        return reciprocal_rank(rankings.lists, weights=policy.signals, k=policy.rrf_k)
    told = {seq for seq, _ in rankings.lists.get("subjects", ())[:FEW]}
    wide = policy.candidates if vectors is not None else int(_BY_WORDS * policy.candidates)
    chances = score_candidates(reading, query, rankings, vectors=vectors, wide=wide, wanted=wanted)
    return {seq: chance + _TOLD * (1 - chance) if seq in told else chance for seq, chance in chances.items()}


def _rank_by_vectors(
    reading: RecallSnapshot, *, vectors: QueryVectors | None, limit: int, exact: bool, for_statement: bool
) -> Ranking:
    """Records by meaning. For a remark the search is wider, and what it calls up counts beside what is like it."""
    if vectors is None:
        return []
    near = partial(vectors.nearby.search, reading.tables, vectors.question, reading.view, shown=reading.known_visible)
    if not for_statement:
        return near(limit=limit, exact=exact)
    from recollect.recall.features import similarity_to_recalled

    found = near(limit=limit * _WIDER, exact=exact)
    alike = measure_similarity(reading.tables, [seq for seq, _ in found], vectors, for_statement=True)
    if alike.off is None:
        return found[:limit]
    order = (-(alike.sims + similarity_to_recalled(alike))).argsort(kind="stable")
    return [found[place] for place in order[:limit].tolist()]


def _rank_by_grams(tables: Tables, query: Query, view: View, *, limit: int) -> Ranking:
    return scale_to_best(tables.search.find_by_grams(query.grams, view, limit=limit)) if query.grams else []


def _rank_by_entities(reading: RecallSnapshot, query: Query, *, limit: int) -> tuple[Ranking, str]:
    known = reading.tables.entities.find(query.names, reading.view.spaces)
    if not known:
        return [], ""
    ranked = partial(reading.tables.search.first_mentions, list({k.seq for k in known}))
    found = first_visible(ranked, reading.known_visible, limit=limit)
    return found, ", ".join(dict.fromkeys(k.name for k in known))


def _rank_by_subjects(
    reading: RecallSnapshot, *, query: Query, attributes: Sequence[str], preset: Preset, limit: int
) -> tuple[Ranking, str]:
    """What is known of the attributes that the question names: its words need not be in the record."""
    if not attributes:
        return [], ""
    names = [term for term in query.terms if not find_named_attributes({term}, preset.subjects)]
    known = partial(reading.tables.search.find_by_subjects, attributes, reading.view)
    found = known(owners=names, limit=limit) or _search_by_subject(reading, names, known)
    return found[:limit], ", ".join(attributes)


def _search_by_subject(reading: RecallSnapshot, names: Sequence[str], known: Callable[..., Ranking]) -> Ranking:
    """What is known about a person named in the question, else about the asker, else about anybody."""
    found, view = known(limit=_KNOWN), reading.view
    # A fact begins with the name of the person it is about.
    called = [
        unit.seq
        for unit in reading.read_units(seq for seq, _ in found)
        if fold_word(unit.text.split(" ", 1)[0]) in names
    ]
    if called:
        return [row for row in found if row[0] in called]
    if any(reading.tables.people.get(space, name) for space in view.spaces for name in names):
        return []
    return (known(owners=[view.user], limit=_KNOWN) if view.user else []) or found


def _rank_by_time(
    tables: Tables, query: Query, view: View, *, limit: int, found: dict[str, Ranking]
) -> tuple[Ranking, str]:
    """Records of the named time: first those that another signal found, then alternately records about that time and
    messages from it, so that neither hides the other.
    """
    if not query.windows:
        return [], ""
    spans = [(window.start, window.end) for window in query.windows]
    told = [row for start, end in spans for row in tables.times.find_by_time(start, end, view, limit=limit)]
    said = [row for start, end in spans for row in tables.search.find_by_time(start, end, view, limit=limit)]
    said.sort(key=lambda row: -row[1])
    ranks = {seq: rank for ranking in found.values() for rank, (seq, _) in reversed(list(enumerate(ranking)))}
    by_turns = dict(row for pair in zip_longest(told, said) for row in pair if row is not None)
    inside = sorted(by_turns.items(), key=lambda row: ranks.get(row[0], limit * 2))
    return inside[:limit], ", ".join(w.text for w in query.windows)


def _similarity_to_query(
    tables: Tables, query: Query, records: dict[int, Record], *, vectors: QueryVectors | None
) -> dict[int, float]:
    """How alike the question and a record are, 0 to 1: by vectors where there are some, else by shared words."""
    alike = vectors.nearby.similarity(tables, vectors.raw, list(records)) if vectors is not None else {}
    return {
        seq: max(alike[seq], 0.0) if seq in alike else term_coverage(query.terms, _record_words(record))
        for seq, record in records.items()
    }


def _choose_scored(
    scored: Sequence[ScoredCandidate], *, policy: RecallPolicy, limit: int, min_score: float, trace: SearchTrace | None
) -> list[ScoredCandidate]:
    passing = [s for s in scored if s.score >= min_score]
    chosen = diversify_hits(
        [(s.score, s) for s in passing], limit=limit, diversity=policy.diversity, alike=_record_similarity
    )
    if trace is not None:
        _explain_drops(trace, scored, passing=passing, chosen=chosen, min_score=min_score, limit=limit)
    return chosen


def _explain_drops(
    trace: SearchTrace,
    scored: Sequence[ScoredCandidate],
    *,
    passing: Sequence[ScoredCandidate],
    chosen: Sequence[ScoredCandidate],
    min_score: float,
    limit: int,
) -> None:
    shown = {s.candidate.seq for s in chosen}
    for place, one in enumerate(scored, start=1):
        record = one.candidate.record
        if one.candidate.seq in shown:
            continue
        if one.score < min_score:
            told = f"its score {one.score:.2f} is under the least wanted, {min_score:.2f}"
            trace.drop(record, told, Reason("weak", {"score": round(one.score, 2), "least": min_score}))
        elif place <= limit:
            trace.drop(record, "a better hit says nearly the same", Reason("retold"))
        else:
            wanted = trace.wanted or limit
            told = f"it came {place}. of {len(passing)}, and {wanted} were wanted"
            trace.drop(record, told, Reason("below", {"place": place, "wanted": wanted, "score": round(one.score, 2)}))


def _build_hit(
    scored: ScoredCandidate,
    rankings: Rankings,
    places: Mapping[str, Mapping[int, int]],
    *,
    policy: RecallPolicy,
    query: Query,
    beside: Sequence[str],
) -> Hit:
    record = scored.candidate.record
    details: dict[str, str | WordMatches] = {**rankings.details}
    details["words"] = partial(match_words, query, record, beside)
    signals = signals_of(scored.candidate.seq, places, weights=policy.signals, details=details)
    return Hit(record, round(scored.score, 4), Why(signals, scored.parts))


def _record_similarity(one: ScoredCandidate, other: ScoredCandidate) -> float:
    return jaccard_similarity(_record_words(one.candidate.record), _record_words(other.candidate.record))


def _record_words(record: Record) -> frozenset[str]:
    return _cached_content_words(f"{record.title} {record.author} {record.text}")


@lru_cache(maxsize=4096)
def _cached_content_words(text: str) -> frozenset[str]:
    return content_words(text)


# Which words matched, by how: those of the record itself, and those of its neighbours or near in meaning.
WordMatches = Callable[[], dict[str, list[str]]]


class AskedSignal(Signal):
    """A signal that finds out what matched when somebody asks; a copy of it knows."""

    __slots__ = ("_match",)
    _match: WordMatches

    def __init__(self, name: str, rank: int, weight: float, match: WordMatches) -> None:
        for part, value in (("name", name), ("rank", rank), ("weight", weight), ("_match", match)):
            object.__setattr__(self, part, value)

    @property
    def detail(self) -> str:
        return describe_matched_words(self._match())

    @property
    def reason(self) -> Reason:
        return AskedReason(self.name, self.rank, self._match)

    def __reduce__(self) -> tuple[type[Signal], tuple[str, int, float, str]]:
        return Signal, (self.name, self.rank, self.weight, self.detail)


class AskedReason(Reason):
    """A reason whose values are found out when somebody asks; a copy of it knows."""

    __slots__ = ("_match", "_rank")
    _match: WordMatches
    _rank: int

    def __init__(self, code: str, rank: int, match: WordMatches) -> None:
        for part, value in (("code", code), ("_rank", rank), ("_match", match)):
            object.__setattr__(self, part, value)

    @property
    def values(self) -> Mapping[str, Any]:
        return {"rank": self._rank, **self._match()}

    def __repr__(self) -> str:
        return repr(Reason(self.code, self.values))

    def __reduce__(self) -> tuple[type[Reason], tuple[str, Mapping[str, Any]]]:
        return Reason, (self.code, self.values)


def build_signal(name: str, rank: int, weight: float, detail: str | WordMatches) -> Signal:
    """One way in which a record was found; what has to be found out of it is, when somebody asks."""
    return Signal(name, rank, weight, detail) if isinstance(detail, str) else AskedSignal(name, rank, weight, detail)


def ranks_of_records(
    rankings: Mapping[str, Ranking], *, among: Container[int], of: Container[int]
) -> dict[str, dict[int, int]]:
    """For each ranking, at which place among some records it has those that are asked about."""
    places: dict[str, dict[int, int]] = {}
    for name, ranking in rankings.items():
        counted = (seq for seq, _ in ranking if seq in among)
        places[name] = {seq: rank for rank, seq in enumerate(counted, start=1) if seq in of}
    return places


def signals_of(
    record: int,
    places: Mapping[str, Mapping[int, int]],
    *,
    weights: Mapping[str, float],
    details: Mapping[str, str | WordMatches],
) -> tuple[Signal, ...]:
    """Which rankings found a record, and at which place; a detail that has to be found out is, when it is asked for."""
    return tuple(
        build_signal(name, ranks[record], weights.get(name, 0.0), details.get(name, ""))
        for name, ranks in places.items()
        if record in ranks
    )


def match_words(query: Query, record: Record, beside: Sequence[str]) -> dict[str, list[str]]:
    """Which words of a question a record holds, which only the messages beside it do, and which it nearly holds."""
    from recollect.recall.features import match_terms

    own = f"{record.text} {record.title} {record.author}"
    held, kin, near = (
        there > 0 for there in match_terms(map(stem_of_word, query.terms), [fold_word(own), *map(fold_word, beside)])
    )
    around = held[1:].any(axis=0)
    seen = held[0]
    found = {"matched": [*_select_words(query.terms, seen), *_pairs_held(query.grams, own)]}
    for name, some in (("near", near[0]), ("alike", kin[0]), ("beside", around)):
        found[name] = _select_words(query.terms, some & ~seen)
        seen = seen | some
    return {name: words for name, words in found.items() if words}


_HOW_MATCHED = {"matched": "", "near": "near in meaning: ", "alike": "alike: ", "beside": "beside it: "}


def describe_matched_words(matches: Mapping[str, Sequence[str]]) -> str:
    """The words that matched, in one line."""
    return "; ".join(f"{_HOW_MATCHED[name]}{' '.join(words)}" for name, words in matches.items())


def _select_words(words: Sequence[str], which: Sequence[bool]) -> list[str]:
    return [word for word, is_one in zip(words, which, strict=True) if is_one]


def _pairs_held(pairs: Sequence[str], text: str) -> list[str]:
    """Pairs of characters that a text holds, for scripts without spaces."""
    own = text_grams(text) if pairs else ""
    return [pair for pair in pairs if pair in own]


def explain_absence(tables: Tables, record: Record, view: View, *, hits: list[Hit], trace: SearchTrace) -> WhyNot:
    """Why the record is not among the hits."""
    for place, hit in enumerate(hits, start=1):
        if hit.record.id == record.id:
            return WhyNot(True, "found", f"it is hit number {place}: {hit.why}")
    if reason := explain_hidden(tables, record, view):
        return WhyNot(False, "scope", reason)
    if record.id in trace.candidates:
        return WhyNot(False, "rank", trace.candidates[record.id])
    return WhyNot(False, "signals", "no signal found it: it shares no word, name, meaning or time with the question")


def explain_hidden(tables: Tables, record: Record, view: View) -> str | None:
    """What keeps the view from showing a record, if anything."""
    tests = (
        (record.state != "active" and view.as_of is None, f"it is {record.state}: {record.state_reason or '-'}"),
        (record.expires_at is not None and record.expires_at <= (view.as_of or view.now), "it has expired"),
        (record.space not in view.spaces, f"it lives in the space {record.space}"),
        (view.kinds is not None and record.kind not in view.kinds, f"its kind, {record.kind}, was not asked for"),
        (not tables.people.may_read(record, view.user), "it is private to someone else"),
        (view.session not in (None, record.session), "it belongs to another session"),
        (record.session is not None and record.session == view.not_session, "it is from the current session"),
        (view.channel not in (None, record.channel), "it belongs to another channel"),
        (_other_branch(record, view), "it belongs to another branch"),
        (view.since is not None and record.at < view.since, "it is older than asked for"),
        (view.until is not None and record.at >= view.until, "it is newer than asked for"),
        (view.as_of is not None and record.at > view.as_of, "it was not known then"),
        (_lacks_metadata(record, view), "its metadata does not match"),
    )  # fmt: skip
    return next((reason for applies, reason in tests if applies), None)


def _other_branch(record: Record, view: View) -> bool:
    return view.branches is not None and record.branch is not None and record.branch not in view.branches


def _lacks_metadata(record: Record, view: View) -> bool:
    wanted = view.where or {}
    return any(
        record.metadata.get(key) not in (value if isinstance(value, list) else [value]) for key, value in wanted.items()
    )
