"""Acts on one record, and what undoes them. Each runs an operation under the identity of the request."""

from __future__ import annotations

from typing import Any

from toldonce.errors import InputError, ToldonceError
from toldonce.server.calls import version_tag
from toldonce.server.pages.call import Done, PageCall, PageView
from toldonce.server.pages.record import VISIBILITIES, write_correction
from toldonce.server.pages.records import describe_record
from toldonce.server.problems import OF_FORMS, FieldProblem, RequestProblem, status_of

_MOST_AT_ONCE = 100
# What brings a record back into a state after it was restored by mistake.
_BACK = {"forgotten": "forget", "flagged": "flag"}


def _here(call: PageCall, record_id: str) -> str:
    return call.field("next") or f"/records/{record_id}"


def confirm(call: PageCall) -> Done:
    """A person says that it is true, or takes that back."""
    record_id = call.named["record_id"]
    call.require_seen(record_id)
    is_on = call.field("on") != "no"
    call.run("confirm", record_id=record_id, confirmed=is_on)
    key, undo = ("confirmed", "unconfirm") if is_on else ("unconfirmed", "confirm")
    return Done(_here(call, record_id), key, (record_id,), undo)


def pin(call: PageCall) -> Done:
    """Always show it, or no longer."""
    record_id, is_on = call.named["record_id"], call.field("on") != "no"
    call.run("pin", record_id=record_id, pinned=is_on)
    key, undo = ("pinned", "unpin") if is_on else ("unpinned", "pin")
    return Done(_here(call, record_id), key, (record_id,), undo)


def flag(call: PageCall) -> Done:
    """A person says that it is wrong."""
    record_id = call.named["record_id"]
    call.require_seen(record_id)
    call.run("flag", record_id=record_id, reason=call.field("reason", most=500))
    return Done(_here(call, record_id), "flagged", (record_id,), "restore")


def forget(call: PageCall) -> Done:
    """Hide it."""
    record_id = call.named["record_id"]
    call.require_seen(record_id)
    call.run("forget", record_id=record_id)
    return Done(_here(call, record_id), "forgot", (record_id,), "restore")


def restore(call: PageCall) -> Done:
    """Bring it back."""
    record_id = call.named["record_id"]
    before = call.run("get", record_id=record_id)
    call.run("restore", record_id=record_id)
    newer = call.run("get", record_id=before["superseded_by"]) if before["superseded_by"] else None
    if newer is not None and newer["state"] == "active":
        # Both count from now on, and the two are not judged again.
        return Done(_here(call, record_id), "restored", (record_id,))
    if before["superseded_by"]:
        return Done(_here(call, record_id), "restored", (before["superseded_by"],), "restore")
    return Done(_here(call, record_id), "restored", (record_id,), _BACK.get(before["state"], ""))


def share(call: PageCall) -> Done:
    """Change who may see it."""
    record_id = call.named["record_id"]
    call.require_seen(record_id)
    before = call.run("get", record_id=record_id)["visibility"]
    wanted = call.field("visibility")
    if wanted == before:
        return Done(_here(call, record_id), "nothing_changed")
    call.run("review.share", record_id=record_id, visibility=wanted)
    return Done(_here(call, record_id), f"shared_{wanted}", (record_id,), "share", {"visibility": before})


def purge(call: PageCall) -> Done:
    """Destroy it for good, once that was confirmed on a page of its own."""
    record_id = call.named["record_id"]
    call.require_seen(record_id)
    if call.field("sure") != "yes":
        raise FieldProblem(call.t("purge.sure_empty"), field="sure")
    call.run("purge", record_id=record_id)
    return Done("/browse", "purged")


def correct(call: PageCall) -> Done | PageView:
    """A person says what is true instead. What was typed is never lost: errors and conflicts show it again."""
    record_id, text = call.named["record_id"], call.field("text")
    try:
        call.require_seen(record_id)
    except RequestProblem as problem:
        if problem.status != 412:
            raise
        return _show_conflict(call, record_id, text)
    record = call.run("get", record_id=record_id)
    if not text:
        return write_correction(call, record, text=text, error=call.t("correct.empty"), status=422)
    if text == record["text"]:
        return write_correction(call, record, text=text, error=call.t("correct.same"), status=422)
    try:
        newer = call.run("correct", record_id=record_id, text=text)
    except InputError as problem:
        if status_of(problem) not in OF_FORMS:
            raise
        return write_correction(call, record, text=text, error=str(problem), status=status_of(problem))
    place = call.field("next") or f"/records/{newer['id']}"
    if newer["state"] == "proposed":
        return Done(place, "proposed_correction", (record_id,))
    return Done(place, "corrected", (record_id,), "restore", {"to": f"/records/{record_id}"})


def _show_conflict(call: PageCall, record_id: str, typed: str) -> PageView:
    """Both texts: what is there now, and what was typed."""
    now = call.run("get", record_id=record_id)
    seen = {record_id}
    while now["state"] != "doubted" and now["superseded_by"] and now["superseded_by"] not in seen:
        seen.add(now["superseded_by"])
        now = call.run("get", record_id=now["superseded_by"])
    values = {
        "record": describe_record(call, now),
        "version": version_tag(now),
        "typed": typed,
        "is_current": now["state"] == "active",
    }
    return PageView(values, status=412, template="conflict.html")


# Undoing


def undo(call: PageCall) -> Done:
    """Do the opposite of the act before, on the same records."""
    name = call.named["name"]
    ids = tuple(dict.fromkeys(call.form.get("record", ())))[:_MOST_AT_ONCE]
    operation, given = _choose_operation(call, name)
    done = []
    for record_id in ids:
        try:
            call.run(operation, record_id=record_id, **given)
            done.append(record_id)
        except ToldonceError:
            # One that was purged or changed meanwhile must not keep the others.
            if len(ids) == 1:
                raise
    return Done(call.field("to") or call.field("next") or "/", "undone", tuple(done))


def _choose_operation(call: PageCall, name: str) -> tuple[str, dict[str, Any]]:
    simple: dict[str, tuple[str, dict[str, Any]]] = {
        "restore": ("restore", {}), "forget": ("forget", {}), "flag": ("flag", {}), "pin": ("pin", {}),
        "unpin": ("pin", {"pinned": False}), "confirm": ("confirm", {}), "unconfirm": ("confirm", {"confirmed": False}),
    }  # fmt: skip
    if name in simple:
        return simple[name]
    if name == "share" and call.field("visibility") in VISIBILITIES:
        return "review.share", {"visibility": call.field("visibility")}
    raise RequestProblem(404, "no-such-path", "there is nothing to undo by that name")
