"""Text without case and accents, for comparing and for looking words up."""

from __future__ import annotations

import re
import unicodedata

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?", re.UNICODE)
_MARKS = re.compile("[\u0300-\u036f]+")
_PLAIN = str.maketrans("áàâãäåéèêëíìîïóòôõöúùûüçñýÿ’‘\u00a0\u202f", "aaaaaaeeeeiiiiooooouuuucnyy''  ")


def fold(word: str) -> str:
    """A word without case and accents."""
    if word.isascii():
        return word.casefold()
    return _MARKS.sub("", unicodedata.normalize("NFKD", word.casefold()))


def fold_in_place(text: str) -> str:
    """The text without case and accents, character for character, so that places in it stay true."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    return lowered if lowered.isascii() else lowered.translate(_PLAIN)
