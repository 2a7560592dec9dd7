"""Pairs of neighbouring characters, for Chinese, Japanese, Korean, Thai and other scripts that write no spaces.

A text in such a script is indexed by its pairs; a question is searched as a run of them. Other texts give ''.
"""

from __future__ import annotations

import re
import unicodedata

_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0002fa1f]+"
)


def grams_of(text: str) -> str:
    """The pairs of a text, separated by spaces; the last character of a run is also listed alone."""
    if text.isascii():
        return ""
    return " ".join(gram for run in _runs(text) for gram in (*_pairs(run), run[-1]))


def pairs_asked(text: str) -> tuple[str, ...]:
    """The pairs of the unspaced parts of a question; a single character stands for the pairs that begin with it."""
    if text.isascii():
        return ()
    return tuple(dict.fromkeys(pair for run in _runs(text) for pair in (_pairs(run) or [run])))


def _runs(text: str) -> list[str]:
    return _UNSPACED.findall(unicodedata.normalize("NFKC", text))


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]
