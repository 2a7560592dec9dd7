"""A conversation as a model reads it, and what its answer becomes: plain lines go out, facts and a note come back.

Pure. Messages are written as lines with short ids, because JSON costs twice to three times as many tokens. A line break
inside a message is indented, so that no message can pretend to be another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, create_model

from toldonce.distil.drafts import (
    MACHINE_ROLES,
    Change,
    ConversationMessage,
    Extracted,
    ExtractionScope,
    FactDraft,
    Material,
    NoteDraft,
)
from toldonce.distil.model.answers import Answer, Items, Line, Number, Prose, Quote, Ref, Refs, Title
from toldonce.distil.model.lines import (
    CheckedResult,
    ModelTask,
    ShortNames,
    add_times,
    clamp_probability,
    find_word_spans,
    indent_breaks,
    render_section,
    share_text_budget,
)
from toldonce.lang.grammar import ENDED, REACHED

# What people say about themselves besides the attributes of a preset's subjects. Each may have many values.
ATTRIBUTES = (
    "allergy", "birthday", "condition", "deadline", "diet", "dislikes", "education", "family", "feeling", "goal",
    "habit", "health", "hobby", "income", "language", "likes", "medication", "name", "occupation", "opinion", "origin",
    "partner", "person", "pet", "plan", "possession", "project", "relation", "skill", "trait", "value",
)  # fmt: skip
# An attribute or area that is none of the preset's.
OTHER = "other"
# What is planned is filed under this attribute, so that it never replaces what is so today.
PLAN = "plan"
# Long answers of an assistant are context; what a person says is read whole.
MOST_OF_A_MACHINE = 320
_KNOWN_CHARS = 180

OptionalRefs = Annotated[Refs, BeforeValidator(lambda value: () if value is None else value)]


class NoteAnswer(Answer):
    title: Title | None
    summary: Prose | None
    sources: Refs


class FactItem(Answer):
    """The part of a fact that is the same in every preset."""

    source: Ref
    quote: Quote | None
    about: Ref | None
    relation: Ref | None
    text: Line
    type: Literal["fact", "preference", "instruction", "event", "person", "goal", "status"]
    value: Line | None
    change: Change
    replaces: OptionalRefs
    confidence: Number


@cache
def build_facts_form(
    attributes: tuple[str, ...], areas: tuple[tuple[str, str], ...], *, has_note: bool
) -> type[Answer]:
    """The form of the answer for a preset: attributes and areas are closed lists."""
    fields: dict[str, Any] = {"attribute": (_choice_of(attributes), ...)}
    if areas:
        fields |= {"area": (_choice_of(tuple(name_areas(areas))), ...), "title": (Title | None, ...)}
    item = create_model("FactItem", __base__=FactItem, **fields)
    noted: dict[str, Any] = {}
    if has_note:
        noted = {
            "note_title": (Title | None, ...),
            "note_summary": (Prose | None, ...),
            "note_sources": (OptionalRefs, ...),
        }
    return create_model("FactsAnswer", __base__=Answer, facts=(Items[item], ...), **noted)  # type: ignore[valid-type]


def name_areas(areas: Sequence[tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Areas by a short name: that of the sub-area, or both names where several areas have such a one."""
    counts = Counter(sub_area for _, sub_area in areas)
    return {sub_area if counts[sub_area] == 1 else f"{area}/{sub_area}": (area, sub_area) for area, sub_area in areas}


def _choice_of(names: tuple[str, ...]) -> Any:
    """One of these names, or `other`; what is missing is `other`, and of `area/sub-area` the sub-area will do."""

    def find_name(value: object) -> object:
        last = value.rpartition("/")[2] if isinstance(value, str) else ""
        return OTHER if value in (None, "") else last if last in names else value

    return Annotated[Literal[(*names, OTHER)], BeforeValidator(find_name)]


def has_people(said: Sequence[ConversationMessage]) -> bool:
    """Whether a person says anything here."""
    return any(message.role not in MACHINE_ROLES for message in said)


def note_task(said: Sequence[ConversationMessage]) -> ModelTask[NoteDraft | None]:
    """What a conversation was about. Who took part is known and not asked."""
    talk = ConversationLines.of(said)

    def make(answer: NoteAnswer) -> CheckedResult[NoteDraft | None]:
        return talk.draft_note(answer.title, answer.summary, answer.sources, "sources")

    return ModelTask(
        task="note", data=talk.render(), answer=NoteAnswer, make=make, spoken=_spoken_text(said), written=_note_text
    )


def facts_task(said: Sequence[ConversationMessage], scope: ExtractionScope) -> ModelTask[Extracted]:
    """What people said of themselves and of those they named, and with `has_note` the note of it, in one answer."""
    talk = ConversationLines.of(said, known=scope.known)
    attributes = tuple(dict.fromkeys([*scope.subjects, *scope.attributes, *ATTRIBUTES]))
    areas = name_areas(scope.areas)

    def make(answer: Any) -> CheckedResult[Extracted]:
        drafts: dict[tuple[str, str], FactDraft] = {}
        problems: list[str] = []
        for number, item in enumerate(answer.facts):
            made = _fact_from_item(item, talk, areas, place=f"facts[{number}]")
            problems += made.problems
            if made.result is not None:
                draft = made.result
                drafts.setdefault((draft.person, f"{draft.subject} {draft.text}".lower()), draft)
        note = None
        if scope.has_note:
            noted = talk.draft_note(answer.note_title, answer.note_summary, answer.note_sources, "note_sources")
            note = _continue_note(scope.earlier, noted.result)
            problems += noted.problems
        return CheckedResult(Extracted(tuple(drafts.values()), note), tuple(problems))

    parts = ("note",) if scope.has_note else ()
    return ModelTask(
        task="facts",
        data=talk.render(earlier=scope.earlier),
        answer=build_facts_form(attributes, scope.areas, has_note=scope.has_note),
        make=make,
        items="facts",
        parts=(*parts, *(("areas",) if scope.areas else ())),
        spoken=_spoken_text(said),
        written=_extraction_text,
    )


def _continue_note(earlier: NoteDraft | None, note: NoteDraft | None) -> NoteDraft | None:
    """The note of all pages so far, with the sources of all."""
    if earlier is None or note is None:
        return note or earlier
    people = tuple(dict.fromkeys((*earlier.participants, *note.participants)))
    return replace(note, participants=people, sources=tuple(dict.fromkeys((*earlier.sources, *note.sources))))


def _spoken_text(said: Sequence[ConversationMessage]) -> str:
    return "\n".join(message.text for message in said if message.role not in MACHINE_ROLES)


def _note_text(note: NoteDraft | None) -> str:
    return note.summary if note else ""


def _extraction_text(made: Extracted) -> str:
    return "\n".join([_note_text(made.note), *(fact.text for fact in made.facts)])


@dataclass(frozen=True, slots=True)
class _Voice:
    """Who speaks: an assistant's messages belong to the person it talks with and are not that person's words."""

    id: str
    is_person: bool


def _voice_of(message: ConversationMessage) -> _Voice:
    return _Voice(message.speaker, message.role not in MACHINE_ROLES)


@dataclass(frozen=True, slots=True)
class ConversationLines:
    """A conversation as lines, and the way back from its short names."""

    names: ShortNames
    messages: Mapping[str, ConversationMessage]
    called: Mapping[_Voice, str]
    people: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, Material] = field(default_factory=dict)

    @classmethod
    def of(cls, said: Sequence[ConversationMessage], *, known: Sequence[Material] = ()) -> ConversationLines:
        """The lines of these messages, with what is known of those who speak."""
        names, others = ShortNames(), ShortNames()
        called = _unique_names(said)
        people = {others.assign_name("p", (v.id,)): v.id for v in called if v.is_person}
        messages = {names.assign_name("m", (m.id,)): m for m in said}
        facts = {others.assign_name("k", (one.id,)): one for one in known}
        return cls(names, messages, called, people, facts)

    def render(self, *, earlier: NoteDraft | None = None) -> str:
        """The data of a task: who speaks, what is known, what came before, and the messages."""
        speakers = [f"{alias} {self._name_of(id_)}" for alias, id_ in self.people.items()]
        machines = [f"{name} is no person" for voice, name in self.called.items() if not voice.is_person]
        before = [indent_breaks(f"{earlier.title}: {earlier.summary}")] if earlier else []
        sections = (
            render_section("people", [*speakers, *machines]),
            render_section("known", self._known_lines()),
            render_section("earlier in this conversation", before),
            render_section("messages", self._message_lines()),
        )
        return "\n\n".join(filter(None, sections))

    def _name_of(self, person: str) -> str:
        return self.called.get(_Voice(person, True), "")

    def _known_lines(self) -> list[str]:
        """What is known, below the day it is from."""
        days = groupby(self.known.items(), key=lambda item: f"[{item[1].at:%Y-%m-%d}]")
        return [line for day, rows in days for line in (day, *(self._known_line(*row) for row in rows))]

    def _known_line(self, alias: str, one: Material) -> str:
        owner = next((self._name_of(person) for person in one.people), "")
        mark = "[confirmed] " if one.validated else ""
        text = one.text if len(one.text) <= _KNOWN_CHARS else one.text[: _KNOWN_CHARS - 1] + "…"
        who = f"{owner}: " if owner and len(self.people) > 1 and not find_word_spans(owner, text) else ""
        return indent_breaks(f"{alias} {mark}{who}{text}")

    def _message_lines(self) -> list[str]:
        texts = share_text_budget([_shorten_machine(m) for m in self.messages.values()])
        rows = []
        for (alias, message), text in zip(self.messages.items(), texts, strict=True):
            rows.append((message.at, indent_breaks(f"{alias} {self.called[_voice_of(message)]}: {text}")))
        return add_times(rows)

    def draft_note(
        self, title: str | None, summary: str | None, sources: Sequence[str], place: str
    ) -> CheckedResult[NoteDraft | None]:
        """The note of an answer; None when there is nothing worth one."""
        if title is None or summary is None:
            return CheckedResult(None)
        cited = self.names.ids_of(sources, place)
        said = list(self.messages.values())
        people = tuple(dict.fromkeys(m.speaker for m in said))
        return CheckedResult(NoteDraft(title, summary, people, said[-1].at, cited.result), cited.problems)

    def find_person(self, about: str) -> str | None:
        """The id of the speaker that an answer names, by short name or by name."""
        if about in self.people:
            return self.people[about]
        wanted = about.strip().casefold()
        return next((v.id for v, name in self.called.items() if v.is_person and name.casefold() == wanted), None)

    def is_named(self, name: str) -> bool:
        """Whether somebody says this name here, or something known does."""
        texts = [*(m.text for m in self.messages.values()), *(one.text for one in self.known.values())]
        return any(find_word_spans(name, text) for text in texts)


def _unique_names(said: Sequence[ConversationMessage]) -> dict[_Voice, str]:
    """What each voice is called, no two alike."""
    found: dict[_Voice, str] = {}
    latest = {_voice_of(message): message.name for message in said}
    for voice in dict.fromkeys(map(_voice_of, said)):
        name = " ".join(latest[voice].replace(":", " ").split()) or "somebody"
        number = sum(other == name or other.startswith(f"{name} (") for other in found.values())
        found[voice] = f"{name} ({number + 1})" if number else name
    return found


def _shorten_machine(message: ConversationMessage) -> str:
    if message.role not in MACHINE_ROLES or len(message.text) <= MOST_OF_A_MACHINE:
        return message.text
    return message.text[: MOST_OF_A_MACHINE - 1] + "…"


def _fact_from_item(
    item: Any, talk: ConversationLines, areas: Mapping[str, tuple[str, str]], *, place: str
) -> CheckedResult[FactDraft | None]:
    message = talk.messages.get(item.source)
    if message is None:
        return CheckedResult(None, (f"{place}.source names no message of the input",))
    if message.role in MACHINE_ROLES:
        return CheckedResult(None, (f"{place}.source must be the message of a person",))
    unknown = [ref for ref in item.replaces if ref not in talk.known]
    if unknown:
        return CheckedResult(None, (f"{place}.replaces must hold ids of `known`, or nothing",))
    owner, named = message.speaker, ""
    if item.about is not None and (person := talk.find_person(item.about)) is not None:
        owner = person
    elif item.about is not None:
        named = " ".join(item.about.split())
        if not named or "/" in named or not talk.is_named(named):
            return CheckedResult(None, (f"{place}.about must be an id of `people` or a name said in the messages",))
    draft = _draft_fact(item, talk, message, owner=owner, named=named)
    return CheckedResult(replace(draft, area=areas.get(getattr(item, "area", OTHER))))


def _draft_fact(
    item: Any, talk: ConversationLines, message: ConversationMessage, *, owner: str, named: str
) -> FactDraft:
    start, end = (find_word_spans(item.quote or "", message.text) or [(0, len(message.text))])[0]
    return FactDraft(
        type=_type_of(item, named),
        text=item.text,
        person=owner,
        subject=_subject_of(item, owner, named),
        value=_value_of(item),
        confidence=clamp_probability(item.confidence),
        at=message.at,
        source=message.id,
        start=start,
        end=end,
        change=item.change,
        replaces=tuple(dict.fromkeys(talk.known[ref].id for ref in item.replaces)),
        named=named,
        relation=(item.relation or "").strip() if named else "",
        title=getattr(item, "title", None) or "",
    )


def _type_of(item: Any, named: str) -> str:
    if named:
        return "person"
    return {"ended": "status", "planned": "event"}.get(item.change, str(item.type))


def _subject_of(item: Any, owner: str, named: str) -> str | None:
    """`person/attribute`, `person/name/attribute`, or `person/name` for what has no attribute."""
    about = f"{owner}/{named.lower()}" if named else owner
    attribute = PLAN if item.change == "planned" else item.attribute
    if attribute != OTHER:
        return f"{about}/{attribute}"
    return about if named else None


def _value_of(item: Any) -> str | None:
    value = (item.value or "").removeprefix(ENDED).removeprefix(REACHED)
    mark = {"ended": ENDED, "reached": REACHED}.get(item.change, "")
    return mark + value if value else None
