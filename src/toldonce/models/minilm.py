"""The default embedder: all-MiniLM-L6-v2 as a forward pass in numpy over int8 weights that ship with the package.

Texts come in, unit vectors of 384 dimensions go out; nothing is ever fetched.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from toldonce.models.wordpiece import WordPiece

Floats = NDArray[np.float32]

WEIGHTS = "minilm-l6-v2.npz"
WEIGHTS_SHA256 = "93af7076bd74aa3bc8dec87aeb617d7dd85c8f97a7957ddaaf444b06a4f8e498"
LAYERS = 6
HEADS = 12
WIDTH = 384
MAX_TOKENS = 256
BATCH_TOKENS = 2048
EPSILON = np.float32(1e-12)
GELU_SLOPE = np.float32(0.7978845608028654)
GELU_CUBE = np.float32(0.044715)
MASKED = np.float32(-1e4)
# Few rows times narrow blocks of a matrix need no copy of it. BLAS with AVX-512 copies a wide one at each product, so a
# question would take three times as long; of a tall matrix the blocks are narrower still. From `MANY_ROWS` on, one wide
# product is faster.
BLOCK_COLUMNS, TALL_BLOCK_COLUMNS = 64, 32
MANY_ROWS = 384
# BLAS multiplies rows by fours and takes longer for one to three that are left over than for four, so a question is
# filled up.
ROWS_TOGETHER = 4


@dataclass(frozen=True, slots=True)
class Layer:
    """The weights of one transformer block, transposed for `x @ w`; matrices are kept in blocks of columns."""

    qkv: Floats
    qkv_bias: Floats
    out: Floats
    out_bias: Floats
    out_norm: Floats
    up: Floats
    up_bias: Floats
    down: Floats
    down_bias: Floats
    down_norm: Floats


@dataclass(frozen=True, slots=True)
class Weights:
    """The whole model; the word table stays int8, since a text uses few of its rows."""

    words: NDArray[np.int8]
    word_scales: Floats
    places: Floats
    norm: Floats
    layers: tuple[Layer, ...]
    vocabulary: dict[str, int] = field(repr=False)


def load_weights(path: Path) -> Weights:
    """Read the weights that `scripts/build_minilm.py` wrote."""
    with np.load(path) as pack:
        layers = tuple(_load_layer(pack, number) for number in range(LAYERS))
        tokens = pack["vocabulary"].tobytes().decode("utf-8").split("\n")
        return Weights(
            words=pack["words"],
            word_scales=pack["words.scale"],
            places=pack["places"].astype(np.float32),
            norm=pack["norm"],
            layers=layers,
            vocabulary={token: number for number, token in enumerate(tokens)},
        )


def _load_layer(pack: np.lib.npyio.NpzFile, number: int) -> Layer:
    def matrix(name: str) -> Floats:
        return split_columns(pack[f"{number}.{name}"] * pack[f"{number}.{name}.scale"])

    def vector(name: str) -> Floats:
        return np.asarray(pack[f"{number}.{name}"], dtype=np.float32)

    return Layer(
        qkv=matrix("qkv"),
        qkv_bias=vector("qkv_bias"),
        out=matrix("out"),
        out_bias=vector("out_bias"),
        out_norm=vector("out_norm"),
        up=matrix("up"),
        up_bias=vector("up_bias"),
        down=matrix("down"),
        down_bias=vector("down_bias"),
        down_norm=vector("down_norm"),
    )


class MiniLM:
    """The embedder that works offline right after install; its weights are read when it is first used."""

    name = "all-MiniLM-L6-v2/int8"
    dimensions = WIDTH
    local = True

    def __init__(self, *, max_tokens: int = MAX_TOKENS) -> None:
        self._max_tokens = max_tokens
        self._lock = threading.Lock()
        self._loaded: tuple[Weights, WordPiece] | None = None
        self._threads = ThreadpoolController()

    def embed(self, texts: Sequence[str]) -> Floats:
        """One unit vector per text, in order; of a long text the first part counts."""
        weights, pieces = self._load()
        sequences = [pieces.tokens(text, limit=self._max_tokens) for text in texts]
        # These matrices are small: more threads cost five times the processor time and answer later.
        with self._threads.limit(limits=1, user_api="blas"):
            return embed_tokens(weights, sequences)

    def vocabulary(self) -> tuple[str, ...]:
        """The words and pieces of words that the model knows."""
        return tuple(self._load()[0].vocabulary)

    def _load(self) -> tuple[Weights, WordPiece]:
        with self._lock:
            if self._loaded is None:
                with as_file(files("toldonce.models").joinpath(WEIGHTS)) as path:
                    weights = load_weights(path)
                self._loaded = (weights, WordPiece(weights.vocabulary))
            return self._loaded


def embed_tokens(weights: Weights, sequences: Sequence[list[int]]) -> Floats:
    """One unit vector per token sequence; sequences of like length share a pass, so little is padded."""
    vectors = np.zeros((len(sequences), WIDTH), dtype=np.float32)
    order = sorted(range(len(sequences)), key=lambda index: len(sequences[index]), reverse=True)
    start = 0
    while start < len(order):
        size = max(1, BATCH_TOKENS // len(sequences[order[start]]))
        batch = order[start : start + size]
        vectors[batch] = _run_forward(weights, [sequences[index] for index in batch])
        start += size
    return vectors


def _run_forward(weights: Weights, sequences: list[list[int]]) -> Floats:
    lengths = np.array([len(sequence) for sequence in sequences])
    longest = int(lengths.max())
    if len(sequences) == 1:
        longest += -longest % ROWS_TOGETHER
    ids = np.zeros((len(sequences), longest), dtype=np.int64)
    for row, sequence in enumerate(sequences):
        ids[row, : len(sequence)] = sequence
    present = np.arange(longest)[None, :] < lengths[:, None]
    bias = None if present.all() else np.where(present, np.float32(0), MASKED)[:, None, None, :]
    flat = ids.reshape(-1)
    state = weights.words[flat] * weights.word_scales[flat, None]
    state = (state.reshape(len(sequences), longest, WIDTH) + weights.places[:longest]).reshape(-1, WIDTH)
    state = _normalise_layer(state, weights.norm)
    for layer in weights.layers:
        state = _run_transformer_block(state, layer, shape=(len(sequences), longest), bias=bias)
    pooled = (state.reshape(len(sequences), longest, WIDTH) * present[:, :, None]).sum(axis=1)
    length: Floats = np.sqrt((pooled * pooled).sum(axis=1, keepdims=True))
    unit: Floats = (pooled / np.maximum(length, EPSILON)).astype(np.float32)
    return unit


def split_columns(matrix: Floats) -> Floats:
    """A matrix as blocks of columns, each of which lies together in memory."""
    height = len(matrix)
    width = BLOCK_COLUMNS if height <= WIDTH else TALL_BLOCK_COLUMNS
    return np.ascontiguousarray(matrix.reshape(height, -1, width).transpose(1, 0, 2), dtype=np.float32)


def multiply_by_blocks(rows: Floats, blocks: Floats) -> Floats:
    """`rows @ matrix`, where the matrix is in blocks of columns."""
    count, height, width = blocks.shape
    if len(rows) >= MANY_ROWS:
        return rows @ blocks.transpose(1, 0, 2).reshape(height, count * width)
    product = np.empty((len(rows), count * width), dtype=np.float32)
    np.matmul(rows, blocks, out=product.reshape(len(rows), count, width).transpose(1, 0, 2))
    return product


def _run_transformer_block(state: Floats, layer: Layer, *, shape: tuple[int, int], bias: Floats | None) -> Floats:
    mixed = multiply_by_blocks(state, layer.qkv)
    mixed += layer.qkv_bias
    mixed = multiply_by_blocks(_apply_attention(mixed, shape=shape, bias=bias), layer.out)
    mixed += layer.out_bias
    mixed += state
    state = _normalise_layer(mixed, layer.out_norm)
    wide = multiply_by_blocks(state, layer.up)
    wide += layer.up_bias
    raised = multiply_by_blocks(_apply_gelu(wide), layer.down)
    raised += layer.down_bias
    raised += state
    return _normalise_layer(raised, layer.down_norm)


def _apply_attention(qkv: Floats, *, shape: tuple[int, int], bias: Floats | None) -> Floats:
    """The query part of `qkv` already carries the 1/sqrt(head width) factor."""
    texts, longest = shape
    head = WIDTH // HEADS
    query, key, value = qkv.reshape(texts, longest, 3, HEADS, head).transpose(2, 0, 3, 1, 4)
    scores = query @ key.transpose(0, 1, 3, 2)
    if bias is not None:
        scores += bias
    scores -= np.maximum.reduce(scores, axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= np.add.reduce(scores, axis=-1, keepdims=True)
    mixed: Floats = (scores @ value).transpose(0, 2, 1, 3).reshape(texts * longest, WIDTH)
    return mixed


def _normalise_layer(state: Floats, norm: Floats) -> Floats:
    """Layer normalisation; `norm` holds the gain in row 0 and the shift in row 1."""
    state -= np.add.reduce(state, axis=-1, keepdims=True) / np.float32(WIDTH)
    spread = np.vecdot(state, state)[:, None] / np.float32(WIDTH)
    state /= np.sqrt(spread + EPSILON)
    state *= norm[0]
    state += norm[1]
    return state


def _apply_gelu(wide: Floats) -> Floats:
    """The tanh form, within 0.001 of the exact one; numpy has no error function."""
    inner = wide * wide
    inner *= GELU_CUBE
    inner += 1
    inner *= wide
    inner *= GELU_SLOPE
    np.tanh(inner, out=inner)
    inner += 1
    inner *= wide
    inner *= np.float32(0.5)
    return inner
