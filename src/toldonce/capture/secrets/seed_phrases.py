"""Finds the words that a wallet of cryptocurrency is restored from (BIP 39): rows of words come in, spans go out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from importlib.resources import files

from toldonce.capture.secrets.phrases import Span
from toldonce.lang.registry import all_languages, combine_languages
from toldonce.lang.vocabulary import stop_words

FEWEST_SEED_WORDS = 12
_ONE = re.compile(r"[^\W\d_]+")
# Words that wallets choose from are ordinary ones: a sentence has more small words among twelve than chance brings.
_MOST_SMALL_WORDS = 2


@combine_languages
def _word_lists() -> tuple[frozenset[str], ...]:
    named = (language.secrets.seed_words for language in all_languages())
    return tuple(
        frozenset(files(name).joinpath("seed_words.txt").read_text(encoding="utf-8").split()) for name in named if name
    )


def find_seed_phrases(rows: Iterable[re.Match[str]]) -> Iterator[Span]:
    """Every stretch of twelve words or more of one list."""
    for row in rows:
        words = [(m.start(), m.end(), unicodedata.normalize("NFC", m[0]).casefold()) for m in _ONE.finditer(row[0])]
        for listed in _word_lists():
            stretch: list[tuple[int, int, str]] = []
            for word in [*words, (0, 0, "")]:
                if word[2] in listed:
                    stretch.append(word)
                    continue
                if len(stretch) >= FEWEST_SEED_WORDS and _is_chosen_by_chance(stretch):
                    yield row.start() + stretch[0][0], row.start() + stretch[-1][1], "seed-phrase"
                stretch = []


def _is_chosen_by_chance(stretch: list[tuple[int, int, str]]) -> bool:
    """Whether few of the words are small ones or said again."""
    words = [word for *_, word in stretch]
    small = sum(word in stop_words() for word in words)
    return small <= _MOST_SMALL_WORDS * len(words) / FEWEST_SEED_WORDS and len(set(words)) > len(words) / 2
