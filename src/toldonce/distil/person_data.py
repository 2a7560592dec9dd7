"""What a knowledge item says beside its text: its area of life, a title, and who somebody of the circle is.

Statements and facts of rules come in; metadata goes out. Pure functions.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from toldonce.distil.drafts import FactDraft
from toldonce.distil.statements.reading import Claim, has_dose, read_claim
from toldonce.distil.statements.succession import Stated
from toldonce.lang.detect import detect_language
from toldonce.lang.registry import language_of
from toldonce.lang.vocabulary import TOPICS, statement_words
from toldonce.presets.policy import Preset
from toldonce.records import Record
from toldonce.text.words import WORD, fold_in_place

_HEALTH = frozenset(("allergy", "medication", "condition", "symptom"))
# Attributes of somebody that are shown together, as lists.
_GROUPS = {"health": "health", "allergy": "health", "diet": "health",
           "preferences": "preferences", "likes": "preferences", "dislikes": "preferences"}  # fmt: skip
_MOST_RELATED = 5
_LONGEST_TITLE = 60
_CLAUSE = re.compile(r"[.!?;…\n]|, ")


def find_area(topics: Collection[str], preset: Preset) -> tuple[str, str] | None:
    """The area of life and the sub-area of these topics; the first in the order of all topics decides."""
    areas = (preset.area_of(topic) for topic in TOPICS if topic in topics)
    return next((area for area in areas if area), None)


def write_title(text: str) -> str:
    """A short title: the first clause with at least three words, cut at a word."""
    ends = [match.start() for match in _CLAUSE.finditer(text) if len(text[: match.start()].split()) > 2]
    clause = text[: ends[0]] if ends else text
    if len(clause) > _LONGEST_TITLE:
        clause = clause[:_LONGEST_TITLE].rsplit(" ", 1)[0]
    return clause.rstrip(" ,:.!?")


def describe_statement(stated: Stated, preset: Preset) -> dict[str, Any]:
    """Area, sub-area, and the data of the one person that a statement is about."""
    claim = stated.claim
    found: dict[str, Any] = {}
    if area := find_area(claim.topics, preset):
        found |= {"area": area[0], "sub_area": area[1]}
    if person := _describe_named_person(stated, claim):
        found["person"] = person
    return found


def _describe_named_person(stated: Stated, claim: Claim) -> dict[str, str]:
    kin = statement_words(stated.language).kin
    names = sorted(name for name in stated.about if name not in kin)
    relations = sorted(name for name in stated.about if name in kin)
    if len(names) != 1 or "quoting" in claim.cues or claim.is_asked:
        return {}
    told = {"name": _spell_name(names[0], stated.words)}
    if len(relations) == 1:
        told["relationship"] = relations[0]
    if claim.topics & _HEALTH or has_dose(claim, stated.language):
        told["health"] = stated.words
    elif "taste" in claim.topics:
        told["preferences"] = stated.words
    elif (claim.numbers or claim.days) and _names_birthday(claim, stated.language):
        told["birthday"] = stated.words
    return told


def _spell_name(folded: str, words: str) -> str:
    """A name as it was written, with a capital."""
    written = next((word for word in WORD.findall(words) if fold_in_place(word) == folded), folded)
    return written if written[0].isupper() else written.title()


def _names_birthday(claim: Claim, language: str) -> bool:
    called = {fold_in_place(word) for word in language_of(language).subjects.get("birthday", ())}
    return not called.isdisjoint(claim.words)


def names_in(record: Record) -> frozenset[str]:
    """The people of the circle whom a record is about, folded."""
    person = record.metadata.get("person")
    named = [str(person["name"])] if isinstance(person, dict) and person.get("name") else []
    about = record.metadata.get("about")
    return frozenset(fold_in_place(name) for name in (*named, *(about if isinstance(about, list) else ())))


def find_related(record: Record, others: Sequence[Record]) -> list[Record]:
    """The newest of the others that are about somebody whom the record is about as well."""
    names = names_in(record)
    known = [other for other in others if other.id != record.id and names & names_in(other)] if names else []
    return sorted(known, key=lambda other: (other.at, other.id), reverse=True)[:_MOST_RELATED]


def merge_person_data(records: Sequence[Record]) -> dict[str, Any]:
    """What records say about one person: the newest relation and birthday, all about health and tastes.

    The first record says who it is.
    """
    merged: dict[str, Any] = {}
    first = records[0].metadata.get("person")
    if not isinstance(first, dict):
        return merged
    for record in sorted(records, key=lambda one: (one.at, one.id)):
        told = record.metadata.get("person")
        if not isinstance(told, dict) or fold_in_place(str(told.get("name"))) != fold_in_place(str(first.get("name"))):
            continue
        for key, value in told.items():
            if group := _GROUPS.get(key):
                merged.setdefault(group, []).append(value if key == group else record.text)
            else:
                merged[key] = value
    return merged


def find_area_of_draft(draft: FactDraft, preset: Preset) -> tuple[str, str] | None:
    """The area of life that the words of a fact tell, where its attribute tells none."""
    return find_area(read_claim(draft.text, detect_language(draft.text)).topics, preset)
