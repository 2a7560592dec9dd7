"""Chroma as the vector engine, embedded and as a real server: the same answers, and words while it is away."""

from __future__ import annotations

import logging
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
import pytest
from chromadb.api import ClientAPI
from chromadb.config import Settings

from tests.conftest import OpenMemory
from tests.integrations.table import Integration
from tests.postgres import Databases
from tests.storage.test_vector_search import Arbitrary
from toldonce import Memory, conformance
from toldonce.errors import ConfigError
from toldonce.storage.open import open_store
from toldonce.storage.store import Store, Tables
from toldonce.storage.vectors import chroma
from toldonce.storage.vectors.chroma import ChromaEngine

INTEGRATION = Integration(
    name="Chroma",
    package="chromadb",
    module="toldonce.storage.vectors.chroma",
    page="chroma.md",
    works={
        "vector engine, embedded or a server": "test_the_nearest_are_found_with_exact_cosines",
        "purging and erasing": "test_what_is_destroyed_is_removed_from_chroma",
        "recall by words while it is away": "test_a_server_that_is_away_leaves_recall_by_words",
    },
    lacks=("encrypted memories",),
)


class ChromaServer:
    """`chroma run` in a folder, which can be stopped and started again at the same port."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self._folder = folder
        self.address = f"chroma:http://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        program = shutil.which("chroma", path=str(Path(sys.executable).parent))
        assert program is not None
        command = [program, "run", "--path", str(self._folder), "--host", "127.0.0.1", "--port", str(self._port)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self._port)) == 0:
                    return
            assert self._process.poll() is None, "the Chroma server ended"
            time.sleep(0.05)
        raise AssertionError("the Chroma server did not start")

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(30)
            self._process = None


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChromaServer]:
    server = ChromaServer(tmp_path_factory.mktemp("server"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(params=["folder", "server"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "folder":
        return f"chroma:{tmp_path / 'chroma'}"
    found: ChromaServer = request.getfixturevalue("running")
    return found.address


def open_client(address: str) -> ClientAPI:
    place, settings = address.removeprefix("chroma:"), Settings(anonymized_telemetry=False)
    if "://" in place:
        return chromadb.HttpClient(host="127.0.0.1", port=int(place.rpartition(":")[2]), settings=settings)
    return chromadb.PersistentClient(place, settings=settings)


def count_vectors(address: str) -> int:
    """Everything that is in this Chroma."""
    return sum(collection.count() for collection in open_client(address).list_collections())


class TestVectors(conformance.VectorsConformance):
    """The part of the conformance suite about vectors, on each backend with Chroma beside it."""

    @pytest.fixture(params=["file", "memory", "postgres"])
    def store(
        self, request: pytest.FixtureRequest, address: str, tmp_path: Path, opened: Callable[[str], Store]
    ) -> Iterator[Store]:
        if request.param != "postgres":
            yield opened(str(tmp_path / "store.db") if request.param == "file" else ":memory:")
            return
        databases: Databases = request.getfixturevalue("databases")
        place = databases.take()
        yield opened(place)
        databases.give_back(place)

    @pytest.fixture
    def opened(self, address: str) -> Iterator[Callable[[str], Store]]:
        stores: list[Store] = []

        def open_one(place: str) -> Store:
            store, engine = open_store(place), ChromaEngine(address)
            engine.attach(store)
            store.vector_search = lambda **given: engine.open_search(store, **given)  # type: ignore[method-assign]
            stores.append(store)
            return store

        yield open_one
        for store in stores:
            store.close()

    @pytest.fixture
    def reopen(self, opened: Callable[[str], Store]) -> Callable[[Store], Store]:
        def again(store: Store) -> Store:
            if store.place == ":memory:":
                pytest.skip("a store in memory ends with its process")
            store.close()
            return opened(store.place)

        return again


def fill(memory: Memory, count: int = 400) -> None:
    people = ("alex", "sam")
    memory.observe_many(
        {"text": f"Room {n} was painted {n * 7} days ago", "user": people[n % 2], "session": "s"} for n in range(count)
    )
    memory.tend()


def find_nearest(memory: Memory, asked: str) -> tuple[dict[int, float], dict[int, float]]:
    """The places and cosines of the ten records nearest to a question, as searched for and as they truly are."""
    vector, (view, _) = Arbitrary().embed([asked])[0], memory.engine.view_for("alex", None)
    nearest = memory.engine.searcher.vector_search
    assert nearest is not None

    def read(tables: Tables) -> tuple[dict[int, float], dict[int, float]]:
        seqs = [seq for seq, record in tables.records.read_page(None, limit=1_000) if record.user == "alex"]
        true = sorted(nearest.similarity(tables, vector, seqs).items(), key=lambda one: -one[1])[:10]
        return dict(nearest.search(tables, vector, view, limit=10)), dict(true)

    return memory.store.read(read)


def test_the_nearest_are_found_with_exact_cosines(open_memory: OpenMemory, address: str) -> None:
    """Of the ten nearest at least 98 % are found."""
    memory = open_memory("assistant", embedder=Arbitrary(), vector_engine=address)
    fill(memory)
    shared = 0
    for n in range(20):
        found, true = find_nearest(memory, f"question {n} about paint")
        both = found.keys() & true.keys()
        shared += len(both)
        assert {seq: found[seq] for seq in both} == pytest.approx({seq: true[seq] for seq in both}, abs=1e-3)
    assert shared >= 0.98 * 200


def test_recall_finds_the_same_as_without_chroma(open_memory: OpenMemory, tmp_path: Path) -> None:
    """With the built-in embedder the first hit is the same, and nine in ten of all hits are."""
    people, habits = (
        ("Ana", "Rui", "Tom", "Eva", "Leo"),
        ("swims", "cooks", "paints", "sings", "runs", "reads", "sails"),
    )
    times = ("on Mondays", "in winter", "with friends")
    said = [f"{who} {what} {when}" for who in people for what in habits for when in times]
    found = []
    for name, engine in (("plain.db", None), ("beside.db", f"chroma:{tmp_path / 'chroma'}")):
        memory = open_memory("assistant", file=name, embedder="default", vector_engine=engine)
        memory.observe_many({"text": text, "user": "alex", "session": "s"} for text in said)
        memory.tend()
        asked = [f"Who {what}, and when?" for what in ("goes swimming", "makes dinner", "has a boat", "likes books")]
        found.append([[hit.record.text for hit in memory.recall(one, "alex", limit=10, min_score=0)] for one in asked])
    mine, theirs = found
    assert [one[0] for one in mine] == [one[0] for one in theirs]
    same = sum(len({*one} & {*other}) for one, other in zip(mine, theirs, strict=True))
    assert same >= 0.9 * sum(len(one) for one in mine)


def test_vectors_and_numbers_are_all_that_chroma_has(open_memory: OpenMemory, tmp_path: Path) -> None:
    memory = open_memory("assistant", embedder=Arbitrary(), vector_engine=f"chroma:{tmp_path / 'chroma'}")
    memory.remember("Alexandra lives in Zanzibar", user="alexandra")
    memory.tend()
    memory.recall("who lives there", "alexandra")
    (collection,) = open_client(f"chroma:{tmp_path / 'chroma'}").list_collections()
    found: Any = collection.get(include=["metadatas", "documents"])
    assert found["documents"] == [None]
    assert set(found["metadatas"][0]) == {"space", "owner", "kind"}
    assert all(isinstance(number, int) for number in found["metadatas"][0].values())
    files = b"".join(file.read_bytes() for file in (tmp_path / "chroma").rglob("*") if file.is_file())
    assert b"lexandra" not in files and b"anzibar" not in files


def test_what_is_destroyed_is_removed_from_chroma(open_memory: OpenMemory, address: str) -> None:
    before = count_vectors(address) if "://" in address else 0
    memory = open_memory("assistant", embedder=Arbitrary(), vector_engine=address)
    gone = memory.remember("Alex likes tea", user="alex")
    memory.remember("Sam likes coffee", user="sam")
    memory.remember("Sam has a boat", user="sam")
    memory.tend()
    memory.recall("what do they like", "sam")
    assert count_vectors(address) == before + 3
    memory.purge(gone.id)
    assert count_vectors(address) == before + 2
    receipt = memory.erase(user="sam")
    assert receipt.pending == () and count_vectors(address) == before


def test_erasing_without_an_embedder_removes_vectors_too(open_memory: OpenMemory, tmp_path: Path) -> None:
    address = f"chroma:{tmp_path / 'chroma'}"
    memory = open_memory("assistant", embedder=Arbitrary(), vector_engine=address)
    memory.remember("Sam likes coffee", user="sam")
    memory.tend()
    memory.recall("coffee", "sam")
    memory.close()
    plain = open_memory("assistant", vector_engine=address)
    plain.erase(user="sam")
    assert count_vectors(address) == 0


def test_vectors_of_a_model_that_was_replaced_are_removed(open_memory: OpenMemory, tmp_path: Path) -> None:
    address = f"chroma:{tmp_path / 'chroma'}"
    memory = open_memory("assistant", embedder=Arbitrary(), vector_engine=address)
    fill(memory, 10)
    memory.close()
    newer = Arbitrary()
    newer.name = "newer"
    replaced = open_memory("assistant", embedder=newer, vector_engine=address)
    replaced.jobs.reembed()
    replaced.tend()
    replaced.recall("Room 4 was painted", "alex")
    assert count_vectors(address) == 10


def test_a_chroma_that_was_emptied_is_filled_again(open_memory: OpenMemory, tmp_path: Path) -> None:
    first, second = f"chroma:{tmp_path / 'one'}", f"chroma:{tmp_path / 'two'}"
    memory = open_memory("assistant", embedder=Arbitrary(), vector_engine=first)
    fill(memory, 20)
    memory.close()
    moved = open_memory("assistant", embedder=Arbitrary(), vector_engine=second)
    assert moved.recall("Room 4 was painted", "alex")
    assert count_vectors(second) == count_vectors(first) == 20


def test_a_killed_copy_goes_on_and_only_what_is_new_is_copied(
    open_memory: OpenMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"chroma:{tmp_path / 'chroma'}"
    memory = open_memory("assistant", embedder=Arbitrary(), vector_engine=address)
    fill(memory, 50)
    memory.close()
    copied: list[int] = []
    original = chroma.ChromaNearestRecords._upsert

    def upsert(self: Any, collection: Any, rows: Any) -> None:
        copied.append(len(rows))
        original(self, collection, rows)

    monkeypatch.setattr(chroma.ChromaNearestRecords, "_upsert", upsert)
    again = open_memory("assistant", embedder=Arbitrary(), vector_engine=address)
    again.observe("One more room was painted", "alex", session="s")
    again.tend()
    again.recall("Room 4 was painted", "alex")
    assert copied == [1] and count_vectors(address) == 51


def test_a_server_that_is_away_leaves_recall_by_words(
    open_memory: OpenMemory, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server = ChromaServer(tmp_path / "server")
    server.start()
    try:
        memory = open_memory("assistant", embedder=Arbitrary(), vector_engine=server.address)
        memory.engine.searcher._vector_engine._rest_s = 0.0  # type: ignore[union-attr]
        memory.remember("Alex likes tea", user="alex")
        memory.tend()
        memory.recall("tea", "alex")
        assert count_vectors(server.address) == 1
        server.stop()
        with caplog.at_level(logging.WARNING, "toldonce"):
            memory.remember("Alex likes green paint", user="alex")
            memory.tend()
            assert memory.recall("green paint", "alex")[0].record.text == "Alex likes green paint"
        assert "check that it runs" in caplog.text
        receipt = memory.erase(user="alex")
        assert any("vector engine" in line for line in receipt.pending)
        server.start()
        memory.tend()
        memory.recall("green paint", "alex")
        assert count_vectors(server.address) == 0
    finally:
        server.stop()


def test_a_collection_of_other_dimensions_is_named_with_what_to_do(
    open_memory: OpenMemory, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    memory = open_memory("assistant", embedder=Arbitrary(), vector_engine=f"chroma:{tmp_path / 'chroma'}")
    kept = memory.remember("Alex likes tea", user="alex")
    memory.tend()
    client = open_client(f"chroma:{tmp_path / 'chroma'}")
    (collection,) = client.list_collections()
    client.delete_collection(collection.name)
    other: Any = np.ones((1, 3), np.float32)
    client.create_collection(collection.name, embedding_function=None).add(ids=["1"], embeddings=other)
    memory.close()
    again = open_memory("assistant", embedder=Arbitrary(), vector_engine=f"chroma:{tmp_path / 'chroma'}")
    with caplog.at_level(logging.WARNING, "toldonce"):
        assert [hit.record.id for hit in again.recall("likes tea", "alex")] == [kept.id]
    assert "delete its collections" in caplog.text


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ("faiss", "chroma:FOLDER"),
        ("chroma:", "chroma:FOLDER"),
        ("chroma:ftp://example.org", "looks like"),
        ("chroma:http://", "looks like"),
    ],
)
def test_an_engine_that_cannot_be_used_is_refused(open_memory: OpenMemory, engine: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        open_memory("assistant", vector_engine=engine)


def test_without_the_package_it_says_what_to_install(open_memory: OpenMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chroma.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ConfigError, match=r"\[chroma\]"):
        open_memory("assistant", vector_engine="chroma:x")


def test_an_encrypted_memory_does_not_leave_its_vectors_in_the_open(open_memory: OpenMemory, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="encrypted"):
        open_memory("assistant", encryption_key="a passphrase", vector_engine=f"chroma:{tmp_path / 'chroma'}")
