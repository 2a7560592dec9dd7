"""Times that stand on their own in a text, each with its place: what questions and facts are both read by.

A scene goes in, atoms come out from left to right; what bounds them or joins two of them is not read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from recollect.text.fold import fold_in_place
from recollect.times.lexicon import tables
from recollect.times.phrases import patterns
from recollect.times.rules import rules_by_word
from recollect.times.spans import DAY, Scene, Span, part_of_day, unit_start


@dataclass(frozen=True, slots=True)
class Atom:
    """A span and the place of the words that named it."""

    start: int
    end: int
    span: Span


_TOKEN = re.compile(r"[a-z]+|\d+")
_DIGIT = re.compile(r"\d")


def scene_of(text: str, now: datetime, *, zone: tzinfo, southern: bool = False) -> Scene | None:
    """The text with the local moment at which it was said; None when it cannot name a time."""
    folded = fold_in_place(text)
    if tables().signs.isdisjoint(_TOKEN.findall(folded)) and not _DIGIT.search(folded):
        return None
    return Scene(text, folded, now.astimezone(zone), southern)


def atoms(scene: Scene) -> Iterator[Atom]:
    """Every time in the text that stands on its own, from left to right."""
    done, rules = 0, rules_by_word()
    for token in _TOKEN.finditer(scene.folded):
        word = token.group()
        if token.start() < done or (word not in rules and not word.isdigit()):
            continue
        atom = _read(scene, token)
        if atom and atom.span.weekly:
            atom = _dated_weekday(scene, atom)
        if atom:
            done = atom.end
            yield atom


def _read(scene: Scene, token: re.Match[str]) -> Atom | None:
    if scene.follows(patterns().inside_word, token.start()):
        return None
    for pattern, rule in rules_by_word().get("0" if token.group().isdigit() else token.group(), ()):
        match = pattern.match(scene.folded, token.start())
        span = rule(scene, match) if match else None
        if match and span:
            return Atom(match.start(), match.end(), span)
    return None


def _dated_weekday(scene: Scene, atom: Atom) -> Atom:
    """Monday, 4 March is one day; the date says which."""
    gap = patterns().date_after_weekday.match(scene.folded, atom.end)
    token = _TOKEN.match(scene.folded, gap.end()) if gap else None
    date = _read(scene, token) if token else None
    if date and date.span.grain == "day" and (date.span.yearly or date.span.certainty == 1.0):
        return replace(date, start=atom.start)
    return atom


def shaded(scene: Scene, atom: Atom, *, before: str) -> Atom:
    """The part of the day that stands beside it, or the week around it: the morning of, the week of 3 March."""
    after = patterns().part_after.match(scene.folded, atom.end)
    if after:
        return Atom(atom.start, after.end(), part_of_day(atom.span, after["part"]))
    found = patterns().shade_before.search(before)
    if not found:
        return atom
    around = part_of_day(atom.span, found["part"]) if found["part"] else _week_around(atom.span, found["weekend"])
    return Atom(atom.start - len(found.group()), atom.end, around)


def _week_around(span: Span, weekend: str | None) -> Span:
    unit = "weekend" if weekend else "week"
    first = unit_start(span.first, unit)
    return Span(first, first + (2 if weekend else 7) * DAY, unit, span.certainty, fixed=span.fixed)


def back_on(scene: Scene, pair: list[Atom]) -> Atom | None:
    """The Wednesday two months ago: the one nearest to that day."""
    link = patterns().ago_after_weekday.between(scene.folded, pair[0].end, pair[-1].start)
    if not link or not pair[0].span.weekly or not patterns().back.match(scene.folded[pair[1].start : pair[1].end]):
        return None
    span = pair[1].span
    middle = (span.first + (span.last - span.first) / 2).replace(hour=0, minute=0, second=0, microsecond=0)
    day = middle + ((pair[0].span.first.weekday() - middle.weekday() + 3) % 7 - 3) * DAY
    return Atom(pair[0].start, pair[1].end, Span(day, day + DAY, "day", 0.8))
