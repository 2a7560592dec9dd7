"""Code: the modules of a project, warnings by file, what sessions learned, and what finding the way cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toldonce.coding.codemap.document import NAME as CODE_MAP
from toldonce.coding.codemap.document import map_from_data
from toldonce.coding.codemap.values import Module, ModuleMap
from toldonce.coding.hooks import LEARN
from toldonce.coding.hooks.metrics import compare_sessions, newest_session_figures, summarise_memory
from toldonce.operations.wire import from_plain_value
from toldonce.server.pages.call import PageCall, PageView
from toldonce.server.pages.records import describe_record
from toldonce.storage.tables.jobs import Run

_MOST = 300
_CHART_WIDTH, _CHART_BOTTOM, _CHART_TOP = 640, 160, 10
_LEVELS = {"shallow": "low", "partial": "medium", "mapped": "high"}
_SHOWN_SESSIONS = 20


def has_code(call: PageCall) -> bool:
    """Whether the preset of the space that is shown keeps a map of code."""
    return CODE_MAP in call.preset.documents


def show_code(call: PageCall) -> PageView:
    """The whole page."""
    document = call.run("documents.get", name=CODE_MAP)
    known = map_from_data(document["data"]) if document else ModuleMap()
    records = call.run("review.records", derived=True, limit=_MOST)["items"]
    return PageView(
        {
            "has_map": bool(known.modules),
            "modules": [_describe_module(one, records) for one in known.modules],
            "code_languages": sorted(known.languages.items(), key=lambda one: -one[1]),
            "commands": list(known.tools.commands.items()),
            "tools": [*known.tools.build, *known.tools.test, *known.tools.linters, *known.tools.frameworks],
            "files": _group_by_file(call, records),
            "general": [describe_record(call, one) for one in records if not one["metadata"].get("file")][:40],
            "sessions": _list_sessions(call, records),
            "figures": _read_figures(call),
            "map_at": document["at"] if document else None,
        }
    )


def _describe_module(module: Module, records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    about = [one for one in records if str(one["metadata"].get("file", "")).startswith(module.folder)]
    return {
        "name": module.name,
        "folder": module.folder,
        "description": module.description,
        "level": _LEVELS[module.confidence.name.lower()],
        "confidence": module.confidence.name.lower(),
        "count": module.count,
        "files": module.files,
        "entry_points": module.entry_points,
        "tests": module.tests,
        "test_command": module.test_command,
        "depends_on": module.depends_on,
        "learned": module.learned,
        "sessions": len(module.sessions),
        "warnings": len(about),
    }


def _group_by_file(call: PageCall, records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What is known about each file, files with most of it first."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for one in records:
        if file := str(one["metadata"].get("file") or ""):
            groups.setdefault(file, []).append(describe_record(call, one))
    ordered = sorted(groups.items(), key=lambda one: (-len(one[1]), one[0]))
    return [{"file": file, "rows": rows} for file, rows in ordered]


def _list_sessions(call: PageCall, records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What each of the newest sessions left behind."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for one in records:
        if one["session"]:
            groups.setdefault(one["session"], []).append(one)
    shown = list(groups.items())[:_SHOWN_SESSIONS]
    return [
        {
            "name": name,
            "at": max(one["at"] for one in rows),
            "rows": [describe_record(call, one) for one in rows],
        }
        for name, rows in shown
    ]


def _read_figures(call: PageCall) -> dict[str, Any] | None:
    """What sessions spent on finding their way, with memory and without, for whoever owns the memory."""
    if not call.identity.may("own"):
        return None
    found = call.run("jobs.runs", name=LEARN, limit=1_000)["items"]
    runs = [from_plain_value(Run, row) for row in found if row["space"] == call.space.name]
    sessions = newest_session_figures(runs)
    if not sessions:
        return {"sessions": 0}
    return {
        "sessions": len(sessions),
        "memory": summarise_memory(sessions),
        "compared": compare_sessions(sessions),
        "bars": _draw_bars([(one.discovery_tokens, one.with_memory) for one in sessions[-_SHOWN_SESSIONS:]]),
        "rows": sessions[-_SHOWN_SESSIONS:],
    }


def _draw_bars(sizes: Sequence[tuple[int, bool]]) -> list[dict[str, Any]]:
    most = max((size for size, _ in sizes), default=1) or 1
    step = _CHART_WIDTH / max(len(sizes), 1)
    return [
        {
            "x": round(place * step + 4, 1),
            "y": round(_CHART_BOTTOM - (_CHART_BOTTOM - _CHART_TOP) * size / most, 1),
            "width": round(step - 8, 1),
            "height": round((_CHART_BOTTOM - _CHART_TOP) * size / most, 1),
            "css": "k1" if with_memory else "k0",
        }
        for place, (size, with_memory) in enumerate(sizes)
    ]
