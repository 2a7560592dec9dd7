"""What a reranker does to recall: the joint order, its reasons, and that a failing one changes nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import START, ManualClock, OpenMemory
from tests.scripted import Server, by_length
from toldonce import Hit, Memory, Record
from toldonce.errors import ModelError
from toldonce.recall.rerank import DEPTH, join_rankings, text_for_reranker, was_reranked

QUESTION = "where is the spare key?"


class Judge:
    """A reranker that follows a rule of the test's and keeps what it was asked."""

    name, local = "judge", True

    def __init__(self, rule: Callable[[str], float] = len) -> None:
        self.rule = rule
        self.asked: list[tuple[str, list[str]]] = []
        self.before: Callable[[], None] = lambda: None

    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        self.asked.append((question, list(texts)))
        self.before()
        return [self.rule(text) for text in texts]


def fill(memory: Memory, count: int) -> Memory:
    """Messages about a key that hold ever fewer of the question's words."""
    memory.observe("The spare key is here, the spare key", user="alex", session="s", display_name="Alex")
    for number in range(1, count):
        memory.observe(f"The key number {number} {'opens nothing at all ' * number}", user="alex", session="s")
    return memory


def texts(hits: Sequence[Hit]) -> list[str]:
    return [hit.record.text for hit in hits]


def made_up(*scores: float) -> list[Hit]:
    given = {"kind": "message", "space": "main", "at": START, "created_at": START}
    return [Hit(Record(id=f"r{n}", text=f"text {n}", **given), score) for n, score in enumerate(scores)]


def test_both_orders_count_alike_and_the_engine_breaks_ties() -> None:
    order = [hit.record.id for hit in join_rankings(made_up(0.9, 0.8, 0.7, 0.6), [1, 2, 3, 40])]
    assert order == ["r0", "r3", "r1", "r2"], "first and last for one each, then second and third"
    assert [hit.record.id for hit in join_rankings(made_up(0.9, 0.8, 0.7), [5, 5, 5])] == ["r0", "r1", "r2"]


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(-1e6, 1e6)), min_size=2, max_size=DEPTH))
def test_scores_never_contradict_the_order_and_none_is_made_up(rows: list[tuple[float, float]]) -> None:
    hits = made_up(*sorted((own for own, _ in rows), reverse=True))
    found = join_rankings(hits, [score for _, score in rows])
    scores = [hit.score for hit in found]
    assert scores == [hit.score for hit in hits]
    assert {hit.record.id for hit in found} == {hit.record.id for hit in hits}


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=DEPTH))
def test_the_scale_of_the_reranker_does_not_matter(scores: list[int]) -> None:
    hits = made_up(*(1 - number / 100 for number in range(len(scores))))
    shares = [(score + 60) / 1000 for score in scores]
    assert join_rankings(hits, scores) == join_rankings(hits, shares)


def test_a_hit_tells_its_place_for_the_reranker_and_what_it_was_before(open_memory: OpenMemory) -> None:
    judge = Judge()
    memory = fill(open_memory("assistant", reranker=judge), 4)
    plain = open_memory().recall(QUESTION, user="alex", min_score=0, limit=4)
    hits = memory.recall(QUESTION, user="alex", limit=4)
    assert sorted(texts(hits)) == sorted(texts(plain)) and [h.score for h in hits] == [h.score for h in plain]
    for hit in hits:
        before = next(place for place, one in enumerate(plain) if one.record.id == hit.record.id)
        told = hit.why.signals[-1]
        assert (told.name, told.detail) == ("reranker", f"without it #{before + 1} with {plain[before].score:.2f}")
        assert f"reranker #{told.rank}" in str(hit.why)
    longest = max(hits, key=lambda hit: len(hit.record.text))
    assert longest.why.signals[-1].rank == 1


def test_the_best_of_twenty_are_chosen_when_fewer_are_wanted(open_memory: OpenMemory) -> None:
    judge = Judge()
    memory = fill(open_memory("assistant", reranker=judge), 30)
    hits = memory.recall(QUESTION, user="alex", limit=2)
    ((question, asked),) = judge.asked
    assert question == QUESTION and len(asked) == DEPTH and len(hits) == 2
    without = open_memory().recall(QUESTION, user="alex", min_score=0, limit=DEPTH)
    assert asked == [text_for_reranker(hit.record) for hit in without]


def test_only_the_first_twenty_are_put_to_it(open_memory: OpenMemory) -> None:
    judge = Judge()
    memory = fill(open_memory("assistant", reranker=judge), 30)
    hits = memory.recall(QUESTION, user="alex", limit=28)
    without = open_memory().recall(QUESTION, user="alex", min_score=0, limit=28)
    assert len(judge.asked[0][1]) == DEPTH
    assert hits[DEPTH:] == without[DEPTH:] and texts(hits[:DEPTH]) != texts(without[:DEPTH])
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_it_reads_who_said_it_and_no_more_than_a_model_reads() -> None:
    record = made_up(1.0)[0].record
    assert text_for_reranker(record) == "text 0"
    assert text_for_reranker(replace(record, author="Ana", text="I moved")) == "Ana: I moved"
    assert text_for_reranker(replace(record, title="Keys", text="They hang here")) == "Keys: They hang here"
    assert len(text_for_reranker(replace(record, author="Ana", text="long " * 9000))) == 2000


def test_the_least_score_keeps_to_the_engines_own(open_memory: OpenMemory) -> None:
    judge = Judge()
    memory = fill(open_memory("assistant", reranker=judge), 6)
    best, second = open_memory().recall(QUESTION, user="alex", min_score=0, limit=6)[:2]
    least = (best.score + second.score) / 2
    assert texts(memory.recall(QUESTION, user="alex", min_score=least)) == [best.record.text]
    assert judge.asked == [], "there is nothing to order in one hit"


def test_what_it_moved_out_is_explained(open_memory: OpenMemory) -> None:
    memory = fill(open_memory("assistant", reranker=Judge()), 30)
    hits = memory.recall(QUESTION, user="alex", limit=2, explain=True)
    shown = {hit.record.id for hit in hits}
    assert not shown & hits.left_out.keys()
    assert all("2 were wanted" in reason for reason in hits.left_out.values())
    first = next(iter(hits.left_out.values()))
    assert first.startswith("it came 3., and 2 were wanted; found by ") and "reranker #" in first
    for record_id, reason in hits.left_out.items():
        told = memory.why_not(record_id, QUESTION, user="alex", limit=2)
        assert (told.found, told.stage, told.reason) == (False, "rank", reason)
    assert "reranker #" in memory.why_not(hits[0].record.id, QUESTION, user="alex", limit=2).reason


def nonsense(*scores: Any) -> Callable[[str, Sequence[str]], Any]:
    return lambda question, texts: scores


def away(question: str, texts: Sequence[str]) -> Any:
    raise ModelError("it is away")


@pytest.mark.parametrize(
    "answer, said",
    [
        (away, "it is away"),
        (nonsense(0.5), "1 scores for 4 texts"),
        (nonsense(1, 2, float("nan"), 3), "no number"),
        (nonsense(1, 2, float("inf"), 3), "no number"),
        (nonsense("a", None, 2, 3), "no number"),
    ],
)
def test_recall_goes_on_in_the_engines_order_when_it_fails(
    open_memory: OpenMemory, caplog: pytest.LogCaptureFixture, answer: Any, said: str
) -> None:
    judge = Judge()
    judge.scores = answer  # type: ignore[method-assign]
    memory = fill(open_memory("assistant", reranker=judge), 4)
    with caplog.at_level(logging.WARNING, logger="toldonce"):
        hits = memory.recall(QUESTION, user="alex", limit=3)
    assert hits == open_memory().recall(QUESTION, user="alex", min_score=0, limit=3)
    assert not any(was_reranked(hit) for hit in hits)
    assert said in caplog.text and "key" not in caplog.text, "no remembered text in a log"


def test_after_a_failure_it_is_left_alone_for_a_minute(open_memory: OpenMemory, clock: ManualClock) -> None:
    judge = Judge()
    judge.before = lambda: away("", [])
    memory = fill(open_memory("assistant", reranker=judge), 4)
    for _ in range(3):
        memory.recall(QUESTION, user="alex")
    assert len(judge.asked) == 1
    judge.before = lambda: None
    clock.pass_time(seconds=61)
    assert was_reranked(memory.recall(QUESTION, user="alex")[0])


def test_no_transaction_is_open_while_it_reads(open_memory: OpenMemory) -> None:
    judge = Judge()
    memory = fill(open_memory("assistant", reranker=judge), 4)
    judge.before = lambda: memory.observe("The bus is late", user="alex", session="s") and None
    assert was_reranked(memory.recall(QUESTION, user="alex")[0])
    assert texts(memory.recall("is the bus late?", user="alex", limit=1)) == ["The bus is late"]


def test_a_prompt_block_holds_what_the_reranker_prefers(open_memory: OpenMemory) -> None:
    judge = Judge()
    memory = fill(open_memory("assistant", reranker=judge), 4)
    made = memory.context(QUESTION, user="alex", session="another")
    assert judge.asked and any(was_reranked(hit) for hit in made.hits)


def test_a_memory_may_be_opened_with_the_name_of_one(open_memory: OpenMemory) -> None:
    with closing(Server(by_length)) as server:
        memory = fill(open_memory("assistant", reranker=f"{server.url}/rerank#m"), 4)
        assert server.requests == [], "nothing is asked before a recall"
        hits = memory.recall(QUESTION, user="alex", limit=4)
    assert all(was_reranked(hit) for hit in hits) and len(server.requests) == 1
    assert open_memory(file="other.db", reranker="none").engine.searcher.reranker is None


def test_nothing_is_asked_without_hits_to_order(open_memory: OpenMemory) -> None:
    judge = Judge()
    memory = open_memory("assistant", reranker=judge)
    assert memory.recall(QUESTION, user="alex") == []
    memory.observe("The spare key hangs here", user="alex", session="s")
    assert len(memory.recall(QUESTION, user="alex")) == 1 and judge.asked == []
