"""What a hook needs of the engine, taken from the engine once and cached in two small files.

A hook has no time to import the engine: it takes named queries, the view's parameters and a preset's table from here.
The files are written again when the engine, its queries or the preset change.
"""

from __future__ import annotations

import os

from toldonce.coding.hooks import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from toldonce.presets.policy import Section

WORD = "word"
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_QUERIES = (
    "get_space", "get_person", "get_setting", "put_setting", "find_derived", "find_about", "find_pinned",
    "search_words", "get_by_seq", "get_records", "given_way", "any_doubted", "find_doubted", "touch_records",
    "put_job", "next_due", "get_document",
)  # fmt: skip
# What the rules learn from failures is what to know before touching a file again.
_WARNINGS = ("pitfall", "error")


def load_engine_facts() -> dict[str, Any]:
    """What every read of a memory needs: queries, the view's parameters, the stop words."""
    stamp = [_file_stamp("storage", "sqlite", "queries.sql"), *_code_stamps()]
    return _load_or_make("kit.json", stamp, _engine_facts)


def load_preset_facts(name: str, text: str | None) -> dict[str, Any]:
    """What a preset says of the block in the prompt."""
    stamp = [text, _file_stamp("presets", f"{name}.toml"), *_code_stamps()]
    return _load_or_make(f"kit-{name.replace(os.sep, '_')[-40:]}.json", stamp, lambda: _preset_facts(name, text))


def _load_or_make(name: str, stamp: list[Any], make: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    kept = state.load_state(name)
    if kept.get("stamp") == [_ROOT, *stamp]:
        return kept
    made = {"stamp": [_ROOT, *stamp], **make()}
    state.save_state(name, made)
    return made


def _code_stamps() -> list[list[int] | None]:
    """Change with the version of the package, and with what this module takes from it."""
    return [_file_stamp("__init__.py"), _file_stamp("coding", "hooks", "cache.py")]


def _file_stamp(*names: str) -> list[int] | None:
    """Changes when a file of the package does."""
    try:
        found = os.stat(os.path.join(_ROOT, *names))
    except OSError:
        return None
    return [found.st_mtime_ns, found.st_size]


def _engine_facts() -> Mapping[str, Any]:
    from datetime import UTC, datetime

    from toldonce.coding.citations import CITES
    from toldonce.lang.vocabulary import stop_words
    from toldonce.records import LOCAL_TENANT, PERSONAL
    from toldonce.storage.named_queries import load_queries
    from toldonce.storage.sqlite.file import APPLICATION_ID, PACKAGE, SCHEMA_VERSION
    from toldonce.storage.store import View

    queries = load_queries(PACKAGE)
    return {
        "application": APPLICATION_ID,
        "schema": SCHEMA_VERSION,
        "tenant": LOCAL_TENANT,
        "personal": PERSONAL,
        "queries": {query: queries[query] for query in _QUERIES},
        "match": _match_template(),
        "cites": CITES,
        "stop": sorted(stop_words()),
        "view": View(spaces=(), now=datetime.fromtimestamp(0, UTC)).values(),
    }


def _match_template() -> str:
    """A full-text query for one word, used as a template for other words."""
    from toldonce.storage.sqlite.connect import open_connection
    from toldonce.storage.sqlite.database import SqliteRows

    return SqliteRows(open_connection(":memory:"), {}).matching((WORD,))


def _preset_facts(name: str, text: str | None) -> Mapping[str, Any]:
    from toldonce import presets

    preset = presets.load_preset(name) if text is None else presets.parse_preset(text, name)
    told = preset.distil.kinds
    return {
        "kinds": {
            row: {
                "label": kind.label,
                "kind": kind.shown_as,
                "weight": kind.weight,
                "outdated": kind.outdated_when_stale,
                "half_life": kind.ranking_half_life_seconds,
            }
            for row, kind in preset.kinds.items()
        },
        "always": preset.kinds_of_tier("always"),
        "warnings": [told[draft] for draft in _WARNINGS if draft in told],
        "sections": [_section_facts(section) for section in preset.context.sections],
        "open": preset.context.open,
        "close": preset.context.close,
        "budget": preset.context.budget,
        "once": preset.context.once_per_session,
        "score": dict(preset.recall.score),
        "frequent_at": preset.recall.frequent_at,
    }


def _section_facts(section: Section) -> Mapping[str, Any]:
    fields = ("source", "line", "open", "close", "heading", "kinds", "document", "limit", "tokens")
    return {name: getattr(section, name) for name in fields}
