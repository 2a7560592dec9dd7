"""Tools for an agent that turns finished sessions into facts. The agent that talks to people does not get them."""

from __future__ import annotations

from typing import Any

from toldonce.errors import InputError
from toldonce.records import Record
from toldonce.tools import definition as row
from toldonce.tools.definition import WRITTEN, Role, Tool, ToolCall, kind_for, kind_word
from toldonce.tools.records import full_row, keep_for_caller, require_visible, search_for_call

_ONLY: tuple[Role, ...] = ("consolidator",)
_LONGEST_SESSION = 5_000
_BATCH = 50


def get_episodes_for_consolidation(call: ToolCall) -> dict[str, Any]:
    """A page of what was said in a session, and where the next page begins."""
    said = _caller_episodes(call)
    first, size = call.given["offset"], call.preset.conversation.page
    after = first + size
    return {
        "episodes": [
            {"id": r.id, "role": r.role, "author": r.author, "text": r.text, "at": r.at} for r in said[first:after]
        ],
        "total": len(said),
        "next_offset": after if after < len(said) else None,
    }


def save_facts_batch(call: ToolCall) -> dict[str, Any]:
    """Facts kept with their sources; one that the batch or the memory says already is not kept again."""
    known_ids = {record.id for record in _caller_episodes(call)}
    done, met = [], set()
    for fact in call.given["facts"]:
        exact = " ".join(fact["content"].casefold().split())
        if exact in met:
            done.append({"outcome": "duplicate in this batch"})
            continue
        met.add(exact)
        done.append(_save_fact(call, fact, known_ids))
    return {"facts": done, "saved": sum(one["outcome"] == "saved" for one in done)}


def _save_fact(call: ToolCall, fact: dict[str, Any], episodes: set[str]) -> dict[str, Any]:
    invented = [source for source in fact["source_ids"] if source not in episodes]
    if invented:
        raise InputError(f"source_ids must name episodes of this session: {invented[0][:60]!r} is none")
    kind = kind_for(fact["kind"], call.preset) if "kind" in fact else None
    record, known = keep_for_caller(
        call,
        fact["content"],
        kind,
        source=fact["source_ids"],
        confidence=fact.get("confidence"),
        subject=fact.get("subject"),
        tags=fact.get("tags", ()),
    )
    return {"outcome": "duplicate" if known else "saved", "id": record.id, "kind": kind_word(record.kind, call.preset)}


def is_session_consolidated(call: ToolCall) -> dict[str, Any]:
    waiting = call.memory.sessions.unsettled(session=call.given["session_id"], space=call.caller.space)
    return {"session_id": call.given["session_id"], "consolidated": not waiting}


def mark_session_consolidated(call: ToolCall) -> dict[str, Any]:
    done = call.memory.sessions.mark_settled(call.given["session_id"], space=call.caller.space)
    return {"session_id": call.given["session_id"], "marked": done}


def detect_conflicts(call: ToolCall) -> list[dict[str, Any]]:
    """Records of the same kind that may contradict a fact, most alike first; whether they do is for the agent."""
    fact = require_visible(call, call.given["fact_id"])
    hits = search_for_call(call, fact.text, limit=call.given["limit"] + 1, kinds=[fact.kind])
    return [{**full_row(h.record, call), "score": round(h.score, 4)} for h in hits if h.record.id != fact.id]


def resolve_conflict(call: ToolCall) -> dict[str, Any]:
    old, new = (require_visible(call, call.given[name]) for name in ("old_fact_id", "new_fact_id"))
    after = call.memory.review.supersede(
        old.id, new.id, reason=f"resolved by {call.caller.made_by}", user=call.caller.user
    )
    return {"old": full_row(after, call), "superseded_by": new.id}


def _caller_episodes(call: ToolCall) -> list[Record]:
    who = call.caller.user
    said = call.memory.sessions.window(
        call.given["session_id"], turns=_LONGEST_SESSION, user=who, space=call.caller.space
    )
    return [record for record in said if who in (None, record.user)]


_SESSION = row.text_schema("The session", most=row.ID_CHARS)
_FACT = {
    "content": row.text_schema("One fact as a full sentence that names whom it is about"),
    "source_ids": row.texts_schema("The episodes it was learnt from", most=100, chars=row.ID_CHARS),
    "kind": row.text_schema("What it is", most=100, choice=WRITTEN),
    "subject": row.text_schema("Whom and what it is about, such as alex/residence", most=row.ID_CHARS),
    "confidence": row.number_schema("How sure it is", least=0, most=1),
    "tags": row.texts_schema("Words to file it under", chars=100),
}

ROWS = (
    Tool(
        name="get_episodes_for_consolidation",
        run=get_episodes_for_consolidation,
        roles=_ONLY,
        reads=True,
        quotes=True,
        required=("session_id",),
        about="What was said in a session, oldest first, a page at a time.",
        arguments={
            "session_id": _SESSION,
            "offset": row.count_schema(
                "Where to begin: next_offset of the page before", least=0, most=10**6, default=0
            ),
        },
    ),
    Tool(
        name="save_facts_batch",
        run=save_facts_batch,
        roles=_ONLY,
        required=("session_id", "facts"),
        about="Keep facts that a session taught, each with the episodes it came from. Duplicates are left out.",
        arguments={
            "session_id": _SESSION,
            "facts": row.tables_schema("The facts", _FACT, required=("content", "source_ids"), most=_BATCH),
        },
    ),
    Tool(
        name="mark_session_consolidated",
        run=mark_session_consolidated,
        roles=_ONLY,
        required=("session_id",),
        about="Say that everything worth keeping of a session was saved.",
        arguments={"session_id": _SESSION},
    ),
    Tool(
        name="is_session_consolidated",
        run=is_session_consolidated,
        roles=_ONLY,
        reads=True,
        required=("session_id",),
        about="Whether a session was consolidated before: then leave it.",
        arguments={"session_id": _SESSION},
    ),
    Tool(
        name="detect_conflicts",
        run=detect_conflicts,
        roles=_ONLY,
        reads=True,
        quotes=True,
        required=("fact_id",),
        about="Facts that may contradict this one.",
        arguments={
            "fact_id": row.record_id("The new fact"),
            "limit": row.count_schema("How many at most", most=20, default=5),
        },
    ),
    Tool(
        name="resolve_conflict",
        run=resolve_conflict,
        roles=_ONLY,
        quotes=True,
        required=("old_fact_id", "new_fact_id"),
        about="The new fact holds: the old one is hardly believed any more. What the person confirmed stays.",
        arguments={
            "old_fact_id": row.record_id("The fact that no longer holds"),
            "new_fact_id": row.record_id("The fact that does"),
        },
    ),
)
