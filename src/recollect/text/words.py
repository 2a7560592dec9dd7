"""Words of texts: without case and accents, as terms of a question, as pairs of characters, and compared.

Import-free: hooks of coding agents load this module without the engine. Stop words are an argument."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Sequence
    from collections.abc import Set as AbstractSet

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?", re.UNICODE)
_MARKS = re.compile("[\u0300-\u036f]+")
_PLAIN = str.maketrans("áàâãäåéèêëíìîïóòôõöúùûüçñýÿ’‘\u00a0\u202f", "aaaaaaeeeeiiiiooooouuuucnyy''  ")


def fold_word(word: str) -> str:
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
    return tuple(
        dict.fromkeys(fold_word(w) for w in words if w and w.casefold() not in stop and fold_word(w) not in stop)
    )


def collect_words(text: str, stop: Container[str]) -> frozenset[str]:
    """The words of a text that are no stop words, folded: for comparing texts."""
    return frozenset(fold_word(w) for w in WORD.findall(text) if w.casefold() not in stop)


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


def jaccard_similarity(one: Set[str], other: Set[str]) -> float:
    """How much two sets of words have in common, 0 to 1."""
    return len(one & other) / len(one | other) if one and other else 0.0


_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0002fa1f]+"
)


def text_grams(text: str) -> str:
    """The pairs of a text, separated by spaces, and the last character of each run alone, so that it is found."""
    if text.isascii():
        return ""
    return " ".join(gram for run in _unspaced_runs(text) for gram in (*_character_pairs(run), run[-1]))


def query_pairs(text: str) -> tuple[str, ...]:
    """The pairs of the unspaced parts of a question; a single character stands for the pairs that begin with it."""
    if text.isascii():
        return ()
    return tuple(dict.fromkeys(pair for run in _unspaced_runs(text) for pair in (_character_pairs(run) or [run])))


def _unspaced_runs(text: str) -> list[str]:
    return _UNSPACED.findall(unicodedata.normalize("NFKC", text))


def _character_pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]
