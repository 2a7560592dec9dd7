"""Reports can be compared: what fell, what differs in the setting, and what is no report at all."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from toldonce.bench.choice import QuestionChoice
from toldonce.bench.report import (
    build_bench_report,
    compare_reports,
    explain_incomparable,
    read_report,
    render_report_page,
)
from toldonce.bench.run import BenchOutcome, QuestionResult
from toldonce.bench.sets import LoadedSet
from toldonce.errors import InputError


def report(recall: float = 1.0, *, name: str = "locomo", questions: int = 2, **setting: Any) -> dict[str, Any]:
    scores = {"hit@5": 1.0, "recall@10": recall, "ndcg@10": 0.5, "mrr": 0.4, "cpu_ms": 5.0}
    answers = [QuestionResult(question=str(n), category="c", ranking=(), scores=scores) for n in range(questions)]
    loaded = LoadedSet(name=name, granularity="turn", files=("x.json",), collections=())
    chosen = {name: setting.pop(name) for name in QuestionChoice.__slots__ if name in setting}
    given = {"version": "1", "preset": "life", "embedder": "none", "settled": False, **setting}
    at, choice = datetime(2026, 5, 3, tzinfo=UTC), QuestionChoice(**chosen)
    return build_bench_report([(loaded, BenchOutcome(answers=answers))], at=at, choice=choice, **given)


def test_a_report_says_what_was_measured_and_with_what() -> None:
    made = report(recall=0.75, preset="assistant")
    assert (made["toldonce"], made["preset"], made["at"]) == ("1", "assistant", "2026-05-03T00:00:00+00:00")
    (one,) = made["sets"]
    assert one["scores"]["ALL"]["recall@10"] == 0.75 and one["scores"]["c"]["n"] == 2
    assert one["interval_recall@10"] == [0.75, 0.75]
    json.dumps(made)


@pytest.mark.parametrize("before, now, fell", [(0.90, 0.88, True), (0.90, 0.895, False), (0.90, 0.95, False)])
def test_a_main_figure_falls_when_it_loses_more_than_a_hundredth(before: float, now: float, fell: bool) -> None:
    found = {d.figure: d for d in compare_reports(report(before), report(now))}
    assert found["recall@10"].is_worse is fell and found["recall@10"].change_in_figure == pytest.approx(now - before)
    assert not found["mrr"].is_worse and "n" not in found


def test_time_is_no_main_figure() -> None:
    assert not any(d.is_worse for d in compare_reports(report(), report()) if d.figure == "cpu_ms")


def test_sets_are_compared_only_with_themselves() -> None:
    assert compare_reports(report(name="faquad"), report(name="locomo")) == []


def test_what_makes_two_reports_unlike_is_said() -> None:
    before, now = report(questions=2, preset="life"), report(questions=3, preset="coding")
    assert explain_incomparable(before, now) == [
        "preset was life and is coding",
        "locomo (turn) had 2 questions and has 3",
    ]
    assert explain_incomparable(report(name="faquad"), report()) == [
        "faquad (turn) was not run now",
        "locomo (turn) was not run before",
    ]
    assert explain_incomparable(before, before) == []


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        '{"form": 99, "sets": []}',
        '{"form": 1}',
        '{"form": 1, "sets": [3]}',
        '{"form": 1, "sets": [{"name": "faquad", "granularity": "turn", "questions": 2}]}',
        '{"form": 1, "sets": [{"name": "faquad", "questions": 2, "scores": {"ALL": {}}}]}',
        '{"form": 1, "sets": [{"name": "f", "granularity": "turn", "questions": 2, "scores": {"ALL": {"mrr": "x"}}}]}',
    ],
)
def test_another_file_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"r\.json"):
        read_report(path)


def test_a_report_is_read_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(json.dumps(report()), encoding="utf-8")
    assert read_report(path) == report()


def test_a_page_has_a_line_for_each_set_and_the_command_that_made_it() -> None:
    made = render_report_page(report(recall=0.75, limit=5, granularity="both"))
    assert "| locomo, by turn | 2 |  | 0.750 |  | 1.000 |  | 0.500 |  |  |" in made
    assert "--granularity both --preset life --limit 5 --markdown FILE`" in made
    assert "DATA_FOLDER --set locomo,beam --preset life --markdown FILE`" in render_report_page(
        report(named=["locomo", "beam"])
    )


def test_a_report_from_before_there_were_rerankers_had_none() -> None:
    before, now = report(), report(reranker="small")
    del before["reranker"]
    assert explain_incomparable(before, report()) == []
    assert explain_incomparable(before, now) == ["reranker was none and is small"]
    assert "embedder none, reranker small;" in render_report_page(now) and "reranker" not in render_report_page(before)
