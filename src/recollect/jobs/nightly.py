"""What one person's night is made of: conversations settled, new facts judged, patterns noted, documents renewed.

A writer is asked outside any transaction; all it made is kept in one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from recollect.capture.observe import end_conversation
from recollect.capture.remember import add
from recollect.distil.documents import empty, rewritten
from recollect.distil.drafts import EntryDraft, InsightDraft, Judgement
from recollect.distil.judgement import CERTAIN_ENOUGH
from recollect.distil.reconcile import NEWER, outranks, question
from recollect.distil.settle import gated
from recollect.distil.writer import Writer
from recollect.jobs.drafting import known_only, lines_of, material
from recollect.jobs.task import Task
from recollect.lang.vocabulary import content_words
from recollect.presets.policy import Preset
from recollect.records import Conversation, Document, Record, Space, new_id
from recollect.storage import lifecycle
from recollect.storage.store import Tables, View
from recollect.storage.tables.records import Stretch
from recollect.text.words import jaccard

if TYPE_CHECKING:
    from recollect.memory import Memory

LEFT_BEHIND = timedelta(hours=1)
_MOST_KNOWN = 500
_MOST_NEWS = 200
_MOST_RIVALS = 3
_NEAR = 0.3


@dataclass(frozen=True, slots=True)
class Found:
    """What a writer made of a person's day."""

    verdicts: tuple[tuple[Record, Record, Judgement], ...] = ()
    insights: tuple[InsightDraft, ...] = ()
    documents: Mapping[str, Sequence[EntryDraft]] = field(default_factory=dict)


class Night:
    """One run for one person."""

    def __init__(self, memory: Memory, task: Task, space: Space, preset: Preset, *, person: str) -> None:
        self._memory = memory
        self._task = task
        self._space = space
        self._preset = preset
        self._person = person
        self._documents: dict[str, Document] = {}

    def settle(self) -> int:
        """Settle what is over of the person's conversations; returns how many there were."""
        done = 0
        for conversation in self._memory.store.write(self._over):
            self._task.beat()
            last_try = self._task.is_last_try
            made = self._memory.sessions.settle_one(conversation, now=self._task.now, last_try=last_try)
            done += made is not None
        return done

    def _over(self, tables: Tables) -> list[Conversation]:
        self._task.hold(tables)
        now = self._task.now
        mine = tables.conversations.unsettled(self._space.name, user=self._person)
        over = [c for c in mine if c.state == "ended" or now - c.updated_at >= LEFT_BEHIND]
        for conversation in over:
            end_conversation(tables, conversation, by="left_behind", at=now)
        return over

    def known(self, tables: Tables) -> list[Record]:
        """What counts of what was learnt of the person, oldest first."""
        kinds = tuple(dict.fromkeys(self._preset.distil.kinds.values()))
        view = View(spaces=(self._space.name,), now=self._task.now, user=self._person, kinds=kinds)
        found = tables.records.find_derived(view, limit=_MOST_KNOWN) if kinds else []
        return sorted((r for r in found if r.user == self._person), key=lambda r: (r.at, r.id))

    def draft(self, writer: Writer, known: Sequence[Record], *, since: datetime | None) -> Found:
        """Everything that a writer is asked for, outside any transaction."""
        news = [record for record in known if since is None or record.created_at > since]
        verdicts = tuple(self._judged(writer, known, news))
        insights: Sequence[InsightDraft] = ()
        if self._preset.distil.insight_kind and news:
            self._task.beat()
            insights = writer.insights([material(r) for r in [*known[-_MOST_NEWS:], *self._former_values()]])
        return Found(verdicts, tuple(insights), self._rewritten(writer, known, verdicts))

    def _judged(
        self, writer: Writer, known: Sequence[Record], news: Sequence[Record]
    ) -> Iterable[tuple[Record, Record, Judgement]]:
        """New facts against the nearest of their subject, where the subject table leaves both standing."""
        for newer in news:
            row = self._preset.subjects.get((newer.subject or "").rpartition("/")[2])
            if newer.subject is None or (row is not None and row.rule != "set"):
                continue
            for older in _nearest(newer, known):
                self._task.beat()
                judged = writer.judge(material(older), material(newer))
                if judged.contradicts and judged.certainty >= CERTAIN_ENOUGH:
                    yield older, newer, judged

    def _former_values(self) -> list[Record]:
        """Earlier values of measures that keep their history."""
        measures = {name for name, row in self._preset.subjects.items() if row.rule == "series"}
        kinds = tuple(dict.fromkeys(self._preset.distil.kinds.values()))
        stretch = Stretch(spaces=(self._space.name,), user=self._person, kinds=kinds)
        if not measures:
            return []

        def read(tables: Tables) -> list[Record]:
            return list(tables.records.by_seq(tables.records.in_time(stretch, limit=_MOST_KNOWN)).values())

        former = self._memory.store.read(read)
        return [
            r
            for r in former
            if r.state == "superseded" and (r.subject or "").rpartition("/")[2] in measures and r.user == self._person
        ]

    def _rewritten(
        self, writer: Writer, known: Sequence[Record], verdicts: Sequence[tuple[Record, Record, Judgement]]
    ) -> dict[str, Sequence[EntryDraft]]:
        gone = {(_loser(older, newer, judged) or newer).id for older, newer, judged in verdicts}
        current = [record for record in known if record.id not in gone]
        news = [material(record) for record in current][-_MOST_NEWS:]
        found: dict[str, Sequence[EntryDraft]] = {}
        for name, policy in self._preset.documents.items():
            if policy.per != "person":
                continue
            self._task.beat()
            document = self._memory.store.read(partial(self._document, name=name))
            lines = _still_true(document, current)
            drafts = writer.user_memory(lines, news, sections=policy.sections)
            sources = {source for line in lines for source in line.sources} | {record.id for record in current}
            self._documents[name] = document
            found[name] = known_only(drafts, sources, self._preset)
        return found

    def _document(self, tables: Tables, name: str) -> Document:
        found = tables.documents.get(self._space.name, self._person, name)
        return found or empty(name, self._person, self._space.name, at=self._task.now)

    def keep(self, tables: Tables, found: Found, *, writer: Writer) -> dict[str, int]:
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
        loser = _loser(older, newer, judged)
        if loser is None:
            tables.documents.ask(question(older, newer, now=self._task.now))
            reason = "contradicts what is known"
            tables.records.set_state(
                newer, "proposed", action="doubted", at=self._task.now, reason=reason, other=older.id
            )
            return "asked"
        winner = newer if loser is older else older
        lifecycle.supersede(tables, loser, winner, at=newer.at, reason=NEWER)
        return "replaced"

    def _keep_insight(self, tables: Tables, draft: InsightDraft, *, by: str) -> bool:
        """Keep an insight, replacing one that fewer of the same records showed; never one that was rejected."""
        kind = self._preset.kind(self._preset.distil.insight_kind)
        text = gated(draft.text, self._preset, kind=kind.name)
        drawn = tables.records.get(draft.sources)
        if not text or not drawn or {r.user for r in drawn.values()} != {self._person}:
            return False
        earlier = [r for r in _drawn_from(tables, drawn) if r.kind == kind.name and drawn.keys() >= set(r.sources)]
        if any(r.text == text or r.state in ("forgotten", "flagged") for r in earlier):
            return False
        record = self._insight(draft, text, list(drawn.values()), by=by)
        add(tables, record, preset=self._preset)
        for one in drawn:
            tables.records.link(self._space.name, record.id, one, type="related_to", at=self._task.now)
        for other in earlier:
            if other.is_current:
                lifecycle.supersede(tables, other, record, at=self._task.now, reason="more shows it now")
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
        after = rewritten(before, drafts, policy=policy, now=self._task.now)
        if after is not None:
            tables.documents.put(after)
        return after is not None


def _drawn_from(tables: Tables, records: Iterable[str]) -> list[Record]:
    """What came from any of these records."""
    sources = set(records)
    links = [link for source in sources for link in tables.records.links(source) if link.target == source]
    return list(tables.records.get({link.source for link in links if link.type == "derived_from"}).values())


def _nearest(newer: Record, known: Sequence[Record]) -> list[Record]:
    """The few earlier records of the same subject that share most words with a new one."""
    words = content_words(newer.text)
    rivals = [
        r for r in known if r.subject == newer.subject and r.id != newer.id and (r.at, r.id) < (newer.at, newer.id)
    ]
    near = sorted(((jaccard(content_words(r.text), words), r.at, r.id, r) for r in rivals), key=lambda x: x[:3])
    return [record for share, *_, record in reversed(near) if share >= _NEAR][:_MOST_RIVALS]


def _loser(older: Record, newer: Record, judged: Judgement) -> Record | None:
    """The record that is superseded; None when the person is asked: a doubt, or against what they validated."""
    if judged.keep == "ask":
        return None
    wanted = older if judged.keep == "newer" else newer
    other = newer if wanted is older else older
    if wanted.validated and not other.validated:
        return None
    return wanted if judged.keep == "older" or outranks(newer, older) else None


def _still_true(document: Document, known: Sequence[Record]) -> list[EntryDraft]:
    """The lines of a document that something known still says, by their source or word for word."""
    ids, texts = {record.id for record in known}, {record.text for record in known}
    said = {source for record in known for source in record.sources}
    return [
        line
        for line in lines_of(document)
        if not ids.isdisjoint(line.sources) or (line.text in texts and not said.isdisjoint(line.sources))
    ]
