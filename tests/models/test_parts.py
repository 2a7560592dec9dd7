"""Parts of a long text: whole words, nothing lost, sentence ends where there are some."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toldonce.models.chunking import MOST_PARTS, MOST_WORDS_A_PART, WORDS_A_PART, split_into_chunks


def test_a_short_text_is_one_part() -> None:
    assert split_into_chunks("just a few words") == ["just a few words"]


def test_a_long_text_is_cut_at_sentence_ends() -> None:
    text = " ".join(f"Sentence number {n} has exactly eight words here." for n in range(40))
    cut = split_into_chunks(text)
    assert len(cut) > 2
    assert all(part.endswith(".") for part in cut)
    assert " ".join(cut) == text


def test_parts_are_about_alike_in_length() -> None:
    for size in (68, 100, 500, 2_000):
        lengths = [len(part.split()) for part in split_into_chunks("word " * size)]
        assert sum(lengths) == size and max(lengths) - min(lengths) <= 1
        assert min(lengths) >= WORDS_A_PART * 2 // 3 and max(lengths) <= WORDS_A_PART * 3 // 2


def test_a_very_long_text_has_longer_parts_and_no_more_of_them() -> None:
    whole, endless = (split_into_chunks(" ".join(map(str, range(size)))) for size in (10_000, 100_000))
    assert len(whole) == len(endless) == MOST_PARTS
    assert whole[-1].endswith("9999"), "all of it is looked at"
    assert {len(part.split()) for part in endless} == {MOST_WORDS_A_PART}


@given(st.lists(st.text("abc.é你", min_size=1, max_size=6), max_size=600))
def test_no_word_is_lost_or_split(words: list[str]) -> None:
    assert " ".join(split_into_chunks(" ".join(words))).split() == words
