"""A finished conversation becomes knowledge: drafts are made outside any transaction, then kept in one.

A conversation is settled once: whoever comes second finds it settled and changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from recollect.capture.observe import SETTLE
from recollect.capture.remember import add
from recollect.distil.documents import empty, updated
from recollect.distil.drafts import FactDraft, NoteDraft, Said, SubjectWords
from recollect.distil.reconcile import Alike, carry_out, reconcile
from recollect.distil.writer import Writer
from recollect.keep.store import Store, Tables
from recollect.presets.policy import Preset
from recollect.records import Conversation, Person, Record, Space, Trust, new_id


@dataclass(frozen=True, slots=True)
class Drafts:
    """What a writer made of a conversation."""

    note: NoteDraft | None
    facts: tuple[FactDraft, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """What a conversation became: new records by outcome, and how many documents changed."""

    conversation: str
    kept: tuple[Record, ...] = ()
    outcomes: tuple[str, ...] = ()
    documents: int = 0


def settle(
    store: Store, conversation: Conversation, *, preset: Preset, space: Space, writer: Writer, alike: Alike,
    now: datetime,
) -> Settled | None:  # fmt: skip
    """Turn a conversation into knowledge; None when it was settled before."""
    messages, people = store.read(lambda t: _said(t, conversation))
    drafts = _draft(messages, people, preset=preset, writer=writer)
    by_id = {m.id: m for m in messages}
    return store.write(
        lambda t: _keep(
            t, conversation, drafts, messages=by_id, preset=preset, space=space, maker=writer.name, alike=alike, now=now
        )
    )


def _said(tables: Tables, conversation: Conversation) -> tuple[list[Record], dict[str, Person]]:
    messages: list[Record] = []
    after = 0
    while page := tables.conversations.messages(conversation.id, after=after):
        messages += [record for _, record in page]
        after = page[-1][0]
    return messages, {p.id: p for p in tables.people.all(conversation.space)}


def _draft(messages: Sequence[Record], people: dict[str, Person], *, preset: Preset, writer: Writer) -> Drafts:
    said = [_as_said(m, people) for m in messages]
    steps, page = preset.distil.steps, preset.conversation.page
    note = writer.note(said) if "note" in steps and said else None
    facts: list[FactDraft] = []
    if "facts" in steps or "documents" in steps:
        subjects = {n: SubjectWords(n, s.rule, s.words) for n, s in preset.subjects.items()}
        for start in range(0, len(said), page):
            facts += writer.facts(said[start : start + page], subjects=subjects)
    return Drafts(note, tuple(facts))


def _as_said(message: Record, people: dict[str, Person]) -> Said:
    person = people.get(message.user or "")
    name = person.name if person and message.role == "user" else message.author
    return Said(message.id, message.text, message.user or message.author, message.role, message.at, name)


def _keep(
    tables: Tables, conversation: Conversation, drafts: Drafts, *, messages: dict[str, Record], preset: Preset,
    space: Space, maker: str, alike: Alike, now: datetime,
) -> Settled | None:  # fmt: skip
    if not tables.conversations.settle(conversation.id, at=now):
        return None
    tables.jobs.drop(conversation.space, f"{SETTLE}:{conversation.id}")
    keeper = _Keeper(tables, conversation, messages, preset=preset, space=space, maker=maker, alike=alike, now=now)
    note = keeper.note(drafts.note) if drafts.note else None
    if "facts" in preset.distil.steps:
        for draft in drafts.facts:
            keeper.fact(draft)
    changed = keeper.documents(drafts.facts, note) if "documents" in preset.distil.steps else 0
    return Settled(conversation.id, tuple(keeper.kept), tuple(keeper.outcomes), changed)


class _Keeper:
    """Puts the drafts of one conversation into the store, inside one transaction."""

    def __init__(
        self, tables: Tables, conversation: Conversation, messages: dict[str, Record], *, preset: Preset, space: Space,
        maker: str, alike: Alike, now: datetime,
    ) -> None:  # fmt: skip
        self._tables = tables
        self._conversation = conversation
        self._messages = messages
        self._preset = preset
        self._space = space
        self._maker = maker
        self._alike = alike
        self._now = now
        self.kept: list[Record] = []
        self.outcomes: list[str] = []

    def note(self, draft: NoteDraft) -> Record:
        record = self._record(
            self._preset.distil.note_kind,
            draft.summary,
            at=draft.at,
            user=self._conversation.user,
            sources=draft.sources,
        )
        shared = len(draft.participants) > 1
        noted = replace(
            record, title=draft.title, user=None if shared else record.user,
            metadata={"participants": list(draft.participants)},
        )  # fmt: skip
        self._add(noted)
        self.outcomes.append("added")
        return noted

    def fact(self, draft: FactDraft) -> None:
        kind = self._preset.distil.kinds.get(draft.type)
        if kind is None:
            return
        owner = self._messages[draft.source].user
        record = self._record(kind, draft.text, at=draft.at, user=owner, sources=(draft.source,))
        metadata = (
            {"value": draft.value, "span": [draft.start, draft.end]}
            if draft.value
            else {"span": [draft.start, draft.end]}
        )
        confidence = min(draft.confidence, record.confidence)
        record = replace(record, subject=draft.subject, confidence=confidence, metadata=metadata)
        met = reconcile(self._tables, record, preset=self._preset, now=self._now, alike=self._alike)
        if met is None:
            self._add(record)
        elif met.outcome == "duplicate":
            self._tables.records.link(record.space, met.record.id, draft.source, type="derived_from", at=self._now)
        else:
            self._add(met.record)
            carry_out(self._tables, met, preset=self._preset, now=self._now)
        self.outcomes.append(met.outcome if met else "added")

    def documents(self, drafts: Sequence[FactDraft], note: Record | None) -> int:
        """Put the drafts into the documents of the people they are about; returns how many changed."""
        replaces = {n for n, s in self._preset.subjects.items() if s.rule != "set"}
        changed = 0
        for name, policy in self._preset.documents.items():
            for person in dict.fromkeys(d.person for d in drafts if policy.per == "person"):
                current = self._tables.documents.get(self._space.name, person, name)
                document = current or empty(name, person, self._space.name, at=self._now)
                mine = [d for d in drafts if d.person == person]
                cited = (note.id,) if note else ()
                after = updated(document, mine, policy=policy, sources=cited, replaces=replaces, now=self._now)
                if after is not None:
                    self._tables.documents.put(after)
                    changed += 1
        return changed

    def _record(self, kind_name: str, text: str, *, at: datetime, user: str | None, sources: tuple[str, ...]) -> Record:
        kind = self._preset.kind(kind_name)
        trust = min((self._messages[s].trust for s in sources if s in self._messages), default=Trust.AGENT)
        return Record(
            id=new_id(kind.prefix, self._now), kind=kind.name, text=text, at=at, created_at=self._now,
            space=self._space.name, user=user, session=self._conversation.session, channel=self._conversation.channel,
            visibility=kind.visibility_for("system"), role="system", author="",
            confidence=kind.confidence_for("conversation"), origin="conversation", made_by=self._maker, trust=trust,
            expires_at=kind.expires_at(at, self._space.zone), sources=sources,
        )  # fmt: skip

    def _add(self, record: Record) -> None:
        add(self._tables, record, preset=self._preset)
        self.kept.append(record)
