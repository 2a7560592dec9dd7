"""A question becomes ranked hits: signals, fusion, score, diversity; with why each was found, or was left out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache, partial
from itertools import chain
from typing import Any

from toldonce.lang.vocabulary import content_words
from toldonce.presets.policy import Kind, RecallPolicy, is_fading
from toldonce.recall.candidates import FEW, Rankings, RecallRequest, RecallSnapshot, SharedReads, gather_rankings
from toldonce.recall.query import Query
from toldonce.recall.rank import (
    Ageing,
    Ranking,
    diversify_hits,
    order_key,
    reciprocal_rank,
    score_parts,
    weigh_parts,
)
from toldonce.recall.scoring import AROUND, RankedView, score_candidates
from toldonce.records import Hit, Reason, Record, Signal, Why, WhyNot
from toldonce.storage.store import Tables, View
from toldonce.text.words import fold_word, jaccard_similarity, stem_of_word, term_coverage, text_grams

# The strength of a record about exactly the attribute that was asked for, whatever its words.
_TOLD = 0.9
# Without vectors, the order by words is more reliable and fewer candidates are scored.
_BY_WORDS = 0.6
# A demoted record scores at most this share of what the newest value of its subject scores.
_DEMOTED = 0.99


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


def search_records(
    tables: Tables,
    request: RecallRequest,
    wanted: Sequence[tuple[View, int]],
    *,
    min_score: float | None = None,
    trace: SearchTrace | None = None,
) -> list[list[Hit]]:
    """The best hits for a question by each view of one reader, up to a number of each, best first.

    The views may differ in kinds and in the session that they leave out. Without a `min_score` what is unlikely to help
    is left out.
    """
    preset, policy = request.preset, request.preset.recall
    shared = SharedReads(tables, wanted[0][0])
    order_stands = set(policy.score) == {"fused"} and not policy.diversity and trace is None
    depths = [limit if order_stands else max(policy.candidates, limit) for _, limit in wanted]
    ranked = _rank_views(shared, request, wanted, depths, trace=trace)
    best = [
        sorted(one.fused, key=one.fused.__getitem__, reverse=True)[:n] for one, n in zip(ranked, depths, strict=True)
    ]
    records = tables.records.by_seq(dict.fromkeys(chain.from_iterable(best)))
    alike = dict.fromkeys(records, 0.0)
    if "similarity" in policy.score:
        alike = _similarity_to_query(tables, request, records)
    found = []
    for one, seqs, (view, limit) in zip(ranked, best, wanted, strict=True):
        scored = _order_best_first(
            _score_candidate(
                Candidate(seq, record, one.fused[seq], alike[seq]),
                preset.kind_or_default(record.kind),
                policy=policy,
                now=view.now,
            )
            for seq in seqs
            if (record := records.get(seq)) is not None
        )
        scored = _raise_newer_values(scored, demoted_to=preset.distil.demoted_to)
        least = _likely_enough(scored, request) if min_score is None else Least(score=min_score)
        chosen = _choose_scored(scored, policy=policy, limit=limit, least=least, trace=trace)
        found.append(_build_hits(chosen, one, request))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Least:
    """What a candidate must reach to be shown: a score, and a chance to help unless it holds all of the words."""

    score: float = 0.0
    chance: float = 0.0
    words: Sequence[str] = ()

    def describe_gap(self, one: ScoredCandidate) -> tuple[str, float, float] | None:
        """By which measure a candidate is below it, what it has of that and what it needs; None if it passes."""
        if one.score < self.score:
            return "score", one.score, self.score
        chance = one.candidate.fused
        if chance >= self.chance or (self.words and self._has_all_words(one.candidate.record)):
            return None
        return "chance to help", chance, self.chance

    def _has_all_words(self, record: Record) -> bool:
        return term_coverage(self.words, _record_words(record)) == 1


def _likely_enough(scored: Sequence[ScoredCandidate], request: RecallRequest) -> Least:
    """The preset's own minimum. Ranks that are added up are no chances."""
    policy = request.preset.recall
    if policy.ranker == "reciprocal":
        return Least()
    best = max((one.candidate.fused for one in scored), default=0.0)
    return Least(chance=max(policy.min_score, policy.min_share * best), words=request.query.parts)


@dataclass(frozen=True, slots=True)
class _Ranked:
    """What was found by one view, and one score for everything worth it."""

    reading: RecallSnapshot
    rankings: Rankings
    fused: Mapping[int, float]


def _rank_views(
    shared: SharedReads,
    request: RecallRequest,
    wanted: Sequence[tuple[View, int]],
    depths: Sequence[int],
    *,
    trace: SearchTrace | None,
) -> list[_Ranked]:
    """What is found by each view; with care where hidden records took the places of others."""
    scored = depths if trace is None else [sys.maxsize] * len(depths)
    is_trusted = not request.is_by_rank and trace is None
    # Of some kinds alone, most of what the signals find is hidden.
    readings = [RecallSnapshot(shared, view, trusts=is_trusted and view.kinds is None) for view, _ in wanted]
    ranked = _rank_candidates(request, readings, scored)
    again = [place for place, one in enumerate(ranked) if one.reading.was_misled(len(one.fused), wanted=depths[place])]
    careful = _rank_candidates(request, [readings[p].with_care() for p in again], [scored[p] for p in again])
    return [dict(zip(again, careful, strict=True)).get(place, one) for place, one in enumerate(ranked)]


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
        policy.score,
        fused=candidate.fused,
        similarity=candidate.similarity,
        ageing=ageing,
        frequent_at=policy.frequent_at,
    )
    return ScoredCandidate(candidate, min(weigh_parts(parts, policy.score, kind_weight=kind.weight), 1.0), parts)


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
    chances: dict[int, float] = {}
    for one in demoted:
        record, other = one.candidate.record, newest.get(one.candidate.record.subject)
        if record.subject and other is not None and record.at < other.candidate.record.at:
            seq = other.candidate.seq
            raised = max(one.score, other.score, scores.get(seq, 0.0))
            scores |= {seq: raised, one.candidate.seq: min(one.score, raised * _DEMOTED)}
            # It helps as much as the one that it replaces, so that this is never shown alone.
            chances[seq] = max(one.candidate.fused, other.candidate.fused, chances.get(seq, 0.0))
    return _order_best_first(_raise_one(one, scores, chances) for one in scored)


def _raise_one(one: ScoredCandidate, scores: Mapping[int, float], chances: Mapping[int, float]) -> ScoredCandidate:
    found = one.candidate
    raised = replace(found, fused=chances.get(found.seq, found.fused))
    return replace(one, candidate=raised, score=scores.get(found.seq, one.score))


def _order_best_first(scored: Iterable[ScoredCandidate]) -> list[ScoredCandidate]:
    def key(one: ScoredCandidate) -> tuple[float, float, float]:
        found = one.candidate
        return order_key(one.score, fused=found.fused, at_seconds=found.record.at.timestamp())

    return sorted(scored, key=key)


def _rank_candidates(
    request: RecallRequest, readings: Sequence[RecallSnapshot], wanted: Sequence[int]
) -> list[_Ranked]:
    """What every signal found by each view, and one score for everything worth it, by the preset's way to join them."""
    policy = request.preset.recall
    found = [gather_rankings(reading, request) for reading in readings]
    if request.is_by_rank:
        fused = [reciprocal_rank(rankings.lists, weights=policy.signals, k=policy.rrf_k) for rankings in found]
    else:
        wide = policy.candidates if request.vectors is not None else int(_BY_WORDS * policy.candidates)
        views = [RankedView(*parts) for parts in zip(readings, found, wanted, strict=True)]
        chances = score_candidates(views, request.query, vectors=request.vectors, wide=wide)
        fused = [_raise_told(scores, rankings) for scores, rankings in zip(chances, found, strict=True)]
    return [_Ranked(*parts) for parts in zip(readings, found, fused, strict=True)]


def _raise_told(chances: Mapping[int, float], rankings: Rankings) -> dict[int, float]:
    """The chances, higher for what is known of exactly what was asked for."""
    told = {seq for seq, _ in rankings.lists.get("subjects", ())[:FEW]}
    return {seq: chance + _TOLD * (1 - chance) if seq in told else chance for seq, chance in chances.items()}


def _similarity_to_query(tables: Tables, request: RecallRequest, records: Mapping[int, Record]) -> dict[int, float]:
    """How alike the question and a record are, 0 to 1: by vectors where there are some, else by shared words."""
    query, vectors = request.query, request.vectors
    alike = vectors.nearby.similarity(tables, vectors.raw, list(records)) if vectors is not None else {}
    return {
        seq: max(alike[seq], 0.0) if seq in alike else term_coverage(query.parts, _record_words(record))
        for seq, record in records.items()
    }


def _choose_scored(
    scored: Sequence[ScoredCandidate], *, policy: RecallPolicy, limit: int, least: Least, trace: SearchTrace | None
) -> list[ScoredCandidate]:
    passing = [one for one in scored if least.describe_gap(one) is None]
    chosen = diversify_hits(
        [(s.score, s) for s in passing], limit=limit, diversity=policy.diversity, alike=_record_similarity
    )
    if trace is not None:
        _explain_drops(trace, scored, passing=passing, chosen=chosen, least=least, limit=limit)
    return chosen


def _explain_drops(
    trace: SearchTrace,
    scored: Sequence[ScoredCandidate],
    *,
    passing: Sequence[ScoredCandidate],
    chosen: Sequence[ScoredCandidate],
    least: Least,
    limit: int,
) -> None:
    shown = {s.candidate.seq for s in chosen}
    for place, one in enumerate(scored, start=1):
        record, score = one.candidate.record, round(one.score, 4)
        if one.candidate.seq in shown:
            continue
        if gap := least.describe_gap(one):
            measure, has, needs = gap
            told = f"its {measure}, {has:.3f}, is under the minimum of {needs:.3f}; min_score=0 shows it"
            trace.drop(record, told, Reason("weak", {"score": round(has, 4), "least": round(needs, 4)}))
        elif place <= limit:
            trace.drop(record, "a better hit says nearly the same", Reason("retold", {"score": score}))
        else:
            wanted = trace.wanted or limit
            told = f"it came {place}. of {len(passing)}, and {wanted} were wanted"
            trace.drop(record, told, Reason("below", {"place": place, "wanted": wanted, "score": score}))


def _build_hits(chosen: Sequence[ScoredCandidate], ranked: _Ranked, request: RecallRequest) -> list[Hit]:
    """The chosen ones with why each was found."""
    shown = {one.candidate.seq for one in chosen}
    # A place is one among what was weighed: a hidden record has none and takes none.
    places = ranks_of_records(ranked.rankings.lists, among=ranked.fused, of=shown)
    hits = []
    for one in chosen:
        seq, record = one.candidate.seq, one.candidate.record
        details: dict[str, str | WordMatches] = {**ranked.rankings.details}
        details["words"] = partial(match_words, request.query, record, ranked.reading.texts_around(seq, reach=AROUND))
        signals = signals_of(seq, places, weights=request.preset.recall.signals, details=details)
        hits.append(Hit(record, round(one.score, 4), Why(signals, one.parts)))
    return hits


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
    from toldonce.recall.unit_texts import match_terms

    own = f"{record.text} {record.title} {record.author}"
    held, kin, near = (
        there > 0 for there in match_terms(map(stem_of_word, query.terms), [fold_word(own), *map(fold_word, beside)])
    )
    around = held[1:].any(axis=0)
    seen = held[0]
    found = {"matched": list(dict.fromkeys((*_select_words(query.terms, seen), *_pairs_held(query.grams, own))))}
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
