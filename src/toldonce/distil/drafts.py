"""The values of distilling: what was said and what is known come in, drafts go out; nothing here is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

SubjectRule = Literal["replace", "series", "goal", "set", "opposite"]
Change = Literal["holds", "ended", "reached", "planned", "corrected"]

# Attributes that say the contrary of each other about the same thing.
OPPOSITES = {"likes": ("dislikes",), "dislikes": ("likes",), "habit": ("avoids",), "hobby": ("avoids",),
             "avoids": ("habit", "hobby")}  # fmt: skip


# Before the words of a document's line where it stands among ids of records.
LINE = "line:"
# Roles of messages that no person wrote.
MACHINE_ROLES = frozenset(
    ("assistant", "system", "tool", "developer", "function", "bot", "agent", "model"),
)


@dataclass(frozen=True, slots=True)
class ConversationMessage:
    """One message as the writer sees it; `speaker` is the person's id, `name` what people call them, if only by id.

    `private_to` is the person who alone may read it, empty where everybody in the space may.
    """

    id: str
    text: str
    speaker: str
    role: str
    at: datetime
    name: str
    private_to: str = ""


@dataclass(frozen=True, slots=True)
class NoteDraft:
    """What a conversation was about; `sources` are the messages whose words it shows."""

    title: str
    summary: str
    participants: tuple[str, ...]
    at: datetime
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FactDraft:
    """One self-contained statement about a person.

    `subject` is `person/attribute`, or `person/name/attribute` for somebody whom the person talked about.
    `start` and `end` are the span of the source message that says it, `at` is when it was said. `named` is that
    somebody as they were called, and `relation` who they are to the person. `replaces` are the ids of known records
    that are over by it, and `change` says how; a `planned` one is no present state yet. `doubts` are the ids of those
    that cannot be true together with it, where only the person can tell which one is. `context` are the other messages
    whose words it repeats.
    """

    type: str
    text: str
    person: str
    subject: str | None
    value: str | None
    confidence: float
    at: datetime
    source: str
    start: int
    end: int
    change: Change = "holds"
    replaces: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    named: str = ""
    relation: str = ""
    area: tuple[str, str] | None = None
    title: str = ""
    context: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionScope:
    """What a writer is to extract from a conversation, and what it may know for that.

    `known` are current records and lines of documents that the conversation may change. `attributes` and `areas` are
    what the preset can file a fact under; `areas` is empty where it has none. A long conversation is read in
    pages of `page` messages, and `earlier` is the note of those before.
    """

    subjects: Mapping[str, SubjectWords] = field(default_factory=dict)
    attributes: tuple[str, ...] = ()
    areas: tuple[tuple[str, str], ...] = ()
    known: tuple[Material, ...] = ()
    has_note: bool = False
    page: int = 30
    earlier: NoteDraft | None = None


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a conversation becomes: its facts, and its note if one was asked for and there is one."""

    facts: tuple[FactDraft, ...] = ()
    note: NoteDraft | None = None


@dataclass(frozen=True, slots=True)
class SubjectWords:
    """An attribute of a person: what a second value does to the first, and the words that name it per language."""

    attribute: str
    rule: SubjectRule
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """A record as the writer sees it; `people` are the ids of those it is about or who took part.

    `kind` is what it was learnt as, and empty for what was only said. `is_current` is False for what was believed once
    and has been replaced. `vector` is the one the store has for it, if any.
    """

    id: str
    text: str
    at: datetime
    kind: str = ""
    title: str = ""
    people: tuple[str, ...] = ()
    subject: str | None = None
    value: str | None = None
    area: str = ""
    confidence: float = 1.0
    validated: bool = False
    is_current: bool = True
    vector: tuple[float, ...] = field(default=(), repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class EntryDraft:
    """One line of a document, with the records that say so, and when and how surely they do."""

    section: str
    text: str
    sources: tuple[str, ...]
    at: datetime | None = None
    validated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentLimits:
    """Whose document it is, and how much fits: lines per section, tokens in all; 0 tokens are no limit."""

    person: str = ""
    lines: Mapping[str, int] = field(default_factory=dict)
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class TopicDraft:
    """What several notes have in common; `sources` are those notes."""

    title: str
    summary: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether two statements about one person exclude each other, and how sure that is, from 0 to 1."""

    contradicts: bool
    certainty: float
    keep: Literal["newer", "older", "ask"] = "newer"


@dataclass(frozen=True, slots=True)
class InsightDraft:
    """Something nobody said but several records suggest; `evidence` says in words why, `sources` are the records."""

    text: str
    evidence: str
    sources: tuple[str, ...]
    confidence: float = 0.7


@dataclass(frozen=True, slots=True)
class ReportDraft:
    """A text about a period, in Markdown, with the records it covers: a reflection or a report."""

    title: str
    text: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NameDraft:
    """A named thing in a text, as an accurate tagger sees it."""

    name: str
    type: str
    start: int
    end: int
    confidence: float = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleSketch:
    """A module of a code base as the writer sees it: paths and names, and the sentence that describes it."""

    module: str
    folder: str
    says: str = ""
    files: tuple[str, ...] = ()
    entry_points: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModuleDraft:
    """What a module is for: a better name and one sentence. `module` and `related` are names in the map so far."""

    module: str
    name: str
    description: str
    related: tuple[str, ...] = ()
