"""Patterns made of word lists, and patterns that are compiled when they are first used."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache


def match_any(words: str) -> str:
    """A pattern for any of the words; an underscore stands for a space."""
    ordered = sorted(set(words.split()), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(word.replace("_", " ") for word in ordered) + ")"


def match_longest(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first."""
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"


def join_patterns(patterns: Iterable[str]) -> str:
    """One pattern that matches where any of the patterns does; empty ones are left out."""
    return "|".join(pattern for pattern in patterns if pattern)


def join_groups(*patterns: str) -> str:
    """One pattern that matches where any of the patterns does, each of them as a group of its own."""
    return "|".join(f"(?:{pattern})" for pattern in patterns)


@cache
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """The pattern without regard to case, compiled when it is first needed."""
    return re.compile(pattern, re.I)


class Phrase:
    """A pattern compiled at its first use: a short-lived process that reads one question needs few of them."""

    __slots__ = ("_pattern", "_source")

    def __init__(self, source: str) -> None:
        self._source = source
        self._pattern: re.Pattern[str] | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        if self._pattern is None:
            self._pattern = re.compile(self._source)
        return self._pattern

    def match(self, text: str, place: int = 0) -> re.Match[str] | None:
        return self.pattern.match(text, place)

    def match_between(self, text: str, start: int, end: int) -> re.Match[str] | None:
        """The match that fills the whole stretch from start to end."""
        return self.pattern.fullmatch(text, start, end)

    def finditer(self, text: str, end: int) -> Iterator[re.Match[str]]:
        """Every match before that place."""
        return self.pattern.finditer(text, 0, end)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self.pattern.search(text, start, end)
