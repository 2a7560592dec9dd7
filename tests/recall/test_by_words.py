"""Without vectors, what holds the words of a question comes before what only stands beside it."""

from __future__ import annotations

import pytest

from tests.conftest import OpenMemory

SAID = (
    "The barn roof leaks again.", "Do you want to come climbing on Sunday?", "No thanks, I stopped climbing.",
    "The steel ladder is ordered.", "Great, when does it come?", "On Friday, with the paint.",
)  # fmt: skip


@pytest.mark.parametrize("preset", ["assistant", "coding", "community", "companion", "life"])
@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("steel ladder for the barn", "The steel ladder is ordered."),
        ("steel ladder", "The steel ladder is ordered."),
        ("stopped climbing", "No thanks, I stopped climbing."),
        ("does the barn roof leak?", "The barn roof leaks again."),
    ],
)
def test_what_holds_the_words_comes_first(preset: str, question: str, first: str, open_memory: OpenMemory) -> None:
    memory = open_memory(preset)
    for text in SAID:
        memory.observe(text, "ana", session="s", channel="c")
    assert memory.recall(question, user="ana")[0].record.text == first
