"""An embedder behind an OpenAI-compatible `/embeddings` address: Ollama, TEI, vLLM, OpenAI, Voyage and others.

Texts go out over HTTP, unit vectors come back. Retries are the caller's matter: background work tries again later.
"""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from recollect.errors import ModelError
from recollect.models.embedder import Vectors

TIMEOUT_S = 30.0
TEXTS_AT_ONCE = 64


class RemoteEmbedder:
    """A model by its address and name; with `dimensions` its vectors are cut to that many."""

    local = False

    def __init__(
        self, url: str, model: str, *, dimensions: int = 0, key: str = "", timeout_s: float = TIMEOUT_S
    ) -> None:
        self._address = url.rstrip("/") + "/embeddings"
        self._model = model
        self._key = key
        self._wanted = dimensions
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._found = 0

    @property
    def name(self) -> str:
        return f"{self._model}/{self._wanted}" if self._wanted else self._model

    @property
    def dimensions(self) -> int:
        if self._wanted:
            return self._wanted
        with self._lock:
            if not self._found:
                self._found = self._ask(["dimensions"]).shape[1]
            return self._found

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text, in order."""
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        parts = [self._ask(texts[i : i + TEXTS_AT_ONCE]) for i in range(0, len(texts), TEXTS_AT_ONCE)]
        return np.concatenate(parts)

    def _ask(self, texts: Sequence[str]) -> Vectors:
        answer = self._post({"model": self._model, "input": list(texts)})
        try:
            rows = sorted(answer["data"], key=lambda row: row["index"])
            vectors = np.array([row["embedding"] for row in rows], dtype=np.float32)
        except (KeyError, TypeError, ValueError) as problem:
            raise ModelError(f"{self._address} did not answer with vectors: {type(problem).__name__}") from problem
        if vectors.shape[:1] != (len(texts),) or vectors.ndim != 2:
            raise ModelError(f"{self._address} answered {vectors.shape[:1]} vectors for {len(texts)} texts")
        return _unit(vectors[:, : self._wanted] if self._wanted else vectors)

    def _post(self, body: Mapping[str, Any]) -> Any:
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self._address, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=self._timeout_s) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as problem:
            problem.close()
            raise ModelError(f"{self._address} answered {problem.code} {problem.reason}") from problem
        except (OSError, ValueError) as problem:
            raise ModelError(f"{self._address} did not answer: {problem}") from problem


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or (lengths == 0).any():
        raise ModelError("the model answered with a vector that has no direction")
    unit: Vectors = (vectors / lengths).astype(np.float32)
    return unit
