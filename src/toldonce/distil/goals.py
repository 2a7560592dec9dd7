"""Whether something that was achieved is a goal that was stated before, judged by their shared content words."""

from __future__ import annotations

import re

from toldonce.lang.grammar import ENDED, REACHED
from toldonce.lang.registry import all_languages, combine_languages, unite_patterns, unite_words
from toldonce.lang.vocabulary import content_stems, content_words, stem_word
from toldonce.text.words import fold_word

_ENOUGH = 0.5
# Nobody finishes these: they are done when their own verb says so.
_not_finished = unite_words(lambda language: language.comparison.not_finished)
_named = unite_patterns(lambda language: language.comparison.goals, r"\b(?:{})\b")
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[^\W_]+")


def is_reached(goal: str, reached: str) -> bool:
    """Whether a goal is the one of which somebody says that it was reached, or that they gave it up."""
    said = reached.removeprefix(REACHED).removeprefix(ENDED)
    if goal.casefold() == said.casefold():
        return True
    if set(_NUMBER.findall(goal)) != set(_NUMBER.findall(said)):
        return False
    if not _named().search(said) and not _not_finished().isdisjoint(fold_word(word) for word in _WORD.findall(goal)):
        return False
    ours, theirs = _goal_stems(goal), _goal_stems(said)
    return bool(ours and theirs) and len(ours & theirs) >= _ENOUGH * min(len(ours), len(theirs))


def _goal_stems(text: str) -> frozenset[str]:
    """The stems that name what a text is about; what only says that it is a goal, or was reached, is left out."""
    return content_stems(text) - _goal_phrase_stems()


@combine_languages
def _goal_phrase_stems() -> frozenset[str]:
    """Stems of what people say around a goal without naming it."""
    return frozenset(
        stem_word(word, language.code)
        for language in all_languages()
        for word in content_words(language.comparison.around_goals)
    )
