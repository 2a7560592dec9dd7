"""The spine: every public operation as a short list of steps, from what the caller said to what the store keeps.

`Memory` is synchronous and safe for many threads. It holds a store, an embedder and a clock, and no rules of its own.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from recollect.capture.fields import check_counts, check_lists, check_names, require_counts
from recollect.capture.observe import Heard, Incoming, Skipped, end_all, hear, keep
from recollect.capture.remember import Statement, add, admit_record, record_of
from recollect.clock import Clock, as_moment, system_clock, zone
from recollect.errors import InputError, ModelError, NotAllowed, RecollectError, StoreError
from recollect.keep.job_table import Job, Run
from recollect.keep.store import Store, Tables, View
from recollect.kinds import Author
from recollect.lang.vocabulary import content_words
from recollect.presets.policy import Preset
from recollect.quotas import NO_LIMIT, Added, Owner, added_by, check_quotas, quota_of
from recollect.recall import context as block
from recollect.recall.explain import why_not
from recollect.recall.finder import Finder
from recollect.recall.search import Trace
from recollect.records import (
    Context,
    Conversation,
    Hit,
    Hits,
    Origin,
    Record,
    Space,
    Visibility,
    WhyNot,
)  # fmt: skip
from recollect.spaces import (
    DEFAULT_SPACE,
    REEMBED,
    embed_job,
    ensure_space,
    is_blocked,
    need_on,
    preset_of,
    reason_off,
)
from recollect.text.similarity import jaccard
from recollect.transfers import Transferable

if TYPE_CHECKING:
    from recollect.distil.settle import Settled
    from recollect.distil.tiers import Tiers
    from recollect.distil.writer import Writer
    from recollect.keep.encryption import EncryptionKey
    from recollect.keep.nearest import Nearest
    from recollect.models.embedder import Embedder
    from recollect.models.reranker import Reranker
    from recollect.models.tagger import Tagger

T = TypeVar("T")
log = logging.getLogger("recollect")


class Tender(Protocol):
    """Runs what is due. The package root hands one in, since background work stands above this module."""

    def run_due(self, memory: Memory, *, now: datetime) -> list[Run]:
        """Run every job that is due and say what was done."""

    def watch(self, memory: Memory) -> Callable[[], None]:
        """Run due jobs in the background until the returned function is called."""


class Memory(Transferable):
    """A memory for agents: observe what is said, recall what helps, correct what is wrong."""

    tender: ClassVar[Tender]

    def __init__(
        self, store: Store, *, space: Space, preset: Preset, embedder: Embedder | None = None,
        reranker: Reranker | None = None, writer: Writer | Tiers | None = None, taggers: Sequence[Tagger] = (),
        clock: Clock = system_clock, background: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(store, space=space, preset=preset, clock=clock)
        self._finder = Finder(store, embedder=embedder, reranker=reranker)
        self.taggers = tuple(taggers)
        self._writer = writer
        self._background = background
        self._stop: Callable[[], None] | None = None

    @classmethod
    def open(
        cls, place: str | os.PathLike[str] = "memory.db", preset: str | None = None, *, space: str = DEFAULT_SPACE,
        zone: str = "UTC", embedder: Embedder | str | None = "default", reranker: Reranker | str | None = None,
        writer: Writer | Tiers | str | None = None, taggers: Sequence[Tagger | str] = (), clock: Clock = system_clock,
        background: bool = True, encryption_key: str | bytes | EncryptionKey | None = None,
    ) -> Memory:  # fmt: skip
        """The memory at a path, made when it is not there yet.

        `preset` is one of the shipped names or the path of a TOML file; a memory that exists keeps its own. `writer`
        names a language model as the settings do; without one, rules do its work. `reranker` orders the first hits of a
        recall anew. `taggers` find names more accurately by night: your own, or "spacy:MODEL". With `encryption_key`
        (a passphrase, or 32 bytes) a new memory is encrypted; without it RECOLLECT_ENCRYPTION_KEY counts.
        """
        from recollect.keep.encryption import read_given_key
        from recollect.keep.open import open_store
        from recollect.models.load import load_embedder, load_reranker, load_tagger

        named = [load_tagger(tagger) if isinstance(tagger, str) else tagger for tagger in taggers]
        chosen = embedder if not isinstance(embedder, str) else load_embedder(embedder)
        reranker = reranker if not isinstance(reranker, str) else load_reranker(reranker)
        if isinstance(writer, str):
            from recollect.distil.tiers import read_tiers

            writer = read_tiers(writer)
        wanted = preset_of(preset) if preset else None
        store = open_store(place, key=read_given_key(encryption_key))
        try:
            home, policy = store.write(lambda t: ensure_space(t, space, wanted, zone_name=zone, now=clock()))
        except RecollectError:
            store.close()
            raise
        return cls(
            store, space=home, preset=policy, embedder=chosen, reranker=reranker, writer=writer, taggers=named,
            clock=clock, background=background,
        )  # fmt: skip

    def close(self) -> None:
        """Finish what is under way, count what was shown, and let go of the store."""
        if self._closed:
            return
        if self._is_forked:
            self._closed = True
            self.store.close()
            return
        if self._stop is not None:
            self._stop()
        try:
            self._flush_touches()
        except StoreError as problem:
            log.warning("what was counted and noted last could not be written: %s", problem)
        self._closed = True
        self.store.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    # Capture

    def observe(
        self, text: str, user: str | None = None, *, session: str | None = None, role: str = "user",
        at: datetime | str | None = None, channel: str | None = None, space: str | None = None,
        branch: str | None = None, username: str = "", display_name: str = "",
        metadata: Mapping[str, Any] | None = None,
    ) -> Record | Skipped:  # fmt: skip
        """Keep a message: it is on disk and findable when this returns. A skipped one says which rule skipped it."""
        incoming = Incoming(
            text=text, user=user, session=session, role=role, at=at, channel=channel, branch=branch,
            username=username, display_name=display_name, metadata=metadata,
        )  # fmt: skip
        return self._observe([(space, incoming)])[0]

    def observe_many(
        self, messages: Iterable[Mapping[str, Any]], *, space: str | None = None
    ) -> list[Record | Skipped]:
        """Keep many messages in one go, each a table of the arguments of `observe`; all of them or none."""
        if isinstance(messages, str | bytes | Mapping) or not isinstance(messages, Iterable):
            raise InputError("messages must be a list of tables of the arguments of observe")
        placed: list[tuple[str | None, Incoming]] = []
        for place, message in enumerate(messages):
            if not isinstance(message, Mapping):
                raise InputError(f"message {place}: must be a table of the arguments of observe")
            given = dict(message)
            where = given.pop("space", space)
            try:
                placed.append((where, Incoming(**given)))
            except TypeError as problem:
                raise InputError(f"message {place}: {str(problem).replace('Incoming.__init__() ', '')}") from None
        return self._observe(placed, many=True)

    def remember(
        self, text: str, kind: str | None = None, *, user: str | None = None, source: str | Sequence[str] | None = None,
        author: Author = "agent", made_by: str = "", origin: Origin | None = None, session: str | None = None,
        channel: str | None = None, branch: str | None = None, space: str | None = None,
        visibility: Visibility | None = None, subject: str | None = None, title: str = "", summary: str = "",
        confidence: float | None = None, proposed: bool = False, pinned: bool = False, tags: Sequence[str] = (),
        at: datetime | str | None = None, metadata: Mapping[str, Any] | None = None,
    ) -> Record:  # fmt: skip
        """Keep a statement as a record of a kind; one that says the same already is returned instead.

        `source` names the records it came from. `author="person"` marks it as validated.
        """
        now = self.clock()
        home, preset = self._at(space)
        statement = Statement(
            text=text, kind=kind or preset.default_kind, user=user, author=author, made_by=made_by, origin=origin,
            sources=_as_sources(source), session=session,
            channel=channel, branch=branch, visibility=visibility, subject=subject,
            title=title, summary=summary, confidence=confidence, proposed=proposed, pinned=pinned, tags=tags, at=at,
            metadata=metadata,
        )  # fmt: skip
        record = record_of(statement, preset=preset, space=home, now=now)
        twins = self._twins(record, preset)
        work = partial(self._keep_statement, record=record, preset=preset, now=now, twins=twins)
        kept = self._write(work, noting=False)
        self._note_writing("remember", [kept], at=now)
        return kept

    def settle(
        self, *, session: str | None = None, channel: str | None = None, user: str | None = None,
        space: str | None = None,
    ) -> list[Settled]:  # fmt: skip
        """Finish these conversations now: they become notes, facts and documents.

        Raises ModelError for those whose model failed if the preset has them wait; all others are settled.
        """
        from recollect.distil.settle import as_shown_to

        now = self.clock()
        home, _ = self._at(space, reader=user)
        self._write(lambda t: end_all(t, home.name, session=session, channel=channel, user=user, at=now))
        waiting = self.store.read(
            lambda t: t.conversations.unsettled(home.name, session=session, channel=channel, user=user)
        )
        settled, failed = [], []
        for conversation in waiting:
            try:
                settled.append(self.settle_conversation(conversation, now=now))
            except ModelError as problem:
                failed.append(problem)
        if failed:
            told = f"{len(failed)} of {len(waiting)} conversations wait and will be tried again: {failed[0]}"
            raise ModelError(told, retry_after_s=failed[0].retry_after_s) from failed[0]
        return [as_shown_to(user, done) for done in settled if done is not None]

    def settle_conversation(
        self, conversation: Conversation, *, now: datetime, last_try: bool = True
    ) -> Settled | None:
        """Turn one conversation into knowledge; None when it was settled before.

        When a model fails the conversation waits, or rules do the work if the preset says so and this is the last try.
        """
        from recollect.distil.settle import settle
        from recollect.distil.writer import RulesWriter

        home, preset = self._at(conversation.space)
        by_rules = last_try and preset.distil.when_model_fails == "rules"
        return settle(
            self.store, conversation, preset=preset, space=home, writer=self.writer_for(home.name),
            stand_in=RulesWriter() if by_rules else None, alike=_alike, now=now,
        )  # fmt: skip

    def writer_for(self, space: str | None = None) -> Writer:
        """Who makes drafts for one piece of work in a space: the language model if there is one, else rules.

        Tell it with `stored` when its drafts are in the store; until then what it was paid for is kept and reused.
        """
        from recollect.distil.writer import RulesWriter

        if self._writer is None:
            return RulesWriter()
        from recollect.distil.tiers import Tiers

        if not isinstance(self._writer, Tiers):
            return self._writer
        from recollect.distil.ledger import Ledger
        from recollect.distil.model_writer import ModelWriter

        return ModelWriter(self._writer, Ledger(self.store, self._at(space)[0].name, clock=self.clock))

    def seed(self, root: str | os.PathLike[str], *, space: str | None = None) -> list[Record]:
        """Offer for review what a project's own files say about working in it; returns what was not offered before.

        Nothing of it is shown in a prompt before a person has accepted it.
        """
        from recollect.codemap.seed import seeds, statement_of

        now, folder = self.clock(), Path(root)
        home, preset = self._at(space)
        if not preset.distil.seed_kind:
            raise InputError(f"the {preset.name} preset takes nothing from a project's files: it names no seed_kind")
        drafts = [
            record_of(statement_of(seed, folder, kind=preset.distil.seed_kind), preset=preset, space=home, now=now)
            for seed in seeds(folder)
        ]
        kept = self._write(lambda t: [self._keep_statement(t, r, preset=preset, now=now) for r in drafts])
        self._note_writing("seed", kept, at=now)
        return [record for record, draft in zip(kept, drafts, strict=True) if record.id == draft.id]

    # Recall

    def recall(
        self, query: str, user: str | None = None, *, limit: int | None = None, kinds: Sequence[str] | None = None,
        session: str | None = None, exclude_session: str | None = None, channel: str | None = None,
        since: datetime | str | None = None, until: datetime | str | None = None, as_of: datetime | str | None = None,
        where: Mapping[str, Any] | None = None, min_score: float | None = None, branches: Sequence[str] | None = None,
        space: str | None = None, explain: bool = False, counted: bool = True,
    ) -> Hits:  # fmt: skip
        """The records that help with a question, best first, each with a score from 0 to 1 and why it was found.

        With `explain`, `left_out` of the result says what became of other candidates; `why_not` asks about one record.
        With `counted=False` it is not counted that they were shown, so that measuring changes nothing.
        """
        view, preset = self._view(
            user, space, kinds=kinds, session=session, not_session=exclude_session, channel=channel, since=since,
            until=until, as_of=as_of, where=where, branches=branches,
        )  # fmt: skip
        if self.is_kept_out(user, space=space):
            return Hits()
        trace = Trace() if explain else None
        hits = self._search(query, view, preset, limit=limit, min_score=min_score, trace=trace)
        if counted:
            self._touch(hits, at=view.now)
            self._note_reading("recall", [hit.record for hit in hits], user=user)
        return Hits(hits, left_out=trace.candidates if trace else None)

    def why_not(
        self, record_id: str, query: str, *, user: str | None = None, limit: int | None = None,
        kinds: Sequence[str] | None = None, session: str | None = None, exclude_session: str | None = None,
        min_score: float | None = None, as_of: datetime | str | None = None, where: Mapping[str, Any] | None = None,
        space: str | None = None,
    ) -> WhyNot:  # fmt: skip
        """Why a record is not among the hits for a question, or at which place it is."""
        view, preset = self._view(
            user, space, kinds=kinds, session=session, not_session=exclude_session, as_of=as_of, where=where
        )
        trace = Trace()
        hits = self._search(query, view, preset, limit=limit, min_score=min_score, trace=trace)
        record = self.get(record_id, user=user)
        return self.store.read(lambda t: why_not(t, record, view, hits=hits, trace=trace))

    def context(
        self, query: str, user: str | None = None, *, session: str | None = None, channel: str | None = None,
        budget: int | None = None, as_of: datetime | str | None = None, branches: Sequence[str] | None = None,
        root: str | os.PathLike[str] | None = None, space: str | None = None,
    ) -> Context:  # fmt: skip
        """A block for the prompt with what helps here, never larger than the budget of tokens.

        `root` is the project's folder, where the files that records cite are looked at.
        """
        check_counts(least=0, budget=budget)
        if not isinstance(query, str):
            raise InputError(f"the question must be a string, not {type(query).__name__}")
        check_names(session=session, channel=channel)
        view, preset = self._view(user, space, as_of=as_of, branches=branches)
        home, _ = self._at(space)
        if self.is_kept_out(user, space=space):
            return Context("", 0)
        asked = block.Asked(
            text=query, user=user, session=session, channel=channel,
            budget=preset.context.budget if budget is None else budget, shown_before=self._shown(home, preset, session),
            root=Path(root) if root is not None else None,
        )  # fmt: skip

        def find(seen: View, wanted: int) -> list[Hit]:
            return self._search(query, seen, preset, limit=wanted)

        made = block.build(self.store, asked, view, preset=preset, space=home, search=find)
        self._touch(made.hits, at=view.now)
        self._note_reading("context", [hit.record for hit in made.hits], user=user)
        self._remember_shown(home, preset, session, made)
        return made

    def window(
        self, session: str, *, turns: int | None = None, user: str | None = None, space: str | None = None
    ) -> list[Record]:
        """The last turns of a session, oldest first; with `user`, what that person may see of them."""
        check_counts(least=0, turns=turns)
        home, preset = self._at(space, reader=user)
        limit = 2 * (preset.conversation.window_turns if turns is None else turns)
        now = self.clock()
        found = self.store.read(
            lambda t: t.search.window(home.name, session=session, channel=None, now=now, limit=limit, user=user)
        )
        self._note_reading("read session", found, user=user)
        return found

    # Upkeep

    def tend(self, now: datetime | None = None) -> list[Run]:
        """Run whatever is due and return what was done; what the background has begun is waited for."""
        self._refuse_fork()
        self._flush_touches()
        return self.tender.run_due(self, now=as_moment(now, self.clock()))

    def reembed(self) -> int:
        """Have every record get a vector of the present embedder, which then takes the place of all others.

        Recall goes on meanwhile, by words and by the vectors that are there; returns how many records wait.
        """
        if self.embedder is None:
            raise InputError("there is no embedder to make vectors with: open the memory with one")
        name, dimensions = self.embedder.name, self.embedder.dimensions

        def work(tables: Tables) -> int:
            tables.vectors.want_all(tables.vectors.model(name, dimensions))
            tables.documents.set("", REEMBED, name)
            # Somebody asks for it now: it no longer waits for the next try after a failure.
            tables.jobs.put(embed_job(self.clock()))
            return tables.documents.sizes(None)[3]

        return self._write(work)

    def jobs(self) -> list[Job]:
        """What is planned, the next first."""
        return self.store.read(lambda t: t.jobs.all())

    def runs(self, *, name: str | None = None, limit: int = 50) -> list[Run]:
        """What was done in the background, newest first."""
        require_counts(least=0, limit=limit)
        return self.store.read(lambda t: t.jobs.runs(name=name, limit=limit))

    # Steps that several operations share

    def _observe(
        self, messages: Sequence[tuple[str | None, Incoming]], *, many: bool = False
    ) -> list[Record | Skipped]:
        now = self.clock()
        homes: list[tuple[Space, Preset]] = []
        heard: list[Heard | Skipped] = []
        for place, (space, message) in enumerate(messages):
            try:
                homes.append(self._at(space))
                heard.append(hear(message, preset=homes[-1][1], space=homes[-1][0], now=now))
            except InputError as problem:
                if many:
                    problem.at(place, f"message {place}")
                raise

        def work(tables: Tables) -> list[Record | Skipped]:
            presets = {home.name: preset for home, preset in homes}
            found = {name: tables.people.state(name) for name in presets}
            off = {name: reason_off(name, space) for name, space in found.items()}
            quotas = {name: quota_of(space, presets[name]) for name, space in found.items()}
            if any(quota != NO_LIMIT for quota in quotas.values()):
                check_quotas(tables, _amounts(homes, heard), quotas=quotas, now=now)
            kept = [
                Skipped(off[home.name]) if off[home.name]
                else keep(tables, h, preset=preset, space=home) if isinstance(h, Heard) else h
                for (home, preset), h in zip(homes, heard, strict=True)
            ]  # fmt: skip
            return kept

        kept = self._write(work, noting=False)
        self._note_writing("observe", kept, at=now)
        self._wake()
        return kept

    def _keep_statement(
        self, tables: Tables, record: Record, *, preset: Preset, now: datetime, twins: Sequence[str] = ()
    ) -> Record:
        from recollect.distil.reconcile import carry_out, reconcile

        need_on(tables, record.space)
        quota = quota_of(tables.people.state(record.space), preset)
        if quota != NO_LIMIT:
            adding = added_by([(record.space, record.user, record.text)])
            check_quotas(tables, adding, quotas={record.space: quota}, now=now)
        if is_blocked(tables, record.space, record.user):
            raise NotAllowed("this person is kept out of memory: block(user, blocked=False) lets them in again")
        if record.state == "proposed" and (before := tables.records.said_before(record)):
            return before
        record = admit_record(tables, record, preset=preset)
        met = reconcile(tables, record, preset=preset, now=now, alike=_alike, twins=twins)
        if met is not None and met.outcome == "duplicate":
            for source in record.sources:
                tables.records.link(record.space, met.record.id, source, type="derived_from", at=now)
            return met.record
        kept = met.record if met else record
        add(tables, kept, preset=preset)
        if met is None:
            return kept
        carry_out(tables, met, preset=preset, now=now)
        return replace(kept, notices=(*kept.notices, *([f"{met.outcome}: {met.other.id}"] if met.other else [])))

    def _twins(self, record: Record, preset: Preset) -> list[str]:
        """The records among the three nearest that mean the same by their vectors, where the preset asks for that."""
        if not preset.distil.cosine or self.embedder is None:
            return []
        view, _ = self._view(record.user, record.space, kinds=(record.kind,))
        return self._finder.twins(record.text, view, least=preset.distil.cosine)

    def _search(
        self, query: str, view: View, preset: Preset, *, limit: int | None = None, min_score: float | None = None,
        trace: Trace | None = None,
    ) -> list[Hit]:  # fmt: skip
        check_counts(limit=limit)
        home, _ = self._at(view.spaces[0] if view.spaces else None)
        return self._finder.find(
            query, view, preset=preset, zone=zone(home.zone), limit=limit, min_score=min_score, trace=trace
        )

    @property
    def embedder(self) -> Embedder | None:
        """What makes vectors of texts; another one may take its place if its vectors are the same."""
        return self._finder.embedder

    @embedder.setter
    def embedder(self, embedder: Embedder | None) -> None:
        self._finder.embedder = embedder

    @property
    def reranker(self) -> Reranker | None:
        """What orders the first hits anew, if anything."""
        return self._finder.reranker

    @property
    def nearest(self) -> Nearest | None:
        """The search by vectors, which lives as long as this memory; nothing without an embedder."""
        return self._finder.nearest

    def _forget_found(self) -> None:
        self._finder.forget()

    def _wake(self) -> None:
        if self._background and self._stop is None and not self._closed:
            with self._lock:
                if self._stop is None:
                    self._stop = self.tender.watch(self)


def _amounts(homes: Sequence[tuple[Space, Preset]], heard: Sequence[Heard | Skipped]) -> dict[Owner, Added]:
    """What these messages would add, by space and person."""
    said = ((home.name, one) for (home, _), one in zip(homes, heard, strict=True))
    return added_by((space, one.said.user, one.text) for space, one in said if isinstance(one, Heard))


def _as_sources(source: str | Sequence[str] | None) -> tuple[str, ...]:
    if source is None or isinstance(source, str):
        return (source,) if source else ()
    check_lists(source=source)
    return tuple(source)


def _alike(one: str, other: str) -> float:
    return jaccard(content_words(one), content_words(other))
