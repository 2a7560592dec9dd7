"""The companion preset: conversation for thirty days, facts for ever, context until the end of the day."""

from __future__ import annotations

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("companion", zone="America/Sao_Paulo")


def test_three_types_end_when_their_time_is_over(memory: Memory, clock: ManualClock) -> None:
    """ROB-1, ROB-5: Conversation after 30 days, context at the end of the owner's day, facts never."""
    memory.remember("The charger is in the kitchen", kind="fact", user="ana")
    memory.remember("We are baking bread in the kitchen", kind="context", user="ana")
    memory.observe("What a nice kitchen", user="ana", session="s1")

    def kinds() -> set[str]:
        return {hit.record.kind for hit in memory.recall("kitchen", user="ana", min_score=0)}

    assert kinds() == {"fact", "context", "message"}
    clock.pass_time(hours=15)  # 21:00 in São Paulo, already tomorrow in UTC
    assert "context" in kinds()
    clock.pass_time(hours=4)  # past midnight in São Paulo
    assert kinds() == {"fact", "message"}
    clock.pass_time(days=30)
    assert kinds() == {"fact"}


def test_expired_memories_are_cleaned_up_and_counted(memory: Memory, clock: ManualClock) -> None:
    """ROB-5: The hourly job says how many it took away; they stay in history."""
    note = memory.remember("Table set for four", kind="context", user="ana")
    clock.pass_time(days=1)
    runs = [run for run in memory.tend() if run.name == "expire"]
    assert sum(run.counts.get("expired", 0) for run in runs) == 1
    assert memory.get(note.id).state == "expired"


def test_the_preset_keeps_its_own_words_for_kinds(memory: Memory) -> None:
    """ROB-9: `conversation` and the older type names lead to the right kind."""
    assert memory.remember("Saw a red car", kind="observation", user="ana").kind == "message"
    assert memory.remember("Ana prefers tea", kind="preference", user="ana").kind == "fact"
    assert memory.remember("Water the plants", kind="task", user="ana").kind == "context"


def test_scores_run_from_zero_to_one_and_weak_ones_are_dropped(memory: Memory) -> None:
    """ROB-2: Similarity alone decides; what is under 0.3 does not come back unless asked for."""
    memory.remember("Ana plays the violin in the city orchestra every Thursday", kind="fact", user="ana")
    strong = memory.recall("Ana plays the violin", user="ana")
    assert strong[0].score > 0.9
    assert memory.recall("violin tuning pegs shop opening hours nearby", user="ana") == []
    assert memory.recall("violin tuning pegs shop opening hours nearby", user="ana", min_score=0)


def test_the_last_turns_are_always_in_the_prompt(memory: Memory) -> None:
    """ROB-3: Five turns, each a person's message and the answer; a new session starts with none."""
    for number in range(8):
        memory.observe(f"question {number}", user="ana", session="s1")
        memory.observe(f"answer {number}", user="ana", session="s1", role="assistant")
    assert [r.text for r in memory.sessions.window("s1")] == [
        f"{w} {n}" for n in range(3, 8) for w in ("question", "answer")
    ]
    text = memory.context("and now?", user="ana", session="s1").text
    assert "answer 7" in text
    assert "question 2" not in text
    assert memory.sessions.window("s2") == []


def test_metadata_filters_a_search(memory: Memory) -> None:
    """ROB-2, ROB-7: A profile is facts with a category."""
    memory.remember("Call her Aninha", kind="fact", user="ana", metadata={"category": "user_profile", "field": "name"})
    memory.remember("Call the plumber Aninha knows", kind="fact", user="ana", metadata={"category": "errand"})
    hits = memory.recall("Aninha call", user="ana", where={"category": "user_profile"}, min_score=0)
    assert [hit.record.metadata["field"] for hit in hits] == ["name"]
    both = memory.recall("Aninha call", user="ana", where={"category": ["user_profile", "errand"]}, min_score=0)
    assert len(both) == 2


def test_forget_hides_and_restore_brings_back(memory: Memory, clock: ManualClock) -> None:
    """ROB-2: Forgotten things are restorable for thirty days and then gone."""
    fact = memory.remember("The spare key is under the pot", kind="fact", user="ana")
    memory.forget(fact.id)
    assert memory.recall("spare key", user="ana") == []
    memory.restore(fact.id)
    assert memory.recall("spare key", user="ana")
    memory.forget(fact.id)
    clock.pass_time(days=32)
    memory.tend()
    assert memory.stats()["kinds"] == {}
