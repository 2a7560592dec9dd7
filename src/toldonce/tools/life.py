"""Tools for knowledge about one person: search it, add to it, and see how a topic hangs together with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from toldonce.distil.person_data import merge_person_data
from toldonce.errors import RecordNotFound
from toldonce.lang.vocabulary import content_words
from toldonce.recall.render import confidence_level
from toldonce.records import Record
from toldonce.tools import definition as row
from toldonce.tools.definition import (
    AREAS,
    SOUGHT,
    WRITTEN,
    Tool,
    ToolCall,
    kind_for,
    kind_word,
    searchable_kind_words,
)
from toldonce.tools.records import doubted_rows, keep_for_caller, kept_row, search_for_call

_RELATED = 10
_CONNECTIONS = 5
# What a person stated has at least this confidence; what is lower was inferred.
_TOLD = 0.9


def search_knowledge(call: ToolCall) -> list[dict[str, Any]]:
    word, area = call.given.get("type"), call.given.get("area")
    groups = searchable_kind_words(call.preset)
    kinds = groups[word] if word else _all_kinds(call)
    where = {"area": area} if area else None
    hits = search_for_call(call, call.given["query"], limit=call.given["limit"], kinds=kinds, where=where)
    return [
        {
            **_full_row(hit.record, call),
            **doubted_rows(hit.record.text, hit.record.at, hit.doubted, call),
            "score": round(hit.score, 4),
        }
        for hit in hits
    ]


def add_knowledge(call: ToolCall) -> dict[str, Any]:
    given = call.given
    metadata = {"area": given["area"]} | ({"sub_area": given["subArea"]} if "subArea" in given else {})
    kind = kind_for(given["type"], call.preset)
    # What the person adds is certain, as the kind says; what an agent learnt is as sure as it says.
    sure = given.get("confidence", None if call.caller.role == "person" else _TOLD)
    record, known = keep_for_caller(call, given["content"], kind, metadata=metadata, confidence=sure)
    return {**item_row(record, call), **kept_row(record, call, known=known)}


def analyze_context(call: ToolCall) -> dict[str, Any]:
    """What is known around a topic: related facts, patterns, contradictions if wanted, and what may hang together."""
    related = _related_records(call)
    patterns = [record for record in related if _is_pattern(record, call)]
    facts = [record for record in related if record not in patterns]
    found = {
        "relatedFacts": [item_row(record, call) for record in facts],
        "patterns": [item_row(record, call) for record in patterns],
        "contradictions": list(_find_contradictions(call, related)) if call.given["lookForContradictions"] else [],
        "suggestedConnections": _find_connections(related, call),
    }
    return found


def item_row(record: Record, call: ToolCall) -> dict[str, Any]:
    """A piece of knowledge as the person would see it."""
    return {
        "id": record.id,
        "type": kind_word(record.kind, call.preset),
        "area": record.metadata.get("area"),
        "subArea": record.metadata.get("sub_area"),
        "title": record.title,
        "content": record.text,
        "confidence": round(record.confidence, 3),
        "level": confidence_level(record.confidence),
        "source": record.origin,
        "validatedByUser": record.validated,
        "createdAt": record.at,
    }


def _full_row(record: Record, call: ToolCall) -> dict[str, Any]:
    """A piece of knowledge with its related items, and what is known of the person that it is about."""
    related = call.memory.history(record.id, user=call.caller.user).related
    row = {**item_row(record, call), "relatedItems": [other.id for other in related]}
    person = merge_person_data([record, *related])
    return {**row, "person": person} if person else row


def _all_kinds(call: ToolCall) -> tuple[str, ...]:
    return tuple(kind for kinds in searchable_kind_words(call.preset).values() for kind in kinds)


def _related_records(call: ToolCall) -> list[Record]:
    areas = call.given["relatedAreas"]
    hits = search_for_call(call, call.given["currentTopic"], limit=2 * _RELATED, kinds=_all_kinds(call))
    found = [h.record for h in hits if not areas or h.record.metadata.get("area") in (None, *areas)]
    return found[:_RELATED]


def answer_question(call: ToolCall) -> dict[str, Any]:
    """The piece of knowledge that holds after the person answered."""
    asked, user = call.given["questionId"], call.caller.user
    if all(question.id != asked for question in call.memory.questions(user, space=call.caller.space)):
        raise RecordNotFound(f"there is no question {asked!r} here", record_id=asked)
    record = call.memory.answer(asked, call.given["answer"], user=user)
    return {"id": record.id, "content": record.text, "success": True}


def _is_pattern(record: Record, call: ToolCall) -> bool:
    """Whether it was observed over time rather than stated: inferred, or of a kind that is never stated."""
    kind = call.preset.kind(record.kind)
    return record.origin == "ai_inference" or kind.confidence_for("conversation") < _TOLD


def _find_contradictions(call: ToolCall, related: Sequence[Record]) -> Iterator[dict[str, Any]]:
    """Open doubts about what is related, then pairs about one subject that cannot both hold."""
    ids = {record.id for record in related}
    for question in call.memory.questions(call.caller.user, space=call.caller.space):
        older, newer = (call.memory.get(i, user=call.caller.user) for i in (question.older, question.newer))
        if ids & {older.id, newer.id} or _shared_words(call.given["currentTopic"], older.text + " " + newer.text):
            told = {"question": question.text, "questionId": question.id}
            yield {"existing": item_row(older, call), "new": item_row(newer, call), **told}
    for one, other in combinations(related, 2):
        if one.subject and one.subject == other.subject and _is_replacing_subject(one.subject, call):
            older, newer = sorted((one, other), key=lambda r: (r.at, r.id))
            yield {"existing": item_row(older, call), "new": item_row(newer, call), "question": None}


def _is_replacing_subject(subject: str, call: ToolCall) -> bool:
    rule = call.preset.subjects.get(subject.rpartition("/")[2])
    return rule is not None and rule.rule == "replace"


def _find_connections(related: Sequence[Record], call: ToolCall) -> list[dict[str, Any]]:
    """Pairs from different areas that are about the same things, those with most in common first."""
    found: list[tuple[int, dict[str, Any]]] = []
    for one, other in combinations(related, 2):
        areas = [r.metadata.get("area") for r in (one, other)]
        common = _shared_words(one.text, other.text) - _uninformative_words(call)
        if common and areas[0] != areas[1]:
            pair = {"items": [one.id, other.id], "areas": areas, "inCommon": sorted(common)}
            found.append((len(common), pair))
    return [pair for _, pair in sorted(found, key=lambda f: -f[0])[:_CONNECTIONS]]


def _uninformative_words(call: ToolCall) -> set[str]:
    """Words that say nothing about a pair, since everything here is about this person and this topic."""
    return set(content_words(f"{call.caller.user or ''} {call.given['currentTopic']}"))


def _shared_words(one: str, other: str) -> set[str]:
    return set(content_words(one)) & set(content_words(other))


_TYPE = "fact, preference, memory (something that happened), insight (a pattern), person (somebody of their circle)"

ROWS = (
    Tool(
        name="search_knowledge",
        run=search_knowledge,
        reads=True,
        quotes=True,
        required=("query",),
        about="Search facts, preferences, experiences and insights about the person.",
        arguments={
            "query": row.text_schema("What to look for", most=row.QUERY_CHARS),
            "type": row.text_schema(f"Only this type: {_TYPE}", most=100, choice=SOUGHT),
            "area": row.text_schema("Only this area of life", most=100, choice=AREAS),
            "limit": row.count_schema("How many at most", most=10, default=5),
        },
    ),
    Tool(
        name="add_knowledge",
        run=add_knowledge,
        quotes=True,
        required=("type", "content", "area"),
        about="Keep something new about the person: lasting facts, stated preferences, changes of status. Not for "
        "passing opinions, moods or speculation.",
        arguments={
            "type": row.text_schema(f"What it is: {_TYPE}", most=100, choice=WRITTEN),
            "content": row.text_schema("One statement as a full sentence"),
            "area": row.text_schema("The area of life it belongs to", most=100, choice=AREAS),
            "subArea": row.text_schema("The part of that area, such as sleep or family", most=100),
            "confidence": row.number_schema("How sure it is; 0.9 unless given", least=0, most=1),
        },
    ),
    Tool(
        name="analyze_context",
        run=analyze_context,
        reads=True,
        quotes=True,
        required=("currentTopic", "relatedAreas"),
        about="See what is known around a topic: related facts, patterns, contradictions if asked for, and items of "
        "other areas that may hang together.",
        arguments={
            "currentTopic": row.text_schema("What the conversation is about", most=row.QUERY_CHARS),
            "relatedAreas": row.texts_schema(
                "Areas of life to look in; none means all", most=20, choice=AREAS, chars=100
            ),
            "lookForContradictions": row.flag_schema("Also look for what cannot both be true", default=False),
        },
    ),
    Tool(
        name="answer_question",
        run=answer_question,
        quotes=True,
        required=("questionId", "answer"),
        about="Settle a contradiction by what the person said about it. analyze_context gives the id of the question.",
        arguments={
            "questionId": row.text_schema("The id of the question", most=row.ID_CHARS),
            "answer": row.text_schema("What the person answered, in their words"),
        },
    ),
)
