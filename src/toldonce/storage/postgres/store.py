"""The store in a PostgreSQL database: the tables of one tenant over its connections, their upkeep and check."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, TypeVar

from toldonce.errors import InputError
from toldonce.storage.encryption import EncryptionKey
from toldonce.storage.postgres.address import Address
from toldonce.storage.postgres.check import check_indexes
from toldonce.storage.postgres.database import PostgresDatabase
from toldonce.storage.postgres.statistics import clear_deleted, find_in_statistics
from toldonce.storage.store import Tables

if TYPE_CHECKING:
    from toldonce.storage.vectors.search import NearestRecords

T = TypeVar("T")


class PostgresStore:
    """The memory of one tenant. `key` seals what is written to files: exports and copies."""

    def __init__(self, address: Address, *, key: EncryptionKey | None = None) -> None:
        self._database = PostgresDatabase(address)
        self.key = key

    @property
    def place(self) -> str:
        return self._database.address.place

    def read(self, work: Callable[[Tables], T], *, person: str | None = None) -> T:
        return self._database.read(lambda rows: work(Tables(rows, self._tenant)), person=person)

    def write(self, work: Callable[[Tables], T], *, alone: bool = True) -> T:
        return self._database.write(lambda rows: work(Tables(rows, self._tenant)), alone=alone)

    def listen(self, wake: Callable[[], object]) -> Callable[[], None]:
        from toldonce.storage.postgres.listener import JobListener

        return JobListener(self._database.address, wake).stop

    def vector_search(self, *, model: str, dimensions: int) -> NearestRecords:
        from toldonce.storage.postgres.nearest import PostgresNearestRecords

        return PostgresNearestRecords(self, model=model, dimensions=dimensions)

    def backup(self, target: str) -> None:
        """Not from here: the server's own tools copy a database, and an export is a copy of one tenant."""
        raise InputError(
            "a memory in PostgreSQL is copied with `pg_dump` (as a superuser, the whole database) or with "
            "`toldonce export FILE`: see docs/postgresql.md"
        )

    def compact(self) -> None:
        """The server gives back room by itself; counts of words are summed up."""
        self.write(lambda t: t.search.merge(pages=-1))

    def rewrite(self) -> tuple[str, ...]:
        """Have the server clear deleted rows out of its tables and make its statistics of what is left."""
        self.compact()
        with self._database.maintain() as connection:
            return clear_deleted(connection, self._database.queries, tenant=self._tenant)

    def find_in_statistics(self, texts: Collection[str]) -> set[str]:
        with self._database.maintain() as connection:
            return find_in_statistics(connection, self._database.queries, texts)

    def files(self) -> list[str]:
        """None that could be looked into from here: they are the server's."""
        return []

    def check(self, *, repair: bool) -> list[str]:
        return (self.write if repair else self.read)(lambda t: check_indexes(t, repair=repair))

    def size(self) -> int:
        row = self._database.read(lambda rows: rows.one("database_size"))
        return int(row[0]) if row else 0

    def close(self) -> None:
        self._database.close()

    @property
    def _tenant(self) -> str:
        return self._database.address.tenant
