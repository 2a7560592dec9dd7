"""Memory: every public operation as a short method that names its steps.

`Memory` is synchronous and safe for many threads. The verbs that agents and people use most are methods of it; the rest
is grouped: `memory.people`, `.spaces`, `.documents`, `.review`, `.sessions`, `.jobs`, `.audit`, `.keys` ...
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO

from toldonce.capture.fields import check_counts, check_names
from toldonce.capture.observe import IncomingMessage, Skipped
from toldonce.capture.remember import Statement, build_record
from toldonce.capture.secrets.remembered import read_secrets_of
from toldonce.clock import Clock, as_moment, system_clock
from toldonce.operations import corrections, erasing, events, knowledge, transfer, webhooks
from toldonce.operations.audit import Audit
from toldonce.operations.background import BackgroundJobs, make_catch_up
from toldonce.operations.documents import Documents
from toldonce.operations.engine import Engine
from toldonce.operations.jobs import Jobs
from toldonce.operations.journals import Journals
from toldonce.operations.keys import Keys
from toldonce.operations.observing import read_messages, store_messages
from toldonce.operations.opening import open_engine
from toldonce.operations.people import People
from toldonce.operations.remembering import as_sources, find_same_meaning, keep_statement
from toldonce.operations.review import Review
from toldonce.operations.sealed import Sealed
from toldonce.operations.sessions import Sessions, end_conversations
from toldonce.operations.space_state import DEFAULT_SPACE
from toldonce.operations.spaces import Spaces
from toldonce.operations.team import Team
from toldonce.presets.policy import Author, Kind
from toldonce.recall.context import build_context
from toldonce.recall.search import SearchTrace, explain_absence
from toldonce.recall.sections import ContextRequest
from toldonce.records import (
    Context,
    Document,
    Entity,
    Erasure,
    Happening,
    History,
    Hits,
    Imported,
    Origin,
    Question,
    Record,
    Report,
    Space,
    Surroundings,
    Visibility,
    WhyNot,
)
from toldonce.storage.store import Store
from toldonce.storage.tables.jobs import Run

if TYPE_CHECKING:
    from toldonce.distil.settle import Settled
    from toldonce.distil.tiers import Tiers
    from toldonce.distil.writer import Writer
    from toldonce.models.embedder import Embedder
    from toldonce.models.reranker import Reranker
    from toldonce.models.tagger import Tagger
    from toldonce.storage.encryption import EncryptionKey
    from toldonce.storage.lifecycle import Flagged


class Memory:
    """A memory for agents: observe what is said, recall what helps, correct what is wrong.

    Operations that take `user` act as that person: what they may not see does not exist for them.
    """

    on = events.subscribe

    def __init__(self, engine: Engine, job_runner: BackgroundJobs, *, background: bool = False) -> None:
        self.engine = engine
        self.job_runner = job_runner
        self.people = People(engine)
        self.spaces = Spaces(engine)
        self.documents = Documents(engine)
        self.journals = Journals(engine)
        self.review = Review(engine)
        self.sealed = Sealed(engine)
        self.team = Team(engine)
        self.sessions = Sessions(engine)
        self.jobs = Jobs(engine)
        self.audit = Audit(engine)
        self.keys = Keys(engine)
        self.storage = transfer.Storage(engine)
        self.webhooks = webhooks.Webhooks(engine)
        self._background = background
        self._stop: Callable[[], None] | None = None
        self._lock = threading.Lock()
        engine.searcher.catch_up = make_catch_up(self)
        self._start_background()

    @classmethod
    def open(
        cls,
        place: str | os.PathLike[str] = "memory.db",
        preset: str | None = None,
        *,
        space: str = DEFAULT_SPACE,
        zone: str = "UTC",
        embedder: Embedder | str | None = "default",
        reranker: Reranker | str | None = None,
        writer: Writer | Tiers | str | None = None,
        taggers: Sequence[Tagger | str] = (),
        vector_engine: str | None = None,
        clock: Clock = system_clock,
        background: bool = True,
        encryption_key: str | bytes | EncryptionKey | None = None,
        api_key: str | None = None,
    ) -> Memory:
        """The memory at a path, created when it does not exist yet, or at the address of a server, with `api_key`.

        `preset` is one of the shipped names or the path of a TOML file; a memory that exists keeps its own. `writer`
        names a language model as the settings do; without one, rules do its work. `reranker` re-ranks the top results
        of a recall. `taggers` find names more accurately at night: your own, or "spacy:MODEL". With `encryption_key`
        (a passphrase, or 32 bytes) a new memory is encrypted; without it TOLDONCE_ENCRYPTION_KEY is used if set.
        `vector_engine` is "chroma:FOLDER" or "chroma:http://HOST:PORT", for those who run Chroma.
        """
        if isinstance(place, str) and place.startswith(("https://", "http://")):
            from toldonce.client import open_remote

            return open_remote(place, api_key)
        from toldonce import make_job_runner

        job_runner = make_job_runner()
        engine = open_engine(
            place,
            preset,
            space=space,
            zone=zone,
            embedder=embedder,
            reranker=reranker,
            writer=writer,
            taggers=taggers,
            vector_engine=vector_engine,
            clock=clock,
            encryption_key=encryption_key,
        )
        return cls(engine, job_runner, background=background)

    def close(self) -> None:
        """Finish the work in progress, write what was counted, and close the store."""
        engine = self.engine
        if engine.is_closed:
            return
        if self._stop is not None and not engine.is_forked:
            self._stop()
        engine.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    @property
    def store(self) -> Store:
        """Where everything is stored."""
        return self.engine.store

    @property
    def clock(self) -> Clock:
        """What tells the time."""
        return self.engine.clock

    @property
    def space(self) -> Space:
        """The space that operations use when none is named."""
        return self.engine.space

    @property
    def embedder(self) -> Embedder | None:
        """What makes vectors of texts; it may be replaced by one whose vectors are the same."""
        return self.engine.searcher.embedder

    @embedder.setter
    def embedder(self, embedder: Embedder | None) -> None:
        self.engine.searcher.embedder = embedder

    # Capture

    def observe(
        self,
        text: str,
        user: str | None = None,
        *,
        session: str | None = None,
        role: str = "user",
        at: datetime | str | None = None,
        channel: str | None = None,
        space: str | None = None,
        branch: str | None = None,
        username: str = "",
        display_name: str = "",
        metadata: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Record | Skipped:
        """Store a message: it is on disk and findable when this returns. A skipped one says which rule skipped it.

        What a person sends again with the same `idempotency_key` is stored once: the first record is returned.
        KeyReused when another message was stored with that key.
        """
        said: dict[str, Any] = {"user": user, "session": session, "role": role, "at": at, "channel": channel}
        names: dict[str, Any] = {"branch": branch, "username": username, "display_name": display_name}
        incoming = IncomingMessage(text=text, metadata=metadata, idempotency_key=idempotency_key, **said, **names)
        kept = store_messages(self.engine, [(space, incoming)], name_place=False)
        self._start_background()
        return kept[0]

    def observe_many(
        self, messages: Iterable[Mapping[str, Any]], *, space: str | None = None
    ) -> list[Record | Skipped]:
        """Store many messages in one transaction, each a table of the arguments of `observe`; all of them or none."""
        kept = store_messages(self.engine, read_messages(messages, space=space), name_place=True)
        self._start_background()
        return kept

    def remember(
        self,
        text: str,
        kind: str | None = None,
        *,
        user: str | None = None,
        source: str | Sequence[str] | None = None,
        author: Author = "agent",
        made_by: str = "",
        origin: Origin | None = None,
        session: str | None = None,
        channel: str | None = None,
        branch: str | None = None,
        space: str | None = None,
        visibility: Visibility | None = None,
        subject: str | None = None,
        title: str = "",
        summary: str = "",
        confidence: float | None = None,
        proposed: bool = False,
        pinned: bool = False,
        tags: Sequence[str] = (),
        at: datetime | str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Record:
        """Store a statement as a record of a kind; one that says the same already is returned instead.

        `source` names the records it came from. `author="person"` marks it as validated.
        """
        now = self.clock()
        home, preset = self.engine.find_space(space)
        statement = Statement(
            text=text,
            kind=kind or preset.default_kind,
            user=user,
            author=author,
            made_by=made_by,
            origin=origin,
            sources=as_sources(source),
            session=session,
            channel=channel,
            branch=branch,
            visibility=visibility,
            subject=subject,
            title=title,
            summary=summary,
            confidence=confidence,
            proposed=proposed,
            pinned=pinned,
            tags=tags,
            at=at,
            metadata=metadata,
        )
        record = build_record(statement, preset=preset, space=home, now=now)
        same = find_same_meaning(self.engine, record, preset)
        said = read_secrets_of(text) if record.notices else ()
        work = partial(keep_statement, record=record, preset=preset, now=now, same_meaning=same, secrets=said)
        kept = self.engine.write(work, with_notes=False)
        self.engine.note_writing("remember", [kept], at=now)
        self._start_background(wake=True)
        return kept

    def settle(
        self,
        *,
        session: str | None = None,
        channel: str | None = None,
        user: str | None = None,
        space: str | None = None,
    ) -> list[Settled]:
        """Finish these conversations now: they become notes, facts and documents.

        Raises ModelError for those whose model failed if the preset has them wait; all others are settled.
        """
        waiting = end_conversations(self.engine, session=session, channel=channel, user=user, space=space)
        return self.sessions.settle_each(waiting, reader=user, now=self.clock())

    # Recall

    def recall(
        self,
        query: str,
        user: str | None = None,
        *,
        limit: int | None = None,
        kinds: Sequence[str] | None = None,
        session: str | None = None,
        exclude_session: str | None = None,
        channel: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        as_of: datetime | str | None = None,
        where: Mapping[str, Any] | None = None,
        min_score: float | None = None,
        branches: Sequence[str] | None = None,
        space: str | None = None,
        explain: bool = False,
        counted: bool = True,
    ) -> Hits:
        """The records that help with a question, best first, each with a score from 0 to 1 and why it was found.

        Without a `min_score` what is unlikely to help is left out, by the preset's own minimum; 0 shows all. With
        `explain`, `left_out` of the result says why candidates were dropped; `why_not` asks about one record. With
        `counted=False` showing them is not counted, so that measuring changes nothing.
        """
        view, preset = self.engine.view_for(
            user,
            space,
            kinds=kinds,
            session=session,
            not_session=exclude_session,
            channel=channel,
            since=since,
            until=until,
            as_of=as_of,
            where=where,
            branches=branches,
        )
        trace = SearchTrace() if explain else None
        hits = self.engine.search(query, view, preset, limit=limit, min_score=min_score, trace=trace, is_guarded=True)
        if counted:
            self.engine.count_shown(hits, at=view.now)
            self.engine.note_reading("recall", [hit.record for hit in hits], user=user)
        return Hits(hits, left_out=trace.candidates if trace else None, waiting=hits.waiting)

    def why_not(
        self,
        record_id: str,
        query: str,
        *,
        user: str | None = None,
        limit: int | None = None,
        kinds: Sequence[str] | None = None,
        session: str | None = None,
        exclude_session: str | None = None,
        min_score: float | None = None,
        as_of: datetime | str | None = None,
        where: Mapping[str, Any] | None = None,
        space: str | None = None,
    ) -> WhyNot:
        """Why a record is not among the hits for a question, or at which place it is."""
        view, preset = self.engine.view_for(
            user, space, kinds=kinds, session=session, not_session=exclude_session, as_of=as_of, where=where
        )
        trace = SearchTrace()
        hits = self.engine.search(query, view, preset, limit=limit, min_score=min_score, trace=trace)
        record = self.get(record_id, user=user)
        return self.store.read(lambda t: explain_absence(t, record, view, hits=hits, trace=trace), person=user)

    def context(
        self,
        query: str,
        user: str | None = None,
        *,
        session: str | None = None,
        channel: str | None = None,
        budget: int | None = None,
        as_of: datetime | str | None = None,
        branches: Sequence[str] | None = None,
        annotate: Callable[[Record, Kind], str] | None = None,
        around: Surroundings | None = None,
        space: str | None = None,
        viewer: str | None = None,
        explain: bool = False,
        counted: bool = True,
    ) -> Context:
        """A block for the prompt with what helps here, never larger than the budget of tokens.

        What `annotate` returns for a record is added to its line; `around` says where the question belongs. With
        `explain`, it says how the message was read and what was left out. A `viewer` sees only lines that they may read
        of what is made for `user`. With `counted=False` nothing is counted as shown.
        """
        check_counts(least=0, budget=budget)
        check_names(session=session, channel=channel, viewer=viewer)
        view, preset = self.engine.view_for(user, space, as_of=as_of, branches=branches)
        home, _ = self.engine.find_space(space)
        if self.engine.is_kept_out(user, space):
            return Context("", 0)
        once = session if preset.context.once_per_session else None
        asked = ContextRequest(
            text=query,
            user=user,
            session=session,
            channel=channel,
            budget=preset.context.budget if budget is None else budget,
            shown_before=self.sessions.shown(once, space=home.name) if once is not None else frozenset(),
            annotate=annotate,
            around=around or Surroundings(),
            viewer=viewer,
        )
        trace = SearchTrace() if explain else None
        search, drops = self.engine.search_for_block(preset, trace=trace), trace.causes if trace else None
        made = build_context(self.store, asked, view, preset=preset, space=home, search=search, drops=drops)
        self.engine.note_reading("context", [hit.record for hit in made.hits], user=viewer or user)
        if drops is not None:
            made = knowledge.explain_context(self.engine, made, asked, view, drops, preset=preset, space=home)
        is_shown = counted and not asked.is_for_another
        self.engine.count_shown(made.hits if is_shown else (), at=view.now)
        if is_shown and once is not None and made.hits:
            self.sessions.mark_shown(once, [hit.record.id for hit in made.hits], space=home.name)
        return made

    # Looking and correcting

    def get(self, record_id: str, *, user: str | None = None) -> Record:
        """One record, in whatever state."""
        return knowledge.read_record(self.engine, record_id, user=user)

    def history(self, record_id: str, *, user: str | None = None) -> History:
        """Everything that happened to a record, and the chain of records it belongs to."""
        return knowledge.read_history(self.engine, record_id, user=user)

    def confirm(self, record_id: str, *, confirmed: bool = True, user: str | None = None) -> Record:
        """A person says that it is true: more certain, not fading, never overwritten; `confirmed=False` undoes that."""
        return corrections.confirm_record(self.engine, record_id, confirmed=confirmed, user=user)

    def correct(self, record_id: str, text: str, *, user: str | None = None) -> Record:
        """A person says what is true instead: the new record is certain, the old one stays in history."""
        return corrections.correct_record(self.engine, record_id, text, user=user)

    def flag(self, record_id: str, *, reason: str = "", user: str | None = None) -> Flagged:
        """A person says that it is wrong: no longer shown, restorable; related records are listed for review."""
        return corrections.flag_record(self.engine, record_id, reason=reason, user=user)

    def pin(self, record_id: str, *, pinned: bool = True, user: str | None = None) -> Record:
        """Always show it and never let it fade; `pinned=False` undoes that."""
        return corrections.pin_record(self.engine, record_id, pinned=pinned, user=user)

    def forget(self, record_id: str, *, reason: str = "", user: str | None = None) -> Record:
        """Hide it; it can be restored until it is purged."""
        return corrections.forget_record(self.engine, record_id, reason=reason, user=user)

    def restore(self, record_id: str, *, user: str | None = None) -> Record:
        """Bring back what was forgotten, flagged, superseded, faded or expired."""
        return corrections.restore_record(self.engine, record_id, user=user)

    def purge(self, record_id: str, *, user: str | None = None) -> int:
        """Destroy a record and everything derived from it alone; returns how many records are gone."""
        return corrections.purge_record(self.engine, record_id, user=user)

    def erase(self, *, user: str, space: str | None = None) -> Erasure:
        """Destroy everything of a person and everything derived from it, backups included; returns the receipt.

        Every file of the memory is written again and searched. What cannot be done yet, because another process reads,
        is listed in `pending` and done by the job `erase_rest`.
        """
        return erasing.erase_person(self.engine, user, space=space)

    def questions(self, user: str | None = None, *, space: str | None = None) -> list[Question]:
        """Open questions about conflicts, which the person can answer."""
        return knowledge.list_questions(self.engine, user, space=space)

    def answer(self, question_id: str, text: str, *, user: str | None = None) -> Record:
        """Settle a question by what the person said; returns the record that holds now."""
        return corrections.answer_question(self.engine, question_id, text, user=user)

    def profile(
        self, user: str, *, reader: str | None = None, as_of: datetime | str | None = None, space: str | None = None
    ) -> Document:
        """What is known of a person: their document, or their facts by kind where the preset keeps none.

        Of somebody who never spoke it is what others said of them, found by the name. With `reader`, only what that
        person may see of it.
        """
        return knowledge.read_profile(self.engine, user, reader=reader, as_of=as_of, space=space)

    def entity(self, name: str, *, user: str | None = None, limit: int = 20, space: str | None = None) -> Entity | None:
        """A named thing with its aliases and the records that mention it; None when it was never named.

        For a user it is described by the records that this person may see; one that only others named does not exist.
        """
        return knowledge.find_entity(self.engine, name, user=user, limit=limit, space=space)

    def timeline(
        self,
        user: str | None = None,
        *,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        kinds: Sequence[str] | None = None,
        limit: int = 500,
        space: str | None = None,
    ) -> list[Happening]:
        """What happened when, oldest first: new records and changes of records, the newest `limit`."""
        return knowledge.read_timeline(
            self.engine, user, since=since, until=until, kinds=kinds, limit=limit, space=space
        )

    def report(
        self,
        about: str,
        user: str | None = None,
        *,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        keep: bool = False,
        space: str | None = None,
    ) -> Report:
        """A text for people about a period, in Markdown with its sources.

        `about` is "appointment" (for a visit to a doctor), "week" or "month"; without `since` it covers the time that
        such a report is usually about. With `keep` it is also stored as a record.
        """
        return knowledge.write_report(self.engine, about, user, since=since, until=until, keep=keep, space=space)

    def stats(self, *, user: str | None = None, space: str | None = None) -> dict[str, Any]:
        """Counts by kind and state, the newest moment, and the sizes of everything else."""
        return knowledge.count_everything(self.engine, user=user, space=space, jobs=self.jobs)

    # Maintenance

    def tend(self, now: datetime | None = None) -> list[Run]:
        """Run every background job that is due and return what was done; waits for jobs that have already begun."""
        self.engine.refuse_fork()
        self.engine.flush_notes()
        self.engine.searcher.recognise_model()
        return self.job_runner.run_due(self, now=as_moment(now, self.clock()))

    def export(
        self,
        path: str | os.PathLike[str] | BinaryIO,
        *,
        user: str | None = None,
        space: str | None = None,
        format: str | None = None,
        encryption_key: str | bytes | None = None,
        plain: bool = False,
    ) -> int:
        """Write everything to a file, by its path or open for bytes; returns how many lines or records.

        JSON lines (the default) can be read back with `import_`. "json" and "markdown", also chosen by the ending, are
        for people: everything in time order; "obsidian" is a new folder, "mem0" JSON. With a key, or when the memory is
        encrypted, JSON lines are sealed with that key; `plain` writes them readable all the same.
        """
        return transfer.export_memory(
            self.engine, path, user=user, space=space, format=format, encryption_key=encryption_key, plain=plain
        )

    def import_(
        self,
        path: str | os.PathLike[str] | BinaryIO,
        *,
        user: str | None = None,
        space: str | None = None,
        trusted: bool = False,
        encryption_key: str | bytes | None = None,
        format: str | None = None,
        me: str | None = None,
        columns: Mapping[str, str] | None = None,
        preview: bool = False,
    ) -> Imported:
        """Read an export, an older store or a file of another program; what is here already stays.

        Everything passes the gate. Only a `trusted` export, your own, keeps validated marks, pins, roles and the trust
        in a person's words; `left_out` counts these. A sealed one needs `encryption_key`, or this memory's key. `user`
        owns what does not say whose it is. Files of other programs (docs/import.md) are recognised or read as `format`,
        which an open file needs; `me` is `user`'s name there, `columns` maps columns. A `preview` stores nothing.
        """
        whose: dict[str, Any] = {"user": user, "space": space, "trusted": trusted, "encryption_key": encryption_key}
        how: dict[str, Any] = {"format": format, "me": me, "columns": columns, "preview": preview}
        return transfer.import_memory(self.engine, path, **whose, **how)

    def _start_background(self, *, wake: bool = False) -> None:
        if self._background and (wake or self._stop is None) and not self.engine.is_closed:
            with self._lock:
                self._stop = self.job_runner.watch(self)
