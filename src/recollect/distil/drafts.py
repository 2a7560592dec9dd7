"""The values of distilling: what was said comes in, drafts of notes and facts go out; nothing here is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

SubjectRule = Literal["replace", "series", "goal", "set"]

# Said before a fact's value: it held and does not any more, or it was a goal and has been reached.
ENDED = "not: "
REACHED = "met: "


@dataclass(frozen=True, slots=True)
class Said:
    """One message as the writer sees it; `speaker` is the person's id, `name` what people call them."""

    id: str
    text: str
    speaker: str
    role: str
    at: datetime
    name: str = ""

    @property
    def called(self) -> str:
        """The name to write about the speaker."""
        return self.name or self.speaker


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

    `subject` is `person/attribute`, or `person/name/attribute` for somebody whom the person told about.
    `start` and `end` are the span of the source message that says it, `at` is when it was said.
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


@dataclass(frozen=True, slots=True)
class SubjectWords:
    """An attribute of a person: what a second value does to the first, and the words that name it per language."""

    attribute: str
    rule: SubjectRule
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
