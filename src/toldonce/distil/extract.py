"""Facts by rule: what people said of themselves comes in, drafts with their source spans go out; no model is asked.

Statements are matched with the rules of their language and retold. Precision comes before recall: what is asked,
supposed, quoted, pasted, joked or said by an assistant yields nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from toldonce.distil.drafts import MACHINE_ROLES, OPPOSITES, ConversationMessage, FactDraft, SubjectWords
from toldonce.distil.instructions import InstructionSentence, parse_instruction
from toldonce.distil.measures import find_measures
from toldonce.distil.reading import (
    ConversationReading,
    MessageReading,
    Relation,
    SentenceReading,
    detect_tense,
    find_statements_about,
    write_absolute_dates,
)
from toldonce.lang.grammar import ENDED, STATED, WEAKER, ClauseGrammar, Predicate, Rule, Sentence, group_by_head
from toldonce.lang.registry import (
    all_languages,
    combine_languages,
    language_of,
    unite_patterns,
    unite_words,
    until_registration,
)
from toldonce.lang.vocabulary import dull_words
from toldonce.records import attribute_of
from toldonce.text.patterns import compile_pattern, join_patterns
from toldonce.text.words import collect_words

if TYPE_CHECKING:
    from toldonce.lang.base import Language, ValueWords

_joking = unite_patterns(lambda language: language.extraction.joking)
_never = unite_words(lambda language: language.extraction.never)
_usually = unite_words(lambda language: language.extraction.usually)
_HABIT = Rule("", "", "fact", "habit")
# What never being so makes of it.
_NOT_SO = {liked: OPPOSITES[liked][0] for liked in ("likes", "habit", "hobby")}
# What may be said of somebody whom the speaker names.
_OF_OTHERS = frozenset(
    "residence employment occupation origin education language diet allergy health marital_status likes dislikes age"
    " birthday".split()
)
_own = unite_patterns(lambda language: language.extraction.own, r"\b(?:{})\b")
_LONGEST = 30

Values = list[tuple[str | None, str | None]]


@until_registration
@cache
def _rules_by_head(language: str) -> Mapping[str, tuple[Rule, ...]]:
    return group_by_head(language_of(language).extraction.rules)


@combine_languages
def _status_patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Patterns of values in any language, and the one word for each."""
    rows = (row for language in all_languages() for row in language.extraction.statuses)
    return tuple((compile_pattern(pattern), word) for pattern, word in rows)


@combine_languages
def _built_in() -> frozenset[str]:
    """The attributes that the rules of some language give."""
    return frozenset(r.attribute for language in all_languages() for r in language.extraction.rules if r.attribute)


def extract_facts(
    said: Sequence[ConversationMessage],
    *,
    subjects: Mapping[str, SubjectWords],
    reading: ConversationReading | None = None,
) -> list[FactDraft]:
    """What the people of a conversation plainly said of themselves and of those they named, in order of saying.

    `reading` is what was read of these messages before, if anything was.
    """
    extraction = FactExtractor(said, subjects, reading or ConversationReading())
    found: dict[tuple[str, str], FactDraft] = {}
    for message in said:
        for draft in extraction.of(message):
            found.setdefault((draft.person, f"{draft.subject} {draft.text}".lower()), draft)
    return list(found.values())


class FactExtractor:
    """Takes drafts from the messages of one conversation in order and remembers whom they have named."""

    def __init__(
        self, said: Sequence[ConversationMessage], subjects: Mapping[str, SubjectWords], reading: ConversationReading
    ) -> None:
        self._reading = reading
        people = {message.name: message.speaker for message in said if message.role not in MACHINE_ROLES}
        self._people = {name: speaker for name, speaker in people.items() if name}
        # People among themselves say "never give up" without meaning an assistant.
        self._instructs = len(set(people.values())) < 2 or any(message.role in MACHINE_ROLES for message in said)
        self._owned = {row.attribute: row for row in subjects.values()}
        self._has_series = any(row.rule == "series" for row in self._owned.values())
        self._named: dict[str, dict[str, Relation]] = {}
        # Whether this message, or the one that it may answer, is about another year.
        self._is_story = self._was_story = False

    def of(self, message: ConversationMessage) -> Iterator[FactDraft]:
        """What the message plainly says of its author, and of those its author names."""
        read = self._reading.read(message)
        is_story = read.is_of_another_year
        self._is_story, self._was_story = is_story or self._was_story, is_story
        if message.role in MACHINE_ROLES or _joking().search(message.text):
            return
        for draft in self._of_reading(read, message):
            start, end = read.find_original_span(draft.start, draft.end)
            yield replace(draft, start=start, end=end)

    def _of_reading(self, read: MessageReading, message: ConversationMessage) -> Iterator[FactDraft]:
        wishes = read.wishes if self._instructs else ()
        yield from (_draft_instruction(wish, message) for wish in wishes)
        taken = {wish.start for wish in wishes}
        for sentence in read.spelled_sentences:
            if sentence.sentence.start not in taken:
                yield from self._of_sentence(sentence, message)

    def _of_sentence(self, read: SentenceReading, message: ConversationMessage) -> Iterator[FactDraft]:
        language = read.sentence.language
        named = self._named.setdefault(message.speaker, {})
        for relation in read.relations:
            if relation.name == message.name:
                continue
            named.setdefault(relation.name, relation)
            yield _draft_relation(relation, message, language)
        stated = [draft for predicate in read.predicates for draft in self._of_speaker(predicate, message, language)]
        yield from stated
        measured = {draft.subject for draft in stated}
        if self._has_series and not read.sentence.asks:
            yield from (d for d in self._of_measures(read.sentence, message) if d.subject not in measured)
        for name, predicate in find_statements_about(read.sentence, {*named, *self._people} - {message.name}):
            yield from self._of_other(name, predicate, message, language)

    def _of_speaker(self, predicate: Predicate, message: ConversationMessage, language: str) -> Iterator[FactDraft]:
        found = _match_rule(predicate, language) or self._of_own_attribute(predicate, language)
        if found is None:
            return
        rule, told, values = found
        if not _is_specific(told.words, rule.type):
            return
        text = self._retold(told, message.name, message, language)
        for attribute, value in _apply_polarity(values, told):
            apart = (
                _sentence_for_value(attribute, value, text, name=message.name, language=language)
                if len(values) > 1
                else None
            )
            yield _build_fact_draft(rule, told, message, text=apart or text, attribute=attribute, value=value)

    def _of_measures(self, sentence: Sentence, message: ConversationMessage) -> Iterator[FactDraft]:
        """Values of a series that stand bare in a sentence: "72,8 kg hoje"."""
        labels, told = language_of(sentence.language).texts.measures, language_of(sentence.language).health.measured
        for found in find_measures(sentence.text, sentence.language):
            row = self._owned.get(found.attribute)
            if row is not None and row.rule == "series":
                label = labels.get(found.attribute, found.attribute)
                yield FactDraft(
                    type="fact",
                    text=told.format(name=message.name, measure=label, value=found.value),
                    person=message.speaker,
                    subject=f"{message.speaker}/{found.attribute}",
                    value=found.value,
                    confidence=WEAKER,
                    at=message.at,
                    source=message.id,
                    start=sentence.start + found.start,
                    end=sentence.start + found.end,
                )

    def _retold(self, told: Predicate, name: str, message: ConversationMessage, language: str) -> str:
        """The predicate as a statement about the person of that name, with its times as dates."""
        text, how = _grammar_of(language).retell(told, name), None if self._is_story else detect_tense(told, language)
        return write_absolute_dates(text, message.at, language, tense=how, within=message.text)

    def _of_own_attribute(self, predicate: Predicate, language: str) -> tuple[Rule, Predicate, Values] | None:
        """What is said of an attribute that only the subject table knows: "my blood type is AB"."""
        said = compile_pattern(language_of(language).extraction.own_attribute).match(predicate.words)
        if not said or _grammar_of(language).is_unfinished(predicate.words):
            return None
        for row in self._owned.values():
            words = row.words.get(language) or language_of(language).subjects.get(row.attribute, ())
            if said["noun"].lower() in words and row.attribute not in _built_in():
                plain = any(ch.isdigit() or ch.isupper() for ch in said["value"])
                rule = Rule(predicate.head, "", "fact", row.attribute, confidence=STATED if plain else WEAKER)
                return (rule, predicate, [(row.attribute, said["value"])]) if len(said["value"].split()) <= 6 else None
        return None

    def _of_other(
        self, name: str, predicate: Predicate, message: ConversationMessage, language: str
    ) -> Iterator[FactDraft]:
        found = _match_rule(predicate, language)
        if found is None or _own().search(predicate.words):
            return
        rule, told, values = found
        person, relation = self._people.get(name), self._named[message.speaker].get(name)
        shown = name if person or relation is None else relation.as_apposition(message.name, language)
        text = self._retold(told, shown, message, language)
        owner = person or f"{message.speaker}/{name.lower()}"
        kept = [(a, v) for a, v in _apply_polarity(values, told) if a in _OF_OTHERS]
        for attribute, value in kept:
            draft = _build_fact_draft(rule, told, message, text=text, attribute=attribute, value=value)
            kind = draft.type if person else "person"
            yield replace(
                draft, type=kind, person=person or message.speaker, subject=f"{owner}/{attribute}", confidence=WEAKER
            )


def _grammar_of(language: str) -> ClauseGrammar:
    return language_of(language).extraction.grammar


def _match_rule(predicate: Predicate, language: str) -> tuple[Rule, Predicate, Values] | None:
    """The first rule that the predicate fits, the predicate as it was read, and what it gives."""
    grammar = _grammar_of(language)
    told = replace(predicate, words=grammar.make_plain(predicate.words))
    if grammar.is_unfinished(told.words) or len(told.words.split()) > _LONGEST:
        return None
    for rule in _rules_by_head(language).get(told.head, ()):
        match = match_rule(rule.pattern, told.words)
        if match and (values := _match_values(rule, match)) is not None:
            return rule, told, values
    if not _usually().isdisjoint(told.adverb.split()) and told.head in grammar.habits:
        return _HABIT, told, [("habit", told.words)]
    return None


def _match_values(rule: Rule, match: re.Match[str]) -> Values | None:
    """The attributes and values that the match gives; None when its value does not look like one."""
    groups = {name: text.strip(" ,.!") for name, text in match.groupdict().items() if text}
    value = groups.pop("value", None)
    if value is not None and not passes_value_check(rule.check, value, lowercase=match.string.islower()):
        return None
    attribute = f"favourite {groups.pop('favourite').lower()}" if "favourite" in groups else rule.attribute
    main = value or rule.value
    if attribute is None:
        return [(None, None)]
    values: Values = (
        [(attribute, rule.mark + _canonical_value(attribute, main) if main else None)] if main or not groups else []
    )
    return [*values, *groups.items()]


def _canonical_value(attribute: str, value: str) -> str:
    """The one word for a value that all languages and both genders share, so that it compares equal with itself."""
    if attribute not in ("marital_status", "employment"):
        return value
    return next((word for pattern, word in _status_patterns() if pattern.match(value)), value)


@combine_languages
def _names_nothing() -> Mapping[str, frozenset[str]]:
    """By type of draft: words that name nothing in particular, where a draft of that type must name something.

    "I went out" and "I've been keeping busy" happened, and nobody will ask about them. Some of these words tell little
    of what a conversation was about, but much of what somebody likes.
    """
    known = [language.extraction for language in all_languages()]
    hollow = dull_words().union(*(extraction.hollow for extraction in known))
    return {"event": hollow, "preference": hollow.difference(*(extraction.likeable for extraction in known))}


def _is_specific(words: str, type_: str) -> bool:
    """Whether something in particular is named after the verb, where a draft of this type must name it."""
    nothing = _names_nothing().get(type_)
    if nothing is None:
        return True
    after = (word.strip(".,!?;:'\"").lower() for word in words.split()[1:])
    return any(len(word) > 2 and word not in nothing for word in after)


def _sentence_for_value(attribute: str | None, value: str | None, text: str, *, name: str, language: str) -> str | None:
    """One of several things that a text says, as a sentence of its own; None when there are no words for it."""
    known = language_of(language).extraction
    words = known.apart.get(attribute or "")
    is_status = any(value == word for _, word in _status_patterns())
    if words is None or not value or value.startswith(ENDED) or is_status:
        return None
    at = re.search(rf"{known.at_words} {re.escape(value)}", text)
    article = known.articles[value[0].lower() in "aeiou"]
    return words.format(name=name, value=value, a=article, at=at[1] if at else known.at)


def _apply_polarity(values: Values, predicate: Predicate) -> Values:
    """The same values, turned round where the predicate says never or no longer."""
    if predicate.ended:
        return [(attribute, f"{ENDED}{value}" if value else value) for attribute, value in values]
    if _never().isdisjoint(predicate.adverb.split()):
        return values
    return [(_NOT_SO.get(a or "", a), value) for a, value in values if a is None or a in _NOT_SO]


def _build_fact_draft(
    rule: Rule,
    predicate: Predicate,
    message: ConversationMessage,
    *,
    text: str,
    attribute: str | None,
    value: str | None,
) -> FactDraft:
    weak = predicate.shared or predicate.elided
    return FactDraft(
        type="status" if predicate.ended else rule.type,
        text=text,
        person=message.speaker,
        subject=f"{message.speaker}/{attribute}" if attribute else None,
        value=value,
        confidence=min(rule.confidence, WEAKER) if weak else rule.confidence,
        at=message.at,
        source=message.id,
        start=predicate.start,
        end=predicate.end,
    )


def _draft_relation(relation: Relation, message: ConversationMessage, language: str) -> FactDraft:
    return FactDraft(
        type="fact" if relation.attribute == "pet" else "person",
        text=relation.as_sentence(message.name, language),
        person=message.speaker,
        subject=f"{message.speaker}/{relation.attribute}",
        value=f"{relation.what} {relation.name}",
        confidence=STATED,
        at=message.at,
        source=message.id,
        start=relation.start,
        end=relation.end,
    )


def _draft_instruction(wish: InstructionSentence, message: ConversationMessage) -> FactDraft:
    wanted = parse_instruction(wish, message.name)
    return FactDraft(
        type="instruction",
        text=wanted.text,
        person=message.speaker,
        subject=f"{message.speaker}/{wanted.attribute}" if wanted.attribute else None,
        value=wanted.value,
        confidence=STATED,
        at=message.at,
        source=message.id,
        start=wish.start,
        end=wish.end,
    )


def _value_words(language: Language) -> ValueWords:
    return language.extraction.values


_not_names = unite_words(lambda language: _value_words(language).not_names)
_not_people = unite_words(lambda language: _value_words(language).not_people)
_abstract = unite_words(lambda language: _value_words(language).abstract)
_homes = unite_patterns(lambda language: _value_words(language).homes, r"\b(?:{})\b")
_workplaces = unite_patterns(lambda language: _value_words(language).workplaces, r"\b(?:{})\b")
_trades = unite_patterns(lambda language: _value_words(language).trades, r"\b(?:{})\b")
# A team can move to a framework as a person moves to a town; these words give the first one away.
_technical = unite_patterns(lambda language: _value_words(language).technical, r"\b(?:{})\b")


@combine_languages
def _name_pattern() -> re.Pattern[str]:
    joins = join_patterns(_value_words(language).name_joins for language in all_languages()) or "(?!)"
    return re.compile(rf"[A-ZÀ-Ý][\w'’-]+(?: (?:{joins})?[A-ZÀ-Ý][\w'’.-]+){{0,3}}$")


def match_rule(pattern: str, words: str) -> re.Match[str] | None:
    """The match of a rule's pattern with a predicate, up to the end of a word."""
    return compile_pattern(pattern + r"(?![\w'])").match(words)


_DIGIT = re.compile(r"\d")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+$")
_PHONE = re.compile(r"\+?[\d ().-]{7,20}$")


def _is_named(value: str) -> bool:
    """Whether the value holds a proper name, or is written by somebody who never capitalises."""
    words = [word.strip(".,") for word in value.split()]
    return any(w[:1].isupper() and w.lower() not in _not_names() for w in words)


def is_place_name(value: str) -> bool:
    """Whether somebody could live there."""
    short = len(value.split()) <= 8 and not _DIGIT.search(value) and not _technical().search(value)
    return short and (_is_named(value) or _homes().search(value) is not None)


def is_workplace(value: str) -> bool:
    """Whether somebody could be employed there."""
    return len(value.split()) <= 9 and (_is_named(value) or _workplaces().search(value) is not None)


def is_trade(value: str) -> bool:
    """Whether it is a line of work."""
    return len(value.split()) <= 6 and _trades().search(value) is not None


def is_name(value: str) -> bool:
    """Whether it is a name as people write names."""
    return _name_pattern().match(value) is not None and value.split()[0].lower() not in _not_names()


def is_short(value: str) -> bool:
    """Whether it is a few words at most."""
    return 0 < len(value.split()) <= 6


def passes_value_check(check: str, value: str, *, lowercase: bool) -> bool:
    """Whether the value looks as the rule demands; who never capitalises is taken at their word for short names."""
    if CHECKS[check](value):
        return True
    bare = lowercase and check in ("place", "workplace") and value.replace(" ", "").isalpha()
    return bare and len(value.split()) <= 2 and value.split()[0] not in _abstract()


CHECKS: Mapping[str, Callable[[str], bool]] = {
    "": lambda value: len(value.split()) <= 24,
    "place": is_place_name,
    "workplace": is_workplace,
    "trade": is_trade,
    "name": is_name,
    "person": lambda value: is_name(value) and value.split()[0].lower() not in _not_people(),
    "short": is_short,
    "number": lambda value: _DIGIT.search(value) is not None,
    "email": lambda value: _EMAIL.match(value) is not None,
    "phone": lambda value: _PHONE.match(value) is not None,
}


def drop_known_names(facts: Iterable[FactDraft], said: Iterable[ConversationMessage]) -> tuple[FactDraft, ...]:
    """The facts without those that name a person as they are known already: "Hi, I'm Alex", by alex."""
    names = {message.speaker: collect_words(f"{message.speaker} {message.name}", ()) for message in said}

    def is_known(fact: FactDraft) -> bool:
        is_own = attribute_of(fact.subject) == "name" and not fact.named
        return is_own and collect_words(fact.value or "", ()) <= names.get(fact.person, frozenset())

    return tuple(fact for fact in facts if not is_known(fact))
