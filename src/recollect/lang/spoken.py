"""Reads text as people type it: usual spelling for the rules' eyes, and the topics that a text is about.

The text itself never changes; every character of the usual spelling knows its place in the original.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from recollect.lang.registry import language_of, until_registration
from recollect.lang.statements import StatementWords
from recollect.text.words import fold_in_place

TOPICS = (
    "allergy", "medication", "symptom", "body", "condition", "care", "diet", "family", "people", "pet", "work", "study",
    "home", "plan", "money", "taste", "hobby", "tech", "cause", "decision", "name", "event",
    "residence", "job", "couple", "recovery", "schedule",
)  # fmt: skip
_TOKEN = re.compile(r"[\w']+")


@dataclass(frozen=True, slots=True)
class Spelled:
    """A text in usual spelling, folded; `places` gives for each character its place in the original."""

    text: str
    places: tuple[int, ...]


def statement_words(language: str) -> StatementWords:
    """The statement tables of a language."""
    return language_of(language).extraction.statements


def normalise_spelling(text: str, language: str) -> Spelled:
    """The text as a rule should read it: lower case, no accents, and spoken spelling written out."""
    folded = fold_in_place(text).replace("’", "'")
    table = statement_words(language).spelling
    parts: list[str] = []
    places: list[int] = []
    end = 0
    for match in _TOKEN.finditer(folded):
        usual = table.get(match[0])
        if usual is None:
            continue
        parts += [folded[end : match.start()], usual]
        places += [*range(end, match.start()), *([match.start()] * len(usual))]
        end = match.end()
    parts.append(folded[end:])
    places += range(end, len(folded))
    return Spelled("".join(parts), tuple(places))


def find_topics(text: str, language: str) -> frozenset[str]:
    """The topics that a text is about."""
    return match_topics(normalise_spelling(text, language).text, language)


def match_topics(usual: str, language: str) -> frozenset[str]:
    """The topics of a text in usual spelling."""
    return frozenset(topic for topic, pattern in _topic_patterns(language).items() if pattern.search(usual))


@until_registration
@cache
def _topic_patterns(language: str) -> Mapping[str, re.Pattern[str]]:
    table = statement_words(language).topics
    return {topic: whole_words(table[topic]) for topic in TOPICS if table.get(topic)}


def whole_words(pattern: str) -> re.Pattern[str]:
    """A pattern that matches only where words begin and end; an empty one matches nothing."""
    return re.compile(rf"(?<![\w'])(?:{pattern or '(?!)'})(?![\w'])")
