"""Times named in a text, as windows of UTC moments; words that only look like times stay words.

The text and the moment it was said go in, half-open windows with their place in the text come out; no clock is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo

from toldonce.records import DocumentEntry
from toldonce.times.dates import Atom, apply_day_part, find_atoms, read_time_context, weekday_near
from toldonce.times.lexicon import lexicon_tables, parse_number
from toldonce.times.phrases import time_patterns
from toldonce.times.spans import DAY, Span, TimeContext, span_counted_from, span_section

# The version of these rules, raised when they read a text otherwise than before: what older rules read is read again.
VERSION = 2

FAR_PAST = datetime(1000, 1, 1, tzinfo=UTC)
FAR_FUTURE = datetime(3000, 1, 1, tzinfo=UTC)
_SECTIONED = frozenset({"week", "month", "quarter", "year", "season", "decade"})


@dataclass(frozen=True, slots=True)
class Window:
    """A time that a text names: from `start` up to but without `end`, and the words that named it."""

    start: datetime
    end: datetime
    text: str
    start_char: int
    end_char: int
    certainty: float


def find_asked_windows(text: str, *, now: datetime, zone: tzinfo, southern: bool = False) -> list[Window]:
    """The times a question asks about, in order of place.

    A month or weekday without a year or week is the most recent one, unless its sentence is about the future.
    `southern` swaps the seasons.
    """
    scene = read_time_context(text, now, zone=zone, southern=southern)
    if scene is None:
        return []
    found = _apply_frames(scene, _narrow_atoms(scene, find_atoms(scene)))
    return [
        Window(first, last, text[atom.start : atom.end], atom.start, atom.end, round(atom.span.certainty, 2))
        for atom in found
        if (first := atom.span.first.astimezone(UTC)) < (last := atom.span.last.astimezone(UTC))
    ]


def find_spoken_windows(text: str, *, said_at: datetime, zone: tzinfo, southern: bool = False) -> list[Window]:
    """The times that a stored message mentions, seen from the moment it was said."""
    return find_asked_windows(text, now=said_at, zone=zone, southern=southern)


def has_passed(entry: DocumentEntry, passing: Mapping[str, timedelta], *, now: datetime) -> bool:
    """Whether a line of a passing section is over: what was ahead after its day, anything else after that time."""
    if entry.at is None or entry.section not in passing:
        return False
    ahead = [w.end for w in find_spoken_windows(entry.text, said_at=entry.at, zone=UTC) if w.end > entry.at]
    return (max(ahead) if ahead else entry.at + passing[entry.section]) < now


def _narrow_atoms(scene: TimeContext, found: Iterator[Atom]) -> list[Atom]:
    """The atoms as the part of the day, the week or the section of the month beside them makes them."""
    narrowed: list[Atom] = []
    for atom in found:
        before = scene.words_before(atom.start, floor=narrowed[-1].end if narrowed else 0)
        if atom.span.grain == "day":
            atom = apply_day_part(scene, atom, before=before)
        elif atom.span.grain in _SECTIONED:
            atom = _in_section(atom, before=before)
        narrowed.append(atom)
    return narrowed


def _in_section(atom: Atom, *, before: str) -> Atom:
    found = time_patterns().section_before.search(before)
    if not found:
        return atom
    which = lexicon_tables().sections[found["adjective"] or found["section"]]
    return Atom(atom.start - len(found.group()), atom.end, span_section(atom.span, which))


def _apply_frames(scene: TimeContext, found: list[Atom]) -> Iterator[Atom]:
    """The atoms with what bounds them: since, before, until, between two of them."""
    place = floor = 0
    while place < len(found):
        pair = found[place : place + 2]
        if _is_week_plan(scene, pair):
            place += 2
            continue
        before = scene.words_before(pair[0].start, floor=floor)
        frame = time_patterns().frame_before.search(before)
        joined = _join_range(scene, frame, pair) or _weekday_beside_date(scene, pair) or weekday_near(scene, pair)
        place += 2 if joined else 1
        atom = joined or (_bind_atom(pair[0], frame) if frame and not frame["between"] else pair[0])
        floor = atom.end
        yield atom


def _is_week_plan(scene: TimeContext, pair: list[Atom]) -> bool:
    """Monday to Friday is a habit, not a time."""
    link = time_patterns().connector.match_between(scene.folded, pair[0].end, pair[-1].start)
    return bool(link and link["to"] and pair[0].span.weekly and pair[1].span.weekly)


def _weekday_beside_date(scene: TimeContext, pair: list[Atom]) -> Atom | None:
    """The Sunday before 25 October."""
    link = time_patterns().weekday_beside.match_between(scene.folded, pair[0].end, pair[-1].start)
    if not link or not pair[0].span.weekly or pair[1].span.grain != "day":
        return None
    weekday, date = pair[0].span.first.weekday(), pair[1].span.first
    if link["before"]:
        day = date - ((date.weekday() - weekday - 1) % 7 + 1) * DAY
    else:
        day = date + ((weekday - date.weekday() - 1) % 7 + 1) * DAY
    return Atom(pair[0].start, pair[1].end, Span(day, day + DAY, "day", 0.9))


def _bind_atom(atom: Atom, frame: re.Match[str]) -> Atom:
    """The atom opened to one side, or the days, weeks or months counted from it: two days before 3 March."""
    start, side = atom.start - len(frame.group()), str(frame.lastgroup)
    counted = (
        time_patterns().quantity_before.search(frame.string[: frame.start()]) if side in ("before", "after") else None
    )
    if not counted:
        return Atom(start, atom.end, _open_span(atom.span, side))
    count = (parse_number(counted["number"]) if counted["number"] else 1) * (-1 if side == "before" else 1)
    span = span_counted_from(atom.span, lexicon_tables().units[counted["unit"]], count=count)
    return Atom(start - len(counted.group()), atom.end, span)


def _open_span(span: Span, bound: str) -> Span:
    if bound in ("since", "after"):
        return replace(span, first=span.first if bound == "since" else span.last, last=FAR_FUTURE)
    return replace(span, first=FAR_PAST, last=span.last if bound == "until" else span.first)


def _join_range(scene: TimeContext, frame: re.Match[str] | None, pair: list[Atom]) -> Atom | None:
    """One span from the first atom to the second, when the words between and before them make it one."""
    link = time_patterns().connector.match_between(scene.folded, pair[0].end, pair[1].start) if len(pair) == 2 else None
    if not link or not _is_range_link(frame, link, pair):
        return None
    span = _align_spans(pair[0].span, pair[1].span)
    start = pair[0].start - (len(frame.group()) if frame and frame.lastgroup in ("between", "since") else 0)
    return Atom(start, pair[1].end, span) if span.first < span.last else None


def _is_range_link(frame: re.Match[str] | None, link: re.Match[str], pair: list[Atom]) -> bool:
    if link["both"]:
        return frame is not None and frame["between"] in lexicon_tables().between_both
    if frame and frame.lastgroup in ("between", "since"):
        return True
    return link["to"] not in lexicon_tables().weak_to and pair[0].span.grain == pair[1].span.grain


def _align_spans(one: Span, two: Span) -> Span:
    """From one span's start to the other's end, in years or weeks that fit each other."""
    first, last = one.first, two.last
    if one.yearly:
        year = two.first.year + 1
        while (first := one.yearly(year)[0]) > two.first:
            year -= 1
    elif two.yearly:
        year = one.first.year - 1
        while (last := two.yearly(year)[1]) <= one.first:
            year += 1
    elif one.weekly and first >= last:
        first -= 7 * DAY
    return Span(first, last, "range", min(one.certainty, two.certainty))
