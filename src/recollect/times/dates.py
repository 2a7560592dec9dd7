"""Relative times that a text states beyond doubt, as dates: a text and the moment it was said go in, dates come out.

What is written down as a date is believed long after, so a wrong date is worse than a relative one. Here a time counts
only where its words have one meaning; "recently", "a few days ago", "in the summer" or "on Monday" stay words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from recollect.times import words
from recollect.times.atoms import Atom, atoms, back_on, scene_of, shaded
from recollect.times.rules import side_of
from recollect.times.spans import DAY, Scene, centre, moved


@dataclass(frozen=True, slots=True)
class Dated:
    """A relative time and its place: the local moment at which it begins, or which it lies around.

    `form` is a day, a part of one, a week, weekend, month or year; a feast, which may be long, keeps its name and gets
    its year; a number is that of a year, in a text that names the rest of the date.
    """

    start: int
    end: int
    at: datetime
    form: str
    is_about: bool = False


def dated(text: str, *, said_at: datetime) -> list[Dated]:
    """The relative times in the text that can only mean one date, seen from the local moment it was said."""
    scene = scene_of(text, said_at, zone=said_at.tzinfo or UTC)
    if scene is None:
        return []
    return [date for atom in _alone(scene) if atom.span.fixed and (date := _date(scene, atom))]


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
    said = words.YEAR_WORDS.search(scene.folded, atom.start, atom.end)
    first = scene.today.replace(month=1, day=1)
    return Dated(said.start(), said.end(), moved(first, side_of(said.group()), unit="year"), "number") if said else None


def _counted(scene: Scene, atom: Atom, *, is_whole: bool) -> Dated | None:
    """Three days ago is a day; two weeks ago is around one, and what is more or less than that is none."""
    if scene.follows(words.BEYOND, atom.start):
        return None
    grain = atom.span.grain
    is_loose = grain != "day" or scene.follows(words.LOOSELY, atom.start)
    is_loose = is_loose or words.LOOSELY_INSIDE.search(scene.folded, atom.start, atom.end) is not None
    form = "day" if grain == "week" else grain
    return Dated(atom.start, atom.end, centre(atom.span), form, is_about=is_loose and not is_whole)


def _is_other_use(scene: Scene, atom: Atom) -> bool:
    """Today's paper, "Yesterday", the last year, their last year of school: no times at which something happened."""
    if scene.follows(words.NOT_ALONE, atom.start) or words.POSSESSED.match(scene.folded, atom.end):
        return True
    if scene.is_capital(atom.start) and not words.NAME_OF_TIME.match(scene.folded, atom.start):
        return scene.text[: atom.start].rstrip()[-1:] not in ("", *".!?:")
    if not words.STEP.match(scene.folded, atom.start):
        return False
    return scene.follows(words.OWNED, atom.start) or words.PART_OF.match(scene.folded, atom.end) is not None


def _is_proven(scene: Scene, atom: Atom, proof: str) -> bool:
    if proof == "since":
        is_since = scene.follows(words.SINCE, atom.start)
        return is_since and words.AFTER_SINCE.match(scene.folded, atom.end) is not None
    if proof == "ahead":
        return scene.looks_ahead(atom.start)
    return proof != "done" or _is_done(scene, atom)


def _is_done(scene: Scene, atom: Atom) -> bool:
    """Whether the clause around the atom tells what is over: "mudou há dois anos", not "mora há dois anos"."""
    ends = [found.end() for found in words.CLAUSE_END.finditer(scene.folded, atom.start)]
    stop = words.CLAUSE_END.search(scene.folded, atom.end)
    before = scene.folded[ends[-1] if ends else 0 : atom.start]
    clause = before + scene.folded[atom.end : stop.start() if stop else None]
    if not words.DONE.search(clause) or words.NEGATED.search(clause):
        return False
    # "Vendeu um carro parado há dois anos" tells how long it had stood there.
    return not words.PARTICIPLE.search(before) or words.WAS_DONE.search(before) is not None
