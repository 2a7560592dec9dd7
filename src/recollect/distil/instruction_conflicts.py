"""Rules of conduct: what a person wants done or not done comes in, whether a newer wish ends an older one goes out.

A wish is written as its verb phrase ("use bullet points"), with a mark before what is not or no longer wanted.
"""

from __future__ import annotations

from recollect.lang.grammar import ENDED, TAKEN_BACK
from recollect.lang.registry import combined, languages
from recollect.lang.vocabulary import content_stems, stem_word
from recollect.text.fold import fold


@combined
def _either_or() -> tuple[frozenset[str], ...]:
    """Stems of words of which a person wants one at a time."""
    rows: dict[str, set[str]] = {}
    for language in languages():
        for matter, words in language.comparison.either_or.items():
            rows.setdefault(matter, set()).update(stem_word(fold(word), language.code) for word in words.split())
    return tuple(map(frozenset, rows.values()))


@combined
def _wishing() -> frozenset[str]:
    """Stems of words that carry a wish and tell nothing of what it is about, and of what every wish is about."""
    return frozenset(
        stem_word(fold(word), language.code) for language in languages() for word in language.comparison.wishing
    )


def ends(newer: str, older: str) -> bool:
    """Whether a newer wish takes the place of an older one: its opposite, another choice, or that one taken back."""
    if newer.startswith(TAKEN_BACK):
        return _same_matter(_bare(newer), _bare(older))
    if newer.startswith(ENDED) != older.startswith(ENDED):
        return _same_matter(_bare(newer), _bare(older))
    return not newer.startswith(ENDED) and _chooses_differently(_bare(newer), _bare(older))


def _bare(wish: str) -> str:
    return wish.removeprefix(ENDED).removeprefix(TAKEN_BACK)


def _same_matter(one: str, other: str) -> bool:
    """Whether one of two wishes is about the other, or part of it."""
    ours, theirs = _matter(one), _matter(other)
    return bool(ours) and bool(theirs) and (ours <= theirs or theirs <= ours)


def _chooses_differently(one: str, other: str) -> bool:
    for row in _either_or():
        ours, theirs = _matter(one), _matter(other)
        if (ours & row) and (theirs & row) and not (ours & theirs & row):
            return ours - row == theirs - row
    return False


def _matter(wish: str) -> frozenset[str]:
    return content_stems(wish) - _wishing()
