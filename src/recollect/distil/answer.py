"""What a person's answer to a doubt means: the newer record, the older one, or something else."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from recollect.lang.registry import unite_patterns
from recollect.lang.vocabulary import content_stems
from recollect.text.words import fold_word

_yes = unite_patterns(lambda language: language.comparison.yes, r"^\W*({})\b")
_no = unite_patterns(lambda language: language.comparison.no, r"^\W*({})\b")
# Names and numbers tell two statements apart; a capital that opens a sentence, and "I", name nobody.
_NAME = re.compile(r"(?<![.!?…]\s)(?<!^)\b[A-ZÀ-Ý][\w'-]+|\b\d+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which side the person took."""

    choice: Literal["newer", "older", "other"]


def read_verdict(answer: str, *, older: str, newer: str) -> Verdict:
    """What an answer to 'did something change?' says: by what it names, then by its words, then by its yes or no."""
    named, old, new = (_folded_names(text) for text in (answer, older, newer))
    if choice := _verdict_by_words(named, old=old, new=new):
        return choice
    if named - old - new:
        return Verdict("other")
    if _yes().search(answer) or _no().search(answer):
        return Verdict("newer" if _yes().search(answer) else "older")
    words = [content_stems(text) for text in (answer, older, newer)]
    return _verdict_by_words(words[0], old=words[1], new=words[2]) or Verdict("other")


def _verdict_by_words(said: frozenset[str], *, old: frozenset[str], new: frozenset[str]) -> Verdict | None:
    for_new, for_old = len(said & (new - old)), len(said & (old - new))
    if for_new == for_old:
        return None
    return Verdict("newer" if for_new > for_old else "older")


def _folded_names(text: str) -> frozenset[str]:
    return frozenset(fold_word(name) for name in _NAME.findall(text))
