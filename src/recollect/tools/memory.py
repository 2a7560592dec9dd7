"""Tools of any memory: search, keep, correct, confirm, forget, count, look up a name."""

from __future__ import annotations

from typing import Any

from recollect.errors import RecordNotFound
from recollect.records import Hit
from recollect.tools import definition as row
from recollect.tools.definition import SOUGHT, WRITTEN, Call, Tool, kind_for, sought, word_of
from recollect.tools.records import described, keep, kept, search, seen, whole


def search_memories(call: Call) -> list[dict[str, Any]]:
    """Hits with exactly the documented fields; the id that forget_memory takes stands among the metadata."""
    word = call.given.get("memory_type")
    groups = sought(call.preset)
    kinds = groups[word] if word else tuple(kind for kinds in groups.values() for kind in kinds)
    return [
        {
            "content": hit.record.text,
            "type": word_of(hit.record.kind, call.preset),
            "score": round(hit.score, 4),
            "created_at": hit.record.at,
            "metadata": {**hit.record.metadata, "memory_id": hit.record.id},
        }
        for hit in search(call, call.given["query"], limit=call.given["limit"], kinds=kinds)
    ]


def store_memory(call: Call) -> dict[str, Any]:
    kind = kind_for(call.given["memory_type"], call.preset)
    record, _ = keep(call, call.given["content"], kind, metadata=call.given.get("metadata"))
    return {"id": record.id, "content": record.text, "type": word_of(record.kind, call.preset), "created_at": record.at}


def forget_memory(call: Call) -> dict[str, Any]:
    memory_id = call.given["memory_id"]
    try:
        reason = f"by {call.caller.made_by}"
        call.memory.forget(seen(call, memory_id).id, reason=reason, user=call.caller.user)
    except RecordNotFound:
        return {"success": False, "id": memory_id}
    return {"success": True, "id": memory_id}


def _what_forgetting_takes(call: Call) -> str | None:
    try:
        record = seen(call, call.given["memory_id"])
    except RecordNotFound:
        return None
    return None if record.state == "forgotten" else described(record, call)


def search_memory(call: Call) -> list[dict[str, Any]]:
    """Hits; where the preset shows a thing once a session, in short and without what this session has seen."""
    word, limit = call.given.get("kind"), call.given["limit"]
    kinds = sought(call.preset)[word] if word else _worth_searching(call)
    session = call.caller.session
    if not call.preset.context.once_per_session:
        return [_hit(hit, call) for hit in search(call, call.given["query"], limit=limit, kinds=kinds)]
    before = call.memory.sessions.shown(session, space=call.caller.space) if session else frozenset()
    found = search(call, call.given["query"], limit=limit + len(before), kinds=kinds)
    fresh = [hit for hit in found if hit.record.id not in before][:limit]
    if session and fresh:
        call.memory.sessions.mark_shown(session, [hit.record.id for hit in fresh], space=call.caller.space)
    return [_short(hit, call) for hit in fresh]


def _worth_searching(call: Call) -> tuple[str, ...] | None:
    """All kinds, except messages where the preset never shows them."""
    raw = call.preset.capture.kind
    if call.preset.kinds[raw].tier != "never":
        return None
    return tuple(name for name in call.preset.kinds if name != raw)


def _hit(hit: Hit, call: Call) -> dict[str, Any]:
    return {**whole(hit.record, call), "score": round(hit.score, 4), "who": hit.record.author or hit.record.role}


def _short(hit: Hit, call: Call) -> dict[str, Any]:
    record = hit.record
    told = {"id": record.id, "kind": word_of(record.kind, call.preset), "text": record.summary or record.text}
    return {**told, "file": record.metadata["file"]} if "file" in record.metadata else told


def remember_fact(call: Call) -> dict[str, Any]:
    record, known = keep(call, call.given["content"], None, tags=call.given.get("tags", ()))
    return kept(record, call, known=known)


def correct_fact(call: Call) -> dict[str, Any]:
    old = seen(call, call.given["fact_id"])
    new = call.memory.correct(old.id, call.given["content"], user=call.caller.user)
    return {**whole(new, call), "replaced": [old.id]}


def confirm_fact(call: Call) -> dict[str, Any]:
    return whole(call.memory.confirm(seen(call, call.given["fact_id"]).id, user=call.caller.user), call)


def memory_stats(call: Call) -> dict[str, Any]:
    """How many records of each kind count now, and when the newest came."""
    stats = call.memory.stats(user=call.caller.user, space=call.caller.space)
    counts = {kind: states.get("active", 0) for kind, states in stats["kinds"].items()}
    by_word: dict[str, int] = {}
    for kind, many in counts.items():
        word = call.preset.kind(kind).shown_as
        by_word[word] = by_word.get(word, 0) + many
    return {"by_kind": by_word, "total": sum(by_word.values()), "latest": stats["newest"]}


def get_entity_info(call: Call) -> dict[str, Any]:
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
        "memories": [whole(record, call) for record in found.records],
    }


_QUERY = row.text("What to look for, in the words of a question or as keywords", most=row.QUERY_CHARS)
_FACT = row.record_id("The id of the fact, as search_memory gave it")

ROWS = (
    Tool(
        name="search_memories", run=search_memories, reads=True, quotes=True, required=("query",),
        about="Search memories by meaning. Returns matching memories with a relevance score from 0 to 1, best first.",
        arguments={
            "query": _QUERY,
            "memory_type": row.text("Only this type", most=100, choice=SOUGHT),
            "limit": row.count("How many at most", most=50, default=5),
        },
    ),
    Tool(
        name="store_memory", run=store_memory, required=("content",),
        about="Store a new memory: conversation is kept for 30 days, fact for ever, context until the end of the day.",
        arguments={
            "content": row.text("What to remember, as one statement that can be understood alone"),
            "memory_type": row.text("What kind of memory it is", most=100, choice=WRITTEN, default="fact"),
            "metadata": row.table("Names and values to keep with it, to filter by later"),
        },
    ),
    Tool(
        name="forget_memory", run=forget_memory, loss=_what_forgetting_takes, required=("memory_id",),
        about="Forget one memory. Only when the person asked for it; it can be restored for 30 days.",
        arguments={"memory_id": row.record_id("The memory_id that search_memories gave, or the id of store_memory")},
    ),
    Tool(
        name="search_memory", run=search_memory, reads=True, quotes=True, required=("query",),
        about="Search what is remembered: by words, meaning and names at once. Best first. Use it whenever the answer "
        "may depend on something that was said, decided or learnt before.",
        arguments={
            "query": _QUERY,
            "kind": row.text("Only this kind", most=100, choice=SOUGHT),
            "limit": row.count("How many at most", most=20, default=5),
        },
    ),
    Tool(
        name="remember_fact", run=remember_fact, required=("content",),
        about="Keep a lasting fact for later conversations. Not for passing moods or guesses. What is known already "
        "is not kept twice.",
        arguments={
            "content": row.text("One fact as a full sentence that names whom it is about"),
            "tags": row.texts("Words to file it under", chars=100),
        },
    ),
    Tool(
        name="correct_fact", run=correct_fact, quotes=True, required=("fact_id", "content"),
        about="Replace a wrong fact by what is true. Only on the person's word; the old one stays in history.",
        arguments={"fact_id": _FACT, "content": row.text("What is true instead, as a full sentence")},
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
        name="get_entity_info", run=get_entity_info, reads=True, quotes=True, required=("name",),
        about="Everything about a person, place, project or other named thing: its names and the memories that "
        "mention it.",
        arguments={
            "name": row.text("The name", most=row.ID_CHARS),
            "limit": row.count("How many memories at most", most=50, default=20),
        },
    ),
)  # fmt: skip
