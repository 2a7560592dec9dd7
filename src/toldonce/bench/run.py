"""Runs a data set through a real memory: passages are observed, vectors made, questions asked, rankings measured.

Every collection gets a memory of its own that lives in this process; nothing is kept of it.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from toldonce import Memory, Skipped, presets
from toldonce.bench.cache import CachedEmbedder
from toldonce.bench.measures import Scores, score_ranking
from toldonce.bench.values import BenchQuestion, Collection, Passage
from toldonce.errors import InputError, ModelError
from toldonce.jobs import JobRunner
from toldonce.operations.space_state import DEFAULT_PRESET
from toldonce.recall.rerank import was_reranked
from toldonce.storage.tables.jobs import Run

if TYPE_CHECKING:
    from toldonce.models.embedder import Embedder
    from toldonce.models.reranker import Reranker
    from toldonce.records import Hit, Record

# How deep a ranking goes, and how many messages are asked for where a session counts by the best of its own.
DEPTH = 50
MESSAGES = 250
# Messages without a time of their own follow each other at this pace, from this day on.
PACE = timedelta(seconds=20)
FIRST_DAY = datetime(2023, 1, 1, tzinfo=UTC)
ASKED_AFTER = timedelta(days=1)
_AT_ONCE = 500
_JOBS = ("embed", "pack", "times")
# The first question opens the index and the model; it is asked for nothing else, and not timed.
_FIRST_WORDS = "good morning"

Advance = Callable[[int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchSetup:
    """How the memories of a run are set up. With `settled`, conversations are settled before anything is asked.

    They are in memory, or with `database` each is a new tenant of that PostgreSQL database.
    """

    preset: str = DEFAULT_PRESET
    embedder: Embedder | None = None
    reranker: Reranker | None = None
    settled: bool = False
    database: str = ""

    def new_place(self) -> str:
        """Where the next memory of the run goes."""
        if not self.database:
            return ":memory:"
        joint = "&" if "?" in self.database else "?"
        return f"{self.database}{joint}tenant=bench-{secrets.token_hex(8)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionResult:
    """What a question brought back: passages, best first, and all figures."""

    question: str
    category: str
    ranking: tuple[str, ...]
    scores: Scores


@dataclass(slots=True)
class BenchOutcome:
    """All answers of a set, how many messages were kept and how many the preset did not take, and the time it took."""

    answers: list[QuestionResult] = field(default_factory=list)
    messages: int = 0
    skipped: int = 0
    seconds: float = 0.0


class StandingClock:
    """A clock that stands where it is put."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


def run_collections(
    collections: Iterable[Collection], setup: BenchSetup, *, advance: Advance = lambda _: None
) -> BenchOutcome:
    """Fill a memory with each collection and ask its questions; `advance` hears of each piece of work that is done."""
    began = time.perf_counter()
    outcome = BenchOutcome()
    cached = cache_embedder(setup.embedder)
    for collection in collections:
        _run_one(collection, setup, cached, outcome=outcome, advance=advance)
    outcome.seconds = time.perf_counter() - began
    return outcome


def cache_embedder(embedder: Embedder | None) -> CachedEmbedder | None:
    """The embedder with a cache around it, if it has none."""
    return embedder if embedder is None or isinstance(embedder, CachedEmbedder) else CachedEmbedder(embedder)


def count_work(collections: Iterable[Collection]) -> int:
    """How many pieces of work `run` will report: passages, and for each question a ranking and a prompt block."""
    return sum(len(c.passages) + 2 * len(c.questions) for c in collections)


def passage_messages(passages: Sequence[Passage], *, longest: int) -> Iterator[dict[str, Any]]:
    """What is observed for these passages: a message for each turn, in parts where it is longer than it may be."""
    at, session = FIRST_DAY, None
    for passage in passages:
        for turn in passage.turns:
            at = _passage_time(passage, after=at, goes_on=passage.session == session)
            session = passage.session
            for start in range(0, len(turn.text), longest):
                yield {
                    "text": turn.text[start : start + longest],
                    "session": session,
                    "role": turn.role,
                    "at": at,
                    "display_name": turn.speaker,
                    "metadata": {"doc": passage.id},
                }


def _passage_time(passage: Passage, *, after: datetime, goes_on: bool) -> datetime:
    if passage.at is None:
        return after + PACE
    return max(passage.at, after + PACE) if goes_on else passage.at


def _run_one(
    collection: Collection,
    setup: BenchSetup,
    embedder: CachedEmbedder | None,
    *,
    outcome: BenchOutcome,
    advance: Advance,
) -> None:
    with filled_memory(collection, setup, embedder) as asker:
        outcome.messages += asker.messages
        outcome.skipped += asker.skipped
        advance(len(collection.passages))
        outcome.answers += asker.ask(collection, settled=setup.settled, advance=advance)


@contextmanager
def filled_memory(
    collection: Collection, setup: BenchSetup, embedder: CachedEmbedder | None
) -> Iterator[QuestionAsker]:
    """A memory that holds a collection, vectors and all, ready to be asked."""
    preset = presets.load_preset(setup.preset)
    kind = preset.kind(preset.capture.kind)
    messages = [m for m in passage_messages(collection.passages, longest=kind.max_chars) if m["text"].strip()]
    clock = StandingClock(max((m["at"] for m in messages), default=FIRST_DAY) + ASKED_AFTER)
    opened = Memory.open(
        setup.new_place(), setup.preset, embedder=embedder, reranker=setup.reranker, clock=clock, background=False
    )
    with closing(opened) as memory:
        kept = _observe_messages(memory, messages)
        prepare_memory(memory, settled=setup.settled)
        origin = {r.id: str(r.metadata["doc"]) for r in kept}
        yield QuestionAsker(memory, clock, kind=kind.name, origin=origin, skipped=len(messages) - len(kept))


def _observe_messages(memory: Memory, messages: Sequence[dict[str, Any]]) -> list[Record]:
    kept: list[Record | Skipped] = []
    for start in range(0, len(messages), _AT_ONCE):
        some = messages[start : start + _AT_ONCE]
        try:
            kept += memory.observe_many(some)
        except InputError:
            kept += observe_one_by_one(memory, some)
    return [record for record in kept if not isinstance(record, Skipped)]


def observe_one_by_one(memory: Memory, messages: Iterable[dict[str, Any]]) -> Iterator[Record | Skipped]:
    """Store each message; one that the gate refuses is left out alone."""
    for message in messages:
        try:
            yield memory.observe(**message)
        except InputError as problem:
            yield Skipped(str(problem))


def prepare_memory(memory: Memory, *, settled: bool) -> None:
    """Settle what waits, if so wanted, then make the vectors and read the times that are missing; no other job runs."""
    from toldonce.jobs.handlers import DUTIES

    if settled:
        memory.settle()
    tender = JobRunner({name: DUTIES[name] for name in _JOBS})
    # A job that has used up its time leaves the rest to the next run.
    while done := tender.run_due(memory, now=memory.clock()):
        refuse_failed_runs(done)


def refuse_failed_runs(done: Iterable[Run]) -> None:
    """End the run when background work failed, since the figures would be those of another memory."""
    if failed := next((run for run in done if run.status == "failed"), None):
        raise ModelError(f"the memory was not made ready: {failed.name}: {failed.error}")


class QuestionAsker:
    """Asks the questions of one collection; `origin` says which passage each message came from."""

    def __init__(
        self, memory: Memory, clock: StandingClock, *, kind: str, origin: dict[str, str], skipped: int
    ) -> None:
        self.messages = len(origin)
        self.skipped = skipped
        self._memory = memory
        self._clock = clock
        self._end = clock.now
        self._kind = kind
        self._origin = origin
        self._limit = DEPTH if len(origin) == len(set(origin.values())) else MESSAGES

    def ask(self, collection: Collection, *, settled: bool, advance: Advance) -> list[QuestionResult]:
        """Rankings first, then prompt blocks; what holds in every prompt is looked for in a settled memory."""
        self._find(_FIRST_WORDS)
        ranked = {}
        for question in collection.questions:
            ranked[question.id] = self.rank(question)
            advance(1)
        if not settled and any(question.standing for question in collection.questions):
            self._clock.now = self._end
            prepare_memory(self._memory, settled=True)
        answers = []
        for question in collection.questions:
            ranking, cost = ranked[question.id]
            scores = {**score_ranking(ranking, question), **self._context(question), **cost}
            answers.append(
                QuestionResult(question=question.id, category=question.category, ranking=tuple(ranking), scores=scores)
            )
            advance(1)
        return answers

    def rank(self, question: BenchQuestion, *, cached: bool = False) -> tuple[list[str], dict[str, float]]:
        """The passages that come back for a question, best first, and what it cost.

        It is put to the model itself, so that a cache does not hide what it costs, unless it may be `cached`.
        """
        self._clock.now = question.at or self._end
        wall, cpu = time.perf_counter(), time.process_time()
        hits = self._find(question.text, cached=cached)
        cost = {
            "cpu_ms": (time.process_time() - cpu) * 1000,
            "wall_ms": (time.perf_counter() - wall) * 1000,
        }
        return list(dict.fromkeys(self._origin[hit.record.id] for hit in hits))[:DEPTH], cost

    def _find(self, text: str, *, cached: bool = False) -> list[Hit]:
        embedder = self._memory.embedder
        if isinstance(embedder, CachedEmbedder) and not cached:
            self._memory.embedder = embedder.inner
        try:
            hits = self._memory.recall(text, limit=self._limit, kinds=[self._kind], min_score=0.0, counted=False)
        finally:
            self._memory.embedder = embedder
        if self._memory.engine.searcher.reranker is not None and len(hits) > 1 and not was_reranked(hits[0]):
            raise ModelError("the reranker failed, so the figures would not be its own: see the log for the reason")
        return hits

    def _context(self, question: BenchQuestion) -> dict[str, float | None]:
        self._clock.now = question.at or self._end
        made = self._memory.context(question.text)
        shown = {passage for hit in made.hits for passage in self._passages_behind(hit)}
        return {"tokens": made.tokens, "in_context": float(bool(shown & question.gold)) if question.standing else None}

    def _passages_behind(self, hit: Hit) -> set[str]:
        """The passage of a message, or those that a derived record was drawn from."""
        return {self._origin[one] for one in (hit.record.id, *hit.record.sources) if one in self._origin}
