"""Documents by rule: existing lines and new records come in, all lines of the next version go out, with sources.

Lines that say the same are merged. Of two that contradict each other the newer stays. Nothing is reworded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from toldonce.distil.drafts import EntryDraft, Material
from toldonce.distil.judgement import CERTAIN_ENOUGH, judge_contradiction
from toldonce.distil.same_statement import says_same
from toldonce.lang.grammar import REACHED
from toldonce.lang.registry import unite_words

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d+")
# After one of these the rest of a line only adds to it.
_adds = unite_words(lambda language: language.comparison.adds)
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Line:
    """A candidate line of the document. The confidence of existing lines is unknown and counts as 0."""

    entry: EntryDraft
    at: datetime = _LONG_AGO
    confidence: float = 0.0
    validated: bool = False

    @property
    def rank(self) -> tuple[bool, datetime, float]:
        return self.validated, self.at, self.confidence


def write_profile(
    entries: Sequence[EntryDraft], news: Sequence[Material], *, sections: Mapping[str, Sequence[str]]
) -> list[EntryDraft]:
    """The next version of a person's document, oldest lines of a section first."""
    return [line.entry for line in _in_sections(_merge_profile_lines(entries, news, sections), sections)]


def user_memory(
    entries: Sequence[EntryDraft], news: Sequence[Material], *, sections: Mapping[str, Sequence[str]]
) -> list[EntryDraft]:
    """The next version of the compact document: validated lines first, then the newest, then the most certain."""
    joined = sorted(_merge_profile_lines(entries, news, sections), key=lambda line: line.rank, reverse=True)
    return [line.entry for line in _in_sections(joined, sections)]


def section_for(subject: str | None, sort: str, sections: Mapping[str, Sequence[str]]) -> str | None:
    """The section for something about a person: by its attribute if it is about them, else by what sort it is.

    A statement about somebody close to them, such as where a sister lives, is not about them.
    """
    owner, _, attribute = (subject or "").rpartition("/")
    for one in ("" if "/" in owner else attribute, sort):
        for section, takes in sections.items():
            if one and one in takes:
                return section
    return None


def _merge_profile_lines(
    entries: Sequence[EntryDraft], news: Sequence[Material], sections: Mapping[str, Sequence[str]]
) -> list[_Line]:
    kept: list[_Line] = []
    for line in [*(_Line(entry) for entry in entries), *_new_lines(news, sections)]:
        kept = _add_profile_line(kept, line)
    return kept


def _new_lines(news: Sequence[Material], sections: Mapping[str, Sequence[str]]) -> Iterable[_Line]:
    for one in sorted(news, key=lambda m: (m.at, m.id)):
        section = section_for(one.subject, one.kind, sections)
        if section is not None and not (one.value or "").startswith(REACHED):
            yield _Line(EntryDraft(section, one.text, (one.id,)), one.at, one.confidence, one.validated)


def _add_profile_line(kept: list[_Line], line: _Line) -> list[_Line]:
    """The lines with one more: it takes over the sources of those it repeats and replaces those it contradicts."""
    left: list[_Line] = []
    for other in kept:
        if other.entry.section == line.entry.section and is_same(other.entry.text, line.entry.text):
            line = _merge_duplicate_lines(other, line)
        elif not _excludes_line(other, line):
            left.append(other)
    return [*left, line]


def _merge_duplicate_lines(older: _Line, newer: _Line) -> _Line:
    """The line that stays of two that say the same: the one that says more, with the sources of both."""
    text = max(newer.entry.text, older.entry.text, key=lambda t: len(_WORD.findall(t)))
    sources = tuple(dict.fromkeys((*older.entry.sources, *newer.entry.sources)))
    rank = max(older, newer, key=lambda line: line.rank)
    return replace(rank, entry=EntryDraft(newer.entry.section, text, sources))


def is_same(one: str, other: str) -> bool:
    """Whether two lines say the same, or one says the other and more."""
    ones, others = (_WORD.findall(text.casefold()) for text in (one, other))
    if ones == others:
        return True
    short, long = sorted((ones, others), key=len)
    if long[: len(short)] == short and long[len(short)] in _adds():
        return _NUMBER.findall(one) == _NUMBER.findall(other) and not _do_contradict(one, other)
    return says_same(one, other) or says_same(other, one)


def _excludes_line(older: _Line, newer: _Line) -> bool:
    return not older.validated and _do_contradict(older.entry.text, newer.entry.text)


def _do_contradict(one: str, other: str) -> bool:
    found = judge_contradiction(Material(id="", text=one, at=_LONG_AGO), Material(id="", text=other, at=_LONG_AGO))
    return found.contradicts and found.certainty >= CERTAIN_ENOUGH


def _in_sections(lines: Iterable[_Line], sections: Mapping[str, Sequence[str]]) -> list[_Line]:
    order = {section: place for place, section in enumerate(sections)}
    return sorted(lines, key=lambda line: order.get(line.entry.section, len(order)))
