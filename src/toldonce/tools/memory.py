"""Tools of any memory: search, keep, correct, confirm, forget, count, look up a name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toldonce.errors import RecordNotFound
from toldonce.records import Hit
from toldonce.tools import definition as row
from toldonce.tools.definition import SOUGHT, WRITTEN, Tool, ToolCall, kind_for, kind_word, searchable_kind_words
from toldonce.tools.records import (
    citation_rows,
    code_changes,
    describe_record,
    doubted_rows,
    full_row,
    keep_for_caller,
    kept_row,
    require_visible,
    search_for_call,
    source_rows,
)


def search_memories(call: ToolCall) -> list[dict[str, Any]]:
    """Hits with exactly the documented fields; the id that forget_memory takes stands among the metadata."""
    word = call.given.get("memory_type")
    groups = searchable_kind_words(call.preset)
    kinds = groups[word] if word else tuple(kind for kinds in groups.values() for kind in kinds)
    return [
        {
            "content": hit.record.text,
            "type": kind_word(hit.record.kind, call.preset),
            "score": round(hit.score, 4),
            "created_at": hit.record.at,
            "metadata": {**hit.record.metadata, "memory_id": hit.record.id, **_beneath(hit, call)},
        }
        for hit in search_for_call(call, call.given["query"], limit=call.given["limit"], kinds=kinds)
    ]


def store_memory(call: ToolCall) -> dict[str, Any]:
    kind = kind_for(call.given["memory_type"], call.preset)
    record, _ = keep_for_caller(call, call.given["content"], kind, metadata=call.given.get("metadata"))
    return {
        "id": record.id,
        "content": record.text,
        "type": kind_word(record.kind, call.preset),
        "created_at": record.at,
    }


def forget_memory(call: ToolCall) -> dict[str, Any]:
    memory_id = call.given["memory_id"]
    try:
        reason = f"by {call.caller.made_by}"
        call.memory.forget(require_visible(call, memory_id).id, reason=reason, user=call.caller.user)
    except RecordNotFound:
        return {"success": False, "id": memory_id}
    return {"success": True, "id": memory_id}


def _describe_forgotten(call: ToolCall) -> str | None:
    try:
        record = require_visible(call, call.given["memory_id"])
    except RecordNotFound:
        return None
    return None if record.state == "forgotten" else describe_record(record, call)


def search_memory(call: ToolCall) -> list[dict[str, Any]]:
    """Hits; where the preset shows a thing once a session, in short, and what this session has seen is marked."""
    word, limit = call.given.get("kind"), call.given["limit"]
    kinds = searchable_kind_words(call.preset)[word] if word else _searchable_kinds(call)
    session = call.caller.session
    if not call.preset.context.once_per_session:
        return [_hit_row(hit, call) for hit in search_for_call(call, call.given["query"], limit=limit, kinds=kinds)]
    before = (
        call.memory.sessions.shown(session, user=call.caller.user, space=call.caller.space) if session else frozenset()
    )
    found = search_for_call(call, call.given["query"], limit=limit + len(before), kinds=kinds)
    hits = _choose_hits(found, before, limit=limit)
    if session and hits:
        call.memory.sessions.mark_shown(
            session, [hit.record.id for hit in hits], user=call.caller.user, space=call.caller.space
        )
    return [_short_hit_row(hit, call, is_shown=hit.record.id in before) for hit in hits]


def _choose_hits(found: Sequence[Hit], before: frozenset[str], *, limit: int) -> list[Hit]:
    """The best hits that are new to the session, and among them the best that are not, as many of each at most."""
    new = [hit for hit in found if hit.record.id not in before][:limit]
    seen = [hit for hit in found if hit.record.id in before][:limit]
    chosen = {hit.record.id for hit in (*new, *seen)}
    return [hit for hit in found if hit.record.id in chosen]


def _searchable_kinds(call: ToolCall) -> tuple[str, ...] | None:
    """All kinds, except messages where the preset never shows them."""
    raw = call.preset.capture.kind
    if call.preset.kinds[raw].tier != "never":
        return None
    return tuple(name for name in call.preset.kinds if name != raw)


def _hit_row(hit: Hit, call: ToolCall) -> dict[str, Any]:
    return {
        **full_row(hit.record, call),
        **code_changes(hit.record, call),
        **_beneath(hit, call),
        "score": round(hit.score, 4),
        "who": hit.record.author or hit.record.role,
    }


def _beneath(hit: Hit, call: ToolCall) -> dict[str, Any]:
    return doubted_rows(hit.record.text, hit.record.at, hit.doubted, call)


def _short_hit_row(hit: Hit, call: ToolCall, *, is_shown: bool) -> dict[str, Any]:
    record = hit.record
    told = {"id": record.id, "kind": kind_word(record.kind, call.preset), "text": record.summary or record.text}
    told |= {"file": record.metadata["file"]} if "file" in record.metadata else {}
    told |= {**code_changes(record, call), **_beneath(hit, call)}
    return {**told, "shown_before": True} if is_shown else told


def get_memory(call: ToolCall) -> dict[str, Any]:
    """One record whole: its text, where it comes from, the code it cites and its history."""
    record = require_visible(call, call.given["id"])
    past = call.memory.history(record.id, user=call.caller.user)
    if call.caller.session:
        call.memory.sessions.mark_shown(
            call.caller.session, [record.id], user=call.caller.user, space=call.caller.space
        )
    told = {
        **full_row(record, call),
        "summary": record.summary,
        "state": record.state,
        "reason": record.state_reason,
        "who": record.author or record.role or record.made_by,
        "branch": record.branch,
        "models": list(past.models),
        **doubted_rows(record.text, record.at, past.doubted, call),
        **{name: record.metadata[name] for name in ("file", "module") if name in record.metadata},
        "sources": source_rows(record, call),
        "cites": citation_rows(record, call),
        "history": [
            {"at": change.at, "action": change.action, "reason": change.reason, "by": change.by}
            for change in past.changes
        ],
        "versions": [
            {"id": r.id, "text": r.text, "state": r.state, "superseded_by": r.superseded_by}
            for r in past.chain
            if r.id != record.id
        ],
    }
    return {name: value for name, value in told.items() if value or name in ("history", "sources", "cites")}


def remember_fact(call: ToolCall) -> dict[str, Any]:
    record, known = keep_for_caller(call, call.given["content"], None, tags=call.given.get("tags", ()))
    return kept_row(record, call, known=known)


def correct_fact(call: ToolCall) -> dict[str, Any]:
    old = require_visible(call, call.given["fact_id"])
    new = call.memory.correct(old.id, call.given["content"], user=call.caller.user)
    if new.state == "proposed":
        return {**full_row(new, call), "replaced": [], "waits": "it is another person's: they are asked to confirm it"}
    return {**full_row(new, call), "replaced": [old.id]}


def confirm_fact(call: ToolCall) -> dict[str, Any]:
    return full_row(call.memory.confirm(require_visible(call, call.given["fact_id"]).id, user=call.caller.user), call)


def memory_stats(call: ToolCall) -> dict[str, Any]:
    """How many records of each kind count now, and when the newest came."""
    stats = call.memory.stats(user=call.caller.user, space=call.caller.space)
    counts = {kind: states.get("active", 0) for kind, states in stats["kinds"].items()}
    by_word: dict[str, int] = {}
    for kind, many in counts.items():
        word = call.preset.kind(kind).shown_as
        by_word[word] = by_word.get(word, 0) + many
    return {"by_kind": by_word, "total": sum(by_word.values()), "latest": stats["newest"]}


def search_team(call: ToolCall) -> list[dict[str, Any]]:
    """Hits of every space that the caller may read, each with its space."""
    found = call.memory.team.search(
        call.given["query"], call.caller.user, spaces=call.caller.reach, limit=call.given["limit"]
    )
    return [
        {
            "id": hit.record.id,
            "space": hit.record.space,
            "kind": hit.record.kind,
            "text": hit.record.summary or hit.record.text,
            "at": hit.record.at,
            "score": round(hit.score, 4),
            "who": hit.record.author or hit.record.role,
        }
        for hit in found
    ]


def get_entity_info(call: ToolCall) -> dict[str, Any]:
    """A named thing and what mentions it."""
    found = call.memory.entity(
        call.given["name"], user=call.caller.user, limit=call.given["limit"], space=call.caller.space
    )
    if found is None:
        return {"found": False, "name": call.given["name"]}
    return {
        "found": True,
        "name": found.name,
        "type": found.type,
        "aliases": found.aliases,
        "mentions": found.mentions,
        "memories": [full_row(record, call) for record in found.records],
    }


def show_context(call: ToolCall) -> dict[str, Any]:
    """The block that an agent would get for a message, line by line, and what was left out; nothing counts as shown."""
    made = call.memory.context(
        call.given["message"],
        call.caller.user,
        session=call.caller.session,
        budget=call.given.get("budget"),
        as_of=call.given.get("as_of"),
        space=call.caller.space,
        explain=True,
        counted=False,
    )
    return {
        "text": made.text,
        "tokens": made.tokens,
        "budget": made.budget,
        "sections": made.sections,
        "lines": made.lines,
        "left_out": [
            {
                "id": one.record.id,
                "text": one.record.text,
                "tokens": one.tokens,
                "chance": one.chance,
                "reason": one.reason,
            }
            for one in made.left_out[:_MOST_LEFT_OUT]
        ],
    }


# As many records that were left out are enough for an agent to see why.
_MOST_LEFT_OUT = 20
_QUERY = row.text_schema("What to look for, in the words of a question or as keywords", most=row.QUERY_CHARS)
_FACT = row.record_id("The id of the fact, as search_memory gave it")

ROWS = (
    Tool(
        name="search_memories", run=search_memories, reads=True, quotes=True, required=("query",),
        about="Search memories by meaning. Returns matching memories with a relevance score from 0 to 1, best first.",
        arguments={
            "query": _QUERY,
            "memory_type": row.text_schema("Only this type", most=100, choice=SOUGHT),
            "limit": row.count_schema("How many at most", most=50, default=5),
        },
    ),
    Tool(
        name="store_memory", run=store_memory, required=("content",),
        about="Store a new memory: conversation is kept for 30 days, fact for ever, context until the end of the day.",
        arguments={
            "content": row.text_schema("What to remember, as one statement that can be understood alone"),
            "memory_type": row.text_schema("What kind of memory it is", most=100, choice=WRITTEN, default="fact"),
            "metadata": row.table_schema("Names and values to keep with it, to filter by later"),
        },
    ),
    Tool(
        name="forget_memory", run=forget_memory, loss=_describe_forgotten, required=("memory_id",),
        about="Forget one memory. Only when the person asked for it; it can be restored for 30 days.",
        arguments={"memory_id": row.record_id("The memory_id that search_memories gave, or the id of store_memory")},
    ),
    Tool(
        name="search_memory", run=search_memory, reads=True, quotes=True, required=("query",),
        about="Search what is remembered: by words, meaning and names at once. Best first. Use it whenever the answer "
        "may depend on something that was said, decided or learnt before.",
        arguments={
            "query": _QUERY,
            "kind": row.text_schema("Only this kind", most=100, choice=SOUGHT),
            "limit": row.count_schema("How many at most", most=20, default=5),
        },
    ),
    Tool(
        name="get_memory", run=get_memory, reads=True, quotes=True, required=("id",),
        about="Read one memory whole: the full text behind a summary, where it was learnt, the code it cites and "
        "whether that changed, and its history. Use it when a summary bears on your task.",
        arguments={"id": row.record_id("The id that search_memory gave, or that follows a summary in the prompt")},
    ),
    Tool(
        name="remember_fact", run=remember_fact, required=("content",),
        about="Keep a lasting fact for later conversations. Not for passing moods or guesses. What is known already "
        "is not kept twice.",
        arguments={
            "content": row.text_schema("One fact as a full sentence that names whom it is about"),
            "tags": row.texts_schema("Words to file it under", chars=100),
        },
    ),
    Tool(
        name="correct_fact", run=correct_fact, quotes=True, required=("fact_id", "content"),
        about="Replace a wrong fact by what is true. Only on the person's word; the old one stays in history.",
        arguments={"fact_id": _FACT, "content": row.text_schema("What is true instead, as a full sentence")},
    ),
    Tool(
        name="confirm_fact", run=confirm_fact, quotes=True, required=("fact_id",),
        about="Mark a fact as confirmed by the person: it is certain from now on and never fades.",
        arguments={"fact_id": _FACT},
    ),
    Tool(
        name="memory_stats", run=memory_stats, reads=True,
        about="How many memories of each kind there are, and when the newest was made.", arguments={},
    ),
    Tool(
        name="search_team", run=search_team, reads=True, quotes=True, required=("query",),
        about="Search all spaces that the person belongs to, not only this one: what other projects of the team "
        "decided or ran into. Use it when the answer may be known elsewhere.",
        arguments={"query": _QUERY, "limit": row.count_schema("How many at most", most=20, default=5)},
    ),
    Tool(
        name="get_entity_info", run=get_entity_info, reads=True, quotes=True, required=("name",),
        about="Everything about a person, place, project or other named thing: its names and the memories that "
        "mention it.",
        arguments={
            "name": row.text_schema("The name", most=row.ID_CHARS),
            "limit": row.count_schema("How many memories at most", most=50, default=20),
        },
    ),
    Tool(
        name="show_context", run=show_context, reads=True, quotes=True, required=("message",), roles=("person",),
        about="What an agent would be shown for a message: the prompt block, what each line costs and why it is there, "
        "and what was left out.",
        arguments={
            "message": row.text_schema("The message to the agent", most=row.QUERY_CHARS),
            "budget": row.count_schema("How many tokens the block may have", most=100_000, least=0),
            "as_of": row.text_schema("The moment to look from, such as 2026-03-02T12:00", most=40),
        },
    ),
)  # fmt: skip
