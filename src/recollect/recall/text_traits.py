"""What a text says of itself, whatever is asked: how long it is, whether it asks, names a time or tells a preference.

The same texts come up in question after question, so what was read of the last few thousand short ones is remembered.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import NamedTuple, TypeVar

from recollect.lang.registry import all_languages, combine_languages, unite_patterns, unite_words, until_registration
from recollect.text.patterns import join_patterns
from recollect.text.words import fold_word

T = TypeVar("T")

# How many texts are remembered, and how long one may be: longer ones are seldom read and would take much memory.
_MOST_TEXTS, _LONGEST = 4096, 1000


def _remembered(read: Callable[[str], T]) -> Callable[[str], T]:
    """The same function, which reads a short text once until another language is registered."""
    remembered: Callable[[str], T] = until_registration(lru_cache(maxsize=_MOST_TEXTS)(read))

    @wraps(read)
    def of_text(text: str) -> T:
        return remembered(text) if len(text) <= _LONGEST else read(text)

    return of_text


class TextTraits(NamedTuple):
    """A text without case and accents, its length in words, whether a question mark is in it and at its end."""

    folded: str
    length: int
    has_question: bool
    ends_with_question: bool


@_remembered
def read_traits(text: str) -> TextTraits:
    """What is seen of a text at once."""
    folded = fold_word(text)
    return TextTraits(folded, folded.count(" ") + 1, "?" in text, text.rstrip().endswith("?"))


# Words that name a time, and times in figures; looking words up takes a fifth of the time of one pattern for all.
_times = unite_words(lambda language: language.questions.time_words)


@combine_languages
def _in_figures() -> re.Pattern[str]:
    figures = join_patterns(language.questions.time_figures for language in all_languages()) or "(?!)"
    return re.compile(rf"\b(?:(?:19|20)\d\d|{figures})\b")


_WORDS = re.compile(r"\w+")


# How people say what they want of every answer; a text without one of the signs is not looked at further.
@combine_languages
def _wish_signs() -> tuple[str, ...]:
    return tuple(sign for language in all_languages() for sign in language.questions.wish_signs)


@combine_languages
def _wish() -> re.Pattern[str]:
    return re.compile(join_patterns(language.questions.wish for language in all_languages()) or "(?!)")


_first_person_words = unite_patterns(lambda language: language.questions.first_person, r"\b(?:{})\b")


@_remembered
def names_a_time(lowered: str) -> bool:
    """Whether a text in lower case names a time."""
    # Most texts that name one have it between spaces, where it is found quickest.
    if not _times().isdisjoint(lowered.split()) or not _times().isdisjoint(_WORDS.findall(lowered)):
        return True
    return _in_figures().search(lowered) is not None


@_remembered
def tells_preference(folded: str) -> bool:
    """Whether a folded text says what its author prefers or wants of every answer."""
    return any(sign in folded for sign in _wish_signs()) and _wish().search(folded) is not None


@_remembered
def count_first_person(text: str) -> float:
    """How much the beginning of a text is in the first person, 0 to 1."""
    return min(3, len(_first_person_words().findall(text[:400]))) / 3
