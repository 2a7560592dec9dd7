"""One small face for every system that `speed.py` compares: texts, owners and ready vectors go in, texts come out.

Nothing is imported before a system is opened, no key or network is used, and no system computes an embedding: all of
them keep and search the same given vectors. `embeds_later` says that a caller would not wait for it.
"""

from __future__ import annotations

import contextlib
import os
import threading
import uuid
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

MODEL = "given"
# Messages of one session in a row; the made-up people take turns.
SESSION = 40
# How far toldonce lets its vectors lag while a large load is under way.
LAG = 10_000


class Peer(Protocol):
    """A system under measurement."""

    name: str
    needs: tuple[str, ...]
    by_words: bool
    embeds_later: bool

    def open(self, folder: Path, *, dimensions: int) -> None:
        """Open what is in the folder, or start anew there."""

    def add(self, texts: Sequence[str], users: Sequence[str], vectors: Floats) -> None:
        """Keep these; they survive a crash when this returns."""

    def finish(self) -> None:
        """Do what the system leaves for later, until all that was added is found by its vector and its words."""

    def search(self, text: str, vector: Floats, *, limit: int, user: str | None) -> list[str]:
        """The texts that answer best, of everyone or of one person."""

    def close(self) -> None:
        """Let go of everything."""


class Given:
    """Stands where a system wants an embedder: it hands out the vector that was given for a text."""

    name = MODEL
    local = True

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self.known: dict[str, Floats] = {}

    def learn(self, texts: Sequence[str], vectors: Floats) -> None:
        """These texts have these vectors."""
        self.known.update(zip(texts, vectors, strict=True))

    def embed(self, texts: Sequence[str]) -> Floats:
        """One row a text, with or without the name of whoever said it before it."""
        rows = [self.known[text if text in self.known else text.partition(": ")[2]] for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(texts), self.dimensions)


class Toldonce:
    """This project. Its embed job puts the vectors in, as it does in the background of a running memory."""

    name = "toldonce"
    needs: tuple[str, ...] = ("apsw",)
    by_words = True
    embeds_later = True

    def open(self, folder: Path, *, dimensions: int) -> None:
        from toldonce import Memory

        self._given = Given(dimensions)
        self._memory = Memory.open(folder / "memory.db", embedder=self._given, background=False)
        self._heard = 0

    def add(self, texts: Sequence[str], users: Sequence[str], vectors: Floats) -> None:
        self._given.learn(texts, vectors)
        if len(texts) == 1:
            self._memory.observe(texts[0], user=users[0], session=self._session(users[0]))
        else:
            self._memory.observe_many(
                {"text": text, "user": user, "session": self._session(user)}
                for text, user in zip(texts, users, strict=True)
            )
        if len(self._given.known) >= LAG:
            self.finish()

    def finish(self) -> None:
        from toldonce.jobs.background import JobRunner
        from toldonce.jobs.embed import PACK
        from toldonce.jobs.handlers import DUTIES
        from toldonce.operations.jobs import EMBED

        # Only these two duties: drawing facts from conversations is work that no other system here does.
        runner = JobRunner({name: DUTIES[name] for name in (EMBED, PACK)})
        while runs := runner.run_due(self._memory, now=self._memory.clock()):
            if any(run.status == "failed" for run in runs):
                raise RuntimeError("the vectors could not be kept")
        self._given.known.clear()

    def search(self, text: str, vector: Floats, *, limit: int, user: str | None) -> list[str]:
        self._given.known[text] = vector
        return [hit.record.text for hit in self._memory.recall(text, user=user, limit=limit)]

    def close(self) -> None:
        self._memory.close()

    def _session(self, user: str) -> str:
        self._heard += 1
        return f"{user}-{self._heard // (50 * SESSION)}"


class Reference:
    """What one writes by hand: SQLite, sqlite-vec and FTS5 in one file, joined by reciprocal rank."""

    name = "reference"
    needs: tuple[str, ...] = ("apsw", "sqlite_vec")
    by_words = True
    embeds_later = False
    owner = "user TEXT"
    pool = 50
    k = 60

    def open(self, folder: Path, *, dimensions: int) -> None:
        self._path = folder / "reference.db"
        self._here = threading.local()
        connection = self._connection()
        connection.execute("CREATE TABLE IF NOT EXISTS said (id INTEGER PRIMARY KEY, text TEXT, user TEXT)")
        connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (text, content='said')")
        connection.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS nearby USING vec0 "
            f"(id INTEGER PRIMARY KEY, {self.owner}, vector FLOAT[{dimensions}] distance_metric=cosine)"
        )

    def add(self, texts: Sequence[str], users: Sequence[str], vectors: Floats) -> None:
        connection = self._connection()
        with connection:
            for text, user, vector in zip(texts, users, vectors, strict=True):
                connection.execute("INSERT INTO said (text, user) VALUES (?, ?)", (text, user))
                place = connection.last_insert_rowid()
                connection.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (place, text))
                blob = np.ascontiguousarray(vector, np.float32).tobytes()
                connection.execute("INSERT INTO nearby (id, user, vector) VALUES (?, ?, ?)", (place, user, blob))

    def finish(self) -> None:
        """Nothing is left for later."""

    def search(self, text: str, vector: Floats, *, limit: int, user: str | None) -> list[str]:
        connection = self._connection()
        match = " OR ".join(f'"{word}"' for word in text.split())
        blob = np.ascontiguousarray(vector, np.float32).tobytes()
        mine = "" if user is None else " AND user = ?"
        who = () if user is None else (user,)
        by_words = connection.execute(
            f"SELECT said.id FROM words JOIN said ON said.id = words.rowid WHERE words MATCH ?{mine}"
            " ORDER BY bm25(words) LIMIT ?",
            (match, *who, self.pool),
        )
        by_vector = connection.execute(
            f"SELECT id FROM nearby WHERE vector MATCH ? AND k = ?{mine} ORDER BY distance", (blob, self.pool, *who)
        )
        scores: dict[int, float] = {}
        for found in (list(by_words), list(by_vector)):
            for rank, (place,) in enumerate(found, start=1):
                scores[place] = scores.get(place, 0) + 1 / (self.k + rank)
        best = sorted(scores, key=scores.__getitem__, reverse=True)[:limit]
        return [connection.execute("SELECT text FROM said WHERE id = ?", (place,)).fetchone()[0] for place in best]

    def close(self) -> None:
        self._connection().close()

    def _connection(self) -> Any:
        if not hasattr(self._here, "connection"):
            import apsw
            import sqlite_vec

            self._here.connection = connection = apsw.Connection(str(self._path))
            connection.enable_load_extension(True)
            connection.load_extension(sqlite_vec.loadable_path())
            connection.set_busy_timeout(5000)
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
            connection.execute("PRAGMA synchronous = FULL")
        return self._here.connection


class PartitionedReference(Reference):
    """The same with each person's vectors apart, which sqlite-vec offers for when people are few and known."""

    name = "reference, partitioned"
    owner = "user TEXT PARTITION KEY"


class Mem0:
    """mem0 with `infer=False` and its default local vector store; without spaCy and fastembed it has no word search."""

    name = "mem0"
    needs: tuple[str, ...] = ("mem0", "qdrant_client")
    by_words = False
    embeds_later = False

    def open(self, folder: Path, *, dimensions: int) -> None:
        os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder)}
        from mem0 import Memory

        unused = {"provider": "openai", "config": {"api_key": "unused"}}
        place = {"path": str(folder / "qdrant"), "collection_name": "said", "embedding_model_dims": dimensions}
        self._memory: Any = Memory.from_config(
            {
                "embedder": unused,
                "llm": unused,
                "history_db_path": str(folder / "history.db"),
                "vector_store": {"provider": "qdrant", "config": {**place, "on_disk": True}},
            }
        )
        self._given = Given(dimensions)
        self._memory.embedding_model = self

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        row: list[float] = self._given.known[text].tolist()
        return row

    def add(self, texts: Sequence[str], users: Sequence[str], vectors: Floats) -> None:
        self._given.learn(texts, vectors)
        for text, user in zip(texts, users, strict=True):
            self._memory.add(text, user_id=user, infer=False)
        self._given.known.clear()

    def finish(self) -> None:
        """Nothing is left for later."""

    def search(self, text: str, vector: Floats, *, limit: int, user: str | None) -> list[str]:
        self._given.known[text] = vector
        found = self._memory.search(text, filters={"user_id": user or "*"}, top_k=limit)
        return [one["memory"] for one in found["results"]]

    def close(self) -> None:
        self._memory.close()
        self._memory.vector_store.client.close()


class Chroma:
    """Chroma's embedded client with its default index; words only filter there, they do not rank."""

    name = "Chroma"
    needs: tuple[str, ...] = ("chromadb",)
    by_words = False
    embeds_later = False

    def open(self, folder: Path, *, dimensions: int) -> None:
        import chromadb
        from chromadb.config import Settings

        client = chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))
        self._said: Any = client.get_or_create_collection(
            "said", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )

    def add(self, texts: Sequence[str], users: Sequence[str], vectors: Floats) -> None:
        self._said.add(
            ids=[uuid.uuid4().hex for _ in texts],
            documents=list(texts),
            metadatas=[{"user": user} for user in users],
            embeddings=vectors,
        )

    def finish(self) -> None:
        """Nothing is left for later."""

    def search(self, text: str, vector: Floats, *, limit: int, user: str | None) -> list[str]:
        where = None if user is None else {"user": user}
        found = self._said.query(query_embeddings=[vector], n_results=limit, where=where, include=["documents"])
        return list(found["documents"][0])

    def close(self) -> None:
        """Writes are on disk already."""


class LangGraph:
    """LangGraph's long-term store on SQLite; a namespace for each person."""

    name = "LangGraph store"
    needs: tuple[str, ...] = ("langgraph.store.sqlite", "sqlite_vec")
    by_words = False
    embeds_later = False

    def open(self, folder: Path, *, dimensions: int) -> None:
        from langgraph.store.sqlite import SqliteStore

        self._given = Given(dimensions)
        self._resources = contextlib.ExitStack()
        index = {"dims": dimensions, "embed": self._embed, "text_fields": ["text"]}
        place = str(folder / "store.db")
        self._store: Any = self._resources.enter_context(SqliteStore.from_conn_string(place, index=index))
        self._store.setup()

    def add(self, texts: Sequence[str], users: Sequence[str], vectors: Floats) -> None:
        from langgraph.store.base import PutOp

        self._given.learn(texts, vectors)
        said = zip(texts, users, strict=True)
        self._store.batch([PutOp(("said", user), uuid.uuid4().hex, {"text": text}) for text, user in said])
        self._given.known.clear()

    def finish(self) -> None:
        """Nothing is left for later."""

    def search(self, text: str, vector: Floats, *, limit: int, user: str | None) -> list[str]:
        self._given.known[text] = vector
        where = ("said",) if user is None else ("said", user)
        return [item.value["text"] for item in self._store.search(where, query=text, limit=limit)]

    def close(self) -> None:
        self._resources.close()

    def _embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [row.tolist() for row in self._given.embed(texts)]


class Txtai:
    """txtai with content and its hybrid of faiss and BM25. Only `save` makes an addition last: a single one saves."""

    name = "txtai"
    needs: tuple[str, ...] = ("txtai", "faiss")
    by_words = True
    embeds_later = False

    def open(self, folder: Path, *, dimensions: int) -> None:
        from txtai import Embeddings

        self._given = Given(dimensions)
        self._place = str(folder / "index")
        self._index: Any = Embeddings({"method": "external", "content": True, "hybrid": True})
        if Path(self._place).exists():
            self._index.load(self._place)
        self._index.model.transform = self._given.embed

    def add(self, texts: Sequence[str], users: Sequence[str], vectors: Floats) -> None:
        self._given.learn(texts, vectors)
        said = zip(texts, users, strict=True)
        self._index.upsert([(uuid.uuid4().hex, {"text": text, "user": user}) for text, user in said])
        self._given.known.clear()
        if len(texts) == 1:
            self.finish()

    def finish(self) -> None:
        self._index.save(self._place)

    def search(self, text: str, vector: Floats, *, limit: int, user: str | None) -> list[str]:
        self._given.known[text] = vector
        mine = "" if user is None else " and user = :user"
        found = self._index.search(
            f"select text from txtai where similar(:asked){mine} limit {limit}",
            parameters={"asked": text, "user": user},
        )
        return [one["text"] for one in found]

    def close(self) -> None:
        self._index.close()


class Lance:
    """LanceDB's hybrid search: a full-text index, a bitmap of owners, vectors scanned as is usual at these sizes."""

    name = "LanceDB"
    needs: tuple[str, ...] = ("lancedb", "pyarrow")
    by_words = True
    embeds_later = False

    def open(self, folder: Path, *, dimensions: int) -> None:
        import lancedb
        import pyarrow

        vector = pyarrow.list_(pyarrow.float32(), dimensions)
        shape = pyarrow.schema([("text", pyarrow.string()), ("user", pyarrow.string()), ("vector", vector)])
        self._said: Any = lancedb.connect(str(folder)).create_table("said", schema=shape, exist_ok=True)

    def add(self, texts: Sequence[str], users: Sequence[str], vectors: Floats) -> None:
        rows = zip(texts, users, vectors, strict=True)
        self._said.add([{"text": text, "user": user, "vector": vector} for text, user, vector in rows])

    def finish(self) -> None:
        from lancedb.index import FTS, Bitmap

        if not self._said.list_indices():
            self._said.create_index("text", config=FTS())
            self._said.create_index("user", config=Bitmap())
        self._said.optimize()

    def search(self, text: str, vector: Floats, *, limit: int, user: str | None) -> list[str]:
        asked = self._said.search(query_type="hybrid", vector_column_name="vector").vector(vector).text(text)
        if user is not None:
            asked = asked.where(f"user = '{user}'", prefilter=True)
        return [one["text"] for one in asked.limit(limit).to_list()]

    def close(self) -> None:
        """Writes are on disk already."""


SYSTEMS: tuple[type[Peer], ...] = (Toldonce, Reference, PartitionedReference, Mem0, Chroma, LangGraph, Txtai, Lance)
PEERS = {peer.name: peer for peer in SYSTEMS}


def missing(name: str) -> list[str]:
    """The modules that a system needs and that are not installed."""
    return [module for module in PEERS[name].needs if not _is_there(module)]


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
