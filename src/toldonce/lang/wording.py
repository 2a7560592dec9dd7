"""What Toldonce itself writes beside remembered text, in the language of the person it is for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from toldonce.lang.dates import NAMED, NAMES_A_YEAR, ExactDate
from toldonce.lang.detect import detect_language_of
from toldonce.lang.registry import language_codes, language_of

if TYPE_CHECKING:
    from datetime import date

    from toldonce.lang.base import Language

# As much of somebody's words tells their language; a prompt block has many more.
_ENOUGH_CHARS = 1_000
_HEADING = re.compile(r"(?P<marks>#+ )?(?P<text>.*)")


def stored_language(stored: str) -> str:
    """The code of the language stored with a person, as `pt` or `pt-BR`; "" when it is not one that we know."""
    code = re.split(r"[-_]", stored.strip().lower())[0]
    return code if code in language_codes() else ""


def choose_language(stored: str, said: Iterable[str]) -> Language:
    """The language to write to somebody: the one stored with them, as `pt` or `pt-BR`, or that of their words."""
    return language_of(stored_language(stored) or detect_language_of(said, enough_chars=_ENOUGH_CHARS))


def translate_heading(line: str, language: Language) -> str:
    """A heading of a preset in a language; one that the language does not know is shown as written."""
    parts = _HEADING.fullmatch(line)
    translated = language.texts.headings.get(parts["text"]) if parts else None
    return f"{parts['marks'] or ''}{translated}" if parts and translated else line


def name_section(section: str, language: Language) -> str:
    """The name of a document's section in a language; one that it does not know is shown as it is called."""
    return language.texts.sections.get(section) or section.replace("_", " ").capitalize()


def label_day(day: date, language: Language, *, this_year: int) -> str:
    """A day as a short label, with its year only when that is another one."""
    dates = language.dates
    form = dates.short_day if day.year == this_year else dates.short_day_of_year
    return form.format(month=dates.short_months[day.month - 1], day=day.day, year=day.year)


def gloss_time(time: ExactDate, language: Language, *, this_year: int) -> str:
    """The date of a time in short: May 7, 2023; week of Jun 12; 2022."""
    dates, at = language.dates, time.at
    if time.form in (*NAMES_A_YEAR, *NAMED):
        told = str(at.year)
    elif time.form == "month":
        told = f"{dates.short_months[at.month - 1]} {at.year}"
    else:
        told = label_day(at.date(), language, this_year=this_year)
    return dates.glosses.get("about" if time.is_about else time.form, "{date}").format(date=told)
