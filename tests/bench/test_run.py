"""Collections are run through a real memory: what is observed, when it is asked, and what comes out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.bench.conftest import WordEmbedder
from toldonce import Memory
from toldonce.bench.run import (
    PACE,
    BenchOutcome,
    BenchSetup,
    count_work,
    passage_messages,
    prepare_memory,
    run_collections,
)
from toldonce.bench.sets import load_sets
from toldonce.bench.values import BenchQuestion, BenchTurn, Collection, Passage
from toldonce.errors import ModelError

MAY = datetime(2023, 5, 1, 9, tzinfo=UTC)


def run_set(folder: Path, name: str, setup: BenchSetup | None = None, **options: str) -> BenchOutcome:
    (loaded,) = load_sets(folder, [name], **options)  # type: ignore[arg-type]
    return run_collections(loaded.collections, setup or BenchSetup())


def by_question(outcome: BenchOutcome) -> dict[str, tuple[str, ...]]:
    return {answer.question: answer.ranking for answer in outcome.answers}


def test_a_run_finds_what_the_questions_want(data: Path) -> None:
    outcome = run_set(data, "locomo")
    assert by_question(outcome)["conv-1/q0"][0] == "D1:1"
    assert outcome.messages == 4 and outcome.skipped == 0
    scores = outcome.answers[0].scores
    assert scores["hit@1"] == 1 and scores["mrr"] == 1
    assert all(isinstance(scores[name], float) and scores[name] > 0 for name in ("cpu_ms", "wall_ms"))  # type: ignore[operator]
    assert scores["tokens"] and scores["in_context"] is None


def test_a_session_stands_at_the_place_of_its_best_message(data: Path) -> None:
    outcome = run_set(data, "locomo", granularity="session")
    assert by_question(outcome)["conv-1/q0"][0] == "session_1"
    assert all(len(set(ranking)) == len(ranking) <= 2 for ranking in by_question(outcome).values())


@pytest.mark.parametrize("preset", ["assistant", "community", "companion", "life", "coding"])
def test_every_preset_can_be_measured(data: Path, preset: str) -> None:
    outcome = run_set(data, "faquad", BenchSetup(preset=preset))
    assert by_question(outcome)["t/1/a"][0] == "t/1"


def test_figures_of_a_reranker_that_failed_are_not_told(data: Path) -> None:
    class Away:
        name, local = "away", True

        def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
            raise ModelError("it is away")

    with pytest.raises(ModelError, match="the reranker failed"):
        run_set(data, "locomo", BenchSetup(reranker=Away()))


def test_messages_that_a_preset_does_not_take_are_counted(data: Path) -> None:
    outcome = run_set(data, "beam-100k", BenchSetup(preset="community"))
    assert (outcome.messages, outcome.skipped) == (4, 3)


def test_questions_are_asked_at_their_date() -> None:
    passages = tuple(
        Passage(id=str(day), session=f"s{day}", turns=(BenchTurn(f"I swam lap {day}"),), at=MAY + timedelta(days=day))
        for day in range(1, 20)
    )
    questions = tuple(
        BenchQuestion(id=name, text="Where did I go yesterday?", gold=frozenset({"5"}), category="c", at=at)
        for name, at in (("sixth", MAY + timedelta(days=6)), ("sixteenth", MAY + timedelta(days=16)))
    )
    found = by_question(run_collections([Collection(id="c", passages=passages, questions=questions)], BenchSetup()))
    assert found["sixth"][0] == "5" and found["sixteenth"][0] == "15"


def test_vectors_are_made_for_every_message_and_once_for_each_text(data: Path) -> None:
    embedder = WordEmbedder()
    outcome = run_set(data, "longmemeval-o48", BenchSetup(embedder=embedder))
    texts = {"I water twelve plants now", "My cousin plays the oboe"}
    assert texts <= set(embedder.asked) and all(embedder.asked.count(text) == 1 for text in texts)
    assert embedder.asked.count("How many plants do I water now?") >= 1
    assert by_question(outcome)["q1"][0] in ("s_new", "s_old")


def test_only_vectors_are_made_before_asking(data: Path) -> None:
    with Memory.open(":memory:", "assistant", embedder=WordEmbedder(), background=False) as memory:
        memory.observe("I live in Lisbon", session="s")
        prepare_memory(memory, settled=False)
        assert memory.stats()["waiting for a vector"] == 0
        assert memory.stats()["kinds"] == {"message": {"active": 1}} and memory.stats()["unsettled conversations"] == 1
        prepare_memory(memory, settled=True)
        assert memory.stats()["unsettled conversations"] == 0 and memory.stats()["waiting for a vector"] == 0


def test_a_model_that_fails_ends_the_run(data: Path) -> None:
    class Broken(WordEmbedder):
        def embed(self, texts: object) -> object:  # type: ignore[override]
            raise ModelError("no answer")

    with pytest.raises(ModelError, match="not made ready: embed: ModelError: no answer"):
        run_set(data, "faquad", BenchSetup(embedder=Broken()))


def test_standing_instructions_are_looked_for_in_the_prompt_block(data: Path) -> None:
    scores = {answer.category: answer.scores for answer in run_set(data, "beam-100k").answers}
    assert scores["instruction_following"]["in_context"] == 1.0
    assert scores["knowledge_update"]["in_context"] is None


def test_what_is_settled_is_found_by_its_source_message(data: Path) -> None:
    settled = run_set(data, "beam-100k", BenchSetup(settled=True))
    assert {a.category: a.scores["in_context"] for a in settled.answers}["instruction_following"] == 1.0


def test_messages_follow_each_other_within_a_session_and_jump_to_the_next() -> None:
    turns = (BenchTurn("one"), BenchTurn("two", "Ann", "assistant"))
    found = list(
        passage_messages(
            [
                Passage(id="a", session="a", turns=turns, at=MAY),
                Passage(id="b", session="b", turns=(BenchTurn("three"),), at=MAY - timedelta(days=9)),
                Passage(id="c", session="b", turns=(BenchTurn("four"),), at=MAY - timedelta(days=9)),
                Passage(id="d", session="d", turns=(BenchTurn("five"),)),
            ],
            longest=100,
        )
    )
    early = MAY - timedelta(days=9)
    assert [m["at"] for m in found] == [MAY, MAY + PACE, early, early + PACE, early + 2 * PACE]
    assert [m["metadata"]["doc"] for m in found] == ["a", "a", "b", "c", "d"]
    assert (found[1]["display_name"], found[1]["role"], found[1]["session"]) == ("Ann", "assistant", "a")


def test_a_text_that_is_too_long_is_observed_in_parts() -> None:
    found = list(passage_messages([Passage(id="a", session="a", turns=(BenchTurn("abcdefg"),))], longest=3))
    assert [m["text"] for m in found] == ["abc", "def", "g"]


def test_a_message_that_the_gate_refuses_is_left_out_alone() -> None:
    texts = ["<private>all of it</private>", "The harbour opens at dawn", "   "]
    passages = tuple(Passage(id=str(n), session="s", turns=(BenchTurn(text),)) for n, text in enumerate(texts))
    question = BenchQuestion(id="q", text="When does the harbour open?", gold=frozenset({"1"}), category="c")
    outcome = run_collections([Collection(id="c", passages=passages, questions=(question,))], BenchSetup())
    assert (outcome.messages, outcome.skipped) == (1, 1) and outcome.answers[0].ranking == ("1",)


def test_progress_adds_up_to_the_work_there_is(data: Path) -> None:
    (loaded,) = load_sets(data, ["longmemeval-o48"])
    told: list[int] = []
    run_collections(loaded.collections, BenchSetup(), advance=told.append)
    assert sum(told) == count_work(loaded.collections)
