"""A goal is found again by what it is about, however its end is told."""

from __future__ import annotations

import pytest

from toldonce.distil.goals import is_reached


@pytest.mark.parametrize(
    "goal, reached",
    [
        ("run a marathon", "met: run a marathon"),
        ("run a marathon", "met: my first marathon"),
        ("Maria's goal is to run a marathon", "met: the Lisbon marathon"),
        ("learn French", "met: my French course"),
        ("write a novel", "met: the novel"),
        ("read 20 books", "met: 20 books"),
        ("save for a house", "met: my house goal"),
        ("correr uma maratona", "met: a maratona do Porto"),
        ("aprender violão", "met: o curso de violão"),
        ("learn French", "not: learning French"),
    ],
)
def test_the_goal_that_was_meant_is_found(goal: str, reached: str) -> None:
    assert is_reached(goal, reached)


@pytest.mark.parametrize(
    "goal, reached",
    [
        ("learn French", "met: learning Spanish"),
        ("read 20 books", "met: 12 books"),
        ("save for a house", "met: a marathon"),
        ("buy a house", "met: the house renovation"),
        ("run a marathon", "met: my goal"),
        ("aprender violão", "met: a maratona"),
    ],
)
def test_another_goal_is_left_alone(goal: str, reached: str) -> None:
    assert not is_reached(goal, reached)
