"""What one person's night is made of: conversations settled, new facts judged, patterns noted, documents renewed.

A writer is asked outside any transaction; all it made is kept in one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from toldonce.capture.observe import end_conversation
from toldonce.capture.remember import add_record
from toldonce.clock import load_zone
from toldonce.distil.documents import entry_of_statement, is_ranked, new_document, rewrite_document
from toldonce.distil.drafts import EntryDraft, InsightDraft, Judgement, Material
from toldonce.distil.judgement import CERTAIN_ENOUGH
from toldonce.distil.judging import MOST_RIVALS, NEAR_BY_VECTOR, NEAR_OF_SUBJECT
from toldonce.distil.reconcile import NEWER, ask_about_conflict, outranks_older
from toldonce.distil.settle import admit_written_text
from toldonce.distil.writer import RulesWriter, Writer
from toldonce.jobs.drafting import (
    document_limits,
    document_lines,
    keep_sourced_lines,
    material_for_writer,
    materials_with_vectors,
    name_of_person,
)
from toldonce.jobs.task import LeasedJob
from toldonce.lang.vocabulary import content_words
from toldonce.presets.policy import DocumentPolicy, Preset
from toldonce.records import Conversation, Document, DocumentEntry, Record, Space, attribute_of, new_id
from toldonce.storage import lifecycle
from toldonce.storage.store import Tables, View
from toldonce.storage.tables.records import RecordFilter
from toldonce.text.words import jaccard_similarity

if TYPE_CHECKING:
    from toldonce.memory import Memory

LEFT_BEHIND = timedelta(hours=1)
_MOST_KNOWN = 500
_MOST_NEWS = 200
# How alike in words statements of one subject must be to be judged, where there are no vectors.
_NEAR_BY_WORDS = 0.3
# What a request to a model shows of what is known, and of earlier insights.
_MOST_SHOWN = 60
_MOST_INSIGHTS = 10


@dataclass(frozen=True, slots=True)
class PersonDrafts:
    """What a writer made of a person's day."""

    verdicts: tuple[tuple[Record, Record, Judgement], ...] = ()
    insights: tuple[InsightDraft, ...] = ()
    documents: Mapping[str, Sequence[EntryDraft]] = field(default_factory=dict)


class NightRun:
    """One run for one person."""

    def __init__(self, memory: Memory, task: LeasedJob, space: Space, preset: Preset, *, person: str) -> None:
        self._memory = memory
        self._task = task
        self._space = space
        self._preset = preset
        self._person = person
        self._documents: dict[str, Document] = {}

    def settle(self) -> int:
        """Settle what is over of the person's conversations; returns how many there were."""
        done = 0
        for conversation in self._memory.store.write(self._find_overturned):
            self._task.check_lease()
            last_try = self._task.is_last_try
            made = self._memory.sessions.settle_one(conversation, now=self._task.now, last_try=last_try)
            done += made is not None
        return done

    def _find_overturned(self, tables: Tables) -> list[Conversation]:
        self._task.check_lease_in_transaction(tables)
        now = self._task.now
        mine = tables.conversations.find_unsettled(self._space.name, user=self._person)
        over = [c for c in mine if c.state == "ended" or now - c.updated_at >= LEFT_BEHIND]
        for conversation in over:
            end_conversation(tables, conversation, by="left_behind", at=now)
        return over

    def known_records(self, tables: Tables) -> list[Record]:
        """What counts of what was learnt of the person, oldest first."""
        found = self._find_learnt(tables, self._preset.distil.kinds.values())
        return sorted((r for r in found if "words" not in r.metadata), key=lambda r: (r.at, r.id))

    def _find_learnt(self, tables: Tables, kinds: Iterable[str]) -> list[Record]:
        """The person's records of these kinds that count, newest first."""
        wanted = tuple(dict.fromkeys(kinds))
        view = View(spaces=(self._space.name,), now=self._task.now, user=self._person, kinds=wanted)
        found = tables.records.find_derived(view, limit=_MOST_KNOWN) if wanted else []
        return [record for record in found if record.user == self._person]

    def draft_all(self, writer: Writer, known: Sequence[Record], *, since: datetime | None) -> PersonDrafts:
        """Everything that a writer is asked for, outside any transaction."""
        news = [record for record in known if since is None or record.created_at > since]
        verdicts = tuple(self._judge_facts(writer, known, news))
        insights: Sequence[InsightDraft] = ()
        if self._preset.distil.insight_kind and news:
            self._task.check_lease()
            most = _MOST_SHOWN if writer.reads_known else _MOST_NEWS
            shown = [*known[-most:], *self._former_values()[-most:]]
            earlier = self._memory.store.read(self._earlier_insights)
            insights = writer.insights([self._material(r) for r in shown], earlier=earlier)
        documents = self._rewrite_documents(writer, known, verdicts, since=since)
        return PersonDrafts(verdicts, tuple(insights), documents)

    def _material(self, record: Record) -> Material:
        return material_for_writer(record, zone=load_zone(self._space.zone))

    def _earlier_insights(self, tables: Tables) -> list[Material]:
        found = self._find_learnt(tables, (self._preset.distil.insight_kind,))
        return [self._material(record) for record in found[:_MOST_INSIGHTS]]

    def _judge_facts(
        self, writer: Writer, known: Sequence[Record], news: Sequence[Record]
    ) -> list[tuple[Record, Record, Judgement]]:
        """New facts against the nearest ones, where the subject table leaves both standing; all in one request."""
        if not news:
            return []
        zone, embedder = load_zone(self._space.zone), self._memory.embedder
        read = partial(materials_with_vectors, records=known, embedder=embedder, zone=zone)
        materials = {one.id: one for one in self._memory.store.read(read)}
        together = self._memory.store.read(partial(self._find_read_together, known=known)) if writer.reads_known else {}
        pairs = [
            (older, newer)
            for newer in news
            if not self._is_settled_by_table(newer)
            for older in _most_similar_records(newer, known, materials, together)
        ]
        self._task.check_lease()
        judged = writer.judge([(materials[older.id], materials[newer.id]) for older, newer in pairs])
        return [
            (older, newer, one)
            for (older, newer), one in zip(pairs, judged, strict=True)
            if one.contradicts and one.certainty >= CERTAIN_ENOUGH
        ]

    def _find_read_together(self, tables: Tables, known: Sequence[Record]) -> dict[str, str]:
        """By record the conversation that it came from, if a model read that whole in one request.

        Two facts of one answer need no judgement: the model that wrote them saw both.
        """
        learnt = [record for record in known if record.made_by != RulesWriter.name]
        messages = tables.records.get({source for record in learnt for source in record.sources})
        ids = {message.conversation for message in messages.values() if message.conversation}
        found = (tables.conversations.get(id_) for id_ in ids)
        short = {one.id for one in found if one is not None and one.messages <= self._preset.conversation.page}
        return {
            record.id: conversation
            for record in learnt
            for source in record.sources
            if source in messages and (conversation := messages[source].conversation) in short
        }

    def _is_settled_by_table(self, record: Record) -> bool:
        """Whether the subject table already says what another value does to this one."""
        row = self._preset.subjects.get(attribute_of(record.subject))
        return row is not None and row.rule not in (None, "set")

    def _former_values(self) -> list[Record]:
        """Earlier values of measures that keep their history."""
        measures = {name for name, row in self._preset.subjects.items() if row.rule == "series"}
        kinds = tuple(dict.fromkeys(self._preset.distil.kinds.values()))
        stretch = RecordFilter(spaces=(self._space.name,), user=self._person, kinds=kinds)
        if not measures:
            return []

        def read(tables: Tables) -> list[Record]:
            return list(tables.records.by_seq(tables.records.in_time(stretch, limit=_MOST_KNOWN)).values())

        former = self._memory.store.read(read)
        return [
            r
            for r in former
            if r.state == "superseded" and attribute_of(r.subject) in measures and r.user == self._person
        ]

    def _rewrite_documents(
        self,
        writer: Writer,
        known: Sequence[Record],
        verdicts: Sequence[tuple[Record, Record, Judgement]],
        *,
        since: datetime | None,
    ) -> dict[str, Sequence[EntryDraft]]:
        gone = {(_choose_loser(older, newer, judged) or newer).id for older, newer, judged in verdicts}
        current = [record for record in known if record.id not in gone]
        validated = {record.id for record in current if record.validated}
        zone = load_zone(self._space.zone)
        person = self._memory.store.read(lambda t: name_of_person(t, self._space.name, self._person))
        found: dict[str, Sequence[EntryDraft]] = {}
        for name, policy in self._preset.documents.items():
            if policy.per != "person":
                continue
            self._task.check_lease()
            document = self._memory.store.read(partial(self._document, name=name))
            lines = _keep_true_lines(document_lines(document, zone=zone, validated=validated), current)
            shown = self._find_news(current, lines, since=since) if writer.reads_known else current[-_MOST_NEWS:]
            if writer.reads_known and not shown and len(lines) == len(document.entries) and is_ranked(document):
                continue
            news = [self._material(record) for record in shown]
            limits = document_limits(policy, person)
            drafts = writer.user_memory(lines, news, sections=policy.sections, limits=limits)
            sources = {source for line in lines for source in line.sources} | {record.id for record in current}
            self._documents[name] = document
            found[name] = keep_sourced_lines(drafts, sources, self._preset)
        return found

    def _find_news(
        self, current: Sequence[Record], lines: Sequence[EntryDraft], *, since: datetime | None
    ) -> list[Record]:
        """What a document does not say yet: what is new, and what must never be missing."""
        cited = {source for line in lines for source in line.sources}
        texts = {line.text for line in lines}
        left = [r for r in current if r.id not in cited and not (r.text in texts and cited.intersection(r.sources))]
        wanted = [r for r in left if since is None or r.created_at > since or self._is_protected(r)]
        return wanted[-_MOST_SHOWN:]

    def _is_protected(self, record: Record) -> bool:
        row = self._preset.subjects.get(attribute_of(record.subject))
        return record.validated or self._preset.kind(record.kind).protected or (row is not None and row.protected)

    def _document(self, tables: Tables, name: str) -> Document:
        found = tables.documents.get(self._space.name, self._person, name)
        return found or new_document(name, self._person, self._space.name, at=self._task.now)

    def store_drafts(self, tables: Tables, found: PersonDrafts, *, writer: Writer) -> dict[str, int]:
        """Keep all that was found; returns counts by name."""
        replaced = asked = 0
        for older, newer, judged in found.verdicts:
            outcome = self._settle(tables, older, newer, judged)
            replaced, asked = replaced + (outcome == "replaced"), asked + (outcome == "asked")
        noted = sum(self._keep_insight(tables, draft, by=writer.name) for draft in found.insights)
        documents = sum(self._keep_document(tables, name, drafts) for name, drafts in found.documents.items())
        writer.stored(tables)
        return {"replaced": replaced, "asked": asked, "insights": noted, "documents": documents}

    def _settle(self, tables: Tables, older: Record, newer: Record, judged: Judgement) -> str:
        """Supersede one of two records, or ask; what changed meanwhile is left alone."""
        now = tables.records.get([older.id, newer.id])
        if any(now.get(r.id) is None or not now[r.id].is_current for r in (older, newer)):
            return ""
        if not lifecycle.may_judge(tables, newer, older):
            return ""
        loser = _choose_loser(older, newer, judged)
        if loser is None:
            tables.conversations.ask(ask_about_conflict(older, newer, now=self._task.now))
            reason = "contradicts what is known"
            tables.records.set_state(
                newer, "proposed", action="doubted", at=self._task.now, reason=reason, other=older.id
            )
            return "asked"
        winner = newer if loser is older else older
        lifecycle.supersede_record(tables, loser, winner, at=newer.at, reason=NEWER)
        return "replaced"

    def _keep_insight(self, tables: Tables, draft: InsightDraft, *, by: str) -> bool:
        """Keep an insight, replacing one that fewer of the same records showed; never one that was rejected."""
        kind = self._preset.kind(self._preset.distil.insight_kind)
        text = admit_written_text(draft.text, self._preset, kind=kind.name)
        drawn = tables.records.get(draft.sources)
        if not text or not drawn or {r.user for r in drawn.values()} != {self._person}:
            return False
        earlier = [r for r in _find_drawn_from(tables, drawn) if r.kind == kind.name and drawn.keys() >= set(r.sources)]
        if any(r.text == text or r.state in ("forgotten", "flagged") for r in earlier):
            return False
        record = self._insight(draft, text, list(drawn.values()), by=by)
        add_record(tables, record, preset=self._preset)
        for one in drawn:
            tables.records.link(self._space.name, record.id, one, type="related_to", at=self._task.now)
        for other in earlier:
            if other.is_current:
                lifecycle.supersede_record(tables, other, record, at=self._task.now, reason="more shows it now")
        return True

    def _insight(self, draft: InsightDraft, text: str, drawn: Sequence[Record], *, by: str) -> Record:
        kind, now = self._preset.kind(self._preset.distil.insight_kind), self._task.now
        return Record(
            id=new_id(kind.prefix, now),
            kind=kind.name,
            text=text,
            at=now,
            created_at=now,
            space=self._space.name,
            user=self._person,
            role="system",
            made_by=by,
            visibility=kind.visibility_for("system"),
            origin="ai_inference",
            confidence=min(draft.confidence, kind.confidence_for("ai_inference")),
            trust=min(record.trust for record in drawn),
            sources=tuple(record.id for record in drawn),
            metadata={"evidence": draft.evidence},
        )

    def _keep_document(self, tables: Tables, name: str, drafts: Sequence[EntryDraft]) -> bool:
        before, policy = self._documents[name], self._preset.documents[name]
        if self._document(tables, name).version != before.version:
            return False
        after = rewrite_document(
            before, drafts, policy=policy, now=self._task.now, stated=self._find_stated_entries(tables, policy)
        )
        if after is not None:
            tables.documents.put(after)
        return after is not None

    def _find_stated_entries(self, tables: Tables, policy: DocumentPolicy) -> list[DocumentEntry]:
        """The lines that the person's statements make of a document, newest first."""
        if not policy.topics:
            return []
        said = self._find_learnt(tables, self._preset.distil.statements.values())
        zone = load_zone(self._space.zone)
        entries = (entry_of_statement(record, policy, zone=zone) for record in said if "words" in record.metadata)
        return [entry for entry in entries if entry is not None]


def _find_drawn_from(tables: Tables, records: Iterable[str]) -> list[Record]:
    """What came from any of these records."""
    sources = set(records)
    links = [link for source in sources for link in tables.records.read_links(source) if link.target == source]
    return list(tables.records.get({link.source for link in links if link.type == "derived_from"}).values())


def _most_similar_records(
    newer: Record, known: Sequence[Record], materials: Mapping[str, Material], together: Mapping[str, str]
) -> list[Record]:
    """The few earlier records that a new one is nearest to, of its subject or near by their vectors.

    What was said in the same message was meant together; `together` has the conversations that were read as a whole.
    """
    rivals = [
        r
        for r in known
        if (r.at, r.id) < (newer.at, newer.id)
        and set(r.sources).isdisjoint(newer.sources)
        and not (r.id in together and together[r.id] == together.get(newer.id))
    ]
    near = sorted(
        ((_nearness(materials[r.id], materials[newer.id]), r.at, r.id, r) for r in rivals), key=lambda x: x[:3]
    )
    return [record for share, *_, record in reversed(near) if share >= 1][:MOST_RIVALS]


def _nearness(older: Material, newer: Material) -> float:
    """How near two statements are; from 1 on they are worth judging."""
    is_same = older.subject is not None and older.subject == newer.subject
    if older.vector and newer.vector:
        product = sum(a * b for a, b in zip(older.vector, newer.vector, strict=True))
        size = math.sqrt(sum(a * a for a in older.vector) * sum(b * b for b in newer.vector))
        return product / max(size, 1e-9) / (NEAR_OF_SUBJECT if is_same else NEAR_BY_VECTOR)
    shared = jaccard_similarity(content_words(older.text), content_words(newer.text))
    return shared / _NEAR_BY_WORDS if is_same else 0.0


def _choose_loser(older: Record, newer: Record, judged: Judgement) -> Record | None:
    """The record that is superseded; None when the person is asked: a doubt, or against what they validated."""
    if judged.keep == "ask":
        return None
    wanted = older if judged.keep == "newer" else newer
    other = newer if wanted is older else older
    if wanted.validated and not other.validated:
        return None
    return wanted if judged.keep == "older" or outranks_older(newer, older) else None


def _keep_true_lines(lines: Sequence[EntryDraft], known: Sequence[Record]) -> list[EntryDraft]:
    """The lines of a document that something known still says, by their source or word for word."""
    ids, texts = {record.id for record in known}, {record.text for record in known}
    said = {source for record in known for source in record.sources}
    return [
        line
        for line in lines
        if not ids.isdisjoint(line.sources) or (line.text in texts and not said.isdisjoint(line.sources))
    ]
