"""Tools for a community: what happened, who people are, and taking one line out of somebody's profile."""

from __future__ import annotations

from typing import Any

from toldonce.errors import InputError, NotAllowed
from toldonce.recall.render import quote_line
from toldonce.tools import definition as row
from toldonce.tools.definition import Tool, ToolCall, kind_word
from toldonce.tools.records import doubted_rows, search_for_call


def search_notes(call: ToolCall) -> list[dict[str, Any]]:
    """Notes of conversations and topics, never single messages or statements."""
    said = {call.preset.capture.kind, *call.preset.distil.statements.values()}
    kinds = tuple(name for name in call.preset.kinds if name not in said)
    hits = search_for_call(call, call.given["query"], limit=call.given["limit"], kinds=kinds)
    return [
        {
            "id": hit.record.id,
            "kind": kind_word(hit.record.kind, call.preset),
            "title": hit.record.title,
            "text": hit.record.text,
            "date": hit.record.at.date().isoformat(),
            "channel": hit.record.channel,
            "score": round(hit.score, 4),
            "sources": hit.record.sources,
            **doubted_rows(hit.record.text, hit.record.at, hit.doubted, call),
        }
        for hit in hits
    ]


def get_profile(call: ToolCall) -> dict[str, Any]:
    """What is known of somebody, by section, each line with the note it came from."""
    person = _find_person_id(call)
    sections: dict[str, list[dict[str, Any]]] = {}
    for entry in call.memory.profile(person, reader=call.caller.user, space=call.caller.space).entries:
        told = {"text": entry.text, "sources": entry.sources, "at": entry.at}
        told |= doubted_rows(entry.text, entry.at, entry.doubted, call)
        sections.setdefault(entry.section, []).append(told)
    return {"user": person, "sections": sections}


def forget_profile_entry(call: ToolCall) -> dict[str, Any]:
    person = _find_person_id(call)
    call.memory.documents.forget_line(person, call.given["text"], reader=call.caller.user, space=call.caller.space)
    return {"success": True, "user": person}


def _describe_removed_line(call: ToolCall) -> str:
    return f"the line “{quote_line(call.given['text'])}” in the profile of {_find_person_id(call)}"


def _find_person_id(call: ToolCall) -> str:
    """The id of a person, who may also be named as the others see them."""
    said = call.given["user"]
    try:
        people = call.memory.people.all(space=call.caller.space)
    except NotAllowed:
        # On a server, the key of one person does not list the others: who is named by id is found all the same.
        return str(said)
    if any(person.id == said for person in people):
        return str(said)
    named = [p.id for p in people if said.casefold() in (p.username.casefold(), p.display_name.casefold())]
    if len(named) > 1:
        raise InputError(f"several people are called that: name one by id: {', '.join(sorted(named))}")
    return named[0] if named else str(said)


_USER = row.text_schema("Who: the id, or the name that others see", most=row.ID_CHARS)

ROWS = (
    Tool(
        name="search_notes", run=search_notes, reads=True, quotes=True, required=("query",),
        about="Search notes of past conversations and topics of this community. Each names its title and date.",
        arguments={
            "query": row.text_schema("What to look for", most=row.QUERY_CHARS),
            "limit": row.count_schema("How many at most", most=20, default=5),
        },
    ),
    Tool(
        name="get_profile", run=get_profile, reads=True, quotes=True, required=("user",),
        about="What is known of a member, or of somebody whom members talk about: bio, interests, skills, opinions, "
        "relationships, other; each line with the notes it came from.",
        arguments={"user": _USER},
    ),
    Tool(
        name="forget_profile_entry", run=forget_profile_entry, loss=_describe_removed_line, required=("user", "text"),
        about="Take one line out of a member's profile. Only when that member asked for it.",
        arguments={"user": _USER, "text": row.text_schema("The line, exactly as get_profile shows it", most=4_000)},
    ),
)  # fmt: skip
