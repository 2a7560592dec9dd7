"""Two rules of work contradict each other when they choose differently in the same matter."""

from __future__ import annotations

import pytest

from toldonce.distil.alternatives import is_different_choice


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Use tabs for indentation in this project", "Use spaces, not tabs, for indentation in this project"),
        ("Use npm to install packages", "Packages are installed with pnpm"),
        ("Run tests with pytest", "Tests run with unittest"),
        ("Use single quotes in JavaScript", "Use double quotes in JavaScript"),
        ("We use pnpm instead of npm", "Use npm"),
        ("Indente com espaços", "Indente com tabs"),
    ],
)
def test_another_choice_in_the_same_matter_is_a_contradiction(older: str, newer: str) -> None:
    assert is_different_choice(older, newer)
    assert is_different_choice(newer, older)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use tabs in Go files", "Use spaces in Python files"),
        ("Use npm", "Use npm ci in CI"),
        ("Use double opt-in for mails", "Use single sign-on for mails"),
        ("Use tabs", "Use tabs"),
        ("npm and yarn both work", "Use yarn"),
        ("The parser is slow", "The renderer is slow"),
    ],
)
def test_rules_about_other_matters_stand_beside_each_other(one: str, other: str) -> None:
    assert not is_different_choice(one, other)
