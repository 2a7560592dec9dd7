"""Which words of a question a text holds does not depend on how often, or among how many others, it says them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toldonce.recall.unit_texts import LONG_TEXT_CHARS, match_terms

TERMS = ("garden", "plant", "cat", "informaca", "2024")
FILLER = "it is as it was and so on "


def held(text: str) -> list[list[float]]:
    return [matrix[0].tolist() for matrix in match_terms(TERMS, [text])]


@pytest.mark.parametrize(
    "text",
    [
        "we planted a garden in 2024",
        "the gardener came",
        "informacoes, informaca?",
        "a vine climbs the wall",
        "concatenate the_cat (cat)",
        "cats cat's catalogue",
        "the cat’s garden – 2024… 猫cat",
        "",
    ],
)
def test_a_long_text_holds_what_a_short_one_does(text: str) -> None:
    long = text + " " + FILLER * (LONG_TEXT_CHARS // len(FILLER) + 1) + text
    assert held(long) == held(text)


@given(st.lists(st.text(alphabet="abcgnt _-.,'é7\n", max_size=40), max_size=6))
def test_texts_are_told_apart(texts: list[str]) -> None:
    together = match_terms(TERMS, texts)
    for row, text in enumerate(texts):
        alone = match_terms(TERMS, [text])
        assert all(np.array_equal(whole[row], one[0]) for whole, one in zip(together, alone, strict=True))
