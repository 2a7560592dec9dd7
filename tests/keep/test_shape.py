"""The shape of a store's vectors: it survives packing, and asks where the vectors differ."""

from __future__ import annotations

import numpy as np

from recollect.keep.shape import Shape


def crowd(count: int = 400, dimensions: int = 16) -> np.ndarray:
    random = np.random.default_rng(1)
    rows = random.normal(size=(count, dimensions)) * 0.2
    rows[:, 0] += 1
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_a_shape_survives_packing() -> None:
    shape = Shape.of(crowd())
    again = Shape.unpack(shape.pack(), 16)
    assert np.allclose(shape.matrix, again.matrix, rtol=1e-2, atol=1e-2)
    assert np.allclose(shape.centre, again.centre, atol=1e-3)


def test_the_vector_to_ask_with_has_unit_length() -> None:
    asked = Shape.of(crowd()).ask(crowd()[0])
    assert np.isclose(np.linalg.norm(asked), 1, atol=1e-5)


def test_asking_leans_away_from_what_all_have_in_common() -> None:
    rows = crowd()
    question = rows[0]
    asked = Shape.of(rows).ask(question)
    assert abs(asked[0]) < abs(question[0])
    assert int(np.argmax(rows @ asked)) == 0
