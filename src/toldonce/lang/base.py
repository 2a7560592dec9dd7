"""What a language is: one frozen value, composed of a part for each thing the engines need to know about it.

Patterns are regular expressions written without regard to case; those of several languages are joined by "|". An empty
pattern or set means that the language has nothing to say there. Examples in comments are English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from toldonce.lang.calendar import Calendar
from toldonce.lang.dates import Dates
from toldonce.lang.grammar import ClauseGrammar, Rule
from toldonce.lang.instructions import Instructions
from toldonce.lang.statements import StatementWords

Words = frozenset[str]
NONE: Words = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Detection:
    """The small words of the language; a match of `letters` counts half a word, one of `signs` a whole one."""

    words: Words
    letters: str = ""
    signs: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Vocabulary:
    """Words that carry little content, each list for one use.

    `stop` are left out of a search and `frame` count for less there, both lower case. `dull` say nothing about what a
    conversation was about. `acknowledgements` only show that somebody listened, `answers` also settle a question.
    `endings` are taken off words that are compared, the first that fits; without any, the stemmer of the index is used.
    """

    stop: Words
    frame: Words = NONE
    dull: Words = NONE
    acknowledgements: Words = NONE
    answers: Words = NONE
    abbreviations: Words = NONE
    endings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Prose:
    """How people show that words are not their own.

    `speech` is found in a quotation that somebody speaks; `handed_over` are verbs before a text to be worked on,
    `introduced` nouns before a text that was pasted, `letter` the greeting of one.
    """

    speech: str = ""
    handed_over: str = ""
    introduced: str = ""
    letter: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Questions:
    """How a question of each type is put; see `recall/question_types.py` for what each decides."""

    anything: str = ""
    to_do: str = ""
    self: str = ""
    begins_with_self: str = ""
    when: str = ""
    you: str = ""
    polite: str = ""
    help: str = ""
    said: str = ""
    order: str = ""
    summary: str = ""
    now: str = ""
    # An earlier state is asked for; verbs of the past; words that ask for an earlier state beside such a verb.
    earlier: str = ""
    happened: str = ""
    first: str = ""
    quantity: str = ""
    # Several pieces of evidence are needed: "both", "which of", "how many times", things in the plural.
    several: str = ""
    # What goes on from the turn before: "and her brother?".
    goes_on: str = ""
    broader: str = ""
    own: str = ""
    # Words by which a statement tells that something has changed, folded.
    changed: str = ""
    # The noun in "the address of my clinic", which is not the person's own; written with regard to case.
    of_a_thing: str = ""
    # The noun in "my new address".
    had: str = ""
    # Words and figures that name a time, written with and without accents; figures with regard to case.
    time_words: Words = NONE
    time_figures: str = ""
    # How people say what they want of every answer, folded; without one of the signs it is not looked for.
    wish_signs: tuple[str, ...] = ()
    wish: str = ""
    first_person: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Names:
    """What tells names of people, places and organizations from other capitalised words; all lower case.

    `common` words open sentences; of those, `may_lead` begin names as well ("new" in New York).
    """

    common: Words = NONE
    may_lead: Words = NONE
    calendar: Words = NONE
    given: Words = NONE
    places: Words = NONE
    organizations: Words = NONE
    locations: Words = NONE
    joins: Words = NONE
    join_pattern: str = ""
    titles: Words = NONE
    title_pattern: str = ""
    # What follows a name at the start of a sentence (case counts), and endings that names do not have.
    follows: str = ""
    endings: str = ""
    own: Words = NONE
    kin: Words = NONE
    towards: Words = NONE
    dwelling: Words = NONE
    project: Words = NONE
    after_project: str = ""
    months: str = ""
    ordinal_marks: str = ""
    of: str = ""
    before_year: str = ""
    articles: str = ""
    # What follows an apostrophe that is no part of a name.
    contractions: str = ""
    small: Words = NONE


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Secrets:
    """The words with which people tell a secret.

    `names` are words for one with the type of secret they name, `inside_words` those that also end other words.
    `suffixes` go on behind such a name; `told` are further names in a sentence. `verbs` stand between name and value,
    `weak_verbs` prove less, `adverbs` follow a verb. `lock_before` and `lock_after` say that digits open a lock.
    `said_of` are words that follow "the password is" without being one, and `said_endings` endings of such words.
    `seed_words` is the package whose `seed_words.txt` lists the words of wallets in this language (BIP 39).
    """

    names: Mapping[str, str] = field(default_factory=dict)
    inside_words: Words = NONE
    alone: Words = NONE
    suffixes: str = ""
    told: str = ""
    told_keywords: tuple[str, ...] = ()
    told_types: Mapping[str, str] = field(default_factory=dict)
    changed: str = ""
    verbs: str = ""
    weak_verbs: Words = NONE
    adverbs: str = ""
    of_what: str = ""
    lock_before: str = ""
    lock_after: str = ""
    # Words beside the number of a payment card, and before a number that only looks like one.
    cards: str = ""
    numbered: str = ""
    stand_in_owners: str = ""
    stand_ins: str = ""
    said_of: Words = NONE
    said_endings: str = ""
    seed_words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Comparison:
    """How statements are compared: negation, liking, numbers, and what carries no content in each comparison."""

    negation: Words = NONE
    likes: Words = NONE
    dislikes: Words = NONE
    little: Words = NONE
    counted: Mapping[str, int] = field(default_factory=dict)
    # An answer to a doubt.
    yes: str = ""
    no: str = ""
    # A rule of work that rejects an alternative: "instead of", "never".
    rejected: str = ""
    rejected_articles: str = ""
    choosing: Words = NONE
    # How a rule of work may begin without saying more: "we always use"; a group `no` keeps what denies it. And words
    # anywhere in a rule that add nothing to it: "here", "always".
    rule_opening: str = ""
    rule_filler: str = ""
    # Between what is denied and what is not: "but".
    contrasting: Words = NONE
    # Words of this language for things of which a team uses one at a time, by the name the table knows them under.
    alternatives: Mapping[str, str] = field(default_factory=dict)
    # Words of which a person wants one at a time, by what they are about (units, temperature, clock, spelling, length,
    # tone, distance, weight, currency); what carries a wish and tells nothing of what it is about.
    either_or: Mapping[str, str] = field(default_factory=dict)
    wishing: Words = NONE
    # What people say around a goal without naming it; goals that are not finished but done; words for a goal.
    around_goals: str = ""
    not_finished: Words = NONE
    goals: str = ""
    # After one of these the rest of a line only adds to it.
    adds: Words = NONE
    # Between what is preferred and what it is preferred to.
    over: str = ""
    # Who works at "a bakery" quits "the bakery".
    articles: Words = NONE
    # Rows of words of which two make two statements different: "left right". Where a row has several forms of a word, a
    # slash is between those that exclude each other: "lend lent / borrow borrowed".
    opposites: tuple[str, ...] = ()
    # Rows of words and phrases (an underscore stands for a space) that mean the same where two statements are compared.
    synonyms: tuple[str, ...] = ()
    # Words that add nothing to a statement, and words that limit or turn one: "only", "unless".
    fillers: Words = NONE
    limiting: Words = NONE
    # Between two things of which one goes to, comes from, precedes or exceeds the other: "to", "than", "before".
    directing: Words = NONE
    # Words that join things in no particular order.
    joining: Words = NONE
    # Whom a pronoun stands for; a possessive one has an apostrophe behind the person.
    persons: Mapping[str, str] = field(default_factory=dict)
    # Who does something, by the ending of the word, where the endings of the vocabulary take that away.
    agreement: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SessionCues:
    """How lasting statements are made in a coding session."""

    decisions: str = ""
    agent_decisions: str = ""
    conventions: str = ""
    corrections: str = ""
    causes: str = ""
    # What to do about it: a rule, a fix, a way round.
    remedies: str = ""
    findings: str = ""
    own_doing: str = ""
    passing: str = ""
    # How a rule begins in a project's guide, and what headings of such guides are about.
    rules: str = ""
    about_work: str = ""
    # What such guides say about reports, questions and manners instead of the work.
    etiquette: str = ""
    # Words that point at something said before instead of naming it: "that one", "option 2".
    references: str = ""
    # Words that are not looked for in source code.
    stop: Words = NONE
    # Whom something happens to, which says nothing about where: "users are", "our customers can't".
    actors: str = ""
    # Rows of `what people say / what code calls it`, with `_` in phrases and `*` for any ending.
    code_words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Health:
    """The words by which a report for a doctor knows medication, symptoms and care.

    `measures` are patterns by attribute with a group `value`; `measured` retells one. A sentence that matches
    `not_own_measure` is about something or somebody else, or about a difference.
    """

    medication: str = ""
    symptoms: str = ""
    own: str = ""
    not_theirs: str = ""
    care: str = ""
    to_ask: str = ""
    measures: Mapping[str, str] = field(default_factory=dict)
    measured: str = "{name}, {measure}: {value}"
    not_own_measure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Texts:
    """What Toldonce itself says in the language: templates by key. The keys are those of English."""

    report: Mapping[str, str]
    # Attributes whose values are numbers with a history.
    measures: Mapping[str, str]
    reflection: Mapping[str, str]
    insight: Mapping[str, str]
    question: str
    # Headings of a prompt block and sections of a document, by their English text or key.
    headings: Mapping[str, str]
    sections: Mapping[str, str]
    # Labels beside a line: confidence levels, "said by", "noted".
    labels: Mapping[str, str]
    # What a prompt block lacks for a question.
    shortfalls: Mapping[str, str]
    areas: Mapping[str, str]
    cheering: str = ""
    # Endings of words that name what is done rather than what it is done to.
    doing_endings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ValueWords:
    """What the value of a fact looks like: nouns of homes, workplaces and trades, and words that are none."""

    not_names: Words = NONE
    not_people: Words = NONE
    abstract: Words = NONE
    name_joins: str = ""
    homes: str = ""
    workplaces: str = ""
    trades: str = ""
    technical: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Relations:
    """Named people and animals around a speaker.

    Each of the patterns has the groups name and what, and pet where it may be an animal. Both templates know {name},
    {what} and {owner}; `apposed` is the subject of a sentence.
    """

    patterns: tuple[str, ...]
    told: str
    apposed: str
    # What says whose somebody is, before a name; conditions that open a sentence.
    owner: str = ""
    supposed: str = ""
    # What says that somebody is no longer alive.
    dead: str = ""
    not_names: Words = NONE
    acquainted: Words = NONE
    plurals: Words = NONE


@dataclass(frozen=True, slots=True)
class Presupposition:
    """Words that open a phrase that takes something for granted, what must stand before, and how it may go on.

    Each way is a pattern with a group `thing`, and the words that say it of oneself. A group `verb` is what is said of
    "someone who"; it is put into the first person.
    """

    opening: str
    before: str
    ways: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Tenses:
    """How predicates about the future and the past begin, and which past ones only arranged something for later.

    `unsure` matches habits and wishes, `goes_on` two events in one predicate (case counts), `long_ago` another year.
    """

    ahead: str = "(?!)"
    behind: str = "(?!)"
    for_later: str = "(?!)"
    unsure: str = ""
    goes_on: str = ""
    long_ago: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Extraction:
    """How facts are taken out of what people say; loaded when a conversation is settled."""

    grammar: ClauseGrammar
    rules: tuple[Rule, ...]
    instructions: Instructions
    values: ValueWords = field(default_factory=ValueWords)
    relations: Relations | None = None
    statements: StatementWords = field(default_factory=StatementWords)
    presuppositions: tuple[Presupposition, ...] = ()
    # Where such a phrase ends because another clause begins, and words that make it up.
    another_clause: str = ""
    made_up: str = ""
    tenses: Tenses = field(default_factory=Tenses)
    joking: str = ""
    never: Words = NONE
    usually: Words = NONE
    own: str = ""
    # "My blood type is AB": groups noun and value.
    own_attribute: str = "(?!)"
    # Patterns of values, and the one word for each that all languages share.
    statuses: tuple[tuple[str, str], ...] = ()
    # Templates for one of several facts in a sentence: by attribute, with {name}, {value}, {a} and {at}.
    apart: Mapping[str, str] = field(default_factory=dict)
    at_words: str = "(?!)"
    at: str = ""
    # The indefinite article before a consonant and before a vowel.
    articles: tuple[str, str] = ("", "")
    # Words that name nothing in particular, beside the dull ones; dull ones that somebody can like.
    hollow: Words = NONE
    likeable: Words = NONE


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Language:
    """Everything Toldonce knows about one language.

    `load_extraction` gives the part that only settling a conversation needs; use `extraction`.
    """

    code: str
    name: str
    detection: Detection
    vocabulary: Vocabulary
    calendar: Calendar
    dates: Dates
    texts: Texts
    load_extraction: Callable[[], Extraction]
    prose: Prose = field(default_factory=Prose)
    questions: Questions = field(default_factory=Questions)
    names: Names = field(default_factory=Names)
    secrets: Secrets = field(default_factory=Secrets)
    comparison: Comparison = field(default_factory=Comparison)
    sessions: SessionCues = field(default_factory=SessionCues)
    health: Health = field(default_factory=Health)
    # Words that name an attribute of a person in a question, by attribute.
    subjects: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def extraction(self) -> Extraction:
        """How facts are taken out of what people say."""
        return self.load_extraction()


# A clause begins after at most this many characters of opening words.
_LONGEST_OPENER = 70
# A sentence with more first-person subjects than this is not read further; nothing useful would be found.
MOST_SUBJECTS = 30


@dataclass(frozen=True, slots=True)
class Clauses:
    """How a language begins a question, parts its clauses and opens them, and under what condition it speaks."""

    asking: re.Pattern[str]
    condition: re.Pattern[str]
    boundary: re.Pattern[str]
    openers: re.Pattern[str]

    def statement_end(self, text: str, *, asks: bool) -> int:
        """How far the sentence states something before it turns into a question; 0 when nothing of it is stated."""
        if self.condition.match(text):
            return 0
        question = self.asking.search(text)
        if question:
            return question.start()
        return 0 if asks else len(text)

    def can_open_clause(self, left: str) -> bool:
        """Whether a clause can begin after these words of its sentence."""
        boundary = self.boundary.match(left)
        opener = left[boundary.end() :] if boundary else left
        return len(opener) < _LONGEST_OPENER and self.openers.match(opener) is not None
