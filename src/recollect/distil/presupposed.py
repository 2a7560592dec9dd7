"""What a sentence takes for granted of its speaker while it asks or tells something else: "given my nut allergy".

Sentences come in, predicates go out as if each had been said in a clause of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from recollect.lang.grammar import ClauseGrammar, Predicate, Sentence
from recollect.lang.registry import language_of, unite_patterns
from recollect.text.patterns import compile_pattern

if TYPE_CHECKING:
    from recollect.lang.base import Extraction, Presupposition

_VOWELS = "aeiou"
# What follows begins another clause, also without a comma.
_another_clause = unite_patterns(lambda language: language.extraction.another_clause, r"\s+(?=(?:{})\b)")
_made_up = unite_patterns(lambda language: language.extraction.made_up, r"\b(?:{})\b")


def presupposed_facts(sentence: Sentence) -> Iterator[Predicate]:
    """What the sentence takes for granted of its speaker."""
    text, start, language = sentence.text, sentence.start, language_of(sentence.language).extraction
    for opening in language.presuppositions:
        for begin, template, match in _phrases(opening, text):
            end = _phrase_end(text, match, language.grammar)
            words = _own_words(template, match, text[match.start("thing") : end], language)
            if words and not _made_up().search(text):
                yield Predicate(words.split()[0], words, start + begin, start + end)


def _phrases(opening: Presupposition, text: str) -> Iterator[tuple[int, str, re.Match[str]]]:
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
