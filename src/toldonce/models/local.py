"""Embedders and rerankers from models on this machine: a sentence-transformers model, or a folder with an ONNX file.

A reranker is loaded when it is first asked; a missing package is reported before.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from toldonce.errors import ConfigError, ModelError
from toldonce.models.embedder import Vectors
from toldonce.models.wordpiece import WordPiece

MAX_TOKENS = 256
PAIR_TOKENS = 512
_ONNX_FILES = ("model.onnx", "vocab.txt")

# The last bytes of the file are weights, which two models never share.
_MARKED = 1 << 20

Scorer = Callable[[str, Sequence[str]], Any]


class SentenceTransformer:
    """A model of the sentence-transformers package, by name or folder."""

    local = True
    may_change = True

    def __init__(self, model: str) -> None:
        _require_package("sentence-transformers")
        from sentence_transformers import SentenceTransformer as Model

        self.name = model
        self._model: Any = Model(model)
        self.dimensions = int(self._model.get_sentence_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text, in order."""
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        vectors = self._model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)


class OnnxEmbedder:
    """A BERT-like model in a folder: `model.onnx` and `vocab.txt`; the mean of its last states is the vector."""

    local = True

    def __init__(self, folder: str | Path) -> None:
        place = _onnx_folder(folder)
        # Two folders may have the same name, and their vectors must never mix.
        self.name = f"onnx:{place.name}/{model_file_mark(place)}"
        self._model = _OnnxModel(place)
        self.dimensions = int(self._run(["dimensions"]).shape[1])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text, in order."""
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return np.concatenate([self._run(texts[i : i + 16]) for i in range(0, len(texts), 16)])

    def _run(self, texts: Sequence[str]) -> Vectors:
        sequences = [self._model.pieces.tokens(text, limit=MAX_TOKENS) for text in texts]
        states, mask = self._model.run([(tokens, [0] * len(tokens)) for tokens in sequences])
        pooled = (states * mask[:, :, None]).sum(axis=1)
        unit: Vectors = (pooled / np.linalg.norm(pooled, axis=1, keepdims=True)).astype(np.float32)
        return unit


class LocalReranker:
    """A reranker on this machine; `load` is called once, when it is first asked."""

    local = True

    def __init__(self, name: str, load: Callable[[], Scorer]) -> None:
        self.name = name
        self._load = load
        self._lock = threading.Lock()
        self._scorer: Scorer | None = None

    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One number per text, in order."""
        try:
            with self._lock:
                self._scorer = scorer = self._scorer or self._load()
            made = np.asarray(scorer(question, texts), dtype=np.float64)
        except (OSError, ValueError, RuntimeError, LookupError, ImportError) as problem:
            raise ModelError(f"the reranker {self.name} cannot be used: {type(problem).__name__}") from problem
        if made.size != len(texts):
            raise ModelError(f"the reranker {self.name} answered {made.size} scores for {len(texts)} texts")
        numbers: list[float] = made.reshape(-1).tolist()
        return numbers


def cross_encoder(model: str) -> LocalReranker:
    """A cross-encoder of the sentence-transformers package, by name or folder."""
    _require_package("sentence-transformers")

    def load() -> Scorer:
        from sentence_transformers import CrossEncoder

        loaded: Any = CrossEncoder(model)
        return lambda question, texts: loaded.predict([(question, text) for text in texts], show_progress_bar=False)

    return LocalReranker(model, load)


def onnx_reranker(folder: str | Path) -> LocalReranker:
    """A BERT-like cross-encoder in a folder: `model.onnx`, which answers one number for a pair, and `vocab.txt`."""
    place = _onnx_folder(folder)

    def load() -> Scorer:
        model = _OnnxModel(place)
        return lambda question, texts: model.run(
            [model.pieces.pair(question, text, limit=PAIR_TOKENS) for text in texts]
        )[0]

    return LocalReranker(f"onnx:{place.name}", load)


class _OnnxModel:
    """The file and the vocabulary of a BERT-like model, ready to run."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime
        from onnxruntime.capi import onnxruntime_pybind11_state as native

        # Its errors have nothing in common but the module they come from.
        self._errors = tuple(e for e in vars(native).values() if isinstance(e, type) and issubclass(e, Exception))
        words = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
        self.pieces = WordPiece({word: number for number, word in enumerate(words)})
        try:
            self._session = onnxruntime.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])
        except self._errors as problem:
            raise ModelError(f"{folder / 'model.onnx'} cannot be loaded: {type(problem).__name__}") from problem
        self._inputs = {one.name for one in self._session.get_inputs()}

    def run(self, sequences: Sequence[tuple[list[int], list[int]]]) -> tuple[Any, Any]:
        """The first output for these token numbers with their segments, and where tokens are."""
        ids = np.zeros((len(sequences), max(len(tokens) for tokens, _ in sequences)), dtype=np.int64)
        mask, segments = np.zeros_like(ids), np.zeros_like(ids)
        for row, (tokens, parts) in enumerate(sequences):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
            segments[row, : len(parts)] = parts
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": segments}
        try:
            return self._session.run(None, {name: feed[name] for name in self._inputs})[0], mask
        except self._errors as problem:
            raise ModelError(f"the ONNX model did not run: {type(problem).__name__}") from problem


def _onnx_folder(folder: str | Path) -> Path:
    place = Path(folder)
    for needed in _ONNX_FILES:
        if not (place / needed).is_file():
            raise ConfigError(f"{place} has no {needed}: give a folder with {' and '.join(_ONNX_FILES)}")
    _require_package("onnxruntime")
    return place


def model_file_mark(place: Path) -> str:
    """What tells a model's file from another, without reading all of it."""
    with (place / _ONNX_FILES[0]).open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _MARKED))
        return hashlib.blake2b(file.read(), key=size.to_bytes(8, "big"), digest_size=4).hexdigest()


def _require_package(package: str) -> None:
    if find_spec(package.replace("-", "_")) is None:
        raise ConfigError(f"this model needs a package: pip install {package}")
