"""A question as the search sees it: the words that carry content, names, and stretches of time. Pure text, no store."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import lru_cache

from recollect.kinds import Subject
from recollect.lang.registry import all_languages, combine_languages, unite_patterns
from recollect.lang.vocabulary import stop_words, words_for_subject
from recollect.models.tagger import normalise_alias
from recollect.text.patterns import join_patterns
from recollect.text.words import MOST_TERMS, WORD, fold_word, list_terms, query_pairs, shorten_question
from recollect.times.reader import Window, find_asked_windows

_had = unite_patterns(lambda language: language.questions.had)
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


def analyse_query(text: str, *, now: datetime, zone: tzinfo) -> Query:
    """Take a question apart; of a long one, the beginning and the end."""
    text = shorten_question(text)
    named = tuple(find_asked_windows(text, now=now, zone=zone))
    found = tuple(_distinct_windows(named))[:_MOST_WINDOWS]
    rest = _remove_time_words(text, named)
    stop = stop_words()
    terms = (
        list_terms(rest, stop)
        or list_terms(text, stop)
        or tuple(dict.fromkeys(fold_word(w) for w in WORD.findall(text)))
    )
    return Query(text, terms[:MOST_TERMS], query_pairs(text), _possible_names(WORD.findall(text)), found)


def find_asked_attributes(query: Query, subjects: Mapping[str, Subject]) -> tuple[str, ...]:
    """The attributes of people that a question asks for, in any language.

    Not those of what somebody has: "my dog's name" and "the address of the clinic" are no person's name and address.
    """
    elsewhere = {fold_word(word) for match in _of_a_thing().finditer(query.text) for word in match.groups() if word}
    found = find_named_attributes(frozenset(query.terms) - elsewhere, subjects)
    had = {fold_word(word) for match in _had().finditer(query.text) for word in match.groups() if word}
    return found if all(find_named_attributes({word}, subjects) for word in had) else ()


def find_named_attributes(terms: AbstractSet[str], subjects: Mapping[str, Subject]) -> tuple[str, ...]:
    """The attributes of people that these words name, in any language."""
    return tuple(
        name
        for name, row in subjects.items()
        if not all(terms.isdisjoint(_fold_words(words)) for words in (*row.words.values(), *words_for_subject(name)))
    )


@combine_languages
def _of_a_thing() -> re.Pattern[str]:
    """What stands before "of the" or after "dog's" is said of that thing; a name with a capital is somebody's."""
    return re.compile(join_patterns(language.questions.of_a_thing for language in all_languages()) or "(?!)")


@lru_cache(maxsize=1024)
def _fold_words(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(fold_word, words))


def _distinct_windows(windows: tuple[Window, ...]) -> Iterator[Window]:
    """Each period once, in order."""
    seen = set()
    for window in windows:
        if (span := (window.start, window.end)) not in seen:
            seen.add(span)
            yield window


def _remove_time_words(text: str, windows: tuple[Window, ...]) -> str:
    """A question without the words that name a time."""
    rest = list(text)
    for window in windows:
        rest[window.start_char : window.end_char] = " " * (window.end_char - window.start_char)
    return "".join(rest)


def _possible_names(words: list[str]) -> tuple[str, ...]:
    """Every run of up to four words that could be somebody's or something's name."""
    runs, stop = [], stop_words()
    for size in range(1, _LONGEST_NAME + 1):
        for i in range(len(words) - size + 1):
            run = words[i : i + size]
            if not any(w.casefold() not in stop for w in run):
                continue
            if name := normalise_alias(" ".join(run)):
                runs.append(name)
    return tuple(dict.fromkeys(runs))
