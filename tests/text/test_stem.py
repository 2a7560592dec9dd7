"""Stems: English endings go, the word stays recognisable, other languages are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toldonce.text.words import stem_of_word


@pytest.mark.parametrize(
    "word, expected",
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("cats", "cat"),
        ("agreed", "agre"),
        ("plastered", "plaster"),
        ("motoring", "motor"),
        ("conflated", "conflat"),
        ("troubled", "troubl"),
        ("hopping", "hop"),
        ("tanned", "tan"),
        ("falling", "fall"),
        ("hissing", "hiss"),
        ("filing", "file"),
        ("happy", "happi"),
        ("sky", "sky"),
        ("relational", "relat"),
        ("conditional", "condit"),
        ("digitizer", "digit"),
        ("operator", "oper"),
        ("hopefulness", "hope"),
        ("formality", "formal"),
        ("triplicate", "triplic"),
        ("electrical", "electr"),
        ("goodness", "good"),
        ("revival", "reviv"),
        ("allowance", "allow"),
        ("inference", "infer"),
        ("adjustable", "adjust"),
        ("replacement", "replac"),
        ("adoption", "adopt"),
        ("effective", "effect"),
        ("rate", "rate"),
        ("cease", "ceas"),
        ("controll", "control"),
        ("roll", "roll"),
    ],
)
def test_endings_go_as_porter_has_them(word: str, expected: str) -> None:
    assert stem_of_word(word) == expected


@pytest.mark.parametrize("word", ["a", "is", "2024", "são", "你好", "b2b", "naïve"])
def test_short_words_numbers_and_other_scripts_stay(word: str) -> None:
    assert stem_of_word(word) == word


@given(st.text("abcdefghijklmnopqrstuvwxyz", max_size=20))
def test_a_stem_is_never_longer_by_more_than_a_letter(word: str) -> None:
    assert len(stem_of_word(word)) <= len(word) + 1
