"""Earlier work by file, read from a memory's own records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toldonce.coding.codemap.learn import past_tasks

if TYPE_CHECKING:
    from toldonce.memory import Memory

_MAX_RECORDS = 500


def past_work(memory: Memory, user: str | None = None, *, space: str | None = None) -> dict[str, list[str]]:
    """By file, what the records that a person may see say about earlier work in it, newest first."""
    kinds = memory.spaces.preset(space).kinds_of_tier("always", "task")
    found = memory.review.records(user, kinds=kinds, limit=_MAX_RECORDS, space=space)
    return past_tasks((record.text, record.metadata) for record in found)
