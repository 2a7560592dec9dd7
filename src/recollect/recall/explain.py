"""Says in words why a record was recalled for a question, or the first thing that stood in its way."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import TYPE_CHECKING

from recollect.recall.query import Query
from recollect.recall.rank import Ranking
from recollect.records import Hit, Record, Signal, WhyNot
from recollect.storage.store import Tables, View
from recollect.text.stem import stem_of_word
from recollect.text.words import fold_word, text_grams

if TYPE_CHECKING:
    from recollect.recall.search import SearchTrace


class AskedSignal(Signal):
    """A signal that finds out what matched when somebody asks; a copy of it knows."""

    __slots__ = ("_tell",)
    _tell: Callable[[], str]

    def __init__(self, name: str, rank: int, weight: float, tell: Callable[[], str]) -> None:
        for field, value in (("name", name), ("rank", rank), ("weight", weight), ("_tell", tell)):
            object.__setattr__(self, field, value)

    @property
    def detail(self) -> str:
        return self._tell()

    def __reduce__(self) -> tuple[type[Signal], tuple[str, int, float, str]]:
        return Signal, (self.name, self.rank, self.weight, self.detail)


def build_signal(name: str, rank: int, weight: float, detail: str | Callable[[], str]) -> Signal:
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
    details: Mapping[str, str | Callable[[], str]],
) -> tuple[Signal, ...]:
    """Which rankings found a record, and at which place; a detail that has to be found out is, when it is asked for."""
    return tuple(
        build_signal(name, ranks[record], weights.get(name, 0.0), details.get(name, ""))
        for name, ranks in places.items()
        if record in ranks
    )


def describe_matched_words(query: Query, record: Record, beside: Sequence[str]) -> str:
    """Which words of a question a record holds, which only the messages beside it do, and which it nearly holds."""
    from recollect.recall.features import match_terms

    own = f"{record.text} {record.title} {record.author}"
    held, kin, near = (
        there > 0 for there in match_terms(map(stem_of_word, query.terms), [fold_word(own), *map(fold_word, beside)])
    )
    around = held[1:].any(axis=0)
    seen, told = held[0], [" ".join([*_select_words(query.terms, held[0]), *_pairs_held(query.grams, own)])]
    for label, some in (("near in meaning", near[0]), ("alike", kin[0]), ("beside it", around)):
        words = _select_words(query.terms, some & ~seen)
        told += [f"{label}: {' '.join(words)}"] if words else []
        seen = seen | some
    return "; ".join(filter(None, told))


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
