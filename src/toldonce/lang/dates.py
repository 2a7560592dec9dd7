"""How dates are written into a sentence: the parts of a date that languages share, and what each gives for itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

NAMES_A_YEAR = ("year", "number", "feast", "long feast")
_GLOSSES = {"week": "week of {date}", "weekend": "weekend of {date}", "about": "around {date}"}
# They keep their words and get their year: March 2026, 3 March 2026, March 3rd, 2026.
NAMED = ("named month", "named day")


@dataclass(frozen=True, slots=True)
class ExactDate:
    """A relative time and its place: the local moment at which it begins, or which it lies around.

    `form` is a day, a part of one, a week, weekend, month or year; a feast, which may be long, keeps its name and gets
    its year, and so does a named month or day of one; a number is that of a year, in a text that names the rest of the
    date.
    """

    start: int
    end: int
    at: datetime
    form: str
    is_about: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Dates:
    """How a language writes a date where a relative time stood.

    `write` gets the language's dates, the time, the text and the place before which nothing may be changed; it gives
    the place at which the words to replace begin, and what to write instead.
    """

    months: tuple[str, ...]
    # Parts of the day by the hour at which they begin.
    parts: Mapping[int, str]
    # What joins day, month and year: "3 May 2026", "3 de maio de 2026".
    joint: str
    write: Callable[[Dates, ExactDate, str, int], tuple[int, str]]
    # A day as a label beside a line, without and with its year.
    short_months: tuple[str, ...]
    # From Monday on.
    short_weekdays: tuple[str, ...]
    short_day: str = "{month} {day}"
    short_day_of_year: str = "{month} {day}, {year}"
    # The date of a time, for the brackets behind its words; by its form, and where it lies around the date.
    glosses: Mapping[str, str] = field(default_factory=lambda: dict(_GLOSSES))
    # Verbs after a time of which something is said: "last Sunday was fun".
    verbs: str = "(?!)"
    # What says which year's feast is meant, before and after its name.
    steps: str = "(?!)"
    # The dates that `write` writes, with the words before them.
    written: str = ""

    def write_day(self, day: date) -> str:
        """A day in words."""
        return f"{day.day}{self.joint}{self.months[day.month - 1]}{self.joint}{day.year}"

    def write_date(self, time: ExactDate) -> str:
        """The date of a time: a day, a month or a year."""
        if time.form in NAMES_A_YEAR:
            return str(time.at.year)
        month = f"{self.months[time.at.month - 1]}{self.joint}{time.at.year}"
        return month if time.form == "month" else self.write_day(time.at.date())

    def part_of(self, time: ExactDate) -> str:
        """The name of the part of the day at which a time begins."""
        return self.parts.get(time.at.hour, "")

    def feast_of(self, time: ExactDate, text: str) -> str:
        """The name of a feast, without the words that say which year's."""
        return re.sub(self.steps, "", text[time.start : time.end], flags=re.I)

    def is_subject(self, time: ExactDate, text: str, start: int) -> bool:
        """Whether something is said of the time itself: "last Sunday was fun"."""
        is_verb = re.compile(rf" (?:{self.verbs}) ", re.I).match(text, time.end) is not None
        return text[:start].rstrip()[-1:] in ("", *",;:.!?–—-") and is_verb
