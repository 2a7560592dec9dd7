"""Team: a search over all spaces that the person belongs to, and what is known there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toldonce.records import PERSONAL
from toldonce.server.pages.call import PageCall, PageView

_HITS, _LINES = 20, 8
_TEXT_CHARS = 300


def has_team(call: PageCall) -> bool:
    """Whether there is more than one space to look into."""
    return sum(not one["name"].startswith(PERSONAL) for one in call.run("spaces.all", limit=200)["items"]) > 1


def show_team(call: PageCall) -> PageView:
    """The best hits of all spaces for what is asked, and figures about them."""
    asked = call.asked("q", most=500)
    hits = call.run("team.search", query=asked, limit=_HITS)["hits"] if asked.strip() else []
    figures = call.run("team.figures", limit=_LINES)
    return PageView(
        {
            "q": asked,
            "hits": [_describe(hit["record"]) for hit in hits],
            "names": figures["spaces"],
            "records": figures["records"],
            "used": [{**_describe(one), "count": one["access_count"]} for one in figures["by_use"]],
            "files": figures["by_file"],
            "confirmed_by": figures["confirmed_by"],
        }
    )


def _describe(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record of any space, whose preset may have other kinds than the one that is shown."""
    text = str(record["title"] or record["summary"] or record["text"])
    shown = text[:_TEXT_CHARS] + ("…" if len(text) > _TEXT_CHARS else "")
    return {
        "id": record["id"],
        "href": f"/records/{record['id']}",
        "shown": shown,
        "space": record["space"],
        "at": record["at"],
        "who": record["author"] or record["user"] or "",
    }
