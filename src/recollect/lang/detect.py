"""Which language a text is written in, by its small words and its letters."""

from __future__ import annotations

import re

from recollect.lang.registry import DEFAULT, combined, languages

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


@combined
def _marks() -> tuple[tuple[str, frozenset[str], re.Pattern[str], re.Pattern[str]], ...]:
    """For each language: its code, its small words, its letters and its signs."""
    found = ((language.code, language.detection) for language in languages())
    return tuple(
        (code, marks.words, re.compile(marks.letters or "(?!)"), re.compile(marks.signs or "(?!)", re.I))
        for code, marks in found
    )


def detect_language(text: str, *, otherwise: str = DEFAULT) -> str:
    """The code of the language that most of the text's small words belong to; `otherwise` where two are level."""
    scores = score_languages(text)
    best = max(scores.values())
    leading = [code for code, score in scores.items() if score == best]
    return leading[0] if len(leading) == 1 else otherwise if otherwise in leading or best == 0 else leading[0]


def score_languages(text: str) -> dict[str, float]:
    """How much of the text speaks for each language."""
    words = _WORD.findall(text.lower().replace("’", "'"))
    return {
        code: sum(map(small.__contains__, words)) + len(letters.findall(text)) / 2 + len(signs.findall(text))
        for code, small, letters, signs in _marks()
    }
