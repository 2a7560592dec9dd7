"""What the value of a fact must look like: a text comes in, whether it can be a place, a name, a number goes out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from recollect.lang.registry import combined, languages, unite_patterns, unite_words
from recollect.text.patterns import compile_pattern, join_patterns

if TYPE_CHECKING:
    from recollect.lang.base import Language, ValueWords


def _values(language: Language) -> ValueWords:
    return language.extraction.values


_not_names = unite_words(lambda language: _values(language).not_names)
_not_people = unite_words(lambda language: _values(language).not_people)
_abstract = unite_words(lambda language: _values(language).abstract)
_homes = unite_patterns(lambda language: _values(language).homes, r"\b(?:{})\b")
_workplaces = unite_patterns(lambda language: _values(language).workplaces, r"\b(?:{})\b")
_trades = unite_patterns(lambda language: _values(language).trades, r"\b(?:{})\b")
# A team can move to a framework as a person moves to a town; these words give the first one away.
_technical = unite_patterns(lambda language: _values(language).technical, r"\b(?:{})\b")


@combined
def _name() -> re.Pattern[str]:
    joins = join_patterns(_values(language).name_joins for language in languages()) or "(?!)"
    return re.compile(rf"[A-ZÀ-Ý][\w'’-]+(?: (?:{joins})?[A-ZÀ-Ý][\w'’.-]+){{0,3}}$")


def match_rule(pattern: str, words: str) -> re.Match[str] | None:
    """The match of a rule's pattern with a predicate, up to the end of a word."""
    return compile_pattern(pattern + r"(?![\w'])").match(words)


_DIGIT = re.compile(r"\d")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+$")
_PHONE = re.compile(r"\+?[\d ().-]{7,20}$")


def _is_named(value: str) -> bool:
    """Whether the value holds a proper name, or is written by somebody who never capitalises."""
    words = [word.strip(".,") for word in value.split()]
    return any(w[:1].isupper() and w.lower() not in _not_names() for w in words)


def is_place(value: str) -> bool:
    """Whether somebody could live there."""
    short = len(value.split()) <= 8 and not _DIGIT.search(value) and not _technical().search(value)
    return short and (_is_named(value) or _homes().search(value) is not None)


def is_workplace(value: str) -> bool:
    """Whether somebody could be employed there."""
    return len(value.split()) <= 9 and (_is_named(value) or _workplaces().search(value) is not None)


def is_trade(value: str) -> bool:
    """Whether it is a line of work."""
    return len(value.split()) <= 6 and _trades().search(value) is not None


def is_name(value: str) -> bool:
    """Whether it is a name as people write names."""
    return _name().match(value) is not None and value.split()[0].lower() not in _not_names()


def is_short(value: str) -> bool:
    """Whether it is a few words at most."""
    return 0 < len(value.split()) <= 6


def passes(check: str, value: str, *, lowercase: bool) -> bool:
    """Whether the value looks as the rule demands; who never capitalises is taken at their word for short names."""
    if CHECKS[check](value):
        return True
    bare = lowercase and check in ("place", "workplace") and value.replace(" ", "").isalpha()
    return bare and len(value.split()) <= 2 and value.split()[0] not in _abstract()


CHECKS: Mapping[str, Callable[[str], bool]] = {
    "": lambda value: len(value.split()) <= 24,
    "place": is_place,
    "workplace": is_workplace,
    "trade": is_trade,
    "name": is_name,
    "person": lambda value: is_name(value) and value.split()[0].lower() not in _not_people(),
    "short": is_short,
    "number": lambda value: _DIGIT.search(value) is not None,
    "email": lambda value: _EMAIL.match(value) is not None,
    "phone": lambda value: _PHONE.match(value) is not None,
}
