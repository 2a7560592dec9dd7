"""An embedder that keeps what it made in a file of its own, since the same texts occur in many haystacks."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toldonce.errors import InputError
from toldonce.storage.named_queries import load_queries

if TYPE_CHECKING:
    from toldonce.models.embedder import Embedder, Vectors

_HASH_BYTES = 16
_WAIT_MS = 10_000


class CachedEmbedder:
    """Asks another embedder once for each text; a vector is known by the model's name and the hash of its text."""

    def __init__(self, inner: Embedder, place: Path | None = None) -> None:
        from toldonce.storage.sqlite.connect import open_connection

        self.inner = inner
        self._place = str(place or ":memory:")
        self._queries = load_queries("toldonce.bench")
        self._lock = threading.Lock()
        with self._problems_named():
            self._connection = open_connection(self._place)
            self._connection.set_busy_timeout(_WAIT_MS)
            self._connection.execute(self._queries["create_vectors"])

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    @property
    def local(self) -> bool:
        return self.inner.local

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text, in order."""
        import numpy as np

        keys = [blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_HASH_BYTES).hexdigest() for text in texts]
        known = self._get(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            made = dict(zip(missing, self.inner.embed(list(missing.values())), strict=True))
            self._put(made)
            known |= made
        return np.array([known[key] for key in keys], dtype=np.float32).reshape(len(keys), self.dimensions)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _get(self, keys: Sequence[str]) -> dict[str, Vectors]:
        import numpy as np

        wanted = {"model": self.name, "texts": json.dumps(list(dict.fromkeys(keys)))}
        with self._lock, self._problems_named():
            rows: list[Any] = self._connection.execute(self._queries["get_vectors"], wanted).fetchall()
        vectors = {key.lower(): np.frombuffer(vector, dtype=np.float32) for key, vector in rows}
        return {key: vector for key, vector in vectors.items() if len(vector) == self.dimensions}

    def _put(self, made: dict[str, Vectors]) -> None:
        rows = [{"model": self.name, "text": key, "vector": vector.tobytes()} for key, vector in made.items()]
        with self._lock, self._problems_named(), self._connection:
            self._connection.executemany(self._queries["put_vector"], rows)

    @contextmanager
    def _problems_named(self) -> Iterator[None]:
        import apsw

        try:
            yield
        except apsw.Error as problem:
            raise InputError(f"the cache {self._place} cannot be used: {problem}") from problem
