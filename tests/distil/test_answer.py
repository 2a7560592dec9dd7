"""What an answer to a doubt means, by what it names, its words, or its yes and no."""

from __future__ import annotations

import pytest

from toldonce.distil.answer import read_verdict


@pytest.mark.parametrize(
    "answer, choice",
    [
        ("Yes", "newer"),
        ("Yes, I moved to Braga", "newer"),
        ("I live in Braga now", "newer"),
        ("it changed, yes", "newer"),
        ("No", "older"),
        ("No, nothing changed, I was only visiting", "older"),
        ("No, I still live in Lisbon", "older"),
        ("Lisbon", "older"),
        ("still in Lisbon", "older"),
        ("No, I live in Faro", "other"),
        ("I do not want to say", "other"),
        ("Sim, mudei para Braga", "newer"),
        ("Não, continuo em Lisbon", "older"),
    ],
)
def test_the_side_that_the_person_took(answer: str, choice: str) -> None:
    assert read_verdict(answer, older="Maria moved to Lisbon", newer="Maria lives in Braga").choice == choice


def test_numbers_decide_too() -> None:
    assert read_verdict("it is 35", older="Maria is 34 years old", newer="Maria is 35 years old").choice == "newer"
