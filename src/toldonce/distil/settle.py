"""A finished conversation becomes knowledge: drafts are made outside any transaction, then kept in one.

A conversation is settled once: whoever comes second finds it settled and changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from functools import partial
from typing import TYPE_CHECKING

from toldonce.access import is_readable_by_all, may_read
from toldonce.capture.gate import GateLimits, admit_through_gate
from toldonce.capture.observe import PART, SETTLE, is_later_part, redact_nested
from toldonce.capture.remember import add_record
from toldonce.clock import load_zone
from toldonce.distil.documents import entry_of_statement, new_document, update_document
from toldonce.distil.drafts import (
    LINE,
    MACHINE_ROLES,
    ConversationMessage,
    Extracted,
    FactDraft,
    Material,
    NoteDraft,
)
from toldonce.distil.extract import drop_known_names
from toldonce.distil.person_data import describe_statement, find_related, names_in, write_title
from toldonce.distil.provenance import cite_messages
from toldonce.distil.reconcile import Reconciliation, apply_reconciliation, doubt_record, reconcile_record
from toldonce.distil.statements.reading import Claim, StatementDraft, read_claim
from toldonce.distil.statements.store import StatementKeeper, details_of, draft_metadata, show_rest
from toldonce.distil.statements.succession import Stated
from toldonce.distil.writer import RulesWriter, Writer, build_scope
from toldonce.errors import CorruptStore, EmptyText, ModelError, TextTooLong
from toldonce.presets.policy import DocumentPolicy, Preset
from toldonce.records import Conversation, DocumentEntry, Origin, Person, Record, Space, Trust, attribute_of, new_id
from toldonce.storage.store import Store, Tables, View

if TYPE_CHECKING:
    from toldonce.models.embedder import Embedder

log = logging.getLogger("toldonce.distil")

# What a message of several parts says in a person's own words comes first; the rest was pasted, and can be recalled.
_READ_OF_PASTE = 8_000
# A message may be destroyed while a writer works on the conversation; more often than this, something else is wrong.
_MOST_TRIES = 5
# An instruction may begin or end up to this many characters inside the statement that holds it.
_LEAD = 12
# An instruction that says one of these may end another statement, so that it is kept beside the fact it became.
_CHANGES = frozenset(("ends", "replaces", "again", "allows"))


@dataclass(frozen=True, slots=True)
class ConversationDrafts:
    """What a writer made of a conversation, which one, and why it was not the model if it should have been.

    Each note stands with the person whose it is; one of everybody's has none.
    """

    notes: tuple[tuple[str | None, NoteDraft], ...]
    facts: tuple[FactDraft, ...]
    made_by: str
    statements: tuple[StatementDraft, ...] = ()
    problem: str = ""
    left_out: int = 0
    noted_by: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """What a conversation became: new records by outcome, how many documents changed, and which writer did it.

    `problem` says why a model did not, when rules stood in for it. `left_out` counts the facts above the limit for one
    conversation, which stay in its messages only. `repeated` are the ids of what was known and was said once more.
    """

    conversation: str
    kept: tuple[Record, ...] = ()
    outcomes: tuple[str, ...] = ()
    documents: int = 0
    made_by: str = ""
    problem: str = ""
    left_out: int = 0
    repeated: tuple[str, ...] = ()


def settle_conversation(
    store: Store,
    conversation: Conversation,
    *,
    preset: Preset,
    space: Space,
    writer: Writer,
    now: datetime,
    stand_in: Writer | None = None,
    embedder: Embedder | None = None,
) -> Settled | None:
    """Turn a conversation into knowledge; None when it was settled before.

    When the writer's model fails the stand-in does it all; without one the error comes out and nothing has changed. The
    embedder finds what a writer that reads what is known should judge its facts against.
    """
    for _ in range(_MOST_TRIES):
        messages, people = store.read(lambda t: _read_conversation(t, conversation))
        zone = load_zone(space.zone)
        said = [(m, _message_at_local_time(m, people, zone=zone)) for m in messages if not is_later_part(m)]
        view = View(spaces=(space.name,), now=now)
        known: tuple[Material, ...] = ()
        if writer.reads_known:
            from toldonce.distil.known import read_known

            known = read_known(store, said, view, preset=preset)
        drafted = _draft_with_fallback(said, preset=preset, writer=writer, stand_in=stand_in, known=known)
        if writer.reads_known and drafted.facts and not drafted.problem:
            from toldonce.distil.judging import judge_drafts

            facts = judge_drafts(
                store,
                drafted.facts,
                writer=writer,
                preset=preset,
                view=view,
                speakers={heard.speaker for _, heard in said if heard.role not in MACHINE_ROLES},
                shown={one.id for one in known},
                embedder=embedder,
                may_skip=stand_in is not None,
            )
            drafted = replace(drafted, facts=facts, made_by=writer.name)
        if writer.reads_known:
            facts, notes = cite_messages(drafted.facts, drafted.notes, [heard for _, heard in said])
            drafted = replace(drafted, facts=facts, notes=notes)
        drafts = _admit_drafts(drafted, preset)
        by_id = {m.id: m for m in messages}

        def keep(
            tables: Tables, drafts: ConversationDrafts = drafts, by_id: dict[str, Record] = by_id
        ) -> Settled | None:
            there = tables.records.get(by_id)
            if any(one not in there or there[one].text != message.text for one, message in by_id.items()):
                raise _Purged
            writer.stored(tables)
            return _store_drafts(tables, conversation, drafts, messages=by_id, preset=preset, space=space, now=now)

        try:
            return store.write(keep)
        except _Purged:
            continue
    raise CorruptStore(
        "messages of this conversation are listed but cannot be read: an index of the file is damaged; run"
        " `toldonce doctor --repair`"
    )


class _Purged(Exception):
    """A message was destroyed or replaced while the writer worked on it: what was made of it must not be kept."""


def _read_conversation(tables: Tables, conversation: Conversation) -> tuple[list[Record], dict[str, Person]]:
    messages: list[Record] = []
    after = 0
    while page := tables.conversations.read_messages(conversation.id, after=after):
        messages += [record for _, record in page]
        after = page[-1][0]
    # A message that was edited, or came late, is stored behind those that followed it.
    messages.sort(key=lambda message: message.at)
    return messages, {p.id: p for p in tables.people.all(conversation.space)}


def read_talk(tables: Tables, conversation: Conversation) -> list[ConversationMessage]:
    """The messages of a conversation as a writer sees them."""
    messages, people = _read_conversation(tables, conversation)
    return [_message_at_local_time(m, people, zone=UTC) for m in messages if not is_later_part(m)]


def _draft_with_fallback(
    said: Sequence[tuple[Record, ConversationMessage]],
    *,
    preset: Preset,
    writer: Writer,
    stand_in: Writer | None,
    known: tuple[Material, ...],
) -> ConversationDrafts:
    try:
        return _draft_knowledge(said, preset=preset, writer=writer, known=known)
    except ModelError as problem:
        if stand_in is None:
            raise
        log.warning("%s settles a conversation because the model failed: %s", stand_in.name, problem)
        return replace(_draft_knowledge(said, preset=preset, writer=stand_in), problem=str(problem))


def _draft_knowledge(
    heard: Sequence[tuple[Record, ConversationMessage]],
    *,
    preset: Preset,
    writer: Writer,
    known: tuple[Material, ...] = (),
) -> ConversationDrafts:
    steps = preset.distil.steps
    said = [said for _, said in heard]
    shares = _split_by_note_owner(heard, preset) if "note" in steps and said else {}
    has_facts = "facts" in steps or "documents" in steps
    noting = RulesWriter() if writer.reads_known and preset.distil.note_by == "rules" else writer
    # One note of everything comes with the facts, in the same request to a model.
    is_joint = has_facts and len(shares) == 1 and noting is writer
    noted = {} if is_joint else {owner: noting.note(share) for owner, share in shares.items()}
    made = Extracted()
    if has_facts and said:
        made = writer.extract(said, scope=replace(build_scope(preset), known=known, has_note=is_joint))
        noted |= dict.fromkeys(shares, made.note) if is_joint else {}
    notes = tuple((owner, note) for owner, note in noted.items() if note)
    statements = writer.statements(said) if "statements" in steps else ()
    facts = drop_known_names(made.facts, said)
    drafts = ConversationDrafts(notes, facts, writer.name, tuple(statements), noted_by=noting.name)
    return _bound_drafts(drafts, preset.distil.max_facts)


def _bound_drafts(drafts: ConversationDrafts, most: int) -> ConversationDrafts:
    """The drafts without repeated facts, limited to the `most` most certain ones: the quota of one conversation."""
    facts = {(draft.person, draft.subject, draft.text.casefold()): draft for draft in reversed(drafts.facts)}
    found = list(reversed(facts.values()))
    room = max(0, most - len(found))
    if most and len(drafts.statements) > room:
        best = sorted(range(len(drafts.statements)), key=lambda place: -drafts.statements[place].score)[:room]
        drafts = replace(drafts, statements=tuple(drafts.statements[place] for place in sorted(best)))
    if not most or len(found) <= most:
        return drafts
    sure = sorted(range(len(found)), key=lambda place: -found[place].confidence)[:most]
    log.warning("a conversation says %d facts, and %d are kept: see distil.max_facts", len(found), most)
    return replace(drafts, facts=tuple(found[place] for place in sorted(sure)), left_out=len(found) - most)


def _split_by_note_owner(
    heard: Sequence[tuple[Record, ConversationMessage]], preset: Preset
) -> dict[str | None, list[ConversationMessage]]:
    """The messages that each note may cover, by the owner of the note.

    If the kind of notes is visible to everybody, there is one note for all. A private note covers only its owner's
    messages and those that belong to nobody.
    """
    owners = list(dict.fromkeys(message.user for message, _ in heard if message.user is not None))
    private = preset.kind(preset.distil.note_kind).visibility_for("system") == "private"
    if len(owners) < 2 or not private:
        alone = len(owners) == 1 and (private or len({said.speaker for _, said in heard}) == 1)
        return {owners[0] if alone else None: [said for _, said in heard]}
    return {owner: [said for message, said in heard if may_read(message, owner)] for owner in owners}


def filter_settled_for(reader: str | None, settled: Settled) -> Settled:
    """What a person may see of what a conversation became."""
    kept = tuple(record for record in settled.kept if may_read(record, reader))
    return replace(settled, kept=kept, repeated=settled.repeated if reader is None else ())


def _admit_drafts(drafts: ConversationDrafts, preset: Preset) -> ConversationDrafts:
    """The drafts as they may be remembered: what a writer made passes the gate as what people say does."""
    secrets_go = preset.capture.redact_secrets
    notes = []
    for owner, note in drafts.notes:
        if summary := admit_written_text(note.summary, preset, kind=preset.distil.note_kind):
            notes.append((owner, replace(note, summary=summary, title=redact_nested(note.title, secrets_go))))
    facts = []
    for draft in drafts.facts:
        if text := admit_written_text(draft.text, preset, kind=preset.distil.kinds.get(draft.type)):
            value = redact_nested(draft.value, secrets_go) if draft.value else draft.value
            facts.append(replace(draft, text=text, value=value))
    statements = []
    for found in drafts.statements:
        if text := admit_written_text(found.text, preset, kind=preset.distil.statements.get("statement")):
            words, question = redact_nested(found.words, secrets_go), redact_nested(found.question, secrets_go)
            statements.append(replace(found, text=text, words=words, question=question))
    return replace(drafts, notes=tuple(notes), facts=tuple(facts), statements=tuple(statements))


def admit_written_text(text: str, preset: Preset, *, kind: str | None) -> str:
    """The text as the gate lets it in, cut to the length of its kind; "" when nothing is left of it."""
    most = preset.kind(kind).max_chars if kind else GateLimits().max_chars
    limits = GateLimits(max_chars=most, redact_secrets=preset.capture.redact_secrets)
    try:
        return admit_through_gate(text, limits=limits).text
    except EmptyText:
        return ""
    except TextTooLong:
        return admit_through_gate(text[:most], limits=limits).text


def _message_at_local_time(message: Record, people: dict[str, Person], *, zone: tzinfo) -> ConversationMessage:
    """The message at its local moment: "yesterday" is the day before the local one."""
    person = people.get(message.user or "")
    name = person.name if person and message.role == "user" else message.author
    at = message.at.astimezone(zone)
    text = message.text[:_READ_OF_PASTE] if PART in message.metadata else message.text
    speaker = message.user or message.author
    private_to = "" if is_readable_by_all(message) else message.user or ""
    return ConversationMessage(message.id, text, speaker, message.role, at, name or speaker, private_to)


def _store_drafts(
    tables: Tables,
    conversation: Conversation,
    drafts: ConversationDrafts,
    *,
    messages: dict[str, Record],
    preset: Preset,
    space: Space,
    now: datetime,
) -> Settled | None:
    if not tables.conversations.settle(conversation.id, at=now):
        return None
    tables.jobs.drop(conversation.space, f"{SETTLE}:{conversation.id}")
    keeper = _DraftWriter(tables, conversation, messages, preset=preset, space=space, maker=drafts.made_by, now=now)
    notes = {owner: keeper.note(note, owner, by=drafts.noted_by) for owner, note in drafts.notes}
    standing = list(drafts.facts)
    if "facts" in preset.distil.steps:
        standing = [draft for draft in drafts.facts if keeper.fact(draft)]
    keeper.end_lines(drafts.facts)
    keeper.statements(drafts.statements, drafts.facts)
    if preset.areas:
        keeper.relate_items()
    changed = keeper.documents(standing, notes) if "documents" in preset.distil.steps else 0
    detail = {"conversation": conversation.id, "records": len(keeper.kept), "documents": changed}
    tables.audit.add(conversation.space, "settle", at=now, detail=detail)
    return Settled(
        conversation.id,
        tuple(keeper.kept),
        tuple(keeper.outcomes),
        changed,
        drafts.made_by,
        drafts.problem,
        drafts.left_out,
        tuple(keeper.repeated),
    )


class _DraftWriter:
    """Puts the drafts of one conversation into the store, inside one transaction."""

    def __init__(
        self,
        tables: Tables,
        conversation: Conversation,
        messages: dict[str, Record],
        *,
        preset: Preset,
        space: Space,
        maker: str,
        now: datetime,
    ) -> None:
        self._tables = tables
        self._conversation = conversation
        self._messages = messages
        from_journal = bool(messages) and all(message.origin == "journal" for message in messages.values())
        self._origin: Origin = "journal" if from_journal else "conversation"
        self._preset = preset
        self._space = space
        self._maker = maker
        self._now = now
        self._gone: list[str] = []
        self._gone_ids: set[str] = set()
        self._revised: set[str] = set()
        always = (section for section in preset.context.sections if section.source == "always")
        self._always_shown = {kind for section in always for kind in section.kinds}
        self._stated: list[Record] = []
        self._statements = StatementKeeper(tables, preset, now=now)
        self.kept: list[Record] = []
        self.outcomes: list[str] = []
        self.repeated: list[str] = []

    def note(self, draft: NoteDraft, owner: str | None, *, by: str) -> Record:
        record = self._record(
            self._preset.distil.note_kind, draft.summary, at=draft.at, user=owner, sources=draft.sources
        )
        people = list(draft.participants)
        noted = replace(record, title=draft.title, made_by=by, metadata={"participants": people})
        self._add(noted)
        self.outcomes.append("added")
        return noted

    def fact(self, draft: FactDraft) -> bool:
        """Keep a draft as a record; False when it does not count, as something doubted or long replaced."""
        kind = self._preset.distil.kinds.get(draft.type)
        if kind is None:
            return False
        owner = self._messages[draft.source].user
        sources = (draft.source, *draft.context)
        record = self._record(kind, draft.text, at=draft.at, user=owner, sources=sources)
        confidence = min(draft.confidence, record.confidence)
        metadata = draft_metadata(draft, self._preset)
        title = (draft.title or write_title(draft.text)) if self._preset.areas else ""
        record = replace(record, subject=draft.subject, confidence=confidence, title=title, metadata=metadata)
        over = self._find_named_over(draft, owner)
        met = self._find_doubt(draft, record) or reconcile_record(
            self._tables, record, preset=self._preset, now=self._now, over=over
        )
        if met is None:
            self._add(record)
        elif met.outcome == "duplicate":
            self._tables.records.link(record.space, met.record.id, draft.source, type="derived_from", at=self._now)
            self.repeated.append(met.record.id)
        else:
            self._add(met.record)
            apply_reconciliation(self._tables, met, preset=self._preset, now=self._now)
            if met.other is not None and met.outcome in ("superseded", "demoted"):
                self._gone += [other.text for other in (met.other, *met.more)]
                self._gone_ids |= {other.id for other in (met.other, *met.more)}
        self.outcomes.append(met.outcome if met else "added")
        return met is None or met.record.is_current

    def _find_named_over(self, draft: FactDraft, owner: str | None) -> list[Record]:
        """The records that a draft says are over; what is planned ends only an older plan."""
        named = self._tables.records.get([id_ for id_ in draft.replaces if not id_.startswith(LINE)])
        found = [r for r in named.values() if r.is_current and r.user == owner and draft.source not in r.sources]
        if draft.change == "planned":
            return [r for r in found if r.metadata.get("change") == "planned"]
        return found

    def _find_doubt(self, draft: FactDraft, record: Record) -> Reconciliation | None:
        """The question whether a new record is right, where only the person can tell."""
        named = self._tables.records.get([id_ for id_ in draft.doubts if not id_.startswith(LINE)])
        older = next((r for r in named.values() if r.is_current and r.user == record.user), None)
        return doubt_record(record, older, now=self._now) if older else None

    def end_lines(self, drafts: Sequence[FactDraft]) -> None:
        """Note which lines of documents are over because a draft says so."""
        for draft in drafts:
            lines = [id_.removeprefix(LINE) for id_ in draft.replaces if id_.startswith(LINE)]
            if lines and draft.change != "planned":
                self._gone += lines
                self._revised.add(draft.person)

    def statements(self, drafts: Sequence[StatementDraft], facts: Sequence[FactDraft]) -> None:
        """Keep what was said in people's own words, and mark what it ends.

        What a fact tells as well is not kept a second time.
        """
        for draft in drafts:
            told = [fact for fact in facts if fact.source == draft.source]
            retold = [fact for fact in told if _tells_as_much(fact, draft)]
            if retold and not self._is_shown_more_often(draft, retold):
                continue
            owner = self._messages[draft.source].user
            before = len(self._statements.gone)
            make = partial(self._statement, draft, told)
            self._statements.keep(draft, owner=owner, space=self._space.name, make=make)
            if owner is not None and len(self._statements.gone) > before:
                self._revised.add(owner)
            if "facts" not in self._preset.distil.steps:
                self._end_entries(draft, owner)
        self._gone += self._statements.gone

    def relate_items(self) -> None:
        """Link what was kept with what else is known of the people that it is about."""
        for record in self.kept:
            known = self._statements.read_known_records(record.user, self._space.name) if names_in(record) else ()
            for other in find_related(record, known):
                self._tables.records.link(self._space.name, record.id, other.id, type="related_to", at=self._now)

    def _is_shown_more_often(self, draft: StatementDraft, facts: Sequence[FactDraft]) -> bool:
        """Whether prompts always show such a statement, and not the facts that say the same."""
        policy = self._preset.distil
        is_always = policy.statements.get(draft.type) in self._always_shown
        return is_always and self._always_shown.isdisjoint(policy.kinds.get(fact.type, "") for fact in facts)

    def _end_entries(self, draft: StatementDraft, owner: str | None) -> None:
        """Note which lines of the speaker's documents a statement ends."""
        for name, policy in self._preset.documents.items():
            if policy.per == "person" and owner is not None:
                document = self._tables.documents.get(self._space.name, owner, name)
                ended = self._statements.find_ended(document.entries, draft) if document else []
                if ended:
                    self._gone += ended
                    self._revised.add(owner)

    def _statement(
        self, draft: StatementDraft, told: Sequence[FactDraft], kind: str, stated: Stated, rest_of: Record | None
    ) -> Record | None:
        """Store a statement, or what still holds of an older one; None when it is known word for word."""
        if rest_of is not None:
            details = {**rest_of.metadata, **details_of(stated, start=0, end=0), "span": rest_of.metadata.get("span")}
            id_ = new_id(self._preset.kind(kind).prefix, self._now)
            title = write_title(stated.words) if self._preset.areas else ""
            record = replace(
                rest_of, id=id_, text=show_rest(stated), title=title, created_at=self._now, metadata=details
            )
        else:
            owner = self._messages[draft.source].user
            record = self._record(kind, draft.text, at=draft.at, user=owner, sources=draft.sources)
            subject = f"{owner}/{draft.about[0]}" if owner and draft.about else owner
            details = details_of(stated, start=draft.start, end=draft.end)
            if subjects := {attribute_of(f.subject) for f in told if f.start < draft.end and draft.start < f.end}:
                details["subjects"] = sorted(subjects)
            visibility = self._preset.kind(kind).visibility_for("person")
            title = ""
            if self._preset.areas:
                details |= describe_statement(stated, self._preset)
                title = write_title(stated.words)
            record = replace(
                record,
                subject=subject,
                author=draft.name,
                title=title,
                metadata=details,
                made_by="rules",
                visibility=visibility,
            )
        if self._tables.records.same_text(record):
            return None
        self._add(record)
        self._stated.append(record)
        self.outcomes.append("added")
        return record

    def documents(self, drafts: Sequence[FactDraft], notes: Mapping[str | None, Record]) -> int:
        """Put the drafts into the documents of the people they are about; returns how many changed.

        What somebody else said of a person goes there only where that person may read it. Statements go into the
        documents of those who made them.
        """
        replaces = {n for n, s in self._preset.subjects.items() if s.rule in ("replace", "series")}
        changed = 0
        for name, policy in self._preset.documents.items():
            speakers = (record.user for record in self._stated if record.user is not None)
            people = [*(d.person for d in drafts), *sorted(self._revised), *speakers] if policy.per == "person" else []
            for person in dict.fromkeys(people):
                known = self._tables.people.get(self._space.name, person)
                current = self._tables.documents.get(self._space.name, person, name)
                document = current or new_document(name, person, self._space.name, at=self._now)
                mine = [d for d in drafts if d.person == person and may_read(self._messages[d.source], person)]
                note = notes.get(person) or notes.get(None)
                cited = (note.id,) if note else ()
                after = update_document(
                    document,
                    mine,
                    policy=policy,
                    sources=cited,
                    replaces=replaces,
                    now=self._now,
                    stated=self._entries_stated_by(person, policy),
                    gone=self._gone,
                    gone_ids=self._statements.gone_ids | self._gone_ids,
                    names=(known.name if known else person,),
                )
                if after is not None:
                    self._tables.documents.put(after)
                    changed += 1
        return changed

    def _entries_stated_by(self, person: str, policy: DocumentPolicy) -> list[DocumentEntry]:
        """The statements of this conversation that have a place in a document of the person and still count."""
        zone, gone = load_zone(self._space.zone), self._statements.gone_ids
        mine = [record for record in self._stated if record.user == person and record.id not in gone]
        return [e for record in mine if policy.topics and (e := entry_of_statement(record, policy, zone=zone))]

    def _record(self, kind_name: str, text: str, *, at: datetime, user: str | None, sources: tuple[str, ...]) -> Record:
        kind = self._preset.kind(kind_name)
        # What sums up several messages has the least trust of them; all else that of the message that says it.
        heard = sources if kind_name == self._preset.distil.note_kind else sources[:1]
        trust = min((self._messages[s].trust for s in heard if s in self._messages), default=Trust.AGENT)
        return Record(
            id=new_id(kind.prefix, self._now),
            kind=kind.name,
            text=text,
            at=at.astimezone(UTC),
            created_at=self._now,
            space=self._space.name,
            user=user,
            session=self._conversation.session,
            channel=self._conversation.channel,
            visibility=kind.visibility_for("system"),
            role="system",
            author="",
            confidence=kind.confidence_for("conversation"),
            origin=self._origin,
            made_by=self._maker,
            trust=trust,
            expires_at=kind.expires_at(at, self._space.zone),
            sources=sources,
        )

    def _add(self, record: Record) -> None:
        add_record(self._tables, record, preset=self._preset)
        self.kept.append(record)


def _tells_as_much(fact: FactDraft, draft: StatementDraft) -> bool:
    """Whether a fact has all that a statement says: it is the same instruction, or holds every word with content."""
    if fact.type == "instruction":
        is_all = fact.start <= draft.start + _LEAD and fact.end >= draft.end - _LEAD
        return is_all and draft.claim.cues.isdisjoint(_CHANGES)
    told: Claim = read_claim(fact.text, draft.language)
    return draft.claim.content <= told.content and draft.claim.numbers <= told.numbers and draft.claim.days <= told.days
