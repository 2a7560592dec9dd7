"""Which statements say the same: opposite ones are kept apart on every write path, restated ones are joined."""

from __future__ import annotations

import pytest

from tests.conftest import OpenMemory
from tests.distil.same_statement_pairs import GIVEN_TO_REMEMBER, OPPOSITES, RESTATED
from toldonce.distil.same_statement import find_differences, says_same
from toldonce.lang.registry import all_languages


@pytest.mark.parametrize("one, other", [pair for pairs in OPPOSITES.values() for pair in pairs])
def test_opposite_statements_are_never_the_same(one: str, other: str) -> None:
    assert not says_same(one, other)
    assert not says_same(other, one)
    assert not says_same(one, other, least=0.0), "vectors that are near must not join them either"


@pytest.mark.parametrize("one, other", [pair for pairs in RESTATED.values() for pair in pairs])
def test_what_is_said_again_in_other_words_is_the_same(one: str, other: str) -> None:
    assert says_same(one, other)
    assert says_same(other, one)


def test_the_tables_are_large_enough() -> None:
    for table in (OPPOSITES, RESTATED):
        assert {code: len(pairs) >= 20 for code, pairs in table.items()} == dict.fromkeys(("en", "pt", "es"), True)


@pytest.mark.parametrize("preset", ["assistant", "life", "companion", "coding"])
def test_remember_keeps_opposite_statements(open_memory: OpenMemory, preset: str) -> None:
    """None of them is answered with the record of the other."""
    memory = open_memory(preset)
    dropped = []
    for place, (one, other) in enumerate(GIVEN_TO_REMEMBER):
        first, second = (memory.remember(text, user=f"p{place}") for text in (one, other))
        if first.id == second.id:
            dropped.append((one, other))
    assert dropped == []


def test_what_says_more_is_not_known_yet() -> None:
    """An allergy that is added to a list must not be dropped because most of the list is known."""
    known = "Leo is allergic to eggs, peanuts, kiwi and shellfish"
    assert not says_same("Leo is allergic to eggs, peanuts, kiwi, shellfish and soy", known)
    assert says_same("leo's allergic to eggs, kiwi, peanuts and shellfish", known)


@pytest.mark.parametrize(
    "one, other, difference",
    [
        ("I eat meat", "I don't eat meat", "polarity"),
        ("the rent is 900", "the rent is 950", "number"),
        ("take 5 mg of it", "take 5 ml of it", "unit"),
        ("the left shoe is wet", "the right shoe is wet", "side"),
        ("I only call on Sundays", "I call on Sundays", "limit"),
        ("option C it is", "option D it is", "letter"),
        ("he lives in Rome", "I live in Rome", "person"),
        ("Ana owes Rui lunch", "Rui owes Ana lunch", "direction"),
        ("I used to swim", "I swim", "standing"),
        ("is it raining?", "it is raining", "standing"),
    ],
)
def test_a_difference_is_named(one: str, other: str, difference: str) -> None:
    assert difference in find_differences(one, other)


def test_texts_without_content_are_the_same_word_for_word_only() -> None:
    assert says_same("it is so", "It is so!")
    assert not says_same("it is so", "so is it")


def test_each_row_of_a_language_has_something_to_compare() -> None:
    """A synonym stands for one word; a row of opposites has two sides."""
    for language in all_languages():
        rows = [row.split(" / ") if " / " in row else row.split() for row in language.comparison.opposites]
        assert [row for row in rows if len(row) < 2] == []
        firsts = [row.split() for row in language.comparison.synonyms]
        assert [row for row in firsts if "_" in row[0] and any("_" not in word for word in row)] == []
