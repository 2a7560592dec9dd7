"""The server stops as if its machine had failed, again and again, while clients write: nothing acknowledged is lost."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.postgres_server import OwnServer, lend_folder
from toldonce import Memory, Record
from toldonce.errors import StoreError

WRITERS = 3
PATIENCE = 120


@pytest.fixture
def server() -> Iterator[OwnServer]:
    with lend_folder() as folder:
        started = OwnServer(folder / "pg")
        started.start()
        yield started
        started.stop("immediate")


class Client:
    """A thread that writes one numbered message after the other; one that failed is tried again."""

    def __init__(self, memory: Memory, name: str) -> None:
        self.acknowledged: list[str] = []
        self.refused = 0
        self._memory, self._name = memory, name
        self._stopped = threading.Event()
        self._grown = threading.Condition()
        self._thread = threading.Thread(target=self._write)
        self._thread.start()

    def wait_for(self, count: int) -> None:
        """Wait until so many more messages were acknowledged."""
        goal = len(self.acknowledged) + count
        with self._grown:
            assert self._grown.wait_for(lambda: len(self.acknowledged) >= goal, timeout=PATIENCE)

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def _write(self) -> None:
        number = 0
        while not self._stopped.is_set():
            number += 1
            text = f"parcel {number} of {self._name}"
            try:
                kept = self._memory.observe(text, self._name, session=self._name)
            except StoreError:
                # Whether it was stored is not known: it is not said again, so that nothing may be there twice.
                self.refused += 1
                self._stopped.wait(0.02)
                continue
            assert isinstance(kept, Record)
            with self._grown:
                self.acknowledged.append(text)
                self._grown.notify_all()


@pytest.mark.parametrize("stops", [1, pytest.param(5, marks=pytest.mark.slow)])
def test_no_acknowledged_write_is_lost_when_the_server_stops_at_once(server: OwnServer, stops: int) -> None:
    with Memory.open(server.address, preset="assistant", embedder=None, background=False) as memory:
        clients = [Client(memory, f"writer {number}") for number in range(WRITERS)]
        try:
            for _ in range(stops):
                for client in clients:
                    client.wait_for(5)
                server.stop("immediate")
                server.start()
            for client in clients:
                client.wait_for(5)
        finally:
            for client in clients:
                client.stop()
        assert memory.storage.check() == []
        records = [record for _, record in memory.store.read(lambda t: t.records.read_page(None, limit=1_000_000))]
    stored = Counter(record.text for record in records)
    assert [text for client in clients for text in client.acknowledged if stored[text] != 1] == []
    assert [text for text, count in stored.items() if count > 1] == []
    assert sum(client.refused for client in clients) > 0
