"""What a move takes beside the lines of an export: rows out of one store in pages, and into another.

Left behind is what the other store makes by itself: the word index, amounts, times, packs and jobs; and what soon
expires: sessions and answers that a server holds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toldonce.storage.rows import Rows
from toldonce.storage.tables.transfer import TransferTable
from toldonce.storage.tables.vectors import VectorTable

Row = tuple[Any, ...]

PAGE = 500
# Types in the order in which they are moved, each with its columns. Records are named by their id.
MOVED: Mapping[str, Sequence[str]] = {
    "store_setting": ("key", "value"),
    "model": ("name", "dimensions", "shape", "count"),
    "vector": ("record", "part", "model", "vector"),
    "standing": ("record", "confidence", "since"),
    "usage": (
        "space", "task", "model", "day", "calls", "refused", "input_tokens", "output_tokens", "cost", "unpriced",
    ),
    "draft": ("space", "key", "answer", "at"),
    "run": ("space", "key", "name", "started_at", "ended_at", "status", "counts", "error", "detail"),
    "tombstone": ("salt", "digest", "at"),
    "destroyed": ("id",),
    "held_value": ("purpose", "key", "value", "person", "expires_at"),
    "copy": ("path", "what", "at"),
    "access_key": (
        "id", "name", "digest", "previous_digest", "previous_until", "person", "spaces", "rights", "role",
        "created_at", "expires_at", "revoked_at", "last_used_at",
    ),
    "audit": ("space", "at", "actor", "interface", "action", "detail", "salt", "commitment", "digest"),
    # After all that happened: its place is a number of these rows.
    "webhook": (
        "id", "url", "secret", "events", "with_text", "private", "created_at", "delivered", "dropped", "delivered_at",
        "ended_at", "last_error", "records", "changes", "runs", "logged",
    ),
}  # fmt: skip
# Rows of these have no key of their own: what is there already are the first of them.
_IN_ORDER = ("run", "audit")


class MoveTable:
    """Whole rows of one type, as they are stored."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def read_pages(self, type_: str) -> Iterator[list[Row]]:
        """The rows of a type, in an order that a copy keeps."""
        after = 0
        while page := self._rows.all(f"move_out_{type_}", tenant=self._tenant, after=after, limit=PAGE):
            after = page[-1][0]
            yield [row[1:] for row in page]

    def put(self, type_: str, rows: Sequence[Row], *, before: int) -> None:
        """Put rows in, of which `before` others come first; those that are here already stay as they are."""
        if type_ in _IN_ORDER:
            here = self._rows.one(f"count_moved_{type_}", tenant=self._tenant)
            rows = rows[max(0, (here[0] if here else 0) - before) :]
        named = [{"tenant": self._tenant, **dict(zip(MOVED[type_], row, strict=True))} for row in rows]
        if type_ == "vector":
            self._put_vectors(named)
        else:
            self._rows.run_many(f"move_in_{type_}", named)

    def _put_vectors(self, named: Sequence[Mapping[str, Any]]) -> None:
        """Vectors of records and models that were moved before them."""
        places = TransferTable(self._rows, self._tenant).find_places([row["record"] for row in named])
        vectors = VectorTable(self._rows, self._tenant)
        for name in dict.fromkeys(row["model"] for row in named):
            model = vectors.known_model(name)
            assert model is not None, "models are moved first"
            here = vectors.parts_of(model[0], (place.seq for place in places.values()))
            rows = [
                {"model": model[0], "record": places[row["record"]].seq, "part": row["part"], "vector": row["vector"]}
                for row in named
                if row["model"] == name and row["record"] in places
            ]
            self._rows.run_many("put_vector", [row for row in rows if (row["record"], row["part"]) not in here])
        self._rows.run("mark_embedded", seqs=json.dumps([place.seq for place in places.values()]))
