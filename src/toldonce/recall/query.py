"""A question as the search sees it: its words with content, names, times, and what type of question it is. No store."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import lru_cache

from toldonce.lang.registry import all_languages, combine_languages, unite_patterns, until_registration
from toldonce.lang.vocabulary import normalise_alias, stop_words, words_for_subject
from toldonce.presets.policy import Subject
from toldonce.text.patterns import join_patterns
from toldonce.text.words import (
    MOST_TERMS,
    WORD,
    drop_unspaced,
    fold_word,
    list_terms,
    query_pairs,
    shorten_question,
)
from toldonce.times.reader import Window, find_asked_windows

_had = unite_patterns(lambda language: language.questions.had)
_LONGEST_NAME = 4
# A capitalised word inside a sentence.
NAME = re.compile(r"(?<=[\w,;:)] )[^\W\d_a-zß-ÿ][^\W\d_]{2,}")
# A question that names more times asks about none of them in particular.
_MOST_WINDOWS = 8
# The pairs of characters that count in a long question of a script without spaces: about as much as its terms say.
_MOST_PAIRS = 4 * MOST_TERMS


@dataclass(frozen=True, slots=True)
class Query:
    """What a question asks for."""

    text: str
    terms: tuple[str, ...]
    grams: tuple[str, ...]
    names: tuple[str, ...]
    windows: tuple[Window, ...]

    @property
    def parts(self) -> tuple[str, ...]:
        """What a text is to hold: the terms, of a script without spaces the pairs of its characters instead."""
        if not self.grams:
            return self.terms
        words = (word for term in self.terms for word in drop_unspaced(term).split())
        return tuple(dict.fromkeys((*words, *map(fold_word, self.grams[:_MOST_PAIRS]))))


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


@dataclass(frozen=True, slots=True)
class AskedAttributes:
    """The attributes of people that a question asks for, and its other words: one may be whose they are."""

    attributes: tuple[str, ...] = ()
    other_words: tuple[str, ...] = ()

    @classmethod
    def find(cls, query: Query, subjects: Mapping[str, Subject]) -> AskedAttributes:
        """Those of a question."""
        found = find_asked_attributes(query, subjects)
        others = tuple(term for term in query.terms if not find_named_attributes({term}, subjects)) if found else ()
        return cls(found, others)


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


def _remembered(question_type: Callable[[str], bool]) -> Callable[[str], bool]:
    """A question is looked at several times while it is answered."""
    remembered: Callable[[str], bool] = until_registration(lru_cache(maxsize=64)(question_type))
    return remembered


_anything = unite_patterns(lambda language: language.questions.anything, r"\?|{}")
# Something is to be done; what was said of it is looked for by its words.
_to_do = unite_patterns(lambda language: language.questions.to_do)
# First-person statements.
_self = unite_patterns(lambda language: language.questions.self)
_begins_with_self = unite_patterns(lambda language: language.questions.begins_with_self)
_ENDED = re.compile(r"[.!…][\"'”’)]*\s*$")
_when = unite_patterns(lambda language: language.questions.when)
_you = unite_patterns(lambda language: language.questions.you)
_polite = unite_patterns(lambda language: language.questions.polite)
_help = unite_patterns(lambda language: language.questions.help)
_said = unite_patterns(lambda language: language.questions.said)
_order = unite_patterns(lambda language: language.questions.order)
_summary = unite_patterns(lambda language: language.questions.summary)
_now = unite_patterns(lambda language: language.questions.now)
_earlier = unite_patterns(lambda language: language.questions.earlier)
_happened = unite_patterns(lambda language: language.questions.happened)
_first = unite_patterns(lambda language: language.questions.first)
_quantity = unite_patterns(lambda language: language.questions.quantity)
# Advice, and questions about several things at once: no statement of them makes another one stale.
_broader = unite_patterns(lambda language: language.questions.broader)
_own = unite_patterns(lambda language: language.questions.own)
_several = unite_patterns(lambda language: language.questions.several)
_goes_on = unite_patterns(lambda language: language.questions.goes_on)
# What is longer than this says itself what it is about.
_LONGEST_FOLLOW_UP = 7


@_remembered
def is_question(text: str) -> bool:
    """Whether it is a question, or begins as one."""
    return _anything().search(text) is not None


@_remembered
def is_statement(text: str) -> bool:
    """Whether somebody talks about themselves and asks for nothing. A few search terms are not a statement."""
    words = len(text.split())
    if words < 4 or is_question(text) or _to_do().search(text):
        return False
    is_told = _ENDED.search(text) is not None
    if _self().search(text):
        return is_told or words >= 9 or _begins_with_self().search(text) is not None
    return is_told and words >= 12


@_remembered
def is_time_question(text: str) -> bool:
    """Whether the answer is a time, or a length of time."""
    return _when().search(text) is not None


@_remembered
def is_about_assistant(text: str) -> bool:
    """Whether it asks what the assistant said or did, politeness aside."""
    return _you().search(_polite().sub(" ", text)) is not None


@_remembered
def is_summary_request(text: str) -> bool:
    """Whether the answer is an overview."""
    return _summary().search(text) is not None


@_remembered
def is_help_request(text: str) -> bool:
    """Whether it asks for advice or for something to be done, not for what was said or done before."""
    return _help().search(text) is not None and not _said().search(text) and not is_course_question(text)


@_remembered
def is_course_question(text: str) -> bool:
    """Whether it asks how things went from the beginning: in what order, or in short."""
    return _order().search(text) is not None or is_summary_request(text)


@_remembered
def asks_for_several(text: str) -> bool:
    """Whether it takes several pieces of evidence: about two people, a number of times, an order, all of something."""
    return is_question(text) and (_several().search(text) is not None or is_course_question(text))


@_remembered
def goes_on(text: str) -> bool:
    """Whether it says what it asks about only together with the turn before: "and her brother?"."""
    return len(text.split()) <= _LONGEST_FOLLOW_UP and _goes_on().search(text) is not None


@_remembered
def asks_what_is_known(text: str) -> bool:
    """Whether it asks for something that was said: no order, no greeting, no request for advice."""
    return is_question(text) and not _to_do().search(text) and not is_help_request(text)


def find_asked_names(query: Query) -> tuple[str, ...]:
    """The capitalised words inside a question, but those that name a time."""
    return tuple(dict.fromkeys(NAME.findall(_remove_time_words(query.text, query.windows))))


@_remembered
def is_state_question(text: str) -> bool:
    """Whether it asks how one thing stands, so that a newer statement may replace an older one.

    What others did once, what came first and how things went are no states; how much of something there was is one,
    and of what the asker did the latest counts.
    """
    if _broader().search(text) or is_help_request(text) or is_course_question(text):
        return False
    if _now().search(text):
        return True
    if _earlier().search(text):
        return False
    if not _happened().search(text):
        return True
    return not _first().search(text) and any(wanted.search(text) for wanted in (_quantity(), _own()))


@_remembered
def is_current_state_question(text: str) -> bool:
    """Whether it asks how a thing of the asker's stands, or any thing now: of two statements the newer holds."""
    return is_state_question(text) and any(wanted.search(text) for wanted in (_now(), _own()))
