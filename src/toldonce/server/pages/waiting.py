"""What waits for the person: questions about contradictions, and proposals to accept, change or refuse."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from toldonce.errors import InputError, RecordNotFound, ToldonceError
from toldonce.server.pages.call import Done, PageCall, PageView
from toldonce.server.pages.records import describe_record

_MOST = 100
# What was ended or doubted in this time is listed, the newest of it.
_LATELY = timedelta(days=30)
_MOST_HAPPENINGS, _MOST_ENDED = 1_000, 50
_ENDINGS = {"superseded": "superseded", "doubted": "doubted"}


def show_questions(call: PageCall) -> PageView:
    """Every open question with both statements side by side."""
    found = [_describe_question(call, one) for one in call.run("questions", limit=_MOST)["items"]]
    return PageView({"questions": [one for one in found if one is not None]})


def _describe_question(call: PageCall, question: Mapping[str, Any]) -> dict[str, Any] | None:
    """None when one of the statements may not be seen."""
    try:
        older, newer = (call.run("get", record_id=question[side]) for side in ("older", "newer"))
    except RecordNotFound:
        return None
    rows = [describe_record(call, record) for record in (older, newer)]
    return {
        "id": question["id"],
        "text": question["text"],
        "at": question["created_at"],
        "older": rows[0],
        "newer": rows[1],
        "area": rows[1]["area"],
    }


def show_review(call: PageCall) -> PageView:
    """The proposals, by where they come from."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for record in call.run("review.waiting", limit=_MOST)["items"]:
        groups.setdefault(_origin_of(record), []).append(describe_record(call, record))
    doubted = {one["newer"] for one in call.run("questions", limit=_MOST)["items"]}
    shown = {name: [row for row in rows if row["id"] not in doubted] for name, rows in groups.items()}
    origins = [{"origin": name, "rows": rows} for name, rows in shown.items() if rows]
    return PageView({"origins": origins, "ended": list_ended(call)})


def list_ended(call: PageCall) -> list[dict[str, Any]]:
    """What something newer ended or doubted recently without a person's word, the latest first."""
    kinds = [name for name in call.preset.kinds if name != call.preset.capture.kind]
    since = (call.t.now - _LATELY).isoformat()
    found: dict[str, dict[str, Any]] = {}
    for one in reversed(call.run("timeline", kinds=kinds, since=since, limit=_MOST_HAPPENINGS)["items"]):
        record, newer = one["record"], one["other"]
        still = _ENDINGS.get(one["action"]) == record["state"] and newer and record["superseded_by"] == newer["id"]
        if still and one["by"] != "person" and len(found) < _MOST_ENDED:
            row = describe_record(call, record) | {"when": one["at"], "newer": describe_record(call, newer)}
            found.setdefault(record["id"], row)
    return list(found.values())


def _origin_of(record: Mapping[str, Any]) -> str:
    """The file or session that a proposal comes from; "" when it does not say."""
    return str(record["metadata"].get("file") or record["session"] or "")


def decide(call: PageCall) -> Done:
    """Accept or refuse proposals, one or several at once."""
    ids = tuple(dict.fromkeys(call.form.get("record", ())))[:_MOST]
    accepts = call.field("decision") == "accept"
    if not ids:
        raise InputError("choose a proposal first")
    done = []
    for record_id in ids:
        try:
            call.run("confirm" if accepts else "forget", record_id=record_id)
            done.append(record_id)
        except ToldonceError:
            # One that somebody else has decided meanwhile must not keep the others.
            if len(ids) == 1:
                raise
    if accepts:
        return Done("/review", "accepted", tuple(done), "unconfirm")
    return Done("/review", "refused", tuple(done), "restore")
