"""Named people and animals around a speaker: sentences come in, who is what to whom goes out.

A name counts only next to the word that says what it is to the speaker ("my sister Ana").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recollect.lang.base import Relations
from recollect.lang.grammar import ClauseGrammar, Predicate, Sentence
from recollect.lang.registry import language_of, unite_patterns, unite_words
from recollect.text.patterns import compile_pattern

if TYPE_CHECKING:
    from recollect.lang.base import Extraction, Presupposition

# A sentence that names more people is a list of them.
_MOST_NAMES = 20
_NO_RELATIONS = Relations(pattern="(?!)(?P<name>)(?P<what>)", told="", apposed="")
_not_names = unite_words(lambda language: _relations_of(language.code).not_names)
_supposed = unite_patterns(lambda language: _relations_of(language.code).supposed, r"\W*(?:{})")


@dataclass(frozen=True, slots=True)
class Relation:
    """Somebody or some animal of the speaker's, by name."""

    what: str
    name: str
    attribute: str
    start: int
    end: int

    def as_apposition(self, owner: str, language: str) -> str:
        """The name with what it is to the owner, as the subject of a sentence."""
        return _relations_of(language).apposed.format(name=self.name, what=self.what, owner=owner)

    def as_sentence(self, owner: str, language: str) -> str:
        """The relation as a sentence."""
        return _relations_of(language).told.format(name=self.name, what=self.what, owner=owner)


def find_relations(sentence: Sentence) -> Iterator[Relation]:
    """The people and animals that the sentence names as the speaker's own."""
    known = _relations_of(sentence.language)
    for match in compile_pattern(known.pattern).finditer(sentence.text):
        found = match.groupdict()
        name = found.get("name") or found.get("name2") or ""
        what = (found.get("what") or found.get("what2") or "").lower()
        if name.split()[0].lower() in _not_names() or what in known.plurals:
            continue
        is_pet = found.get("pet") or found.get("pet2")
        attribute = "pet" if is_pet else "person" if what in known.acquainted else "family"
        yield Relation(what, name, attribute, sentence.start + match.start(), sentence.start + match.end())


def find_statements_about(sentence: Sentence, names: Set[str]) -> Iterator[tuple[str, Predicate]]:
    """What the sentence states of those of the names that open a clause of it, as if they said it themselves."""
    if sentence.asks:
        return
    grammar, owner = language_of(sentence.language).extraction.grammar, _relations_of(sentence.language).owner
    text = sentence.text
    for name in sorted(name for name in names if name in text)[:_MOST_NAMES]:
        for match in re.finditer(rf"(?:\b(?:{owner}))?\b{re.escape(name)},? (?P<verb>[\wà-ÿ]+)\b", text, re.I):
            verb = grammar.first_person.get(match["verb"])
            if verb and grammar.opens_clause(text[: match.start()]) and not _supposed().match(text):
                end = grammar.clause_end(text, match.end())
                words = " ".join([verb, *text[match.end() : end].split()])
                yield name, Predicate(verb, words, sentence.start + match.start(), sentence.start + end)


def _relations_of(code: str) -> Relations:
    return language_of(code).extraction.relations or _NO_RELATIONS


_VOWELS = "aeiou"
# What follows begins another clause, also without a comma.
_another_clause = unite_patterns(lambda language: language.extraction.another_clause, r"\s+(?=(?:{})\b)")
_made_up = unite_patterns(lambda language: language.extraction.made_up, r"\b(?:{})\b")


def presupposed_facts(sentence: Sentence) -> Iterator[Predicate]:
    """What the sentence takes for granted of its speaker."""
    text, start, language = sentence.text, sentence.start, language_of(sentence.language).extraction
    for opening in language.presuppositions:
        for begin, template, match in _find_presupposing_phrases(opening, text):
            end = _phrase_end(text, match, language.grammar)
            words = _own_words(template, match, text[match.start("thing") : end], language)
            if words and not _made_up().search(text):
                yield Predicate(words.split()[0], words, start + begin, start + end)


def _find_presupposing_phrases(opening: Presupposition, text: str) -> Iterator[tuple[int, str, re.Match[str]]]:
    """Where such a phrase begins, the words that say it of oneself, and how it goes on."""
    before = compile_pattern(rf"(?:{opening.before})$")
    for opened in compile_pattern(rf"\b{opening.opening} ").finditer(text):
        if before.search(text, 0, opened.start()):
            for said, template in opening.ways:
                if match := compile_pattern(said).match(text, opened.end()):
                    yield opened.start(), template, match


def _own_words(template: str, match: re.Match[str], thing: str, language: Extraction) -> str | None:
    """The words as the speaker would say them, if the verb is known."""
    verb = match.groupdict().get("verb")
    own = language.grammar.first_person.get(verb.lower(), "") if verb else ""
    article = language.articles[thing[:1].lower() in _VOWELS]
    return template.format(verb=own, thing=thing, a=article) if own or not verb else None


def _phrase_end(text: str, match: re.Match[str], grammar: ClauseGrammar) -> int:
    """Where the words end that tell what is taken for granted."""
    begin = match.start("thing")
    end = min(match.end("thing"), grammar.clause_end(text, begin))
    further = _another_clause().search(text, begin, end)
    return further.start() if further else end
