"""The engine under every operation: the store, the clock, the known spaces, and the one way to write.

It holds resources and no rules. Several memories of one process never share an engine.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from toldonce.access import Action, current_expectation, may_enter
from toldonce.capture.fields import check_counts, check_lists, check_metadata, check_names
from toldonce.clock import Clock, as_bound, as_moment
from toldonce.clock import load_zone as zone_of
from toldonce.errors import InputError, SpaceNotFound, StoreClosed, StoreError, StoreForked, ToldonceError
from toldonce.operations.space_state import ensure_space, preset_of_space
from toldonce.presets.policy import Preset
from toldonce.recall.search import SearchTrace
from toldonce.recall.searcher import Searcher, SearchGate
from toldonce.records import PERSONAL, Hit, Hits, Person, Record, Space, personal_space
from toldonce.storage import lifecycle
from toldonce.storage.backup import Backups
from toldonce.storage.store import Store, Tables, View
from toldonce.storage.tables.audit import AuditNotes, write_notes

if TYPE_CHECKING:
    from toldonce.distil.tiers import Tiers
    from toldonce.distil.writer import Writer
    from toldonce.models.embedder import Embedder
    from toldonce.models.reranker import Reranker
    from toldonce.models.tagger import Tagger
    from toldonce.storage.vectors.chroma import ChromaEngine

T = TypeVar("T")
log = logging.getLogger("toldonce")


class Engine:
    """Holds what all operations of one memory share. Safe for many threads."""

    def __init__(
        self,
        store: Store,
        *,
        space: Space,
        preset: Preset,
        clock: Clock,
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        writer: Writer | Tiers | None = None,
        taggers: Sequence[Tagger] = (),
        vector_engine: ChromaEngine | None = None,
    ) -> None:
        self.store = store
        self.clock = clock
        self.space = space
        self.backups = Backups(store)
        self.searcher = Searcher(store, embedder=embedder, reranker=reranker, vector_engine=vector_engine)
        self.taggers = tuple(taggers)
        self.is_closed = False
        self._writer = writer
        self._spaces: dict[str, tuple[Space, Preset]] = {space.name: (space, preset)}
        self._shown: list[tuple[datetime, tuple[str, ...]]] = []
        self._notes = AuditNotes()
        self._lock = threading.Lock()
        self._process = os.getpid()

    @property
    def embedder(self) -> Embedder | None:
        """What makes vectors of texts."""
        return self.searcher.embedder

    # Spaces

    def find_space(self, space: str | None, *, reader: str | None = None) -> tuple[Space, Preset]:
        """A space and its preset, as last read; a person's own space is created when it is first named.

        Another person's own space does not exist for a reader.
        """
        name = space or self.space.name
        if self.is_closed:
            raise StoreClosed
        self.refuse_fork()
        if not may_enter(name, reader):
            raise SpaceNotFound(f"there is no space {name!r} for this person")
        if name not in self._spaces:
            found = self.store.read(lambda t: t.people.space(name))
            if found is None and name.startswith(PERSONAL):
                found = self.create_space(name)
            if found is None:
                raise SpaceNotFound(f"there is no space {name!r}: create it with spaces.add({name!r}, preset=...)")
            self._spaces[name] = (found, preset_of_space(found)[0])
        return self._spaces[name]

    def create_space(self, name: str, *, wanted: tuple[Preset, str | None] | None = None, zone: str = "UTC") -> Space:
        """Create a space, with the preset of the home space unless another is wanted."""
        chosen = wanted or preset_of_space(self.space)

        def work(tables: Tables) -> Space:
            made, _ = ensure_space(tables, name, chosen, zone_name=zone, now=self.clock())
            tables.audit.add(name, "add space", at=self.clock())
            return made

        return self.write(work)

    def update_known_space(self, space: Space, preset: Preset) -> None:
        """Use this version of a space from now on."""
        self._spaces[space.name] = (space, preset)

    def drop_known_spaces(self, *names: str) -> None:
        """Read these spaces again when they are next used; without names, all but the home space."""
        for name in names or tuple(self._spaces.keys() - {self.space.name}):
            self._spaces.pop(name, None)

    def view_for(
        self,
        user: str | None,
        space: str | None,
        *,
        kinds: Sequence[str] | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        as_of: datetime | str | None = None,
        branches: Sequence[str] | None = None,
        session: str | None = None,
        not_session: str | None = None,
        channel: str | None = None,
        where: Mapping[str, Any] | None = None,
    ) -> tuple[View, Preset]:
        """What a person may see of a space, narrowed by these filters; and the preset of the space."""
        check_names(user=user, session=session, channel=channel)
        now = self.clock()
        home, preset = self.find_space(space, reader=user)
        view = View(
            spaces=_readable_spaces(home, user),
            now=now,
            user=user,
            session=session,
            not_session=not_session,
            channel=channel,
            where=check_metadata(where, "where") or None,
            branches=_as_names("branches", branches) if branches is not None else None,
            kinds=tuple(preset.kind(k).name for k in _as_names("kinds", kinds)) if kinds else None,
            since=as_bound(since, now) if since is not None else None,
            until=as_bound(until, now) if until is not None else None,
            as_of=as_moment(as_of, now) if as_of is not None else None,
        )
        return view, preset

    def search_for_block(
        self, preset: Preset, *, trace: SearchTrace | None = None
    ) -> Callable[[str, Sequence[tuple[View, int]]], Sequence[list[Hit]]]:
        """A function that gives the best hits for a text among what each view shows, up to a number.

        They are scored by their chance to help, whatever else a preset's own scores weigh: a block is one choice.
        """
        by_chance = replace(preset, recall=replace(preset.recall, score={"fused": 1.0}, diversity=0.0))
        return lambda text, wanted: self._search_each(text, wanted, by_chance, min_score=0.0, trace=trace)

    def search(
        self,
        query: str,
        view: View,
        preset: Preset,
        *,
        limit: int | None = None,
        min_score: float | None = None,
        trace: SearchTrace | None = None,
        is_guarded: bool = False,
    ) -> Hits:
        """The best hits for a question among what a view shows; if `is_guarded`, none where `is_kept_out`."""
        check_counts(limit=limit)
        home, _ = self.find_space(view.spaces[0] if view.spaces else None)
        if is_guarded and not self._may_ask(view, home.name):
            return Hits()
        wanted = [(view, preset.recall.limit if limit is None else limit)]
        return self._search_each(query, wanted, preset, min_score=min_score, trace=trace, is_guarded=is_guarded)[0]

    def _search_each(
        self,
        query: str,
        wanted: Sequence[tuple[View, int]],
        preset: Preset,
        *,
        min_score: float | None = None,
        trace: SearchTrace | None = None,
        is_guarded: bool = False,
    ) -> list[Hits]:
        """The best hits for a question by each view of one reader, up to a number of each."""
        if not wanted:
            return []
        spaces = wanted[0][0].spaces
        home, _ = self.find_space(spaces[0] if spaces else None)
        hides = bool(preset.capture.skip)
        user = wanted[0][0].user
        gate = SearchGate(home.name, spaces, user, hides=hides, is_guarded=is_guarded)
        found = self.searcher.find(
            query, wanted, gate, preset=preset, zone=zone_of(home.zone), min_score=min_score, trace=trace
        )
        if gate.hides:
            found = [
                self._hide_hits(hits, gate.blocked, preset, reader=user)[:limit]
                for hits, (_, limit) in zip(found, wanted, strict=True)
            ]
        return [Hits(hits, waiting=gate.waiting) for hits in found]

    def _may_ask(self, view: View, home: str) -> bool:
        """Whether a question may be looked at before the search asks the store: never by a model elsewhere unasked."""
        is_sent = self.embedder is not None and not self.embedder.local
        return bool(view.spaces) and not (is_sent and self.is_kept_out(view.user, home))

    def _hide_hits(
        self, hits: Sequence[Hit], blocked: Sequence[Person], preset: Preset, *, reader: str | None
    ) -> list[Hit]:
        """The hits without what blocked people said and what a skip rule keeps out."""
        from toldonce.recall.hidden import hide_hits

        return self.store.read(lambda t: hide_hits(t, hits, blocked=blocked, policy=preset.capture), person=reader)

    def is_kept_out(self, user: str | None, space: str | None) -> bool:
        """Whether nothing may be stored or shown now: memory is switched off here, or this person is blocked."""
        name = self.find_space(space)[0].name

        def look(tables: Tables) -> bool:
            tables.fetch_ahead(
                lambda t: t.people.read_space_state(name),
                lambda t: t.people.is_blocked(name, user),
            )
            return tables.people.is_kept_out(name, user)

        return self.store.read(look)

    # Writing

    def write(self, work: Callable[[Tables], T], *, with_notes: bool = True) -> T:
        """What `work` returns once it is on disk, together with what was counted and noted before.

        Without `with_notes`, notes for the audit log wait until there are many.
        """
        self.refuse_fork()
        with self._lock:
            shown, self._shown = self._shown, []
        notes = self._notes.take() if with_notes or self._notes.is_full else {}

        def write_all(tables: Tables) -> T:
            tables.records.touch(shown)
            write_notes(tables, notes)
            return work(tables)

        try:
            return self.store.write(write_all)
        except ToldonceError:
            self._notes.put_back(notes)
            raise

    def change_record(
        self,
        record_id: str,
        action: Action,
        work: Callable[[Tables, Record, Preset], T],
        *,
        user: str | None = None,
        otherwise: tuple[Action, Callable[[Tables, Record, Preset], T]] | None = None,
    ) -> T:
        """What `work` makes of a record with which this person may do that, with an entry in the audit log.

        `otherwise` is the action that is open to those who may not do the first, and what it does.
        """
        check = current_expectation()
        works = dict([(action, work), *([otherwise] if otherwise else [])])

        def change(tables: Tables) -> T:
            record, taken = lifecycle.require_action(tables, record_id, *works, reader=user)
            if check is not None:
                check(record)
            done = works[taken](tables, record, self.find_space(record.space)[1])
            tables.audit.add(record.space, taken, at=self.clock(), actor=user, detail={"record": record.id})
            return done

        return self.write(change)

    # Notes, written with the next write, so that reading never waits for the disk

    def count_shown(self, hits: Iterable[Hit], *, at: datetime) -> None:
        """Count that these records were shown."""
        ids = tuple(hit.record.id for hit in hits)
        if ids:
            with self._lock:
                self._shown.append((at, ids))

    def note_reading(self, action: str, records: Iterable[Record], *, user: str | None) -> None:
        """Note for the audit log that private records were read by someone other than their owner."""
        for record in records:
            if record.visibility == "private" and record.user not in (None, user):
                self._notes.add(action, record, user=user, at=self.clock())

    def note_writing(self, action: str, kept: Iterable[object], *, at: datetime) -> None:
        """Note for the audit log what was stored."""
        for record in kept:
            if isinstance(record, Record):
                self._notes.add(action, record, user=record.user, at=at)

    def flush_notes(self) -> None:
        """Write what was counted and noted."""
        if self._shown or self._notes:
            self.write(lambda _: None)

    def add_audit_entry(
        self, action: str, *, space: str | None = None, detail: Mapping[str, Any] | None = None
    ) -> None:
        """Enter in the audit log what was done outside of a transaction."""
        self.write(lambda t: t.audit.add(space or "", action, at=self.clock(), detail=detail))

    def records_by_id(self, ids: Iterable[str]) -> list[Record]:
        """The records with these ids, in whatever state."""
        return list(self.store.read(lambda t: t.records.get(ids)).values())

    # Writers

    def writer_for(self, space: str | None = None) -> Writer:
        """Who makes drafts for one piece of work in a space: the language model if there is one, else rules.

        Call its `stored` when its drafts are in the store; until then the answers that were paid for are kept.
        """
        from toldonce.distil.writer import RulesWriter

        if self._writer is None:
            return RulesWriter()
        from toldonce.distil.tiers import Tiers

        if not isinstance(self._writer, Tiers):
            return self._writer
        from toldonce.distil.ledger import Ledger
        from toldonce.distil.model.writer import ModelWriter

        return ModelWriter(self._writer, Ledger(self.store, self.find_space(space)[0].name, clock=self.clock))

    # Processes

    def close(self) -> None:
        """Write what was counted and noted last, unless another process opened it, and close the store."""
        if not self.is_forked:
            try:
                self.flush_notes()
            except StoreError as problem:
                log.warning("what was counted and noted last could not be written: %s", problem)
        self.is_closed = True
        self.store.close()

    @property
    def is_forked(self) -> bool:
        """Whether this is a copy of an engine that another process opened."""
        return os.getpid() != self._process

    def refuse_fork(self) -> None:
        """Raise StoreForked in a forked copy: a lock may have been held at the moment of the fork."""
        if self.is_forked:
            raise StoreForked


def _readable_spaces(home: Space, user: str | None) -> tuple[str, ...]:
    """The space itself and the person's own one; nothing where memory is switched off or deleted."""
    if home.deleted_at is not None or not home.enabled:
        return ()
    return (home.name,) if user is None else (home.name, personal_space(user))


def _as_names(what: str, names: Sequence[str]) -> tuple[str, ...]:
    """A list of names, checked; a plain string would be taken letter by letter."""
    if isinstance(names, str):
        raise InputError(f"{what} is a list of names: write {what}=[{names!r}]")
    check_lists(**{what: names})
    check_names(**{f"{what}[{place}]": name for place, name in enumerate(names)})
    return tuple(names)
