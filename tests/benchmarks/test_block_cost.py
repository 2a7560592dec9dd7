"""What a block costs: a question takes few searches, and the benchmark tells it of small memories and large ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import block_cost
from benchmarks.block_cost import BlockCost, WordVectors


@pytest.mark.parametrize("build", [block_cost.open_small, block_cost.open_large])
def test_a_block_takes_one_search_or_with_several_steps_at_most_three(tmp_path: Path, build: object) -> None:
    assert callable(build)
    with build(tmp_path, 60, preset="assistant") as memory:
        for question in block_cost.make_questions(block_cost.PLAIN, 3):
            assert block_cost.count_searches(memory, question) == 1
        several = block_cost.make_questions(block_cost.SEVERAL, 5)
        searches = {block_cost.count_searches(memory, question) for question in several}
        assert 2 <= max(searches) <= block_cost.MOST_RECALLS


def test_every_form_of_question_has_a_row_with_the_columns_of_the_head(tmp_path: Path) -> None:
    with block_cost.open_small(tmp_path, 40, preset="assistant") as memory:
        rows = list(block_cost.rows(memory, 40, questions=3))
    columns = block_cost.HEAD.splitlines()[0].count("|")
    assert [row.split("|")[2].strip() for row in rows] == ["one look", "several steps"]
    assert {row.count("|") for row in rows} == {columns}


def test_what_is_beyond_a_recall_is_told_for_each_question() -> None:
    assert BlockCost([5.0, 9.0], [7.0, 10.0], searches=1).beyond == [1.0, 2.0]


def test_made_up_vectors_are_alike_where_words_are_shared() -> None:
    one, same, other = WordVectors().embed(["red kite oak", "red kite elm", "salt and soap"])
    assert one @ same > 0.4 > one @ other
