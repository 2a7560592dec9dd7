"""Contradictions by rule: two statements about one person come in, whether they exclude each other goes out.

Only what two sentences plainly say is judged: the same thing liked and disliked, held and ended, told with two numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from recollect.distil.drafts import ENDED, Judgement, Material
from recollect.recall.query import fold
from recollect.recall.stem import stem
from recollect.recall.stopwords import STOP

CERTAIN_ENOUGH = 0.7

_NONE = Judgement(False, 0.9)
_ENDS = Judgement(True, 0.95)
_OPPOSES = Judgement(True, 0.9)
_COUNTS = Judgement(True, 0.8)

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# Of things that happened on a day, there may be many.
_DATED = re.compile(r"\b(?:19|20)\d\d\b")
_COUNTED = {
    word: str(number)
    for number, words in enumerate(
        ("no nenhum nenhuma", "a an one um uma", "two dois duas", "three três tres", "four quatro", "five cinco",
         "six seis", "seven sete", "eight oito", "nine nove", "ten dez")
    )
    for word in words.split()
}  # fmt: skip
_NOT = frozenset("not never no longer don't doesn't didn't isn't can't cannot não nao nunca jamais mais".split())
_LIKES = frozenset("like likes love loves enjoy enjoys adore adores gosta ama adora curte".split())
_LOATHES = frozenset(
    "hate hates dislike dislikes despise despises loathe loathes avoid avoids odeia detesta evita".split()
)
_LITTLE = frozenset(
    "does do did is are was really very much at all any anymore still now muito tanto ainda agora de do da o a os as"
    .split()
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Frame:
    """What a sentence says once its numbers and its yes or no are taken out of it."""

    words: frozenset[str]
    numbers: tuple[str, ...]
    says_no: bool


def judge(older: Material, newer: Material) -> Judgement:
    """Whether the newer statement contradicts the older one, and how sure that is."""
    if older.subject == newer.subject and _is_ended_by(older.value, newer.value):
        return _ENDS
    one, other = _frame(older.text), _frame(newer.text)
    if not one.words or one.words != other.words:
        return _NONE
    if one.says_no != other.says_no:
        return _OPPOSES
    counts = older.subject is not None and older.subject == newer.subject and not _DATED.search(older.text + newer.text)
    return _COUNTS if counts and one.numbers != other.numbers and len(one.numbers) == len(other.numbers) else _NONE


def _is_ended_by(older: str | None, newer: str | None) -> bool:
    if not older or not newer or not newer.startswith(ENDED):
        return False
    return fold(older) == fold(newer.removeprefix(ENDED))


def _frame(text: str) -> _Frame:
    said = [fold(word) for word in _WORD.findall(text.replace("’", "'"))]
    loathes = any(word in _LOATHES for word in said)
    denies = any(word in _NOT for word in said)
    numbers = [n for word in said if (n := _COUNTED.get(word) or (word if _NUMBER.fullmatch(word) else None))]
    taken = _NOT | _LIKES | _LOATHES | _LITTLE | _COUNTED.keys()
    rest = frozenset(stem(word) for word in said if word not in taken and word not in STOP and not word.isdigit())
    likes = {"likes"} if loathes or any(word in _LIKES for word in said) else set()
    return _Frame(rest | likes, tuple(numbers), loathes != denies)
