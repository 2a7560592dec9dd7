"""What one process has to tell the audit log, collected until its next write.

A busy process writes many messages and reads others' records often. One entry for each would cost as much as the work
itself, so entries of the same kind are joined here and written together: with the next write of another kind, after
`MOST_NOTED` records, or when the memory is closed. Each message names its author and its time by itself.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import datetime

from recollect.actor import Actor, acting_as, current_actor
from recollect.records import Record
from recollect.storage.store import Tables

MOST_NOTED = 256
_MOST_NAMED = 20

# Space, action, person acted for, and who acted through which interface.
_Key = tuple[str, str, str | None, Actor]


@dataclass(slots=True)
class _Note:
    at: datetime
    count: int
    records: list[str]


class AuditNotes:
    """Collects notes from any thread; `take` hands them over for writing."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._noted: list[tuple[_Key, str, datetime]] = []
        self._returned: dict[_Key, _Note] = {}

    def add(self, action: str, record: Record, *, user: str | None, at: datetime) -> None:
        """Note that a record was written or read on behalf of a person."""
        noted = ((record.space, action, user, current_actor()), record.id, at)
        with self._lock:
            self._noted.append(noted)

    @property
    def is_full(self) -> bool:
        """Whether enough was collected to be written with whatever is written next."""
        return len(self._noted) >= MOST_NOTED

    def __len__(self) -> int:
        return len(self._noted) + len(self._returned)

    def take(self) -> dict[_Key, _Note]:
        """Everything noted so far, joined, which is then no longer here."""
        with self._lock:
            noted, self._noted = self._noted, []
            notes, self._returned = self._returned, {}
        for key, record, at in noted:
            note = notes.setdefault(key, _Note(at, 0, []))
            note.at, note.count = max(note.at, at), note.count + 1
            if len(note.records) < _MOST_NAMED:
                note.records.append(record)
        return notes

    def put_back(self, notes: dict[_Key, _Note]) -> None:
        """Keep notes that could not be written for the next time."""
        with self._lock:
            for key, note in notes.items():
                before = self._returned.get(key, _Note(note.at, 0, []))
                named = [*before.records, *note.records][:_MOST_NAMED]
                self._returned[key] = _Note(max(note.at, before.at), note.count + before.count, named)


def write_notes(tables: Tables, notes: dict[_Key, _Note]) -> None:
    """Add notes to the audit log."""
    if not notes:
        return
    for (space, action, user, actor), note in notes.items():
        with acting_as(interface=actor.interface, person=actor.person):
            detail = {"count": note.count, "records": note.records}
            tables.audit.add(space, action, at=note.at, actor=user, detail=detail)
