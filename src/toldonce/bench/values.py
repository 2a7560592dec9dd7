"""What any data set is made of: collections of passages, and questions with the passages that answer them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

# Who talks to an assistant in sets that do not say it.
PERSON = "user"
Granularity = Literal["turn", "session"]


@dataclass(frozen=True, slots=True)
class BenchTurn:
    """One thing said."""

    text: str
    speaker: str = ""
    role: str = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What a question may be answered from: a message, or a session with all of its messages."""

    id: str
    session: str
    turns: tuple[BenchTurn, ...]
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchQuestion:
    """A question and the passages that answer it.

    `answer` is the expected one, where the set has it, and `rubric` the points that it is judged by; `is_unknown` says
    that the right answer is that it is not known. Without evidence `gold` is empty. `groups` are statements about one
    thing, each as the passages that make it, oldest first; `dated` says that the last of them is known to be the
    newest. `standing` marks a question about something that holds in every prompt.
    """

    id: str
    text: str
    gold: frozenset[str]
    category: str
    at: datetime | None = None
    groups: tuple[frozenset[str], ...] = ()
    dated: bool = False
    standing: bool = False
    answer: str = ""
    rubric: tuple[str, ...] = ()
    is_unknown: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """One memory to fill and the questions to ask of it; `person` is who talks where the turns name no speaker."""

    id: str
    passages: tuple[Passage, ...]
    questions: tuple[BenchQuestion, ...]
    person: str = ""
