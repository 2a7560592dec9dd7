"""Things of which a team uses one at a time: two rules of work come in, whether they choose differently goes out.

Only rules about the same matter are compared, and only where both name one of the same alternatives.
"""

from __future__ import annotations

import re
from collections.abc import Set

from toldonce.distil.alternative_tools import ALTERNATIVES
from toldonce.lang.registry import all_languages, combine_languages, unite_words
from toldonce.lang.vocabulary import stop_words
from toldonce.text.patterns import join_patterns
from toldonce.text.words import fold_word, jaccard_similarity, stem_of_word

# How much of what is left of two rules must be the same for them to be about one matter.
SAME_MATTER = 0.6

_SAME = {"tabs": "tab", "spaces": "space", "postgresql": "postgres"}
_WORD = re.compile(r"[^\W_]+(?:[-_][^\W_]+)*")
_choosing = unite_words(lambda language: language.comparison.choosing)


@combine_languages
def _synonyms_of_alternatives() -> dict[str, str]:
    """Other words for the alternatives, in any language."""
    return {
        word: name for language in all_languages() for word, name in language.comparison.alternatives.items()
    } | _SAME


@combine_languages
def _rejected_word_pattern() -> re.Pattern[str]:
    """The word after one that rejects it."""
    known = [language.comparison for language in all_languages()]
    rejecting = join_patterns(words.rejected for words in known) or "(?!)"
    articles = join_patterns(words.rejected_articles for words in known)
    return re.compile(rf"\b(?:{rejecting})\s+(?:{articles})?([\w-]+)", re.I)


@combine_languages
def _rule_frame_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """How rules begin, and what adds nothing to one, in any language."""
    known = [language.comparison for language in all_languages()]
    # The group that keeps a negation has the same name in each language, which one pattern cannot have.
    openings = [words.rule_opening.replace("(?P<no>", f"(?P<no{n}>") for n, words in enumerate(known)]
    opening = join_patterns(openings) or "(?!)"
    return re.compile(opening, re.I), re.compile(join_patterns(w.rule_filler for w in known) or "(?!)", re.I)


def strip_rule_frame(text: str) -> str:
    """A rule of work without what only makes it one: "We always use tabs here" is "tabs", "Never use tabs" no tabs."""
    opening, filler = _rule_frame_patterns()
    plain = " ".join(filler.sub(" ", text).split())
    bare = opening.sub(lambda match: next(filter(None, match.groupdict().values()), ""), plain, count=1)
    return " ".join(bare.split()) or text


def is_different_choice(one: str, other: str) -> bool:
    """Whether two rules about the same matter name different ones of things of which one is used at a time."""
    for row in ALTERNATIVES:
        ours, theirs = chosen_alternative(one, row), chosen_alternative(other, row)
        if ours and theirs and ours != theirs:
            return jaccard_similarity(rule_topic(one, row), rule_topic(other, row)) >= SAME_MATTER
    return False


def chosen_alternative(text: str, row: Set[str]) -> str | None:
    """The one alternative that a rule asks for; None when it names none or asks for several."""
    rejected = set(map(_known_as, _rejected_word_pattern().findall(text)))
    named = {word for word in _folded_words(text) if word in row and word not in rejected}
    return named.pop() if len(named) == 1 else None


def rule_topic(text: str, row: Set[str]) -> frozenset[str]:
    """What a rule is about, without what it chooses."""
    stop = stop_words()
    return (
        frozenset(stem_of_word(word) for word in _folded_words(text) if word not in row and word not in stop)
        - _choosing()
    )


def _folded_words(text: str) -> list[str]:
    return list(map(_known_as, _WORD.findall(text)))


def _known_as(word: str) -> str:
    """The name under which the table knows a word, or the word itself, folded."""
    folded = fold_word(word)
    return _synonyms_of_alternatives().get(folded, folded)
