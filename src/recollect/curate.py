"""What people see of their memory and what they change in it: records, profiles, entities, doubts, and erasure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from recollect.capture.gate import GateLimits, admit
from recollect.capture.observe import notices
from recollect.capture.remember import add
from recollect.clock import Clock, as_moment
from recollect.errors import RecordNotFound
from recollect.keep import erase, lifecycle
from recollect.keep.backup import Backups
from recollect.keep.lifecycle import Flagged
from recollect.keep.store import Store, Tables
from recollect.models.tagger import normalise
from recollect.presets.policy import Preset
from recollect.records import Document, DocumentEntry, Entity, History, Question, Record, Space
from recollect.spaces import Spaces

if TYPE_CHECKING:
    from recollect.distil.answer import Verdict

T = TypeVar("T")


class Curated(Spaces):
    """A memory as the people in it see it: each record can be looked at, corrected, hidden, brought back, destroyed."""

    def __init__(self, store: Store, *, space: Space, preset: Preset, clock: Clock) -> None:
        super().__init__(store, space=space, preset=preset, clock=clock)
        self.backups = Backups(store)

    def get(self, record_id: str) -> Record:
        """One record, in whatever state."""
        return self.store.read(lambda t: lifecycle.need(t, record_id))

    def confirm(self, record_id: str) -> Record:
        """A person says that it is true: surer, no longer fading, never overwritten by inference."""
        return self._on(record_id, lambda t, r, p: lifecycle.confirm(t, r, p.kind(r.kind), now=self.clock()))

    def correct(self, record_id: str, text: str) -> Record:
        """A person says what is true instead: the new record is certain, the old one stays in history."""
        now = self.clock()

        def work(tables: Tables, record: Record, preset: Preset) -> Record:
            newer = lifecycle.corrected(record, text, preset.kind(record.kind), now=now)
            admitted = admit(text, limits=GateLimits(max_chars=preset.kind(record.kind).max_chars))
            newer = replace(newer, text=admitted.text, notices=notices(admitted))
            add(tables, newer, preset=preset)
            lifecycle.supersede(tables, record, newer, at=now, reason="corrected by a person", by="person")
            self._revise_documents(tables, record, preset, text=newer.text)
            return newer

        return self._on(record_id, work)

    def flag(self, record_id: str, *, reason: str = "") -> Flagged:
        """A person says that it is wrong: shown no more, restorable; related records are listed for review."""

        def work(tables: Tables, record: Record, preset: Preset) -> Flagged:
            self._revise_documents(tables, record, preset, text=None)
            return lifecycle.flag(tables, record, reason=reason or "flagged", now=self.clock())

        return self._on(record_id, work)

    def pin(self, record_id: str, *, pinned: bool = True) -> Record:
        """Show it always and never let it fade; `pinned=False` takes that back."""
        return self._on(record_id, lambda t, r, _: lifecycle.pin(t, r, pinned=pinned, now=self.clock()))

    def forget(self, record_id: str, *, reason: str = "") -> Record:
        """Hide it; it can be restored until it is purged."""

        def work(tables: Tables, record: Record, preset: Preset) -> Record:
            self._revise_documents(tables, record, preset, text=None)
            return lifecycle.forget(tables, record, reason=reason, now=self.clock())

        return self._on(record_id, work)

    def restore(self, record_id: str) -> Record:
        """Bring back what was forgotten, flagged, superseded, faded or expired."""

        def work(tables: Tables, record: Record, preset: Preset) -> Record:
            home = self._at(record.space)[0]
            return lifecycle.restore(tables, record, preset.kind(record.kind), now=self.clock(), zone=home.zone)

        return self._on(record_id, work)

    def history(self, record_id: str) -> History:
        """Everything that happened to a record, and the line of records it stands in."""
        return self.store.read(lambda t: lifecycle.history(t, lifecycle.need(t, record_id)))

    def purge(self, record_id: str) -> int:
        """Destroy a record and all that came from it alone; returns how many records are gone."""
        record = self.get(record_id)
        removed = self._write(lambda t: erase.purge_record(t, record))
        self._after_purge()
        return removed

    def erase(self, *, user: str, space: str | None = None) -> dict[str, int]:
        """Destroy everything of a person and everything drawn from it, backups included; returns the proof."""
        now = self.clock()
        removed = self._write(lambda t: erase.erase_person(t, user, space=space, now=now))
        self._after_purge()
        self.backups.renew()
        left = self.store.read(lambda t: t.purge.traces(user, space=space))
        return {"removed": removed, **{f"left in {name}": count for name, count in left.items()}}

    def profile(self, user: str, *, as_of: datetime | str | None = None, space: str | None = None) -> Document:
        """What is known of a person: their document, or their facts by kind where the preset keeps none."""
        home, preset = self._at(space)
        now = self.clock()
        moment = as_moment(as_of, now) if as_of is not None else None
        for name, policy in preset.documents.items():
            if policy.per == "person":
                found = self._document(home.name, user, name, as_of=moment)
                return found or Document(name=name, owner=user, space=home.name, version=0, entries=(), at=now)
        view, _ = self._view(user, space, kinds=preset.tier("always", "task"), as_of=as_of)
        records = self.store.read(lambda t: t.records.find_derived(view, limit=200))
        entries = tuple(
            DocumentEntry(section=r.kind, text=r.text, sources=(r.id,), at=r.at) for r in records if r.user == user
        )
        return Document(name="profile", owner=user, space=home.name, version=0, entries=entries, at=now)

    def entity(self, name: str, *, user: str | None = None, limit: int = 20, space: str | None = None) -> Entity | None:
        """A named thing with its aliases and the records that mention it; None when nobody did."""
        view, _ = self._view(user, space)

        def look(tables: Tables) -> Entity | None:
            known = tables.entities.find([normalise(name)], view.spaces)
            found = tables.entities.get(known[0].seq) if known else None
            if found is None:
                return None
            seqs = [seq for seq, _ in tables.search.entities([known[0].seq], view, limit=limit)]
            records = tables.records.by_seq(seqs)
            return replace(found, records=tuple(records[s] for s in seqs))

        return self.store.read(look)

    def questions(self, user: str | None = None, *, space: str | None = None) -> list[Question]:
        """Doubts that wait for the person's word."""
        home, _ = self._at(space)
        return self.store.read(lambda t: t.documents.questions(home.name, user=user))

    def answer(self, question_id: str, text: str) -> Record:
        """Settle a doubt by what the person said; returns the record that counts now."""
        from recollect.distil.answer import verdict

        now = self.clock()
        found = self.store.read(lambda t: t.documents.questions(None, only_open=False, question_id=question_id))
        if not found:
            raise RecordNotFound(f"there is no question {question_id!r}", record_id=question_id)
        question = found[0]
        older, newer = self.get(question.older), self.get(question.newer)
        said = verdict(text, older=older.text, newer=newer.text)
        kept = self._settle_doubt(older, newer, said, text=text)
        self._write(lambda t: t.documents.answer(question_id, said.choice, at=now))
        return kept

    def stats(self, *, user: str | None = None, space: str | None = None) -> dict[str, Any]:
        """Counts by kind and state, the newest moment, and the sizes of everything else."""
        self._flush_touches()
        home, preset = self._at(space)
        counts, sizes, models = self.store.read(
            lambda t: (t.records.counts(home.name, user), t.documents.sizes(home.name), t.vectors.models())
        )
        names = ("people", "entities", "unsettled conversations", "waiting for a vector", "jobs", "open questions")
        kinds: dict[str, dict[str, int]] = {}
        for kind, state, count, _ in counts:
            kinds.setdefault(kind, {})[state] = count
        newest = max((moment for *_, moment in counts), default=None)
        return {
            "space": home.name, "preset": preset.name, "kinds": kinds, "newest": newest,
            **dict(zip(names, sizes, strict=True)), "models": {m[1]: m[3] for m in models}, "bytes": self.store.size(),
        }  # fmt: skip

    # Steps that several operations share

    def _document(self, space: str, owner: str, name: str, *, as_of: datetime | None) -> Document | None:
        return self.store.read(lambda t: t.documents.get(space, owner, name, as_of=as_of))

    def _on(self, record_id: str, work: Callable[[Tables, Record, Preset], T]) -> T:
        def on(tables: Tables) -> T:
            record = lifecycle.need(tables, record_id)
            return work(tables, record, self._at(record.space)[1])

        return self._write(on)

    def _revise_documents(self, tables: Tables, record: Record, preset: Preset, *, text: str | None) -> None:
        """What a person corrected or rejected is corrected or gone in their documents too."""
        from recollect.distil.documents import revised

        for name in preset.documents:
            document = tables.documents.get(record.space, record.user or "", name)
            if document and (after := revised(document, record.text, text, now=self.clock())):
                tables.documents.put(after)

    def _settle_doubt(self, older: Record, newer: Record, said: Verdict, *, text: str) -> Record:
        if said.choice == "newer":
            kept = self.confirm(newer.id)
            self._write(
                lambda t: lifecycle.supersede(t, older, kept, at=self.clock(), reason="the person said so", by="person")
            )
            return kept
        if said.choice == "older":
            self.forget(newer.id, reason="the person said it is not so")
            return self.confirm(older.id)
        self.forget(newer.id, reason="the person said something else")
        return self.correct(older.id, text)

    def _after_purge(self) -> None:
        self.store.compact()
