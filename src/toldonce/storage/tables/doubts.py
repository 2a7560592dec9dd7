"""Doubted records and what they are shown under: the newer records that probably end them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from toldonce.records import Record
from toldonce.storage.rows import Rows
from toldonce.storage.tables.records import record_from_row

if TYPE_CHECKING:
    from toldonce.storage.store import View


class DoubtTable:
    """Which records doubt which, as far as a view's person may see them and as of its moment."""

    __slots__ = ("_exist", "_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant
        self._exist: bool | None = None

    def exist(self, view: View) -> bool:
        """Whether any record is doubted, as far as a reader knows who asks for the first time in this transaction.

        For a moment of the past it is not known.
        """
        if view.as_of is not None:
            return True
        if self._exist is None:
            self._exist = self._rows.one("any_doubted", tenant=self._tenant) is not None
        return self._exist

    def find_under(self, ids: Iterable[str], view: View) -> dict[str, list[Record]]:
        """For each of these records the doubted ones that are shown under it and nowhere else, newest first.

        They are what it doubts, and what one that follows it doubts.
        """
        return self._find("find_doubted", ids, view)

    def find_among(self, ids: Iterable[str], view: View) -> dict[str, list[Record]]:
        """For each of these records itself, if it is doubted, and the doubted ones that were drawn from it."""
        return self._find("find_doubted_among", ids, view)

    def find_over(self, ids: Iterable[str], view: View) -> dict[str, list[Record]]:
        """For each of these doubted records the active ones that it is shown under, newest first."""
        return self._find("find_over_doubted", ids, view)

    def _find(self, query: str, ids: Iterable[str], view: View) -> dict[str, list[Record]]:
        if not (named := list(dict.fromkeys(ids))):
            return {}
        seen = view.values()
        given: dict[str, Any] = {name: seen[name] for name in ("user", "now", "as_of")}
        found: dict[str, list[Record]] = {}
        for row in self._rows.all(query, tenant=self._tenant, ids=json.dumps(named), **given):
            found.setdefault(row[-1], []).append(record_from_row(row))
        return found
