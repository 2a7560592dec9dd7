"""A question becomes hits: it is read, made a vector if there is an embedder, and searched for in one transaction.

A reranker, if there is one, is asked afterwards, when no transaction is open.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from functools import partial
from typing import TYPE_CHECKING

from toldonce.errors import InputError, ModelError, StoreError, TextRefused
from toldonce.presets.policy import Preset
from toldonce.recall.candidates import (
    QueryVectors,
    RecallRequest,
    RecallSnapshot,
    SharedReads,
    find_by_words,
    first_reads,
)
from toldonce.recall.doubted import attach_to_each
from toldonce.recall.query import AskedAttributes, Query, analyse_query
from toldonce.recall.rerank import DEPTH, Reranking
from toldonce.recall.search import SearchTrace, search_records
from toldonce.records import Hit, Person
from toldonce.storage.store import Store, Tables, View
from toldonce.storage.vectors.model_identity import PROBE_TEXT, VectorModel, VectorModels, may_change

if TYPE_CHECKING:
    from toldonce.models.embedder import Embedder
    from toldonce.models.embedder import Vectors as Array
    from toldonce.models.reranker import Reranker
    from toldonce.storage.vectors.chroma import ChromaEngine
    from toldonce.storage.vectors.search import NearestRecords

log = logging.getLogger("toldonce")

# How long an embedder behind an address is left alone that did not answer.
_REST = timedelta(minutes=1)
# Where something may be hidden, this many times as many hits are looked at.
_HIDDEN_AMONG = 3
# Up to this many records that wait for a vector get theirs before a question is answered, where the embedder is on this
# machine: with the default one a third of a second. Where more wait, the most likely and the newest of them do.
FEW_WAITING = 64


@dataclass(slots=True)
class SearchGate:
    """What a search must know of a space before it looks: who is blocked, and if it is guarded, whether memory is on
    and the reader is not. `hides` if some of what is found will be hidden; `waiting` records that it
    shows had no vector to be found by, counted up to a few.
    """

    home: str
    spaces: tuple[str, ...]
    user: str | None
    hides: bool = False
    is_guarded: bool = False
    blocked: list[Person] = field(default_factory=list)
    waiting: int = 0

    def first_reads(self) -> list[Callable[[Tables], object]]:
        """What `is_open` reads."""
        reads: list[Callable[[Tables], object]] = [lambda t: t.people.find_blocked(self.spaces)]
        if self.is_guarded:
            reads.append(lambda t: t.people.read_space_state(self.home))
            reads.append(lambda t: t.people.is_blocked(self.home, self.user))
        return reads

    def is_open(self, tables: Tables) -> bool:
        """Whether anything may be shown; finds out what will be hidden."""
        if self.is_guarded and tables.people.is_kept_out(self.home, self.user):
            return False
        self.blocked = tables.people.find_blocked(self.spaces)
        self.hides = self.hides or bool(self.blocked)
        return True

    def widen(self, wanted: int) -> int:
        """How many hits to look for: more where some will be hidden."""
        return wanted * _HIDDEN_AMONG if self.hides else wanted


class Searcher:
    """Finds what a store holds; what it knows of the store's vectors lives as long as it does."""

    def __init__(
        self,
        store: Store,
        *,
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        vector_engine: ChromaEngine | None = None,
    ) -> None:
        self.embedder = embedder
        self._vector_engine = vector_engine
        self._reranking = Reranking(reranker) if reranker is not None else None
        self._store = store
        self._nearest: NearestRecords | None = None
        # Under which name the store keeps the vectors of the embedder, once that is known.
        self.model_name: str | None = None
        # Makes vectors of records at these places that wait for one, in a process that makes vectors at all.
        self.catch_up: Callable[[Sequence[int]], None] | None = None
        self._last: tuple[Embedder, str, Array] | None = None
        # What the embedder made of the text that tells its model from another, once it was asked.
        self._probe: Array | None = None
        self._away_since: datetime | None = None

    def find(
        self,
        question: str,
        wanted: Sequence[tuple[View, int]],
        gate: SearchGate,
        *,
        preset: Preset,
        zone: tzinfo,
        min_score: float | None = None,
        trace: SearchTrace | None = None,
    ) -> list[list[Hit]]:
        """The best hits for a question by each view of one reader, best first, as many as the gate lets through.

        They are read in one transaction, so no view is of another moment than the others.
        """
        if not isinstance(question, str):
            raise InputError(f"the question must be a string, not {type(question).__name__}")
        if not wanted:
            return []
        view = wanted[0][0]
        asked = analyse_query(question, now=view.as_of or view.now, zone=zone)
        vectors = self._query_vectors(asked, preset, now=view.now)
        request = RecallRequest(asked, preset, AskedAttributes.find(asked, preset.subjects), vectors)
        views = [seen for seen, _ in wanted]

        lacking: list[int] = []

        def search(tables: Tables, *, may_catch_up: bool) -> list[list[Hit]] | None:
            waiting = [partial(_find_waiting, views=views)] if vectors is not None else []
            doubts = partial(_find_doubts, view=view)
            tables.fetch_ahead(*gate.first_reads(), *waiting, *first_reads(request, views), doubts)
            if not gate.is_open(tables):
                return [[] for _ in wanted]
            lacking[:] = _find_lacking(tables, request, views) if vectors is not None else []
            gate.waiting = len(lacking)
            if may_catch_up and lacking:
                return None
            if trace is not None:
                trace.wanted = gate.widen(wanted[0][1])
            least_depth = DEPTH if self._reranking is not None else 0
            # A reranker is there to find what the engine takes for unlikely.
            least = min_score if self._reranking is None else min_score or 0.0
            found = search_records(
                tables,
                request,
                [(seen, max(gate.widen(limit), least_depth)) for seen, limit in wanted],
                min_score=least,
                trace=trace,
            )
            return attach_to_each(tables, found, view)

        may_catch_up = vectors is not None and self._may_catch_up()
        found = self._store.read(partial(search, may_catch_up=may_catch_up), person=view.user)
        if found is None:
            self._catch_up(lacking)
            found = self._store.read(partial(search, may_catch_up=False), person=view.user)
        assert found is not None, "only a search that may catch up returns nothing"
        return [
            self._rerank_hits(asked, hits, view, wanted=gate.widen(limit), trace=trace)
            for hits, (_, limit) in zip(found, wanted, strict=True)
        ]

    @property
    def reranker(self) -> Reranker | None:
        """The reranker of the top results, if any."""
        return self._reranking.reranker if self._reranking is not None else None

    def find_duplicates(self, text: str, view: View, *, least: float) -> list[str]:
        """The ids of those among the three nearest records whose cosine with a text is above the least wanted."""
        if self.embedder is None:
            return []
        try:
            vector = self.embedder.embed([text])[0]
            nearest = self.vector_search
        except ModelError as problem:
            log.warning("duplicates are looked for by words alone: %s", problem)
            return []

        def same(tables: Tables) -> list[str]:
            near = nearest.search(tables, vector, view, limit=3) if nearest else []
            return [found.id for found in tables.records.by_seq(s for s, cosine in near if cosine > least).values()]

        return self._store.read(same, person=view.user)

    @property
    def vector_search(self) -> NearestRecords | None:
        """The search by vectors; nothing without an embedder. ModelError where it is in doubt which model it is."""
        if self._nearest is None and self.embedder is not None:
            model = self.identify_model(self.embedder)
            name, dimensions = self._store.read(lambda t: VectorModels(t).find(model)), model.dimensions
            self.model_name = name
            if self._vector_engine is not None:
                self._nearest = self._vector_engine.open_search(self._store, model=name, dimensions=dimensions)
            else:
                self._nearest = self._store.vector_search(model=name, dimensions=dimensions)
        return self._nearest

    def identify_model(self, embedder: Embedder) -> VectorModel:
        """The model of the embedder; one that may have changed is asked for its probe once in a process."""
        if self._needs_probe(embedder):
            self._probe = embedder.embed([PROBE_TEXT])[0]
        return VectorModel.of(embedder, self._probe)

    def keep_probe(self, embedder: Embedder) -> None:
        """Have the store know what the embedder's model makes of the probe, if that may change."""
        if (
            self._probe is None
            and may_change(embedder)
            and not self._store.read(lambda t: VectorModels(t).has_probe(embedder))
        ):
            self._probe = probe = embedder.embed([PROBE_TEXT])[0]
            self._store.write(lambda t: VectorModels(t).keep_probe(probe))

    def _needs_probe(self, embedder: Embedder) -> bool:
        """Whether the embedder's model has to be compared with the one that the store knows by its name."""
        if self._probe is not None or self.model_name is not None or not may_change(embedder):
            return False
        return self._store.read(lambda t: VectorModels(t).has_probe(embedder))

    def recognise_model(self) -> None:
        """Find out whether the embedder's model became another, if it may; one that is away is asked later."""
        if self.model_name is None and self.embedder is not None and may_change(self.embedder):
            with suppress(ModelError):
                _ = self.vector_search

    def reopen(self) -> None:
        """Find out again which vectors of the store belong to the embedder's model."""
        self._nearest = self.model_name = None

    def forget(self) -> bool:
        """Let go of what is known of the store's vectors, since some of them were destroyed.

        False when a vector engine beside the store still has them: call it again later.
        """
        if self._nearest is not None:
            self._nearest.forget()
        return self._vector_engine is None or self._vector_engine.remove_destroyed(self._store)

    def _may_catch_up(self) -> bool:
        return self.catch_up is not None and self.embedder is not None and self.embedder.local

    def _catch_up(self, places: Sequence[int]) -> None:
        try:
            if self.catch_up is not None:
                self.catch_up(places)
        except StoreError as problem:
            log.warning("new records are found by words alone for now: %s", problem)

    def _rerank_hits(
        self, asked: Query, hits: list[Hit], view: View, *, wanted: int, trace: SearchTrace | None
    ) -> list[Hit]:
        if self._reranking is None:
            return hits
        ordered = self._reranking.order(asked.text, hits, now=view.now)
        if trace is not None:
            cut = {
                hit.record.id: f"it came {place}., and {wanted} were wanted; found by {hit.why}"
                for place, hit in enumerate(ordered[wanted:], start=wanted + 1)
            }
            trace.candidates = cut | trace.candidates
        return ordered[:wanted]

    def _query_vectors(self, asked: Query, preset: Preset, *, now: datetime) -> QueryVectors | None:
        embedder = self.embedder
        if embedder is None or not asked.text.strip() or preset.recall.signals.get("vectors", 0) <= 0:
            return None
        if self._away_since is not None and self._away_since <= now < self._away_since + _REST:
            return None
        try:
            question = self._embed_question(embedder, asked.text)
            return (
                QueryVectors(question, self.vector_search.query_vector(question), self.vector_search)
                if self.vector_search
                else None
            )
        except TextRefused as problem:
            log.warning("searching without vectors: %s", problem)
        except ModelError as problem:
            # Each question would wait for it as long as this one did.
            self._away_since = None if embedder.local else now
            log.warning("searching without vectors%s: %s", "" if embedder.local else " for a minute", problem)
        return None

    def _embed_question(self, embedder: Embedder, text: str) -> Array:
        """The vector of a question; the sections of one prompt block ask for the same one after another."""
        last = self._last
        if last is not None and last[0] is embedder and last[1] == text:
            return last[2]
        is_asked = self._needs_probe(embedder)
        made = embedder.embed([text, PROBE_TEXT] if is_asked else [text])
        vector: Array = made[0]
        if is_asked:
            self._probe = made[1]
        self._last = (embedder, text, vector)
        return vector


def _find_doubts(tables: Tables, view: View) -> bool:
    return tables.doubts.exist(view)


def _find_waiting(tables: Tables, views: Sequence[View]) -> list[int]:
    """Records that wait for a vector; most are of the current session, which a prompt block leaves out."""
    left_out = {view.not_session for view in views}
    not_session = left_out.pop() if len(left_out) == 1 else None
    return tables.vectors.waiting_places(limit=FEW_WAITING + 1, not_session=not_session)


def _find_lacking(tables: Tables, request: RecallRequest, views: Sequence[View]) -> list[int]:
    """A few records that one of these views shows and that wait for a vector: by words the most likely, the newest."""
    waiting = _find_waiting(tables, views)
    if not waiting:
        return []
    shared = SharedReads(tables, views[0])
    if len(waiting) > FEW_WAITING:
        by_words = find_by_words(RecallSnapshot(shared, views[0]), request)
        likely = tables.vectors.waiting_places(limit=FEW_WAITING // 2, among=by_words)
        waiting = list(dict.fromkeys((*likely, *waiting)))[:FEW_WAITING]
    shown = {unit.seq for view in views for unit in RecallSnapshot(shared, view).visible_units(waiting)}
    return [place for place in waiting if place in shown]
