"""What depends on a record's kind or on its subject, as rows of two tables that a preset fills."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from recollect.clock import end_of_day
from recollect.fading import remaining_strength
from recollect.records import Record, Visibility

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
    doubted_when_stale: bool = True
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
