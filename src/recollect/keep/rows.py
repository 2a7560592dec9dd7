"""The seam between tables and a backend: named queries in, tuples out."""

from __future__ import annotations

from typing import Any, Protocol


class Rows(Protocol):
    """Runs a backend's named queries inside one transaction."""

    def all(self, name: str, /, **values: Any) -> list[tuple[Any, ...]]:
        """Every row of a query; [] for nothing."""

    def one(self, name: str, /, **values: Any) -> tuple[Any, ...] | None:
        """The first row of a query, or None."""

    def run(self, name: str, /, **values: Any) -> int:
        """How many rows a statement changed."""
