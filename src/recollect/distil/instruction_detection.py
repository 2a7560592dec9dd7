"""Standing instructions: sentences come in, those that tell how to behave from now on go out with their place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from recollect.lang.grammar import Sentence
from recollect.lang.registry import language_of
from recollect.text.patterns import compile_pattern

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
    text, cues = sentence.text, language_of(sentence.language).extraction.instructions
    if text.rstrip().endswith("?") or not compile_pattern(cues.signs).search(text):
        return False
    return _matches_any(cues.patterns, text) and not _matches_any(cues.not_patterns, text)


def _matches_any(patterns: tuple[str, ...], text: str) -> bool:
    return any(compile_pattern(pattern).search(text) for pattern in patterns)
