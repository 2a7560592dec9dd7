"""The writer's tasks as a model sees them: values become data with short names in place of ids, answers become drafts.

Pure. An answer can point only to what was in its data: a name that stands for nothing there is a problem, no guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from recollect.distil.drafts import (
    MACHINE_ROLES,
    ConversationMessage,
    EntryDraft,
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
from recollect.distil.model.answers import (
    Answer,
    Flag,
    Items,
    Line,
    Number,
    Page,
    Prose,
    Quote,
    Ref,
    Refs,
    Title,
)
from recollect.distil.tiers import Task
from recollect.lang.grammar import ENDED, REACHED
from recollect.records import attribute_of
from recollect.text.words import text_grams

R = TypeVar("R", covariant=True)

# What people say about themselves besides the attributes of a preset's subjects. Each may have many values.
ATTRIBUTES = (
    "allergy", "birthday", "dislikes", "education", "family", "goal", "habit", "health", "hobby", "language", "likes",
    "name", "occupation", "opinion", "origin", "partner", "pet", "possession", "skill", "trait", "value",
)  # fmt: skip
SUREST_INSIGHT = 0.7
# Characters of remembered text in one request, shared out evenly among its texts.
MOST_CHARS = 80_000
_LEAST_SHARE = 400


@dataclass(frozen=True, slots=True)
class CheckedResult(Generic[R]):
    """What an answer becomes, and what in it names nothing of the input."""

    result: R
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTask(Generic[R]):
    """One task for a model: the data, the form of the answer, and what to make of it.

    Where items are independent, a bad one may be left out.
    """

    task: Task
    data: Mapping[str, Any]
    answer: type[Answer]
    make: Callable[[Any], CheckedResult[R]]
    items_stand_alone: bool = False


class ShortNames:
    """Short names for ids: m1, m2 and so on. What was not named here cannot be named in an answer."""

    def __init__(self) -> None:
        self._ids: dict[str, tuple[str, ...]] = {}

    def assign_name(self, letter: str, ids: tuple[str, ...]) -> str:
        """A new name that stands for these ids."""
        name = f"{letter}{sum(known.startswith(letter) for known in self._ids) + 1}"
        self._ids[name] = ids
        return name

    def ids_of(self, refs: Sequence[str], place: str, *, least: int = 1) -> CheckedResult[tuple[str, ...]]:
        """The ids that names stand for, each once."""
        problems = [f"{place}[{n}] names nothing of the input" for n, ref in enumerate(refs) if ref not in self._ids]
        found = tuple(dict.fromkeys(id_ for ref in refs for id_ in self._ids.get(ref, ())))
        if not problems and len(found) < least:
            problems.append(f"{place} must name at least {least} of the input")
        return CheckedResult(found, tuple(problems))


class NoteAnswer(Answer):
    title: Title | None
    summary: Prose | None
    sources: Refs


class FactItem(Answer):
    type: Literal["fact", "preference", "instruction", "event", "person", "goal", "status"]
    text: Line
    about: Ref | None
    attribute: Ref | None
    value: Line | None
    change: Literal["holds", "ended", "reached"]
    confidence: Number
    source: Ref
    quote: Quote | None


class FactsAnswer(Answer):
    facts: Items[FactItem]


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


class JudgementAnswer(Answer):
    contradicts: Flag
    certainty: Number
    keep: Literal["newer", "older", "ask"]


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


def note_task(said: Sequence[ConversationMessage]) -> ModelTask[NoteDraft | None]:
    """What a conversation was about. Who took part is known and not asked."""
    talk = _ConversationData.of(said)

    def make(answer: NoteAnswer) -> CheckedResult[NoteDraft | None]:
        if answer.title is None or answer.summary is None:
            return CheckedResult(None)
        cited = talk.names.ids_of(answer.sources, "sources")
        people = tuple(dict.fromkeys(m.speaker for m in said))
        draft = NoteDraft(answer.title, answer.summary, people, said[-1].at, cited.result)
        return CheckedResult(draft, cited.problems)

    return ModelTask(task="note", data=talk.data, answer=NoteAnswer, make=make)


def has_people(said: Sequence[ConversationMessage]) -> bool:
    """Whether a person says anything here."""
    return any(message.role not in MACHINE_ROLES for message in said)


def facts_task(said: Sequence[ConversationMessage], subjects: Mapping[str, SubjectWords]) -> ModelTask[list[FactDraft]]:
    """What people said of themselves and of those they named."""
    talk = _ConversationData.of(said)
    attributes = tuple(dict.fromkeys([*subjects, *ATTRIBUTES]))

    def make(answer: FactsAnswer) -> CheckedResult[list[FactDraft]]:
        drafts: dict[tuple[str, str], FactDraft] = {}
        problems: list[str] = []
        for number, item in enumerate(answer.facts):
            made = _fact_from_item(item, talk, attributes=attributes, place=f"facts[{number}]")
            problems += made.problems
            if made.result is not None:
                draft = made.result
                drafts.setdefault((draft.person, f"{draft.subject} {draft.text}".lower()), draft)
        return CheckedResult(list(drafts.values()), tuple(problems))

    data = {**talk.data, "attributes": attributes}
    return ModelTask(task="facts", data=data, answer=FactsAnswer, make=make, items_stand_alone=True)


def document_task(
    task: Literal["profile", "user_memory"],
    entries: Sequence[EntryDraft],
    news: Sequence[Material],
    sections: Mapping[str, Sequence[str]],
) -> ModelTask[list[EntryDraft]]:
    """Rewrite a person's document. An existing line is cited by its own name and keeps its sources."""
    names = ShortNames()
    texts = _share_text_budget([entry.text for entry in entries])
    lines = [
        {"id": names.assign_name("e", entry.sources), "section": entry.section, "text": text}
        for entry, text in zip(entries, texts, strict=True)
    ]
    data = {"sections": {name: list(takes) for name, takes in sections.items()}, "entries": lines,
            "news": _materials_as_data(news, names)}  # fmt: skip

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

    return ModelTask(task=task, data=data, answer=DocumentAnswer, make=make)


def topics_task(notes: Sequence[Material]) -> ModelTask[list[TopicDraft]]:
    """What a day's notes have in common."""
    names = ShortNames()
    data = {"notes": _materials_as_data(notes, names)}

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


def judgement_task(older: Material, newer: Material) -> ModelTask[Judgement]:
    """Whether two statements exclude each other."""
    names = ShortNames()
    before, after = _materials_as_data([older, newer], names)

    def make(answer: JudgementAnswer) -> CheckedResult[Judgement]:
        return CheckedResult(Judgement(answer.contradicts, clamp_probability(answer.certainty), answer.keep))

    data = {"older": before, "newer": after}
    return ModelTask(task="judge", data=data, answer=JudgementAnswer, make=make)


def insights_task(records: Sequence[Material]) -> ModelTask[list[InsightDraft]]:
    """What several records show together."""
    names = ShortNames()
    data = {"records": _materials_as_data(records, names)}

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

    return ModelTask(task="insights", data=data, answer=InsightsAnswer, make=make, items_stand_alone=True)


def reflection_task(records: Sequence[Material], *, since: datetime, until: datetime) -> ModelTask[ReportDraft | None]:
    """What a stretch of time was about."""
    names = ShortNames()
    data = {
        "from": _format_moment_for_model(since),
        "to": _format_moment_for_model(until),
        "records": _materials_as_data(records, names),
    }

    def make(answer: ReportAnswer) -> CheckedResult[ReportDraft | None]:
        return _report_from_answer(answer, names) if answer.title and answer.text else CheckedResult(None)

    return ModelTask(task="reflect", data=data, answer=ReportAnswer, make=make)


def report_task(
    records: Sequence[Material], *, about: str, since: datetime, until: datetime, language: str = ""
) -> ModelTask[ReportDraft]:
    """A report for people."""
    names = ShortNames()
    data = {
        "about": about,
        "from": _format_moment_for_model(since),
        "to": _format_moment_for_model(until),
        "records": _materials_as_data(records, names),
        **({"language": language} if language else {}),
    }

    def make(answer: ReportAnswer) -> CheckedResult[ReportDraft]:
        made = _report_from_answer(answer, names, least=1 if records else 0)
        missing = () if answer.title and answer.text else ("title and text must not be empty",)
        return CheckedResult(made.result, (*missing, *made.problems))

    return ModelTask(task="report", data=data, answer=ReportAnswer, make=make)


def names_task(text: str) -> ModelTask[list[NameDraft]]:
    """The named things in a text; where they stand is looked up, not asked."""

    def make(answer: NamesAnswer) -> CheckedResult[list[NameDraft]]:
        drafts, problems = [], []
        for number, item in enumerate(answer.names):
            places = _find_word_spans(item.name, text)
            if not places:
                problems.append(f"names[{number}].name does not occur in the text")
            drafts += [NameDraft(text[a:b], item.type, a, b) for a, b in places]
        return CheckedResult(drafts, tuple(problems))

    data = {"text": text[:MOST_CHARS]}
    return ModelTask(task="names", data=data, answer=NamesAnswer, make=make, items_stand_alone=True)


@dataclass(frozen=True, slots=True)
class _ConversationData:
    """A conversation as data, and the way back from its short names."""

    data: Mapping[str, Any]
    names: ShortNames
    messages: Mapping[str, ConversationMessage]
    people: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, said: Sequence[ConversationMessage]) -> _ConversationData:
        # People have names of their own, so that no answer can cite one as a source.
        names, others = ShortNames(), ShortNames()
        people = {v: others.assign_name("p", (v.id,)) for v in dict.fromkeys(map(_voice_of, said))}
        called = {_voice_of(m): m.name for m in said}
        messages = {names.assign_name("m", (m.id,)): m for m in said}
        lines = [
            {
                "id": alias,
                "who": people[_voice_of(m)],
                "role": m.role,
                "at": _format_moment_for_model(m.at),
                "text": text,
            }
            for (alias, m), text in zip(messages.items(), _share_text_budget([m.text for m in said]), strict=True)
        ]
        told = [{"id": alias, "name": called[v], "is_person": v.is_person} for v, alias in people.items()]
        known = {alias: v.id for v, alias in people.items() if v.is_person}
        return cls({"people": told, "messages": lines}, names, messages, known)


class _Voice(NamedTuple):
    """Who speaks: an assistant's messages belong to the person it talks with and are not that person's words."""

    id: str
    is_person: bool


def _voice_of(message: ConversationMessage) -> _Voice:
    return _Voice(message.speaker, message.role not in MACHINE_ROLES)


def _fact_from_item(
    item: FactItem, talk: _ConversationData, *, attributes: Sequence[str], place: str
) -> CheckedResult[FactDraft | None]:
    message = talk.messages.get(item.source)
    if message is None:
        return CheckedResult(None, (f"{place}.source names no message of the input",))
    if message.role in MACHINE_ROLES:
        return CheckedResult(None, (f"{place}.source must be the message of a person",))
    if item.attribute is not None and item.attribute not in attributes:
        return CheckedResult(None, (f"{place}.attribute must be one of the input's attributes, or null",))
    owner, named = message.speaker, ""
    if item.about is not None:
        owner = talk.people.get(item.about, owner)
        named = "" if item.about in talk.people else item.about.strip().lower()
        if item.about not in talk.people and (not named or "/" in named or not _find_word_spans(named, message.text)):
            return CheckedResult(
                None, (f"{place}.about must be a person of the input, a name in the message, or null",)
            )
    about = f"{owner}/{named}" if named else owner
    start, end = (_find_word_spans(item.quote or "", message.text) or [(0, len(message.text))])[0]
    return CheckedResult(
        FactDraft(
            type="person" if named else "status" if item.change == "ended" else item.type,
            text=item.text,
            person=owner,
            subject=f"{about}/{item.attribute}" if item.attribute else None,
            value=_fact_item_value(item),
            confidence=clamp_probability(item.confidence),
            at=message.at,
            source=message.id,
            start=start,
            end=end,
        )
    )


def _fact_item_value(item: FactItem) -> str | None:
    value = (item.value or "").removeprefix(ENDED).removeprefix(REACHED)
    mark = {"ended": ENDED, "reached": REACHED}.get(item.change, "")
    return mark + value if value else None


def _report_from_answer(answer: ReportAnswer, names: ShortNames, *, least: int = 1) -> CheckedResult[ReportDraft]:
    cited = names.ids_of(answer.sources, "sources", least=least)
    return CheckedResult(ReportDraft(answer.title or "", answer.text or "", cited.result), cited.problems)


def _materials_as_data(records: Iterable[Material], names: ShortNames) -> list[dict[str, Any]]:
    """Records as data; what says nothing is left out."""
    known = list(records)
    rows = []
    for record, text in zip(known, _share_text_budget([r.text for r in known]), strict=True):
        row = {
            "id": names.assign_name("r", (record.id,)),
            "at": _format_moment_for_model(record.at),
            "title": record.title,
            "text": text,
            "kind": record.kind,
            "attribute": attribute_of(record.subject),
            "value": record.value,
            "confirmed_by_the_person": record.validated,
        }
        rows.append({key: value for key, value in row.items() if value})
    return rows


def _share_text_budget(texts: Sequence[str]) -> list[str]:
    share = max(_LEAST_SHARE, MOST_CHARS // max(1, len(texts)))
    return [text if len(text) <= share else text[: share - 1] + "…" for text in texts]


def _find_word_spans(words: str, text: str) -> list[tuple[int, int]]:
    """Where words occur in a text as whole words, ignoring case; [] when they do not."""
    wanted = words.strip()
    if not wanted:
        return []
    # In a script without spaces every character touches a letter.
    bare = re.escape(wanted)
    pattern = re.compile(bare if text_grams(wanted) else rf"(?<!\w){bare}(?!\w)", re.IGNORECASE)
    return [match.span() for match in pattern.finditer(text)]


def clamp_probability(number: float) -> float:
    """A model's number as one from 0 to 1."""
    return min(1.0, max(0.0, number))


def _format_moment_for_model(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M %A")
