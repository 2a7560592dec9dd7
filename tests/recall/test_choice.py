"""What stands in a block is chosen by its worth, says nothing twice, and ends where nothing more is worth its place."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ManualClock, OpenMemory
from toldonce.lang.vocabulary import content_words
from toldonce.recall.explain import explain_choice
from toldonce.recall.features import to_chances
from toldonce.recall.fitting import BlockCandidate, choose_candidates


def candidate(id: str, chance: float, cost: int = 10, text: str = "", *covers: str) -> BlockCandidate:
    return BlockCandidate(id, chance, cost=cost, words=content_words(text or id), covers=frozenset(covers or (id,)))


def ids(chosen: list[BlockCandidate]) -> list[str]:
    return [one.id for one in chosen]


def test_the_best_come_first_until_nothing_is_worth_it() -> None:
    some = [candidate("low", 0.001), candidate("high", 0.5), candidate("middle", 0.1)]
    assert ids(choose_candidates(some, budget=100, least=0.01)) == ["high", "middle"]


def test_a_long_one_gives_way_to_a_short_one_that_is_nearly_as_likely() -> None:
    some = [candidate("long", 0.5, 400), candidate("short", 0.4, 20)]
    assert ids(choose_candidates(some, budget=400, least=0.01)) == ["short"]


def test_what_is_said_already_is_left_out() -> None:
    some = [
        candidate("message", 0.5, 10, "I take losartan every morning"),
        candidate("statement", 0.4, 10, "I take losartan", "message"),
        candidate("again", 0.3, 10, "losartan every morning"),
        candidate("other", 0.2, 10, "the dog is called Bento"),
    ]
    chosen = choose_candidates(some, budget=100, least=0.01)
    assert ids(chosen) == ["message", "other"]
    reasons = explain_choice(some, chosen, least=0.01)
    assert {id_: reason.code for id_, reason in reasons.items()} == {"statement": "retold", "again": "retold"}


def test_what_stands_beside_the_choice_is_not_said_again() -> None:
    standing = candidate("health", 1.0, 10, "I am allergic to hazelnuts, careful with recipes", "other")
    some = [
        candidate("same", 0.9, 10, "I am allergic to hazelnuts, so careful with recipes"),
        candidate("more", 0.5, 10, "Tom is allergic to nothing, he eats chestnuts in autumn"),
    ]
    chosen = choose_candidates(some, budget=100, least=0.01, beside=[standing])
    assert ids(chosen) == ["more"]
    reasons = explain_choice(some, [standing, *chosen], least=0.01)
    assert {id_: reason.code for id_, reason in reasons.items()} == {"same": "retold"}


def test_what_found_no_room_and_what_is_unlikely_are_told_apart() -> None:
    some = [candidate("first", 0.5, 60), candidate("second", 0.4, 60), candidate("never", 0.0001, 5)]
    chosen = choose_candidates(some, budget=100, least=0.01)
    reasons = explain_choice(some, chosen, least=0.01)
    assert {id_: reason.code for id_, reason in reasons.items()} == {"second": "no_room", "never": "weak"}
    assert reasons["second"].values == {"needs": 60, "score": 0.4}
    assert reasons["never"].values == {"needs": 5, "score": 0.0001, "least": 0.01}


def test_what_is_likely_but_mostly_said_already_is_named_so() -> None:
    some = [
        candidate("first", 0.9, 10, "the red kite is stuck in the oak"),
        candidate("second", 0.011, 10, "a kite is stuck in the oak again"),
    ]
    chosen = choose_candidates(some, budget=100, least=0.01)
    assert ids(chosen) == ["first"]
    assert explain_choice(some, chosen, least=0.01)["second"].code == "retold"


@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(1, 300)), max_size=30), st.integers(0, 1000), st.floats(0.001, 0.5)
)
def test_a_choice_keeps_its_budget_and_its_least_chance(
    some: list[tuple[float, int]], budget: int, least: float
) -> None:
    candidates = [candidate(f"word{n}", chance, cost) for n, (chance, cost) in enumerate(some)]
    chosen = choose_candidates(candidates, budget=budget, least=least)
    assert sum(one.cost for one in chosen) <= budget
    assert all(one.chance >= least for one in chosen)
    assert len(set(ids(chosen))) == len(chosen)


@pytest.mark.parametrize("by_words", [True, False])
@given(st.dictionaries(st.integers(0, 99), st.floats(-20, 30), max_size=40))
def test_chances_keep_the_order_of_scores(by_words: bool, scores: dict[int, float]) -> None:
    chances = to_chances(scores, by_words=by_words)
    assert chances.keys() == scores.keys() and all(0 <= chance <= 1 for chance in chances.values())
    ordered = sorted(scores, key=lambda seq: -scores[seq])
    assert all(chances[one] >= chances[other] for one, other in pairwise(ordered))


# In a memory


def test_a_block_tells_what_was_asked_and_ends_there(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant", embedder="default")
    memory.observe("my sister Ines moved to Porto and works at the harbour", "ana", session="s0")
    for number in range(60):
        clock.pass_time(hours=5)
        memory.observe(f"nothing much today, soup number {number} again and rain", "ana", session=f"t{number}")
    memory.tend()
    block = memory.context("where does my sister work?", "ana", session="now", budget=1200)
    assert "harbour" in block.text
    assert block.tokens < 600


def test_a_short_reply_stands_behind_what_it_answers_or_quotes_it(open_memory: OpenMemory) -> None:
    asked = "before we order the soil and the seeds and tell the whole choir: is the greenhouse booked for saturday?"
    memory = open_memory("community")
    memory.observe(asked, "sam", channel="c")
    memory.observe("yes, from nine", "alex", channel="c")
    ways = set()
    for budget in range(60, 300, 5):
        lines = memory.context("what begins from nine, yes?", "kim", channel="d", budget=budget).text.splitlines()
        reply = next((place for place, line in enumerate(lines) if "from nine" in line), None)
        assert sum(asked in line for line in lines) <= 1
        if reply is not None:
            is_quoted = asked in lines[reply]
            assert is_quoted or asked in lines[reply - 1]
            ways.add("quoted" if is_quoted else "behind")
    assert ways == {"quoted", "behind"}


def test_what_stands_always_is_not_said_again_by_its_message(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant")
    memory.observe("I'm allergic to hazelnuts, so careful with recipes.", "maya", session="s1")
    clock.pass_time(hours=3)
    memory.settle(session="s1")
    clock.pass_time(days=2)
    block = memory.context("which recipes suit me?", "maya", session="s2").text
    assert "## Health" in block
    assert block.count("hazelnuts") == 1


def test_a_name_stands_once_in_a_line(open_memory: OpenMemory) -> None:
    memory = open_memory("community")
    memory.observe("the greenhouse is booked for saturday", "Sam", channel="c")
    memory.observe("ok", "Alex", channel="c")
    memory.settle()
    block = memory.context("who booked the greenhouse?", "Kim", channel="d").text
    assert all(line.count("Sam") == 1 for line in block.splitlines() if "greenhouse is booked" in line)
