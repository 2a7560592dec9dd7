"""What newer words do to what was known: the one judge, asked by everything that writes.

Two sayings come in, the newer one first; a effect goes out, with its chance and what decided. Pure functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from toldonce.distil.alternative_tools import ALTERNATIVES
from toldonce.distil.drafts import OPPOSITES, Judgement, Material
from toldonce.distil.instructions import replaces_instruction
from toldonce.distil.same_statement import SAME, contradicts, says_same
from toldonce.distil.statements.reading import Weights
from toldonce.distil.statements.store import is_expected_to_end
from toldonce.distil.statements.succession import Stated, score_ending
from toldonce.lang.detect import detect_language
from toldonce.lang.grammar import ANY_JOB, ENDED, REACHED
from toldonce.lang.registry import (
    all_languages,
    combine_languages,
    unite_patterns,
    unite_tables,
    unite_words,
    until_registration,
)
from toldonce.lang.vocabulary import content_stems, content_words, stem_word, stop_words
from toldonce.records import Record
from toldonce.text.patterns import join_patterns
from toldonce.text.words import collect_words, fold_word, jaccard_similarity, stem_of_word

if TYPE_CHECKING:
    from toldonce.lang.base import Comparison, Words

Relation = Literal["same", "ends", "unrelated"]
# What a rule that is sure says, and what words alone suggest: enough to doubt the older one, not to hide it.
SURE, LIKELY = 0.97, 0.75
# What is judged less surely than this is no contradiction.
CERTAIN_ENOUGH = 0.7
# Two of a person's own sentences with this share of words in common say the same.
_SAME_SPOKEN = 0.9
# Words must be this sure that a fact is over, which a rule read that knows what replaces it.
_OF_A_FACT = 0.5


@dataclass(frozen=True, slots=True)
class Effect:
    """What a newer saying does to an older one, how likely that is, and what decided."""

    relation: Relation
    chance: float = 1.0
    why: str = ""


UNRELATED = Effect("unrelated", why="nothing in common")


@dataclass(frozen=True, slots=True)
class Saying:
    """A record as the judge sees it: what was said, and what a second value of its attribute does to the first.

    `is_rule` if it is a rule of work, of which one may overturn another of the whole project. `is_spoken` if its text
    is in the person's own words. `least` is the share of words in common from which two texts say the same.
    """

    record: Record
    stated: Stated
    rule: str = "set"
    is_rule: bool = False
    is_spoken: bool = False
    least: float = SAME

    @property
    def value(self) -> str:
        """The value that the record gives its subject; one that a caller set counts where the text holds its words."""
        value = str(self.record.metadata.get("value", "")).casefold()
        is_read = "span" in self.record.metadata
        return value if is_read or collect_words(value, ()) <= collect_words(self.record.text, ()) else ""


@dataclass(frozen=True, slots=True)
class Scale:
    """How words alone are weighed: the weights, and how many sayings hold each stem."""

    weights: Weights
    counts: Mapping[str, int] = field(default_factory=dict)


def relate(newer: Saying, older: Saying, scale: Scale) -> Effect:
    """What the newer saying does to the older one."""
    judges: tuple[Callable[[Saying, Saying], Effect | None], ...] = (_by_value, _by_choice, _by_frame, _by_sameness)
    found = next((effect for judge in judges if (effect := judge(newer, older))), None)
    return found or _by_words(newer, older, scale)


def _by_value(newer: Saying, older: Saying) -> Effect | None:
    """Two values of one attribute of one person."""
    if newer.record.subject is None:
        return None
    if newer.record.subject != older.record.subject:
        return _by_contrary(newer, older)
    new, old = newer.value, older.value
    if newer.rule == "set":
        return Effect("ends", SURE, "value") if is_over_by_value(new, old) else None
    if _is_other_value(newer, older):
        return Effect("ends", SURE, "value")
    is_told = newer.rule != "goal" and new == old != "" and older.record.confidence >= newer.record.confidence
    return Effect("same", why="value") if is_told else None


def is_over_by_value(newer: str, older: str) -> bool:
    """Whether one of several values that stand side by side is over: it has ended, came back, or is liked less now."""
    turned = newer.removeprefix(ENDED) if newer.startswith(ENDED) else ENDED + newer
    return bool(newer) and (older == turned or _less_preferred(older) == _value_before_over(newer))


def _by_contrary(newer: Saying, older: Saying) -> Effect | None:
    """The same thing liked and disliked: attributes that say the contrary of each other."""
    (person, attribute), (other, opposite) = (_split_subject(one.record.subject) for one in (newer, older))
    is_contrary = person == other and opposite in OPPOSITES.get(attribute, ())
    return Effect("ends", SURE, "value") if is_contrary and newer.value and newer.value == older.value else None


def _split_subject(subject: str | None) -> tuple[str, str]:
    person, _, attribute = (subject or "").rpartition("/")
    return person, attribute


def _is_other_value(newer: Saying, older: Saying) -> bool:
    old, new = older.value, newer.value
    if newer.rule == "opposite":
        return replaces_instruction(new, old)
    if newer.rule == "goal":
        held = old or older.record.text
        return new.startswith((ENDED, REACHED)) and not old.startswith(REACHED) and is_reached(held, new)
    if new.startswith(ENDED):
        return not old.startswith(ENDED) and _is_ended(old, new.removeprefix(ENDED))
    return old != new if old and new else older.record.text.casefold() != newer.record.text.casefold()


def _is_ended(held: str, ended: str) -> bool:
    """Whether what somebody no longer does or has is what they were known to; to lose a job ends any job."""
    ours, theirs = set(held.split()) - _articles(), set(ended.split()) - _articles()
    return ended == ANY_JOB or not held or ours <= theirs or theirs <= ours


# Who works at "a bakery" quits "the bakery".
_articles = unite_words(lambda language: language.comparison.articles)
_over = unite_patterns(lambda language: language.comparison.over, r" (?:{}) ")


def _value_before_over(value: str) -> str:
    return _over().split(value)[0]


def _less_preferred(value: str) -> str:
    """What somebody likes less than something else, if their words say so."""
    return [*_over().split(value), ""][1]


def _by_choice(newer: Saying, older: Saying) -> Effect | None:
    """A rule of work that chooses another of several alternatives, or says the contrary of one."""
    if not (newer.is_rule and older.is_rule):
        return None
    one, other = newer.record.text, older.record.text
    excludes = is_different_choice(other, one) or contradicts(strip_rule_frame(one), strip_rule_frame(other))
    return Effect("ends", SURE, "choice") if excludes else None


def _by_frame(newer: Saying, older: Saying) -> Effect | None:
    """The same sentence with the contrary."""
    new, old = newer.record, older.record
    if new.subject != old.subject or newer.is_spoken != older.is_spoken:
        return None
    return Effect("ends", SURE, "contrary") if say_contrary(new.text, old.text) else None


def say_contrary(newer: str, older: str, *, counts: bool = False) -> bool:
    """Whether two texts are one sentence, once denied, or with `counts` with other numbers."""
    new: _Frame = _read_claim_frame(newer)
    old: _Frame = _read_claim_frame(older)
    if not old.words or old.words != new.words:
        return False
    is_other_number = old.numbers != new.numbers and len(old.numbers) == len(new.numbers)
    return old.says_no != new.says_no or (counts and is_other_number)


def judge_materials(older: Material, newer: Material) -> Judgement:
    """The same of two things as a writer sees them: whether the newer one contradicts the older one."""
    is_same = older.subject == newer.subject
    ended = (newer.value or "").removeprefix(ENDED) if (newer.value or "").startswith(ENDED) else ""
    if is_same and older.value and ended and fold_word(older.value) == fold_word(ended):
        return Judgement(True, SURE)
    counts = is_same and older.subject is not None and not _DATED.search(older.text + newer.text)
    return Judgement(say_contrary(newer.text, older.text, counts=counts), SURE)


def _by_sameness(newer: Saying, older: Saying) -> Effect | None:
    """The same in about the same words."""
    if newer.is_spoken != older.is_spoken:
        return None
    if newer.is_spoken:
        new, old = newer.stated, older.stated
        is_near = jaccard_similarity(new.claim.content, old.claim.content) >= _SAME_SPOKEN
        is_same = is_near and (new.claim.numbers, new.about) == (old.claim.numbers, old.about)
        told, known = _with_question(new), _with_question(old)
        same = is_same and says_same(told, known, least=_SAME_SPOKEN, language=new.language)
        return Effect("same", why="words") if same else None
    if newer.record.subject != older.record.subject:
        return None
    one, other, least = newer.record.text, older.record.text, older.least
    if says_same(one, other, least=least):
        return Effect("same", why="words")
    is_same_rule = newer.is_rule and says_same(strip_rule_frame(one), strip_rule_frame(other), least=least)
    return Effect("same", why="words") if is_same_rule else None


def _with_question(stated: Stated) -> str:
    return f"{stated.question} {stated.words}" if stated.question else stated.words


def _by_words(newer: Saying, older: Saying, scale: Scale) -> Effect:
    """What words alone suggest: they may doubt, and hide nothing."""
    if not newer.is_spoken:
        return UNRELATED
    is_usual = older.is_spoken or is_expected_to_end(older.stated, newer.stated)
    # A fact was read by a rule that knows what replaces it.
    least = scale.weights["least"]["replacement"] if is_usual else _OF_A_FACT
    score = score_ending(newer.stated, older.stated, weights=scale.weights, counts=scale.counts)
    return Effect("ends", LIKELY, "words") if score >= least else UNRELATED


_SAID_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_RULE_WORD = re.compile(r"[^\W_]+(?:[-_][^\W_]+)*")
_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# Of things that happened on a day, there may be many.
_DATED = re.compile(r"\b(?:19|20)\d\d\b")
_counted = unite_tables(lambda language: language.comparison.counted)


@dataclass(frozen=True, slots=True)
class _Words:
    """What says yes or no, likes or dislikes, and what says nothing, in any language."""

    negation: Words
    likes: Words
    dislikes: Words
    taken: Words


@combine_languages
def _judgement_words() -> _Words:
    known: list[Comparison] = [language.comparison for language in all_languages()]
    none: Words = frozenset()
    negation = none.union(*(words.negation for words in known))
    likes = none.union(*(words.likes for words in known))
    dislikes = none.union(*(words.dislikes for words in known))
    little = none.union(*(words.little for words in known))
    return _Words(negation, likes, dislikes, negation | likes | dislikes | little | _counted().keys())


@dataclass(frozen=True, slots=True)
class _Frame:
    """What a sentence says once its numbers and its yes or no are taken out of it."""

    words: frozenset[str]
    numbers: tuple[str, ...]
    says_no: bool


@until_registration
@lru_cache(maxsize=4096)
def _read_claim_frame(text: str) -> _Frame:
    said = [fold_word(word) for word in _SAID_WORD.findall(text.replace("’", "'"))]
    words, counted, stop, language = _judgement_words(), _counted(), stop_words(), detect_language(text)
    dislikes = any(word in words.dislikes for word in said)
    denies = any(word in words.negation for word in said)
    numbers = [_number_of_word(word, counted) for word in said if word in counted or _NUMBER.fullmatch(word)]
    left = (word for word in said if word not in words.taken and word not in stop and not word.isdigit())
    rest = frozenset(stem_word(word, language) for word in left)
    likes = {"likes"} if dislikes or any(word in words.likes for word in said) else set()
    return _Frame(rest | likes, tuple(numbers), dislikes != denies)


def _number_of_word(word: str, counted: Mapping[str, int]) -> str:
    return str(counted[word]) if word in counted else word


_ENOUGH_OF_GOAL = 0.5
# Nobody finishes these: they are done when their own verb says so.
_not_finished = unite_words(lambda language: language.comparison.not_finished)
_named = unite_patterns(lambda language: language.comparison.goals, r"\b(?:{})\b")


def is_reached(goal: str, reached: str) -> bool:
    """Whether a goal is the one of which somebody says that it was reached, or that they gave it up."""
    said = reached.removeprefix(REACHED).removeprefix(ENDED)
    if goal.casefold() == said.casefold():
        return True
    if set(_DIGITS.findall(goal)) != set(_DIGITS.findall(said)):
        return False
    words = {fold_word(word) for word in _SAID_WORD.findall(goal)}
    if not _named().search(said) and not _not_finished().isdisjoint(words):
        return False
    ours, theirs = _goal_stems(goal), _goal_stems(said)
    return bool(ours and theirs) and len(ours & theirs) >= _ENOUGH_OF_GOAL * min(len(ours), len(theirs))


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


# How much of what is left of two rules must be the same for them to be about one matter.
SAME_MATTER = 0.6

_NAMED_ALIKE = {"tabs": "tab", "spaces": "space", "postgresql": "postgres"}
_choosing = unite_words(lambda language: language.comparison.choosing)


@combine_languages
def _synonyms_of_alternatives() -> dict[str, str]:
    """Other words for the alternatives, in any language."""
    return {
        word: name for language in all_languages() for word, name in language.comparison.alternatives.items()
    } | _NAMED_ALIKE


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
    return list(map(_known_as, _RULE_WORD.findall(text)))


def _known_as(word: str) -> str:
    """The name under which the table knows a word, or the word itself, folded."""
    folded = fold_word(word)
    return _synonyms_of_alternatives().get(folded, folded)
