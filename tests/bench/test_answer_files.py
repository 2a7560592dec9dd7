"""`toldonce bench --answer-files`: right answers are counted through files, each step by itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.bench.conftest import LOCOMO, write_json
from tests.shell import made, shell

__all__ = ["made", "shell"]

Row = Mapping[str, Any]
TO_ANSWER = ("to_answer_a.jsonl", "to_answer_b.jsonl")


ADVERSARIAL = {
    "question": "What dog did Tom adopt?", "adversarial_answer": "a beagle", "evidence": ["D1:1"], "category": 5
}  # fmt: skip


@pytest.fixture
def bench(shell: Any, tmp_path: Path) -> Callable[..., Any]:
    """One step of a run over LoCoMo, in the folder `run`."""
    talks = [{**talk, "qa": [*talk["qa"], ADVERSARIAL]} for talk in LOCOMO]  # type: ignore[misc]
    data = write_json(tmp_path / "locomo10.json", talks)
    return lambda *options, **given: shell("bench", str(data), "--answer-files", "run", *options, **given)


def read(name: str) -> list[Row]:
    return [json.loads(line) for line in Path("run", name).read_text(encoding="utf-8").splitlines()]


def write(name: str, rows: list[Row]) -> None:
    Path("run", name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def answer_all(answer: str | Callable[[Row], str] = "a beagle") -> None:
    waiting = [row for name in TO_ANSWER for row in read(name)]
    write(
        "answers_1.jsonl",
        [{"id": r["id"], "answer": answer if isinstance(answer, str) else answer(r)} for r in waiting],
    )


def judge_all(verdict: Callable[[Row], bool] = lambda row: row["answer"] in row["expected"]) -> None:
    write("verdicts.jsonl", [{"id": row["id"], "correct": verdict(row)} for row in read("to_judge.jsonl")])


def table(stdout: str) -> dict[str, list[str]]:
    return {line[:14].strip(): line[14:].split() for line in stdout.splitlines()}


def test_a_run_goes_through_files_in_three_steps(bench: Callable[..., Any]) -> None:
    assert "10 questions wait for an answer: see run/how_to_answer.txt" in bench().stdout
    answer_all()
    # The same answer of both runs to a question is one thing to judge.
    assert "5 answers wait for a verdict: see run/how_to_judge.txt" in bench().stdout
    judge_all(lambda row: row["question"] == "What dog did Nina adopt?")
    said = bench().stdout
    assert "wait" not in said and all(read(name) == [] for name in (*TO_ANSWER, "to_judge.jsonl"))
    rows = table(said)
    assert rows["4 single-hop"][:3] == ["1", "1.000", "1.000"]
    assert rows["5 adversarial"][:3] == ["1", "0.000", "0.000"]
    assert rows["ALL"][:3] == ["4", "0.250", "0.250"]
    assert bench().stdout == said


def test_readers_see_no_expected_answer_and_nobody_sees_the_run(bench: Callable[..., Any]) -> None:
    bench()
    for name in TO_ANSWER:
        waiting = read(name)
        assert {frozenset(row) for row in waiting} == {frozenset({"id", "asked_on", "question", "told"})}
        assert len({row["question"] for row in waiting}) == len(waiting) == 5
    answer_all(lambda row: row["id"])
    bench()
    assert {frozenset(row) for row in read("to_judge.jsonl")} == {frozenset({"id", "question", "expected", "answer"})}
    runs = {row["id"]: row["run"] for row in read("told.jsonl")}
    assert sorted(runs.values()) == ["block"] * 5 + ["hits"] * 5
    assert not any("expected" in row for row in read("told.jsonl"))


def test_plain_hits_are_dated_lines_within_the_tokens_of_the_block(bench: Callable[..., Any]) -> None:
    bench()
    told = read("told.jsonl")
    block, hits = ([row for row in told if row["run"] == run] for run in ("block", "hits"))
    assert all(
        h["question_id"] == b["question_id"] and h["tokens"] <= b["tokens"] for b, h in zip(block, hits, strict=True)
    )
    lines = [line for row in hits for line in row["told"].splitlines()]
    assert "- 2023-01-20 (Fri) Nina: I adopted a beagle called Biscuit." in lines
    days = [[line[2:12] for line in row["told"].splitlines()] for row in hits]
    assert all(some == sorted(some) for some in days) and any(len(set(some)) > 1 for some in days)
    assert {row["asked_on"] for row in told} == {"2023-03-05 (Sunday)"}


def test_the_expected_answer_of_an_adversarial_question_is_that_it_is_not_known(bench: Callable[..., Any]) -> None:
    bench("--category", "5")
    answer_all("That was Nina, not Tom.")
    bench("--category", "5")
    (row,) = read("to_judge.jsonl")
    assert "It is not known of the person asked about" in row["expected"] and "a beagle" in row["expected"]
    judge_all(lambda _: True)
    rows = table(bench("--category", "5").stdout)
    assert rows["5 adversarial"][:3] == ["1", "1.000", "1.000"] and "ALL" not in rows


def test_only_what_is_judged_in_both_runs_counts(bench: Callable[..., Any]) -> None:
    bench()
    write("answers_1.jsonl", [{"id": row["id"], "answer": "x"} for row in read(TO_ANSWER[0])])
    bench()
    judge_all(lambda _: True)
    said = bench().stdout
    assert "5 questions wait for an answer" in said and "ALL" not in said
    write("answers_2.jsonl", [{"id": row["id"], "answer": "x"} for row in read(TO_ANSWER[1])])
    assert table(bench().stdout)["ALL"][:3] == ["4", "1.000", "1.000"]


def test_an_interrupted_run_goes_on_where_it_ended(bench: Callable[..., Any]) -> None:
    bench()
    told = Path("run/told.jsonl")
    whole = told.read_bytes()
    told.write_bytes(whole[:-40])
    bench()
    assert sorted(row["id"] for row in read("told.jsonl")) == sorted(
        json.loads(line)["id"] for line in whole.splitlines()
    )
    answer_all()
    bench()


def test_a_folder_is_one_run(bench: Callable[..., Any]) -> None:
    bench("--preset", "life")
    assert "holds a run with preset 'life': give the same options" in bench("--preset", "community", code=2).stderr
    assert "holds a run with choice" in bench("--preset", "life", "--sample", "2", code=2).stderr


@pytest.mark.parametrize(
    "name, text, problem",
    [
        ("answers.jsonl", '{"id": "1"}', "row 1 needs answer"),
        ("answers.jsonl", '{"id": "1", "answer": "x"}', "an answer to 1, which is the id of no line of told.jsonl"),
        ("answers.jsonl", '{"id": 1, "answer": "x"}', "row 1 needs a text as id"),
        ("answers.jsonl", "{", "not valid JSON in line 1"),
        ("verdicts.jsonl", '{"id": "1", "correct": "yes"}', "row 1 has 'correct' that is not true or false"),
        ("verdicts.jsonl", '{"id": "1", "correct": true}\n{"id": "1", "correct": false}', "1 has two different values"),
        ("run.json", "[]", "holds a run with other settings"),
        ("run.json", "", "cannot be read"),
    ],
)
def test_a_file_that_is_not_as_it_should_be_is_named(
    bench: Callable[..., Any], name: str, text: str, problem: str
) -> None:
    bench("--limit", "1")
    Path("run", name).write_text(text, encoding="utf-8")
    said = bench("--limit", "1", code=2).stderr
    assert name.partition(".")[0].partition("_")[0] in said.replace("an answer", "answers") and problem in said


@pytest.mark.parametrize("preset", ["assistant", "community", "companion", "life", "coding"])
def test_every_preset_can_be_asked(bench: Callable[..., Any], preset: str) -> None:
    bench("--preset", preset, "--limit", "1")
    assert [row["run"] for row in read("told.jsonl")] == ["block", "hits"]
