"""An embedder behind an OpenAI-compatible `/embeddings` address: Ollama, TEI, vLLM, OpenAI, Voyage and others.

Texts go out over HTTP, unit vectors come back; an error tells whether the model is away or refuses a text. Retries
are the caller's matter: background work tries again later.
"""

from __future__ import annotations

import http.client
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from recollect.errors import ModelError, TextRefused
from recollect.models.chat import told_to_wait
from recollect.models.embedder import Vectors, have_direction

TIMEOUT_S = 30.0
TEXTS_AT_ONCE = 64
# The key, the account, the address or the model's name is wrong, or it is too early: the same for every text.
_NOT_FOR_THE_TEXT = frozenset({401, 402, 403, 404, 405, 407, 408, 425, 429})
# What some servers say of a text that is too long or has no vector, and others when they are in trouble.
_IN_DOUBT = 500


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
            raise TextRefused(f"{self._address} did not answer with vectors: {type(problem).__name__}") from problem
        if vectors.shape[:1] != (len(texts),) or vectors.ndim != 2:
            raise TextRefused(f"{self._address} answered {vectors.shape[:1]} vectors for {len(texts)} texts")
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
            raise _failure(self._address, problem) from problem
        except (OSError, http.client.HTTPException) as problem:
            raise ModelError(f"{self._address} did not answer: {problem}") from problem
        except ValueError as problem:
            raise TextRefused(f"{self._address} did not answer with JSON") from problem


def _failure(address: str, problem: urllib.error.HTTPError) -> ModelError:
    """Whether the model refuses what it was given, or is away for any text."""
    said, wait = f"{address} answered {problem.code} {problem.reason}", told_to_wait(problem.headers)
    if problem.code == _IN_DOUBT:
        return TextRefused(said, is_certain=False, retry_after_s=wait)
    if 400 <= problem.code < 500 and problem.code not in _NOT_FOR_THE_TEXT:
        return TextRefused(said)
    return ModelError(said, retry_after_s=wait)


def _unit(vectors: Vectors) -> Vectors:
    if not have_direction(vectors):
        raise TextRefused("the model answered with a vector that has no direction")
    unit: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit
