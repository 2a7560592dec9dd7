"""Embedders and rerankers behind an address. Texts go out over HTTP, unit vectors or scores come back.

An embedder speaks as OpenAI's `/embeddings` (Ollama, TEI, vLLM, Voyage and others do), and its errors tell whether it
is away or refuses a text; a reranker speaks as Cohere's `/rerank` (Jina, Voyage, vLLM, llama.cpp, LiteLLM) or as TEI's.
Retries are the caller's matter: background work tries again later.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from toldonce.errors import ModelError, TextRefused
from toldonce.models.embedder import Vectors, have_direction
from toldonce.models.http_json import bearer_headers, post_json

TIMEOUT_S = 30.0
# Somebody waits for the hits, and has them without a reranker too.
RERANKER_TIMEOUT_S = 5.0
TEXTS_AT_ONCE = 64
# This many vectors of some thousand numbers, written as text, take several megabytes.
_LARGEST_VECTORS = 32_000_000
# The key, the account, the address or the model's name is wrong, or it is too early: the same for every text.
_NOT_FOR_THE_TEXT = frozenset({401, 402, 403, 404, 405, 407, 408, 425, 429})
# What some servers say of a text that is too long or has no vector, and others when they are in trouble.
_IN_DOUBT = 500
# It answered, but with something that is no JSON.
_NO_JSON = 200


class RemoteEmbedder:
    """A model by its address and name; with `dimensions` its vectors are cut to that many."""

    local = False
    may_change = True

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
    def address(self) -> str:
        """Host, port and path of the service."""
        parts = urlsplit(self._address)
        return f"{parts.netloc}{parts.path}"

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
            raise TextRefused(f"{self._address} answered {len(rows)} vectors for {len(texts)} texts")
        return self._unit(self._cut(vectors))

    def _cut(self, vectors: Vectors) -> Vectors:
        made = vectors.shape[1]
        if made < self._wanted:
            told = f"{self._address} makes vectors of {made} numbers, fewer than the {self._wanted} asked for"
            raise ModelError(f"{told}: set `?dimensions=` to {made} or less, or leave it out")
        if self._found and made != self._found:
            raise ModelError(f"{self._address} made vectors of {self._found} numbers before and of {made} now")
        self._found = made
        return vectors[:, : self._wanted] if self._wanted else vectors

    def _unit(self, vectors: Vectors) -> Vectors:
        if not have_direction(vectors):
            raise TextRefused(f"{self._address} answered with a vector that has no direction")
        unit: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
        return unit

    def _post(self, body: Mapping[str, Any]) -> Any:
        try:
            return post_json(
                self._address,
                body,
                headers=bearer_headers(self._key),
                timeout_s=self._timeout_s,
                largest=_LARGEST_VECTORS,
            )
        except ModelError as problem:
            if (refusal := _refusal_of_text(problem)) is not None:
                raise refusal from problem
            raise


def _refusal_of_text(problem: ModelError) -> TextRefused | None:
    """What the model says of what it was given, if it is not away for any text."""
    status = problem.status or 0
    if status == _IN_DOUBT:
        return TextRefused(str(problem), is_certain=False, retry_after_s=problem.retry_after_s)
    is_for_the_text = status == _NO_JSON or (400 <= status < 500 and status not in _NOT_FOR_THE_TEXT)
    return TextRefused(str(problem)) if is_for_the_text else None


class RemoteReranker:
    """A reranker by its whole address; with a model it is asked as Cohere's is, without one as TEI is."""

    local = False

    def __init__(self, url: str, model: str = "", *, key: str = "", timeout_s: float = RERANKER_TIMEOUT_S) -> None:
        self._address = url
        self._model = model
        self._key = key
        self._timeout_s = timeout_s

    @property
    def name(self) -> str:
        host = urlsplit(self._address).hostname or ""
        return f"{host}#{self._model}" if self._model else host

    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One number per text, in order."""
        answer = post_json(
            self._address,
            self._body(question, list(texts)),
            headers=bearer_headers(self._key),
            timeout_s=self._timeout_s,
        )
        try:
            rows = answer if isinstance(answer, list) else answer["results"] if "results" in answer else answer["data"]
            found = {int(row["index"]): _relevance_score(row) for row in rows}
        except (KeyError, TypeError, ValueError) as problem:
            raise ModelError(f"{self._address} did not answer with scores: {type(problem).__name__}") from problem
        if len(rows) != len(texts) or found.keys() != set(range(len(texts))):
            raise ModelError(f"{self._address} answered {len(rows)} scores for {len(texts)} texts")
        return [found[place] for place in range(len(texts))]

    def _body(self, question: str, texts: list[str]) -> Mapping[str, Any]:
        if self._model:
            return {"model": self._model, "query": question, "documents": texts}
        # TEI refuses a text that is longer than its model reads, unless it may cut it.
        return {"query": question, "texts": texts, "truncate": True}


def _relevance_score(row: Mapping[str, Any]) -> float:
    return float(row["relevance_score"] if "relevance_score" in row else row["score"])
