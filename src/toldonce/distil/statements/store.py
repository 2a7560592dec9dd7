"""What a record of a statement or a fact keeps beside its text, and a stored record as something that was said."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from toldonce.distil.drafts import FactDraft
from toldonce.distil.person_data import find_area_of_draft
from toldonce.distil.statements.reading import StatementDraft, Weights, tells_by_question
from toldonce.distil.statements.succession import LASTING, SLOTS, TOUCHED, Stated
from toldonce.lang.detect import detect_language
from toldonce.lang.registry import language_of
from toldonce.presets.policy import Preset
from toldonce.records import Record, attribute_of
from toldonce.text.patterns import compile_pattern

# What ends something, and what answers a question about a topic, needs this share of the usual score to be kept.
_ENDING_SHARE = 0.5
_ANSWER_SHARE = 0.4
# person/name/attribute: a subject of somebody of the person's circle.
_OF_A_PERSON = 3


def must_stay(record: Record, older: Stated, newer: Stated) -> bool:
    """Whether a statement says nothing of a record, which ends in other ways.

    A relation ends when a couple parts or somebody dies. Another instruction replaces an instruction, by a rule of its
    own; a statement ends it only by allowing again what it forbade.
    """
    if record.metadata.get("sort") == "instruction":
        return "allows" not in newer.claim.cues
    return _is_kinship(record) and not _ends_kinship(older, newer)


def is_part_of_ended(fact: Record, said: Record, *, older: Stated, newer: Stated) -> bool:
    """Whether a fact is over with the statement that it was read out of: the newer one names what it names.

    A condition or an allergy is not over because something that was said beside it is.
    """
    if must_stay(fact, older, newer) or not set(fact.sources) & set(said.sources):
        return False
    spans = fact.metadata.get("span"), said.metadata.get("span")
    (start, end), (first, last) = (span if isinstance(span, list) else (0, 0) for span in spans)
    old, new = older.claim, newer.claim
    if not (start < last and first < end) or not old.topics.isdisjoint(LASTING):
        return False
    return len(old.stems & new.content) >= TOUCHED * max(1, len(old.stems))


def is_expected_to_end(older: Stated, newer: Stated) -> bool:
    """Whether both are about what a person has one of at a time, or a couple parts, or somebody dies.

    A trade outlives a job.
    """
    return bool((older.claim.topics & newer.claim.topics) & (SLOTS - {"job"})) or _ends_kinship(older, newer)


def _is_kinship(fact: Record) -> bool:
    """Whether a fact tells nothing but what somebody is to the person: a brother stays one, whatever happens to him."""
    person = fact.metadata.get("person")
    return isinstance(person, dict) and person.keys() == {"name", "relationship"} and "words" not in fact.metadata


def _ends_kinship(older: Stated, newer: Stated) -> bool:
    """Whether a couple parts, or somebody dies."""
    if "couple" in older.claim.topics & newer.claim.topics:
        return True
    relations = language_of(newer.language).extraction.relations
    return bool(relations and relations.dead and compile_pattern(relations.dead).search(newer.words))


def find_least_score(draft: StatementDraft, weights: Weights, *, is_ending: bool) -> float:
    """The score from which a draft is kept; `is_ending` says whether it ends something."""
    share = _ENDING_SHARE if is_ending else _ANSWER_SHARE if tells_by_question(draft) else 1.0
    return share * weights["least"]["worth"]


def stated_of(draft: StatementDraft) -> Stated:
    """A draft as it is compared with others."""
    return Stated(
        draft.words, draft.language, draft.speaker, draft.at, draft.question, draft.claim.names, frozenset(draft.about)
    )


def draft_metadata(draft: FactDraft, preset: Preset) -> dict[str, Any]:
    """The metadata of the record that a draft becomes: the value, where it was said, its area of life, who it is."""
    attribute = attribute_of(draft.subject)
    found: dict[str, Any] = {"span": [draft.start, draft.end], "sort": draft.type}
    if draft.value:
        found["value"] = draft.value
    if draft.change == "planned":
        found["change"] = draft.change
    if preset.areas and (area := draft.area or preset.area_of(attribute) or find_area_of_draft(draft, preset)):
        found |= {"area": area[0], "sub_area": area[1]}
    if draft.type == "person" and (person := _describe_person(draft, attribute)):
        found["person"] = person
    return found


def _describe_person(draft: FactDraft, attribute: str) -> dict[str, str]:
    """Who somebody is: a relation gives their name, any other fact about them one more attribute."""
    if draft.named:
        relation = {"relationship": draft.relation} if draft.relation else {}
        told = {attribute: draft.value} if draft.value and attribute != draft.named.lower() else {}
        return {"name": draft.named, **relation, **told}
    parts = (draft.subject or "").split("/")
    if len(parts) == _OF_A_PERSON and draft.value:
        return {"name": parts[1].replace("_", " ").title(), attribute: draft.value}
    words = (draft.value or "").split()
    first = next((place for place, word in enumerate(words) if word[0].isupper()), 0)
    return {"name": " ".join(words[first:]), "relationship": " ".join(words[:first])} if first else {}


def details_of(stated: Stated, *, start: int, end: int) -> dict[str, Any]:
    """The metadata of a statement's record: its words and where they stand, for evidence and for comparing."""
    found: dict[str, Any] = {
        "span": [start, end],
        "words": stated.words,
        "language": stated.language,
        "speaker": stated.speaker,
    }
    if stated.question:
        found["question"] = stated.question
    if stated.about:
        found["about"] = sorted(stated.about)
    if stated.names:
        found["names"] = sorted(stated.names)
    if stated.claim.topics:
        found["topics"] = sorted(stated.claim.topics)
    return found


def stated_in(record: Record) -> Stated:
    """What a stored record says: a statement its own words, anything else its text."""
    told: Mapping[str, Any] = record.metadata
    words = told.get("words")
    if not isinstance(words, str):
        return stated_text(record.text, record.user or "", record.at)
    return Stated(
        words,
        str(told.get("language", "")),
        str(told.get("speaker", record.user or "")),
        record.at,
        str(told.get("question", "")),
        _texts(told.get("names")),
        _texts(told.get("about")),
    )


def _texts(found: object) -> frozenset[str]:
    return frozenset(map(str, found)) if isinstance(found, list) else frozenset()


def stated_text(text: str, speaker: str, at: datetime) -> Stated:
    """A text as something that was said."""
    return Stated(text, detect_language(text), speaker, at)
