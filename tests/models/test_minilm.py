"""The default embedder: its weights are the pinned ones, and near texts get near vectors."""

from __future__ import annotations

import hashlib
from importlib.resources import files

import numpy as np
import pytest

from toldonce.models.minilm import (
    MANY_ROWS,
    WEIGHTS,
    WEIGHTS_SHA256,
    WIDTH,
    MiniLM,
    multiply_by_blocks,
    split_columns,
)
from toldonce.models.wordpiece import split_words


@pytest.fixture(scope="module")
def embedder() -> MiniLM:
    return MiniLM()


def test_the_weights_are_the_pinned_ones() -> None:
    data = files("toldonce.models").joinpath(WEIGHTS).read_bytes()
    assert hashlib.sha256(data).hexdigest() == WEIGHTS_SHA256


def test_vectors_have_unit_length(embedder: MiniLM) -> None:
    vectors = embedder.embed(["hello", "", "a much longer sentence about nothing in particular"])
    assert vectors.shape == (3, embedder.dimensions)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)


def test_nothing_in_nothing_out(embedder: MiniLM) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimensions)


def test_a_text_has_the_same_vector_alone_and_in_company(embedder: MiniLM) -> None:
    texts = ["short", "a somewhat longer text than that", "one " * 300]
    together = embedder.embed(texts)
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    assert np.allclose(together, alone, atol=2e-3)


@pytest.mark.parametrize("words", range(1, 9))
def test_a_question_of_any_length_has_the_vector_that_it_has_in_company(embedder: MiniLM, words: int) -> None:
    question = " ".join("where did we leave the red kettle again".split()[:words])
    together = embedder.embed([question, question])[0]
    assert np.allclose(embedder.embed([question])[0], together, atol=1e-5)


@pytest.mark.parametrize("height", [48, 2 * WIDTH])
@pytest.mark.parametrize("rows", [1, 11, MANY_ROWS - 1, MANY_ROWS])
def test_products_with_blocks_of_columns_are_those_with_the_matrix(rows: int, height: int) -> None:
    chance = np.random.default_rng(rows)
    few, matrix = (chance.standard_normal(shape, dtype=np.float32) for shape in ((rows, height), (height, 192)))
    assert np.allclose(multiply_by_blocks(few, split_columns(matrix)), few @ matrix, atol=1e-4)


@pytest.mark.parametrize(
    "question, near, far",
    [
        ("What food should I avoid?", "I am allergic to peanuts", "The train leaves at nine"),
        ("Where do I live?", "I moved to Lisbon last week", "My sister plays the violin"),
        ("pet", "Bento is my dog", "The meeting is on Friday"),
    ],
)
def test_what_belongs_together_is_nearer(embedder: MiniLM, question: str, near: str, far: str) -> None:
    asked, one, other = embedder.embed([question, near, far])
    assert asked @ one > asked @ other + 0.05


def test_words_are_split_as_the_vocabulary_has_them() -> None:
    assert split_words("Olá, São\tPaulo! 你好 a\u200bb") == ["ola", ",", "sao", "paulo", "!", "你", "好", "ab"]
