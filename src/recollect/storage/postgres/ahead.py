"""Queries that are sent before anybody waits for them: several share one round trip to the server.

Callers say what they are going to read by the functions that will read it. Each is run as far as its first query that
was not sent yet, which is noted. All that were noted are sent together, and the functions find the rows when they are
run again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias

from recollect.storage.postgres.words import build_match, build_pair_match

Row: TypeAlias = tuple[Any, ...]
# A query's name with its values: in one snapshot both tell which rows it has.
QueryKey: TypeAlias = tuple[str, tuple[tuple[str, Any], ...]]


def make_key(name: str, values: Mapping[str, Any]) -> QueryKey:
    """What tells a query from all others of its transaction. The same values in another order would be asked for twice,
    which no caller does; sorting them each time costs more.
    """
    return name, tuple(values.items())


class _UnknownQuery(Exception):
    """A function has come to a query whose rows are not here."""


class FirstQueries:
    """Rows for functions whose first query is to be found out: those that are here already, and no others."""

    def __init__(self, known: Mapping[QueryKey, list[Row]], *, tenant: str) -> None:
        self._known = known
        self._tenant = tenant
        self.found: dict[QueryKey, tuple[str, Mapping[str, Any]]] = {}

    def note(self, works: Iterable[Callable[[FirstQueries], object]]) -> None:
        """Run each as far as the first query that is not known; one that asks nothing new notes nothing."""
        for work in works:
            with contextlib.suppress(_UnknownQuery):
                work(self)

    def all(self, name: str, /, **values: Any) -> list[Row]:
        return self.all_of(name, [values])[0]

    def one(self, name: str, /, **values: Any) -> Row | None:
        rows = self.all(name, **values)
        return rows[0] if rows else None

    def all_of(self, name: str, several: Sequence[Mapping[str, Any]], /) -> list[list[Row]]:
        keys = [make_key(name, values) for values in several]
        unknown = {key: (name, values) for key, values in zip(keys, several, strict=True) if key not in self._known}
        if unknown:
            self.found |= unknown
            raise _UnknownQuery
        return [self._known[key] for key in keys]

    def run(self, name: str, /, **_: Any) -> NoReturn:
        raise RuntimeError(f"{name} changes something: it cannot be asked ahead")

    def run_many(self, name: str, _: Sequence[Mapping[str, Any]], /) -> NoReturn:
        self.run(name)

    def fetch_ahead(self, _: Sequence[Callable[..., object]], /) -> bool:
        return False

    def matching(self, words: Sequence[str], *, among: Sequence[str] = (), readers: Sequence[str] = ()) -> str:
        return build_match(words, tenant=self._tenant, among=among, readers=readers)

    def matching_pairs(self, pairs: Sequence[str]) -> str:
        return build_pair_match(pairs, tenant=self._tenant)
