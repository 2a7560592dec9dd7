"""Relative times that a text states beyond doubt, as dates: a text and the moment it was said go in, dates come out.

What is written down as a date is believed long after, so a wrong date is worse than a relative one. Here a time counts
only where its words have one meaning; "recently", "a few days ago" or "in the summer" stay words. "On Monday" has one
meaning to somebody who knows whether the sentence looks back or ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from recollect.lang.dates import Dated
from recollect.lang.detect import score_languages
from recollect.lang.registry import language_of
from recollect.text.patterns import compile_pattern
from recollect.times.atoms import Atom, atoms, back_on, scene_of, shaded
from recollect.times.lexicon import tables
from recollect.times.phrases import DAY_BY_MONTH, patterns
from recollect.times.rules import side_of
from recollect.times.spans import DAY, Ends, Scene, centre, moved, on

if TYPE_CHECKING:
    from recollect.lang.calendar import SentenceSigns

Tense = Literal["past", "present", "future"]


def dated(text: str, *, said_at: datetime, tense: Tense | None = None, within: str = "") -> list[Dated]:
    """The relative times in the text that can only mean one date, seen from the local moment it was said.

    The tense, where it is known, tells which Monday, which March or which 5th a text means that names no other time.
    `within` is the whole of what was said: it may name another time that tells so too.
    """
    scene = scene_of(text, said_at, zone=said_at.tzinfo or UTC)
    if scene is None:
        return []
    found = list(_alone(scene))
    if tense and len(found) == 1 and (date := _recurring(scene, found[0], tense)):
        around = scene_of(within or text, said_at, zone=scene.now.tzinfo or UTC)
        if around and _has_no_rival(around, scene.folded[date.start : date.end], is_month=date.form == "named month"):
            return [date]
    return [date for atom in found if atom.span.fixed and (date := _date(scene, atom))]


def _alone(scene: Scene) -> Iterator[Atom]:
    """The atoms, by parts of their day; two that only together name one ("the Sunday two weeks ago") are left out."""
    found = list(atoms(scene))
    joined = {one.start for pair in pairwise(found) if back_on(scene, list(pair)) for one in pair}
    floor = 0
    for atom in found:
        if atom.start not in joined:
            before = scene.before(atom.start, floor=floor)
            yield shaded(scene, atom, before=before) if atom.span.grain == "day" else atom
        floor = atom.end


def _date(scene: Scene, atom: Atom) -> Dated | None:
    span, (form, proof) = atom.span, atom.span.fixed or ("unit", "")
    if _is_other_use(scene, atom) or not _is_proven(scene, atom, proof):
        return None
    if form == "year":
        return _number(scene, atom)
    if form == "feast":
        return Dated(atom.start, atom.end, span.first, "long feast" if span.last - span.first > DAY else "feast")
    if form == "unit":
        return Dated(atom.start, atom.end, span.first, span.grain)
    return _counted(scene, atom, is_whole=form == "centre")


def _number(scene: Scene, atom: Atom) -> Dated | None:
    """The words for the year: "March last year" keeps its month."""
    said = patterns().year_words.search(scene.folded, atom.start, atom.end)
    first = scene.today.replace(month=1, day=1)
    return Dated(said.start(), said.end(), moved(first, side_of(said.group()), unit="year"), "number") if said else None


def _counted(scene: Scene, atom: Atom, *, is_whole: bool) -> Dated | None:
    """Three days ago is a day; two weeks ago is around one, and what is more or less than that is none."""
    if scene.follows(patterns().beyond, atom.start):
        return None
    grain = atom.span.grain
    is_loose = grain != "day" or scene.follows(patterns().loosely, atom.start)
    is_loose = is_loose or patterns().loosely_inside.search(scene.folded, atom.start, atom.end) is not None
    form = "day" if grain == "week" else grain
    return Dated(atom.start, atom.end, centre(atom.span), form, is_about=is_loose and not is_whole)


def _is_other_use(scene: Scene, atom: Atom) -> bool:
    """Today's paper, "Yesterday", the last year, their last year of school: no times at which something happened."""
    if scene.follows(patterns().not_alone, atom.start) or patterns().possessed.match(scene.folded, atom.end):
        return True
    if scene.is_capital(atom.start) and not patterns().name_of_time.match(scene.folded, atom.start):
        return scene.text[: atom.start].rstrip()[-1:] not in ("", *".!?:")
    if not patterns().step.match(scene.folded, atom.start):
        return False
    return scene.follows(patterns().owned, atom.start) or patterns().part_of.match(scene.folded, atom.end) is not None


def _is_proven(scene: Scene, atom: Atom, proof: str) -> bool:
    if proof == "since":
        is_since = scene.follows(patterns().since, atom.start)
        return is_since and patterns().after_since.match(scene.folded, atom.end) is not None
    if proof == "ahead":
        return scene.looks_ahead(atom.start)
    return proof != "done" or _is_done(scene, atom)


def _is_done(scene: Scene, atom: Atom) -> bool:
    """Whether the clause around the atom tells what is over: "mudou há dois anos", not "mora há dois anos"."""
    scores = score_languages(scene.text)
    best = max(scores.values())
    spoken = (language_of(code).calendar.sentence for code, score in scores.items() if score == best)
    return any(_is_done_in(signs, scene, atom) for signs in spoken if signs.done or signs.done_spelled)


def _is_done_in(signs: SentenceSigns, scene: Scene, atom: Atom) -> bool:
    clause_end = compile_pattern(rf"[,;:.!?()\n]|{signs.clause_end or '(?!)'}")
    ends = [found.end() for found in clause_end.finditer(scene.folded, 0, atom.start)]
    stop = clause_end.search(scene.folded, atom.end)
    start, end = ends[-1] if ends else 0, stop.start() if stop else len(scene.folded)
    before = scene.folded[start : atom.start]
    clause = before + scene.folded[atom.end : end]
    spelled = scene.text[start : atom.start] + scene.text[atom.end : end]
    is_done = _has(signs.done and rf"(?:{signs.done})\b", clause) or _has(signs.done_spelled, spelled)
    if not is_done or _has(signs.negated, clause):
        return False
    # "Vendeu um carro parado há dois anos" tells how long it had stood there.
    return not _has(signs.participle, before) or _has(signs.was_done, before)


def _has(pattern: str, text: str) -> bool:
    return bool(pattern) and compile_pattern(pattern).search(text) is not None


def _recurring(scene: Scene, atom: Atom, tense: Tense) -> Dated | None:
    """The one Monday, March or 5th that is meant by the tense; None where that is not plain."""
    before, after = (
        (patterns().since, patterns().after_since) if tense == "present" else (patterns().then, patterns().after_then)
    )
    if not scene.follows(before, atom.start) or not after.match(scene.folded, atom.end) or _is_other_use(scene, atom):
        return None
    said, is_ahead = scene.folded[atom.start : atom.end], tense == "future"
    if month := tables().months.get(said):
        return _named_month(scene, atom, month, is_ahead=is_ahead, most=MONTHS_BACK if tense == "past" else 11)
    if atom.span.yearly:
        return _named_day(scene, atom, atom.span.yearly, is_ahead=is_ahead)
    day = (_weekday if atom.span.weekly else _day_of_month)(scene, atom, is_ahead=is_ahead)
    if day is None:
        return None
    begins = atom.span.first - atom.span.first.replace(hour=0, minute=0)
    return Dated(atom.start, atom.end, day + begins, atom.span.grain)


# Whoever tells of a month that is longer ago says "last June" or the year: June itself is nearer ahead.
MONTHS_BACK = 9


def _named_month(scene: Scene, atom: Atom, month: int, *, is_ahead: bool, most: int) -> Dated | None:
    """The last or next such month that is not the running one, which may be meant as well."""
    away = (month - scene.today.month if is_ahead else scene.today.month - month) % 12
    if not 0 < away <= most:
        return None
    first = moved(scene.today.replace(day=1), away if is_ahead else -away, unit="month")
    return Dated(atom.start, atom.end, first, "named month")


def _named_day(scene: Scene, atom: Atom, yearly: Callable[[int], Ends], *, is_ahead: bool) -> Dated | None:
    """3 March of the last or next year in which it lies behind or ahead; a feast, or some days, are left alone."""
    if atom.span.last - atom.span.first != DAY or not DAY_BY_MONTH.search(scene.folded, atom.start, atom.end):
        return None
    days = [yearly(scene.today.year + step)[0] for step in (-1, 0, 1)]
    if is_ahead:
        day = min((day for day in days if day > scene.today), default=None)
    else:
        day = max((day for day in days if scene.today - MONTHS_BACK * 31 * DAY < day < scene.today), default=None)
    return Dated(atom.start, atom.end, day, "named day") if day and atom.span.grain == "day" else None


def _weekday(scene: Scene, atom: Atom, *, is_ahead: bool) -> datetime | None:
    """The last or next such day; where that is today's weekday, today may be meant as well."""
    back = (scene.today.weekday() - atom.span.first.weekday()) % 7
    return scene.today - (back - 7 if is_ahead else back) * DAY if back else None


def _day_of_month(scene: Scene, atom: Atom, *, is_ahead: bool) -> datetime | None:
    """The 5th of this month, or of the one before or after where that lies on the other side of today."""
    number = patterns().day_of_month.match(scene.folded, atom.start)
    day, today = int(number["day"] or number["bare"] or number["number"]) if number else 0, scene.today.day
    if day in (0, today):
        return None
    month = scene.today.replace(day=1)
    if (day > today) != is_ahead:
        month = moved(month, 1 if is_ahead else -1, unit="month")
    return on(scene, month.year, month.month, day)


def _has_no_rival(scene: Scene, said: str, *, is_month: bool) -> bool:
    """Whether a text that names this month, or this day, names no other that may tell which one it is."""
    for atom in _alone(scene):
        if scene.folded[atom.start : atom.end] == said:
            is_rival = patterns().number_after.match(scene.folded, atom.end) is not None
        else:
            is_rival = bool(atom.span.yearly) if is_month else atom.span.grain in ("day", "part")
            is_rival = is_rival and (atom.span.weekly or not atom.span.fixed)
        if is_rival:
            return False
    return True
