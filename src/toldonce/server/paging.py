"""Long lists in pages: items and a cursor come in, one page and the next cursor go out.

A cursor names the last item of a page and its place. An item that was added or removed meanwhile shifts no page.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from toldonce.server.problems import RequestProblem

LARGEST_PAGE = 1_000
USUAL_PAGE = 100
# Further back a list is narrowed by a filter instead.
DEEPEST = 100_000


@dataclass(frozen=True, slots=True)
class Cursor:
    """After which item a page begins: how many come before it, and the digest of the last one."""

    count: int = 0
    last: str = ""

    def write(self) -> str:
        """The cursor as clients see it."""
        return base64.urlsafe_b64encode(json.dumps([self.count, self.last]).encode()).decode().rstrip("=")

    @classmethod
    def read(cls, text: str | None) -> Cursor:
        """The cursor that a client sent back."""
        if not text:
            return cls()
        try:
            count, last = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        except (ValueError, TypeError, binascii.Error, RecursionError):
            count, last = -1, ""
        if type(count) is not int or not isinstance(last, str) or not 0 <= count <= DEEPEST:
            raise RequestProblem(400, "cursor", "this cursor is not one of ours: begin without one")
        return cls(count, last)


def cut_page(items: Sequence[Any], cursor: Cursor, size: int) -> tuple[list[Any], str | None]:
    """The page after a cursor, and the cursor of the next page; None when this is the last."""
    start = _find_start(items, cursor)
    page = list(items[start : start + size])
    end = start + len(page)
    if not page or end >= len(items):
        return page, None
    return page, Cursor(end, digest_item(page[-1])).write()


def _find_start(items: Sequence[Any], cursor: Cursor) -> int:
    """Where the page begins: after the item that the cursor names, wherever it is now."""
    if not cursor.count:
        return 0
    nearby = sorted(range(len(items)), key=lambda place: abs(place - (cursor.count - 1)))
    return next((place + 1 for place in nearby if digest_item(items[place]) == cursor.last), cursor.count)


def digest_item(item: Any) -> str:
    """What tells an item from others: its id where it has one."""
    known = item.get("id") or item.get("record") if isinstance(item, dict) else None
    told = known if isinstance(known, str) else json.dumps(item, sort_keys=True, default=str)
    return hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=9).hexdigest()
