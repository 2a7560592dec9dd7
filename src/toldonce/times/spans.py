"""Stretches of local time by the calendar: weeks, months, seasons and days seen from the moment a text was said.

Local aware moments go in and come out, so that days keep their true length when clocks change; no text is read here
but the sentence around a place, for its tense.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Literal

from toldonce.text.patterns import Phrase
from toldonce.times.lexicon import is_day_first, lexicon_tables
from toldonce.times.phrases import time_patterns

Ends = tuple[datetime, datetime]
Fixed = tuple[Literal["unit", "about", "centre", "feast", "year"], Literal["", "ahead", "done", "since"]]
DAY = timedelta(days=1)
_SENTENCE_END = re.compile(r"[.!?\n;]")
_SENTENCE_REACH = 240

# How a relative time may be written as a date where it has one meaning only: the calendar unit it names, a date that it
# lies around, the year of that date, the feast with its year, or the number of the year that it names in words.
# The second part is what the sentence must show first: that it looks ahead, that something is over and done, or that
# all since then is meant, which can only be the last one.
UNIT: Fixed = ("unit", "")
UNIT_AHEAD: Fixed = ("unit", "ahead")
UNIT_SINCE: Fixed = ("unit", "since")
FEAST: Fixed = ("feast", "")
YEAR: Fixed = ("year", "")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of local time, exclusive of `last`; `yearly` gives its other years where the text named none.

    `fixed` says how it may be written as a date; None where the text gives a date already, or where the reading is wide
    or one of several: good enough to search by, not to state.
    """

    first: datetime
    last: datetime
    grain: str
    certainty: float
    yearly: Callable[[int], Ends] | None = None
    weekly: bool = False
    fixed: Fixed | None = None


@dataclass(frozen=True, slots=True)
class TimeContext:
    """What reading a time needs: the text, its folded form and the local moment at which it was said."""

    text: str
    folded: str
    now: datetime
    southern: bool

    @property
    def today(self) -> datetime:
        return self.now.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)

    @property
    def is_day_first(self) -> bool:
        """Whether a date in numbers begins with the day, by the text's language."""
        return is_day_first(self.text, self.folded)

    def words_before(self, place: int, *, floor: int = 0) -> str:
        """The words right before this place, as far as they belong to no earlier time."""
        return self.folded[max(floor, place - 32, 0) : place]

    def is_preceded_by(self, phrase: Phrase, place: int) -> bool:
        return phrase.search(self.words_before(place)) is not None

    def is_capital(self, place: int) -> bool:
        return self.text[place].isupper()

    def is_future(self, place: int) -> bool:
        """Whether the sentence around this place looks ahead, or a deadline is set right here."""
        if self.is_preceded_by(time_patterns().deadline, place):
            return True
        return _stands_within(time_patterns().future, self.folded, *self._sentence(place))

    def looks_ahead(self, place: int) -> bool:
        """Whether anything in the sentence around this place is about the future, including plans."""
        return _stands_within(time_patterns().looks_ahead, self.folded, *self._sentence(place))

    def _sentence(self, place: int) -> tuple[int, int]:
        low, high = max(0, place - _SENTENCE_REACH), place + _SENTENCE_REACH
        start = max(low, *(self.folded.rfind(mark, low, place) + 1 for mark in ".!?\n;"))
        end = _SENTENCE_END.search(self.folded, place, high)
        return start, end.start() if end else high


def _stands_within(phrase: Phrase, folded: str, start: int, end: int) -> bool:
    return any(start <= first and last <= end for first, last in _find_phrase(phrase, folded))


@lru_cache(maxsize=16)
def _find_phrase(phrase: Phrase, folded: str) -> tuple[tuple[int, int], ...]:
    """Where a phrase is in a text: looked for once, however many times the text names."""
    return tuple(match.span() for match in phrase.finditer(folded, len(folded)))


def shift_day(day: datetime, count: int, *, unit: str) -> datetime:
    """The same local time some units later, on the month's last day where that day does not exist."""
    if unit in ("day", "week", "weekend"):
        return day + count * (DAY if unit == "day" else 7 * DAY)
    months = {"month": 1, "quarter": 3, "semester": 6, "year": 12, "decade": 120}[unit] * count
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return day.replace(year=year, month=month + 1, day=min(day.day, monthrange(year, month + 1)[1]))


def unit_start(day: datetime, unit: str) -> datetime:
    """The midnight at which the calendar unit around this day begins; a weekend belongs to the week before it."""
    if unit in ("week", "weekend"):
        return day - day.weekday() * DAY + (5 * DAY if unit == "weekend" else 0 * DAY)
    if unit == "day":
        return day
    months = {"month": 1, "quarter": 3, "semester": 6, "year": 12}[unit]
    return day.replace(month=(day.month - 1) // months * months + 1, day=1)


def calendar_span(
    scene: TimeContext, unit: str, *, shift: int, certainty: float = 0.95, fixed: Fixed | None = None
) -> Span:
    """The calendar unit `shift` units away from the current one."""
    first = shift_day(unit_start(scene.today, unit), shift, unit=unit)
    last = first + 2 * DAY if unit == "weekend" else shift_day(first, 1, unit=unit)
    return Span(first, last, unit, certainty, fixed=fixed)


def rolling_span(scene: TimeContext, unit: str, *, count: int, certainty: float = 0.9) -> Span:
    """From `count` units ago to the end of today, or from today on when the count is positive."""
    if unit == "hour":
        now = scene.now.astimezone(UTC)
        ends = sorted((now, now + timedelta(hours=count)))
        return Span(ends[0], ends[1], unit, certainty)
    other = shift_day(unit_start(scene.today, unit) if unit == "weekend" else scene.today, count, unit=unit)
    return Span(min(other, scene.today), max(other, scene.today) + DAY, unit, certainty)


def point_span(scene: TimeContext, unit: str, *, count: int, vague: bool = False, lasting: bool = False) -> Span:
    """Around `count` units from now: half a unit to either side, more when the number is vague.

    `lasting` is for words that may also tell how long something has gone on.
    """
    if unit == "hour":
        centre = scene.now.astimezone(UTC) + timedelta(hours=count)
        return Span(centre - DAY / 48, centre + DAY / 48, unit, 0.8)
    if vague:
        ends = sorted(shift_day(scene.today, round(count * share), unit=unit) for share in (0.5, 1.5))
        return Span(ends[0], ends[1] + DAY, unit, 0.6)
    if unit in ("weekend", "quarter"):
        return calendar_span(scene, unit, shift=count, certainty=0.85)
    centre = shift_day(scene.today, count, unit=unit)
    fixed: Fixed = ("centre" if unit == "year" and abs(count) == 1 else "about", "done" if lasting else "")
    if unit == "year":
        return Span(shift_day(centre, -6, unit="month"), shift_day(centre, 6, unit="month"), unit, 0.75, fixed=fixed)
    reach = _REACH[unit]
    certainty = 0.95 if unit == "day" else 0.8
    return Span(centre - reach * DAY, centre + (reach + 1) * DAY, unit, certainty, fixed=fixed)


_REACH = {"day": 0, "week": 3, "month": 15}


def span_centre(span: Span) -> datetime:
    """The day that `point_span` counted to."""
    return shift_day(span.first, 6, unit="month") if span.grain == "year" else span.first + _REACH[span.grain] * DAY


def span_counted_from(span: Span, unit: str, *, count: int) -> Span:
    """The unit `count` units before the span begins or after it ends."""
    if unit == "hour":
        return replace(span, first=span.first + count * DAY / 24, last=span.first if count < 0 else span.last)
    if unit == "weekend":
        week = (
            unit_start(span.first if count < 0 else span.last, "week") + 7 * (count if count < 0 else count - 1) * DAY
        )
        return Span(week + 5 * DAY, week + 7 * DAY, unit, 0.8)
    if count < 0:
        return Span(shift_day(span.first, count, unit=unit), shift_day(span.first, count + 1, unit=unit), unit, 0.85)
    return Span(shift_day(span.last, count - 1, unit=unit), shift_day(span.last, count, unit=unit), unit, 0.85)


def part_of_day(span: Span, part: str) -> Span:
    """The hours of the day that its morning, afternoon, evening or night means."""
    return hours_of_day(span, lexicon_tables().day_parts[part])


def hours_of_day(span: Span, hours: tuple[int, int]) -> Span:
    """The stretch between two hours of a day; the second may lie in the next day."""
    first, last = (span.first + timedelta(hours=hour) for hour in hours)
    # The morning of a feast of several days is none of them in particular.
    fixed = None if span.last - span.first > DAY else span.fixed
    return replace(span, first=first, last=last, grain="part", fixed=fixed)


def weekday_span(scene: TimeContext, number: int, *, how: str) -> Span:
    """The day of that weekday: `last` and `past` before today, `this` in this week, all else after today."""
    today = scene.today
    ahead = (number - today.weekday() - 1) % 7 + 1
    if how in ("last", "past"):
        day = today + (ahead - 7 if ahead < 7 else -7) * DAY
    else:
        day = today - (today.weekday() - number) * DAY if how == "this" else today + ahead * DAY
    if how in ("past", "future"):
        return Span(day, day + DAY, "day", 0.75, weekly=True, fixed=UNIT_SINCE if how == "past" and ahead < 7 else None)
    return Span(day, day + DAY, "day", 0.9, fixed=UNIT if _is_one_day(today, day, how=how) else None)


def _is_one_day(today: datetime, day: datetime, *, how: str) -> bool:
    """Whether everybody means this day: "next Friday" on a Monday is this week's to some, "this Monday" may be past."""
    if how == "next":
        return (day - today).days >= 7 - today.weekday()
    return how != "this" or day >= today


def choose_year(
    scene: TimeContext, yearly: Callable[[int], Ends], *, how: str, grain: str, fixed: Fixed | None = None
) -> Span:
    """The right year's occurrence of something that comes once a year; `fixed` holds where there is no other."""
    year = scene.today.year + 1
    if how == "this":
        year = scene.today.year - (1 if yearly(scene.today.year - 1)[1] > scene.now else 0)
    elif how in ("next", "future"):
        while yearly(year - 1)[0 if how == "next" else 1] > scene.now:
            year -= 1
    else:
        while yearly(year)[1 if how == "last" else 0] > scene.now:
            year -= 1
    first, last = yearly(year)
    if how in ("past", "future"):
        is_over = fixed is not None and how == "past" and last <= scene.now
        return Span(first, last, grain, 0.75, yearly, fixed=(fixed[0], "since") if fixed and is_over else None)
    return Span(first, last, grain, 0.9, yearly, fixed=fixed and _in_one_year(scene, (first, last), fixed, how=how))


def _in_one_year(scene: TimeContext, ends: Ends, fixed: Fixed, *, how: str) -> Fixed | None:
    """In May "last March" is this year's to some and last year's to others; "last December" is one and the same."""
    if how == "this":
        return None if ends[1] <= scene.now else fixed if ends[0] <= scene.now else (fixed[0], "ahead")
    return fixed if ends[0].year == scene.today.year + (1 if how == "next" else -1) else None


def tense_at(scene: TimeContext, place: int) -> str:
    """Whether the text at this place looks ahead or back."""
    return "future" if scene.is_future(place) else "past"


def local_midnight(scene: TimeContext, year: int, month: int, day: int = 1) -> datetime | None:
    """That local midnight, if the calendar has it."""
    if not (1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]):
        return None
    return datetime(year, month, day, tzinfo=scene.now.tzinfo)


def month_ends(scene: TimeContext, year: int, month: int, *, length: int = 1) -> Ends:
    """From the first of that month, `length` months long."""
    first = datetime(year, month, 1, tzinfo=scene.now.tzinfo)
    return first, shift_day(first, length, unit="month")


_YEAR_SECTIONS = {"early": (0, 4), "start": (0, 2), "middle": (4, 8), "late": (8, 12), "end": (10, 12)}
_DECADE_SECTIONS = {"early": (0, 48), "start": (0, 36), "middle": (36, 84), "late": (72, 120), "end": (84, 120)}
_THIRDS = {"early": 0, "start": 0, "middle": 1, "late": 2, "end": 2}


def span_section(span: Span, which: str) -> Span:
    """The part of the span that early, late, the start or the end of it means: a third, or some months of a year."""
    if span.grain in ("year", "decade"):
        shares = (_YEAR_SECTIONS if span.grain == "year" else _DECADE_SECTIONS)[which]
        first, last = (shift_day(span.first, share, unit="month") for share in shares)
    else:
        days, third = (span.last - span.first).days, _THIRDS[which]
        first, last = (span.first + round(days * share / 3) * DAY for share in (third, third + 1))
    return replace(span, first=first, last=last, certainty=span.certainty * 0.9, grain="section", yearly=None)
