"""What a session leaves behind in older memories: citations of the code that they name, and that a bug is fixed.

A session's fixes come in; records about the same trouble in the same file say from then on where it was fixed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toldonce.coding.citations import CITES, FIXED
from toldonce.coding.codemap.words import search_terms
from toldonce.coding.named_code import cite_in_metadata
from toldonce.records import Record
from toldonce.storage.store import Tables, View

if TYPE_CHECKING:
    from toldonce.coding.transcripts.learn import Lesson
    from toldonce.memory import Memory

# Types of lessons about something broken that the session fixed.
FIXES = ("pitfall", "error")
_MOST = 200
# The share of an older record's words that the fix, or the task it came from, must have.
_SAME_TROUBLE = 0.5


def cite_settled(memory: Memory, records: Iterable[Record], *, root: Path, now: datetime) -> int:
    """Cite the code that records of a settled conversation name; returns how many got citations."""
    found: dict[str, dict[str, Any]] = {}
    for record in records:
        if not record.metadata.get(CITES):
            metadata = cite_in_metadata(root, record.text, record.metadata, now=now)
            if metadata and metadata.get(CITES):
                found[record.id] = metadata
    return _store_metadata(memory, found)


def find_settled(memory: Memory, session: str, *, space: str, now: datetime) -> list[Record]:
    """What was made of a session's conversations."""
    view = View(spaces=(space,), now=now, session=session, kinds=tuple(memory.spaces.preset(space).kinds))
    return memory.store.read(lambda t: t.records.find_derived(view, limit=_MOST))


def mark_fixed(
    memory: Memory, fixes: Sequence[Lesson], task: str, *, root: Path, space: str, branch: str | None, now: datetime
) -> int:
    """Say of the records about what these lessons fixed that it is fixed; returns how many there were.

    `task` is what the session was asked to do: people describe a bug as they see it, not by its cause.
    """
    preset = memory.spaces.preset(space)
    kinds = tuple(kind for type in FIXES if (kind := preset.distil.kinds.get(type)))
    found: dict[str, dict[str, Any]] = {}
    for fix in fixes:
        if fix.type not in FIXES or not fix.file or not kinds:
            continue
        words = set(search_terms(f"{fix.text} {task}"))
        where = f"{fix.file} on {branch}" if branch else fix.file
        for record in _records_about(memory, fix.file, View(spaces=(space,), now=now, kinds=kinds)):
            if record.text != fix.text and not record.metadata.get(FIXED) and _is_same_trouble(record.text, words):
                cited = cite_in_metadata(root, record.text, record.metadata, now=now) or {}
                found[record.id] = {**cited, FIXED: where}
    return _store_metadata(memory, found)


def _records_about(memory: Memory, file: str, view: View) -> list[Record]:
    return memory.store.read(lambda t: t.records.find_about(view, [file], limit=_MOST))


def _is_same_trouble(text: str, words: set[str]) -> bool:
    own = set(search_terms(text))
    return bool(own) and len(own & words) / len(own) >= _SAME_TROUBLE


def _store_metadata(memory: Memory, found: Mapping[str, Mapping[str, Any]]) -> int:
    def work(tables: Tables) -> int:
        for id_, metadata in found.items():
            tables.records.set_metadata(id_, metadata)
        return len(found)

    return memory.store.write(work) if found else 0
