"""The shape of a store's vectors: it survives packing, asks where the vectors differ, and knows what is common."""

from __future__ import annotations

import numpy as np

from toldonce.storage.vectors.whitening import COMPARED, FEWEST, Whitening


def crowd(count: int = 400, dimensions: int = 16) -> np.ndarray:
    random = np.random.default_rng(1)
    rows = random.normal(size=(count, dimensions)) * 0.2
    rows[:, 0] += 1
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def known(shape: Whitening, rows: np.ndarray) -> np.ndarray:
    common = shape.crowding(rows)
    assert common is not None
    return common


def test_a_shape_survives_packing() -> None:
    shape = Whitening.of(crowd())
    again = Whitening.unpack(shape.pack(), 16)
    assert np.allclose(shape.matrix, again.matrix, rtol=1e-2, atol=1e-2)
    assert np.allclose(shape.centre, again.centre, atol=1e-3)
    assert np.allclose(known(shape, crowd()), known(again, crowd()), atol=1e-2)


def test_the_vector_to_ask_with_has_unit_length() -> None:
    asked = Whitening.of(crowd()).ask(crowd()[0])
    assert np.isclose(np.linalg.norm(asked), 1, atol=1e-5)


def test_asking_leans_away_from_what_all_have_in_common() -> None:
    rows = crowd()
    question = rows[0]
    asked = Whitening.of(rows).ask(question)
    assert abs(asked[0]) < abs(question[0])
    assert int(np.argmax(rows @ asked)) == 0


def test_what_is_like_many_others_is_more_common_than_what_stands_apart() -> None:
    middle, apart = np.eye(16, dtype=np.float32)[:2]
    first, second = known(Whitening.of(crowd()), np.stack([middle, apart]))
    assert first > 0 > second


def test_a_vector_is_no_more_common_for_being_compared_with_itself() -> None:
    lone = np.eye(16, dtype=np.float32)[3]
    with_it = Whitening.of(np.concatenate([lone[None], crowd(COMPARED - 1)]))
    assert known(with_it, lone[None])[0] < known(with_it, crowd()).min() + 0.05


def test_a_few_vectors_do_not_tell_what_is_common() -> None:
    assert Whitening.of(crowd(FEWEST - 1)).crowding(crowd(3)) is None
    assert Whitening.of(crowd(FEWEST)).crowding(crowd(3)) is not None


def test_a_shape_packed_without_vectors_to_compare_with_still_asks() -> None:
    shape = Whitening.of(crowd())
    older = Whitening.unpack(shape.pack()[: 17 * 16 * 2], 16)
    assert older.crowding(crowd(3)) is None
    assert np.allclose(older.ask(crowd()[0]), shape.ask(crowd()[0]), atol=1e-2)


def test_a_packed_shape_stays_small() -> None:
    assert len(Whitening.of(crowd(2_000)).pack()) == 2 * 16 * (17 + COMPARED)
