"""The values that a grammar is made of: sentences, predicates, rules, and how clauses are read and retold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Protocol

STATED = 0.95
WEAKER = 0.7

# Said before a value: it held and does not any more, it was a goal and has been reached, or a person took it back.
ENDED = "not: "
REACHED = "met: "
TAKEN_BACK = "back: "
# The value of a job of which nothing is said but that there is one.
ANY_JOB = "employed"

# Stands for a quotation inside a sentence; no rule reads across it.
QUOTED = "\x00"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a message: `text` stands at `start` there, character for character, with straight apostrophes."""

    text: str
    start: int
    language: str
    asks: bool


@dataclass(frozen=True, slots=True)
class Rule:
    """One way of saying something: `pattern` is tried on predicates that open with one of the `heads`.

    The group `value` of the pattern is the value, else the rule's own, with `mark` before it. Any other group names a
    further attribute said in the same breath; `favourite` is what the value is the favourite of.
    """

    heads: str
    pattern: str
    type: str
    attribute: str | None = None
    check: str = ""
    value: str | None = None
    mark: str = ""
    confidence: float = STATED


@dataclass(frozen=True, slots=True)
class Predicate:
    """What one clause says of its speaker, or of somebody the speaker names.

    `words` opens with a first-person verb ("live in Lisbon") or with "my" ("my dog is called Rex"); `head` is that
    word, with the negation if there is one, and chooses the rules.
    `start` and `end` are its place in the message; `ended` marks what held once and does not any more.
    """

    head: str
    words: str
    start: int
    end: int
    adverb: str = ""
    when: str = ""
    ended: bool = False
    shared: bool = False
    elided: bool = False


class ClauseGrammar(Protocol):
    """How one language is read and retold."""

    @property
    def habits(self) -> Set[str]:
        """First-person verbs that describe a habit when used with "usually"."""
        ...

    @property
    def first_person(self) -> Mapping[str, str]:
        """Verbs as they are said of others, and the same verbs said of oneself."""
        ...

    def predicates(self, sentence: Sentence) -> Iterator[Predicate]:
        """What the main clauses of the sentence say of the speaker."""
        ...

    def retell(self, predicate: Predicate, name: str) -> str:
        """The predicate as a sentence about the person of that name."""
        ...

    def third_person(self, words: str) -> str:
        """The words with the speaker's own pronouns turned into the third person."""
        ...

    def make_plain(self, words: str) -> str:
        """The words without what only a storyteller says."""
        ...

    def is_unfinished(self, words: str) -> bool:
        """Whether the words point at something outside the clause, so that nobody could understand them later."""
        ...

    def opens_clause(self, left: str) -> bool:
        """Whether a clause can begin after these words of its sentence."""
        ...

    def clause_end(self, text: str, begin: int) -> int:
        """Where the clause that begins here stops, without trailing fillers."""
        ...


def group_by_head(rules: Iterable[Rule]) -> Mapping[str, tuple[Rule, ...]]:
    """The rules in order under each word that can open them."""
    index: dict[str, list[Rule]] = {}
    for rule in rules:
        for head in rule.heads.split():
            index.setdefault(head.replace("_", " "), []).append(rule)
    return {head: tuple(found) for head, found in index.items()}
