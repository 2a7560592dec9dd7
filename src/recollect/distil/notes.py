"""Notes by rule: a finished conversation comes in, a title people recognise and its telling sentences go out.

The note only shows what was said, with who said it; it never rewords, and small talk alone makes no note.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recollect.distil.drafts import ConversationMessage, NoteDraft
from recollect.distil.extract import extract_facts
from recollect.lang.grammar import QUOTED, Sentence
from recollect.lang.registry import all_languages, combine_languages, unite_patterns
from recollect.lang.vocabulary import dull_words

if TYPE_CHECKING:
    from recollect.distil.reading import ConversationReading

_WORD = re.compile(r"[^\W\d_][\w'-]*[^\W_]|[^\W\d_]")
# Praise and thanks are long on words and short on news.
_cheering = unite_patterns(lambda language: language.texts.cheering, r"(?:{})\b")


@combine_languages
def _doing_endings() -> tuple[str, ...]:
    return tuple(ending for language in all_languages() for ending in language.texts.doing_endings)


_PHRASES = 3
_SENTENCES = 4
_LONGEST_SENTENCE = 280
_LONGEST_TITLE = 80
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
        summary=" ".join(f"{line.message.display_name}: {end_with_full_stop(line.text)}" for line in chosen),
        participants=tuple(dict.fromkeys(message.speaker for message in said)),
        at=said[-1].at,
        sources=tuple(dict.fromkeys(message.id for message in said)),
    )


def end_with_full_stop(text: str) -> str:
    """The text with a full stop, unless it ends already."""
    return text if text[-1] in ".!?…" else text + "."


def _note_lines(said: Sequence[ConversationMessage], known: ConversationReading | None) -> list[NoteLine]:
    from recollect.distil.reading import ConversationReading

    reading = known or ConversationReading()
    drafts = extract_facts(said, subjects={}, reading=reading)
    stated = {(draft.source, place) for draft in drafts for place in range(draft.start, draft.end)}
    speakers = {word.lower() for message in said for word in message.display_name.split()}
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
    return sorted(chosen, key=lambda line: line.order)


def _line_score(line: NoteLine, weights: Mapping[str, float], told: Counter[str]) -> float:
    new = sum(weights[word] / (1 + 2 * told[word]) for word in dict.fromkeys(line.words))
    kind = 1.6 if line.states else 0.4 if line.asks or line.message.role == "assistant" else 1.0
    return new / math.sqrt(4 + len(line.text.split())) * kind * (0.5 if _cheering().match(line.text) else 1.0)


def _note_title(said: Sequence[ConversationMessage], lines: Sequence[NoteLine], weights: Mapping[str, float]) -> str:
    speakers = {word.lower() for message in said for word in message.display_name.split()}
    title = ", ".join(pick_key_phrases(lines, weights, without=speakers)) or lines[0].text[:_LONGEST_TITLE]
    return title[:1].upper() + title[1:]


def pick_key_phrases(lines: Sequence[NoteLine], weights: Mapping[str, float], *, without: set[str]) -> list[str]:
    """The few runs of content words that stand for the conversation, none repeating another."""
    scores: dict[str, float] = {}
    shown: dict[str, str] = {}
    for line in lines:
        for run in _content_word_runs(line.text, without=without):
            key = " ".join(run).lower()
            weight = sum(weights.get(word.lower(), 0) for word in run) / len(run) ** 0.5 * (2 if line.states else 1)
            scores[key] = scores.get(key, 0) + weight
            shown.setdefault(key, " ".join(run))
    picked: list[str] = []
    for key in sorted(scores, key=lambda k: (-scores[k], k)):
        used = {word for phrase in picked for word in phrase.lower().split()}
        if used.isdisjoint(key.split()) and len(", ".join([*picked, shown[key]])) <= _LONGEST_TITLE:
            picked.append(shown[key])
        if len(picked) == _PHRASES:
            break
    return picked


def _content_word_runs(text: str, *, without: set[str]) -> list[list[str]]:
    """Neighbouring content words, at most three together, broken at small words and punctuation."""
    runs: list[list[str]] = []
    dull = dull_words()
    last = -2
    for match in _WORD.finditer(text):
        word = match[0].removesuffix("'s")
        plain = word.lower()
        if len(plain) < 3 or plain in dull or plain in without:
            continue
        if runs and match.start() == last + 1 and text[last] == " " and len(runs[-1]) < 3:
            runs[-1].append(word)
        else:
            runs.append([word if match.start() else _uncapitalise_word(word)])
        last = match.end()
    return runs


def _uncapitalise_word(word: str) -> str:
    return word if word[1:2].isupper() else word[:1].lower() + word[1:]
