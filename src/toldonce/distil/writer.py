"""Who turns a finished conversation into drafts: the contract, and the writer that works by rules alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from toldonce.distil import profiles
from toldonce.distil.drafts import (
    ConversationMessage,
    DocumentLimits,
    EntryDraft,
    Extracted,
    ExtractionScope,
    FactDraft,
    InsightDraft,
    Judgement,
    Material,
    NameDraft,
    NoteDraft,
    ReportDraft,
    SubjectWords,
    TopicDraft,
)
from toldonce.distil.extract import extract_facts
from toldonce.distil.judgement import judge_contradiction
from toldonce.distil.notes import write_note
from toldonce.models.tagger import RegexTagger

if TYPE_CHECKING:
    from toldonce.distil.reading import ConversationReading
    from toldonce.distil.statements.reading import StatementDraft
    from toldonce.presets.policy import Preset
    from toldonce.storage.store import Tables


class Writer(Protocol):
    """Makes drafts of what was said, for one piece of work. It sees only what it is given and stores nothing.

    Raises ModelError when its model fails; a task's result is whole or an error.
    """

    @property
    def name(self) -> str:
        """Recorded with everything it made, so it is asked for after the work."""

    @property
    def reads_known(self) -> bool:
        """Whether it can tell what a conversation changes, and so wants to see what is known."""

    @property
    def raw(self) -> str:
        """What a model literally said in this piece of work, for the record of a run; "" when none was asked."""

    def stored(self, tables: Tables) -> None:
        """Called in the transaction that stores the drafts: cached answers are no longer needed."""

    def note(self, said: Sequence[ConversationMessage]) -> NoteDraft | None:
        """What the conversation was about; None when there is nothing to note."""

    def extract(self, said: Sequence[ConversationMessage], *, scope: ExtractionScope) -> Extracted:
        """Facts about the people who spoke and those they named, and the note if the scope asks for one."""

    def statements(self, said: Sequence[ConversationMessage]) -> list[StatementDraft]:
        """What was said in people's own words, each statement with its score; a model says it in its facts instead."""

    def profile(
        self,
        entries: Sequence[EntryDraft],
        news: Sequence[Material],
        *,
        sections: Mapping[str, Sequence[str]],
        limits: DocumentLimits,
    ) -> list[EntryDraft]:
        """Rewrite a person's document: add news, drop redundancy, resolve contradictions, cite sources of all lines."""

    def user_memory(
        self,
        entries: Sequence[EntryDraft],
        news: Sequence[Material],
        *,
        sections: Mapping[str, Sequence[str]],
        limits: DocumentLimits,
    ) -> list[EntryDraft]:
        """Rewrite the compact document that is always in the prompt, most important lines of a section first."""

    def topics(self, notes: Sequence[Material]) -> list[TopicDraft]:
        """What a day's notes were about: three to eight groups, or fewer when there is not enough."""

    def judge(self, pairs: Sequence[tuple[Material, Material]]) -> list[Judgement]:
        """For each pair of an older and a newer statement, whether the newer one contradicts the older one."""

    def insights(self, records: Sequence[Material], *, earlier: Sequence[Material] = ()) -> list[InsightDraft]:
        """Connections and patterns that several records show and neither they nor earlier insights say."""

    def reflect(self, records: Sequence[Material], *, since: datetime, until: datetime) -> ReportDraft | None:
        """What a stretch of time was about; None when it shows nothing."""

    def report(
        self, records: Sequence[Material], *, about: str, since: datetime, until: datetime, language: str = ""
    ) -> ReportDraft:
        """A report for people: `about` says what for, as "appointment", "week" or "month".

        `language` is the code of the language to write in; without one it is that of the records.
        """

    def names(self, texts: Sequence[str]) -> list[list[NameDraft]]:
        """For each text the named things in it, with their places."""


class RulesWriter:
    """The writer with no model: deterministic, English and Portuguese, rather silent than wrong."""

    name = "rules"
    raw = ""
    reads_known = False

    @cached_property
    def _reading(self) -> ConversationReading:
        """What was read of the current conversation, so that its note and its facts read each message once."""
        from toldonce.distil.reading import ConversationReading

        return ConversationReading()

    def stored(self, tables: Tables) -> None:
        """The conversation is settled, so what was read of it is dropped."""
        self._reading.clear()

    def note(self, said: Sequence[ConversationMessage]) -> NoteDraft | None:
        return write_note(said, reading=self._reading)

    def extract(self, said: Sequence[ConversationMessage], *, scope: ExtractionScope) -> Extracted:
        pages = (said[start : start + scope.page] for start in range(0, len(said), scope.page))
        facts = tuple(fact for page in pages for fact in self.facts(page, subjects=scope.subjects))
        return Extracted(facts, self.note(said) if scope.has_note else None)

    def facts(self, said: Sequence[ConversationMessage], *, subjects: Mapping[str, SubjectWords]) -> list[FactDraft]:
        """Facts about the people who spoke in one page of a conversation."""
        return extract_facts(said, subjects=subjects, reading=self._reading)

    def statements(self, said: Sequence[ConversationMessage]) -> list[StatementDraft]:
        from toldonce.distil.statements.reading import find_statements

        return find_statements(said, reading=self._reading)

    def profile(
        self,
        entries: Sequence[EntryDraft],
        news: Sequence[Material],
        *,
        sections: Mapping[str, Sequence[str]],
        limits: DocumentLimits,
    ) -> list[EntryDraft]:
        return profiles.write_profile(entries, news, sections=sections)

    def user_memory(
        self,
        entries: Sequence[EntryDraft],
        news: Sequence[Material],
        *,
        sections: Mapping[str, Sequence[str]],
        limits: DocumentLimits,
    ) -> list[EntryDraft]:
        return profiles.user_memory(entries, news, sections=sections)

    def topics(self, notes: Sequence[Material]) -> list[TopicDraft]:
        from toldonce.distil.topics import group_topics

        return group_topics(notes)

    def judge(self, pairs: Sequence[tuple[Material, Material]]) -> list[Judgement]:
        return [judge_contradiction(older, newer) for older, newer in pairs]

    def insights(self, records: Sequence[Material], *, earlier: Sequence[Material] = ()) -> list[InsightDraft]:
        from toldonce.distil.insights import find_insights

        return find_insights(records)

    def reflect(self, records: Sequence[Material], *, since: datetime, until: datetime) -> ReportDraft | None:
        from toldonce.distil.reflection import write_reflection

        return write_reflection(records, since=since, until=until)

    def report(
        self, records: Sequence[Material], *, about: str, since: datetime, until: datetime, language: str = ""
    ) -> ReportDraft:
        from toldonce.distil.reports import draft_report

        return draft_report(records, about=about, since=since, until=until, language=language)

    def names(self, texts: Sequence[str]) -> list[list[NameDraft]]:
        found = (RegexTagger().tag(text) for text in texts)
        return [[NameDraft(m.text, m.type, m.start, m.end, m.confidence) for m in one] for one in found]


def build_scope(preset: Preset) -> ExtractionScope:
    """What can be filed in a preset: its subjects, its areas of life, and the attributes that place a document's lines.

    Attributes that only place a fact in an area are left out: a writer that is given areas names them.
    """
    subjects = {n: SubjectWords(n, s.rule, s.words) for n, s in preset.subjects.items() if s.rule}
    areas = [(name, sub_area) for name, area in preset.areas.items() for sub_area in area.sub_areas]
    placed = {a for policy in preset.documents.values() for takes in policy.sections.values() for a in takes}
    by_area = (a for area in preset.areas.values() for attributes in area.sub_areas.values() for a in attributes)
    filed = (attribute for attribute in by_area if attribute in placed)
    attributes = tuple(dict.fromkeys([*preset.subjects, *filed]))
    return ExtractionScope(subjects=subjects, attributes=attributes, areas=tuple(areas), page=preset.conversation.page)
