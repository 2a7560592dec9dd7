"""Whether a newer statement ends an older one, and what of the older one stays.

Two statements come in; out comes whether the older one is over, and its words that still hold. Pure functions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import TypeVar

from recollect.distil.statements.claims import Claim, read_claim
from recollect.distil.statements.model import Weights, score_replacement, score_statement
from recollect.distil.statements.pairs import LASTING
from recollect.lang.registry import until_registration
from recollect.lang.spoken import normalise_spelling, statement_words

_HOUR_SECONDS = 3600
_STOP = re.compile(r"[.!?;…]+\s+|\n+")
# A part of a statement is over with it unless its own score is under this share of the least one.
_CLEARLY_LESS = 0.7
_LEAST_WORDS = 3
# A statement ends at most this many others, unless it surely ends more.
_MOST_ENDED = 4
_SURELY = 0.5

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ending:
    """That a statement is over: how sure that is, and the words of it that still hold, if any."""

    score: float
    rest: str


@dataclass(frozen=True, slots=True)
class Stated:
    """Something that a person said: their words, what they answer, and whom they name or are about."""

    words: str
    language: str
    speaker: str
    at: datetime
    question: str = ""
    names: frozenset[str] = frozenset()
    about: frozenset[str] = frozenset()

    @property
    def claim(self) -> Claim:
        """What is read of it."""
        claim: Claim = read_claim(self.words, self.language, context=self.question, names=self.names, about=self.about)
        return claim


def find_ending(
    newer: Stated, older: Stated, *, weights: Weights, counts: Mapping[str, int], least: float | None = None
) -> Ending | None:
    """How a newer statement ends an older one; None when it does not.

    `least` is the score that ends something, if it is not the usual one.
    """
    least = weights["least"]["replacement"] if least is None else least
    whole = _score(newer, older, weights, counts)
    is_worth_a_look = whole > 0 or not older.claim.topics.isdisjoint(LASTING)
    parts = split_statement(older.words, older.language) if is_worth_a_look else []
    if len(parts) < 2:
        return Ending(whole, "") if whole >= least else None
    scores = [_score(newer, _part(older, place, part), weights, counts) for place, part in enumerate(parts)]
    score = max(whole, *scores)
    if score < least:
        return None
    limit = min(max(scores), least) * _CLEARLY_LESS
    rest = " ".join(part for part, score in zip(parts, scores, strict=True) if score < limit)
    if not rest:
        return Ending(score, "")
    worth = score_statement(replace(older, words=rest, question="").claim, weights)
    return Ending(score, rest if worth >= weights["least"]["worth"] else "")


def choose_ended(endings: Sequence[tuple[T, Ending]]) -> list[tuple[T, Ending]]:
    """What a statement ends of all that it might: the most certain few, and whatever it surely ends.

    People say one thing at a time; the more somebody is known to have said, the more of it is alike by chance.
    """
    ordered = sorted(endings, key=lambda pair: -pair[1].score)
    return [pair for place, pair in enumerate(ordered) if place < _MOST_ENDED or pair[1].score >= _SURELY]


def _part(older: Stated, place: int, part: str) -> Stated:
    return replace(older, words=part, question=older.question if place == 0 else "")


def _score(newer: Stated, older: Stated, weights: Weights, counts: Mapping[str, int]) -> float:
    hours = (newer.at - older.at).total_seconds() / _HOUR_SECONDS
    is_same_speaker = newer.speaker == older.speaker
    return score_replacement(
        newer.claim, older.claim, hours=hours, is_same_speaker=is_same_speaker, counts=counts, weights=weights
    )


def split_statement(words: str, language: str) -> list[str]:
    """The parts of a statement that make sense alone: its sentences, and clauses that begin with a subject."""
    places = [match.end() for match in _STOP.finditer(words)]
    usual = normalise_spelling(words, language)
    for match in _joint(language).finditer(usual.text):
        begin, end = usual.places[match.start("join")], usual.places[match.end("join")]
        # A joining word carries no accent; "é" is no "e".
        if words[begin:end].isascii():
            places.append(end)
    parts: list[str] = []
    start = 0
    for end in sorted({*places, len(words)}):
        part = words[start:end].strip()
        if parts and (len(part.split()) < _LEAST_WORDS or len(parts[-1].split()) < _LEAST_WORDS):
            parts[-1] = f"{parts[-1]} {part}".strip()
        elif part:
            parts.append(part)
        start = end
    return parts


@until_registration
@cache
def _joint(language: str) -> re.Pattern[str]:
    """Where a clause is joined to the one before: a joining word, and then somebody who does something."""
    table = statement_words(language)
    subjects = "|".join(sorted(map(re.escape, table.subjects), key=len, reverse=True)) or "(?!)"
    return re.compile(rf"(?P<join>,? (?:{table.joins or '(?!)'}) )(?:{subjects})(?![\w'])")
