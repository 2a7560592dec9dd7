"""Many new rows of one transaction go to the server together: by COPY into a table of the transaction, then by one
statement into the tables.

Records that are added one after the other are held back until a statement could see them, or the transaction ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toldonce.storage.postgres.errors import refusing_unbindable
from toldonce.storage.postgres.exchange import Exchange, QueryResult
from toldonce.storage.postgres.queries import TypedQuery

# This many records are written as they come; what adds more in a row is a load.
_WRITTEN_AT_ONCE = 8
# Held back at most, and places taken from the server at a time.
_MOST_HELD = 5_000
_PLACES = 500


@dataclass(frozen=True, slots=True)
class _Load:
    """The queries by which rows get into a table, and the columns of the staged ones."""

    stage: str
    clear: str
    copy: str
    add: str
    columns: Sequence[str]


_RECORD_COLUMNS = (
    "seq", "id", "space", "kind", "text", "title", "summary", "author", "role", "user", "session", "channel",
    "branch", "visibility", "audience", "subject", "state", "state_reason", "state_at", "superseded_by",
    "confidence", "validated", "pinned", "origin", "made_by", "trust", "conversation", "fingerprint", "at",
    "created_at", "expires_at", "accessed_at", "access_count", "faded_at", "embedding", "tags", "metadata", "words",
    "length",
)  # fmt: skip
_RECORDS = _Load("stage_records", "clear_staged_records", "copy_records", "add_staged_records", _RECORD_COLUMNS)
_MENTIONS = _Load(
    "stage_mentions", "clear_staged_mentions", "copy_mentions", "add_staged_mentions", ("entity", "record")
)
_VECTORS = _Load(
    "stage_vectors", "clear_staged_vectors", "copy_vectors", "add_staged_vectors", ("model", "record", "part", "vector")
)


class BulkWriter:
    """The rows that a transaction holds back, and their way to the server."""

    __slots__ = (
        "_exchange",
        "_in_a_row",
        "_may_stage",
        "_mentions",
        "_places",
        "_queries",
        "_records",
        "_staged",
        "_tenant",
    )

    def __init__(
        self,
        exchange: Exchange,
        queries: Mapping[str, TypedQuery],
        *,
        tenant: str,
        may_stage: bool,
    ) -> None:
        self._exchange = exchange
        self._queries = queries
        self._tenant = tenant
        self._may_stage = may_stage
        self._in_a_row = 0
        self._records: list[Mapping[str, Any]] = []
        self._mentions: list[Mapping[str, Any]] = []
        self._places: list[int] = []
        self._staged: set[str] = set()

    def is_worth(self, count: int) -> bool:
        """Whether that many rows are better written together; never where tables of a transaction are forbidden."""
        return self._may_stage and count > _WRITTEN_AT_ONCE

    def hold_record(self, values: Mapping[str, Any]) -> int | None:
        """The place of a record that is written later; None for one to write at once."""
        self._in_a_row += 1
        if not self.is_worth(self._in_a_row):
            return None
        if len(self._records) >= _MOST_HELD:
            self.write_held()
        if not self._places:
            self._places = [row[0] for row in self._run("take_places", count=_PLACES).rows][::-1]
        seq = self._places.pop()
        self._records.append({**values, "seq": seq})
        return seq

    def hold_mention(self, values: Mapping[str, Any]) -> bool:
        """Whether a mention is written later: where records are."""
        if self._records:
            self._mentions.append(values)
        return bool(self._records)

    def write_held(self) -> None:
        """Write what is held back."""
        for load, rows in ((_RECORDS, self._records), (_MENTIONS, self._mentions)):
            if rows:
                self._write_together(load, rows)
                rows.clear()

    def write_before(self, query: TypedQuery) -> None:
        """Write what is held back where a query could see it."""
        if self._in_a_row and query.sees_records:
            self._in_a_row = 0
            self.write_held()
            # Records that are written at once come next, and places follow the order of arrival.
            self._places.clear()

    def write_vectors(self, rows: Sequence[Mapping[str, Any]]) -> int:
        """Write vectors; returns how many belong to a record."""
        self.write_held()
        return self._write_together(_VECTORS, rows)

    def refresh_statistics(self) -> None:
        """Have the server look at what was written: what comes next in a load would be planned as for empty tables."""
        self._run("refresh_statistics")

    def _write_together(self, load: _Load, rows: Sequence[Mapping[str, Any]]) -> int:
        self._run(load.clear if load.stage in self._staged else load.stage)
        self._staged.add(load.stage)
        with refusing_unbindable(), self._exchange.connection.cursor().copy(self._queries[load.copy].sql) as copy:
            for row in rows:
                copy.write_row([row[name] for name in load.columns])
        changed = self._run(load.add).changed
        self.refresh_statistics()
        return changed

    def _run(self, name: str, **values: Any) -> QueryResult:
        # Not prepared: the staged table is another one in each transaction.
        return self._exchange.ask([(self._queries[name], {"tenant": self._tenant, **values})], prepare=False)[0]
