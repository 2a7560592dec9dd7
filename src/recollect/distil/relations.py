"""Named people and animals around a speaker: sentences come in, who is what to whom goes out.

A name counts only next to the word that says what it is to the speaker ("my sister Ana").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass

from recollect.lang.base import Relations
from recollect.lang.grammar import Predicate, Sentence
from recollect.lang.registry import language_of, unite_patterns, unite_words
from recollect.text.patterns import compile_pattern

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

    def apposed(self, owner: str, language: str) -> str:
        """The name with what it is to the owner, as the subject of a sentence."""
        return _relations_of(language).apposed.format(name=self.name, what=self.what, owner=owner)

    def told(self, owner: str, language: str) -> str:
        """The relation as a sentence."""
        return _relations_of(language).told.format(name=self.name, what=self.what, owner=owner)


def relations(sentence: Sentence) -> Iterator[Relation]:
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


def said_of(sentence: Sentence, names: Set[str]) -> Iterator[tuple[str, Predicate]]:
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
