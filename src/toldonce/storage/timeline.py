"""What happened when: records as they came and what was done to them, merged into one line of time. It reads only."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from toldonce.records import Change, Happening, Record
from toldonce.storage.store import Tables
from toldonce.storage.tables.records import RecordFilter

ADDED = "added"


def list_happenings(tables: Tables, stretch: RecordFilter, *, now: datetime, limit: int) -> list[Happening]:
    """The newest happenings of a period, oldest first."""
    places = tables.records.in_time(stretch, limit=limit)
    by_place = tables.records.by_seq(places)
    said = [by_place[place] for place in places]
    changes = tables.records.changes_in_time(stretch, limit=limit)
    known = tables.records.get({i for c in changes for i in (c.record, c.other) if i is not None})
    known = {i: record for i, record in known.items() if tables.people.may_read(record, stretch.user)}
    happenings = [Happening(at=record.at, action=ADDED, record=record) for record in said]
    happenings += [_happening_of_change(change, known) for change in changes if change.record in known]
    happenings += _find_unmarked_expired(said, stretch, now=now)
    # What was added comes before what was done to it, also in the same moment.
    return sorted(happenings, key=lambda h: (h.at, h.action != ADDED))[-limit:]


def _happening_of_change(change: Change, known: dict[str, Record]) -> Happening:
    other = known.get(change.other) if change.other is not None else None
    record = known[change.record]
    return Happening(at=change.at, action=change.action, record=record, reason=change.reason, by=change.by, other=other)


def _find_unmarked_expired(records: Iterable[Record], stretch: RecordFilter, *, now: datetime) -> list[Happening]:
    """Records that have expired although that is not stored yet."""
    end = min(stretch.until, now) if stretch.until else now
    return [
        Happening(at=record.expires_at, action="expired", record=record, reason="its time ran out")
        for record in records
        if record.state in ("active", "doubted") and record.expires_at is not None and record.expires_at <= end
    ]
