"""Notes by rule: a finished conversation comes in, a title people recognise and its telling sentences go out.

The note only shows what was said, with who said it; it never rewords, and small talk alone makes no note.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toldonce.distil.drafts import ConversationMessage, NoteDraft
from toldonce.distil.extract import extract_facts
from toldonce.lang.grammar import QUOTED, Sentence
from toldonce.lang.registry import all_languages, combine_languages, unite_patterns
from toldonce.lang.vocabulary import dull_words

if TYPE_CHECKING:
    from toldonce.distil.reading import ConversationReading

_WORD = re.compile(r"[^\W\d_][\w'-]*[^\W_]|[^\W\d_]")
# Praise and thanks are long on words and short on news.
_cheering = unite_patterns(lambda language: language.texts.cheering, r"(?:{})\b")


_joining = unite_patterns(lambda language: language.extraction.statements.joins, r"\s(?:{})\s")


@combine_languages
def _doing_endings() -> tuple[str, ...]:
    return tuple(ending for language in all_languages() for ending in language.texts.doing_endings)


_SENTENCES = 4
_LONGEST_SENTENCE = 280
_LONGEST_TITLE = 80
_LONGEST_PHRASE = 9
_LEAST_LETTERS = 3
_CLAUSE_END = re.compile(r"[.!?;:…,()\n]+(?=\s|$)|\s[-–—]\s")
# An answer is taken with its question when it is at most this many sentences after it.
_ANSWER_WITHIN = 3
# Too little to have been about anything.
_LEAST_CONTENT = 3


@dataclass(frozen=True, slots=True)
class NoteLine:
    """One sentence somebody said, with the words that carry it."""

    message: ConversationMessage
    order: int
    text: str
    asks: bool
    words: tuple[str, ...]
    states: bool


def write_note(said: Sequence[ConversationMessage], *, reading: ConversationReading | None = None) -> NoteDraft | None:
    """The conversation in a title and one to four sentences of it; None when it is empty or only small talk.

    `reading` is what was read of these messages before, if anything was.
    """
    lines = [line for line in _note_lines(said, reading) if line.words]
    if len({word for line in lines for word in line.words}) < _LEAST_CONTENT:
        return None
    weights = score_words(lines)
    chosen = pick_key_lines(lines, weights)
    if not chosen:
        return None
    return NoteDraft(
        title=_note_title(said, lines, weights),
        summary=" ".join(f"{line.message.name}: {end_with_full_stop(line.text)}" for line in chosen),
        participants=tuple(dict.fromkeys(message.speaker for message in said)),
        at=said[-1].at,
        sources=tuple(dict.fromkeys(message.id for message in said)),
    )


def end_with_full_stop(text: str) -> str:
    """The text with a full stop, unless it ends already."""
    return text if text[-1] in ".!?…" else text + "."


def _note_lines(said: Sequence[ConversationMessage], known: ConversationReading | None) -> list[NoteLine]:
    from toldonce.distil.reading import ConversationReading

    reading = known or ConversationReading()
    drafts = extract_facts(said, subjects={}, reading=reading)
    stated = {(draft.source, place) for draft in drafts for place in range(draft.start, draft.end)}
    speakers = {word.lower() for message in said for word in message.name.split()}
    found: list[NoteLine] = []
    for message in said:
        for sentence in (read.sentence for read in reading.read(message).sentences):
            text = " ".join(sentence.text.replace(QUOTED, " ").replace("**", "").split()).strip("*_ ")
            places = range(sentence.start, sentence.start + len(sentence.text))
            states = any((message.id, place) in stated for place in places)
            words = tuple(word for word in sentence_content_words(sentence) if word not in speakers)
            found.append(NoteLine(message, len(found), text, sentence.asks, words, states))
    return found


def sentence_content_words(sentence: Sentence) -> tuple[str, ...]:
    """The words of a sentence that say what it is about."""
    words = (word.lower().removesuffix("'s") for word in _WORD.findall(sentence.text))
    dull = dull_words()
    return tuple(word for word in words if len(word) > 2 and word not in dull)


def score_words(lines: Iterable[NoteLine]) -> Mapping[str, float]:
    """How much each word tells: often said weighs more, a name more again, an ordinary long word a little."""
    counts = Counter(word for line in lines for word in set(line.words))
    names = Counter(name.lower() for line in lines for name in _capitalised_names(line.text))
    return {
        word: (1 + math.log(count)) * (1.8 if names[word] >= max(1, count / 2) else 1.0) * _word_prior(word)
        for word, count in counts.items()
    }


def _word_prior(word: str) -> float:
    """Longer words tell more, and what is done tells less than what it is done to."""
    return min(1.3, 0.7 + len(word) / 20) * (0.7 if word.endswith(_doing_endings()) else 1.0)


def _capitalised_names(text: str) -> list[str]:
    """Capitalised words that do not merely open a sentence."""
    return [m[0] for m in _WORD.finditer(text) if m[0][0].isupper() and not m[0].isupper() and m.start() > 0]


def pick_key_lines(
    lines: Sequence[NoteLine], weights: Mapping[str, float], *, most: int = _SENTENCES
) -> list[NoteLine]:
    """The most telling sentences in the order they were said, each adding something to those before it."""
    chosen: list[NoteLine] = []
    told: Counter[str] = Counter()
    pool = [
        line for line in lines if (line.states or len(line.words) > 2) and len(line.text) <= _LONGEST_SENTENCE
    ] or list(lines)
    while pool and len(chosen) < most:
        best = max(pool, key=lambda line: (_line_score(line, weights, told), -line.order))
        if chosen and _line_score(best, weights, told) < 0.5 * _line_score(chosen[0], weights, Counter()):
            break
        chosen.append(best)
        told.update(set(best.words))
        pool.remove(best)
    return sorted(_join_answers(chosen, lines, most), key=lambda line: line.order)


def _join_answers(chosen: Sequence[NoteLine], lines: Sequence[NoteLine], most: int) -> list[NoteLine]:
    """The chosen lines, best first; a question stands with its answer, and a short answer with its question."""
    kept: dict[int, NoteLine] = {}
    for line in chosen:
        pair = [line]
        if line.asks:
            later = (one for one in lines if line.order < one.order <= line.order + _ANSWER_WITHIN)
            answer = next((one for one in later if one.message.speaker != line.message.speaker and not one.asks), None)
            if answer is None:
                continue
            pair.append(answer)
        elif asked := _question_of(line, lines):
            pair.append(asked)
        if not kept or len(kept.keys() | {one.order for one in pair}) <= most:
            kept |= {one.order: one for one in pair}
    return list(kept.values())


def _question_of(line: NoteLine, lines: Sequence[NoteLine]) -> NoteLine | None:
    """The question right before a line that says too little alone."""
    before = next((one for one in reversed(lines) if one.order < line.order), None)
    is_asked = before is not None and before.asks and before.message.speaker != line.message.speaker
    return before if is_asked and len(line.words) <= _LEAST_CONTENT else None


def _line_score(line: NoteLine, weights: Mapping[str, float], told: Counter[str]) -> float:
    new = sum(weights[word] / (1 + 2 * told[word]) for word in dict.fromkeys(line.words))
    kind = 1.6 if line.states else 0.4 if line.asks or line.message.role == "assistant" else 1.0
    return new / math.sqrt(4 + len(line.text.split())) * kind * (0.5 if _cheering().match(line.text) else 1.0)


def _note_title(said: Sequence[ConversationMessage], lines: Sequence[NoteLine], weights: Mapping[str, float]) -> str:
    speakers = {word.lower() for message in said for word in message.name.split()}
    return name_subject(lines, weights, without=speakers) or lines[0].text[:_LONGEST_TITLE].rstrip()


def name_subject(lines: Sequence[NoteLine], weights: Mapping[str, float], *, without: set[str]) -> str:
    """A phrase of what was said that names the subject: the most telling clause, in the words of the text."""
    phrases = [
        (_phrase_score(words, weights, line), -line.order, phrase)
        for line in lines
        for phrase in _clauses(line.text, without=without)
        if (words := [word.lower() for word in _WORD.findall(phrase) if word.lower() in weights])
    ]
    title = max(phrases)[2] if phrases else ""
    return title[:1].upper() + title[1:]


def _phrase_score(words: Sequence[str], weights: Mapping[str, float], line: NoteLine) -> float:
    kind = 1.6 if line.states else 0.6 if line.asks or line.message.role == "assistant" else 1.0
    return sum(weights[word] for word in dict.fromkeys(words)) / math.sqrt(2 + len(words)) * kind


def _clauses(text: str, *, without: set[str]) -> Iterator[str]:
    """The clauses of a sentence as phrases no longer than a title; no empty word opens or closes one."""
    dull, pronouns = dull_words(), _own_pronouns()
    for clause in _split_clauses(text):
        words = [m for m in _WORD.finditer(clause) if m[0].lower() not in without][:_LONGEST_PHRASE]
        while words and (_is_hollow(words[0][0], dull) or words[0][0].lower() in pronouns):
            words.pop(0)
        while words and (words[-1].end() - words[0].start() > _LONGEST_TITLE or _is_hollow(words[-1][0], dull)):
            words.pop()
        phrase = clause[words[0].start() : words[-1].end()] if words else ""
        if phrase and without.isdisjoint(word.lower() for word in _WORD.findall(phrase)):
            yield phrase


def _split_clauses(text: str) -> Iterator[str]:
    """The parts between punctuation and joining words; "bread and butter" is one."""
    for part in _CLAUSE_END.split(text):
        start = 0
        for join in _joining().finditer(part):
            sides = part[start : join.start()], part[join.end() :]
            if all(len(side.split()) >= _LEAST_CONTENT for side in sides):
                yield sides[0]
                start = join.end()
        yield part[start:]


def _is_hollow(word: str, dull: Collection[str]) -> bool:
    return len(word) < _LEAST_LETTERS or word.lower() in dull


@combine_languages
def _own_pronouns() -> frozenset[str]:
    """Words of the first person."""
    return frozenset(word for language in all_languages() for word in language.extraction.statements.first_person)
