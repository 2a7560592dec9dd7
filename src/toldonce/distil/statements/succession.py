"""Whether a newer statement ends an older one, and what of the older one stays.

Two statements come in; out comes whether the older one is over, and its words that still hold. Pure functions.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import TypeVar

from toldonce.distil.statements.reading import Claim, Features, Weights, read_claim, score_statement, weigh_features
from toldonce.lang.registry import until_registration
from toldonce.lang.vocabulary import normalise_spelling, statement_words

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


# Topics in which one thing replaces another.
_SINGLE = ("medication", "work", "home", "diet", "study", "plan", "symptom", "body", "hobby", "family", "tech",
           "residence", "job", "couple")  # fmt: skip
# Of these a person has one at a time, so that another one replaces it though no word is shared.
SLOTS = frozenset(("medication", "job", "residence", "couple", "diet"))
# These last; only a statement about the same thing that says so ends them.
LASTING = frozenset(("allergy", "condition"))
_AILMENTS = frozenset(("symptom", "condition", "body"))
# What can change in the life of somebody who is named in both statements.
_OF_A_PERSON = frozenset(
    ("job", "work", "study", "residence", "home", "couple", "medication", "symptom", "body", "diet", "condition")
)
# Topics whose values are numbers.
_MEASURED = frozenset(("body", "medication", "money"))
# A stem in at most this many statements connects two of them well.
_RARE = 3
# Two numbers of which the smaller is at least this share of the larger may measure the same thing.
_NEAR = 0.75
# A statement with more stems than this is about an older one only if it names this share of what that one names; of two
# that are both longer than a plain sentence the same holds.
_LONG = 20
_BOTH_LONG = 6
TOUCHED = 0.5
# A word may be cut short to this many letters.
_PREFIX = 5
# Within one sitting people go on; only an open correction takes something back.
_SITTING_HOURS = 3
_DAY_HOURS = 20


def describe_pair(
    newer: Claim, older: Claim, *, hours: float, is_same_speaker: bool, counts: Mapping[str, int]
) -> Features:
    """The features of a newer statement beside an older one; empty when it cannot end the older one."""
    is_sitting = hours < _SITTING_HOURS and "corrects" not in newer.cues
    if is_sitting or "supposing" in newer.cues or newer.is_question:
        return {}
    if not _have_anything_in_common(newer, older):
        return {}
    pair = _Pair(newer, older, counts)
    # What somebody says of themselves is not changed by what another says without naming them.
    if not is_same_speaker and older.is_first_person and not pair.names:
        return {}
    if not pair.is_told_anew or not pair.is_connected or pair.is_alike_by_chance:
        return {}
    times = {
        "bias": 1.0,
        "days between": min(math.log1p(hours / 24), 4.0),
        "same sitting": float(hours < _SITTING_HOURS),
        "same day": float(hours < _DAY_HOURS),
        "same speaker": float(is_same_speaker),
    }
    return {
        **times,
        **pair.describe_words(),
        **pair.describe_values(),
        **pair.describe_manner(),
        **pair.describe_topics(),
    }


def _have_anything_in_common(newer: Claim, older: Claim) -> bool:
    """Whether a closer look is worth its time."""
    if not newer.topics.isdisjoint(older.topics) or "recovery" in newer.topics or newer.amounts & older.amounts:
        return True
    theirs = older.content | older.name_stems
    return not (newer.content.isdisjoint(theirs) and newer.name_stems.isdisjoint(theirs))


class _Pair:
    """What two statements have in common, and what the newer one says of it."""

    def __init__(self, newer: Claim, older: Claim, counts: Mapping[str, int]) -> None:
        self.newer = newer
        self.older = older
        ours, theirs = newer.name_stems, older.name_stems
        shared = _find_shared(newer.content, older.content)
        self.names = (ours & (theirs | older.content)) | (theirs & newer.content)
        self.things = (shared - ours - theirs) | (newer.amounts & older.amounts)
        self.topics = newer.topics & older.topics
        self.rare = sum(counts.get(stem, 1) <= _RARE for stem in self.things)
        most = max(1, min(len(newer.stems or newer.content), len(older.stems or older.content)))
        self.overlap = min(1.0, len(shared) / most)
        cues = newer.cues
        self.ends, self.replaces, self.begins = "ends" in cues, "replaces" in cues, "begins" in cues
        self.change = self.ends or self.replaces
        self.some = self.change or self.begins or "now" in cues or "again" in cues
        is_other_unit = bool(newer.units and older.units and newer.units.isdisjoint(older.units))
        is_number = bool(newer.numbers and older.numbers and not newer.numbers <= older.numbers)
        self.number = is_number and not is_other_unit
        self.near = not is_other_unit and _has_near_number(newer, older)
        self.days = bool(newer.days and older.days and newer.days.isdisjoint(older.days))
        self.polarity = self.things.isdisjoint(newer.denied) != self.things.isdisjoint(older.denied)
        self.recovers = "recovery" in newer.topics and not older.topics.isdisjoint(_AILMENTS)
        self.is_own = newer.is_own and older.is_own
        # Another job or another home has another name; that is no other matter.
        is_slot = self.is_own and not self.topics.isdisjoint(("job", "residence"))
        self.other_names = bool(ours and theirs and not self.names and not is_slot)

    @property
    def is_told_anew(self) -> bool:
        """Whether the newer statement has a cue of change, or another value for something."""
        is_denied = self.polarity and bool(self.things)
        return self.some or self.number or self.days or self.near or is_denied

    @property
    def is_connected(self) -> bool:
        """Whether both may be about the same thing."""
        older, newer = self.older, self.newer
        if not older.topics.isdisjoint(LASTING):
            is_same = bool(self.names) or (not newer.names and not older.names)
            is_healed = self.recovers and "allergy" not in older.topics and is_same
            says_so = (self.change or self.recovers or "allows" in newer.cues) and "adds" not in newer.cues
            return is_healed or (bool(self.things) and says_so)
        is_ill = "symptom" in older.topics or "body" in self.topics
        is_cured = is_ill and self.recovers and not self.other_names
        # "Too" about another matter says something more of somebody, and ends nothing.
        is_more = "adds" in newer.cues and bool(older.topics and newer.topics and not self.topics)
        is_named = bool(self.names) and (bool(self.topics) or (self.change and not is_more))
        return bool(self.things) or is_named or is_cured or self._takes_its_place() or (self.near and bool(self.topics))

    @property
    def is_alike_by_chance(self) -> bool:
        """Whether the newer statement is so long that it shares words with much that it does not touch."""
        newer, older = len(self.newer.stems), len(self.older.stems)
        is_long = newer > _LONG or min(newer, older) > _BOTH_LONG
        return is_long and len(self.things) / max(1, older) < TOUCHED

    def _takes_its_place(self) -> bool:
        slots = self.topics & SLOTS
        # Where a sister lives is not where the speaker does.
        if self.newer.has_kin or self.older.has_kin:
            slots &= {"couple"}
        return bool(slots) and (self.change or self.begins) and not self.other_names

    def describe_words(self) -> Features:
        """What both name, alone and together with a cue."""
        count, cues = len(self.things), self.newer.cues
        has_thing, has_name = count > 0, bool(self.names)
        return {
            "shared one": float(count == 1),
            "shared more": float(count > 1),
            "shared name": float(has_name),
            "overlap": self.overlap,
            "share of older": len(self.things) / max(1, len(self.older.stems)),
            "only name and other matter": float(has_name and not has_thing and self.topics.isdisjoint(_OF_A_PERSON)),
            "only recovery of another ailment": float(
                not has_thing and self.recovers and not self.newer.topics.isdisjoint(_AILMENTS)
            ),
            "other people": float(bool(self.newer.names - self.older.names) and not has_name),
            "rare shared": min(self.rare, 2) / 2,
            "rare shared and change": float(self.rare > 0 and self.change),
            "rare shared and some": float(self.rare > 0 and self.some),
            "only name": float(has_name and not has_thing),
            "same begin": float(has_thing and _find_begin(self.newer) == _find_begin(self.older)),
            "shared and change": float(has_thing and self.change),
            "shared and ends": float(has_thing and self.ends),
            "shared and replaces": float(has_thing and self.replaces),
            "shared and begins": float(has_thing and self.begins),
            "shared and now": float(has_thing and "now" in cues),
            "shared and again": float(has_thing and "again" in cues),
            "shared and allows": float(has_thing and "allows" in cues),
            "allows what was instructed": float(has_thing and "allows" in cues and self.older.is_instruction),
            "more shared and some": float(count > 1 and self.some),
            "name and ends": float(has_name and self.ends),
            "name and replaces": float(has_name and self.replaces),
            "name and some": float(has_name and self.some),
            "no change": float(not self.some),
            "other names": float(self.other_names),
        }

    def describe_values(self) -> Features:
        """Numbers, days and negation that differ."""
        has_thing, has_topic = bool(self.things), bool(self.topics)
        has_unit = bool(self.newer.units & self.older.units)
        return {
            "near number": float(self.near),
            "near number of nothing measured": float(self.near and not has_thing and self.topics.isdisjoint(_MEASURED)),
            "near number of topic": float(self.near and has_topic),
            "near number of thing": float(self.near and has_thing),
            "other number": float(self.number and has_thing),
            "other number of unit": float(self.number and has_unit),
            "other number of topic": float(self.number and has_unit and has_topic),
            "other day": float(self.days and has_thing),
            "other day and change": float(self.days and has_thing and self.change),
            "other polarity": float(self.polarity and has_thing),
        }

    def describe_manner(self) -> Features:
        """How both are said."""
        newer, older = self.newer, self.older
        has_thing = bool(self.things)
        return {
            "both instruct": float(newer.is_instruction and older.is_instruction and has_thing),
            "both own": float(self.is_own and not newer.names and not older.names),
            "newer past": float("past" in newer.cues),
            "newer asked": float(newer.is_asked),
            "newer quoted": float("quoting" in newer.cues),
            "newer quoted and shared": float("quoting" in newer.cues and has_thing),
            "newer hedged": float("hedging" in newer.cues),
            "newer corrects": float("corrects" in newer.cues),
            "newer keeps": float("keeps" in newer.cues),
            "newer answered": float(bool(newer.context)),
            "older hedged": float("hedging" in older.cues),
            "older kin": float(older.has_kin and bool(older.names)),
            "older kin and only name": float(older.has_kin and not has_thing),
            "older answered": float(bool(older.context)),
            "older instructs": float(older.is_instruction),
            "older length": min(math.log1p(len(older.words)), 4.0),
            "older ahead": float("ahead" in older.cues or "plan" in older.topics),
            "older past": float("past" in older.cues),
            "older changed": float(not older.cues.isdisjoint(("ends", "replaces"))),
        }

    def describe_topics(self) -> Features:
        """What both are about."""
        topics, older = self.topics, self.older
        found: Features = {
            "recovers": float(self.recovers),
            "recovers what is named": float(self.recovers and bool(self.things)),
            "topics": min(len(topics), 3) / 3,
            "topic and change": float(bool(topics) and self.change),
            "topic and begins": float(bool(topics) and self.begins),
            "no topic shared": float(bool(older.topics) and not topics),
            "no topic shared and only name": float(bool(older.topics) and not topics and not self.things),
        }
        found |= {f"older {topic}": 1.0 for topic in older.topics}
        for topic in topics.intersection(_SINGLE):
            found[f"both {topic}"] = 1.0
            found[f"both {topic} and change"] = float(self.change)
            found[f"both {topic} and begins"] = float(self.begins)
            found[f"both {topic} and own"] = float(self.some and self.is_own)
        return found


def _has_near_number(newer: Claim, older: Claim) -> bool:
    """Whether both tell a number of the same size, and another one: a weight, a dose, an hour."""
    ours, theirs = (
        [float(n) for n in claim.numbers - shared if n.count(".") < 2 and n.replace(".", "").isdigit()]
        for claim, shared in ((newer, older.numbers), (older, newer.numbers))
    )
    return any(a and b and min(a, b) / max(a, b) >= _NEAR for a in ours for b in theirs)


def _find_shared(ours: frozenset[str], theirs: frozenset[str]) -> frozenset[str]:
    """The stems that both have, one of them perhaps cut short: "atorva" for "atorvastatina"."""
    found = set(ours & theirs)
    for one in ours - found:
        for other in theirs - found:
            if len(one) >= _PREFIX <= len(other) and (one.startswith(other) or other.startswith(one)):
                found.add(one)
    return frozenset(found)


def _find_begin(claim: Claim) -> str:
    return next((word for word in claim.words if len(word) > 3), "")


def score_replacement(
    newer: Claim, older: Claim, *, hours: float, is_same_speaker: bool, counts: Mapping[str, int], weights: Weights
) -> float:
    """How likely the older statement is over because of the newer one, 0 to 1.

    `counts` says how many statements hold each stem: what is said in many of them connects two of them less.
    """
    found = describe_pair(newer, older, hours=hours, is_same_speaker=is_same_speaker, counts=counts)
    return weigh_features(found, weights["replacement"]) if found else 0.0
