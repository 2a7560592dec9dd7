"""The seam between tables and a backend: named queries in, tuples out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol


class Rows(Protocol):
    """Runs a backend's named queries inside one transaction."""

    def all(self, name: str, /, **values: Any) -> list[tuple[Any, ...]]:
        """Every row of a query; [] for nothing."""

    def one(self, name: str, /, **values: Any) -> tuple[Any, ...] | None:
        """The first row of a query, or None."""

    def matching(self, words: Sequence[str], *, among: Sequence[str] = (), readers: Sequence[str] = ()) -> str:
        """The backend's full-text query: records with any of `words`, and one of `among`, for one of these readers.

        What is left empty asks for nothing. Words are plain: nothing in them is an operator.
        """

    def matching_pairs(self, pairs: Sequence[str]) -> str:
        """The same over pairs of characters; a single character stands for every pair that begins with it."""

    def run(self, name: str, /, **values: Any) -> int:
        """How many rows a statement changed."""

    def run_many(self, name: str, several: Sequence[Mapping[str, Any]], /) -> int:
        """How many rows a statement changed, run with each of these values."""

    def all_of(self, name: str, several: Sequence[Mapping[str, Any]], /) -> list[list[tuple[Any, ...]]]:
        """Every row of a query for each of these values."""

    def fetch_ahead(self, works: Sequence[Callable[[Rows], object]], /) -> bool:
        """Ask at once for what each of these reads first, and keep it for when the same is read in this transaction.

        Returns whether it did. A backend that has no round trips to save does nothing, and so does a transaction that
        may write.
        """
