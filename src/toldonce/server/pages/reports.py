"""Reports: texts for people about a period, written on request or kept by a schedule, to read and to download."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup, escape

from toldonce.distil.reports import OUTLINES
from toldonce.server.pages.agent import read_local_moment
from toldonce.server.pages.call import Done, Download, PageCall, PageView
from toldonce.server.pages.records import isolate

_MOST = 100
_INLINE = re.compile(r"\*\*(.+?)\*\*|\[(\d+)\]|^([a-z]+_[0-9a-z]{21})(?=, )")
_ITEM = re.compile(r"(?:[-*]|(\d+)\.)\s+(.*)")
_HEADING = re.compile(r"(#{1,4})\s+(.*)")


def show_reports(call: PageCall) -> PageView:
    """The reports that are kept, and the one that is read or asked for."""
    kept = _list_kept(call)
    wanted, about = call.asked("id"), call.asked("about")
    report = next((one for one in kept if one["id"] == wanted), None)
    if report is None and about in OUTLINES:
        report = _write_now(call, about)
    elif report is None and kept and not about:
        report = kept[0]
    return PageView(
        {
            "kept": [_describe(call, one) for one in kept],
            "report": {**_describe(call, report), "html": render_markdown(report["text"])} if report else None,
            "abouts": list(OUTLINES),
            "about": about,
            "since": call.asked("since"),
            "until": call.asked("until"),
            "may_keep": bool(call.preset.distil.report_kind) and call.identity.may("write"),
        }
    )


def _list_kept(call: PageCall) -> list[dict[str, Any]]:
    """The stored reports, newest first: records that say what they are about."""
    if not call.preset.distil.report_kind:
        return []
    found = call.run("review.records", kinds=[call.preset.distil.report_kind], limit=_MOST)["items"]
    return [one for one in found if one["metadata"].get("about") in OUTLINES]


def _write_now(call: PageCall, about: str) -> dict[str, Any]:
    """A report made for this view only; nothing is stored."""
    given = {name: read_local_moment(call, call.asked(name)) for name in ("since", "until")}
    made: dict[str, Any] = call.run("report", about=about, **{k: v for k, v in given.items() if v is not None})
    return {
        "id": "",
        "title": made["title"],
        "text": made["text"],
        "at": call.now.isoformat(),
        "metadata": {"about": about, "since": made["since"], "until": made["until"]},
        "made_by": made["made_by"],
    }


def _describe(call: PageCall, report: Mapping[str, Any]) -> dict[str, Any]:
    about = report["metadata"].get("about", "")
    query = {"id": report["id"]} if report["id"] else {k: call.asked(k) for k in ("about", "since", "until")}
    return {
        "id": report["id"],
        "title": report["title"],
        "about": call.t.name_of("report", about),
        "at": report["at"],
        "href": call.url("/reports", id=report["id"]),
        "download": call.url("/reports/download", **query),
        "record": f"/records/{report['id']}" if report["id"] else "",
    }


def download_report(call: PageCall) -> Download:
    """A report as a Markdown file."""
    wanted, about = call.asked("id"), call.asked("about") or next(iter(OUTLINES))
    if wanted:
        text = call.run("get", record_id=wanted)["text"]
    else:
        text = _write_now(call, about)["text"]
    return Download("report.md", str(text).encode(), "text/markdown; charset=utf-8")


def keep_report(call: PageCall) -> Done:
    """Write a report and store it."""
    given = {name: read_local_moment(call, call.field(name)) for name in ("since", "until")}
    made = call.run("report", about=call.field("about"), keep=True, **{k: v for k, v in given.items() if v is not None})
    return Done(call.url("/reports", id=made["record"]["id"]), "report_kept", (made["record"]["id"],), "forget")


def render_markdown(text: str) -> Markup:
    """The Markdown that reports are written in as HTML: headings, lists and paragraphs. Everything else is text.

    The title is left out, since the page shows it; a source leads to its record.
    """
    parts: list[Markup] = []
    items: list[Markup] = []
    tag = "ul"
    for line in [*text.splitlines(), ""]:
        if item := _ITEM.match(line):
            tag = "ol" if item[1] else "ul"
            items.append(Markup("<li>{}</li>").format(_inline(item[2])))
            continue
        if items:
            parts.append(Markup("<{0}>{1}</{0}>").format(Markup(tag), Markup("").join(items)))
            items = []
        if heading := _HEADING.match(line):
            level = len(heading[1])
            if level > 1:
                parts.append(Markup("<h{0}>{1}</h{0}>").format(min(level + 1, 4), isolate(heading[2])))
        elif line.strip():
            parts.append(Markup("<p>{}</p>").format(_inline(line)))
    return Markup("\n").join(parts)


def _inline(text: str) -> Markup:
    """Bold words, numbers of sources and ids of records inside a line."""
    parts, end = [], 0
    for match in _INLINE.finditer(text):
        parts.append(escape(text[end : match.start()]))
        bold, number, record = match.groups()
        if bold:
            parts.append(Markup("<b>{}</b>").format(bold))
        elif number:
            parts.append(Markup("<sup>{}</sup>").format(number))
        else:
            parts.append(Markup('<a href="/records/{0}"><code>{0}</code></a>').format(record))
        end = match.end()
    return Markup('<bdi translate="no">{}</bdi>').format(Markup("").join([*parts, escape(text[end:])]))
