"""Whether something that was reached is a goal that was told before, by the words that carry both."""

from __future__ import annotations

import re
from functools import cache

from recollect.distil.drafts import ENDED, REACHED
from recollect.recall.query import content_words, fold
from recollect.recall.stem import stem

_ENOUGH = 0.5
# What people say around a goal without naming it.
_AROUND = (
    "goal goals target milestone dream aim objective resolution plan plans want wants hope hopes finish finished"
    " complete completed reach reached achieve achieved hit met first new big main year month run ran learn learning"
    " read reading write writing study train become start play take do meta objetivo sonho quer pretende terminar"
    " terminei concluir concluí concluiu alcançar alcancei bater bati primeiro primeira novo nova ano mês correr"
    " aprender ler escrever estudar treinar começar tocar fazer"
)
# Nobody finishes these: they are done when their own verb says so.
_NOT_FINISHED = frozenset(
    "buy sell save get adopt move visit travel quit lose find own have comprar vender poupar juntar adotar mudar"
    " visitar viajar largar parar perder encontrar ter".split()
)
_NAMED = re.compile(r"\b(?:goal|target|milestone|dream|meta|objetivo|sonho)\b", re.I)
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[^\W_]+")


def is_reached(goal: str, reached: str) -> bool:
    """Whether a goal is the one of which somebody says that it was reached, or that they gave it up."""
    said = reached.removeprefix(REACHED).removeprefix(ENDED)
    if goal.casefold() == said.casefold():
        return True
    if set(_NUMBER.findall(goal)) != set(_NUMBER.findall(said)):
        return False
    if not _NAMED.search(said) and not _NOT_FINISHED.isdisjoint(fold(word) for word in _WORD.findall(goal)):
        return False
    ours, theirs = _telling(goal), _telling(said)
    return bool(ours and theirs) and len(ours & theirs) >= _ENOUGH * min(len(ours), len(theirs))


def _telling(text: str) -> frozenset[str]:
    """The stems that name what a text is about; what only says that it is a goal, or was reached, is left out."""
    return frozenset(stem(word) for word in content_words(text)) - _around()


@cache
def _around() -> frozenset[str]:
    return frozenset(stem(word) for word in content_words(_AROUND))
