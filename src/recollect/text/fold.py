"""Text without case and accents, for comparing and for looking words up."""

from __future__ import annotations

import re
import unicodedata

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?", re.UNICODE)
_MARKS = re.compile("[\u0300-\u036f]+")


def fold(word: str) -> str:
    """A word without case and accents."""
    if word.isascii():
        return word.casefold()
    return _MARKS.sub("", unicodedata.normalize("NFKD", word.casefold()))
