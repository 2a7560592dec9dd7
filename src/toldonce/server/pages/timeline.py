"""Timeline: what happened when, day by day, newest first."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from toldonce.server.pages.agent import read_local_moment
from toldonce.server.pages.call import PageCall, PageView
from toldonce.server.pages.records import describe_record

_PAGE = 60
_ICONS = {
    "added": "plus", "superseded": "edit", "confirmed": "check", "forgotten": "hidden", "flagged": "flag",
    "doubted": "clock", "cleared": "restore", "pinned": "pin", "restored": "restore",
    "proposed": "review", "expired": "clock", "faded": "moon",
}  # fmt: skip


def show_timeline(call: PageCall) -> PageView:
    """The happenings of a period."""
    kind, what = call.asked("kind"), call.asked("what")
    since, until = (read_local_moment(call, call.asked(name)) for name in ("since", "until"))
    given: dict[str, Any] = {"limit": _PAGE}
    if kind in call.preset.kinds:
        given["kinds"] = [kind]
    if since is not None:
        given["since"] = since
    if until is not None:
        given["until"] = until + timedelta(days=1) if _is_day(call.asked("until")) else until
    found = call.run("timeline", **given)["items"][::-1]
    offered = {one["record"]["id"] for one in found if one["action"] == "proposed"}
    new = [one for one in found if one["action"] != "added" or one["record"]["id"] not in offered]
    shown = [one for one in new if _is_wanted(one, what)]
    days: dict[str, list[dict[str, Any]]] = {}
    for one in shown:
        days.setdefault(call.t.local(one["at"]).date().isoformat(), []).append(_describe(call, one))
    oldest = found[-1]["at"] if len(found) == _PAGE else None
    return PageView(
        {
            "days": [{"day": day, "rows": rows} for day, rows in days.items()],
            "kinds": [(name, call.kind_name(name)) for name in call.preset.kinds],
            "kind": kind,
            "what": what,
            "since": call.asked("since")[:10],
            "until": call.asked("until")[:10],
            "older": call.url("/timeline", kind=kind, what=what, since=call.asked("since"), until=oldest)
            if oldest
            else "",
            "is_filtered": bool(kind or what or since or until),
        }
    )


def _is_day(said: str) -> bool:
    return len(said) == len("2026-01-31")


def _is_wanted(one: Mapping[str, Any], what: str) -> bool:
    """Messages, what was learned from them, or what changed; everything unless one of these is asked for."""
    is_message = one["record"]["conversation"] is not None
    if what == "said":
        return is_message
    if what == "learned":
        return not is_message and one["action"] == "added"
    if what == "changed":
        return bool(one["action"] not in ("added", "proposed"))
    return True


def _describe(call: PageCall, one: Mapping[str, Any]) -> dict[str, Any]:
    row = describe_record(call, one["record"])
    is_message = row["is_message"]
    return {
        **row,
        "shown": row["title"] if row["title"] and not is_message else row["shown"],
        "action": call.t.name_of("action", "said" if is_message and one["action"] == "added" else one["action"]),
        "icon": "quote" if is_message and one["action"] == "added" else _ICONS.get(one["action"], "clock"),
        "is_person": one["by"] == "person",
        "when": one["at"],
        "newer": describe_record(call, one["other"]) if one["other"] else None,
        "session": one["record"]["session"] or "",
    }
