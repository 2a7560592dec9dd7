"""Record: one thing that is remembered, where it comes from, what happened to it, and whether it would be recalled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from toldonce.coding.citations import check_citation, read_citations
from toldonce.config import find_project_file
from toldonce.errors import RecordNotFound, ToldonceError
from toldonce.server.calls import find_allowed, version_tag
from toldonce.server.pages.browse import list_neighbours
from toldonce.server.pages.call import PageCall, PageView
from toldonce.server.pages.records import describe_reasons, describe_record, initials, isolate, mark_span
from toldonce.server.problems import RequestProblem

# Sources shown with their conversation; a note may come from hundreds of messages.
_SOURCES = 3
_RELATED = 6
_REACH, _WIDE_REACH = 2, 20
_ASKED_HITS = 20
_LEGIBLE = 2_000
VISIBILITIES = ("private", "team", "project")
# How a change is shown, and for a change by a person the act that undoes it while it still holds.
_CHANGE_ICONS = {
    "confirmed": "check", "unconfirmed": "undo", "pinned": "pin", "unpinned": "pin", "forgotten": "forget",
    "flagged": "flag", "restored": "restore", "superseded": "edit", "doubted": "clock", "cleared": "restore",
    "shared": "share", "expired": "clock",
    "faded": "moon", "demoted": "down",
}  # fmt: skip


def show_record(call: PageCall) -> PageView:
    """Everything about one record."""
    record_id = call.named["record_id"]
    record, history = _read_record(call, record_id)
    return PageView(
        {
            "record": describe_record(call, record) | _describe_more(call, record),
            "version": version_tag(record),
            "sources": list_sources(call, record),
            "citations": list_citations(record),
            "events": list_events(call, record, history),
            "related": list_related(call, record, history),
            "doubted": [describe_record(call, older) for older in history["doubted"]],
            "neighbours": list_neighbours(call, record_id),
            "models": history["models"],
            "allowed": find_allowed(call.memory, call.identity, record_id),
            "asked": call.asked("ask", most=500),
            "verdict": judge_recall(call, record, call.asked("ask", most=500)),
            "visibilities": [(code, call.t(f"visibility.{code}")) for code in VISIBILITIES],
            "is_wide": call.asked("around") == "more",
            "here_path": f"/records/{record_id}",
        }
    )


def _read_record(call: PageCall, record_id: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    try:
        history = call.run("history", record_id=record_id)
    except RecordNotFound as problem:
        raise RequestProblem(
            404, "no-such-record", "there is no such record for you: it may have been purged"
        ) from problem
    return history["record"], history


def _describe_more(call: PageCall, record: Mapping[str, Any]) -> dict[str, Any]:
    """What only the page of a record shows."""
    text, area = str(record["text"]), str(record["metadata"].get("area", ""))
    sub_area = str(record["metadata"].get("sub_area", ""))
    kind = call.preset.kinds.get(record["kind"])
    return {
        "head": text if len(text) <= _LEGIBLE else f"{text[:_LEGIBLE]}…",
        "rest": text[_LEGIBLE:] if len(text) > _LEGIBLE else "",
        "characters": len(text),
        "sub_area": call.t.name_of("sub_area", sub_area) if area and sub_area else "",
        "about": _name_subject(record),
        "user": record["user"],
        "made_by": call.t.name_of("made_by", record["made_by"]),
        "created_at": record["created_at"],
        "expires_at": record["expires_at"],
        "access_count": record["access_count"],
        "accessed_at": record["accessed_at"],
        "fades": bool(kind and kind.fading != "nothing" and not record["pinned"] and not record["validated"]),
        "state_reason": record["state_reason"],
        "state_at": record["state_at"],
        "session": record["session"],
        "tags": record["tags"],
    }


def _name_subject(record: Mapping[str, Any]) -> str:
    person = record["metadata"].get("person")
    named = person.get("name") if isinstance(person, Mapping) else None
    return str(named or record["user"] or "")


# Where it comes from


def list_sources(call: PageCall, record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The messages that a record came from, each in its conversation with the source marked; a message is its own."""
    ids = list(record["sources"]) or ([record["id"]] if record["conversation"] else [])
    found = []
    for source in ids[:_SOURCES]:
        try:
            around = call.run("sessions.around", record_id=source, reach=_choose_reach(call))
        except ToldonceError:
            continue
        found.append(_describe_source(call, record, source, around))
    return found


def _choose_reach(call: PageCall) -> int:
    return _WIDE_REACH if call.asked("around") == "more" else _REACH


def _describe_source(
    call: PageCall, record: Mapping[str, Any], source: str, around: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    own = next((one for one in around if one["id"] == source), around[0])
    span = record["metadata"].get("span") if source != record["id"] else None
    lines = [
        {
            "id": one["id"],
            "who": _name_speaker(call, one),
            "initials": initials(_plain_speaker(call, one)),
            "is_agent": one["role"] == "assistant",
            "at": one["at"],
            "said": mark_span(one["text"], span) if one["id"] == source else one["text"][:_LEGIBLE],
            "is_source": one["id"] == source,
        }
        for one in around
    ]
    return {
        "session": own["session"] or own["channel"] or "",
        "is_journal": own["origin"] == "journal",
        "at": own["at"],
        "lines": lines,
        "id": source,
    }


def _name_speaker(call: PageCall, message: Mapping[str, Any]) -> Markup:
    if message["role"] == "assistant":
        return call.t("talk.assistant")
    return (
        call.t("talk.you") if message["user"] == call.person and call.person else isolate(_plain_speaker(call, message))
    )


def _plain_speaker(call: PageCall, message: Mapping[str, Any]) -> str:
    if message["role"] == "assistant":
        return str(call.t("talk.assistant"))
    return str(message["author"] or message["user"] or "?")


def list_citations(record: Mapping[str, Any]) -> list[dict[str, str]]:
    """The places in code that a record cites, and whether they still say what they said."""
    cited = read_citations(record["metadata"])
    project = find_project_file(Path.cwd()) if cited else None
    return [
        {"place": one.place, "state": check_citation(project.parent, one).state if project is not None else "unknown"}
        for one in cited
    ]


# What happened


def list_events(call: PageCall, record: Mapping[str, Any], history: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The life of a record, newest first, with the act that undoes a person's change while it still holds."""
    known = {one["id"]: one for one in history["chain"]}
    events = [_describe_change(call, record, change, known) for change in history["changes"]]
    _add_undoing(record, events)
    before = next((one for one in history["chain"] if one["superseded_by"] == record["id"]), None)
    learned = call.t("event.learned_by", maker=call.t.name_of("made_by", record["made_by"]))
    if before is not None:
        learned = call.t(
            "event.replaced_older", record=_link(before), maker=call.t.name_of("made_by", record["made_by"])
        )
    events.insert(
        0, {"icon": "quote", "said": learned, "note": "", "at": record["created_at"], "is_person": False, "undo": ""}
    )
    return events[::-1]


def _describe_change(
    call: PageCall, record: Mapping[str, Any], change: Mapping[str, Any], known: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    action, by_person = change["action"], change["by"] == "person"
    key = f"event.{action}" if call.t.has(f"event.{action}") else "event.other"
    other = known.get(change["other"] or "")
    note: str | Markup = isolate(change["reason"]) if change["reason"] else ""
    if action in ("superseded", "doubted") and other is not None:
        note = call.t("event.by_record", record=_link(other))
    if action == "shared":
        note = _name_sharing(call, change["reason"])
    return {
        "icon": _CHANGE_ICONS.get(action, "clock"),
        "said": call.t(key, action=action),
        "note": note,
        "at": change["at"],
        "is_person": by_person,
        "action": action,
        "reason": change["reason"],
        "undo": "",
        "record": record["id"],
    }


def _name_sharing(call: PageCall, reason: str) -> Markup:
    before, _, after = reason.partition(" to ")
    names = [call.t.name_of("visibility", one) for one in (before, after)]
    return call.t("event.shared_from", before=names[0], after=names[1])


def _add_undoing(record: Mapping[str, Any], events: list[dict[str, Any]]) -> None:
    """Offer to undo the newest change of each sort that still holds."""
    holds = {
        "confirmed": ("unconfirm", record["validated"]), "pinned": ("unpin", record["pinned"]),
        "forgotten": ("restore", record["state"] == "forgotten"), "flagged": ("restore", record["state"] == "flagged"),
        "superseded": ("restore", record["state"] == "superseded"),
        "shared": ("share", True),
    }  # fmt: skip
    for action, (undo, still) in holds.items():
        newest = next((event for event in reversed(events) if event.get("action") == action), None)
        if newest is not None and still and newest["is_person"]:
            newest["undo"] = undo
            newest["visibility"] = newest["reason"].partition(" to ")[0] if action == "shared" else ""


def _link(record: Mapping[str, Any]) -> Markup:
    return Markup('<a href="/records/{}">{}</a>').format(record["id"], isolate(str(record["text"])[:120]))


def list_related(call: PageCall, record: Mapping[str, Any], history: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Other records about the same: those with an edge of their own, then those from the same messages."""
    found = {one["id"]: (one, call.t("related.linked")) for one in history["related"]}
    if record["session"] and len(found) < _RELATED:
        near = call.run("review.records", session=record["session"], derived=True, limit=_RELATED + 1)["items"]
        for one in near:
            found.setdefault(one["id"], (one, call.t("related.conversation")))
    found.pop(record["id"], None)
    rows = list(found.values())[:_RELATED]
    return [describe_record(call, one) | {"because": because} for one, because in rows]


# Would it be recalled?


def judge_recall(call: PageCall, record: Mapping[str, Any], question: str) -> dict[str, Any] | None:
    """Whether a question brings this record back, at which place, and why or why not."""
    if not question:
        return None
    hits = call.run("recall", query=question, limit=_ASKED_HITS, counted=False)["hits"]
    for place, hit in enumerate(hits, start=1):
        if hit["record"]["id"] == record["id"]:
            said = call.t("recalled.yes", place=place, count=len(hits))
            return {"is_found": True, "said": said, "why": describe_reasons(call, hit), "detail": ""}
    judged = call.run("why_not", record_id=record["id"], query=question, limit=_ASKED_HITS)
    key = f"recalled.no_{judged['stage']}"
    said = call.t(key if call.t.has(key) else "recalled.no_signals")
    return {"is_found": False, "said": said, "why": [], "detail": judged["reason"]}


def show_correction(call: PageCall) -> PageView:
    """The form for what is true instead, on a page of its own."""
    record = call.run("get", record_id=call.named["record_id"])
    return write_correction(call, record, text=str(record["text"]))


def write_correction(
    call: PageCall, record: Mapping[str, Any], *, text: str, error: str = "", status: int = 200
) -> PageView:
    """The form, with what was typed and what is wrong with it."""
    values = {
        "record": describe_record(call, record), "version": version_tag(record), "typed": text, "error": error,
        "next_place": call.asked("next") or call.field("next"),
    }  # fmt: skip
    return PageView(values, status=status, template="correct.html")


def show_purge(call: PageCall) -> PageView:
    """What purging would destroy, before it does."""
    record = call.run("get", record_id=call.named["record_id"])
    return PageView({"record": describe_record(call, record), "version": version_tag(record)}, template="purge.html")
