"""Search by vectors in Chroma, for those who run it: a folder or a server comes in, the nearest records go out.

The store stays the truth. Chroma holds copies of its vectors, with numbers for labels and no text; it is caught up from
the store before each search, and what it finds is compared with the store's own vectors and checked against the view.
When it cannot be used, a search finds nothing, and recall goes on by words.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import secrets
import threading
import time
import urllib.parse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from toldonce.errors import ConfigError, VectorEngineError
from toldonce.optional import install_hint
from toldonce.storage.store import Store, Tables, View
from toldonce.storage.tables.search import Shown
from toldonce.storage.tables.vectors import VectorRow
from toldonce.storage.vectors.index import decode_vectors, rescore_exactly
from toldonce.storage.vectors.search import (
    MOST_PARTS,
    NearestRecords,
    best_of_parts,
    filter_columns,
    label_columns,
)

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

log = logging.getLogger("toldonce")

PREFIX = "chroma:"
KEY_VARIABLE = "TOLDONCE_VECTOR_ENGINE_KEY"
# Settings of a store: what its collections are called, and up to which vector each of them has all.
_NAME, _PLACE = "chroma name", "chroma place "
_AT_ONCE = 2_000
_IDS_AT_ONCE = 5_000
_REST_S = 60.0
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
# More than Chroma's defaults: filters leave few of the vectors that the graph visits.
_INDEX: Any = {"hnsw": {"space": "cosine", "ef_construction": 200, "ef_search": 200}}


class ChromaEngine:
    """A Chroma database: `chroma:FOLDER`, which one process uses at a time, or `chroma:http://HOST:PORT`."""

    def __init__(self, address: str, *, rest_s: float = _REST_S) -> None:
        self._place = _read_place(address)
        if importlib.util.find_spec("chromadb") is None:
            raise ConfigError(f"the vector engine Chroma is not installed: {install_hint('chroma')}")
        self._rest_s = rest_s
        self._rests_until = 0.0
        self._client: ClientAPI | None = None
        self._lock = threading.Lock()

    def attach(self, store: Store) -> None:
        """Give a store the name of its collections, unless it has one."""
        if store.key is not None:
            raise ConfigError(
                "an encrypted memory keeps its vectors encrypted, and Chroma would not: leave vector_engine out"
            )
        if not store.read(_read_name):
            name = secrets.token_hex(8)
            store.write(lambda t: t.documents.set_setting("", _NAME, _read_name(t) or name))

    def open_search(self, store: Store, *, model: str, dimensions: int) -> ChromaNearestRecords:
        """The search by vectors of one model of a store."""
        return ChromaNearestRecords(self, store, model=model, dimensions=dimensions)

    @property
    def is_resting(self) -> bool:
        """Whether it failed a moment ago and is left alone."""
        return time.monotonic() < self._rests_until

    def note_failure(self, problem: VectorEngineError) -> None:
        """Leave it alone for a while."""
        self._rests_until = time.monotonic() + self._rest_s
        log.warning("searching without vectors for a minute: %s", problem)

    @contextmanager
    def use_client(self) -> Iterator[ClientAPI]:
        """The client; whatever goes wrong with it is a VectorEngineError."""
        import httpx
        from chromadb.errors import ChromaError, InvalidArgumentError

        try:
            yield self._connect()
        except InvalidArgumentError as problem:
            self._client = None
            raise VectorEngineError(
                f"{self._place} does not take these vectors: delete its collections that begin with `toldonce-`, and "
                "they are filled again from the memory"
            ) from problem
        except (ChromaError, httpx.HTTPError, OSError, RuntimeError, ValueError) as problem:
            self._client = None
            raise VectorEngineError(
                f"Chroma at {self._place} cannot be used ({type(problem).__name__}): check that it runs, or leave "
                "vector_engine out"
            ) from problem

    def remove_destroyed(self, store: Store) -> bool:
        """Remove every vector that the store no longer has; False when Chroma cannot be used now."""
        try:
            with self.use_client() as client:
                self._remove_from_all(client, store)
        except VectorEngineError as problem:
            log.warning("destroyed vectors are still in Chroma: %s", problem)
            return False
        return True

    def _connect(self) -> ClientAPI:
        with self._lock:
            if self._client is None:
                import chromadb
                from chromadb.config import Settings

                settings = Settings(anonymized_telemetry=False)
                if "://" not in self._place:
                    self._client = chromadb.PersistentClient(self._place, settings=settings)
                else:
                    parts = urllib.parse.urlsplit(self._place)
                    key = os.environ.get(KEY_VARIABLE)
                    self._client = chromadb.HttpClient(
                        host=parts.hostname or "",
                        port=parts.port or (443 if parts.scheme == "https" else 8000),
                        ssl=parts.scheme == "https",
                        headers={"Authorization": f"Bearer {key}"} if key else None,
                        settings=settings,
                    )
            return self._client

    def _remove_from_all(self, client: ClientAPI, store: Store) -> None:
        prefix = _collection_prefix(store.read(_read_name))
        models = {number for number, *_ in store.read(lambda t: t.vectors.list_models())}
        for collection in _list_collections(client):
            if not collection.name.startswith(prefix):
                continue
            number = int(collection.name.removeprefix(prefix))
            if number not in models:
                client.delete_collection(collection.name)
            else:
                _remove_missing(collection, store, number)


class ChromaNearestRecords(NearestRecords):
    """The records nearest to a vector, by a collection of Chroma that is caught up from the store."""

    def __init__(self, engine: ChromaEngine, store: Store, *, model: str, dimensions: int) -> None:
        super().__init__(store, model=model, dimensions=dimensions)
        self._engine = engine
        self._collection: Collection | None = None
        self._saved = 0
        # Records whose vectors were copied in a transaction, which does not see that they were destroyed since.
        self._doubted: set[int] = set()

    def search(
        self,
        tables: Tables,
        vector: NDArray[np.float32],
        view: View,
        *,
        limit: int,
        exact: bool = True,
        shown: Shown | None = None,
    ) -> list[tuple[int, float]]:
        """Places of the nearest records and their exact cosine; none while Chroma cannot be used."""
        if self._engine.is_resting:
            return []
        try:
            return super().search(tables, vector, view, limit=limit, exact=exact, shown=shown)
        except VectorEngineError as problem:
            self._note_failure(problem)
            return []

    def similarity(
        self, tables: Tables, vector: NDArray[np.float32], seqs: Sequence[int], *, exact: bool = True
    ) -> dict[int, float]:
        """The exact cosines, however they are wanted: the store has the vectors."""
        self._known_model(tables)
        return super().similarity(tables, vector, seqs)

    def query_vector(self, question: NDArray[np.float32]) -> NDArray[np.float32]:
        """The vector to search with; no transaction is open here, so this is where Chroma is caught up."""
        self._copy_vectors()
        return self._shape.ask(question) if self._shape else question

    def learn_shape(self) -> bool:
        """Fit the whitening again where it is time, and write down up to where Chroma has everything."""
        self._copy_vectors()
        if self._last > self._saved:
            name, last = f"{_PLACE}{self._model}", self._last
            self._store.write(lambda t: t.documents.set_setting("", name, str(last)))
            self._saved = last
        return super().learn_shape()

    def forget(self) -> None:
        """Read the whitening again, after a purge; `remove_destroyed` of the engine removes vectors."""
        with self._lock:
            self._shape = None

    def _copy_vectors(self) -> None:
        """Catch up with the store, in short transactions; remove what was destroyed since it was copied."""
        if self._engine.is_resting:
            return
        try:
            self._store.read(self._catch_up)
            self._recheck()
        except VectorEngineError as problem:
            self._note_failure(problem)

    def _note_failure(self, problem: VectorEngineError) -> None:
        self._collection = None
        self._engine.note_failure(problem)

    def _recheck(self) -> None:
        with self._lock:
            doubted, self._doubted = self._doubted, set()
            model, collection = self._model, self._collection
        if not doubted or model is None or collection is None:
            return
        parts = self._store.read(lambda t: t.vectors.parts_of(model, doubted))
        gone = [record for record in doubted if (record, 0) not in parts]
        if gone:
            with self._engine.use_client():
                collection.delete(ids=[_write_id(record, part) for record in gone for part in range(MOST_PARTS)])

    def _catch_up(self, tables: Tables) -> bool:
        with self._lock:
            model = self._known_model(tables)
            if model is None:
                return False
            collection = self._collection or self._open_collection(tables, model)
            while rows := tables.vectors.read_written_after(model, self._last, limit=_AT_ONCE):
                self._upsert(collection, rows)
                self._last = rows[-1].seq
            if self._shape is None or self._last > self._shaped_at * 5 // 4:
                self._load_shape(tables, model)
            return self._last > 0

    def _open_collection(self, tables: Tables, model: int) -> Collection:
        name = f"{_collection_prefix(_read_name(tables))}{model}"
        with self._engine.use_client() as client:
            found = client.get_or_create_collection(name, embedding_function=None, configuration=_INDEX)
            # One that was deleted, or belongs to another Chroma, is filled from the beginning.
            is_empty = found.count() == 0
        self._last = self._saved = 0 if is_empty else int(tables.documents.read_setting("", f"{_PLACE}{model}") or 0)
        self._collection = found
        return found

    def _upsert(self, collection: Collection, rows: Sequence[VectorRow]) -> None:
        vectors: Any = decode_vectors([row.vector for row in rows], self._dimensions)
        labels = label_columns(rows)
        with self._engine.use_client():
            collection.upsert(
                ids=[_write_id(row.record, row.part) for row in rows],
                embeddings=vectors,
                metadatas=[{name: numbers[place] for name, numbers in labels.items()} for place in range(len(rows))],
            )
        self._doubted.update(row.record for row in rows)

    def _nearest_rows(
        self, tables: Tables, vector: NDArray[np.float32], view: View, *, wanted: int, exact: bool
    ) -> tuple[dict[int, float], bool]:
        collection = self._collection
        if collection is None or not vector.any():
            return {}, False
        many = wanted + wanted // 2
        asked: Any = [vector]
        with self._engine.use_client():
            found = collection.query(
                query_embeddings=asked, n_results=many, where=_write_filter(filter_columns(view)), include=[]
            )
        keys = np.array([_read_id(one) for one in found["ids"][0]], np.int64)
        vectors = self._fetch_vectors(tables, keys)
        best = best_of_parts(rescore_exactly(vector, keys, vectors=vectors)[:wanted])
        return best, len(keys) >= many


def _read_place(address: str) -> str:
    place = address.removeprefix(PREFIX)
    if not address.startswith(PREFIX) or not place:
        raise ConfigError(f"vector_engine is {address[:80]!r}: write chroma:FOLDER or chroma:http://HOST:PORT")
    if "://" not in place:
        return str(os.path.abspath(os.path.expanduser(place)))
    parts = urllib.parse.urlsplit(place)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        raise ConfigError("vector_engine: the address of a Chroma server looks like chroma:http://127.0.0.1:8000")
    if parts.scheme == "http" and parts.hostname not in _LOOPBACK and os.environ.get(KEY_VARIABLE):
        raise ConfigError(f"{KEY_VARIABLE} is sent by https only, except to this machine: use chroma:https://...")
    return place


def _read_name(tables: Tables) -> str:
    return tables.documents.read_setting("", _NAME) or ""


def _collection_prefix(name: str) -> str:
    return f"toldonce-{name}-"


def _list_collections(client: ClientAPI) -> Iterator[Collection]:
    found: list[Collection] = []
    while page := client.list_collections(limit=100, offset=len(found)):
        found += page
    yield from found


def _remove_missing(collection: Collection, store: Store, model: int) -> None:
    """Remove the vectors of a collection that the store no longer has."""
    gone: list[str] = []
    offset = 0
    while ids := collection.get(include=[], limit=_IDS_AT_ONCE, offset=offset)["ids"]:
        offset += len(ids)
        keys = {one: divmod(_read_id(one), MOST_PARTS) for one in ids}
        there = _find_parts(store, model, {record for record, _ in keys.values()})
        gone += [one for one, key in keys.items() if key not in there]
    for start in range(0, len(gone), _AT_ONCE):
        collection.delete(ids=gone[start : start + _AT_ONCE])


def _find_parts(store: Store, model: int, records: Iterable[int]) -> set[tuple[int, int]]:
    return store.read(lambda t: t.vectors.parts_of(model, records))


def _write_id(record: int, part: int) -> str:
    return str(record * MOST_PARTS + part)


def _read_id(text: str) -> int:
    return int(text)


def _write_filter(columns: Mapping[str, Sequence[int]]) -> Any:
    """The conditions on labels as Chroma takes them."""
    each = [{name: {"$in": list(numbers)}} for name, numbers in columns.items()]
    return each[0] if len(each) == 1 else {"$and": each}
