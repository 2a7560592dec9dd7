"""Some texts are refused: all others get their vectors, in few calls, and an embedder that is wrong is found out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toldonce.errors import LeaseLost, ModelError, TextRefused
from toldonce.models.embedder import Vectors
from toldonce.models.partial_embedding import AT_ONCE, PLAIN, EmbeddedOrRefused, embed_separately


class Choosy:
    """Refuses every call with one of these texts in it; `failure` says how."""

    name, dimensions, local = "choosy", 2, True

    def __init__(self, refused: Collection[str], failure: Callable[[], ModelError] = TextRefused) -> None:
        self.refused = set(refused)
        self.failure = failure
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(list(texts))
        if self.refused & set(texts):
            raise self.failure()
        return np.array([[1.0, float(text) if text.isdigit() else 0.0] for text in texts], dtype=np.float32)


def nothing() -> None:
    pass


def sifted(embedder: Choosy, count: int, *, doubt_counts: bool = False) -> EmbeddedOrRefused:
    return embed_separately(embedder, [str(n) for n in range(count)], go_on=nothing, doubt_counts=doubt_counts)


@given(count=st.integers(1, 200), refused=st.sets(st.integers(0, 199), max_size=6))
def test_exactly_what_is_refused_alone_stays_without_a_vector(count: int, refused: set[int]) -> None:
    found = sifted(Choosy({str(n) for n in refused}), count)
    assert len(found) == count
    for number, one in enumerate(found):
        if number in refused:
            assert isinstance(one, TextRefused)
        else:
            assert not isinstance(one, TextRefused) and one.tolist() == [1.0, float(number)]


@pytest.mark.parametrize("place", [0, 17, 63])
def test_one_text_among_many_is_found_in_few_calls(place: int) -> None:
    embedder = Choosy({str(place)})
    sifted(embedder, 64)
    assert len(embedder.asked) == 2 + 2 * 6, "all, a plain word, and both halves six times"


def test_many_texts_are_first_asked_for_in_pieces_of_one_request() -> None:
    embedder = Choosy({"100"})
    sifted(embedder, 4 * AT_ONCE)
    assert [len(texts) for texts in embedder.asked[:4]] == [4 * AT_ONCE, 1, AT_ONCE, AT_ONCE]
    assert len(embedder.asked) == 2 + 4 + 2 * 6


def test_nothing_is_asked_twice_when_nothing_is_refused() -> None:
    embedder = Choosy(())
    sifted(embedder, 200)
    assert len(embedder.asked) == 1


def test_an_embedder_that_refuses_a_plain_word_is_at_fault_and_is_found_out_in_two_calls() -> None:
    embedder = Choosy({*map(str, range(64)), PLAIN}, lambda: TextRefused("answered 400", retry_after_s=5))
    with pytest.raises(ModelError, match="not even a plain word: answered 400") as raised:
        sifted(embedder, 64)
    assert not isinstance(raised.value, TextRefused) and raised.value.retry_after_s == 5
    assert len(embedder.asked) == 2


def test_an_embedder_that_is_away_is_not_asked_again() -> None:
    embedder = Choosy({"3"}, lambda: ModelError("away"))
    with pytest.raises(ModelError, match="away"):
        sifted(embedder, 64)
    assert len(embedder.asked) == 1


def test_a_refusal_in_doubt_counts_only_when_told_so() -> None:
    embedder = Choosy({"3"}, lambda: TextRefused("answered 500", is_certain=False))
    with pytest.raises(TextRefused, match="answered 500"):
        sifted(embedder, 8)
    assert len(embedder.asked) == 1
    found = sifted(embedder, 8, doubt_counts=True)
    assert [n for n, one in enumerate(found) if isinstance(one, TextRefused)] == [3]


@pytest.mark.parametrize("bad", [[0.0, 0.0], [float("nan"), 1.0], [float("inf"), 0.0]])
def test_a_vector_without_direction_refuses_its_text_alone(bad: list[float]) -> None:
    class Numb(Choosy):
        def embed(self, texts: Sequence[str]) -> Vectors:
            vectors = super().embed(texts)
            vectors[[text == "5" for text in texts]] = bad
            return vectors

    found = sifted(Numb(()), 8)
    assert [n for n, one in enumerate(found) if isinstance(one, TextRefused)] == [5]


def test_who_may_not_go_on_stops_between_two_calls() -> None:
    embedder, calls = Choosy({"3"}), 0

    def go_on() -> None:
        nonlocal calls
        calls += 1
        if calls > 3:
            raise LeaseLost

    with pytest.raises(LeaseLost):
        embed_separately(embedder, [str(n) for n in range(64)], go_on=go_on)
    assert len(embedder.asked) == 3
