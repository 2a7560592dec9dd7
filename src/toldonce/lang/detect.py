"""Which language a text is written in, by its small words and its letters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from toldonce.lang.registry import DEFAULT, all_languages, combine_languages, until_registration

# Scores as close as this are level.
_LEVEL = 1e-6
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


@combine_languages
def _language_marks() -> tuple[tuple[str, dict[str, float], re.Pattern[str], re.Pattern[str]], ...]:
    """For each language: its code, its small words with their weights, its letters and its signs.

    A word that several languages share says little: it counts the less the more languages have it.
    """
    found = [(language.code, language.detection) for language in all_languages()]
    shared = Counter(word for _, marks in found for word in marks.words)
    return tuple(
        (
            code,
            {word: 1 / shared[word] for word in marks.words},
            re.compile(marks.letters or "(?!)"),
            re.compile(marks.signs or "(?!)", re.I),
        )
        for code, marks in found
    )


def detect_language(text: str, *, otherwise: str = DEFAULT) -> str:
    """The code of the language that most of the text's small words belong to; `otherwise` where two are level."""
    return _choose_best(score_languages(text), otherwise=otherwise)


def detect_language_of(texts: Iterable[str], *, enough_chars: int) -> str:
    """The language of several texts, of which as many are read as have enough characters."""
    scores = dict(_remembered_scores(""))
    for text in texts:
        for code, score in _remembered_scores(text[:enough_chars]).items():
            scores[code] += score
        enough_chars -= len(text)
        if enough_chars <= 0:
            break
    return _choose_best(scores, otherwise=DEFAULT)


def _choose_best(scores: Mapping[str, float], *, otherwise: str) -> str:
    best = max(scores.values())
    leading = [code for code, score in scores.items() if score > best - _LEVEL]
    return leading[0] if len(leading) == 1 else otherwise if otherwise in leading or best == 0 else leading[0]


def score_languages(text: str) -> dict[str, float]:
    """How much of the text speaks for each language."""
    words = Counter(_WORD.findall(text.lower().replace("’", "'")))
    return {
        code: sum(weights[word] * count for word, count in words.items() if word in weights)
        + len(letters.findall(text)) / 2
        + len(signs.findall(text))
        for code, weights, letters, signs in _language_marks()
    }


# Prompt blocks show the same texts again and again.
_remembered_scores = until_registration(lru_cache(maxsize=2048)(score_languages))
