"""Everything a hook needs of the engine, taken once from the engine itself and kept as one small file.

A hook has no time to import the engine: it takes named queries, the view's parameters and a preset's table from here.
The kit is made anew when the engine, its queries or the preset changed.
"""

from __future__ import annotations

import os

from recollect.coding.hooks import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from recollect.presets.policy import Section

WORD = "word"
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_QUERIES = (
    "get_space", "get_person", "get_setting", "put_setting", "find_derived", "find_pinned", "search_words",
    "get_by_seq", "get_records", "touch_records", "put_job", "next_due", "get_document",
)  # fmt: skip
# What the rules learn from failures is what to know before touching a file again.
_WARNINGS = ("pitfall", "error")


def engine_kit() -> dict[str, Any]:
    """What every look into a memory needs: queries, the view's parameters, the words that say nothing."""
    return _kept("kit.json", [_mark("keep", "sqlite", "queries.sql"), _mark("__init__.py")], _engine)


def preset_kit(name: str, text: str | None) -> dict[str, Any]:
    """What a preset says of the block in the prompt."""
    stamp = [text, _mark("presets", f"{name}.toml"), _mark("__init__.py")]
    return _kept(f"kit-{name.replace(os.sep, '_')[-40:]}.json", stamp, lambda: _policy(name, text))


def _kept(name: str, stamp: list[Any], make: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    kept = state.load(name)
    if kept.get("stamp") == [_ROOT, *stamp]:
        return kept
    made = {"stamp": [_ROOT, *stamp], **make()}
    state.save(name, made)
    return made


def _mark(*names: str) -> list[int] | None:
    """Changes when a file of the package does."""
    try:
        found = os.stat(os.path.join(_ROOT, *names))
    except OSError:
        return None
    return [found.st_mtime_ns, found.st_size]


def _engine() -> Mapping[str, Any]:
    from datetime import UTC, datetime

    from recollect.coding.citations import CITES
    from recollect.lang.vocabulary import stop_words
    from recollect.records import LOCAL_TENANT, PERSONAL
    from recollect.storage.named_queries import load_queries
    from recollect.storage.sqlite.file import APPLICATION_ID, PACKAGE, SCHEMA_VERSION
    from recollect.storage.store import View

    queries = load_queries(PACKAGE)
    return {
        "application": APPLICATION_ID, "schema": SCHEMA_VERSION, "tenant": LOCAL_TENANT, "personal": PERSONAL,
        "queries": {query: queries[query] for query in _QUERIES}, "match": _match(),
        "cites": CITES, "stop": sorted(stop_words()),
        "view": View(spaces=(), now=datetime.fromtimestamp(0, UTC)).values(),
    }  # fmt: skip


def _match() -> str:
    """A full-text query for one word, in which others can take its place."""
    from recollect.storage.sqlite.connect import connect
    from recollect.storage.sqlite.database import Rows

    return Rows(connect(":memory:"), {}).matching((WORD,))


def _policy(name: str, text: str | None) -> Mapping[str, Any]:
    from recollect import presets

    preset = presets.load(name) if text is None else presets.parse(text, name)
    told = preset.distil.kinds
    return {
        "kinds": {
            row: {
                "label": kind.label, "kind": kind.shown_as, "weight": kind.weight,
                "doubted": kind.doubted_when_stale,
                "half_life": kind.half_life.total_seconds() if kind.half_life and kind.fading == "rank" else None,
            }
            for row, kind in preset.kinds.items()
        },
        "always": preset.tier("always"), "warnings": [told[draft] for draft in _WARNINGS if draft in told],
        "sections": [_section(section) for section in preset.context.sections], "open": preset.context.open,
        "close": preset.context.close, "budget": preset.context.budget, "once": preset.context.once_per_session,
        "score": dict(preset.recall.score), "frequent_at": preset.recall.frequent_at,
    }  # fmt: skip


def _section(section: Section) -> Mapping[str, Any]:
    fields = ("source", "line", "open", "close", "heading", "kinds", "document", "limit", "tokens")
    return {name: getattr(section, name) for name in fields}
