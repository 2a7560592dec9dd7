"""Words of languages at work: which carry content, their stems, spoken spelling written out, topics, names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from toldonce.lang.detect import detect_language
from toldonce.lang.registry import all_languages, language_of, unite_patterns, unite_words, until_registration
from toldonce.lang.statements import StatementWords
from toldonce.text.words import collect_words, fold_in_place, stem_of_word, strip_ending

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


TOPICS = (
    "allergy", "medication", "symptom", "body", "condition", "care", "diet", "family", "people", "pet", "work", "study",
    "home", "plan", "money", "taste", "hobby", "tech", "cause", "decision", "name", "event",
    "residence", "job", "couple", "recovery", "schedule",
)  # fmt: skip
_TOKEN = re.compile(r"[\w']+")


@dataclass(frozen=True, slots=True)
class Spelled:
    """A text in usual spelling; `places` gives for each character, and for the end, its place in the original."""

    text: str
    places: tuple[int, ...]


def statement_words(language: str) -> StatementWords:
    """The statement tables of a language."""
    return language_of(language).extraction.statements


def normalise_spelling(text: str, language: str) -> Spelled:
    """The text as statements are compared: lower case, no accents, and spoken spelling written out."""
    folded = fold_in_place(text).replace("’", "'")
    return _respell(folded, folded, _folded_spelling(language))


def write_out_spelling(text: str, language: str) -> Spelled:
    """The text as a rule should read it: spoken spelling written out, all else as it is.

    What may be a word of its own ("ill", "sat") stays.
    """
    return _respell(text, fold_in_place(text).replace("’", "'"), _certain_spelling(language))


def _respell(text: str, folded: str, table: Mapping[str, str]) -> Spelled:
    parts: list[str] = []
    places: list[int] = []
    end = 0
    for match in _TOKEN.finditer(folded):
        usual = table.get(match[0])
        if usual is None:
            continue
        usual = usual[0].upper() + usual[1:] if text[match.start()].isupper() else usual
        parts += [text[end : match.start()], usual]
        places += [*range(end, match.start()), *([match.start()] * len(usual))]
        end = match.end()
    parts.append(text[end:])
    places += range(end, len(text) + 1)
    return Spelled("".join(parts), tuple(places))


@until_registration
@cache
def _certain_spelling(language: str) -> Mapping[str, str]:
    table = statement_words(language)
    return {word: usual for word, usual in table.spelling.items() if word not in table.doubtful_spelling}


@until_registration
@cache
def _folded_spelling(language: str) -> Mapping[str, str]:
    return {word: fold_in_place(usual) for word, usual in statement_words(language).spelling.items()}


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


_EDGE = r"\s\"'“”‘’«»().,;:!?…*"
_lead = unite_patterns(lambda language: language.names.articles, rf"^(?:[{_EDGE}]+|(?:{{}})\s+(?=\S))+")
_TAIL = re.compile(rf"(?:['’]s|[{_EDGE}])+$")


@lru_cache(maxsize=8192)
def fold_name_word(word: str) -> str:
    """A word of a name without case and accents."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()


def normalise_alias(name: str) -> str:
    """The form under which an alias is looked up: no case, accents, articles in front or possessive behind."""
    folded = " ".join(fold_name_word(name).split())
    return _lead().sub("", _TAIL.sub("", folded)) or folded
