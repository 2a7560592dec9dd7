"""Records as tools see them: only those that the caller may see, searched and kept in the caller's name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from toldonce.clock import load_zone
from toldonce.errors import RecordNotFound
from toldonce.recall.render import lines_beneath, quote_line
from toldonce.records import Hits, Record, personal_space
from toldonce.tools.definition import Caller, ToolCall, kind_word

_SHOWN_CHARS = 200


def require_visible(call: ToolCall, record_id: str) -> Record:
    """A record by id; one that the caller may not see is not there."""
    who = call.caller.user
    record = call.memory.get(record_id, user=who)
    homes = {call.caller.space or call.memory.space.name} | ({personal_space(who)} if who else set())
    if record.space not in homes:
        raise RecordNotFound(record_id=record_id)
    return record


def search_for_call(
    call: ToolCall,
    query: str,
    *,
    limit: int | None = None,
    kinds: Sequence[str] | None = None,
    where: Mapping[str, Any] | None = None,
) -> Hits:
    """What helps with a question, among what the caller may see."""
    return call.memory.recall(
        query,
        call.caller.user,
        limit=limit,
        kinds=kinds,
        where=where,
        branches=branches_of(call.caller),
        space=call.caller.space,
    )


def keep_for_caller(call: ToolCall, content: str, kind: str | None, **said: Any) -> tuple[Record, bool]:
    """A statement kept in the caller's name, and whether it was known already."""
    before, caller = call.memory.clock(), call.caller
    record = call.memory.remember(
        content,
        kind,
        user=caller.user,
        author=caller.author,
        made_by=caller.made_by,
        session=caller.session,
        branch=_branch_of_caller(caller),
        space=caller.space,
        **said,
    )
    return record, record.created_at < before


def _branch_of_caller(caller: Caller) -> str | None:
    """The branch that something kept now belongs to: as the caller says, else the one checked out in its code base."""
    if caller.branch is not None or caller.root is None:
        return caller.branch
    from toldonce.coding.hooks import branches as git

    return git.branch_scope(git.find_repository(caller.root))


def branches_of(caller: Caller) -> list[str] | None:
    """The branches whose memories hold here; None for all of them, where there is no code base to ask."""
    if caller.branch is not None:
        return [caller.branch]
    from toldonce.coding.hooks import branches as git

    found = git.find_repository(caller.root) if caller.root is not None else None
    return git.contained_branches(found, in_a_hurry=False) if found else None


def code_changes(record: Record, call: ToolCall) -> dict[str, str]:
    """A warning when the code that a record cites has changed since; nothing otherwise."""
    from toldonce.coding.citations import CITES, citation_warning
    from toldonce.coding.codemap.git import find_root

    if call.caller.root is None or not record.metadata.get(CITES):
        return {}
    outdates = call.preset.kind(record.kind).outdated_when_stale
    warning = citation_warning(find_root(Path(call.caller.root)), record.metadata, outdates=outdates)
    return {"warning": warning} if warning else {}


def describe_record(record: Record, call: ToolCall) -> str:
    """A record in words for the person who is asked about it."""
    return f"{kind_word(record.kind, call.preset)} of {record.at:%Y-%m-%d}: “{shorten_quote(record.text)}”"


def shorten_quote(text: str) -> str:
    """The beginning of a text on one line."""
    said = quote_line(text)
    return said if len(said) <= _SHOWN_CHARS else said[:_SHOWN_CHARS].rstrip() + " …"


def full_row(record: Record, call: ToolCall) -> dict[str, Any]:
    """A record with all that an agent may want to know of it."""
    return {
        "id": record.id,
        "kind": kind_word(record.kind, call.preset),
        "text": record.text,
        "at": record.at,
        "confidence": round(record.confidence, 3),
        "validated": record.validated,
        "tags": record.tags,
        "sources": record.sources,
    }


def doubted_rows(text: str, at: datetime | None, doubted: Sequence[Record], call: ToolCall) -> dict[str, Any]:
    """The older records that something newer probably ended, each in one line with both dates; nothing if none."""
    now, zone = call.memory.clock(), load_zone(call.memory.space.zone)
    lines = lines_beneath(text, at or now, doubted, now=now, zone=zone)
    if not lines:
        return {}
    return {"doubted": [{"id": one.id, "line": line.strip()} for one, line in zip(doubted, lines, strict=True)]}


def source_rows(record: Record, call: ToolCall) -> list[dict[str, Any]]:
    """The messages and records that a record was made from, as far as the caller may see them."""
    found = []
    for source in record.sources:
        try:
            known = require_visible(call, source)
        except RecordNotFound:
            continue
        who = known.author or known.role
        found.append({"id": source, "who": who, "at": known.at, "text": shorten_quote(known.text)})
    return found


def citation_rows(record: Record, call: ToolCall) -> list[dict[str, Any]]:
    """The code that a record cites, and whether it still says the same."""
    from toldonce.coding.citations import check_citation, read_citations

    cited = read_citations(record.metadata)
    if not cited or call.caller.root is None:
        return [{"place": citation.place} for citation in cited]
    from toldonce.coding.codemap.git import find_root

    root = find_root(Path(call.caller.root))
    return [{"place": citation.place, "state": check_citation(root, citation).state} for citation in cited]


def kept_row(record: Record, call: ToolCall, *, known: bool) -> dict[str, Any]:
    """What an agent learns about something it kept: also what was redacted, replaced, or waits for the person."""
    told: dict[str, Any] = {"id": record.id, "kind": kind_word(record.kind, call.preset), "known_already": known}
    if known:
        told["known_as"] = record.text
    elif record.notices:
        told["changed"] = list(record.notices)
    if record.state == "proposed":
        told["waits"] = "it contradicts what is known: the person will be asked"
    elif record.state != "active":
        told["state"], told["reason"] = record.state, record.state_reason
    if known:
        return told
    past = call.memory.history(record.id, user=call.caller.user)
    replaced = [r for r in past.chain if r.superseded_by == record.id]
    for name, older in (("replaced", replaced), ("doubts", past.doubted)):
        if older:
            told[name] = [{"id": r.id, "text": r.text} for r in older]
    return told
