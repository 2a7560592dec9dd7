"""Reads each message of a conversation once, by rule: its sentences, people, times, and what each plainly says.

What is read here depends on the message alone. Notes and facts share it, and add what the conversation tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from toldonce.distil.drafts import ConversationMessage
from toldonce.distil.instructions import InstructionSentence, instructions_in
from toldonce.lang.base import Relations
from toldonce.lang.detect import detect_language
from toldonce.lang.grammar import QUOTED, ClauseGrammar, Predicate, Sentence
from toldonce.lang.registry import all_languages, combine_languages, language_of, unite_patterns, unite_words
from toldonce.lang.vocabulary import Spelled, write_out_spelling
from toldonce.text.patterns import compile_pattern, join_patterns
from toldonce.times.dates import Tense, find_exact_dates

if TYPE_CHECKING:
    from toldonce.lang.base import Extraction, Presupposition


class SentenceReading:
    """One sentence, with the people it names and the statements in it, read when they are first asked for."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self._grammar = language_of(sentence.language).extraction.grammar

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        """The people and animals that it names as the speaker's own."""
        return tuple(find_relations(self.sentence))

    @cached_property
    def predicates(self) -> tuple[Predicate, ...]:
        """What it states or presupposes of its speaker."""
        return (*self._grammar.predicates(self.sentence), *presupposed_facts(self.sentence))


class MessageReading:
    """One message, with its sentences and instructions, read when they are first asked for."""

    def __init__(self, message: ConversationMessage) -> None:
        self._message = message

    @cached_property
    def sentences(self) -> tuple[SentenceReading, ...]:
        """The sentences of its author's own words, in order."""
        return tuple(SentenceReading(sentence) for sentence in split_sentences(self._message.text))

    @cached_property
    def _spelled(self) -> Spelled:
        text = self._message.text[:_LONGEST_TEXT]
        return write_out_spelling(text, detect_language(text))

    @cached_property
    def spelled_sentences(self) -> tuple[SentenceReading, ...]:
        """The same with spoken spelling written out, for rules; `find_original_span` tells where they stand."""
        if self._spelled.text == self._message.text:
            return self.sentences
        return tuple(SentenceReading(sentence) for sentence in split_sentences(self._spelled.text))

    def find_original_span(self, start: int, end: int) -> tuple[int, int]:
        """Where the words of a span of the spelled text are in the message."""
        places = self._spelled.places
        return places[min(start, len(places) - 1)], places[min(end, len(places) - 1)]

    @cached_property
    def wishes(self) -> tuple[InstructionSentence, ...]:
        """Those of the spelled sentences that are standing instructions."""
        return tuple(instructions_in(reading.sentence for reading in self.spelled_sentences))

    @cached_property
    def is_of_another_year(self) -> bool:
        """Whether it is about another year than the one it was said in."""
        return is_of_another_year(self._message.text, self._message.at)


class ConversationReading:
    """The messages of one conversation, each read once, however often it is asked for."""

    def __init__(self) -> None:
        self._messages: dict[ConversationMessage, MessageReading] = {}

    def read(self, message: ConversationMessage) -> MessageReading:
        """What a message says."""
        if message not in self._messages:
            self._messages[message] = MessageReading(message)
        return self._messages[message]

    def clear(self) -> None:
        """Forget the conversation."""
        self._messages.clear()


# Nobody says more than this in one breath; what is longer was pasted, and reading it would take long.
_LONGEST_TEXT = 20_000
_LONGEST_SENTENCE = 800
_LONG_LINE = re.compile(r"[^\n]{3000,}")

_BLOCKS = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|\"\"\".*?(?:\"\"\"|\Z)|<(\w+)[^>\n]*>.*?</\1>", re.S)
_LINKS = re.compile(r"\bhttps?://\S+|\bwww\.\S+")
_INLINE_CODE = re.compile(r"`[^`\n]*`")
_QUOTES = re.compile(
    r"\"[^\"\n]{2,400}\"|“[^”\n]{2,400}”|«[^»\n]{2,400}»|(?<!\w)'[^'\n]{2,300}'(?!\w)|(?<!\w)‘[^’\n]{2,300}’(?!\w)"
)
# Quotation marks may enclose a title or a term; quoted speech belongs to another speaker.
_speech = unite_patterns(lambda language: language.prose.speech, r"\b(?:{})\b")
_QUOTED_LINE = re.compile(r"^[ \t]*(?:>|\||[-=*_]{3,}[ \t]*$).*$", re.M)
_TURN_LINE = re.compile(
    r"^[ \t]*(?:\[[^\]\n]{3,30}\][ \t]*)?(?:[A-ZÀ-Ý]\w{1,20}(?: [A-ZÀ-Ý]\w{1,20})?|user|assistant)[ \t]*:[ \t]+\S.*$",
    re.M,
)
_CODE_LINE = re.compile(
    r"^[ \t]*(?:(?:def|class|import|return|const|let|var|function|public|private|SELECT|INSERT|CREATE)"
    r" .*[(){};=*].*|(?:Traceback|File \"|at \w+\.|#include|\$ |>>>|[{}\[\](<;]).*|.*(?:[;{}]|=>|/>|</\w+>)[ \t]*"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:.*|\[?(?:INFO|DEBUG|WARN|WARNING|ERROR)\b.*)$",
    re.M,
)


@combine_languages
def _pasted_text_patterns() -> tuple[re.Pattern[str], ...]:
    """A letter, a text that is to be worked on, and one that somebody introduces, each up to the end of the message."""
    cues = [language.prose for language in all_languages()]
    handed_over, introduced, letter = (
        join_patterns(getattr(cue, name) for cue in cues) or "(?!)" for name in ("handed_over", "introduced", "letter")
    )
    return (
        re.compile(rf"^[ \t]*(?:{letter})\s[^\n]{{2,60}},[ \t]*\n.*\Z", re.M | re.S),
        re.compile(rf"\b(?:{handed_over})\b[^.!?\n]{{0,60}}:.*\Z", re.I | re.S),
        re.compile(rf"\b(?:{introduced})\b[^.!?\n]{{0,80}}:[ \t]*\n.*\Z", re.I | re.S),
    )


_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "\t": " ", "\xa0": " "})

# A gap as wide as a column of a table parts sentences too.
_STOP = re.compile(r"[.!?…]+[\"')\]]*(?=\s|$)|\n+| {20,}+")
_abbreviations = unite_words(lambda language: language.vocabulary.abbreviations)
_BULLET = re.compile(r"[ ]*(?:[-*•+#]+|\d{1,2}[.)])?[ *_]*")


def blank_quoted_text(text: str) -> str:
    """The message with everything blanked that its author did not say in their own voice; its length is unchanged."""
    text = _LONG_LINE.sub(_blanked_match, text[:_LONGEST_TEXT]) + "\n" * (len(text) - _LONGEST_TEXT)
    if "```" in text or "~~~" in text or '"""' in text or "</" in text:
        text = _blank_matches(text, _BLOCKS)
    if "http" in text or "www." in text:
        text = _blank_matches(text, _LINKS, mark=QUOTED)
    if "`" in text:
        text = _INLINE_CODE.sub(lambda m: m[0].replace("`", " ") if len(m[0]) < 30 else QUOTED * len(m[0]), text)
    if any(mark in text for mark in "\"'“«‘"):
        text = _QUOTES.sub(lambda m: QUOTED * len(m[0]) if _is_spoken(m[0]) else m[0], text)
    text = _CODE_LINE.sub(_blanked_match, _QUOTED_LINE.sub(_blanked_match, text))
    if ":" in text or "\n" in text:
        text = _blank_pasted_text(text)
    return text.translate(_STRAIGHT)


# The head of a letter that was pasted: a field with an address.
_MAIL = re.compile(r"^[ \t]*[^\W\d_]{2,10}:[^\n]{0,80}?\S@\S+.*\Z", re.M | re.S)


def _blank_pasted_text(text: str) -> str:
    if "@" in text:
        text = _blank_matches(text, _MAIL)
    if len(_TURN_LINE.findall(text)) > 1:
        text = _blank_matches(text, _TURN_LINE)
    for pattern in _pasted_text_patterns():
        text = _blank_matches(text, pattern)
    return text


def _blanked_match(match: re.Match[str]) -> str:
    return "\n" * len(match[0])


def _blank_matches(text: str, pattern: re.Pattern[str], *, mark: str = "\n") -> str:
    return pattern.sub(lambda match: mark * len(match[0]), text)


def _is_spoken(quotation: str) -> bool:
    return len(quotation.split()) > 8 or _speech().search(quotation) is not None


def split_sentences(text: str) -> list[Sentence]:
    """The sentences of the author's own words, in order."""
    prose = blank_quoted_text(text)
    spoken = detect_language(prose)
    return [
        Sentence(
            prose[start:end],
            start,
            detect_language(prose[start:end], otherwise=spoken),
            _ends_as_question(prose[start:end]),
        )
        for start, end in _sentence_spans(prose)
    ]


def _ends_as_question(sentence: str) -> bool:
    return "?" in sentence[-4:]


def _sentence_spans(prose: str) -> Iterator[tuple[int, int]]:
    start = 0
    for stop in _STOP.finditer(prose):
        if stop[0] == "." and prose[start : stop.start()].rpartition(" ")[2].lower() in _abbreviations():
            continue
        yield from _trim_sentence_span(prose, start, stop.end())
        start = stop.end()
    yield from _trim_sentence_span(prose, start, len(prose))


def _trim_sentence_span(prose: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end > start and prose[end - 1].isspace():
        end -= 1
    bullet = _BULLET.match(prose, start, end)
    start = bullet.end() if bullet else start
    if 1 < end - start <= _LONGEST_SENTENCE and any(ch.isalnum() for ch in prose[start:end]):
        yield start, end


_written = unite_patterns(lambda language: language.dates.written)


def write_absolute_dates(
    text: str, at: datetime, language: str, *, tense: Tense | None = None, within: str = ""
) -> str:
    """The text with its relative times written as dates, seen from the local moment it was said.

    Only a time with one meaning is written: a fact with a wrong date is worse than one with a relative time. A clear
    tense decides which Monday or March is meant, unless the text `within` which it was said is about another time.
    """
    dates = language_of(language).dates
    told, done = [], 0
    for time in find_exact_dates(text, said_at=at, tense=tense, within=within):
        start, words = dates.write(dates, time, text, done)
        told += [text[done:start], words[0].upper() + words[1:] if start == 0 and text[0].isupper() else words]
        done = time.end
    return "".join((*told, text[done:]))


def format_day(day: date, language: str) -> str:
    """A day in words: 3 May 2026, 3 de maio de 2026."""
    return language_of(language).dates.write_day(day)


def remove_written_dates(text: str) -> str:
    """The text without the dates that `write_absolute_dates` wrote into it: what happened, whenever it was."""
    return _written().sub("", text)


_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_unsure = unite_patterns(lambda language: language.extraction.tenses.unsure)
_long_ago = unite_patterns(lambda language: language.extraction.tenses.long_ago)


@combine_languages
def _goes_on() -> re.Pattern[str]:
    """Two events in one predicate; a time may belong to either: "got in and start in September". Case counts."""
    return re.compile(join_patterns(language.extraction.tenses.goes_on for language in all_languages()) or "(?!)")


def detect_tense(predicate: Predicate, language: str) -> Tense | None:
    """The tense of a predicate; None where it is not plain, or where a time in it may be that of something else."""
    signs, words = language_of(language).extraction.tenses, predicate.words
    if predicate.ended or _unsure().search(f"{predicate.adverb} {words}") or _goes_on().search(words):
        return None
    if compile_pattern(signs.ahead).match(words):
        return "future"
    if not compile_pattern(signs.behind).match(words):
        return "present"
    return None if compile_pattern(signs.for_later).search(words) else "past"


def is_of_another_year(text: str, at: datetime) -> bool:
    """Whether a text tells, or may tell, of another year than the one up to or from the moment it was said."""
    return _long_ago().search(text) is not None or any(int(year) != at.year for year in _YEAR.findall(text))


# A sentence that names more people is a list of them.
_MOST_NAMES = 20
_NO_RELATIONS = Relations(patterns=(), told="", apposed="")
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
    if known.dead and compile_pattern(known.dead).search(sentence.text):
        return
    named: set[str] = set()
    for match in (match for one in known.patterns for match in compile_pattern(one).finditer(sentence.text)):
        name, what = match["name"], match["what"].lower()
        if name in named or name.split()[0].lower() in _not_names() or what in known.plurals:
            continue
        named.add(name)
        attribute = "pet" if match["pet"] else "person" if what in known.acquainted else "family"
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
