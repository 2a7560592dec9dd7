"""Words that carry little content, of all languages together, and what is left of a text without them."""

from __future__ import annotations

from functools import cache, lru_cache

from recollect.lang.detect import detect_language
from recollect.lang.registry import all_languages, language_of, unite_words, until_registration
from recollect.text.stem import stem_of_word, strip_ending
from recollect.text.words import collect_words

stop_words = unite_words(lambda language: language.vocabulary.stop)
frame_words = unite_words(lambda language: language.vocabulary.frame)
dull_words = unite_words(lambda language: language.vocabulary.dull)


@until_registration
@cache
def words_for_subject(attribute: str) -> tuple[tuple[str, ...], ...]:
    """The words that name an attribute of a person, of each language that has some."""
    return tuple(language.subjects[attribute] for language in all_languages() if attribute in language.subjects)


def content_words(text: str) -> frozenset[str]:
    """The words of a text that carry content, folded: for comparing texts."""
    return collect_words(text, stop_words())


def content_stems(text: str) -> frozenset[str]:
    """The stems of the words that carry content, by the rules of the text's language."""
    code = detect_language(text)
    return frozenset(stem_word(word, code) for word in content_words(text))


@until_registration
@lru_cache(maxsize=50_000)
def stem_word(word: str, code: str) -> str:
    """A folded word without its ending; of a language without endings of its own, as the index stems it."""
    endings = language_of(code).vocabulary.endings
    return strip_ending(word, endings) if endings else stem_of_word(word)
