"""A question as the search sees it: the words that carry content, names, and stretches of time. Pure text, no store."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import lru_cache

from recollect.kinds import Subject
from recollect.models.tagger import normalise
from recollect.recall.stopwords import STOP
from recollect.recall.terms import MOST_TERMS, collect_words, list_terms, shorten_question
from recollect.storage.ngrams import pairs_asked
from recollect.text.fold import WORD
from recollect.text.fold import fold as fold
from recollect.times.reader import Window, windows

# What stands before "of the" or after "dog's" is said of that thing; a name with a capital is somebody's.
_OF_A_THING = re.compile(
    r"\b(\w+) of (?:the|my|our|an?|this|that)\b"
    r"|\b(?!what|who|where|when|how|that|there|here|it|he|she|let)[a-zà-ÿ]{2,}['’]s (\w+)"
    r"|\b(\w+) d[aeo]s? (?:meus?|minhas?|noss[oa]s?)\b"
)
_HAD = re.compile(
    r"\b(?:my|our|meus?|minhas?|noss[oa]s?) (?:(?:current|present|new|old|full|first|last|own|atual|nov[oa]) )*(\w+)",
    re.I,
)
_LONGEST_NAME = 4
# A question that names more times asks about none of them in particular.
_MOST_WINDOWS = 8


@dataclass(frozen=True, slots=True)
class Query:
    """What a question asks for."""

    text: str
    terms: tuple[str, ...]
    grams: tuple[str, ...]
    names: tuple[str, ...]
    windows: tuple[Window, ...]


def analyse(text: str, *, now: datetime, zone: tzinfo) -> Query:
    """Take a question apart; of a long one, the beginning and the end."""
    text = shorten_question(text)
    named = tuple(windows(text, now=now, zone=zone))
    found = tuple(_distinct(named))[:_MOST_WINDOWS]
    rest = _without(text, named)
    terms = (
        list_terms(rest, STOP) or list_terms(text, STOP) or tuple(dict.fromkeys(fold(w) for w in WORD.findall(text)))
    )
    return Query(text, terms[:MOST_TERMS], pairs_asked(text), _names(WORD.findall(text)), found)


def attributes_asked(query: Query, subjects: Mapping[str, Subject]) -> tuple[str, ...]:
    """The attributes of people that a question asks for, in any language.

    Not those of what somebody has: "my dog's name" and "the address of the clinic" are no person's name and address.
    """
    elsewhere = {fold(word) for match in _OF_A_THING.finditer(query.text) for word in match.groups() if word}
    found = attributes_named(frozenset(query.terms) - elsewhere, subjects)
    had = {fold(match[1]) for match in _HAD.finditer(query.text)}
    return found if all(attributes_named({word}, subjects) for word in had) else ()


def attributes_named(terms: AbstractSet[str], subjects: Mapping[str, Subject]) -> tuple[str, ...]:
    """The attributes of people that these words name, in any language."""
    return tuple(
        name
        for name, row in subjects.items()
        if not all(terms.isdisjoint(_folded(words)) for words in row.words.values())
    )


@lru_cache(maxsize=1024)
def _folded(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(fold, words))


def content_words(text: str) -> frozenset[str]:
    """The words of a text that carry content, folded: for comparing texts."""
    return collect_words(text, STOP)


def _distinct(windows: tuple[Window, ...]) -> Iterator[Window]:
    """Each stretch of time once, in order."""
    seen = set()
    for window in windows:
        if (span := (window.start, window.end)) not in seen:
            seen.add(span)
            yield window


def _without(text: str, windows: tuple[Window, ...]) -> str:
    """A question without the words that name a time."""
    rest = list(text)
    for window in windows:
        rest[window.start_char : window.end_char] = " " * (window.end_char - window.start_char)
    return "".join(rest)


def _names(words: list[str]) -> tuple[str, ...]:
    """Every run of up to four words that could be somebody's or something's name."""
    runs = []
    for size in range(1, _LONGEST_NAME + 1):
        for i in range(len(words) - size + 1):
            run = words[i : i + size]
            if not any(w.casefold() not in STOP for w in run):
                continue
            if name := normalise(" ".join(run)):
                runs.append(name)
    return tuple(dict.fromkeys(runs))
