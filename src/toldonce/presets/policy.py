"""What a preset says, as values: its kinds and all else that the five TOML files, or a file of the user's, may hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal, get_args

from toldonce.clock import end_of_day, same_day
from toldonce.errors import UnknownKind
from toldonce.fading import remaining_strength
from toldonce.records import Conversation, Record, Visibility

Ending = Literal["quiet", "longest", "session_switch", "session_end", "day"]
SignalName = Literal["words", "vectors", "entities", "time", "subjects"]
# Patterns to skip a message look at this many characters of it.
SKIP_CHARS = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturePolicy:
    """Which messages are taken in, as which kind, and within which limits."""

    kind: str
    roles: tuple[str, ...] = ("user", "assistant")
    skip: tuple[str, ...] = ()
    max_records_per_session: int = 0
    redact_secrets: bool = True
    junk_above: float = 1.0

    def __post_init__(self) -> None:
        for pattern in self.skip:
            # Shipped presets have none, so most processes need not load the check.
            from toldonce.presets.pattern_check import find_risk

            if risk := find_risk(pattern):
                raise ValueError(f"skip: the pattern {pattern[:80]!r} cannot be used: {risk}")

    def is_skipped(self, text: str) -> bool:
        """Whether a skip rule keeps a message out, of capture and of recall alike."""
        return any(pattern.search(text, 0, SKIP_CHARS) for pattern in _compile_skip_patterns(self.skip))


@lru_cache(maxsize=64)
def _compile_skip_patterns(skip: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern) for pattern in skip)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationPolicy:
    """What holds messages together, what ends a conversation, and how many turns stay in the prompt."""

    key: Literal["channel", "session", "user"]
    ends: tuple[Ending, ...]
    quiet: timedelta = timedelta(minutes=25)
    longest: timedelta = timedelta(hours=2)
    window_turns: int = 5
    page: int = 30

    @property
    def window_messages(self) -> int:
        """Messages in the turns that stay in the prompt: one turn is a person's message and the answer."""
        return 2 * self.window_turns

    def key_for(self, *, user: str | None, session: str | None, channel: str | None) -> str:
        """What holds messages together: the preset's choice, else the next thing that was given."""
        parts = {"channel": channel, "session": session, "user": user}
        order = (self.key, "session", "channel", "user")
        return next((f"{name}:{parts[name]}" for name in order if parts[name] is not None), "all")

    def find_ending(self, conversation: Conversation, *, at: datetime, zone_name: str) -> Ending | None:
        """Why a message at that moment cannot join the conversation any more, if so."""
        if "longest" in self.ends and at - conversation.started_at >= self.longest:
            return "longest"
        if "quiet" in self.ends and at - conversation.updated_at >= self.quiet:
            return "quiet"
        is_later = at > conversation.updated_at
        if "day" in self.ends and is_later and not same_day(conversation.updated_at, at, zone_name):
            return "day"
        return None

    def next_ending(self, *, updated_at: datetime, zone_name: str) -> tuple[datetime, Ending] | None:
        """When a conversation ends if nobody says anything more, and by which rule."""
        ends: list[tuple[datetime, Ending]] = []
        if "quiet" in self.ends:
            ends.append((updated_at + self.quiet, "quiet"))
        if "day" in self.ends:
            ends.append((end_of_day(updated_at, zone_name), "day"))
        return min(ends) if ends else None


@dataclass(frozen=True, slots=True, kw_only=True)
class DistilPolicy:
    """What a finished conversation becomes."""

    steps: tuple[Literal["note", "facts", "statements", "documents"], ...] = ()
    note_kind: str = ""
    note_by: Literal["writer", "rules"] = "writer"
    topic_kind: str = ""
    insight_kind: str = ""
    reflection_kind: str = ""
    report_kind: str = ""
    kinds: Mapping[str, str] = field(default_factory=dict)
    statements: Mapping[str, str] = field(default_factory=dict)
    jaccard: float = 0.75
    demoted_to: float = 0.3
    when_model_fails: Literal["rules", "wait"] = "rules"
    seed_kind: str = ""
    cosine: float = 0.0
    overturns: tuple[str, ...] = ()
    # Attributes, topics and areas of life: a doubt about one of them is asked.
    asks: tuple[str, ...] = (
        "health", "allergy", "medication", "condition", "symptom", "care", "diet", "mental_health",
        "home", "residence", "household", "work", "job", "employment", "occupation",
        "family", "pet", "partner", "couple", "marital_status", "plan", "goal",
    )  # fmt: skip
    max_facts: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPolicy:
    """A document's sections in order, and which drafts or attributes go into each.

    `topics` says for a section which statements go there as well, by what they are about. `limits` are the sections
    with a maximum of their own. Lines of a `passing` section go when the day that they name is over, or after that
    time. `tokens` is the maximum for all lines, the last sections being cut first; 0 is no limit.
    """

    sections: Mapping[str, tuple[str, ...]]
    topics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    per: Literal["person", "space"] = "person"
    entries_per_section: int = 12
    limits: Mapping[str, int] = field(default_factory=dict)
    passing: Mapping[str, timedelta] = field(default_factory=dict)
    tokens: int = 0

    def limit_of(self, section: str) -> int:
        """The maximum of lines in a section."""
        return self.limits.get(section, self.entries_per_section)


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """An area of life: its name per language, its mark on a page, and its sub-areas with the attributes of each."""

    label: Mapping[str, str]
    icon: str = ""
    colour: str = ""
    sub_areas: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallPolicy:
    """Which signals search, what each weighs, and how the final score is made of parts that add up to one.

    What has a smaller chance to help than `min_score`, or than the share `min_share` of the best one's chance, is left
    out where nobody asks for another minimum, unless it holds every word of the question.
    """

    signals: Mapping[str, float]
    ranker: Literal["evidence", "reciprocal"] = "evidence"
    rrf_k: int = 60
    score: Mapping[str, float] = field(default_factory=lambda: {"fused": 1.0})
    diversity: float = 0.0
    limit: int = 5
    min_score: float = 0.05
    min_share: float = 0.0
    candidates: int = 50
    frequent_at: int = 20

    def __post_init__(self) -> None:
        known = set(get_args(SignalName))
        if not self.signals or set(self.signals) - known:
            raise ValueError(f"signals must be some of {', '.join(sorted(known))}")
        parts = {"fused", "similarity", "recency", "frequency"}
        if set(self.score) - parts or abs(sum(self.score.values()) - 1) > 1e-6:
            raise ValueError(f"score must weigh some of {', '.join(sorted(parts))} and add up to 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One part of the prompt block: where its lines come from and how each is written.

    What a search finds competes for its place over all sections, so these are only headings; the others take at most
    `tokens`. With `max_days`, records that are older are left out.
    """

    source: Literal["search", "always", "newest", "window", "profiles", "document", "questions"]
    line: str = "- {text}"
    open: str = ""
    close: str = ""
    heading: str = ""
    kinds: tuple[str, ...] = ()
    document: str = ""
    limit: int = 5
    tokens: int = 0
    mentioned: int = 3
    participants: int = 3
    exclude_session: bool = True
    max_days: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPolicy:
    """The prompt block: its budget, its frame and its sections in order of importance."""

    budget: int
    sections: tuple[Section, ...]
    open: str = ""
    close: str = ""
    once_per_session: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A job that comes back by the clock, for the whole space or for each person in their own zone.

    With `at_exit` it also runs when an agent's session ends and when a server of the memory stops.
    """

    job: str
    cron: str
    per: Literal["space", "person"] = "space"
    catch_up: bool = False
    timeout: timedelta = timedelta(minutes=5)
    retries: int = 3
    at_exit: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GracePolicy:
    """How long what is no longer valid stays restorable before it is purged; nothing said means for ever."""

    forgotten: timedelta | None = None
    expired: timedelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """How much may be stored and how fast it may be written in a space; 0 is no limit.

    Bytes are those of the texts. A person's limits also hold, together, for what has no owner.
    """

    records_per_person: int = 0
    bytes_per_person: int = 0
    records_per_space: int = 0
    bytes_per_space: int = 0
    writes_per_minute: int = 0

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise ValueError(f"{name} must be a whole number, 0 for no limit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """One way to run the engine."""

    name: str
    title: str
    about: str
    kinds: Mapping[str, Kind]
    capture: CapturePolicy
    conversation: ConversationPolicy
    recall: RecallPolicy
    context: ContextPolicy
    subjects: Mapping[str, Subject] = field(default_factory=dict)
    distil: DistilPolicy = field(default_factory=DistilPolicy)
    documents: Mapping[str, DocumentPolicy] = field(default_factory=dict)
    areas: Mapping[str, Area] = field(default_factory=dict)
    schedules: tuple[Schedule, ...] = ()
    grace: GracePolicy = field(default_factory=GracePolicy)
    quota: Quota = field(default_factory=Quota)
    tools: tuple[str, ...] = ()
    tool_kinds: tuple[str, ...] = ()
    default_kind: str = ""
    first_steps: tuple[str, ...] = (
        'toldonce remember "Alex is vegetarian" --user alex',
        'toldonce observe "I moved to Lisbon last week" --user alex --session monday',
        "toldonce settle --session monday",
        'toldonce recall "where does Alex live?"',
    )

    def kind(self, name: str) -> Kind:
        """The row of a kind, by its name or the preset's own word for it."""
        if not isinstance(name, str):
            raise UnknownKind(f"a kind is named by a text, not {type(name).__name__}")
        if name in self.kinds:
            return self.kinds[name]
        for row in self.kinds.values():
            if name in row.aliases:
                return row
        raise UnknownKind(f"the {self.name} preset has no kind {name!r}; it has {', '.join(sorted(self.kinds))}")

    def kind_or_default(self, name: str) -> Kind:
        """The row of a record's kind; one of another preset, as in a person's own space, counts as the default."""
        return self.kinds.get(name) or self.kinds.get(self.default_kind) or next(iter(self.kinds.values()))

    def kinds_of_tier(self, *tiers: str) -> tuple[str, ...]:
        """The names of all kinds of these tiers."""
        return tuple(name for name, row in self.kinds.items() if row.tier in tiers)

    def area_of(self, attribute: str) -> tuple[str, str] | None:
        """The area of life and the sub-area that an attribute of a person belongs to; None when no area says so."""
        for name, area in self.areas.items():
            for sub_area, attributes in area.sub_areas.items():
                if attribute in attributes:
                    return name, sub_area
        return None


Author = Literal["person", "agent", "system"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """The policy row of one kind of record."""

    prefix: str
    name: str = ""
    aliases: tuple[str, ...] = ()
    label: str = ""
    expiry: Literal["never", "after", "end_of_day"] = "never"
    lasts: timedelta | None = None
    fading: Literal["nothing", "rank", "confidence"] = "nothing"
    half_life: timedelta | None = None
    hide_below: float = 0.0
    conflict: Literal["replace", "demote", "ask", "coexist"] = "coexist"
    tier: Literal["always", "task", "demand", "never"] = "task"
    visibility: Mapping[str, Visibility] = field(default_factory=dict)
    confidence: Mapping[str, float] = field(default_factory=dict)
    writers: tuple[Author, ...] = ("person", "agent", "system")
    max_chars: int = 200_000
    embedded: bool = True
    weight: float = 1.0
    confirming_adds: float = 0.1
    outdated_when_stale: bool = True
    protected: bool = False

    def __post_init__(self) -> None:
        if (self.expiry == "after") != (self.lasts is not None):
            raise ValueError("`lasts` goes with expiry = 'after', and only with it")
        if self.fading != "nothing" and self.half_life is None:
            raise ValueError(f"fading = {self.fading!r} needs a half_life")
        if not self.prefix.isalnum():
            raise ValueError("`prefix` must be letters and digits")

    @property
    def shown_as(self) -> str:
        """The preset's own word for this kind, as tools and people see it."""
        return self.aliases[0] if self.aliases else self.name

    def visibility_for(self, author: Author) -> Visibility:
        """Who sees a record of this kind by default, by who wrote it."""
        return self.visibility.get(author, self.visibility.get("default", "private"))

    @property
    def ranking_half_life_seconds(self) -> float | None:
        """The half-life by which age lowers a record's rank; None for kinds whose rank does not fade."""
        return self.half_life.total_seconds() if self.half_life and self.fading == "rank" else None

    def confidence_for(self, origin: str) -> float:
        """How sure a record of this kind is at first, by where it comes from."""
        return self.confidence.get(origin, self.confidence.get("default", 1.0))

    def expires_at(self, at: datetime, zone_name: str) -> datetime | None:
        """When a record of this kind stops being valid."""
        if self.expiry == "end_of_day":
            return end_of_day(at, zone_name)
        return at + self.lasts if self.lasts else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The policy row of one attribute of a person: what a second, different value does, and the words that name it.

    Without a rule values are compared by their words alone. What is protected never fades.
    """

    rule: Literal["replace", "series", "goal", "set", "opposite"] | None = None
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    protected: bool = False


def is_fading(record: Record) -> bool:
    """Whether time may weaken the record: what a person validated or pinned stays."""
    return not (record.pinned or record.validated)


@dataclass(frozen=True, slots=True)
class Standing:
    """How sure a record was when it was last used, confirmed or set, and when that was: fading counts from there."""

    confidence: float
    since: datetime


def standing_of(record: Record, before: Standing | None) -> Standing:
    """What the confidence of a record fades from; `before` is what it faded from so far, None when it has not yet."""
    marks = (record.accessed_at, record.at, before.since if before else record.faded_at)
    since = max(mark for mark in marks if mark is not None)
    return Standing(before.confidence if before else record.confidence, since)


def faded_confidence(standing: Standing, kind: Kind, *, now: datetime) -> float:
    """What time has left of a confidence: it depends on the time since the last use, not on how often this runs."""
    half_life = kind.half_life.total_seconds() if kind.half_life else None
    age_seconds = (now - standing.since).total_seconds()
    return standing.confidence * remaining_strength(age_seconds=age_seconds, half_life_seconds=half_life)
