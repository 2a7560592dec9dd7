"""The token estimate and the prefix that fits a budget."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toldonce import tokens

WORDS = st.lists(
    st.sampled_from(
        ["a", "memory", "não", "informação", "extraordinarily", "2024", "…", "\n\n", "里斯本", "😂", "--", "x_y"]
    ),
    max_size=60,
).map(" ".join)
TEXTS = st.one_of(st.text(max_size=300), WORDS)


@pytest.fixture
def character_counter() -> Iterator[None]:
    tokens.use_tokenizer(len)
    yield
    tokens.use_tokenizer(None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("   ", 0),
        ("cat", 1),
        ("kitchen", 1),
        ("kitchens", 2),
        ("extraordinarily", 3),
        ("the cat sat", 3),
        ("2024", 2),
        ("3.14", 3),
        ("!!!", 2),
        ("one\n\n\ntwo", 3),
        ("não", 3),
        ("里斯本", 4),
        ("😂", 3),
        ("snake_case", 3),
    ],
)
def test_pieces_are_counted_by_their_kind(text: str, expected: int) -> None:
    assert tokens.count_tokens(text) == expected


def test_long_texts_are_raised_by_a_twentieth() -> None:
    assert tokens.count_tokens("word " * 100) == 105


def test_chinese_costs_more_than_a_quarter_token_per_character() -> None:
    text = "昨天我和玛丽亚在里斯本吃饭"
    assert tokens.count_tokens(text) > len(text)


@given(TEXTS, TEXTS)
def test_more_text_never_costs_noticeably_less(first: str, second: str) -> None:
    assert tokens.count_tokens(first) <= tokens.count_tokens(first + second) + 2


@given(st.text(st.characters(max_codepoint=127), max_size=200))
def test_a_trailing_accent_hardly_changes_what_ascii_text_costs(text: str) -> None:
    assert tokens.count_tokens(text) <= tokens.count_tokens(f"{text} é") <= tokens.count_tokens(text) + 2


@given(TEXTS, st.integers(min_value=-2, max_value=80))
def test_cut_text_always_fits_the_budget(text: str, budget: int) -> None:
    assert tokens.count_tokens(tokens.cut_text(text, budget)) <= max(budget, 0)


@given(TEXTS, st.integers(min_value=1, max_value=80))
def test_cut_text_is_a_prefix_of_the_original(text: str, budget: int) -> None:
    kept = tokens.cut_text(text, budget)
    assert kept == text or text.startswith(kept.removesuffix(tokens.ELLIPSIS))


@given(TEXTS)
def test_text_within_the_budget_comes_back_untouched(text: str) -> None:
    assert tokens.cut_text(text, max(1, tokens.count_tokens(text))) == text


@pytest.mark.parametrize(
    ("text", "budget", "expected"),
    [
        ("one two three four", 3, "one two…"),
        ("one, two, three, four", 3, "one…"),
        ("one two three four", 4, "one two three four"),
        ("one two", 1, ""),
        ("extraordinarily long", 2, ""),
        ("anything", 0, ""),
        ("", 5, ""),
        ("first line\nsecond line and more", 4, "first line…"),
        ("里斯本的一家小餐馆", 5, "里斯本…"),
    ],
)
def test_cut_keeps_the_longest_run_of_whole_words(text: str, budget: int, expected: str) -> None:
    assert tokens.cut_text(text, budget) == expected


def test_cutting_takes_all_the_words_the_budget_allows() -> None:
    kept = tokens.cut_text("word " * 1000, 100)
    assert tokens.count_tokens(kept) == 100
    assert tokens.count_tokens(kept.replace("…", " word…")) > 100


def test_whitespace_is_free_so_padding_does_not_hide_a_fitting_text() -> None:
    padded = "one" + " " * 5000 + "two"
    assert tokens.cut_text(padded, 2) == padded


@pytest.mark.usefixtures("character_counter")
def test_a_tokenizer_replaces_the_estimate_everywhere() -> None:
    assert tokens.count_tokens("kitchen") == 7
    assert tokens.cut_text("one two three", 8) == "one two…"


def test_none_brings_the_estimate_back() -> None:
    tokens.use_tokenizer(len)
    tokens.use_tokenizer(None)
    assert tokens.count_tokens("kitchen") == 1


def test_cut_fits_even_when_the_tokenizer_is_not_monotone() -> None:
    tokens.use_tokenizer(lambda text: len(text) + (7 if text.count(" ") == 2 else 0))
    try:
        assert len(tokens.cut_text("aa bb cc dd ee ff", 12)) <= 12
        assert tokens.count_tokens(tokens.cut_text("aa bb cc dd ee ff", 12)) <= 12
    finally:
        tokens.use_tokenizer(None)


def test_counting_is_cheap_enough_for_every_prompt() -> None:
    kilobyte = (
        "Yesterday we had dinner with Maria in a small restaurant, and she said she would move in spring. " * 11
    )[:1000]
    best = min(_seconds(kilobyte) for _ in range(20))
    assert best < 150e-6


def _seconds(text: str) -> float:
    started = time.thread_time()
    tokens.count_tokens(text)
    return time.thread_time() - started
