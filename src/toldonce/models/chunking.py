"""Cuts a long text into parts that each say about one thing, at sentence ends where there are some. Pure text."""

from __future__ import annotations

import re

# A vector of more words blurs what each sentence says; of fewer, it lacks what the sentence is about.
WORDS_A_PART = 45
# A very long text has no more parts than this. They are longer then, up to what an embedder takes in.
MOST_PARTS = 64
MOST_WORDS_A_PART = 180
_WORD = re.compile(r"\S+")
_ENDS = (".", "!", "?", "。", "！", "？", "\n")

Spans = list[tuple[int, int]]


def split_into_chunks(text: str, *, words: int = WORDS_A_PART) -> list[str]:
    """The text in parts of about that many words and about the same length; what no part has room for is left out."""
    spans = [match.span() for match in _WORD.finditer(text)]
    count = min(MOST_PARTS, round(len(spans) / words))
    if count <= 1:
        return [text]
    cut: list[str] = []
    start = 0
    for left in range(count, 0, -1):
        end = _chunk_end(text, spans, start, wanted=min(MOST_WORDS_A_PART, (len(spans) - start) // left))
        cut.append(text[spans[start][0] : spans[end - 1][1]])
        start = end
    return cut


def _chunk_end(text: str, spans: Spans, start: int, *, wanted: int) -> int:
    """One past the last word of a part: at the sentence end nearest to the length wanted, if any is near."""
    full = start + wanted
    if full >= len(spans):
        return len(spans)
    nearby = sorted(
        range(full - wanted // 3, min(full + wanted // 3, len(spans) - 1) + 1), key=lambda end: abs(end - full)
    )
    return next((end for end in nearby if _ends_sentence(text, spans, end)), full)


def _ends_sentence(text: str, spans: Spans, end: int) -> bool:
    first, last = spans[end - 1]
    return text[first:last].endswith(_ENDS) or "\n" in text[last : spans[end][0]]
