"""The figures, compared with values worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toldonce.bench.measures import (
    confidence_interval,
    mean_scores,
    measure_relevance,
    measure_statements,
    score_ranking,
    summarise_scores,
)
from toldonce.bench.values import BenchQuestion


def gold(*ids: str) -> frozenset[str]:
    return frozenset(ids)


def test_figures_of_one_ranking_are_as_worked_out_by_hand() -> None:
    ranked = ["x", "a", "y", "z", "w", "b", "v"]
    found = measure_relevance(ranked, gold("a", "b", "c"))
    assert (found["hit@1"], found["hit@5"], found["hit@10"]) == (0, 1, 1)
    assert found["recall@5"] == pytest.approx(1 / 3) and found["recall@10"] == pytest.approx(2 / 3)
    assert (found["all@5"], found["all@20"]) == (0, 0)
    assert found["mrr"] == 0.5
    # (1/log2 3 + 1/log2 7) / (1 + 1/log2 3 + 1/log2 4)
    assert found["ndcg@10"] == pytest.approx(0.46324, abs=5e-6)


def test_ideal_gain_counts_all_that_is_wanted_and_not_only_what_was_found() -> None:
    assert measure_relevance(["a"], gold("a"))["ndcg@10"] == 1
    assert measure_relevance(["a"], gold("a", "b"))["ndcg@10"] == pytest.approx(0.6131, abs=5e-5)


def test_ideal_gain_stops_at_ten() -> None:
    many = [str(n) for n in range(30)]
    assert measure_relevance(many, frozenset(many))["ndcg@10"] == pytest.approx(1)
    assert measure_relevance(many, frozenset(many))["recall@10"] == pytest.approx(1 / 3)


def test_nothing_found_is_zero_everywhere() -> None:
    assert set(measure_relevance([], gold("a")).values()) == {0.0}


def test_a_passage_that_comes_twice_counts_once() -> None:
    asked = BenchQuestion(id="q", text="?", gold=gold("a"), category="c")
    found = score_ranking(["x"] * 5 + ["a"], asked)
    assert found["hit@5"] == 1 and found["mrr"] == 0.5


@pytest.mark.parametrize(
    "ranked, fresh, new, both",
    [
        (["new", "old"], 1.0, 1.0, 1.0),
        (["old", "x", "new"], 0.0, 1.0, 1.0),
        (["old"], 0.0, 0.0, 0.0),
        (["new"], 1.0, 1.0, 0.0),
        (["x"], 0.5, 0.0, 0.0),
        (["old2", "a", "b", "c", "d", "new", "old"], 0.0, 0.0, 1.0),
    ],
)
def test_the_newest_statement_must_stand_above_every_older_one(
    ranked: list[str], fresh: float, new: float, both: float
) -> None:
    found = measure_statements(ranked, [gold("old", "old2"), gold("new")], dated=True)
    assert found == {"fresh": fresh, "new@5": new, "both@20": both}


def test_a_passage_that_makes_both_statements_is_neither_fresh_nor_stale() -> None:
    assert measure_statements(["a"], [gold("a"), gold("a")], dated=True)["fresh"] == 0.5


def test_statements_without_dates_are_only_looked_for() -> None:
    ranked = [str(n) for n in range(25)]
    assert measure_statements(ranked, [gold("0"), gold("19")], dated=False) == {
        "fresh": None,
        "new@5": None,
        "both@20": 1.0,
    }
    assert measure_statements(ranked, [gold("0"), gold("20")], dated=False)["both@20"] == 0.0


def test_means_leave_out_what_does_not_apply() -> None:
    rows = [("b", {"mrr": 1.0, "fresh": None}), ("a", {"mrr": 0.0, "fresh": 1.0}), ("b", {"mrr": 0.5, "fresh": None})]
    assert summarise_scores(rows) == {
        "a": {"n": 1, "mrr": 0.0, "fresh": 1.0},
        "b": {"n": 2, "mrr": 0.75},
        "ALL": {"n": 3, "mrr": 0.5, "fresh": 1.0},
    }


def test_interval_holds_the_mean_and_narrows_with_more_values() -> None:
    few, many = [0.0, 1.0] * 10, [0.0, 1.0] * 500
    narrow, wide = confidence_interval(many), confidence_interval(few)
    assert narrow is not None and wide is not None
    assert wide[0] < narrow[0] < 0.5 < narrow[1] < wide[1]
    assert (
        confidence_interval(many) == narrow
        and confidence_interval([1.0]) is None
        and confidence_interval([0.25] * 9) == (0.25, 0.25)
    )


@given(st.lists(st.integers(0, 30), max_size=60), st.sets(st.integers(0, 30), min_size=1, max_size=12))
def test_figures_stay_between_nothing_and_everything(ranked: list[int], wanted: set[int]) -> None:
    asked = BenchQuestion(id="q", text="?", gold=frozenset(map(str, wanted)), category="c")
    found = score_ranking([str(n) for n in ranked], asked)
    assert all(0 <= value <= 1 + 1e-12 for value in found.values() if value is not None)
    for depth in (5, 10, 20):
        assert found[f"all@{depth}"] <= found[f"recall@{depth}"] <= found[f"hit@{depth}"]  # type: ignore[operator]
    assert mean_scores([found])["n"] == 1
