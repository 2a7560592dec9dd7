"""What people see of their memory and what they change in it: records, profiles, entities, doubts, and erasure."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Any, TypeVar

from recollect.capture.fields import check_counts, check_flags, check_names, require_counts
from recollect.capture.gate import GateLimits, admit
from recollect.capture.observe import clean, notices
from recollect.capture.remember import add, admit_record
from recollect.clock import Clock, as_moment
from recollect.clock import zone as zone_of
from recollect.errors import InputError, ModelError, NotAllowed, RecordNotFound
from recollect.models.tagger import normalise
from recollect.presets.policy import Preset
from recollect.records import (
    AuditEntry,
    Document,
    DocumentEntry,
    Entity,
    Erasure,
    Happening,
    History,
    Question,
    Record,
    Report,
    Space,
    personal_space,
)
from recollect.rights import MANAGERS
from recollect.spaces import Spaces
from recollect.state_folder import remove_session_files
from recollect.storage import erase, lifecycle
from recollect.storage.audit_chain import AuditCheck
from recollect.storage.backup import Backups
from recollect.storage.lifecycle import Flagged
from recollect.storage.store import Store, Tables
from recollect.storage.tables.jobs import Job
from recollect.storage.tables.records import Stretch

if TYPE_CHECKING:
    from recollect.distil.answer import Verdict
    from recollect.distil.drafts import Material, ReportDraft
    from recollect.distil.writer import Writer
    from recollect.models.embedder import Embedder
    from recollect.storage.encryption import EncryptionKey

T = TypeVar("T")
log = logging.getLogger("recollect")

# How far the mentions of a thing are counted that one person may see.
_MENTIONS = 1_000
# The setting that says for how many days the audit log is kept.
AUDIT_DAYS = "audit days"
# An erasure that is not finished by then was killed, or is very large; finishing it twice does no harm.
_REST_AFTER = timedelta(minutes=10)


class Curated(Spaces):
    """A memory as the people in it see it: each record can be looked at, corrected, hidden, brought back, destroyed."""

    embedder: Embedder | None = None

    def __init__(self, store: Store, *, space: Space, preset: Preset, clock: Clock) -> None:
        super().__init__(store, space=space, preset=preset, clock=clock)
        self.backups = Backups(store)

    # With `user`, an operation acts as that person: what they may not see is not there for them.

    def get(self, record_id: str, *, user: str | None = None) -> Record:
        """One record, in whatever state."""
        record = self.store.read(lambda t: lifecycle.need(t, record_id, reader=user))
        self._note_reading("read", [record], user=user)
        return record

    def confirm(self, record_id: str, *, user: str | None = None) -> Record:
        """A person says that it is true: surer, no longer fading, never overwritten by inference."""

        def work(tables: Tables, record: Record, preset: Preset) -> Record:
            return lifecycle.confirm(tables, record, preset.kind(record.kind), now=self.clock())

        return self._on(record_id, "confirm", work, user=user)

    def correct(self, record_id: str, text: str, *, user: str | None = None) -> Record:
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

        return self._on(record_id, "correct", work, user=user)

    def flag(self, record_id: str, *, reason: str = "", user: str | None = None) -> Flagged:
        """A person says that it is wrong: shown no more, restorable; related records are listed for review."""

        def work(tables: Tables, record: Record, preset: Preset) -> Flagged:
            self._revise_documents(tables, record, preset, text=None)
            told = _clean_reason(reason, preset) or "flagged"
            return lifecycle.flag(tables, record, reason=told, now=self.clock(), reader=user)

        return self._on(record_id, "flag", work, user=user)

    def pin(self, record_id: str, *, pinned: bool = True, user: str | None = None) -> Record:
        """Show it always and never let it fade; `pinned=False` takes that back."""
        check_flags(pinned=pinned)

        def work(tables: Tables, record: Record, _: Preset) -> Record:
            return lifecycle.pin(tables, record, pinned=pinned, now=self.clock())

        return self._on(record_id, "pin" if pinned else "unpin", work, user=user)

    def forget(self, record_id: str, *, reason: str = "", user: str | None = None) -> Record:
        """Hide it; it can be restored until it is purged."""

        def work(tables: Tables, record: Record, preset: Preset) -> Record:
            self._revise_documents(tables, record, preset, text=None)
            return lifecycle.forget(tables, record, reason=_clean_reason(reason, preset), now=self.clock())

        return self._on(record_id, "forget", work, user=user)

    def restore(self, record_id: str, *, user: str | None = None) -> Record:
        """Bring back what was forgotten, flagged, superseded, faded or expired."""

        def work(tables: Tables, record: Record, preset: Preset) -> Record:
            home = self._at(record.space)[0]
            return lifecycle.restore(tables, record, preset.kind(record.kind), now=self.clock(), zone=home.zone)

        return self._on(record_id, "restore", work, user=user)

    def review(self, *, user: str | None = None, space: str | None = None) -> list[Record]:
        """What waits for a person's word before it counts: confirm it, correct it, or forget it."""
        home, _ = self._at(space, reader=user)

        def read(tables: Tables) -> list[Record]:
            return [r for r in tables.records.proposed(home.name) if tables.people.may_read(r, user)]

        return self.store.read(read)

    def history(self, record_id: str, *, user: str | None = None) -> History:
        """Everything that happened to a record, and the chain of records it belongs to."""
        told = self.store.read(lambda t: lifecycle.history(t, lifecycle.need(t, record_id, reader=user), reader=user))
        self._note_reading("read", told.chain, user=user)
        return told

    def purge(self, record_id: str, *, user: str | None = None) -> int:
        """Destroy a record and all that came from it alone; returns how many records are gone."""
        from recollect.storage.scrub import finish_purge

        destroyed = self._on(record_id, "purge", lambda t, record, _: erase.purge_record(t, record), user=user)
        self._forget_found()
        finish_purge(self.store, destroyed.texts, now=self.clock())
        return destroyed.records

    def erase(self, *, user: str, space: str | None = None) -> Erasure:
        """Destroy everything of a person and everything drawn from it, backups included; returns the receipt.

        Every file of the memory is written again and searched. What cannot be done yet, because another process reads,
        is told in `pending` and done by the job `erase_rest`.
        """
        from recollect.storage.scrub import make_receipt, rest_job

        now = self.clock()
        rest = replace(rest_job(now), due_at=now + _REST_AFTER)

        def work(tables: Tables) -> erase.Destroyed:
            # Planned together with it: if this process is killed now, another one finishes the erasure.
            tables.jobs.put(rest)
            return erase.erase_person(tables, user, space=space, now=now)

        destroyed = self._write(work)
        self._known.pop(personal_space(user), None)
        pending = self._finish_erasure()
        self._write(lambda t: _drop_unless_moved(t, rest))
        receipt = make_receipt(self.store, self.backups, destroyed, user=user, space=space, pending=pending)
        left = tuple(f"{path} of the hooks could not be removed" for path in remove_session_files(destroyed.sessions))
        return replace(receipt, pending=(*receipt.pending, *left)) if left else receipt

    def _finish_erasure(self) -> tuple[str, ...]:
        """Leave nothing that was destroyed in any file; what cannot be done yet is returned and planned as a job."""
        from recollect.storage.atomic_file import remove_leftovers
        from recollect.storage.scrub import finish_erasure, rest_job

        self._forget_found()
        for copy in self.store.read(lambda t: t.copies.all()):
            remove_leftovers(copy.path)
        self._write(lambda t: t.copies.drop_missing())
        pending = finish_erasure(self.store, self.backups)
        if pending:
            self._write(lambda t: t.jobs.put(rest_job(self.clock())))
        return pending

    def profile(
        self, user: str, *, reader: str | None = None, as_of: datetime | str | None = None, space: str | None = None
    ) -> Document:
        """What is known of a person: their document, or their facts by kind where the preset keeps none.

        With `reader`, only what that person may see of it.
        """
        known = self._profile(user, as_of=as_of, space=space, reader=reader)
        if reader is None or reader == user:
            sources = {source for entry in known.entries for source in entry.sources}
            self._note_reading("read profile", self._records_of(sources) if reader is None else (), user=reader)
            return known
        return self._as_shown_to(reader, known)

    def _profile(self, user: str, *, as_of: datetime | str | None, space: str | None, reader: str | None) -> Document:
        from recollect.distil.reporting import still_believed

        home, preset = self._at(space, reader=reader)
        now = self.clock()
        moment = as_moment(as_of, now) if as_of is not None else None
        for name, policy in preset.documents.items():
            if policy.per == "person":
                found = self._document(home.name, user, name, as_of=moment)
                return found or Document(name=name, owner=user, space=home.name, version=0, entries=(), at=now)
        view, _ = self._view(user, space, kinds=preset.tier("always", "task"), as_of=as_of)
        records = self.store.read(lambda t: t.records.find_derived(view, limit=200))
        mine = still_believed([r for r in records if r.user == user], preset)
        entries = tuple(DocumentEntry(section=r.kind, text=r.text, sources=(r.id,), at=r.at) for r in mine)
        return Document(name="profile", owner=user, space=home.name, version=0, entries=entries, at=now)

    def forget_profile(
        self, user: str, text: str | None = None, *, reader: str | None = None, space: str | None = None
    ) -> Document:
        """Take one line out of a person's document, or all of them; what it said before stays in its versions.

        With `reader`, it must be their own, or they must be an admin or the owner of the space.
        """
        from recollect.distil.documents import revised

        now = self.clock()
        home, preset = self._at(space, reader=reader)
        name = next((n for n, policy in preset.documents.items() if policy.per == "person"), None)
        if name is None:
            raise InputError(f"the {preset.name} preset keeps no profiles: forget the records that it shows instead")

        def work(tables: Tables) -> Document:
            if reader not in (None, user) and tables.people.members(home.name).get(str(reader)) not in MANAGERS:
                raise NotAllowed("a profile may be changed by the person it is about, or by an admin of the space")
            before = tables.documents.get(home.name, user, name)
            blank = replace(before, version=before.version + 1, entries=(), data={}, at=now) if before else None
            after = blank if text is None or before is None else revised(before, text, None, now=now)
            if after is None:
                raise InputError("there is no such line: give it exactly as the profile shows it")
            tables.documents.put(after)
            tables.audit.add(home.name, "forget profile", at=now, actor=reader, detail={"user": user})
            return after

        return self._write(work)

    def entity(self, name: str, *, user: str | None = None, limit: int = 20, space: str | None = None) -> Entity | None:
        """A named thing with its aliases and the records that mention it; None when nobody did.

        For a user it is what the records say that this person may see: one that only others named is not there.
        """
        if not isinstance(name, str):
            raise InputError(f"a name must be a text, not {type(name).__name__}")
        check_names(name=name)
        if type(limit) is not int:
            raise InputError("limit must be a whole number")
        require_counts(limit=limit)
        view, _ = self._view(user, space)
        most = limit if user is None else max(limit, _MENTIONS)

        def look(tables: Tables) -> Entity | None:
            known = tables.entities.find([normalise(name)], view.spaces)
            found = tables.entities.get(known[0].seq) if known else None
            if found is None:
                return None
            seqs = [seq for seq, _ in tables.search.entities([known[0].seq], view, limit=most)]
            records = tables.records.by_seq(seqs)
            shown = tuple(records[s] for s in seqs[:limit])
            if user is None:
                return replace(found, records=shown)
            return _as_seen(found, name, [records[s].text for s in seqs], records=shown) if seqs else None

        known = self.store.read(look)
        self._note_reading("entity", known.records if known else (), user=user)
        return known

    def questions(self, user: str | None = None, *, space: str | None = None) -> list[Question]:
        """Doubts that wait for the person's word."""
        home, _ = self._at(space, reader=user)
        return self.store.read(lambda t: t.documents.questions(home.name, user=user))

    def answer(self, question_id: str, text: str, *, user: str | None = None) -> Record:
        """Settle a doubt by what the person said; returns the record that counts now."""
        from recollect.distil.answer import verdict

        now = self.clock()
        found = self.store.read(lambda t: t.documents.questions(None, only_open=False, question_id=question_id))
        if not found or (user is not None and found[0].user not in (None, user)):
            raise RecordNotFound(f"there is no question {question_id!r}", record_id=question_id)
        question = found[0]
        older, newer = self.get(question.older, user=user), self.get(question.newer, user=user)
        said = verdict(text, older=older.text, newer=newer.text)
        kept = self._settle_doubt(older, newer, said, text=text, user=user)
        self._write(lambda t: t.documents.answer(question_id, said.choice, at=now))
        return kept

    def timeline(
        self, user: str | None = None, *, since: datetime | str | None = None, until: datetime | str | None = None,
        kinds: Sequence[str] | None = None, limit: int = 500, space: str | None = None,
    ) -> list[Happening]:  # fmt: skip
        """What happened when, oldest first: records as they came and what was done to them, the newest `limit`."""
        from recollect.storage.timeline import timeline

        require_counts(limit=limit)
        stretch = self._stretch(user, since, until, kinds=kinds, space=space)
        now = self.clock()
        found = self.store.read(lambda t: timeline(t, stretch, now=now, limit=limit))
        self._note_reading("timeline", {h.record.id: h.record for h in found}.values(), user=user)
        return found

    def report(
        self, about: str, user: str | None = None, *, since: datetime | str | None = None,
        until: datetime | str | None = None, keep: bool = False, space: str | None = None,
    ) -> Report:  # fmt: skip
        """A text for people about a stretch of time, in Markdown with its sources.

        `about` is "appointment" (for a visit to a doctor), "week" or "month"; without `since` it takes the time that
        such a report is usually about. With `keep` it is also kept as a record.
        """
        from recollect.distil.reporting import gather, kept_report, told_by
        from recollect.distil.reports import outline

        now = self.clock()
        # What was said in this very moment belongs to it too.
        end = as_moment(until, now + timedelta.resolution)
        home, preset = self._at(space)
        stretch = self._stretch(user, since or end - timedelta(days=outline(about).days), end, space=space)
        zone = zone_of(self._zone_of(home, user))
        records = self.store.read(lambda t: gather(t, about, stretch, preset=preset, zone=zone, now=now))
        draft, writer = self._draft_report(records, about, stretch, zone=zone, space=home.name)
        told = told_by(draft, about, stretch, made_by=writer.name)
        self._note_reading("report", self._records_of(told.sources) if user is None else (), user=user)
        if not keep:
            return told
        record = kept_report(told, user=user, preset=preset, space=home, now=now)
        return replace(told, record=self._write(lambda t: _kept_once(t, record, preset=preset, writer=writer)))

    def stats(self, *, user: str | None = None, space: str | None = None) -> dict[str, Any]:
        """Counts by kind and state, the newest moment, and the sizes of everything else."""
        self._flush_touches()
        home, preset = self._at(space, reader=user)
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
            **dict(zip(names, sizes, strict=True)), "refused a vector": len(self.refused()),
            "models": {m[1]: m[3] for m in models}, "bytes": self.store.size(),
        }  # fmt: skip

    def refused(self) -> list[str]:
        """The ids of the records that the embedder refused, newest first; words, names and times still find them.

        Without an embedder at hand the newest model counts. A corrected record is tried anew, and `reembed` tries all.
        """

        def read(tables: Tables) -> list[str]:
            known = {name: number for number, name, *_ in tables.vectors.models()}
            model = known.get(self.embedder.name) if self.embedder else max(known.values(), default=None)
            return [] if model is None else tables.vectors.refused(model)

        return self.store.read(read)

    def audit(
        self, *, actor: str | None = None, action: str | None = None, since: datetime | str | None = None,
        limit: int = 100, space: str | None = None,
    ) -> list[AuditEntry]:  # fmt: skip
        """Who did what, when and through which interface, newest first."""
        require_counts(limit=limit)
        self._flush_touches()
        start = as_moment(since, self.clock()) if since is not None else None
        return self.store.read(lambda t: t.audit.entries(space, actor=actor, action=action, since=start, limit=limit))

    def verify_audit(self, *, head: str | None = None) -> AuditCheck:
        """Check the hash chain of the audit log; `head` is a digest noted earlier that must still be in it."""
        self._flush_touches()
        return self.store.read(lambda t: t.audit.verify(expected_head=head))

    def record_key_change(self, action: str) -> int:
        """Note that this memory was encrypted, decrypted or re-keyed, and replace its rolling copies; how many."""
        self._audit(action)
        return self.backups.renew()

    def keep_audit(self, days: int | None) -> None:
        """Set for how many days entries of the audit log are kept; None keeps them for ever, as by default."""
        check_counts(days=days)

        def work(tables: Tables) -> None:
            tables.documents.set("", AUDIT_DAYS, str(days or ""))
            tables.audit.add("", "keep audit", at=self.clock(), detail={"days": days})

        self._write(work)

    def expire_audit(self, *, now: datetime) -> int:
        """Remove the entries of the audit log that are older than they are kept; returns how many."""

        def work(tables: Tables) -> int:
            days = tables.documents.setting("", AUDIT_DAYS)
            return tables.audit.expire(before=now - timedelta(days=int(days))) if days else 0

        return self._write(work)

    # Steps that several operations share

    def _sealing_key(self, said: str | bytes | None) -> EncryptionKey | None:
        """The key that seals an export or opens one: the given one, else that of the memory."""
        from recollect.storage.encryption import EncryptionKey

        return EncryptionKey.read(said) if said is not None else self.store.key

    def _stretch(
        self, user: str | None, since: datetime | str | None, until: datetime | str | None, *,
        kinds: Sequence[str] | None = None, space: str | None,
    ) -> Stretch:  # fmt: skip
        """What a person may see of a stretch of time; nothing of a space that is switched off."""
        view, _ = self._view(user, space, kinds=kinds, since=since, until=until)
        return Stretch(spaces=view.spaces, user=user, kinds=view.kinds, since=view.since, until=view.until, joined=True)

    def _zone_of(self, home: Space, user: str | None) -> str:
        person = self.store.read(lambda t: t.people.get(home.name, user)) if user else None
        return person.zone if person and person.zone else home.zone

    def writer_for(self, space: str | None = None) -> Writer:
        """Who makes drafts: rules, unless the memory has a language model."""
        from recollect.distil.writer import RulesWriter

        return RulesWriter()

    def _draft_report(
        self, records: Sequence[Material], about: str, stretch: Stretch, *, zone: tzinfo, space: str
    ) -> tuple[ReportDraft, Writer]:
        """A report and who made it: the writer, or rules when it does not answer."""
        from recollect.distil.reporting import draft_of
        from recollect.distil.writer import RulesWriter

        writer = self.writer_for(space)
        try:
            return draft_of(records, about, stretch, writer=writer, zone=zone), writer
        except ModelError as problem:
            log.warning("the report is made by rules: %s", problem)
            return draft_of(records, about, stretch, writer=RulesWriter(), zone=zone), RulesWriter()

    def _document(self, space: str, owner: str, name: str, *, as_of: datetime | None) -> Document | None:
        return self.store.read(lambda t: t.documents.get(space, owner, name, as_of=as_of))

    def _on(
        self, record_id: str, action: str, work: Callable[[Tables, Record, Preset], T], *, user: str | None = None
    ) -> T:
        """What `work` makes of a record that this person may change, with an entry in the audit log."""

        def on(tables: Tables) -> T:
            record = lifecycle.need_to_change(tables, record_id, reader=user)
            done = work(tables, record, self._at(record.space)[1])
            tables.audit.add(record.space, action, at=self.clock(), actor=user, detail={"record": record.id})
            return done

        return self._write(on)

    def _records_of(self, ids: Iterable[str]) -> list[Record]:
        return list(self.store.read(lambda t: t.records.get(ids)).values())

    def _as_shown_to(self, reader: str, document: Document) -> Document:
        """A document with the entries all of whose sources a reader may see."""

        def shown(tables: Tables) -> tuple[DocumentEntry, ...]:
            known = tables.records.get({source for entry in document.entries for source in entry.sources})
            readable = {i for i, record in known.items() if tables.people.may_read(record, reader)}
            return tuple(e for e in document.entries if e.sources and readable.issuperset(e.sources))

        return replace(document, entries=self.store.read(shown), data={})

    def _revise_documents(self, tables: Tables, record: Record, preset: Preset, *, text: str | None) -> None:
        """What a person corrected or rejected is corrected or gone in their documents too."""
        from recollect.distil.documents import revised

        for name in preset.documents:
            document = tables.documents.get(record.space, record.user or "", name)
            if document and (after := revised(document, record.text, text, now=self.clock())):
                tables.documents.put(after)

    def _settle_doubt(
        self, older: Record, newer: Record, said: Verdict, *, text: str, user: str | None = None
    ) -> Record:
        if said.choice == "newer":
            kept = self.confirm(newer.id, user=user)

            def replace_older(tables: Tables) -> None:
                lifecycle.supersede(tables, older, kept, at=self.clock(), reason="the person said so", by="person")
                self._revise_documents(tables, older, self._at(older.space)[1], text=kept.text)

            self._write(replace_older)
            return kept
        if said.choice == "older":
            self.forget(newer.id, reason="the person said it is not so", user=user)
            return self.confirm(older.id, user=user)
        self.forget(newer.id, reason="the person said something else", user=user)
        return self.correct(older.id, text, user=user)

    def _forget_found(self) -> None:
        """What was read before a purge is no longer used."""


def _clean_reason(reason: str, preset: Preset) -> str:
    """A reason as it may be kept."""
    check_names(reason=reason)
    return clean(reason, preset.capture.redact_secrets)


def _kept_once(tables: Tables, record: Record, *, preset: Preset, writer: Writer) -> Record:
    """Keeps a report unless the same one is there already."""
    from recollect.distil.reporting import reported

    kept = reported(tables, record)
    if kept is None:
        kept = admit_record(tables, record, preset=preset)
        add(tables, kept, preset=preset)
    writer.stored(tables)
    return kept


def _drop_unless_moved(tables: Tables, planned: Job) -> None:
    """Remove a job that is no longer needed, unless somebody else has planned it for another moment since."""
    job = tables.jobs.get(planned.space, planned.key)
    if job is not None and job.state == "ready" and job.due_at == planned.due_at:
        tables.jobs.drop(planned.space, planned.key)


def _as_seen(entity: Entity, asked: str, texts: Sequence[str], *, records: tuple[Record, ...]) -> Entity:
    """The entity as these texts alone tell of it, under the names that they use."""
    said = " ".join(texts).casefold()
    names = [alias for alias in (entity.name, *entity.aliases) if alias.casefold() in said] or [asked]
    return replace(
        entity, name=names[0], aliases=tuple(sorted(set(names))), mentions=len(texts), records=records
    )  # fmt: skip
