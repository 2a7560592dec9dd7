"""SQLite keeps the contract of a store, in a file and in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recollect import conformance
from recollect.storage.sqlite.store import SqliteStore
from recollect.storage.store import Store


@pytest.fixture
def open_store() -> Iterator[Callable[[str], Store]]:
    opened: list[Store] = []

    def open_one(place: str) -> Store:
        opened.append(SqliteStore(place))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture(params=["file", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path, open_store: Callable[[str], Store]) -> Store:
    return open_store(str(tmp_path / "store.db") if request.param == "file" else ":memory:")


@pytest.fixture
def spare_store(open_store: Callable[[str], Store]) -> Store:
    return open_store(":memory:")


@pytest.fixture
def reopen(open_store: Callable[[str], Store]) -> Callable[[Store], Store]:
    def again(store: Store) -> Store:
        if store.place == ":memory:":
            pytest.skip("a store in memory ends with its process")
        store.close()
        return open_store(store.place)

    return again


@pytest.fixture
def open_copy(open_store: Callable[[str], Store]) -> Callable[[str], Store]:
    return open_store


@pytest.fixture
def copy_path(tmp_path: Path) -> str:
    return str(tmp_path / "copy.db")


class TestAccess(conformance.AccessConformance):
    pass


class TestEvents(conformance.EventsConformance):
    pass


class TestRecords(conformance.RecordsConformance):
    pass


class TestViews(conformance.ViewsConformance):
    pass


class TestSearch(conformance.SearchConformance):
    pass


class TestEntities(conformance.EntitiesConformance):
    pass


class TestPeople(conformance.PeopleConformance):
    pass


class TestConversations(conformance.ConversationsConformance):
    pass


class TestDocuments(conformance.DocumentsConformance):
    pass


class TestJobs(conformance.JobsConformance):
    pass


class TestLedger(conformance.LedgerConformance):
    pass


class TestVectors(conformance.VectorsConformance):
    pass


class TestTimes(conformance.TimesConformance):
    pass


class TestPurge(conformance.PurgeConformance):
    pass


class TestTransfer(conformance.TransferConformance):
    pass


class TestTransactions(conformance.TransactionsConformance):
    pass


class TestUpkeep(conformance.UpkeepConformance):
    pass


class TestAmounts(conformance.AmountsConformance):
    pass


class TestErasure(conformance.ErasureConformance):
    pass


class TestAudit(conformance.AuditConformance):
    pass
