"""Keeps the statements of a conversation: what is worth it is stored, and what it changes is marked as superseded.

Runs inside the transaction that settles a conversation. Nothing is deleted: what is over names what replaced it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from toldonce.distil.drafts import FactDraft
from toldonce.distil.person_data import find_area_of_draft
from toldonce.distil.same_statement import says_same
from toldonce.distil.statements.reading import StatementDraft, Weights, load_weights, tells_by_question
from toldonce.distil.statements.succession import LASTING, SLOTS, TOUCHED, Ending, Stated, choose_ended, find_ending
from toldonce.lang.detect import detect_language
from toldonce.lang.registry import language_of
from toldonce.presets.policy import Preset
from toldonce.records import DocumentEntry, Record, attribute_of
from toldonce.storage import lifecycle
from toldonce.storage.store import Tables, View
from toldonce.text.patterns import compile_pattern
from toldonce.text.words import fold_in_place, jaccard_similarity

REASON = "a newer statement says otherwise"
# A statement is compared with at most this many others of its owner, the newest.
_MOST_COMPARED = 400
# Two statements of one person with these shares of words in common say the same.
_SAME = 0.9
# What ends something, and what answers a question about a topic, needs this share of the usual score to be kept.
_ENDING_SHARE = 0.5
_ANSWER_SHARE = 0.4
# A fact was read by a rule that knows what replaces it, so that a statement must be this certain to end it.
_ENDS_FACT = 0.5
# person/name/attribute: a subject of somebody of the person's circle.
_OF_A_PERSON = 3


# Stores a statement as a record of some kind; with a record, what still holds of that one. None when it is known.
Make = Callable[[str, Stated, Record | None], Record | None]


@dataclass(slots=True)
class _Known:
    """A record that a new statement may end, and what it says."""

    record: Record
    stated: Stated
    is_statement: bool


class StatementKeeper:
    """Stores statements one after the other and compares each with what its owner is known to have said."""

    def __init__(self, tables: Tables, preset: Preset, *, now: datetime) -> None:
        self._tables = tables
        self._preset = preset
        self._now = now
        self._known: dict[str, list[_Known]] = {}
        self._weights = load_weights()
        self.gone: list[str] = []
        self.gone_ids: set[str] = set()

    def keep(self, draft: StatementDraft, *, owner: str | None, space: str, make: Make) -> Record | None:
        """Store a statement that is worth it and supersede what it ends; None when it is not kept."""
        kinds = self._preset.distil.statements
        kind = kinds.get(draft.type) or kinds.get("statement")
        if kind is None:
            return None
        new = stated_of(draft)
        known = self._read_known(owner, space)
        rests = self._find_rests(new, draft.source, known)
        if draft.score < find_least_score(draft, self._weights, is_ending=bool(rests)) or _is_known(new, known):
            return None
        record = make(kind, new, None)
        if record is None:
            return None
        known.append(_Known(record, new, is_statement=True))
        for other, rest in rests:
            self._end(other, rest, record, known, make)
        return record

    def _find_rests(self, new: Stated, source: str, known: Sequence[_Known]) -> list[tuple[_Known, str]]:
        """What the new statement ends, each with the words of it that still hold."""
        counts = Counter(stem for other in known for stem in other.stated.claim.stems)
        endings: list[tuple[_Known, Ending]] = []
        for other in known:
            older = other.record
            if older.at >= new.at or source in older.sources or _must_stay(other, new):
                continue
            if other.stated.speaker != new.speaker and not (new.claim.content & other.stated.claim.content):
                continue
            is_of_several = not other.is_statement and self._is_one_of_several(older)
            is_expected = _ends_kinship(other.stated, new) or (not is_of_several and _have_one_slot(other.stated, new))
            least = None if other.is_statement or is_expected else _ENDS_FACT
            ending = find_ending(new, other.stated, weights=self._weights, counts=counts, least=least)
            if ending is not None and (other.is_statement or is_of_several or not ending.rest):
                endings.append((other, ending))
        found = [(other, ending.rest) for other, ending in choose_ended(endings)]
        taken = {other.record.id for other, _ in found}
        facts = [other for other in known if not other.is_statement and other.record.id not in taken]
        return [*found, *((fact, "") for fact in facts if any(_ends_with(fact, *one, new) for one in found))]

    def _is_one_of_several(self, fact: Record) -> bool:
        """Whether the subject table lets several values of a fact stand side by side."""
        row = self._preset.subjects.get(attribute_of(fact.subject))
        return row is not None and row.rule == "set"

    def _end(self, other: _Known, rest: str, newer: Record, known: list[_Known], make: Make) -> None:
        """Supersede a record; what still holds of it stays as a record of its own."""
        lifecycle.supersede_record(self._tables, other.record, newer, at=newer.at, reason=REASON)
        self.gone.append(other.record.text)
        self.gone_ids.add(other.record.id)
        known.remove(other)
        if rest:
            stated = replace(other.stated, words=rest, question="")
            if (kept := make(other.record.kind, stated, other.record)) is not None:
                known.append(_Known(kept, stated, is_statement=True))

    def _read_known(self, owner: str | None, space: str) -> list[_Known]:
        key = owner or ""
        if key not in self._known:
            policy = self._preset.distil
            kinds = tuple(sorted({*policy.statements.values(), *policy.kinds.values()}))
            view = View(spaces=(space,), now=self._now, tenant=self._tables.tenant, user=owner, kinds=kinds)
            records = self._tables.records.find_derived(view, limit=_MOST_COMPARED)
            self._known[key] = [_Known(r, stated_in(r), "words" in r.metadata) for r in records]
        return self._known[key]

    def read_known_records(self, owner: str | None, space: str) -> list[Record]:
        """The facts and statements of an owner that count, with those that were just stored."""
        return [known.record for known in self._read_known(owner, space)]

    def find_ended(self, entries: Iterable[DocumentEntry], draft: StatementDraft) -> list[str]:
        """Those lines of the speaker's document that a statement ends."""
        new = stated_of(draft)
        if draft.score < find_least_score(draft, self._weights, is_ending=True):
            return []
        older = (_stated_text(entry.text, new.speaker, entry.at) for entry in entries if entry.at and entry.at < new.at)
        endings = [
            (one, ending)
            for one in older
            if (ending := find_ending(new, one, weights=self._weights, counts={})) and not ending.rest
        ]
        return [one.words for one, _ in choose_ended(endings)]


def _ends_with(fact: _Known, statement: _Known, rest: str, newer: Stated) -> bool:
    """Whether a fact is over with the statement that it was read out of: it is about what the newer one is about.

    A condition or an allergy is not over because something that was said beside it is.
    """
    record, said = fact.record, statement.record
    if _must_stay(fact, newer) or not set(record.sources) & set(said.sources):
        return False
    spans = record.metadata.get("span"), said.metadata.get("span")
    (start, end), (first, last) = (span if isinstance(span, list) else (0, 0) for span in spans)
    is_part = bool(start < last and first < end)
    old, new = fact.stated.claim, newer.claim
    if not is_part or not old.topics.isdisjoint(LASTING):
        return False
    share = len(old.stems & new.content) / max(1, len(old.stems))
    return share >= TOUCHED or (not rest and not old.topics.isdisjoint(new.topics))


def _must_stay(known: _Known, newer: Stated) -> bool:
    """Whether a statement cannot end a record: the person confirmed it, or it ends in other ways.

    A relation ends when a couple parts or somebody dies. Another instruction replaces an instruction, by a rule of its
    own; a statement ends it only by allowing again what it forbade.
    """
    record = known.record
    if record.validated or record.pinned:
        return True
    if record.metadata.get("sort") == "instruction":
        return "allows" not in newer.claim.cues
    return _is_kinship(record) and not _ends_kinship(known.stated, newer)


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


def _have_one_slot(older: Stated, newer: Stated) -> bool:
    """Whether both are about something of which a person has one at a time."""
    return not (older.claim.topics & newer.claim.topics).isdisjoint(SLOTS)


def _is_known(new: Stated, known: Iterable[_Known]) -> bool:
    """Whether somebody said the same before about the same people. Only near ones are compared closely."""
    return any(
        jaccard_similarity(new.claim.content, other.stated.claim.content) >= _SAME
        and (new.claim.numbers, new.about) == (other.stated.claim.numbers, other.stated.about)
        and says_same(_with_question(new), _with_question(other.stated), least=_SAME, language=new.language)
        for other in known
        if other.is_statement
    )


def _with_question(stated: Stated) -> str:
    return f"{stated.question} {stated.words}" if stated.question else stated.words


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


def show_rest(stated: Stated) -> str:
    """What still holds of a statement, with the person it is about where its words no longer name them."""
    said = fold_in_place(stated.words)
    missing = [name.title() for name in sorted(stated.about) if name not in said]
    return f"({missing[0]}) {stated.words}" if len(missing) == 1 else stated.words


def stated_in(record: Record) -> Stated:
    """What a stored record says: a statement its own words, anything else its text."""
    told: Mapping[str, Any] = record.metadata
    words = told.get("words")
    if not isinstance(words, str):
        return _stated_text(record.text, record.user or "", record.at)
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


def _stated_text(text: str, speaker: str, at: datetime) -> Stated:
    return Stated(text, detect_language(text), speaker, at)
