"""What a language must show in the conformance suite: sentences of its own for each thing the engines read.

Moments are seen from Wednesday, 18 March 2026, 15:30 in Lisbon. A new language adds a module `samples_<code>.py` with a
value `SAMPLES`; `SAMPLES_OF` finds it by its code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module

from toldonce.lang.registry import language_codes

# The classes of date phrases, and the days they stand for: first day, and the first day after.
DATES: Mapping[str, tuple[str, str]] = {
    "today": ("2026-03-18", "2026-03-19"),
    "yesterday": ("2026-03-17", "2026-03-18"),
    "day before yesterday": ("2026-03-16", "2026-03-17"),
    "tomorrow": ("2026-03-19", "2026-03-20"),
    "day after tomorrow": ("2026-03-20", "2026-03-21"),
    "last week": ("2026-03-09", "2026-03-16"),
    "next month": ("2026-04-01", "2026-05-01"),
    "last year": ("2025-01-01", "2026-01-01"),
    "three days ago": ("2026-03-15", "2026-03-16"),
    "ahead": ("2026-03-21", "2026-03-22"),
    "weekday behind": ("2026-03-13", "2026-03-14"),
    "weekday ahead": ("2026-03-24", "2026-03-25"),
    "weekend": ("2026-03-14", "2026-03-16"),
    "full date": ("2025-05-03", "2025-05-04"),
    "day and month": ("2026-03-03", "2026-03-04"),
    "month": ("2026-01-01", "2026-02-01"),
    "year": ("2024-01-01", "2025-01-01"),
    "season": ("2025-06-01", "2025-09-01"),
    "feast": ("2025-12-24", "2025-12-27"),
    "quarter": ("2024-01-01", "2024-04-01"),
    "decade": ("1990-01-01", "2000-01-01"),
    "numbers": ("2025-03-05", "2025-03-06"),
    "range": ("2026-01-01", "2026-04-01"),
    "week of": ("2026-03-02", "2026-03-09"),
    "last three months": ("2025-12-18", "2026-03-19"),
}
# The names of `recall.asks` functions that a question of this type answers with yes.
QUESTION_TYPES = (
    "is_question", "is_statement", "is_time_question", "is_about_assistant", "is_summary_request", "is_help_request",
    "is_course_question", "is_current_state_question",
)  # fmt: skip
# Attributes that the rules of every language know, and the start of a value where all languages share it.
ATTRIBUTES = (
    "name", "birthday", "age", "weight", "height", "residence", "origin", "employment", "occupation", "marital_status",
    "education", "language", "diet", "allergy", "health", "family", "pet", "likes", "dislikes", "preference", "avoids",
    "habit", "hobby", "goal", "possession", "trait", "household", "work_mode", "email", "phone",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """Sentences of one language; see the tests for what each proves."""

    # Short casual messages, none of which may be taken for another language.
    casual: tuple[str, ...]
    dates: Mapping[str, str]
    # A part of the day that is a habit, and a weekday that comes back: no times.
    no_dates: tuple[str, ...]
    questions: Mapping[str, str]
    # By attribute: what somebody says, and the value it gives.
    facts: Mapping[str, tuple[str, str]]
    # What is asked, supposed or quoted: it says nothing of the speaker.
    no_facts: tuple[str, ...]
    # What Alex says, and how it is told of Alex.
    retold: Mapping[str, str]
    # What ends something, with the attribute and the value it ends.
    ended: Mapping[str, tuple[str, str]]
    # Somebody the speaker names: sentence, text of the draft, value.
    relation: tuple[str, str, str]
    presupposed: tuple[str, str]
    # Instructions with their attribute and what their value holds.
    instructions: Mapping[str, tuple[str, str]]
    no_instructions: tuple[str, ...]
    # Two statements that exclude each other, and two that do not.
    contradiction: tuple[str, str]
    no_contradiction: tuple[str, str]
    yes: str
    no: str
    # An event with a relative day, and its text with the date.
    dated: tuple[str, str]
    # A goal and a sentence that says it was reached.
    goal: tuple[str, str]
    nod: str
    secret: str
    # A sentence in which a place is named, and the place.
    named: tuple[str, str]
    symptom: str
    # What makes a coding session's decision.
    decision: str
    # A word and another of its forms, which have the same stem.
    same_stem: tuple[str, str]
    heading: str


def samples_of(code: str) -> Samples:
    """The samples of a language, by its code."""
    found = import_module(f"tests.lang.samples_{code}").SAMPLES
    assert isinstance(found, Samples)
    return found


CODES = language_codes()
