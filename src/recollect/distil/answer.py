"""What a person's answer to a doubt means: the newer record, the older one, or something else, in two languages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from recollect.recall.query import content_words, fold
from recollect.recall.stem import stem

_YES = re.compile(
    r"^\W*(yes|yeah|yep|right|correct|true|indeed|it changed|changed|sim|isso|mudou|certo|exato|verdade)\b", re.I
)
_NO = re.compile(r"^\W*(no|nope|nothing changed|wrong|false|não|nao|nada mudou|errado)\b", re.I)
# Names and numbers tell two statements apart; a capital that opens a sentence, and "I", name nobody.
_NAME = re.compile(r"(?<![.!?…]\s)(?<!^)\b[A-ZÀ-Ý][\w'-]+|\b\d+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which side the person took."""

    choice: Literal["newer", "older", "other"]


def verdict(answer: str, *, older: str, newer: str) -> Verdict:
    """What an answer to 'did something change?' says: by what it names, then by its words, then by its yes or no."""
    named, old, new = (_names(text) for text in (answer, older, newer))
    if choice := _side(named, old=old, new=new):
        return choice
    if named - old - new:
        return Verdict("other")
    if _YES.search(answer) or _NO.search(answer):
        return Verdict("newer" if _YES.search(answer) else "older")
    words = [frozenset(stem(word) for word in content_words(text)) for text in (answer, older, newer)]
    return _side(words[0], old=words[1], new=words[2]) or Verdict("other")


def _side(said: frozenset[str], *, old: frozenset[str], new: frozenset[str]) -> Verdict | None:
    for_new, for_old = len(said & (new - old)), len(said & (old - new))
    if for_new == for_old:
        return None
    return Verdict("newer" if for_new > for_old else "older")


def _names(text: str) -> frozenset[str]:
    return frozenset(fold(name) for name in _NAME.findall(text))
