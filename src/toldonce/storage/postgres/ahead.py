"""Queries that are sent before anybody waits for them: several share one round trip to the server.

Callers say what they are going to read by the functions that will read it. Each is run as far as its first query that
was not sent yet, which is noted. All that were noted are sent together, and the functions find the rows when they are
run again.

A few queries about the state of a store have the same rows in one transaction after the other. Where such a query is
noted, its function goes on with the rows of an earlier transaction, so that its next query is noted as well. That is a
guess: it decides what is sent, never what is returned. Where there is none yet, the function is run again afterwards.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias

from toldonce.storage.postgres.words import build_match, build_pair_match

Row: TypeAlias = tuple[Any, ...]
# A query's name with its values: in one snapshot both tell which rows it has.
QueryKey: TypeAlias = tuple[str, tuple[tuple[str, Any], ...]]

# Queries with one short row that seldom changes, or whose exact number seldom matters.
_STATE_QUERIES = frozenset({"count_records", "count_word_matches", "vector_state"})
_MOST_GUESSES = 256


def make_key(name: str, values: Mapping[str, Any]) -> QueryKey:
    """What tells a query from all others of its transaction. The same values in another order would be asked for twice,
    which no caller does; sorting them each time costs more.
    """
    return name, tuple(values.items())


class _UnknownQuery(Exception):
    """A function has come to a query whose rows are not here; `asks_state` if a guess was missing."""

    def __init__(self, *, asks_state: bool) -> None:
        super().__init__()
        self.asks_state = asks_state


class Guesses:
    """The rows that queries about the state of a store had last. Shared by the threads of a process."""

    def __init__(self, most: int = _MOST_GUESSES) -> None:
        self._most = most
        self._rows: dict[QueryKey, list[Row]] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._rows)

    def find(self, key: QueryKey) -> list[Row] | None:
        """The rows that a query is likely to have, if that is known."""
        return self._rows.get(key)

    def keep(self, answers: Iterable[tuple[QueryKey, list[Row]]]) -> None:
        """Remember rows of those queries, for those that were sent last."""
        with self._lock:
            for key, rows in answers:
                if key[0] in _STATE_QUERIES:
                    self._rows.pop(key, None)
                    self._rows[key] = rows
            while len(self._rows) > self._most:
                del self._rows[next(iter(self._rows))]


Work: TypeAlias = "Callable[[FirstQueries], object]"


class FirstQueries:
    """Rows for functions whose first query is to be found out: those that are here already, and guesses."""

    def __init__(self, known: Mapping[QueryKey, list[Row]], guesses: Guesses, *, tenant: str) -> None:
        self._known = known
        self._guesses = guesses
        self._tenant = tenant
        self.found: dict[QueryKey, tuple[str, Mapping[str, Any]]] = {}

    def note(self, works: Iterable[Work]) -> list[Work]:
        """Run each as far as the first query that nothing is known of; one that asks nothing new notes nothing.

        Returns those that came to a query about the state of the store: they have more to ask once that is known.
        """
        stopped = []
        for work in works:
            try:
                work(self)
            except _UnknownQuery as unknown:
                if unknown.asks_state:
                    stopped.append(work)
        return stopped

    def all(self, name: str, /, **values: Any) -> list[Row]:
        return self.all_of(name, [values])[0]

    def one(self, name: str, /, **values: Any) -> Row | None:
        rows = self.all(name, **values)
        return rows[0] if rows else None

    def all_of(self, name: str, several: Sequence[Mapping[str, Any]], /) -> list[list[Row]]:
        found = [self._find(make_key(name, values), name, values) for values in several]
        if None in found:
            raise _UnknownQuery(asks_state=name in _STATE_QUERIES)
        return [rows for rows in found if rows is not None]

    def _find(self, key: QueryKey, name: str, values: Mapping[str, Any]) -> list[Row] | None:
        if (rows := self._known.get(key)) is not None:
            return rows
        self.found[key] = (name, values)
        return self._guesses.find(key)

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
