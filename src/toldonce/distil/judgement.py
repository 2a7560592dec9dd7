"""Contradictions by rule: two statements about one person come in, whether they exclude each other goes out.

Only plain contradictions are judged: the same thing liked and disliked, held and ended, or given with two numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from toldonce.distil.drafts import Judgement, Material
from toldonce.lang.detect import detect_language
from toldonce.lang.grammar import ENDED
from toldonce.lang.registry import all_languages, combine_languages, unite_tables, until_registration
from toldonce.lang.vocabulary import stem_word, stop_words
from toldonce.text.words import fold_word

if TYPE_CHECKING:
    from toldonce.lang.base import Comparison, Words

CERTAIN_ENOUGH = 0.7

_NONE = Judgement(False, 0.9)
_ENDS = Judgement(True, 0.95)
_OPPOSES = Judgement(True, 0.9)
_COUNTS = Judgement(True, 0.8)

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# Of things that happened on a day, there may be many.
_DATED = re.compile(r"\b(?:19|20)\d\d\b")
_counted = unite_tables(lambda language: language.comparison.counted)


@dataclass(frozen=True, slots=True)
class _Words:
    """What says yes or no, likes or dislikes, and what says nothing, in any language."""

    negation: Words
    likes: Words
    dislikes: Words
    taken: Words


@combine_languages
def _judgement_words() -> _Words:
    known: list[Comparison] = [language.comparison for language in all_languages()]
    none: Words = frozenset()
    negation = none.union(*(words.negation for words in known))
    likes = none.union(*(words.likes for words in known))
    dislikes = none.union(*(words.dislikes for words in known))
    little = none.union(*(words.little for words in known))
    return _Words(negation, likes, dislikes, negation | likes | dislikes | little | _counted().keys())


@dataclass(frozen=True, slots=True)
class _Frame:
    """What a sentence says once its numbers and its yes or no are taken out of it."""

    words: frozenset[str]
    numbers: tuple[str, ...]
    says_no: bool


def judge_contradiction(older: Material, newer: Material) -> Judgement:
    """Whether the newer statement contradicts the older one, and how sure that is."""
    if older.subject == newer.subject and _is_ended_by(older.value, newer.value):
        return _ENDS
    one: _Frame = _read_claim_frame(older.text)
    other: _Frame = _read_claim_frame(newer.text)
    if not one.words or one.words != other.words:
        return _NONE
    if one.says_no != other.says_no:
        return _OPPOSES
    counts = older.subject is not None and older.subject == newer.subject and not _DATED.search(older.text + newer.text)
    return _COUNTS if counts and one.numbers != other.numbers and len(one.numbers) == len(other.numbers) else _NONE


def _is_ended_by(older: str | None, newer: str | None) -> bool:
    if not older or not newer or not newer.startswith(ENDED):
        return False
    return fold_word(older) == fold_word(newer.removeprefix(ENDED))


@until_registration
@lru_cache(maxsize=4096)
def _read_claim_frame(text: str) -> _Frame:
    said = [fold_word(word) for word in _WORD.findall(text.replace("’", "'"))]
    words, counted, stop, language = _judgement_words(), _counted(), stop_words(), detect_language(text)
    dislikes = any(word in words.dislikes for word in said)
    denies = any(word in words.negation for word in said)
    numbers = [_number_of_word(word, counted) for word in said if word in counted or _NUMBER.fullmatch(word)]
    left = (word for word in said if word not in words.taken and word not in stop and not word.isdigit())
    rest = frozenset(stem_word(word, language) for word in left)
    likes = {"likes"} if dislikes or any(word in words.likes for word in said) else set()
    return _Frame(rest | likes, tuple(numbers), dislikes != denies)


def _number_of_word(word: str, counted: Mapping[str, int]) -> str:
    return str(counted[word]) if word in counted else word
