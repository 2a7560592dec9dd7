"""Everything in the store, row by row, in the order and shape of an export; and rows of an export put back.

Rows are read in pages, and what is there already is never changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from toldonce.storage.rows import Rows

Row = tuple[Any, ...]

PAGE = 500
MENTIONS_A_LINE = 2000


class RecordPlace(NamedTuple):
    """Where a record stands."""

    seq: int
    space: str


class TransferTable:
    """Rows out and rows back in."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def read_rows(self, type_: str, *, space: str | None, user: str | None) -> Iterator[Row]:
        """Every row of a type that belongs to a space and a person, in an order that a copy keeps."""
        only = {"tenant": self._tenant, "space": space, "user": user}
        if type_ == "entity":
            return self._entities(only)
        if type_ == "document":
            return self._documents(only)
        if type_ in ("record", "conversation", "change"):
            return self._by_key(f"export_{type_}", only, first="" if type_ == "conversation" else 0)
        if type_ == "link":
            return self._by_record("export_link", only)
        return iter(self._rows.all(f"export_{type_}", **only))

    def last_place(self) -> int:
        """The place of the newest record."""
        row = self._rows.one("last_place", tenant=self._tenant)
        return row[0] if row else 0

    def find_places(self, ids: Sequence[str]) -> dict[str, RecordPlace]:
        """Where those of these records stand that are here, by id."""
        rows = self._rows.all("record_places", tenant=self._tenant, ids=json.dumps(ids)) if ids else []
        return {row[0]: RecordPlace(*row[1:]) for row in rows}

    def put(self, query: str, values: Mapping[str, Any]) -> bool:
        """Put a row back; False when it is here already."""
        return self._rows.run(query, tenant=self._tenant, **values) > 0

    def put_many(self, query: str, several: Iterable[Mapping[str, Any]]) -> None:
        """Put rows back; those that are here already stay as they are."""
        self._rows.run_many(query, [{"tenant": self._tenant, **values} for values in several])

    def entity(self, entity_id: str, *, space: str, aliases: list[dict[str, str]]) -> int | None:
        """The place of an entity by its id, else by one of its aliases."""
        row = self._rows.one("entity_place", tenant=self._tenant, space=space, id=entity_id)
        for one in aliases if row is None else ():
            row = row or self._rows.one(
                "alias_place", tenant=self._tenant, space=space, alias=one["alias"], type=one["type"]
            )
        return row[0] if row else None

    def add_entity(self, entity_id: str, *, space: str, name: str, type: str) -> int:
        """Put an entity back; returns its place."""
        row = self._rows.one("add_entity", tenant=self._tenant, id=entity_id, space=space, name=name, type=type)
        assert row is not None, "RETURNING gives a row"
        seq: int = row[0]
        return seq

    def add_mentions(self, entity: int, records: Iterable[int]) -> None:
        """Put the mentions of an entity back."""
        self._rows.run_many("add_mention", [{"entity": entity, "record": record} for record in records])

    def _by_key(self, query: str, only: Mapping[str, Any], *, first: int | str) -> Iterator[Row]:
        """Pages by the key in the first column, which is not handed out."""
        after = first
        while page := self._rows.all(query, **only, after=after, limit=PAGE):
            after = page[-1][0]
            yield from (row[1:] for row in page)

    def _by_record(self, query: str, only: Mapping[str, Any]) -> Iterator[Row]:
        after = 0
        while upto := self._end_of_page(after):
            yield from self._rows.all(query, **only, after=after, upto=upto)
            after = upto

    def _end_of_page(self, after: int) -> int | None:
        row = self._rows.one("end_of_page", tenant=self._tenant, after=after, limit=PAGE)
        return row[0] if row else None

    def _entities(self, only: Mapping[str, Any]) -> Iterator[Row]:
        after = 0
        while page := self._rows.all("export_entity", **only, after=after, limit=PAGE):
            after = page[-1][0]
            for row in page:
                yield from ((*row[1:], ids) for ids in self._mentions(row[0], only))

    def _mentions(self, entity: int, only: Mapping[str, Any]) -> Iterator[str]:
        """Ids of the records that mention an entity, in lists that keep a line short; at least one list."""
        after, page = 0, None
        while page is None or len(page) == MENTIONS_A_LINE:
            page = self._rows.all("export_mentions", **only, entity=entity, after=after, limit=MENTIONS_A_LINE)
            if page or after == 0:
                yield json.dumps([row[1] for row in page])
            after = page[-1][0] if page else after

    def _documents(self, only: Mapping[str, Any]) -> Iterator[Row]:
        after: Row = ("", "", "", -1)
        while page := self._rows.all(
            "export_document",
            **only,
            limit=PAGE,
            after_space=after[0],
            after_owner=after[1],
            after_name=after[2],
            after_version=after[3],
        ):
            after = page[-1]
            yield from page
