"""Dates that stay true: words like "yesterday" come in with the moment they were said, the day itself goes out.

A fact is read long after it was said, so what was relative to that moment is written as a date; the rest is left alone.
"""

from __future__ import annotations

import re
from datetime import date, datetime

from recollect.lang.grammar import Predicate
from recollect.lang.registry import all_languages, combine_languages, language_of, unite_patterns
from recollect.text.patterns import compile_pattern, join_patterns
from recollect.times.dates import Tense, find_exact_dates

_written = unite_patterns(lambda language: language.dates.written)


def write_absolute_dates(
    text: str, at: datetime, language: str, *, tense: Tense | None = None, within: str = ""
) -> str:
    """The text with its relative times written as dates, seen from the local moment it was said.

    Only a time with one meaning is written: a fact with a wrong date is worse than one with a relative time. A clear
    tense decides which Monday or March is meant, unless the text `within` which it was said is about another time.
    """
    dates = language_of(language).dates
    told, done = [], 0
    for time in find_exact_dates(text, said_at=at, tense=tense, within=within):
        start, words = dates.write(dates, time, text, done)
        told += [text[done:start], words[0].upper() + words[1:] if start == 0 and text[0].isupper() else words]
        done = time.end
    return "".join((*told, text[done:]))


def format_day(day: date, language: str) -> str:
    """A day in words: 3 May 2026, 3 de maio de 2026."""
    return language_of(language).dates.write_day(day)


def remove_written_dates(text: str) -> str:
    """The text without the dates that `write_absolute_dates` wrote into it: what happened, whenever it was."""
    return _written().sub("", text)


_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_unsure = unite_patterns(lambda language: language.extraction.tenses.unsure)
_long_ago = unite_patterns(lambda language: language.extraction.tenses.long_ago)


@combine_languages
def _goes_on() -> re.Pattern[str]:
    """Two events in one predicate; a time may belong to either: "got in and start in September". Case counts."""
    return re.compile(join_patterns(language.extraction.tenses.goes_on for language in all_languages()) or "(?!)")


def detect_tense(predicate: Predicate, language: str) -> Tense | None:
    """The tense of a predicate; None where it is not plain, or where a time in it may be that of something else."""
    signs, words = language_of(language).extraction.tenses, predicate.words
    if predicate.ended or _unsure().search(f"{predicate.adverb} {words}") or _goes_on().search(words):
        return None
    if compile_pattern(signs.ahead).match(words):
        return "future"
    if not compile_pattern(signs.behind).match(words):
        return "present"
    return None if compile_pattern(signs.for_later).search(words) else "past"


def is_of_another_year(text: str, at: datetime) -> bool:
    """Whether a text tells, or may tell, of another year than the one up to or from the moment it was said."""
    return _long_ago().search(text) is not None or any(int(year) != at.year for year in _YEAR.findall(text))
