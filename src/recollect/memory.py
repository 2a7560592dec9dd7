"""The spine: every public operation as a short list of steps, from what the caller said to what the store keeps.

`Memory` is synchronous and safe for many threads. It holds a store, an embedder and a clock, and no rules of its own.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from recollect.capture.observe import Heard, Incoming, Skipped, end_all, hear, keep
from recollect.capture.remember import Statement, add, admit_record, record_of
from recollect.clock import Clock, as_moment, system_clock, zone
from recollect.curate import Curated
from recollect.errors import InputError, ModelError, RecollectError
from recollect.keep import lifecycle
from recollect.keep.job_table import Job, Run
from recollect.keep.store import Store, Tables, View
from recollect.kinds import Author
from recollect.presets.policy import Preset
from recollect.recall import context as block
from recollect.recall.explain import why_not
from recollect.recall.query import Query, analyse, content_words
from recollect.recall.rank import jaccard
from recollect.recall.search import Trace, Vectors, search
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
from recollect.spaces import DEFAULT_SPACE, REEMBED, ensure_space, is_on, preset_of

if TYPE_CHECKING:
    from recollect.distil.settle import Settled
    from recollect.distil.writer import Writer
    from recollect.keep.nearest import Nearest
    from recollect.models.embedder import Embedder

T = TypeVar("T")
log = logging.getLogger("recollect")


class Tender(Protocol):
    """Runs what is due. The package root hands one in, since background work stands above this module."""

    def run_due(self, memory: Memory, *, now: datetime) -> list[Run]:
        """Run every job that is due and say what was done."""

    def watch(self, memory: Memory) -> Callable[[], None]:
        """Run due jobs in the background until the returned function is called."""


class Memory(Curated):
    """A memory for agents: observe what is said, recall what helps, correct what is wrong."""

    tender: ClassVar[Tender]

    def __init__(
        self, store: Store, *, space: Space, preset: Preset, embedder: Embedder | None = None,
        writer: Writer | None = None, clock: Clock = system_clock, background: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(store, space=space, preset=preset, clock=clock)
        self.embedder = embedder
        self._writer = writer
        self._nearest: Nearest | None = None
        self._background = background
        self._stop: Callable[[], None] | None = None

    @classmethod
    def open(
        cls, place: str | os.PathLike[str] = "memory.db", preset: str | None = None, *, space: str = DEFAULT_SPACE,
        zone: str = "UTC", embedder: Embedder | str | None = "default", writer: Writer | None = None,
        clock: Clock = system_clock, background: bool = True,
    ) -> Memory:  # fmt: skip
        """The memory at a path, made when it is not there yet.

        `preset` is one of the shipped names or the path of a TOML file; a memory that exists keeps its own.
        """
        from recollect.keep.open import open_store
        from recollect.models.load import load_embedder

        chosen = embedder if not isinstance(embedder, str) else load_embedder(embedder)
        wanted = preset_of(preset) if preset else None
        store = open_store(place)
        try:
            home, policy = store.write(lambda t: ensure_space(t, space, wanted, zone_name=zone, now=clock()))
        except RecollectError:
            store.close()
            raise
        return cls(store, space=home, preset=policy, embedder=chosen, writer=writer, clock=clock, background=background)

    def close(self) -> None:
        """Finish what is under way, count what was shown, and let go of the store."""
        if self._closed:
            return
        if self._stop is not None:
            self._stop()
        self._flush_touches()
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
        placed: list[tuple[str | None, Incoming]] = []
        for place, message in enumerate(messages):
            given = dict(message)
            where = given.pop("space", space)
            try:
                placed.append((where, Incoming(**given)))
            except TypeError as problem:
                raise InputError(f"message {place}: {str(problem).replace('Incoming.__init__() ', '')}") from None
        return self._observe(placed)

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
        sources = (source,) if isinstance(source, str) else tuple(source or ())
        statement = Statement(
            text=text, kind=kind or preset.default_kind, user=user, author=author, made_by=made_by, origin=origin,
            sources=sources, session=session, channel=channel, branch=branch, visibility=visibility, subject=subject,
            title=title, summary=summary, confidence=confidence, proposed=proposed, pinned=pinned, tags=tags, at=at,
            metadata=metadata,
        )  # fmt: skip
        record = record_of(statement, preset=preset, space=home, now=now)
        return self._write(lambda t: self._keep_statement(t, record, preset=preset, now=now))

    def settle(
        self, *, session: str | None = None, channel: str | None = None, user: str | None = None,
        space: str | None = None,
    ) -> list[Settled]:  # fmt: skip
        """Finish these conversations now: they become notes, facts and documents."""
        now = self.clock()
        home, _ = self._at(space)
        self._write(lambda t: end_all(t, home.name, session=session, channel=channel, user=user, at=now))
        waiting = self.store.read(
            lambda t: t.conversations.unsettled(home.name, session=session, channel=channel, user=user)
        )
        return [done for c in waiting if (done := self.settle_conversation(c, now=now)) is not None]

    def settle_conversation(self, conversation: Conversation, *, now: datetime) -> Settled | None:
        """Turn one conversation into knowledge; None when it was settled before."""
        from recollect.distil.settle import settle
        from recollect.distil.writer import RulesWriter

        home, preset = self._at(conversation.space)
        return settle(
            self.store, conversation, preset=preset, space=home, writer=self._writer or RulesWriter(), alike=_alike,
            now=now,
        )  # fmt: skip

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
        trace = Trace() if explain else None
        hits = self._search(query, view, preset, limit=limit, min_score=min_score, trace=trace)
        if counted:
            self._touch(hits, at=view.now)
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
        return self.store.read(lambda t: why_not(t, lifecycle.need(t, record_id), view, hits=hits, trace=trace))

    def context(
        self, query: str, user: str | None = None, *, session: str | None = None, channel: str | None = None,
        budget: int | None = None, as_of: datetime | str | None = None, branches: Sequence[str] | None = None,
        root: str | os.PathLike[str] | None = None, space: str | None = None,
    ) -> Context:  # fmt: skip
        """A block for the prompt with what helps here, never larger than the budget of tokens.

        `root` is the project's folder, where the files that records cite are looked at.
        """
        view, preset = self._view(user, space, as_of=as_of, branches=branches)
        home, _ = self._at(space)
        if self._is_silent(home, user):
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
        self._remember_shown(home, preset, session, made)
        return made

    def window(self, session: str, *, turns: int | None = None, space: str | None = None) -> list[Record]:
        """The last turns of a session, oldest first."""
        home, preset = self._at(space)
        limit = 2 * (preset.conversation.window_turns if turns is None else turns)
        now = self.clock()
        return self.store.read(
            lambda t: t.search.window(home.name, session=session, channel=None, now=now, limit=limit)
        )

    # Upkeep

    def tend(self, now: datetime | None = None) -> list[Run]:
        """Run whatever is due and return what was done."""
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
            return tables.documents.sizes(None)[3]

        return self._write(work)

    def jobs(self) -> list[Job]:
        """What is planned, the next first."""
        return self.store.read(lambda t: t.jobs.all())

    def runs(self, *, name: str | None = None, limit: int = 50) -> list[Run]:
        """What was done in the background, newest first."""
        return self.store.read(lambda t: t.jobs.runs(name=name, limit=limit))

    def backup(self, target: str | os.PathLike[str] | None = None) -> Path:
        """A whole copy at `target`, or the next of three rolling copies beside the memory."""
        return self.backups.make(target)

    def check(self, *, repair: bool = False) -> list[str]:
        """What is wrong with the store; with `repair`, also what was done about it. All well is []."""
        return self.store.check(repair=repair)

    def export(self, path: str | os.PathLike[str], *, user: str | None = None, space: str | None = None) -> int:
        """Write everything to a JSON-lines file that `import_` reads back; returns how many lines."""
        from recollect.keep import transfer

        self._flush_touches()
        return transfer.export(self.store, path, space=space, user=user, now=self.clock())

    def import_(self, path: str | os.PathLike[str]) -> int:
        """Read an export into this memory, all of it or nothing; what is here already stays. Returns how many lines."""
        from recollect.keep import transfer

        lines = transfer.import_(self.store, path)
        self._known = {self.space.name: self._known[self.space.name]}
        return lines

    # Steps that several operations share

    def _observe(self, messages: Sequence[tuple[str | None, Incoming]]) -> list[Record | Skipped]:
        now = self.clock()
        homes = [self._at(space) for space, _ in messages]
        heard = [
            hear(message, preset=preset, space=home, now=now)
            for (home, preset), (_, message) in zip(homes, messages, strict=True)
        ]

        def work(tables: Tables) -> list[Record | Skipped]:
            on = {name: is_on(tables, name) for name in {home.name for home, _ in homes}}
            return [
                Skipped("memory is switched off here") if not on[home.name]
                else keep(tables, h, preset=preset, space=home) if isinstance(h, Heard) else h
                for (home, preset), h in zip(homes, heard, strict=True)
            ]  # fmt: skip

        kept = self._write(work)
        self._wake()
        return kept

    def _keep_statement(self, tables: Tables, record: Record, *, preset: Preset, now: datetime) -> Record:
        from recollect.distil.reconcile import carry_out, reconcile

        if not is_on(tables, record.space):
            raise InputError(f"memory is switched off in the space {record.space!r}: switch it on to remember")
        record = admit_record(tables, record, preset=preset)
        met = reconcile(tables, record, preset=preset, now=now, alike=_alike)
        if met is not None and met.outcome == "duplicate":
            for source in record.sources:
                tables.records.link(record.space, met.record.id, source, type="derived_from", at=now)
            return met.record
        kept = met.record if met else record
        add(tables, kept, preset=preset)
        if met is not None:
            carry_out(tables, met, preset=preset, now=now)
        return kept

    def _search(
        self, query: str, view: View, preset: Preset, *, limit: int | None = None, min_score: float | None = None,
        trace: Trace | None = None,
    ) -> list[Hit]:  # fmt: skip
        if not isinstance(query, str):
            raise InputError(f"the question must be a string, not {type(query).__name__}")
        wanted = preset.recall.limit if limit is None else limit
        if wanted < 1:
            raise InputError("limit must be at least 1")
        asked = analyse(
            query, now=view.as_of or view.now, zone=zone(self._at(view.spaces[0] if view.spaces else None)[0].zone)
        )
        least = preset.recall.min_score if min_score is None else min_score
        vectors = self._vectors(asked, preset)
        return search(
            self.store, asked, view, preset=preset, limit=wanted, min_score=least, vectors=vectors, trace=trace
        )

    def _vectors(self, asked: Query, preset: Preset) -> Vectors | None:
        if self.embedder is None or not asked.text.strip() or preset.recall.signals.get("vectors", 0) <= 0:
            return None
        try:
            question = self.embedder.embed([asked.text])[0]
            nearby = self._neighbours(self.embedder)
            return Vectors(question, nearby.asking(question), nearby)
        except ModelError as problem:
            log.warning("searching without vectors: %s", problem)
            return None

    def _neighbours(self, embedder: Embedder) -> Nearest:
        if self._nearest is None:
            from recollect.keep.nearest import Nearest

            self._nearest = Nearest(self.store, model=embedder.name, dimensions=embedder.dimensions)
        return self._nearest

    def _after_purge(self) -> None:
        if self._nearest is not None:
            self._nearest.forget()
        super()._after_purge()

    def _wake(self) -> None:
        if self._background and self._stop is None and not self._closed:
            with self._lock:
                if self._stop is None:
                    self._stop = self.tender.watch(self)


def _alike(one: str, other: str) -> float:
    return jaccard(content_words(one), content_words(other))
