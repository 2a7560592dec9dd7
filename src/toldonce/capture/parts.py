"""A text that is too long for one record is cut into parts, at paragraph and sentence ends where there are some.

The parts put together are the text again, character for character.
"""

from __future__ import annotations

import re

# Where a part may end, the best kind of place first.
_ENDS = (
    re.compile(r"\n[ \t]*\n\s*"),
    re.compile(r"\n"),
    re.compile(r"[.!?…。！？]+[\"'”’)\]]*\s+"),
    re.compile(r"\s+"),
)


def split_long_text(text: str, *, most: int) -> list[str]:
    """The text in parts of at most that many characters, each with something to read in it."""
    parts: list[str] = []
    start = 0
    while len(text) - start > most:
        end = _find_end(text, start, start + most)
        parts.append(text[start:end])
        start = end
    parts.append(text[start:])
    return parts


def _find_end(text: str, start: int, limit: int) -> int:
    """Where the part ends that begins at a place: at the last good place in its second half, else at the limit."""
    middle = start + (limit - start) // 2
    for pattern in _ENDS:
        ends = [match.end() for match in pattern.finditer(text, middle, limit)]
        if ends and text[ends[-1] :].strip():
            return ends[-1]
    return limit
