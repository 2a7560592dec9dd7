"""Relative times that a text states beyond doubt, as dates: a text and the moment it was said go in, dates come out.

What is written down as a date is believed long after, so a wrong date is worse than a relative one. Here a time counts
only where its words have one meaning; "recently", "a few days ago" or "in the summer" stay words. "On Monday" has one
meaning to somebody who knows whether the sentence looks back or ahead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from toldonce.lang.dates import ExactDate
from toldonce.lang.detect import detect_language, score_languages
from toldonce.lang.registry import language_of
from toldonce.lang.wording import gloss_time
from toldonce.text.patterns import compile_pattern
from toldonce.text.words import WORD, fold_in_place
from toldonce.times.lexicon import lexicon_tables
from toldonce.times.phrases import DAY_BY_MONTH, time_patterns
from toldonce.times.rules import rules_by_word, time_direction
from toldonce.times.spans import (
    DAY,
    Ends,
    Span,
    TimeContext,
    local_midnight,
    part_of_day,
    shift_day,
    span_centre,
    unit_start,
)

if TYPE_CHECKING:
    from toldonce.lang.calendar import SentenceSigns

Tense = Literal["past", "present", "future"]


def find_exact_dates(text: str, *, said_at: datetime, tense: Tense | None = None, within: str = "") -> list[ExactDate]:
    """The relative times in the text that can only mean one date, seen from the local moment it was said.

    The tense, where it is known, tells which Monday, which March or which 5th a text means that names no other time.
    `within` is the whole of what was said: it may name another time that tells so too.
    """
    scene = read_time_context(text, said_at, zone=said_at.tzinfo or UTC)
    if scene is None:
        return []
    found = list(_lone_atoms(scene))
    if tense and len(found) == 1 and (date := _recurring_date(scene, found[0], tense)):
        around = read_time_context(within or text, said_at, zone=scene.now.tzinfo or UTC)
        if around and _has_no_rival(around, scene.folded[date.start : date.end], is_month=date.form == "named month"):
            return [date]
    return [date for atom in found if atom.span.fixed and (date := _date_of_atom(scene, atom))]


@lru_cache(maxsize=1024)
def gloss_relative_times(text: str, said_at: datetime, *, this_year: int) -> str:
    """The text with the date of each relative time in brackets behind it: "yesterday (May 7)".

    What was said of the day itself needs none: the date of the line tells it.
    """
    written, done = [], 0
    for time in find_exact_dates(text, said_at=said_at):
        if time.form in ("day", "part") and time.at.date() == said_at.date():
            continue
        told = gloss_time(time, language_of(detect_language(text)), this_year=this_year)
        written.append(f"{text[done : time.end]} ({told})")
        done = time.end
    return "".join((*written, text[done:]))


def names_weekday(text: str) -> bool:
    """Whether a text names a day of the week in its language, whichever it is."""
    folded = fold_in_place(text)
    named = lexicon_tables().weekdays.keys() & {*folded.split(), *WORD.findall(folded)}
    return bool(named) and not named.isdisjoint(language_of(detect_language(text)).calendar.words.weekdays)


def _lone_atoms(scene: TimeContext) -> Iterator[Atom]:
    """The atoms, by parts of their day; two that only together name one ("the Sunday two weeks ago") are left out."""
    found = list(find_atoms(scene))
    joined = {one.start for pair in pairwise(found) if weekday_near(scene, list(pair)) for one in pair}
    floor = 0
    for atom in found:
        if atom.start not in joined:
            before = scene.words_before(atom.start, floor=floor)
            yield apply_day_part(scene, atom, before=before) if atom.span.grain == "day" else atom
        floor = atom.end


def _date_of_atom(scene: TimeContext, atom: Atom) -> ExactDate | None:
    span, (form, proof) = atom.span, atom.span.fixed or ("unit", "")
    if _is_other_use(scene, atom) or not _is_proven(scene, atom, proof):
        return None
    if form == "year":
        return _year_of_atom(scene, atom)
    if form == "feast":
        return ExactDate(atom.start, atom.end, span.first, "long feast" if span.last - span.first > DAY else "feast")
    if form == "unit":
        return ExactDate(atom.start, atom.end, span.first, span.grain)
    return _counted_date(scene, atom, is_whole=form == "centre")


def _year_of_atom(scene: TimeContext, atom: Atom) -> ExactDate | None:
    """The words for the year: "March last year" keeps its month."""
    said = time_patterns().year_words.search(scene.folded, atom.start, atom.end)
    first = scene.today.replace(month=1, day=1)
    return (
        ExactDate(said.start(), said.end(), shift_day(first, time_direction(said.group()), unit="year"), "number")
        if said
        else None
    )


def _counted_date(scene: TimeContext, atom: Atom, *, is_whole: bool) -> ExactDate | None:
    """Three days ago is a day; two weeks ago is around one, and what is more or less than that is none."""
    if scene.is_preceded_by(time_patterns().beyond, atom.start):
        return None
    grain = atom.span.grain
    is_loose = grain != "day" or scene.is_preceded_by(time_patterns().loosely, atom.start)
    is_loose = is_loose or time_patterns().loosely_inside.search(scene.folded, atom.start, atom.end) is not None
    form = "day" if grain == "week" else grain
    return ExactDate(atom.start, atom.end, span_centre(atom.span), form, is_about=is_loose and not is_whole)


def _is_other_use(scene: TimeContext, atom: Atom) -> bool:
    """Today's paper, "Yesterday", the last year, their last year of school: no times at which something happened."""
    if scene.is_preceded_by(time_patterns().not_alone, atom.start) or time_patterns().possessed.match(
        scene.folded, atom.end
    ):
        return True
    if scene.is_capital(atom.start) and not time_patterns().name_of_time.match(scene.folded, atom.start):
        return scene.text[: atom.start].rstrip()[-1:] not in ("", *".!?:")
    if not time_patterns().step.match(scene.folded, atom.start):
        return False
    return (
        scene.is_preceded_by(time_patterns().owned, atom.start)
        or time_patterns().part_of.match(scene.folded, atom.end) is not None
    )


def _is_proven(scene: TimeContext, atom: Atom, proof: str) -> bool:
    if proof == "since":
        is_since = scene.is_preceded_by(time_patterns().since, atom.start)
        return is_since and time_patterns().after_since.match(scene.folded, atom.end) is not None
    if proof == "ahead":
        return scene.looks_ahead(atom.start)
    return proof != "done" or _is_done(scene, atom)


def _is_done(scene: TimeContext, atom: Atom) -> bool:
    """Whether the clause around the atom tells what is over: "mudou há dois anos", not "mora há dois anos"."""
    scores = score_languages(scene.text)
    best = max(scores.values())
    spoken = (language_of(code).calendar.sentence for code, score in scores.items() if score == best)
    return any(_is_done_in(signs, scene, atom) for signs in spoken if signs.done or signs.done_spelled)


def _is_done_in(signs: SentenceSigns, scene: TimeContext, atom: Atom) -> bool:
    clause_end = compile_pattern(rf"[,;:.!?()\n]|{signs.clause_end or '(?!)'}")
    ends = [found.end() for found in clause_end.finditer(scene.folded, 0, atom.start)]
    stop = clause_end.search(scene.folded, atom.end)
    start, end = ends[-1] if ends else 0, stop.start() if stop else len(scene.folded)
    before = scene.folded[start : atom.start]
    clause = before + scene.folded[atom.end : end]
    spelled = scene.text[start : atom.start] + scene.text[atom.end : end]
    is_done = _has_pattern(signs.done and rf"(?:{signs.done})\b", clause) or _has_pattern(signs.done_spelled, spelled)
    if not is_done or _has_pattern(signs.negated, clause):
        return False
    # "Vendeu um carro parado há dois anos" tells how long it had stood there.
    return not _has_pattern(signs.participle, before) or _has_pattern(signs.was_done, before)


def _has_pattern(pattern: str, text: str) -> bool:
    return bool(pattern) and compile_pattern(pattern).search(text) is not None


def _recurring_date(scene: TimeContext, atom: Atom, tense: Tense) -> ExactDate | None:
    """The one Monday, March or 5th that is meant by the tense; None where that is not plain."""
    before, after = (
        (time_patterns().since, time_patterns().after_since)
        if tense == "present"
        else (time_patterns().then, time_patterns().after_then)
    )
    if (
        not scene.is_preceded_by(before, atom.start)
        or not after.match(scene.folded, atom.end)
        or _is_other_use(scene, atom)
    ):
        return None
    said, is_ahead = scene.folded[atom.start : atom.end], tense == "future"
    if month := lexicon_tables().months.get(said):
        return _named_month(scene, atom, month, is_ahead=is_ahead, most=MONTHS_BACK if tense == "past" else 11)
    if atom.span.yearly:
        return _nearest_named_day(scene, atom, atom.span.yearly, is_ahead=is_ahead)
    day = (_nearest_weekday if atom.span.weekly else _nearest_day_of_month)(scene, atom, is_ahead=is_ahead)
    if day is None:
        return None
    begins = atom.span.first - atom.span.first.replace(hour=0, minute=0)
    return ExactDate(atom.start, atom.end, day + begins, atom.span.grain)


# For a month longer ago people say "last June" or the year: a bare "June" then means the next one.
MONTHS_BACK = 9


def _named_month(scene: TimeContext, atom: Atom, month: int, *, is_ahead: bool, most: int) -> ExactDate | None:
    """The last or next such month that is not the running one, which may be meant as well."""
    away = (month - scene.today.month if is_ahead else scene.today.month - month) % 12
    if not 0 < away <= most:
        return None
    first = shift_day(scene.today.replace(day=1), away if is_ahead else -away, unit="month")
    return ExactDate(atom.start, atom.end, first, "named month")


def _nearest_named_day(
    scene: TimeContext, atom: Atom, yearly: Callable[[int], Ends], *, is_ahead: bool
) -> ExactDate | None:
    """3 March of the last or next year in which it lies behind or ahead; a feast, or some days, are left alone."""
    if atom.span.last - atom.span.first != DAY or not DAY_BY_MONTH.search(scene.folded, atom.start, atom.end):
        return None
    days = [yearly(scene.today.year + step)[0] for step in (-1, 0, 1)]
    if is_ahead:
        day = min((day for day in days if day > scene.today), default=None)
    else:
        day = max((day for day in days if scene.today - MONTHS_BACK * 31 * DAY < day < scene.today), default=None)
    return ExactDate(atom.start, atom.end, day, "named day") if day and atom.span.grain == "day" else None


def _nearest_weekday(scene: TimeContext, atom: Atom, *, is_ahead: bool) -> datetime | None:
    """The last or next such day; where that is today's weekday, today may be meant as well."""
    back = (scene.today.weekday() - atom.span.first.weekday()) % 7
    return scene.today - (back - 7 if is_ahead else back) * DAY if back else None


def _nearest_day_of_month(scene: TimeContext, atom: Atom, *, is_ahead: bool) -> datetime | None:
    """The 5th of this month, or of the one before or after where that lies on the other side of today."""
    number = time_patterns().day_of_month.match(scene.folded, atom.start)
    day, today = int(number["day"] or number["bare"] or number["number"]) if number else 0, scene.today.day
    if day in (0, today):
        return None
    month = scene.today.replace(day=1)
    if (day > today) != is_ahead:
        month = shift_day(month, 1 if is_ahead else -1, unit="month")
    return local_midnight(scene, month.year, month.month, day)


def _has_no_rival(scene: TimeContext, said: str, *, is_month: bool) -> bool:
    """Whether a text that names this month, or this day, names no other that may tell which one it is."""
    for atom in _lone_atoms(scene):
        if scene.folded[atom.start : atom.end] == said:
            is_rival = time_patterns().number_after.match(scene.folded, atom.end) is not None
        else:
            is_rival = bool(atom.span.yearly) if is_month else atom.span.grain in ("day", "part")
            is_rival = is_rival and (atom.span.weekly or not atom.span.fixed)
        if is_rival:
            return False
    return True


@dataclass(frozen=True, slots=True)
class Atom:
    """A span and the place of the words that named it."""

    start: int
    end: int
    span: Span


_TOKEN = re.compile(r"[a-z]+|\d+")
_DIGIT = re.compile(r"\d")


def read_time_context(text: str, now: datetime, *, zone: tzinfo, southern: bool = False) -> TimeContext | None:
    """The text with the local moment at which it was said; None when it cannot name a time."""
    folded = fold_in_place(text)
    if lexicon_tables().signs.isdisjoint(_TOKEN.findall(folded)) and not _DIGIT.search(folded):
        return None
    return TimeContext(text, folded, now.astimezone(zone), southern)


def find_atoms(scene: TimeContext) -> Iterator[Atom]:
    """Every time in the text that stands on its own, from left to right."""
    done, rules = 0, rules_by_word()
    for token in _TOKEN.finditer(scene.folded):
        word = token.group()
        if token.start() < done or (word not in rules and not word.isdigit()):
            continue
        atom = _read_atom(scene, token)
        if atom and atom.span.weekly:
            atom = _dated_weekday(scene, atom)
        if atom:
            done = atom.end
            yield atom


def _read_atom(scene: TimeContext, token: re.Match[str]) -> Atom | None:
    if scene.is_preceded_by(time_patterns().inside_word, token.start()):
        return None
    for pattern, rule in rules_by_word().get("0" if token.group().isdigit() else token.group(), ()):
        match = pattern.match(scene.folded, token.start())
        span = rule(scene, match) if match else None
        if match and span:
            return Atom(match.start(), match.end(), span)
    return None


def _dated_weekday(scene: TimeContext, atom: Atom) -> Atom:
    """Monday, 4 March is one day; the date says which."""
    gap = time_patterns().date_after_weekday.match(scene.folded, atom.end)
    token = _TOKEN.match(scene.folded, gap.end()) if gap else None
    date = _read_atom(scene, token) if token else None
    if date and date.span.grain == "day" and (date.span.yearly or date.span.certainty == 1.0):
        return replace(date, start=atom.start)
    return atom


def apply_day_part(scene: TimeContext, atom: Atom, *, before: str) -> Atom:
    """The date narrowed to a part of the day or widened to its week: the morning of, the week of 3 March."""
    after = time_patterns().part_after.match(scene.folded, atom.end)
    if after:
        return Atom(atom.start, after.end(), part_of_day(atom.span, after["part"]))
    found = time_patterns().shade_before.search(before)
    if not found:
        return atom
    around = part_of_day(atom.span, found["part"]) if found["part"] else _week_around(atom.span, found["weekend"])
    return Atom(atom.start - len(found.group()), atom.end, around)


def _week_around(span: Span, weekend: str | None) -> Span:
    unit = "weekend" if weekend else "week"
    first = unit_start(span.first, unit)
    return Span(first, first + (2 if weekend else 7) * DAY, unit, span.certainty, fixed=span.fixed)


def weekday_near(scene: TimeContext, pair: list[Atom]) -> Atom | None:
    """The Wednesday two months ago: the one nearest to that day."""
    link = time_patterns().ago_after_weekday.match_between(scene.folded, pair[0].end, pair[-1].start)
    if not link or not pair[0].span.weekly or not time_patterns().back.match(scene.folded[pair[1].start : pair[1].end]):
        return None
    span = pair[1].span
    middle = (span.first + (span.last - span.first) / 2).replace(hour=0, minute=0, second=0, microsecond=0)
    day = middle + ((pair[0].span.first.weekday() - middle.weekday() + 3) % 7 - 3) * DAY
    return Atom(pair[0].start, pair[1].end, Span(day, day + DAY, "day", 0.8))
