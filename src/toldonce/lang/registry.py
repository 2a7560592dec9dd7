"""The languages Toldonce knows, by code, and what all of them say together.

A language is loaded when it is first asked for. What is made of all languages is kept until another one is registered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from toldonce.text.patterns import join_patterns

if TYPE_CHECKING:
    from toldonce.lang.base import Language

# One line per language: its code and the package that holds its value. The first one is the default.
_PACKAGES = {
    "en": "toldonce.lang.en",
    "pt": "toldonce.lang.pt",
    "es": "toldonce.lang.es",
}
DEFAULT = "en"

Made = TypeVar("Made")


class _Kept(Protocol):
    def cache_clear(self) -> None: ...


_registered: dict[str, Language] = {}
_kept: list[_Kept] = []


def language_codes() -> tuple[str, ...]:
    """The codes of all languages, the default first."""
    return (*_PACKAGES, *_registered)


def language_of(code: str) -> Language:
    """The language of a code; the default for a code that nobody registered, such as an empty one."""
    return _registered.get(code) or _load_language(code if code in _PACKAGES else DEFAULT)


def all_languages() -> tuple[Language, ...]:
    """All languages, the default first."""
    return tuple(map(language_of, language_codes()))


@cache
def _load_language(code: str) -> Language:
    language: Language = import_module(_PACKAGES[code]).LANGUAGE
    return language


def register_language(language: Language) -> None:
    """Add a language, or replace the one that was registered under its code before."""
    if language.code in _PACKAGES:
        raise ValueError(f"the language {language.code!r} is built in and cannot be replaced")
    _registered[language.code] = language
    _forget_combined()


def unregister_language(code: str) -> None:
    """Remove a language that was registered; built-in languages stay."""
    _registered.pop(code, None)
    _forget_combined()


def _forget_combined() -> None:
    for made in _kept:
        made.cache_clear()


def until_registration(cached: Any) -> Any:
    """A cached function that forgets its results when a language is registered."""
    _kept.append(cached)
    return cached


def combine_languages(make: Callable[[], Made]) -> Callable[[], Made]:
    """A function without arguments whose result is made of all languages, once until another one is registered."""
    made = cache(make)
    _kept.append(made)
    return made


def unite_words(pick: Callable[[Language], Iterable[str]]) -> Callable[[], frozenset[str]]:
    """A function that gives these words of all languages."""
    return combine_languages(lambda: frozenset().union(*(pick(language) for language in all_languages())))


def unite_tables(pick: Callable[[Language], Mapping[str, Made]]) -> Callable[[], dict[str, Made]]:
    """A function that gives one table made of all languages'; where two have the same word, the first one counts."""
    return combine_languages(
        lambda: {key: row for language in reversed(all_languages()) for key, row in pick(language).items()}
    )


def unite_patterns(pick: Callable[[Language], str], form: str = "{}") -> Callable[[], re.Pattern[str]]:
    """A function that gives one pattern, without regard to case, that matches what any language's does.

    `form` is the pattern around it, with `{}` where the alternatives stand.
    """

    def make() -> re.Pattern[str]:
        alternatives = join_patterns(map(pick, all_languages())) or "(?!)"
        return re.compile(form.replace("{}", alternatives), re.I)

    return combine_languages(make)
