"""The values that travel through the engine: records, people, spaces, conversations, documents, links, hits.

Nothing here reads a clock, a store or a model.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from typing import Any, Literal

from toldonce.clock import to_micros

State = Literal["active", "doubted", "proposed", "superseded", "expired", "faded", "flagged", "forgotten"]
Visibility = Literal["private", "team", "project"]
LinkType = Literal["derived_from", "supersedes", "doubts", "judged", "depends_on", "caused_by", "related_to", "part_of"]
Origin = Literal["conversation", "user_input", "ai_inference", "import", "journal"]

LOCAL_TENANT = "local"
PERSONAL = "@"


class Trust(IntEnum):
    """How far a text may be believed, by who brought it; a derived record has the least of its sources'."""

    EXTERNAL = 0
    TOOL = 1
    AGENT = 2
    PERSON = 3


def attribute_of(subject: str | None) -> str:
    """The attribute that a subject ends with, `person/attribute` or `person/name/attribute`; "" when there is none."""
    return (subject or "").rpartition("/")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One remembered thing: a message, or derived from messages; `superseded_by` ended it, or probably did."""

    id: str
    kind: str
    text: str
    at: datetime
    created_at: datetime
    space: str
    tenant: str = LOCAL_TENANT
    user: str | None = None
    session: str | None = None
    channel: str | None = None
    branch: str | None = None
    visibility: Visibility = "private"
    role: str = "user"
    author: str = ""
    title: str = ""
    summary: str = ""
    subject: str | None = None
    state: State = "active"
    state_reason: str = ""
    state_at: datetime | None = None
    superseded_by: str | None = None
    confidence: float = 1.0
    validated: bool = False
    pinned: bool = False
    origin: Origin = "conversation"
    made_by: str = "person"
    trust: Trust = Trust.PERSON
    conversation: str | None = None
    expires_at: datetime | None = None
    accessed_at: datetime | None = None
    access_count: int = 0
    faded_at: datetime | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    notices: tuple[str, ...] = field(default=(), compare=False)

    @property
    def is_current(self) -> bool:
        """Whether the record counts now, as far as its state says."""
        return self.state == "active"

    @property
    def participants(self) -> tuple[str, ...]:
        """The ids of those who took part, as the metadata lists them; anything but a list of texts names nobody."""
        named = self.metadata.get("participants")
        return tuple(one for one in named if isinstance(one, str)) if isinstance(named, list | tuple) else ()


@dataclass(frozen=True, slots=True)
class RecordCount:
    """How many records there are of one kind, state and area ("" is none), their newest moment, how many validated."""

    kind: str
    state: State
    area: str
    count: int
    newest: datetime
    validated: int = 0


@dataclass(frozen=True, slots=True)
class Activity:
    """What came in one stretch of time: messages, what was learned, and what people changed."""

    since: datetime
    messages: int = 0
    learned: int = 0
    changed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One moment in a record's life, as `history` shows it."""

    record: str
    at: datetime
    action: str
    state: State
    reason: str = ""
    by: str = ""
    other: str | None = None


@dataclass(frozen=True, slots=True)
class History:
    """A record, its changes, and the chain of records it replaced or was replaced by, oldest first; `related` are about
    the same people or things and count, `doubted` are shown under it, `models` made vectors of it.
    """

    record: Record
    changes: tuple[Change, ...]
    chain: tuple[Record, ...]
    related: tuple[Record, ...] = ()
    models: tuple[str, ...] = ()
    doubted: tuple[Record, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One line of a timeline: a record was added or changed; `other` is the record that replaced it."""

    at: datetime
    action: str
    record: Record
    reason: str = ""
    by: str = ""
    other: Record | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A Markdown text for people about a period, with the records it covers; `record` is the stored one, if any."""

    about: str
    title: str
    text: str
    since: datetime
    until: datetime
    sources: tuple[str, ...] = ()
    made_by: str = ""
    record: Record | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import brought: how many things were read, how many were new, and why others were left out.

    An export is read line by line and does not tell how many of its lines were new. Of other formats it also says what
    came of each kind and person, from when to when, how many secrets were redacted, and the places that are damaged.
    In a preview `kept` is what would be new.
    """

    what: str
    read: int
    kept: int | None = None
    left_out: Mapping[str, int] = field(default_factory=dict)
    kinds: Mapping[str, int] = field(default_factory=dict)
    people: Mapping[str, int] = field(default_factory=dict)
    first_at: datetime | None = None
    last_at: datetime | None = None
    secrets: int = 0
    problems: tuple[str, ...] = ()
    is_preview: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A backup or an export that was written to a path of the caller's choice."""

    path: str
    what: Literal["backup", "export"]
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupFile:
    """A copy of the memory beside it: where, how large, and when it was made."""

    path: str
    bytes: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """The receipt of an erasure.

    `traces` says where something of the person is still found, `pending` what could not be done yet and is left to
    the job `erase_rest`, and `copies` which backups and exports elsewhere still exist. `searched` counts the words and
    names that the bytes of all `files` of the memory were searched for.
    """

    removed: int
    traces: Mapping[str, int] = field(default_factory=dict)
    pending: tuple[str, ...] = ()
    copies: tuple[Copy, ...] = ()
    searched: int = 0
    files: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether nothing of the person is left in the files of this memory."""
        return not self.traces and not self.pending


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One line of the audit log: who did what, when, where, and through which interface."""

    space: str
    at: datetime
    actor: str
    interface: str
    action: str
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A typed edge from one record to another."""

    source: str
    target: str
    type: LinkType
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Someone who speaks or is remembered in a space."""

    id: str
    space: str
    username: str = ""
    display_name: str = ""
    zone: str = ""
    language: str = ""
    blocked: bool = False
    seen_at: datetime | None = None

    @property
    def name(self) -> str:
        """What to call the person in a prompt."""
        return self.display_name or self.username or self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """What a person agreed to, or no longer agrees to: when, by which means, and in which words."""

    user: str
    purpose: str
    is_given: bool
    at: datetime
    means: str = ""
    wording: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """Where memory lives: a chat server, a project, a robot, one person's assistant."""

    name: str
    preset: str
    zone: str = "UTC"
    enabled: bool = True
    preset_text: str | None = None
    created_at: datetime | None = None
    deleted_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Messages that belong together and wait to be settled, or were."""

    id: str
    space: str
    key: str
    user: str | None
    session: str | None
    channel: str | None
    started_at: datetime
    updated_at: datetime
    messages: int
    state: Literal["open", "ended", "settled"] = "open"
    ended_by: str = ""
    settled_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentEntry:
    """One line of a document with the records it came from, and the doubted ones that are shown under it."""

    section: str
    text: str
    sources: tuple[str, ...] = ()
    at: datetime | None = None
    doubted: tuple[Record, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One current text per scope, versioned, with sources per entry: a profile, the compact user memory, a code map."""

    name: str
    owner: str
    space: str
    version: int
    entries: tuple[DocumentEntry, ...]
    at: datetime
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A named thing with its aliases and how often it was mentioned."""

    id: str
    name: str
    type: str
    space: str
    aliases: tuple[str, ...] = ()
    mentions: int = 0
    records: tuple[Record, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityLink:
    """Two entities, by their ids, and how many records mention both."""

    one: str
    other: str
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityGraph:
    """Entities, those with most mentions first, and which of them are mentioned together."""

    entities: tuple[Entity, ...] = ()
    links: tuple[EntityLink, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A doubt to put to the person: two records that cannot both hold, or one that needs a yes."""

    id: str
    space: str
    user: str | None
    text: str
    older: str
    newer: str
    created_at: datetime
    answered_at: datetime | None = None
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a line is in a prompt block, or why a record is not: a code with its values, for any language."""

    code: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        told = (" ".join(map(str, value)) if isinstance(value, list) else str(value) for value in self.values.values())
        found = ", ".join(filter(None, told))
        return f"{self.code.replace('_', ' ')} ({found})" if found else self.code.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Signal:
    """One way in which a record was found: which signal, at which rank, and what matched."""

    name: str
    rank: int
    weight: float
    detail: str = ""

    @property
    def reason(self) -> Reason:
        """The same as a code with values."""
        matched = {"matched": self.detail.split(", ")} if self.detail else {}
        return Reason(self.name, {"rank": self.rank, **matched})


@dataclass(frozen=True, slots=True)
class Why:
    """Why a hit was recalled: the signals that found it and the parts of its score."""

    signals: tuple[Signal, ...] = ()
    parts: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        found = ", ".join(f"{s.name} #{s.rank}{f' ({s.detail})' if s.detail else ''}" for s in self.signals)
        return found or ("its place beside a hit" if self.parts else "always shown")

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The same as codes with values."""
        found = tuple(signal.reason for signal in self.signals)
        return found or (Reason("beside" if self.parts else "always"),)


@dataclass(frozen=True, slots=True)
class Hit:
    """A recalled record, how well it fits (0 to 1), and why; `doubted` are older ones that it probably ends."""

    record: Record
    score: float
    why: Why = field(default_factory=Why)
    doubted: tuple[Record, ...] = ()


class Hits(list[Hit]):
    """Hits, best first; `left_out` says why others were if asked to, `waiting` counts a few that have no vector yet."""

    def __init__(self, hits: Iterable[Hit] = (), left_out: Mapping[str, str] | None = None, waiting: int = 0) -> None:
        super().__init__(hits)
        self.left_out, self.waiting = left_out or {}, waiting


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Why a record was not recalled for a question, in words, with the stage that left it out."""

    found: bool
    stage: str
    reason: str


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the caller knows about where a question belongs: lines to show, and files or folders ("/" at the end) whose
    memories are shown. `correct` is applied to the lines of the space's documents; one that becomes empty is left out.
    """

    lines: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    correct: Callable[[str], str] = str


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockSection:
    """One section of a prompt block: its heading, where its lines come from, its size and its limits; 0 is none."""

    heading: str
    source: str
    tokens: int
    most_tokens: int = 0
    most_lines: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockLine:
    """One line of a prompt block: its cost, why it is there, what it shows, and its chance to help if it was found.

    `section` is a place in the sections of the block; None is the frame around them. `record` is what the line shows,
    or the newest record that it was written from; `sources` are all of these.
    """

    text: str
    tokens: int
    section: int | None = None
    reasons: tuple[Reason, ...] = ()
    record: str | None = None
    sources: tuple[str, ...] = ()
    question: str | None = None
    chance: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A record that was considered for a prompt block and is not in it: what it would cost, its chance, and why."""

    record: Record
    tokens: int
    reason: Reason
    chance: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionReading:
    """How a message was read: names that are known, times, attributes of people, topics, and what it asks for."""

    names: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    language: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """A prompt block: its text, its size in tokens, the hits inside it, what was left out, and questions to ask.

    `lines` are its lines in order: their tokens add up to `tokens`. `left_out` and `reading` are there for a block that
    was asked to explain itself.
    """

    text: str
    tokens: int
    hits: tuple[Hit, ...] = ()
    questions: tuple[Question, ...] = ()
    dropped: tuple[tuple[str, str], ...] = ()
    budget: int = 0
    lines: tuple[BlockLine, ...] = ()
    sections: tuple[BlockSection, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    reading: QuestionReading | None = None


_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
# Two digits at a time: every record has an id.
_PAIRS = tuple(first + second for first in _ALPHABET for second in _ALPHABET)
_lock = threading.Lock()
_last = 0


def new_id(prefix: str, now: datetime) -> str:
    """An id that carries its kind's prefix and sorts by the moment it was made, also within one millisecond."""
    global _last
    with _lock:
        _last = stamp = max(to_micros(now), _last + 1)
    return f"{prefix}_{_encode_base32(stamp, 11)}{_encode_base32(secrets.randbits(50), 10)}"


def known_id(prefix: str, at: datetime, told: str) -> str:
    """An id that is always the same for the same thing, for what comes from elsewhere and may come again."""
    digest = int.from_bytes(hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=8).digest())
    return f"{prefix}_{_encode_base32(max(0, to_micros(at)), 11)}{_encode_base32(digest, 10)}"


def _encode_base32(number: int, width: int) -> str:
    digits = []
    for _ in range(width // 2):
        digits.append(_PAIRS[number & 1023])
        number >>= 10
    if width % 2:
        digits.append(_ALPHABET[number & 31])
    return "".join(reversed(digits))


def personal_space(user: str) -> str:
    """The space of a person's own memory, read together with the current space."""
    return PERSONAL + user


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantQuota:
    """How much one tenant may store in all spaces together, how fast, and what models may cost a day; 0 is no limit.

    Bytes are those of the texts; the cost is in the currency of the prices in the settings.
    """

    records: int = 0
    bytes: int = 0
    writes_per_minute: int = 0
    model_cost_per_day: float = 0.0

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            kinds = (int, float) if name == "model_cost_per_day" else (int,)
            if isinstance(value, bool) or not isinstance(value, kinds) or not 0 <= value < float("inf"):
                raise ValueError(f"{name} must be a number, 0 for no limit")

    @property
    def limits_writing(self) -> bool:
        """Whether a write has to be checked."""
        return bool(self.records or self.bytes or self.writes_per_minute)
