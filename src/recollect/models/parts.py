"""Cuts a long text into parts that an embedder can take in whole, at sentence ends where there are some. Pure text."""

from __future__ import annotations

import re

WORDS_A_PART = 90
MOST_PARTS = 64
_WORD = re.compile(r"\S+")
_ENDS = (".", "!", "?", "。", "！", "？", "\n")


def parts(text: str, *, words: int = WORDS_A_PART) -> list[str]:
    """The text in parts of about that many words; a short text is one part, and a very long one is cut at the last."""
    spans = [match.span() for match in _WORD.finditer(text)]
    if len(spans) <= words * 3 // 2:
        return [text]
    cut: list[str] = []
    start = 0
    while start < len(spans) and len(cut) < MOST_PARTS:
        end = _end(text, spans, start, words)
        cut.append(text[spans[start][0] : spans[end - 1][1]])
        start = end
    return cut


def _end(text: str, spans: list[tuple[int, int]], start: int, words: int) -> int:
    """One past the last word of a part: the last sentence end in its second half, else its full length."""
    full = min(start + words, len(spans))
    if full == len(spans):
        return full
    for place in range(full, start + words // 2, -1):
        if (
            text[spans[place - 1][0] : spans[place - 1][1]].endswith(_ENDS)
            or "\n" in text[spans[place - 1][1] : spans[place][0]]
        ):
            return place
    return full
