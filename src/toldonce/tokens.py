"""How many tokens a text costs, and which part of it fits a budget: an estimate biased high, or a tokenizer's count.

Text in, numbers and prefixes out; nothing is read from disk or network.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import cache
from math import ceil

ELLIPSIS = "…"

_WIDE = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_PICTURE = r"\u2600-\u27bf\U0001f000-\U0001ffff"

# One match is one token. The order matters: a short word is tried before the five-letter pieces of a long one.
# The plain pattern gives the same pieces for ASCII text in half the time.
_PLAIN_PIECE = re.compile(r"(?<![A-Za-z])[A-Za-z]{1,7}+(?![A-Za-z])|[A-Za-z]{1,5}|[0-9]{1,3}|\n\s*|[^\w\s]{1,2}|\S")
_ANY_PIECE = rf"""
      (?<![^\W\d_])[A-Za-z]{{1,7}}+(?![^\W\d_])
    | [A-Za-z]{{1,5}}
    | [\u00c0-\u024f\u0400-\u052f]{{1,2}}
    | [0-9]{{1,3}}
    | \n\s*
    | [{_PICTURE}]
    | [^\w\s{_PICTURE}]{{1,2}}
    | \S
    """
_HEAVY_CHARACTER = f"[{_WIDE}]|([{_PICTURE}])"
_WIDE_EXTRA = 0.15
_PICTURE_EXTRA = 1.5

_WORD_END = rf"[{_WIDE}]|\S(?=\s|[{_WIDE}])"
_DANGLING = " \t\r\n,;:-–—([{\"'“‘«"


@cache
def _compile_wide_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern with wide ranges, which is slow to compile: most short-lived processes meet ASCII text only."""
    return re.compile(pattern, re.VERBOSE)


def _estimate_tokens(text: str) -> int:
    if text.isascii():
        return _add_margin(len(_PLAIN_PIECE.findall(text)))
    heavy = _compile_wide_pattern(_HEAVY_CHARACTER).findall(text)
    pictures = sum(map(bool, heavy))
    extra = _WIDE_EXTRA * (len(heavy) - pictures) + _PICTURE_EXTRA * pictures
    return _add_margin(len(_compile_wide_pattern(_ANY_PIECE).findall(text)) + ceil(extra))


def _add_margin(pieces: int) -> int:
    # Five in a hundred more: the worst kinds of text (JSON, chat slang, short Portuguese) come out that much too low.
    return pieces + pieces // 20


_counter: Callable[[str], int] = _estimate_tokens


def use_tokenizer(counter: Callable[[str], int] | None) -> None:
    """Count with `counter` in this whole process; None brings the estimate back."""
    global _counter
    _counter = counter or _estimate_tokens


def count_tokens(text: str) -> int:
    """Tokens in the text, more often a little too many than too few."""
    return _counter(text)


def cut_text(text: str, budget: int) -> str:
    """The longest run of whole words from the start that fits, closed by an ellipsis when something was cut off.

    Empty when not even the first word fits.
    """
    if budget <= 0:
        return ""
    reach = _sufficient_length(text, budget)
    if reach is None:
        return text
    ends = [match.end() for match in _compile_wide_pattern(_WORD_END).finditer(text, 0, reach)]
    fitting = bisect_right(ends, budget, key=lambda end: _counter(_end_with_ellipsis(text, end)))
    # A real tokenizer is not strictly monotone, so the found prefix is checked, not trusted.
    while fitting and _counter(_end_with_ellipsis(text, ends[fitting - 1])) > budget:
        fitting -= 1
    return _end_with_ellipsis(text, ends[fitting - 1]) if fitting else ""


def _sufficient_length(text: str, budget: int) -> int | None:
    """A length whose prefix surely passes the budget, so that a long text is not counted whole; None if all fits."""
    length = 8 * budget
    while length < len(text):
        if _counter(text[:length]) > budget + 2:
            return length
        length *= 2
    return None if _counter(text) <= budget else len(text)


def _end_with_ellipsis(text: str, end: int) -> str:
    kept = text[:end].rstrip(_DANGLING)
    return kept + ELLIPSIS if kept else ""
