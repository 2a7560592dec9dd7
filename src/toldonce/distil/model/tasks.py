"""The writer's tasks about records as a model sees them: records become plain lines, answers become drafts.

Pure. What a conversation becomes is in `conversation.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from toldonce.distil.drafts import (
    DocumentLimits,
    EntryDraft,
    InsightDraft,
    Judgement,
    Material,
    NameDraft,
    ReportDraft,
    TopicDraft,
)
from toldonce.distil.model.answers import Answer, Flag, Items, Line, Number, Page, Prose, Quote, Ref, Refs, Title
from toldonce.distil.model.lines import (
    CheckedResult,
    ModelTask,
    ShortNames,
    clamp_probability,
    describe_material,
    find_word_spans,
    format_moment,
    indent_breaks,
    render_materials,
    render_section,
    share_text_budget,
)

SUREST_INSIGHT = 0.7


class EntryItem(Answer):
    section: Ref
    text: Line
    sources: Refs


class DocumentAnswer(Answer):
    entries: Items[EntryItem]


class TopicItem(Answer):
    title: Title
    summary: Prose
    sources: Refs


class TopicsAnswer(Answer):
    topics: Items[TopicItem]


class JudgementItem(Answer):
    pair: Ref
    contradicts: Flag
    certainty: Number
    keep: Literal["newer", "older", "ask"]


class JudgementsAnswer(Answer):
    judgements: Items[JudgementItem]


class InsightItem(Answer):
    text: Line
    evidence: Prose
    confidence: Number
    sources: Refs


class InsightsAnswer(Answer):
    insights: Items[InsightItem]


class ReportAnswer(Answer):
    title: Title | None
    text: Page | None
    sources: Refs


class NameItem(Answer):
    name: Quote
    type: Literal["person", "location", "organization", "project", "product", "event", "other"]


class NamesAnswer(Answer):
    names: Items[NameItem]


def document_task(
    task: Literal["profile", "user_memory"],
    entries: Sequence[EntryDraft],
    news: Sequence[Material],
    sections: Mapping[str, Sequence[str]],
    limits: DocumentLimits,
) -> ModelTask[list[EntryDraft]]:
    """Rewrite a person's document. An existing line is cited by its own name and keeps its sources."""
    names = ShortNames()
    data = [
        render_section("person", [limits.person] if limits.person else []),
        render_section("limits", _describe_limits(limits)),
        render_section("sections", [_describe_section(name, takes, limits) for name, takes in sections.items()]),
        render_section("entries", _render_entries(entries, names)),
        render_section("news", render_materials(news, names)),
    ]

    def make(answer: DocumentAnswer) -> CheckedResult[list[EntryDraft]]:
        drafts: list[EntryDraft] = []
        problems: list[str] = []
        for number, item in enumerate(answer.entries):
            cited = names.ids_of(item.sources, f"entries[{number}].sources")
            problems += cited.problems
            if item.section not in sections:
                problems.append(f"entries[{number}].section must be one of {', '.join(sections)}")
            drafts.append(EntryDraft(item.section, item.text, cited.result))
        if entries and not drafts:
            problems.append("entries is empty: a document keeps what still holds")
        return CheckedResult(drafts, tuple(problems))

    return ModelTask(task=task, data="\n\n".join(filter(None, data)), answer=DocumentAnswer, make=make)


def _describe_limits(limits: DocumentLimits) -> list[str]:
    usual = _usual_lines(limits)
    told = [f"{limits.tokens} tokens in all"] if limits.tokens else []
    return [*told, *([f"{usual} lines in a section, unless it says otherwise"] if usual else [])]


def _usual_lines(limits: DocumentLimits) -> int:
    """How many lines fit into most sections."""
    return Counter(limits.lines.values()).most_common(1)[0][0] if limits.lines else 0


def _describe_section(name: str, takes: Sequence[str], limits: DocumentLimits) -> str:
    most = limits.lines.get(name, 0)
    own = f" ({most} lines)" if most not in (0, _usual_lines(limits)) else ""
    return f"{name}{own}" if list(takes) == [name] else f"{name}{own}: {', '.join(takes)}"


def _render_entries(entries: Sequence[EntryDraft], names: ShortNames) -> list[str]:
    rows = []
    for entry, text in zip(entries, share_text_budget([entry.text for entry in entries]), strict=True):
        marks = [f"{entry.at:%Y-%m-%d}" if entry.at else "", "confirmed" if entry.validated else ""]
        told = "; ".join([entry.section, *filter(None, marks)])
        rows.append(indent_breaks(f"{names.assign_name('e', entry.sources)} [{told}] {text}"))
    return rows


def topics_task(notes: Sequence[Material]) -> ModelTask[list[TopicDraft]]:
    """What a day's notes have in common."""
    names = ShortNames()
    data = render_section("notes", render_materials(notes, names))

    def make(answer: TopicsAnswer) -> CheckedResult[list[TopicDraft]]:
        cited = [names.ids_of(item.sources, f"topics[{n}].sources") for n, item in enumerate(answer.topics)]
        problems = [problem for one in cited for problem in one.problems]
        if not 1 <= len(answer.topics) <= 8:
            problems.append("topics must be one to eight")
        drafts = [
            TopicDraft(item.title, item.summary, one.result) for item, one in zip(answer.topics, cited, strict=True)
        ]
        return CheckedResult(drafts, tuple(problems))

    return ModelTask(task="topics", data=data, answer=TopicsAnswer, make=make)


def judgement_task(pairs: Sequence[tuple[Material, Material]]) -> ModelTask[list[Judgement]]:
    """For each pair of an older and a newer statement, whether they exclude each other.

    A pair about which the answer says nothing does not contradict itself.
    """
    rows = []
    texts = iter(share_text_budget([record.text for pair in pairs for record in pair]))
    for number, pair in enumerate(pairs, 1):
        older, newer = (
            indent_breaks(describe_material(record, next(texts), moment=format_moment(record.at))) for record in pair
        )
        rows.append(f"c{number} older: {older}\n    newer: {newer}")

    def make(answer: JudgementsAnswer) -> CheckedResult[list[Judgement]]:
        found: dict[str, Judgement] = {}
        problems = []
        for number, item in enumerate(answer.judgements):
            if not any(item.pair == f"c{place}" for place in range(1, len(pairs) + 1)):
                problems.append(f"judgements[{number}].pair names nothing of the input")
            found[item.pair] = Judgement(item.contradicts, clamp_probability(item.certainty), item.keep)
        none = Judgement(False, 0.0)
        return CheckedResult([found.get(f"c{n}", none) for n in range(1, len(pairs) + 1)], tuple(problems))

    data = render_section("pairs", rows)
    return ModelTask(task="judge", data=data, answer=JudgementsAnswer, make=make, items="judgements")


def insights_task(records: Sequence[Material], earlier: Sequence[Material]) -> ModelTask[list[InsightDraft]]:
    """What several records show together, and no earlier insight says."""
    names = ShortNames()
    told = [indent_breaks(f"- {one.at:%Y-%m-%d}: {one.text}") for one in earlier]
    sections = [
        render_section("records", render_materials(records, names)),
        render_section("earlier insights", told),
    ]

    def make(answer: InsightsAnswer) -> CheckedResult[list[InsightDraft]]:
        drafts: list[InsightDraft] = []
        problems: list[str] = []
        for number, item in enumerate(answer.insights):
            cited = names.ids_of(item.sources, f"insights[{number}].sources", least=2)
            problems += cited.problems
            if not cited.problems:
                sure = min(clamp_probability(item.confidence), SUREST_INSIGHT)
                drafts.append(InsightDraft(item.text, item.evidence, cited.result, sure))
        return CheckedResult(drafts, tuple(problems))

    data = "\n\n".join(filter(None, sections))
    return ModelTask(task="insights", data=data, answer=InsightsAnswer, make=make, items="insights")


def reflection_task(records: Sequence[Material], *, since: datetime, until: datetime) -> ModelTask[ReportDraft | None]:
    """What a stretch of time was about."""
    names = ShortNames()
    data = _render_period(records, names, since=since, until=until)

    def make(answer: ReportAnswer) -> CheckedResult[ReportDraft | None]:
        return _report_from_answer(answer, names) if answer.title and answer.text else CheckedResult(None)

    return ModelTask(task="reflect", data=data, answer=ReportAnswer, make=make)


def report_task(
    records: Sequence[Material], *, about: str, since: datetime, until: datetime, language: str = ""
) -> ModelTask[ReportDraft]:
    """A report for people."""
    names = ShortNames()
    asked = [f"about: {indent_breaks(about)}", *([f"language: {language}"] if language else [])]
    data = _render_period(records, names, since=since, until=until, asked=asked)

    def make(answer: ReportAnswer) -> CheckedResult[ReportDraft]:
        made = _report_from_answer(answer, names, least=1 if records else 0)
        missing = () if answer.title and answer.text else ("title and text must not be empty",)
        return CheckedResult(made.result, (*missing, *made.problems))

    return ModelTask(task="report", data=data, answer=ReportAnswer, make=make)


def _render_period(
    records: Sequence[Material], names: ShortNames, *, since: datetime, until: datetime, asked: Sequence[str] = ()
) -> str:
    told = [*asked, f"from: {format_moment(since)}", f"to: {format_moment(until)}"]
    sections = [render_section("period", told), render_section("records", render_materials(records, names))]
    return "\n\n".join(filter(None, sections))


def names_task(texts: Sequence[str]) -> ModelTask[list[list[NameDraft]]]:
    """The named things in each of several texts; where they stand is looked up, not asked."""

    def make(answer: NamesAnswer) -> CheckedResult[list[list[NameDraft]]]:
        found: list[list[NameDraft]] = [[] for _ in texts]
        problems = []
        for number, item in enumerate(answer.names):
            places = [(place, span) for place, text in enumerate(texts) for span in find_word_spans(item.name, text)]
            if not places:
                problems.append(f"names[{number}].name does not occur in the texts")
            for place, (start, end) in places:
                found[place].append(NameDraft(texts[place][start:end], item.type, start, end))
        return CheckedResult(found, tuple(problems))

    data = render_section("texts", [f"- {indent_breaks(text)}" for text in share_text_budget(texts)])
    return ModelTask(task="names", data=data, answer=NamesAnswer, make=make, items="names")


def _report_from_answer(answer: ReportAnswer, names: ShortNames, *, least: int = 1) -> CheckedResult[ReportDraft]:
    cited = names.ids_of(answer.sources, "sources", least=least)
    return CheckedResult(ReportDraft(answer.title or "", answer.text or "", cited.result), cited.problems)
