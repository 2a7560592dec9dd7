"""The writer's tasks as a model sees them: values become data with short names in place of ids, answers become drafts.

Pure. An answer can point only to what was in its data: a name that stands for nothing there is a problem, no guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from recollect.distil.drafts import (
    EntryDraft,
    FactDraft,
    InsightDraft,
    Judgement,
    Material,
    NameDraft,
    NoteDraft,
    ReportDraft,
    Said,
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
from recollect.text.words import grams_of

R = TypeVar("R", covariant=True)

# What people tell of themselves beside the attributes of a preset's subjects; of these there may be many values.
ATTRIBUTES = (
    "allergy", "birthday", "dislikes", "education", "family", "goal", "habit", "health", "hobby", "language", "likes",
    "name", "occupation", "opinion", "origin", "partner", "pet", "possession", "skill", "trait", "value",
)  # fmt: skip
SUREST_INSIGHT = 0.7
# Characters of remembered text in one request, shared out evenly among its texts.
MOST_CHARS = 80_000
_LEAST_SHARE = 400
_MACHINES = frozenset({"assistant", "system", "tool"})


@dataclass(frozen=True, slots=True)
class Made(Generic[R]):
    """What an answer becomes, and what in it names nothing of the input."""

    result: R
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Work(Generic[R]):
    """One task for a model: the data, the form of the answer, and what to make of it.

    Where items stand alone, a bad one may be left out.
    """

    task: Task
    data: Mapping[str, Any]
    answer: type[Answer]
    make: Callable[[Any], Made[R]]
    items_stand_alone: bool = False


class Names:
    """Short names for ids: m1, m2 and so on. What was not named here cannot be named in an answer."""

    def __init__(self) -> None:
        self._ids: dict[str, tuple[str, ...]] = {}

    def give(self, letter: str, ids: tuple[str, ...]) -> str:
        """A new name that stands for these ids."""
        name = f"{letter}{sum(known.startswith(letter) for known in self._ids) + 1}"
        self._ids[name] = ids
        return name

    def ids(self, refs: Sequence[str], place: str, *, least: int = 1) -> Made[tuple[str, ...]]:
        """The ids that names stand for, each once."""
        problems = [f"{place}[{n}] names nothing of the input" for n, ref in enumerate(refs) if ref not in self._ids]
        found = tuple(dict.fromkeys(id_ for ref in refs for id_ in self._ids.get(ref, ())))
        if not problems and len(found) < least:
            problems.append(f"{place} must name at least {least} of the input")
        return Made(found, tuple(problems))


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


def note(said: Sequence[Said]) -> Work[NoteDraft | None]:
    """What a conversation was about. Who took part is known and not asked."""
    talk = _Talk.of(said)

    def make(answer: NoteAnswer) -> Made[NoteDraft | None]:
        if answer.title is None or answer.summary is None:
            return Made(None)
        cited = talk.names.ids(answer.sources, "sources")
        people = tuple(dict.fromkeys(m.speaker for m in said))
        draft = NoteDraft(answer.title, answer.summary, people, said[-1].at, cited.result)
        return Made(draft, cited.problems)

    return Work(task="note", data=talk.data, answer=NoteAnswer, make=make)


def has_people(said: Sequence[Said]) -> bool:
    """Whether a person says anything here."""
    return any(message.role not in _MACHINES for message in said)


def facts(said: Sequence[Said], subjects: Mapping[str, SubjectWords]) -> Work[list[FactDraft]]:
    """What people said of themselves and of those they named."""
    talk = _Talk.of(said)
    attributes = tuple(dict.fromkeys([*subjects, *ATTRIBUTES]))

    def make(answer: FactsAnswer) -> Made[list[FactDraft]]:
        drafts: dict[tuple[str, str], FactDraft] = {}
        problems: list[str] = []
        for number, item in enumerate(answer.facts):
            made = _fact(item, talk, attributes=attributes, place=f"facts[{number}]")
            problems += made.problems
            if made.result is not None:
                draft = made.result
                drafts.setdefault((draft.person, f"{draft.subject} {draft.text}".lower()), draft)
        return Made(list(drafts.values()), tuple(problems))

    data = {**talk.data, "attributes": attributes}
    return Work(task="facts", data=data, answer=FactsAnswer, make=make, items_stand_alone=True)


def document(
    task: Literal["profile", "user_memory"],
    entries: Sequence[EntryDraft],
    news: Sequence[Material],
    sections: Mapping[str, Sequence[str]],
) -> Work[list[EntryDraft]]:
    """A person's document anew. A line that is there already is cited by its own name and keeps its sources."""
    names = Names()
    texts = _cut([entry.text for entry in entries])
    lines = [
        {"id": names.give("e", entry.sources), "section": entry.section, "text": text}
        for entry, text in zip(entries, texts, strict=True)
    ]
    data = {"sections": {name: list(takes) for name, takes in sections.items()}, "entries": lines,
            "news": _materials(news, names)}  # fmt: skip

    def make(answer: DocumentAnswer) -> Made[list[EntryDraft]]:
        drafts: list[EntryDraft] = []
        problems: list[str] = []
        for number, item in enumerate(answer.entries):
            cited = names.ids(item.sources, f"entries[{number}].sources")
            problems += cited.problems
            if item.section not in sections:
                problems.append(f"entries[{number}].section must be one of {', '.join(sections)}")
            drafts.append(EntryDraft(item.section, item.text, cited.result))
        if entries and not drafts:
            problems.append("entries is empty: a document keeps what still holds")
        return Made(drafts, tuple(problems))

    return Work(task=task, data=data, answer=DocumentAnswer, make=make)


def topics(notes: Sequence[Material]) -> Work[list[TopicDraft]]:
    """What a day's notes have in common."""
    names = Names()
    data = {"notes": _materials(notes, names)}

    def make(answer: TopicsAnswer) -> Made[list[TopicDraft]]:
        cited = [names.ids(item.sources, f"topics[{n}].sources") for n, item in enumerate(answer.topics)]
        problems = [problem for one in cited for problem in one.problems]
        if not 1 <= len(answer.topics) <= 8:
            problems.append("topics must be one to eight")
        drafts = [
            TopicDraft(item.title, item.summary, one.result) for item, one in zip(answer.topics, cited, strict=True)
        ]
        return Made(drafts, tuple(problems))

    return Work(task="topics", data=data, answer=TopicsAnswer, make=make)


def judge(older: Material, newer: Material) -> Work[Judgement]:
    """Whether two statements exclude each other."""
    names = Names()
    before, after = _materials([older, newer], names)

    def make(answer: JudgementAnswer) -> Made[Judgement]:
        return Made(Judgement(answer.contradicts, probability(answer.certainty), answer.keep))

    data = {"older": before, "newer": after}
    return Work(task="judge", data=data, answer=JudgementAnswer, make=make)


def insights(records: Sequence[Material]) -> Work[list[InsightDraft]]:
    """What several records show together."""
    names = Names()
    data = {"records": _materials(records, names)}

    def make(answer: InsightsAnswer) -> Made[list[InsightDraft]]:
        drafts: list[InsightDraft] = []
        problems: list[str] = []
        for number, item in enumerate(answer.insights):
            cited = names.ids(item.sources, f"insights[{number}].sources", least=2)
            problems += cited.problems
            if not cited.problems:
                sure = min(probability(item.confidence), SUREST_INSIGHT)
                drafts.append(InsightDraft(item.text, item.evidence, cited.result, sure))
        return Made(drafts, tuple(problems))

    return Work(task="insights", data=data, answer=InsightsAnswer, make=make, items_stand_alone=True)


def reflection(records: Sequence[Material], *, since: datetime, until: datetime) -> Work[ReportDraft | None]:
    """What a stretch of time was about."""
    names = Names()
    data = {"from": _moment(since), "to": _moment(until), "records": _materials(records, names)}

    def make(answer: ReportAnswer) -> Made[ReportDraft | None]:
        return _report(answer, names) if answer.title and answer.text else Made(None)

    return Work(task="reflect", data=data, answer=ReportAnswer, make=make)


def report(records: Sequence[Material], *, about: str, since: datetime, until: datetime) -> Work[ReportDraft]:
    """A report for people."""
    names = Names()
    data = {"about": about, "from": _moment(since), "to": _moment(until), "records": _materials(records, names)}

    def make(answer: ReportAnswer) -> Made[ReportDraft]:
        made = _report(answer, names, least=1 if records else 0)
        missing = () if answer.title and answer.text else ("title and text must not be empty",)
        return Made(made.result, (*missing, *made.problems))

    return Work(task="report", data=data, answer=ReportAnswer, make=make)


def names(text: str) -> Work[list[NameDraft]]:
    """The named things in a text; where they stand is looked up, not asked."""

    def make(answer: NamesAnswer) -> Made[list[NameDraft]]:
        drafts, problems = [], []
        for number, item in enumerate(answer.names):
            places = _places(item.name, text)
            if not places:
                problems.append(f"names[{number}].name does not stand in the text")
            drafts += [NameDraft(text[a:b], item.type, a, b) for a, b in places]
        return Made(drafts, tuple(problems))

    data = {"text": text[:MOST_CHARS]}
    return Work(task="names", data=data, answer=NamesAnswer, make=make, items_stand_alone=True)


@dataclass(frozen=True, slots=True)
class _Talk:
    """A conversation as data, and the way back from its short names."""

    data: Mapping[str, Any]
    names: Names
    messages: Mapping[str, Said]
    people: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, said: Sequence[Said]) -> _Talk:
        # People have names of their own, so that no answer can cite one as a source.
        names, others = Names(), Names()
        people = {s: others.give("p", (s,)) for s in dict.fromkeys(m.speaker for m in said)}
        called = {m.speaker: m.called for m in said}
        messages = {names.give("m", (m.id,)): m for m in said}
        lines = [
            {"id": alias, "who": people[m.speaker], "role": m.role, "at": _moment(m.at), "text": text}
            for (alias, m), text in zip(messages.items(), _cut([m.text for m in said]), strict=True)
        ]
        humans = {m.speaker for m in said if m.role not in _MACHINES}
        told = [{"id": alias, "name": called[s], "is_person": s in humans} for s, alias in people.items()]
        known = {alias: s for s, alias in people.items() if s in humans}
        return cls({"people": told, "messages": lines}, names, messages, known)


def _fact(item: FactItem, talk: _Talk, *, attributes: Sequence[str], place: str) -> Made[FactDraft | None]:
    message = talk.messages.get(item.source)
    if message is None:
        return Made(None, (f"{place}.source names no message of the input",))
    if message.role in _MACHINES:
        return Made(None, (f"{place}.source must be the message of a person",))
    if item.attribute is not None and item.attribute not in attributes:
        return Made(None, (f"{place}.attribute must be one of the input's attributes, or null",))
    owner, named = message.speaker, ""
    if item.about is not None:
        owner = talk.people.get(item.about, owner)
        named = "" if item.about in talk.people else item.about.strip().lower()
        if item.about not in talk.people and (not named or "/" in named or not _places(named, message.text)):
            return Made(None, (f"{place}.about must be a person of the input, a name in the message, or null",))
    about = f"{owner}/{named}" if named else owner
    start, end = (_places(item.quote or "", message.text) or [(0, len(message.text))])[0]
    return Made(
        FactDraft(
            type="person" if named else "status" if item.change == "ended" else item.type,
            text=item.text,
            person=owner,
            subject=f"{about}/{item.attribute}" if item.attribute else None,
            value=_value(item),
            confidence=probability(item.confidence),
            at=message.at,
            source=message.id,
            start=start,
            end=end,
        )
    )


def _value(item: FactItem) -> str | None:
    value = (item.value or "").removeprefix(ENDED).removeprefix(REACHED)
    mark = {"ended": ENDED, "reached": REACHED}.get(item.change, "")
    return mark + value if value else None


def _report(answer: ReportAnswer, names: Names, *, least: int = 1) -> Made[ReportDraft]:
    cited = names.ids(answer.sources, "sources", least=least)
    return Made(ReportDraft(answer.title or "", answer.text or "", cited.result), cited.problems)


def _materials(records: Iterable[Material], names: Names) -> list[dict[str, Any]]:
    """Records as data; what says nothing is left out."""
    known = list(records)
    rows = []
    for record, text in zip(known, _cut([r.text for r in known]), strict=True):
        row = {
            "id": names.give("r", (record.id,)), "at": _moment(record.at), "title": record.title, "text": text,
            "kind": record.kind, "attribute": (record.subject or "").rpartition("/")[2], "value": record.value,
            "confirmed_by_the_person": record.validated,
        }  # fmt: skip
        rows.append({key: value for key, value in row.items() if value})
    return rows


def _cut(texts: Sequence[str]) -> list[str]:
    share = max(_LEAST_SHARE, MOST_CHARS // max(1, len(texts)))
    return [text if len(text) <= share else text[: share - 1] + "…" for text in texts]


def _places(words: str, text: str) -> list[tuple[int, int]]:
    """Where words stand in a text as words, written large or small; [] when they do not."""
    wanted = words.strip()
    if not wanted:
        return []
    # In a script without spaces every character touches a letter.
    bare = re.escape(wanted)
    pattern = re.compile(bare if grams_of(wanted) else rf"(?<!\w){bare}(?!\w)", re.IGNORECASE)
    return [match.span() for match in pattern.finditer(text)]


def probability(number: float) -> float:
    """A model's number as one from 0 to 1."""
    return min(1.0, max(0.0, number))


def _moment(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M %A")
