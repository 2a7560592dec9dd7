"""The life preset: knowledge about one person, which that person sees, corrects and has the last word on."""

from __future__ import annotations

from datetime import timedelta

import pytest

from recollect import Memory
from tests.conftest import ManualClock, OpenMemory


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("life", zone="America/Sao_Paulo")


def tell(memory: Memory, clock: ManualClock, text: str, *, session: str) -> None:
    memory.observe(text, user="maria", session=session, display_name="Maria")
    memory.settle(session=session)
    clock.pass_time(days=1)


def current(memory: Memory, words: str) -> list[str]:
    return [hit.record.text for hit in memory.recall(words, user="maria", kinds=["fact"])]


def test_confidence_depends_on_where_knowledge_comes_from(memory: Memory) -> None:
    """LIFE-2: Told by the person 1.0 and validated; drawn from conversation 0.95; inferred 0.7."""
    told = memory.remember("Maria was born in Recife", user="maria", author="person")
    heard = memory.remember("Maria runs on Sundays", user="maria", origin="conversation")
    inferred = memory.remember("Maria sleeps better after running", kind="insight", user="maria", origin="ai_inference")
    assert (told.confidence, told.validated) == (1.0, True)
    assert (heard.confidence, inferred.confidence) == (0.95, 0.7)


def test_a_move_replaces_the_old_address_and_keeps_it_in_history(memory: Memory, clock: ManualClock) -> None:
    """LIFE-6, LIFE-7: The loser keeps its confidence, and gets superseded-by and when."""
    tell(memory, clock, "I live in Recife", session="s1")
    old = memory.recall("Recife", user="maria", kinds=["fact"])[0].record
    tell(memory, clock, "I moved to Curitiba", session="s2")
    assert memory.recall("Recife", user="maria", kinds=["fact"]) == []
    gone = memory.get(old.id)
    assert (gone.state, gone.confidence) == ("superseded", 0.95)
    assert gone.superseded_by == memory.recall("Curitiba", user="maria", kinds=["fact"])[0].record.id


def test_the_past_can_be_asked_for(memory: Memory, clock: ManualClock) -> None:
    """`as_of` answers from what was believed then."""
    tell(memory, clock, "I live in Recife", session="s1")
    then = clock.now - timedelta(hours=1)
    tell(memory, clock, "I moved to Curitiba", session="s2")
    hits = memory.recall("live moved", user="maria", kinds=["fact"], as_of=then)
    assert len(hits) == 1
    assert "Recife" in hits[0].record.text


def test_what_the_person_validated_is_never_overwritten(memory: Memory, clock: ManualClock) -> None:
    """LIFE-7: A contradiction of a validated fact becomes a question, and the fact stays."""
    tell(memory, clock, "I live in Recife", session="s1")
    fact = memory.recall("Recife", user="maria", kinds=["fact"])[0].record
    memory.confirm(fact.id)
    tell(memory, clock, "I live in Curitiba", session="s2")
    assert memory.get(fact.id).state == "active"
    (question,) = memory.questions("maria")
    assert question.older == fact.id


def test_the_next_context_asks_and_the_answer_settles_it(memory: Memory, clock: ManualClock) -> None:
    """LIFE-8: The doubt stands in the block; 'yes, I moved' makes the newer record count."""
    tell(memory, clock, "I live in Recife", session="s1")
    memory.confirm(memory.recall("Recife", user="maria", kinds=["fact"])[0].record.id)
    tell(memory, clock, "I live in Curitiba", session="s2")
    context = memory.context("good morning", user="maria", session="s3")
    assert len(context.questions) == 1
    assert "To clear up gently" in context.text
    kept = memory.answer(context.questions[0].id, "Yes, I moved to Curitiba")
    assert "Curitiba" in kept.text
    assert kept.validated
    assert memory.questions("maria") == []
    assert memory.recall("Recife", user="maria", kinds=["fact"]) == []


def test_the_answer_no_keeps_the_older_fact(memory: Memory, clock: ManualClock) -> None:
    """LIFE-8: The newer record is forgotten."""
    tell(memory, clock, "I live in Recife", session="s1")
    memory.confirm(memory.recall("Recife", user="maria", kinds=["fact"])[0].record.id)
    tell(memory, clock, "I live in Curitiba", session="s2")
    kept = memory.answer(memory.questions("maria")[0].id, "No, nothing changed")
    assert "Recife" in kept.text
    assert memory.recall("Curitiba", user="maria", kinds=["fact"]) == []


def test_correcting_makes_a_certain_record_and_keeps_the_old_one(memory: Memory, clock: ManualClock) -> None:
    """LIFE-10: The new item is validated at 1.0; history shows both."""
    wrong = memory.remember("Maria works at a bank", user="maria", origin="ai_inference")
    clock.pass_time(hours=1)
    right = memory.correct(wrong.id, "Maria works at a school")
    assert (right.confidence, right.validated) == (1.0, True)
    assert memory.get(wrong.id).state == "superseded"
    assert [r.id for r in memory.history(right.id).chain] == [wrong.id, right.id]


def test_the_compact_profile_is_always_in_the_prompt(memory: Memory, clock: ManualClock) -> None:
    """LIFE-3: Goals before challenges before patterns, versioned, within its tokens."""
    tell(memory, clock, "I live in Recife. My goal is to run a marathon.", session="s1")
    profile = memory.profile("maria")
    assert profile.version == 1
    assert {"location", "goals"} <= {entry.section for entry in profile.entries}
    assert "Recife" in memory.context("what is the weather?", user="maria", session="s2").text
    tell(memory, clock, "I moved to Curitiba", session="s3")
    after = memory.profile("maria")
    assert after.version == 2
    assert [e.text for e in after.entries if e.section == "location"] != [
        e.text for e in profile.entries if e.section == "location"
    ]


def test_it_works_in_portuguese(memory: Memory, clock: ManualClock) -> None:
    """LIFE-16: Statements, subjects and questions in Portuguese."""
    tell(memory, clock, "Eu moro em Recife", session="s1")
    tell(memory, clock, "Me mudei para Curitiba", session="s2")
    hits = memory.recall("onde a Maria mora?", user="maria", kinds=["fact"])
    assert "Curitiba" in hits[0].record.text
    assert all("Recife" not in hit.record.text for hit in hits)


def test_a_day_ends_a_conversation_in_the_owners_zone(memory: Memory, clock: ManualClock) -> None:
    """23:30 in São Paulo is the same day as 22:00, though it is another one in UTC."""
    clock.pass_time(hours=16)  # 22:00 in São Paulo
    memory.observe("I had soup", user="maria", session="s1")
    clock.pass_time(hours=1.5)
    memory.observe("And bread", user="maria", session="s1")
    assert not [run for run in memory.tend() if run.name == "settle"]
    clock.pass_time(hours=1)
    assert [run.status for run in memory.tend() if run.name == "settle"] == ["completed"]
