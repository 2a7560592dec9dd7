"""`toldonce bench --answers`: a model answers from the block, another one judges, tokens and cost are counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.scripted import Raw, Request, Scripted, Status, spoken
from tests.shell import made, shell
from toldonce.bench.beam import read_beam
from toldonce.bench.choice import QuestionChoice
from toldonce.bench.sets import load_sets

__all__ = ["made", "shell"]


class AnsweringModel(Scripted):
    """Answers with the words of the memory that were asked for, and judges by whether they hold what is expected."""

    def _answer(self, request: Request) -> Status:
        with self._lock:
            said = self._script.pop(0) if self._script else None
        (asked,) = request.turns
        if isinstance(said, Raw):
            return Status(200, body=spoken(said, request.path))
        if "# Expected" in asked:
            expected, _, answer = asked.partition("# Expected\n\n")[2].partition("\n\n# Answer\n\n")
            value: dict[str, Any] = {"correct": expected.split()[-1] in answer}
        else:
            value = {"answer": next((line for line in asked.splitlines() if "beagle" in line), "I do not know.")}
        return Status(200, body=spoken(Raw(json.dumps(value)), request.path))


@pytest.fixture
def server() -> Iterator[AnsweringModel]:
    running = AnsweringModel()
    try:
        yield running
    finally:
        running.close()


def test_a_model_answers_and_another_one_judges(shell: Any, data: Path, server: AnsweringModel) -> None:
    said = shell(
        "bench", str(data), "--set", "locomo", "--answers", f"{server.url}#small", "--judge", f"{server.url}#large",
        "--out", "answers.json",
    )  # fmt: skip
    # Four questions, each from the block and from plain hits; the same answer to a question is judged once.
    models = [request.body["model"] for request in server.requests]
    assert models == ["small"] * 8 + ["large"] * (len(models) - 8) and 4 <= len(models) - 8 < 8
    assert any("beagle" in request.turns[0] for request in server.requests[:8])
    rows = {line.split()[0]: line.split() for line in said.stdout.splitlines() if line}
    assert rows["ALL"][:4] == ["ALL", "4", "0.250", "0.250"]
    assert (
        "answering: 127.0.0.1#small, 8 calls, 800 tokens read, 160 written, cost unknown: set writer_prices"
        in said.stdout
    )
    kept = json.loads((shell.folder / "answers.json").read_text(encoding="utf-8"))
    assert [one["is_correct"] for one in kept["sets"][0]["answers"]].count(True) == 2


def test_the_cost_is_estimated_before_it_starts_and_counted_by_the_prices(
    shell: Any, data: Path, server: AnsweringModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOLDONCE_WRITER_PRICES", "small=1/10")
    call = ("bench", str(data), "--set", "locomo", "--limit", "2", "--answers", f"{server.url}#small")
    value = shell.json(*call)
    for what in ("answering", "judging"):
        used, estimated = value[what], value["estimated"][what]
        assert used["cost"] == used["calls"] * (100 * 1 + 20 * 10)
        assert estimated["cost"] == estimated["input_tokens"] + 10 * estimated["output_tokens"] > 0
        assert estimated["calls"] == 4 >= used["calls"]
    assert "answering will take about: 127.0.0.1#small, 4 calls" in shell(*call).stderr
    monkeypatch.delenv("TOLDONCE_WRITER_PRICES")
    assert "cost unknown: set writer_prices" in shell(*call).stderr


def test_an_answer_without_json_is_asked_for_again_and_then_ends_the_run(
    shell: Any, data: Path, server: AnsweringModel
) -> None:
    server.script(Raw("hm"))
    call = ("bench", str(data), "--set", "locomo", "--limit", "1", "--answers", f"{server.url}#small")
    assert shell.json(*call)["answering"]["calls"] == 3
    server.script(Raw("hm"), Raw("hm"))
    assert "did not answer with `answer` as JSON" in shell(*call, code=1).stderr


def test_answers_of_a_model_are_kept_in_a_folder_and_not_asked_for_again(
    shell: Any, data: Path, server: AnsweringModel
) -> None:
    call = ("bench", str(data), "--set", "locomo", "--limit", "2", "--answer-files", "run", "--answers")
    assert "wait for a verdict: see run/how_to_judge.txt" in shell(*call, f"{server.url}#small").stdout
    assert [request.body["model"] for request in server.requests] == ["small"] * 4
    verdicts = shell.folder / "run" / "verdicts.jsonl"
    waiting = (shell.folder / "run" / "to_judge.jsonl").read_text(encoding="utf-8").splitlines()
    # A line of a person without its end is not joined with what a model adds.
    verdicts.write_text(json.dumps({"id": json.loads(waiting[0])["id"], "correct": True}), encoding="utf-8")
    said = shell(*call[:-1], "--judge", f"{server.url}#large").stdout
    assert [request.body["model"] for request in server.requests[4:]] == ["large"] * (len(waiting) - 1)
    assert len(verdicts.read_text(encoding="utf-8").splitlines()) == len(waiting) > 1 and "ALL" in said


@pytest.mark.parametrize(
    "given, problem",
    [
        (("--judge", "ollama:x"), "--judge and --budget go with --answers or --answer-files"),
        (("--answers", "ollama:x", "--compare", "r.json"), "--answers and --answer-files go with --out"),
        (("--answers", "openai:x"), "there is no key"),
    ],
)
def test_what_does_not_go_together_is_said(shell: Any, data: Path, given: tuple[str, ...], problem: str) -> None:
    assert problem in shell("bench", str(data), *given, code=2).stderr


# Where BEAM has the expected answer of each kind of question; all have a rubric.
BEAM_ANSWERS = {
    "abstention": "ideal_response",
    "contradiction_resolution": "ideal_answer",
    "event_ordering": "answer",
    "information_extraction": "answer",
    "instruction_following": "expected_compliance",
    "knowledge_update": "answer",
    "multi_session_reasoning": "answer",
    "preference_following": "expected_compliance",
    "summarization": "ideal_summary",
    "temporal_reasoning": "answer",
}


@pytest.mark.parametrize("category", BEAM_ANSWERS)
def test_answer_and_rubric_of_every_kind_of_beam_question_are_read(category: str) -> None:
    said = {"id": 1, "batch": 1, "role": "user", "content": "I set the deadline to Friday."}
    asked = {
        "question": "When is it due?",
        BEAM_ANSWERS[category]: "On Friday",
        "rubric": ["It says Friday"],
        "why_unanswerable": "no",
        "conversation_reference": "Turn 1",
        "source_chat_ids": {"first": [1]},
    }
    (chat,) = read_beam([{"chat_id": 7, "messages": [said], "probing_questions": {category: [asked]}}])
    assert [(one.answer, one.rubric) for one in chat.questions] == [("On Friday", ("It says Friday",))]


def test_a_rubric_is_shown_to_the_judge_only(shell: Any, data: Path, server: AnsweringModel) -> None:
    shell("bench", str(data), "--set", "beam", "--limit", "1", "--answers", f"{server.url}#small")
    answering, judging = server.requests[:2], server.requests[2:]
    assert all("Points:" not in request.turns[0] for request in answering)
    assert all("\n\nPoints:\n- " in request.turns[0] for request in judging) and judging


def test_every_set_with_answers_can_be_answered(data: Path) -> None:
    """LoCoMo-Plus has remarks, not questions, and so no expected answers."""
    loaded = load_sets(data, choice=QuestionChoice(is_answered=True))
    answered = {one.name for one in loaded}
    assert {"locomo", "longmemeval-o48"} <= answered and "locomo-plus" not in answered
