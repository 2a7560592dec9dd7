"""Times that records mention: kept as ranges with the record, and found by any time that overlaps."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from toldonce.clock import from_micros, to_micros
from toldonce.storage.rows import Rows

if TYPE_CHECKING:
    from toldonce.storage.store import View

# A longer stretch meets every day of it and tells nothing of any.
LONGEST = timedelta(days=40)
# A text that has not named its time by here is about many things.
BEGINNING = 1_000


class MessageOpening(NamedTuple):
    """The beginning of what somebody said, where and when."""

    seq: int
    space: str
    text: str
    at: datetime


class TimeTable:
    """The times that are mentioned, not when it was said."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def find_unread(self, after: int, *, limit: int) -> list[MessageOpening]:
        """Records after a place in which people may mention a time, in order; the assistant's own words are no news."""
        rows = self._rows.all("said_after", tenant=self._tenant, after=after, length=BEGINNING, limit=limit)
        return [MessageOpening(seq, space, text, from_micros(at)) for seq, space, text, at in rows]

    def up_to(self, place: int, *, limit: int) -> list[MessageOpening]:
        """Records up to a place in which people may mention a time, the last first."""
        rows = self._rows.all("said_up_to", tenant=self._tenant, place=place, length=BEGINNING, limit=limit)
        return [MessageOpening(seq, space, text, from_micros(at)) for seq, space, text, at in rows]

    def put(self, record: int, spans: Iterable[tuple[datetime, datetime]]) -> int:
        """Keep the times that a record mentions, and no others of it; vague ones, and those of a record purged
        meanwhile, are skipped.

        Returns how many are new.
        """
        ends = [(to_micros(start), to_micros(end)) for start, end in spans if end - start <= LONGEST]
        self._rows.run("drop_other_times", tenant=self._tenant, record=record, spans=json.dumps(ends))
        return sum(
            self._rows.run("put_time", tenant=self._tenant, record=record, start=start, end=end) for start, end in ends
        )

    def find_by_time(self, start: datetime, end: datetime, view: View, *, limit: int) -> list[tuple[int, float]]:
        """Records that mention a time in a range, whenever they were said, the best first, then the newest; [] if none.

        The score is 1 where they name just that stretch, and less the more the two stretches differ. Of many, those
        that mention its end are found.
        """
        span = {
            "earliest": to_micros(start) - LONGEST // timedelta(microseconds=1),
            "start": to_micros(start),
            "end": to_micros(end),
        }
        # One space at a time, so that a long stretch is read from its end and no further than the limit.
        rows = [
            row
            for space in view.spaces
            for row in self._rows.all("search_told", **view.values(), **span, space=space, limit=limit)
        ]
        rows.sort(key=lambda row: (-row[1], -row[2], row[0]))
        return [(row[0], row[1]) for row in rows[:limit]]

    def filter_by_time(self, records: Iterable[int], start: datetime, end: datetime) -> set[int]:
        """Which of these records mention a time in a range."""
        rows = self._rows.all(
            "telling_records",
            tenant=self._tenant,
            seqs=json.dumps(list(records)),
            start=to_micros(start),
            end=to_micros(end),
        )
        return {row[0] for row in rows}
