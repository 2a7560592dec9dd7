"""Embedders from models on this machine: a sentence-transformers model, or a folder with an ONNX file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from recollect.errors import ConfigError
from recollect.models.embedder import Vectors
from recollect.models.wordpiece import WordPiece

MAX_TOKENS = 256


class SentenceTransformer:
    """A model of the sentence-transformers package, by name or folder."""

    local = True

    def __init__(self, model: str) -> None:
        try:
            from sentence_transformers import SentenceTransformer as Model
        except ImportError:
            raise ConfigError("this embedder needs a package: pip install sentence-transformers") from None
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
        try:
            import onnxruntime
        except ImportError:
            raise ConfigError("this embedder needs a package: pip install onnxruntime") from None
        place = Path(folder)
        for needed in ("model.onnx", "vocab.txt"):
            if not (place / needed).is_file():
                raise ConfigError(f"{place} has no {needed}: give a folder with model.onnx and vocab.txt")
        self.name = f"onnx:{place.name}"
        self._session = onnxruntime.InferenceSession(str(place / "model.onnx"), providers=["CPUExecutionProvider"])
        words = (place / "vocab.txt").read_text(encoding="utf-8").splitlines()
        self._pieces = WordPiece({word: number for number, word in enumerate(words)})
        self._inputs = {one.name for one in self._session.get_inputs()}
        self.dimensions = int(self._run(["dimensions"]).shape[1])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text, in order."""
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return np.concatenate([self._run(texts[i : i + 16]) for i in range(0, len(texts), 16)])

    def _run(self, texts: Sequence[str]) -> Vectors:
        sequences = [self._pieces.tokens(text, limit=MAX_TOKENS) for text in texts]
        ids = np.zeros((len(sequences), max(map(len, sequences))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, sequence in enumerate(sequences):
            ids[row, : len(sequence)] = sequence
            mask[row, : len(sequence)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states = self._session.run(None, {name: feed[name] for name in self._inputs})[0]
        pooled = (states * mask[:, :, None]).sum(axis=1)
        unit: Vectors = (pooled / np.linalg.norm(pooled, axis=1, keepdims=True)).astype(np.float32)
        return unit
