"""Finds results that replace what a better result said before: same author, same matter, a later time.

A question with the best units and their scores comes in; the places of units that belong above a better one go out.
Pure functions over values: nothing is sorted by date, and nothing is left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from recollect.lang.registry import all_languages, combine_languages, unite_patterns, unite_words
from recollect.recall.features import Floats, ScoringQuestion, find_held_terms
from recollect.recall.question_types import is_current_state_question, is_state_question
from recollect.storage.tables.search import UnitRow
from recollect.text.words import fold_word

# The first results are compared with the best of them, and few are moved: the first ten stay the first ten.
MOST_RIVALS, MOST_UPDATED, MOST_UPDATES = 10, 3, 2
# The share of what the older unit says of the question in one place that the newer one must say in one place too; less
# is enough beside a word of change.
SAME_MATTER, CHANGED_MATTER = 1 / 2, 1 / 3
# A newer unit that scores within this reach of the best one answers the question as well as it does.
REACH = 2.0
_LONGEST = 4000
_CLAUSE = re.compile(r"[^.!?;,:\n()–—]+(?:[.,:](?=\d)[^.!?;,:\n()–—]+)*")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = re.compile(r"[^\W\d_]+")

_changed = unite_patterns(lambda language: language.questions.changed, r"(?<![\w'])(?:{})(?![\w'])")
_days = unite_words(lambda language: (*language.calendar.words.months, *language.calendar.words.weekdays))


@combine_languages
def _number_words() -> dict[str, str]:
    """Words for exact numbers from two on; "one" is an article as often."""
    tables = [language.calendar.words for language in all_languages()]
    return {
        word: str(number)
        for table in tables
        for word, number in table.numbers.items()
        if number > 1 and word not in table.vague_numbers
    }


@dataclass(frozen=True, slots=True)
class _Passage:
    """The place in a text where most of the question's words stand together.

    `held` has the weight of each word that is there. Values are read in the clause after it as well.
    """

    held: Floats
    numbers: frozenset[str]
    days: frozenset[str]
    has_change: bool

    def tells_change(self, older: _Passage, *, least: float) -> bool:
        """Whether it has a word of change and this share of what the older one says of the question."""
        return self.has_change and self._share_of(older) >= least

    def answers_again(self, older: _Passage, *, is_near: bool) -> bool:
        """Whether it is about the same matter, and answers as well as the older one or with another value."""
        return self._share_of(older) >= SAME_MATTER and (is_near or self._is_other_value(older))

    def changes_value(self, older: _Passage) -> bool:
        """Whether it has a word of change and another value: the clearest sign of an update."""
        return self.has_change and self._is_other_value(older)

    def _share_of(self, older: _Passage) -> float:
        whole = float(older.held.sum())
        return float(np.minimum(self.held, older.held).sum()) / whole if whole else 0.0

    def _is_other_value(self, older: _Passage) -> bool:
        """Whether both name a number, or both a day, and this one names another."""
        is_other_number = bool(older.numbers) and not self.numbers <= older.numbers
        return is_other_number or (bool(older.days) and not self.days <= older.days)


def find_updates(question: ScoringQuestion, units: Sequence[UnitRow], scores: Floats) -> dict[int, int]:
    """The places of units that update a better one, in order, each with the place of the one that it updates.

    None where the question does not ask for a state.
    """
    if question.is_statement or question.windows or not is_state_question(question.text):
        return {}
    order = (-scores).argsort(kind="stable")[:MOST_RIVALS].tolist()
    rivals = _find_later(units, order)
    involved = list(dict.fromkeys(place for older, later in rivals.items() for place in (older, *later)))
    if not involved:
        return {}
    passages = dict(zip(involved, _read_passages(question, [units[place].text for place in involved]), strict=True))
    is_current = is_current_state_question(question.text)
    found: dict[int, int] = {}
    for older, later in rivals.items():
        if older not in found:
            near = {place for place in later if scores[older] - scores[place] < REACH}
            # Below the first place only a word of change is evidence enough.
            chosen = _choose_updates(older, later, passages, near if is_current and older == order[0] else None)
            new = [place for place in chosen if place not in found]
            found |= dict.fromkeys(new[: MOST_UPDATES - len(found)], older)
    return found


def _find_later(units: Sequence[UnitRow], order: Sequence[int]) -> dict[int, list[int]]:
    """For each of the first places those after it that the same person said later; those without any are left out."""
    later = {
        older: [place for place in order[rank + 1 :] if _is_said_later(units[place], units[older])]
        for rank, older in enumerate(order[:MOST_UPDATED])
    }
    return {older: places for older, places in later.items() if places}


def _choose_updates(
    older: int, later: Sequence[int], passages: Mapping[int, _Passage], near: Collection[int] | None
) -> list[int]:
    """Which of the later places update the older one: first those that change a value, then the others, best first.

    `near` are those that score about as well; if it is None, only a word of change counts.
    """
    before = passages[older]
    if near is None:
        chosen = [place for place in later if passages[place].tells_change(before, least=SAME_MATTER)]
    else:
        chosen = [
            place
            for place in later
            if passages[place].tells_change(before, least=CHANGED_MATTER)
            or passages[place].answers_again(before, is_near=place in near)
        ]
    return sorted(chosen, key=lambda place: not passages[place].changes_value(before))


def _is_said_later(unit: UnitRow, first: UnitRow) -> bool:
    """Whether the same person said it afterwards. An assistant repeats what it has read."""
    is_same_author = (unit.author, unit.role) == (first.author, first.role)
    return is_same_author and unit.role != "assistant" and (unit.at, unit.seq) > (first.at, first.seq)


def _read_passages(question: ScoringQuestion, texts: Sequence[str]) -> list[_Passage]:
    """The passage of each text that holds most of the question's words."""
    clauses = [_CLAUSE.findall(fold_word(text[:_LONGEST])) or [""] for text in texts]
    weights = np.array(list(question.terms.values()), dtype=np.float32)
    held = find_held_terms(question.terms, [clause for some in clauses for clause in some]) * weights
    asked = frozenset(_NUMBER.findall(question.text))
    passages, start = [], 0
    for some in clauses:
        rows = held[start : start + len(some)]
        start += len(some)
        begin, end = _find_densest_span(rows)
        passages.append(_read_passage(" ".join(some[begin : end + 1]), rows[begin:end].max(axis=0), asked))
    return passages


def _find_densest_span(held: Floats) -> tuple[int, int]:
    """Where the one or two clauses begin and end that hold most; among equals the first single clause."""
    alone = held.sum(axis=1)
    joined = np.maximum(held[:-1], held[1:]).sum(axis=1)
    begin = int(alone.argmax())
    if not len(joined) or joined.max() <= alone[begin]:
        return begin, begin + 1
    begin = int(joined.argmax())
    return begin, begin + 2


def _read_passage(words: str, held: Floats, asked: frozenset[str]) -> _Passage:
    said = _WORD.findall(words)
    table = _number_words()
    numbers = {*_NUMBER.findall(words), *(table[word] for word in said if word in table)}
    return _Passage(
        held=held,
        numbers=frozenset(numbers - asked),
        days=_days().intersection(said),
        has_change=_changed().search(words) is not None,
    )
