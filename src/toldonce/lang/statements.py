"""What the statements of a conversation look like in a language: spoken spelling, cues, and words by topic.

Patterns are read against folded text: lower case, without accents, in usual spelling. Each stands between word
boundaries and may use `\\w*`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from toldonce.lang.calendar import NONE, Words


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class StatementWords:
    """How people say what is worth keeping, what is over, what is only a joke, a supposition or reported of others.

    `spelling` maps spoken spelling, folded, to the usual one. `topics` are patterns by the name of the topic; the
    names are those of English.
    """

    spelling: Mapping[str, str] = field(default_factory=dict)
    # Those of them that may be words of their own.
    doubtful_spelling: Words = NONE
    # Words that two statements may share without being about the same thing, beside those that carry little content.
    common: Words = NONE
    # Who speaks, and whom a pronoun stands for.
    first_person: Words = NONE
    he: Words = NONE
    she: Words = NONE
    they: Words = NONE
    # Members of a family and others who are known by what they are to the speaker; by gender where the word tells it.
    kin: Words = NONE
    male_kin: Words = NONE
    female_kin: Words = NONE
    # Possessives before such a word.
    own: Words = NONE
    # What stands before a place rather than before a person.
    places: Words = NONE
    # Words that join two clauses, and those with which the second one begins when it has a subject of its own.
    joins: str = ""
    subjects: Words = NONE
    # The whole of a message that takes up a proposal; words that open an answer.
    accepts: str = ""
    answers: Words = NONE
    # Words that only greet, thank, laugh or comment.
    small_talk: Words = NONE
    joking: str = ""
    supposing: str = ""
    quoting: str = ""
    hedging: str = ""
    asking: str = ""
    # What is no longer so, what replaces something, what begins, and what merely says that this is how it is now.
    ends: str = ""
    replaces: str = ""
    begins: str = ""
    now: str = ""
    again: str = ""
    # What was forbidden is allowed.
    allows: str = ""
    past: str = ""
    ahead: str = ""
    negation: str = ""
    instructing: str = ""
    corrects: str = ""
    # What says that nothing has changed.
    keeps: str = ""
    # What says that something comes to what there is.
    adds: str = ""
    # Counted words: a number word, a unit, a day or a time of day, how often.
    numbers: Mapping[str, str] = field(default_factory=dict)
    units: str = ""
    days: str = ""
    often: str = ""
    topics: Mapping[str, str] = field(default_factory=dict)
