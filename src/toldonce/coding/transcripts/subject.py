"""What a decision is about that only points at it: "let's go with the second one" answers a question asked before.

A sentence and the events of its session come in; the sentence with its subject goes out, or nothing where no subject
can be found: a decision about nothing helps nobody.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from toldonce.coding.codemap.words import search_terms
from toldonce.coding.transcripts.reader import Happened, Spoken
from toldonce.coding.transcripts.words import decisions, references
from toldonce.lang.registry import all_languages

# A sentence with this many words of its own names what it is about.
_NAMES_SUBJECT = 3
_TELLING = 2
_LOOK_BACK = 3
_ITEM = re.compile(r"^[ \t]*(?:[-*][ \t]+)?(?:\*\*)?(?:[A-Za-zÀ-ÿ]+ )?(\d|[A-Da-d])(?:[.):]|\*\*:?)+\s*(.+)$", re.M)
_BULLET = re.compile(r"^[ \t]*[-*•][ \t]+(.+)$", re.M)
_CHOSEN = re.compile(r"\b[A-Za-zÀ-ÿ]+ (\d|[A-Da-d])\b(?!')")
_PLAIN = re.compile(r"[*_`]{2,}")


@dataclass(frozen=True, slots=True)
class NamedDecision:
    """A decision with what it is about before it, and the place of the message that said so (-1 for its own)."""

    text: str
    subject: str
    asked_at: int = -1


def name_subject(
    sentence: str, events: Sequence[Happened], place: int, *, split: Callable[[str], Iterator[str]]
) -> NamedDecision | None:
    """A decision with its subject; None when it names none and nothing before it does. `split` gives sentences."""
    if not _only_points(sentence):
        return NamedDecision(sentence, "")
    own = events[place]
    assert isinstance(own, Spoken)
    before = list(split(own.text.partition(sentence)[0]))
    if before and _is_telling(before[-1]):
        return NamedDecision(sentence, before[-1])
    for asked_at in range(place - 1, max(-1, place - 1 - _LOOK_BACK), -1):
        event = events[asked_at]
        if isinstance(event, Spoken) and event.role != own.role:
            return _answer_to(sentence, event, asked_at, split=split)
    return None


def _only_points(sentence: str) -> bool:
    """Whether a decision points at something said before, with hardly a word of its own."""
    bare, count = references().subn(" ", sentence)
    return len(search_terms(decisions().sub(" ", bare))) < (_NAMES_SUBJECT if count else 1)


def _answer_to(
    sentence: str, asked: Spoken, asked_at: int, *, split: Callable[[str], Iterator[str]]
) -> NamedDecision | None:
    item = _chosen_item(sentence, asked.text)
    sentences = [one for one in split(asked.text) if _is_telling(one)]
    questions = [one for one in sentences if one.endswith("?")]
    if item:
        return NamedDecision(f"{sentence.rstrip('.!')}: {item}", questions[-1] if questions else "", asked_at)
    if not sentences:
        return None
    return NamedDecision(sentence, (questions or sentences)[-1], asked_at)


def _chosen_item(sentence: str, asked: str) -> str:
    """The entry of a list that a sentence chooses by its number, letter or place; empty when it chooses none."""
    items = {mark.lower(): _PLAIN.sub("", text).strip() for mark, text in _ITEM.findall(asked)}
    chosen = _CHOSEN.search(sentence)
    if chosen and chosen[1].lower() in items:
        return items[chosen[1].lower()]
    listed = list(items.values()) or [_PLAIN.sub("", text).strip() for text in _BULLET.findall(asked)]
    words = sentence.lower().split()
    for language in all_languages():
        for word, number in language.calendar.words.places.items():
            if word in words and 0 < abs(number) <= len(listed):
                return listed[number - 1 if number > 0 else number]
    return ""


def _is_telling(sentence: str) -> bool:
    return len(search_terms(sentence)) >= _TELLING
