"""Source text as words: identifiers whole and in parts, so that `maxRetryCount` is found by "retry" and by itself."""

from __future__ import annotations

import re
from collections import Counter

from toldonce.lang.registry import all_languages, combine_languages, unite_words
from toldonce.text.words import fold_in_place

_WORD = re.compile(r"[^\W\d]\w*")
# Most source is plain ASCII, where this finds the same words in half the time.
_PLAIN_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\dA-Za-z_]+")
_LONGEST = 60
# Full-text ranking levels off after a few repeats, so counting further only makes the index larger.
_REPEATS = 8
_KNOWN_WORDS = 200_000

_stop = unite_words(lambda language: language.sessions.stop)
_known: dict[str, tuple[str, ...]] = {}


def split_identifier(word: str) -> tuple[str, ...]:
    """An identifier in small letters, followed by its parts when it has several."""
    found = _known.get(word)
    if found is None:
        parts = _PART.findall(word)
        found = (word.lower(), *(p.lower() for p in parts if len(p) > 1)) if len(parts) > 1 else (word.lower(),)
        if len(_known) < _KNOWN_WORDS:
            _known[word] = found
    return found


def identifier_words(text: str) -> list[str]:
    """Every word of a text, in order."""
    return (_PLAIN_WORD if text.isascii() else _WORD).findall(text)


def word_bag(text: str, *, repeats: int = _REPEATS) -> str:
    """The words of a text for the full-text index, unordered, each as often as it occurs up to a limit."""
    counts: Counter[str] = Counter()
    for word, times in Counter(identifier_words(text)).items():
        if len(word) <= _LONGEST:
            for piece in split_identifier(word):
                counts[piece] += times
    return " ".join([(word + " ") * min(times, repeats) for word, times in counts.items()])


def spread_words(text: str) -> str:
    """Every word of a text and its parts, in order."""
    return " ".join(piece for word in identifier_words(text) for piece in split_identifier(word))


def search_terms(text: str) -> list[str]:
    """What to search for: every word and part once, without the words that say nothing."""
    found = (piece for word in identifier_words(text) if len(word) <= _LONGEST for piece in split_identifier(word))
    stop = _stop()
    return [t for t in dict.fromkeys(found) if t not in stop and len(t) > 1]


def find_code_words(text: str) -> tuple[list[str], list[str]]:
    """What code may call the things that a text names in other words, and the phrases in which it does.

    "Logged out" gives session and token; its own words would find what writes logs.
    """
    pattern, rows = _code_word_rows()
    found = [match for match in pattern.finditer(fold_in_place(text)) if match.lastgroup]
    words = dict.fromkeys(word for match in found for word in rows[int(str(match.lastgroup)[1:])])
    return list(words), [text[match.start() : match.end()] for match in found if " " in match[0]]


@combine_languages
def _code_word_rows() -> tuple[re.Pattern[str], list[list[str]]]:
    """A pattern with a group for what people say of each row, and the words of code of each row."""
    rows = [row.partition(" / ") for language in all_languages() for row in language.sessions.code_words]
    groups = [
        f"(?P<r{number}>{'|'.join(_phrase_pattern(phrase) for phrase in said.split())})"
        for number, (said, _, _) in enumerate(rows)
    ]
    return re.compile(rf"(?<!\w)(?:{'|'.join(groups) or '(?!)'})(?!\w)"), [called.split() for _, _, called in rows]


def _phrase_pattern(phrase: str) -> str:
    plain = fold_in_place(phrase.rstrip("*")).replace("_", " ")
    return re.escape(plain).replace(r"\ ", r"\s+") + (r"\w*" if phrase.endswith("*") else "")
