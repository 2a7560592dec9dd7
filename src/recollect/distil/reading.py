"""Reads each message of a conversation once, by rule: its sentences, and what each of them plainly says.

What is read here depends on the message alone. Notes and facts share it, and add what the conversation tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from recollect.distil.drafts import ConversationMessage
from recollect.distil.instructions import InstructionSentence, instructions_in
from recollect.distil.moments import is_of_another_year
from recollect.distil.relations import Relation, find_relations, presupposed_facts
from recollect.lang.detect import detect_language
from recollect.lang.grammar import QUOTED, Predicate, Sentence
from recollect.lang.registry import all_languages, combine_languages, language_of, unite_patterns, unite_words
from recollect.text.patterns import join_patterns


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
    def wishes(self) -> tuple[InstructionSentence, ...]:
        """Those of the sentences that are standing instructions."""
        return tuple(instructions_in(reading.sentence for reading in self.sentences))

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
