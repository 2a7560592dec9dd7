"""Backups and exports at paths of the caller's choice: an erasure cannot reach them, so it lists them."""

from __future__ import annotations

import os
from datetime import datetime
from typing import Literal

from toldonce.clock import from_micros, to_micros
from toldonce.records import Copy
from toldonce.storage.rows import Rows


class CopyTable:
    """Which copies were made, where and when."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def add(self, path: str, what: Literal["backup", "export"], *, at: datetime) -> None:
        """A copy is written to that path."""
        self._rows.run("add_copy", tenant=self._tenant, path=path, what=what, at=to_micros(at))

    def all(self) -> list[Copy]:
        """Every copy that was ever written, oldest first."""
        rows = self._rows.all("list_copies", tenant=self._tenant)
        return [Copy(path=row[0], what=row[1], at=from_micros(row[2])) for row in rows]

    def drop_missing(self) -> None:
        """Forget the copies that are no longer there."""
        for copy in self.all():
            if not os.path.exists(copy.path):
                self._rows.run("drop_copy", tenant=self._tenant, path=copy.path)
