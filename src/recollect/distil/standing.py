"""Standing instructions: sentences come in, those that tell how to behave from now on go out with their place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from recollect.distil.prose import Sentence
from recollect.distil.standing_words import INSTRUCTION_SIGNS, INSTRUCTIONS, NOT_INSTRUCTIONS

# Wishes this long are a specification pasted into a chat, not a rule for later.
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Wish:
    """A sentence that tells how things should be done from now on; `start` and `end` are its place in the message."""

    text: str
    start: int
    end: int
    language: str


def instructions_in(said: Iterable[Sentence]) -> Iterator[Wish]:
    """Those of the sentences that are standing instructions."""
    for sentence in said:
        if len(sentence.text) <= _LONGEST and _instructs(sentence):
            words = sentence.text.rstrip()
            yield Wish(words, sentence.start, sentence.start + len(words), sentence.language)


def _instructs(sentence: Sentence) -> bool:
    text, language = sentence.text, sentence.language
    if not _compiled(INSTRUCTION_SIGNS[language]).search(text):
        return False
    return _any_of(INSTRUCTIONS[language], text) and not _any_of(NOT_INSTRUCTIONS, text)


def _any_of(patterns: tuple[str, ...], text: str) -> bool:
    return any(_compiled(pattern).search(text) for pattern in patterns)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.I)
