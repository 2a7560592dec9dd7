"""What happened in a store after a place in it: new records, changes, runs of jobs, and what the audit log has about
questions and settled conversations. Any process may ask.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from toldonce.records import Record
from toldonce.storage.rows import Rows
from toldonce.storage.tables.records import record_from_row


class EventPlace(NamedTuple):
    """A place in what happened: the last record, change and run, and the last entry of the audit log that counts."""

    record: int = 0
    change: int = 0
    run: int = 0
    log: int = 0


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """A settled conversation, or a question that was asked or answered; `about` is its id, None when it is gone."""

    seq: int
    action: str
    space: str
    at: int
    about: str | None
    person: str | None
    counts: dict[str, Any]

    @property
    def is_settled(self) -> bool:
        """Whether it is about a conversation."""
        return self.action == "settle"


class EventTable:
    """Reads what happened between two places."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def newest(self) -> EventPlace:
        """The place of what happened last."""
        row = self._rows.one("event_heads", tenant=self._tenant)
        return EventPlace(*row) if row else EventPlace()

    def records(self, after: int, upto: int, *, limit: int) -> list[tuple[int, Record]]:
        """Records that were added, with their places."""
        rows = self._between("records_after", after, upto, limit)
        return [(row[0], record_from_row(row)) for row in rows]

    def changes(self, after: int, upto: int, *, limit: int) -> list[tuple[int, str, str, int, str]]:
        """Changes of records: place, action, new state, moment and record."""
        return [(r[0], r[1], r[2], r[3], r[4]) for r in self._between("changes_after", after, upto, limit)]

    def runs(self, after: int, upto: int, *, limit: int) -> list[tuple[int, str, str, str, int]]:
        """Runs of jobs: place, space, name, status and moment."""
        return [(r[0], r[1], r[2], r[3], r[4]) for r in self._between("runs_after", after, upto, limit)]

    def logged(self, after: int, upto: int, *, limit: int) -> list[LoggedEvent]:
        """Settled conversations, and questions that were asked or answered, in the order of the audit log."""
        rows = self._between("logged_after", after, upto, limit)
        return [
            LoggedEvent(r[0], r[1], r[2], r[3], r[4], r[5], {"session": r[6], "records": r[7], "documents": r[8]})
            for r in rows
        ]

    def _between(self, query: str, after: int, upto: int, limit: int) -> list[tuple[Any, ...]]:
        return self._rows.all(query, tenant=self._tenant, after=after, upto=upto, limit=limit)
