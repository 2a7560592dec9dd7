"""Dates that stay true: words like "yesterday" come in with the moment they were said, the day itself goes out.

A fact is read long after it was said, so what was relative to that moment is written as a date; the rest is left alone.
"""

from __future__ import annotations

from datetime import date, datetime

from recollect.lang.registry import language_of, unite_patterns
from recollect.times.dates import Tense, dated

_written = unite_patterns(lambda language: language.dates.written)


def anchored(text: str, at: datetime, language: str, *, tense: Tense | None = None, within: str = "") -> str:
    """The text with its relative times written as dates, seen from the local moment it was said.

    Only a time with one meaning is written: a fact with a wrong date is worse than one with a relative time. The tense,
    where it is plain, gives "on Monday" and "in March" theirs, unless what was said `within` tells of another time.
    """
    dates = language_of(language).dates
    told, done = [], 0
    for time in dated(text, said_at=at, tense=tense, within=within):
        start, words = dates.write(dates, time, text, done)
        told += [text[done:start], words[0].upper() + words[1:] if start == 0 and text[0].isupper() else words]
        done = time.end
    return "".join((*told, text[done:]))


def written(day: date, language: str) -> str:
    """A day in words: 3 May 2026, 3 de maio de 2026."""
    return language_of(language).dates.write_day(day)


def undated(text: str) -> str:
    """The text without the dates that `anchored` wrote into it: what happened, whenever it was."""
    return _written().sub("", text)
