"""The words of a question that carry content, and how many of them a text holds.

Import-free: hooks of coding agents load this module without the engine. Stop words are an argument.
"""

from __future__ import annotations

import re

from recollect.text.fold import WORD, fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Sequence
    from collections.abc import Set as AbstractSet

MOST_TERMS = 24
# Of a longer text, its beginning and its end are read: a question stands before or after what was pasted.
READ_CHARS = 4_000
_END_CHARS = 1_000
_ENDING = re.compile(r"['’].*$")


def shorten_question(text: str) -> str:
    """The part of a question that is read: all of it, or the beginning and the end of a very long one."""
    if len(text) <= READ_CHARS:
        return text
    return f"{text[: READ_CHARS - _END_CHARS - 1]}\n{text[-_END_CHARS:]}"


def list_terms(text: str, stop: Container[str]) -> tuple[str, ...]:
    """The words of a question that are no stop words, folded, each once, in order."""
    words = (_ENDING.sub("", word) for word in WORD.findall(text))
    return tuple(dict.fromkeys(fold(w) for w in words if w and w.casefold() not in stop and fold(w) not in stop))


def collect_words(text: str, stop: Container[str]) -> frozenset[str]:
    """The words of a text that are no stop words, folded: for comparing texts."""
    return frozenset(fold(w) for w in WORD.findall(text) if w.casefold() not in stop)


def count_covered(terms: Sequence[str], words: AbstractSet[str]) -> int:
    """How many of the terms a text holds, as they are or by their beginning."""
    return sum(_covers_term(term, words) > 0 for term in terms)


def term_coverage(terms: Sequence[str], words: AbstractSet[str], *, enough: int | None = None) -> float:
    """The share of the terms that a text holds, 0 to 1; a shared beginning of four letters or more counts for less.

    With `enough`, that many terms are as good as all of them: a long prompt is about more than one record.
    """
    if not terms:
        return 0.0
    wanted = len(terms) if enough is None else min(len(terms), enough)
    return min(1.0, sum(_covers_term(term, words) for term in terms) / wanted)


def _covers_term(term: str, words: AbstractSet[str]) -> float:
    if term in words:
        return 1.0
    stem = term[: max(4, len(term) - 3)]
    return 0.8 if len(term) >= 4 and any(w.startswith(stem) for w in words) else 0.0
