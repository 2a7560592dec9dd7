"""What stands around every page: the left bar with its counts, the spaces, the toast and what the script needs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from toldonce.errors import ToldonceError
from toldonce.server.pages.call import Done, PageCall
from toldonce.server.pages.tour import read_tour
from toldonce.server.pages.translation import list_languages

if TYPE_CHECKING:
    from toldonce.server.pages.table import Page

# Set by an act, read and dropped by the page after it. It holds ids and names of acts, never texts.
DONE_COOKIE = "toldonce_done"
_MOST_IDS = 100
_COOKIE_CHARS = 3_800


def describe_layout(call: PageCall, current: Page, pages: Sequence[Page]) -> dict[str, Any]:
    """The values of the layout for one page."""
    shown = [page for page in pages if page.group and call.identity.may(page.right) and page.is_for(call)]
    counts = count_waiting(call)
    return {
        "current": current.within or current.name,
        "groups": {group: [page for page in shown if page.group == group] for group in ("main", "waiting", "foot")},
        "tabs": [page for page in shown if page.is_tab],
        "counts": counts,
        "waiting_total": sum(counts.values()),
        "spaces": [space for space in list_spaces(call) if space["name"] != call.space.name],
        "space": call.space,
        "languages": list_languages(),
        "tour": read_tour(call),
        "here": call.url(call.path, **call.query),
    }


def count_waiting(call: PageCall) -> dict[str, int]:
    """How many things wait for the person, by the name of their counter."""
    if not call.identity.may("read"):
        return {"questions": 0, "proposals": 0}
    questions, proposals = call.run("questions"), call.run("review.waiting")
    return {"questions": len(questions["items"]), "proposals": len(proposals["items"])}


def list_spaces(call: PageCall) -> list[dict[str, Any]]:
    """The spaces that may be chosen."""
    found: list[dict[str, Any]] = call.run("spaces.all")["items"]
    return [space for space in found if space["deleted_at"] is None]


def write_done(done: Done) -> str:
    """What an act did, as the value of a cookie; without its ids and its undoing where they do not fit."""
    ids, undo = done.records[:_MOST_IDS], done.undo if len(done.records) <= _MOST_IDS else ""
    whole = quote(json.dumps([done.key, len(done.records), ids, undo, dict(done.given)]))
    return whole if len(whole) <= _COOKIE_CHARS else quote(json.dumps([done.key, len(done.records), ids[:1], "", {}]))


def read_done(call: PageCall, value: str) -> dict[str, Any] | None:
    """The toast of the act before this page: its sentence, and the form that undoes it. None when there was none."""
    if not value:
        return None
    try:
        key, count, ids, undo, given = json.loads(unquote(value))
    except (ValueError, TypeError):
        return None
    sentence = f"done.{key}"
    is_sound = isinstance(ids, list) and isinstance(given, dict) and isinstance(undo, str) and type(count) is int
    if not is_sound or not call.t.has(sentence) or not all(isinstance(one, str) for one in ids):
        return None
    text = _read_text(call, ids[0]) if ids else ""
    said = call.t(sentence, count=count, text=shorten(text)) if count else call.t(sentence, text="")
    return {"said": said, "undo": undo, "ids": ids, "given": {str(k): str(v) for k, v in given.items()}}


def _read_text(call: PageCall, record_id: str) -> str:
    try:
        found = call.run("get", record_id=record_id)
    except ToldonceError:
        return ""
    return str(found["summary"] or found["text"])


def shorten(text: str, *, most: int = 60) -> str:
    """A text on one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"
