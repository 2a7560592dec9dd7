"""The items of a session as JSON values: they are added at the end, read in order and taken back from the end.

They are entries of documents of fifty items each, so that adding one costs the same in a long session as in a short
one. A small document beside them says which is the last.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from toldonce.records import Document, DocumentEntry

if TYPE_CHECKING:
    from toldonce.memory import Memory

PAGE_ITEMS = 50
# The section of an entry says whether its source is the message that the item is, or the one it answers.
SAID, BESIDE = "said", "beside"
_LAST = "last"


class SessionItems:
    """The items of one session of one person."""

    def __init__(self, memory: Memory, session_id: str, *, owner: str, space: str | None) -> None:
        self._memory = memory
        self._session_id = session_id
        self._owner = owner
        self._space = space

    def read(self, limit: int | None = None) -> list[Any]:
        """The items, oldest first; with a limit the newest of them."""
        if limit is not None and limit <= 0:
            return []
        found: list[DocumentEntry] = []
        for page in range(self._last_page(), -1, -1):
            found = [*self._entries(page), *found]
            if limit is not None and len(found) >= limit:
                break
        return [json.loads(entry.text) for entry in (found if limit is None else found[-limit:])]

    def add(self, items: Sequence[tuple[Any, str | None]]) -> None:
        """Add items, each with the id of the record of what it said, if it said something."""
        waiting, page = list(items), self._last_page()
        while waiting:
            before = page
            waiting = waiting[self._add_to_page(page, waiting) :]
            page += bool(waiting)
            if page != before:
                self._note_last_page(page)

    def take_last(self) -> DocumentEntry | None:
        """Take the newest item out; None when there is none."""
        for page in range(self._last_page(), -1, -1):
            taken: list[DocumentEntry] = []

            def shorten(document: Document, taken: list[DocumentEntry] = taken) -> Document | None:
                if not document.entries:
                    return None
                taken.append(document.entries[-1])
                return _next_version(document, document.entries[:-1])

            self._change(self._page_name(page), shorten)
            if taken:
                return taken[-1]
        return None

    def clear(self) -> None:
        """Take all items out; earlier versions keep them."""
        for page in range(self._last_page(), -1, -1):
            self._change(self._page_name(page), lambda d: _next_version(d, ()) if d.entries else None)
        self._note_last_page(0)

    def _add_to_page(self, page: int, items: Sequence[tuple[Any, str | None]]) -> int:
        """Add as many items as the page has room for; returns how many."""
        added: list[int] = []

        def extend(document: Document) -> Document | None:
            entries = list(document.entries)
            room = max(0, PAGE_ITEMS - len(entries))
            entries += self._make_entries(items[:room], entries[-1].sources if entries else self._sources_before(page))
            added[:] = [min(room, len(items))]
            return replace(document, version=document.version or 1, entries=tuple(entries)) if room else None

        self._change(self._page_name(page), extend)
        return added[0]

    def _make_entries(
        self, items: Iterable[tuple[Any, str | None]], answered: tuple[str, ...]
    ) -> Iterator[DocumentEntry]:
        for item, record_id in items:
            section, answered = (SAID, (record_id,)) if record_id else (BESIDE, answered)
            text = json.dumps(item, ensure_ascii=False)
            yield DocumentEntry(section=section, text=text, sources=answered, at=self._memory.clock())

    def _sources_before(self, page: int) -> tuple[str, ...]:
        """What the first item of a page answers, if it is no message itself."""
        entries = self._entries(page - 1) if page else ()
        return entries[-1].sources if entries else ()

    def _entries(self, page: int) -> tuple[DocumentEntry, ...]:
        found = self._get(self._page_name(page))
        return found.entries if found else ()

    def _last_page(self) -> int:
        found = self._get(self._head_name)
        last = found.data.get(_LAST) if found else None
        return last if isinstance(last, int) else 0

    def _note_last_page(self, page: int) -> None:
        def note(document: Document) -> Document:
            return replace(document, version=document.version or 1, data={_LAST: page})

        self._change(self._head_name, note)

    def _get(self, name: str) -> Document | None:
        return self._memory.documents.get(name, owner=self._owner, space=self._space)

    def _change(self, name: str, change: Callable[[Document], Document | None]) -> None:
        self._memory.documents.change(name, change, owner=self._owner, space=self._space)

    @property
    def _head_name(self) -> str:
        return f"session-pages/{self._session_id}"

    def _page_name(self, page: int) -> str:
        return f"session-{page}/{self._session_id}" if page else f"session/{self._session_id}"


def _next_version(document: Document, entries: tuple[DocumentEntry, ...]) -> Document:
    """The next version, so that the one before stays in history."""
    return replace(document, version=document.version + 1, entries=entries)
