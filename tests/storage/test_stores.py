"""Every backend keeps the contract of a store: SQLite in a file and in memory, and PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.postgres import Databases
from toldonce import conformance
from toldonce.storage.open import open_store as open_place
from toldonce.storage.store import Store

Open = Callable[[str], Store]


@pytest.fixture
def open_store() -> Iterator[Open]:
    opened: list[Store] = []

    def open_one(place: str) -> Store:
        opened.append(open_place(place))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def take_database(request: pytest.FixtureRequest) -> Iterator[Callable[[], str]]:
    """Lends empty databases; the server is started by the first test that asks."""
    taken: list[str] = []

    def take() -> str:
        databases: Databases = request.getfixturevalue("databases")
        taken.append(databases.take())
        return taken[-1]

    yield take
    for address in taken:
        request.getfixturevalue("databases").give_back(address)


@pytest.fixture(params=["file", "memory", "postgres"])
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def store(backend: str, tmp_path: Path, take_database: Callable[[], str], open_store: Open) -> Store:
    if backend == "postgres":
        return open_store(take_database())
    return open_store(str(tmp_path / "store.db") if backend == "file" else ":memory:")


@pytest.fixture
def spare_store(backend: str, take_database: Callable[[], str], open_store: Open) -> Store:
    return open_store(take_database() if backend == "postgres" else ":memory:")


@pytest.fixture
def reopen(open_store: Open) -> Callable[[Store], Store]:
    def again(store: Store) -> Store:
        if store.place == ":memory:":
            pytest.skip("a store in memory ends with its process")
        store.close()
        return open_store(store.place)

    return again


@pytest.fixture
def open_copy(backend: str, open_store: Open) -> Open:
    if backend == "postgres":
        pytest.skip("the server's own tools copy a database")
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


class TestSealed(conformance.SealedConformance):
    pass


class TestSearch(conformance.SearchConformance):
    pass


class TestDoubts(conformance.DoubtsConformance):
    pass


class TestEntities(conformance.EntitiesConformance):
    pass


class TestMoving(conformance.MovingConformance):
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


class TestWebhooks(conformance.WebhooksConformance):
    pass
