"""Parts of a long text: whole words, nothing lost, sentence ends where there are some."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recollect.models.parts import MOST_PARTS, parts


def test_a_short_text_is_one_part() -> None:
    assert parts("just a few words") == ["just a few words"]


def test_a_long_text_is_cut_at_sentence_ends() -> None:
    text = " ".join(f"Sentence number {n} has exactly eight words here." for n in range(40))
    cut = parts(text)
    assert len(cut) > 2
    assert all(part.endswith(".") for part in cut)
    assert " ".join(cut) == text


def test_a_very_long_text_has_a_bounded_number_of_parts() -> None:
    assert len(parts("word " * 100_000)) == MOST_PARTS


@given(st.lists(st.text("abc.é你", min_size=1, max_size=6), max_size=600))
def test_no_word_is_lost_or_split(words: list[str]) -> None:
    assert " ".join(parts(" ".join(words))).split() == words
