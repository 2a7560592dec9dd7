"""What a person's answer to a doubt means: the newer record, the older one, or something else, in two languages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_YES = re.compile(
    r"^\W*(yes|yeah|yep|right|correct|true|indeed|it changed|changed|sim|isso|mudou|certo|exato|verdade)\b", re.I
)
_NO = re.compile(r"^\W*(no|nope|nothing changed|wrong|false|não|nao|nada mudou|errado)\b", re.I)
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which side the person took."""

    choice: Literal["newer", "older", "other"]


def verdict(answer: str, *, older: str, newer: str) -> Verdict:
    """What an answer to 'did something change?' says."""
    words = set(_WORD.findall(answer.casefold()))
    old, new = (set(_WORD.findall(text.casefold())) for text in (older, newer))
    for_new, for_old = len(words & (new - old)), len(words & (old - new))
    if for_new != for_old:
        return Verdict("newer" if for_new > for_old else "older")
    if _YES.search(answer):
        return Verdict("newer")
    if _NO.search(answer):
        return Verdict("older")
    return Verdict("other")
