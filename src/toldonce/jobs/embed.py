"""Vectors for records that wait for one: texts are read, embedded outside any transaction, and kept in one.

A record whose text the embedder refuses stays without and waits no longer; the text itself is never logged.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING

from toldonce.errors import ModelError, TextRefused
from toldonce.jobs.task import SKIPPED, JobResult, LeasedJob
from toldonce.models.chunking import split_into_chunks
from toldonce.operations.jobs import EMBED, REEMBED, embed_job
from toldonce.recall.searcher import FEW_WAITING
from toldonce.storage.store import Tables
from toldonce.storage.tables.jobs import Job
from toldonce.storage.vectors.model_identity import VectorModels

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.models.embedder import Embedder
    from toldonce.models.partial_embedding import EmbeddedOrRefused
    from toldonce.recall.searcher import Searcher

log = logging.getLogger("toldonce.jobs")

PACK = "pack"
# Records for one call of the embedder, and records whose vectors are kept in one transaction.
BATCH, KEPT_TOGETHER = 64, 256
BUDGET = timedelta(seconds=60)
# While somebody waits, an embedder on this machine is given this many at a time, which takes it no longer in all, and
# begins with no more of them after this time.
SMALL_BATCH = 8
_FEW_WITHIN = timedelta(milliseconds=500)
# How often and how long somebody who makes them is waited for: the embedder may have to be loaded first.
_LOOK_EVERY, _MOST_LOOKS = timedelta(milliseconds=10), 100
# Merging rewrites the whole index of words: about fifteen milliseconds for this many pages.
MERGE_PAGES, MOST_STEPS, MERGED_AFTER = 300, 2_000, 16
# A server in trouble may say the same as one that refuses a text; it has recovered by the third attempt, or never will.
_NO_DOUBT_FROM = 3
# This many records refused and none accepted: the reason is the embedder, not these texts.
_TELLING = 8


def lacks_vectors(tables: Tables, searcher: Searcher) -> bool:
    """Whether records wait for a vector of the present model, or will, and nothing is planned for them yet."""
    if searcher.embedder is None or tables.jobs.get("", EMBED) is not None:
        return False
    return bool(tables.vectors.waiting_places(limit=1)) or is_switched(tables, searcher)


def is_switched(tables: Tables, searcher: Searcher) -> bool:
    """Whether the model of the embedder is not the one that the store's vectors are made by."""
    embedder, models = searcher.embedder, VectorModels(tables)
    if embedder is None:
        return False
    is_used = models.is_in_use(embedder) and searcher.model_name in (None, models.in_use)
    return not is_used and tables.vectors.has_models()


def plan_embedding(tables: Tables, searcher: Searcher, *, now: datetime) -> None:
    """Plan the job that makes the missing vectors."""
    if lacks_vectors(tables, searcher):
        tables.jobs.put(embed_job(now))


def _notice_switch(memory: Memory) -> None:
    """Have the records wait that lack a vector of the present model, if another was in use before."""
    searcher, embedder = memory.engine.searcher, memory.embedder
    if embedder is not None and memory.store.read(lambda t: is_switched(t, searcher)):
        model = searcher.identify_model(embedder)
        memory.store.write(lambda t: VectorModels(t).use(model))


def embed_few(memory: Memory, places: Sequence[int]) -> None:
    """Make the missing vectors of records at these few places, if the embedder is on this machine."""
    if memory.embedder is None or not memory.embedder.local:
        return
    _notice_switch(memory)
    if not embed_within(memory, budget=_FEW_WITHIN, among=places):
        _wait_for_others(memory, places)


def _wait_for_others(memory: Memory, places: Sequence[int]) -> None:
    """Wait a moment for these vectors if somebody else is making them, such as the background, and is nearly done."""

    def is_under_way(tables: Tables) -> bool:
        job = tables.jobs.get("", EMBED)
        if job is None or job.state != "running" or not tables.vectors.waiting_places(limit=1, among=places):
            return False
        return len(tables.vectors.waiting_places(limit=FEW_WAITING + 1)) <= FEW_WAITING

    for _ in range(_MOST_LOOKS):
        if not memory.store.read(is_under_way):
            return
        time.sleep(_LOOK_EVERY.total_seconds())


def embed_within(memory: Memory, *, budget: timedelta, among: Sequence[int] | None = None) -> bool:
    """Make missing vectors, all or at these places, for about this long, unless somebody else does; whether it did."""
    if memory.embedder is None or not memory.store.read(lambda t: t.vectors.waiting_places(limit=1, among=among)):
        return False
    from toldonce.jobs.runner import DuePass
    from toldonce.jobs.task import JobDefinition

    halt, at_once = threading.Event(), SMALL_BATCH if memory.embedder.local else BATCH

    def run(memory: Memory, task: LeasedJob) -> JobResult:
        made = embed_records(memory, task, budget=budget, at_once=at_once, among=among)
        halt.set()
        return made

    duties = {EMBED: JobDefinition(run=run, whole_store=True, needs_embedder=True)}
    return bool(DuePass(memory, duties, now=memory.clock(), halt=halt).run_planned_jobs())


def embed_records(
    memory: Memory,
    task: LeasedJob,
    *,
    budget: timedelta | None = None,
    at_once: int = BATCH,
    among: Sequence[int] | None = None,
) -> JobResult:
    """Make vectors in batches until none is missing or the time is used up; then the next run goes on.

    With `among`, those of these places alone: others still wait for the next run.
    """
    embedder, searcher = memory.embedder, memory.engine.searcher
    if embedder is None or searcher.vector_search is None:
        return SKIPPED
    identity = searcher.identify_model(embedder)
    model, _ = memory.store.write(lambda t: VectorModels(t).use(identity))
    if memory.store.read(lambda t: VectorModels(t).in_use) != searcher.model_name:
        searcher.reopen()
    nearest = searcher.vector_search
    made, budget = Counter(embedded=0), BUDGET if budget is None else budget
    while waiting := memory.store.read(lambda t: t.vectors.find_waiting(limit=KEPT_TOGETHER, among=among)):
        if made.total() and task.elapsed >= budget:
            return JobResult(made, "partial")
        batch = EmbeddedBatch(memory, task, embedder=embedder, model=model)
        try:
            batch.embed_all(waiting, budget=budget, at_once=at_once)
        finally:
            made.update(batch.keep())
    if made["embedded"]:
        with suppress(ModelError):  # The next run asks again.
            searcher.keep_probe(embedder)
    if among is not None and memory.store.read(lambda t: t.vectors.waiting_places(limit=1)):
        return JobResult(made, "partial")
    nearest.learn_shape()
    dropped = memory.store.write(lambda t: _finish_embedding(t, model, embedder, now=task.now))
    if dropped:
        memory.engine.searcher.forget()
    return JobResult({**made, **({"dropped": dropped} if dropped else {})})


def pack_vectors(memory: Memory, task: LeasedJob) -> JobResult:
    """Keep the search index of new vectors in the store, for a quick start, and bring the words' together."""
    index = memory.engine.searcher.vector_search
    if index is None:
        return SKIPPED
    packed = 0
    while rows := index.pack():
        packed += rows
        task.check_lease()
    if packed and is_time_to_merge(index.count_packs()):
        _merge_words(memory, task)
    return JobResult({"packed": packed})


def is_time_to_merge(packs: int) -> bool:
    """Whether the word index is merged after that many packs: each time at first, then less often."""
    return packs % max(1, packs // MERGED_AFTER) == 0


def _merge_words(memory: Memory, task: LeasedJob) -> None:
    """Merge the word index in short transactions, so that no writer is blocked for long."""
    left, steps = memory.store.write(lambda t: t.search.merge(pages=-MERGE_PAGES)), 0
    while left > 1 and steps < MOST_STEPS:
        task.check_lease()
        left, steps = memory.store.write(lambda t: t.search.merge(pages=MERGE_PAGES)), steps + 1


class EmbeddedBatch:
    """Vectors that were made and are kept in one transaction."""

    def __init__(self, memory: Memory, task: LeasedJob, *, embedder: Embedder, model: int) -> None:
        self._memory = memory
        self._task = task
        self._embedder = embedder
        self._model = model
        self._made: list[tuple[int, list[bytes]]] = []
        self._counts: Counter[str] = Counter()

    def embed_all(self, waiting: Sequence[tuple[int, str]], *, budget: timedelta, at_once: int) -> None:
        """Make vectors, a call of the embedder at a time, until all have theirs or the time is used up."""
        for start in range(0, len(waiting), at_once):
            if self._made and self._task.elapsed >= budget:
                return
            self._embed_some(waiting[start : start + at_once])

    def keep(self) -> Counter[str]:
        """Keep what was made; returns how many records got theirs, how many were refused, and how many in parts."""
        if not self._made:
            return Counter()

        def write(tables: Tables) -> int:
            self._task.check_lease_in_transaction(tables)
            return tables.vectors.put(self._model, self._made)

        return +Counter({"embedded": self._memory.store.write(write), **self._counts})

    def _embed_some(self, some: Sequence[tuple[int, str]]) -> None:
        from toldonce.models.partial_embedding import embed_separately
        from toldonce.storage.vectors.index import encode_vector

        task, embedder = self._task, self._embedder
        split = [(record, split_into_chunks(text)) for record, text in some]
        texts = [part for _, of_record in split for part in of_record]
        is_sure = task.job.attempts >= _NO_DOUBT_FROM
        sifted = embed_separately(embedder, texts, go_on=task.check_lease, doubt_counts=is_sure)
        found = iter(sifted)
        made = [
            (record, [encode_vector(one) for one in islice(found, len(of_record)) if not isinstance(one, TextRefused)])
            for record, of_record in split
        ]
        refused = _count_refused(embedder, sifted, records=len(some), taken=sum(bool(parts) for _, parts in made))
        in_part = sum(0 < len(parts) < len(of_record) for (_, parts), (_, of_record) in zip(made, split, strict=True))
        self._counts.update({"refused": refused, "refused in part": in_part})
        self._made += made


def _count_refused(embedder: Embedder, sifted: EmbeddedOrRefused, *, records: int, taken: int) -> int:
    """How many records the embedder refused; raises when all of many are refused, which is the embedder's fault."""
    refusal = next((one for one in sifted if isinstance(one, TextRefused)), None)
    if refusal is None:
        return 0
    if not taken and records >= _TELLING:
        raise ModelError(f"the embedder takes a plain word but none of {records} records, check its limits: {refusal}")
    log.warning("%s refuses %d of %d records: %s", embedder.name, records - taken, records, refusal)
    return records - taken


def _finish_embedding(tables: Tables, model: int, embedder: Embedder, *, now: datetime) -> int:
    """All records have their vectors: pack them, and drop those of other models if that was asked for."""
    _plan_pack(tables, model, now=now)
    if tables.documents.read_setting("", REEMBED) != VectorModels(tables).name_for(embedder):
        return 0
    tables.documents.set_setting("", REEMBED, "")
    return tables.vectors.drop_others(model)


def _plan_pack(tables: Tables, model: int, *, now: datetime) -> None:
    from toldonce.storage.vectors import search as nearest

    if tables.vectors.count_unpacked(model, limit=nearest.PACK_ROWS) >= nearest.PACK_ROWS:
        tables.jobs.put(Job(space="", key=PACK, name=PACK, due_at=now))
