"""The assistant preset: every turn is kept, finished sessions become facts, and the next session starts informed."""

from __future__ import annotations

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant")


def test_what_was_said_is_found_as_soon_as_the_call_returns(memory: Memory) -> None:
    """AST-2: Read your writes: words are searchable at once, without waiting for any model."""
    memory.observe("The wifi password at the cabin is on the fridge", user="alex", session="s1")
    hits = memory.recall("where is the cabin wifi password?", user="alex")
    assert hits[0].record.text == "The wifi password at the cabin is on the fridge"
    assert 0 < hits[0].score <= 1
    assert hits[0].why.signals[0].name == "words"


def test_both_sides_of_a_conversation_are_kept(memory: Memory) -> None:
    """The assistant's words are evidence too."""
    memory.observe("Which book did you like?", user="alex", session="s1")
    memory.observe("I suggested The Dispossessed by Le Guin", user="alex", session="s1", role="assistant")
    hits = memory.recall("which book by Le Guin did you suggest?", user="alex")
    assert hits[0].record.role == "assistant"


def test_a_new_session_completes_the_earlier_ones(memory: Memory, clock: ManualClock) -> None:
    """AST-4: The first message of a new session ends the open ones, and the next tending settles them, once."""
    memory.observe("I moved to Lisbon", user="alex", session="monday")
    clock.pass_time(days=1)
    memory.observe("Good morning", user="alex", session="tuesday")
    done = memory.tend()
    assert [run.status for run in done if run.name == "settle"] == ["completed"]
    assert any("Lisbon" in hit.record.text for hit in memory.recall("Lisbon", user="alex", kinds=["fact"]))
    assert not [run for run in memory.tend() if run.name == "settle"]


def test_a_fact_names_the_message_it_came_from(memory: Memory) -> None:
    """AST-1: Evidence first: every derived record leads back to the words that were said."""
    said = memory.observe("I work at a bakery", user="alex", session="s1")
    memory.settle(session="s1")
    fact = memory.recall("bakery", user="alex", kinds=["fact"])[0].record
    assert said
    assert fact.sources == (said.id,)
    assert fact.made_by == "rules"


def test_context_shows_facts_of_other_sessions_with_their_source(memory: Memory, clock: ManualClock) -> None:
    """AST-3: what helps from earlier sessions and where it was learnt, and nothing of the session at hand."""
    memory.observe("I live in Porto with my dog Bento", user="alex", session="s1", display_name="Alex")
    memory.settle(session="s1")
    clock.pass_time(days=2)
    memory.observe("Porto again", user="alex", session="s2")
    context = memory.context("what is my dog called?", user="alex", session="s2")
    assert "Bento" in context.text
    assert "Mar 2" in context.text
    assert "Porto again" not in context.text
    assert context.tokens <= 1200


def test_the_newest_reflection_stands_in_the_block(memory: Memory, clock: ManualClock) -> None:
    """AST-3: One weekly insight, the newest."""
    memory.remember("A week of travel plans", kind="reflection", user="alex")
    clock.pass_time(days=7)
    memory.remember("A week of cooking", kind="reflection", user="alex")
    text = memory.context("hello", user="alex").text
    assert "A week of cooking" in text
    assert "travel plans" not in text


def test_standing_instructions_are_always_shown(memory: Memory) -> None:
    """They share no word with the question, and stand in the block all the same."""
    memory.observe("From now on, always answer in French.", user="alex", session="s1")
    memory.settle(session="s1")
    assert "French" in memory.context("what is the capital of Peru?", user="alex", session="s2").text


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("What can I cook given my peanut allergy?", "what am I allergic to?"),
        ("O que posso comer com a minha alergia a amendoim?", "a que sou alérgica?"),
    ],
)
def test_an_allergy_told_in_passing_is_found_by_any_of_its_words(memory: Memory, said: str, asked: str) -> None:
    memory.observe(said, user="alex", session="s1")
    memory.observe("The train leaves at nine.", user="alex", session="s1")
    memory.settle(session="s1")
    assert memory.recall(asked, user="alex")[0].record.subject == "alex/allergy"


def test_standing_record_that_bears_on_the_question_has_room_before_newer_ones(
    memory: Memory, clock: ManualClock
) -> None:
    """Fewer than a section may list, but more than its tokens hold."""
    memory.remember("Alex prefers recipes that suit a gluten-free diet", kind="preference", user="alex")
    for number in range(20):
        clock.pass_time(days=1)
        topic = f"novel number {number} by somebody whom hardly anyone has heard of in the last hundred years or so"
        memory.remember(f"Alex prefers the hardcover of {topic}", kind="preference", user="alex")
    assert "gluten-free" in memory.context("Which recipes could I try?", user="alex").text
    assert "number 19" in memory.context("Which recipes could I try?", user="alex").text


def test_of_many_standing_records_the_first_kind_and_what_bears_on_the_question_are_shown(
    memory: Memory, clock: ManualClock
) -> None:
    """More than are read for the section: the oldest are an instruction, and what the question is about."""
    memory.remember("Always answer Alex in French", kind="instruction", user="alex")
    memory.remember("Alex prefers recipes that suit a gluten-free diet", kind="preference", user="alex")
    for number in range(100):
        clock.pass_time(minutes=1)
        memory.remember(f"Alex prefers novel number {number}", kind="preference", user="alex")
    text = memory.context("Which recipes could I try?", user="alex").text
    assert "French" in text
    assert "gluten-free" in text
    assert "number 99" in text
    assert "number 5\n" not in text


def test_a_newer_value_demotes_the_older_one(memory: Memory, clock: ManualClock) -> None:
    """AST-6: A settled conflict lowers the old fact to 0.3 and records which one supersedes it."""
    memory.observe("I live in Porto", user="alex", session="s1")
    memory.settle(session="s1")
    old = memory.recall("Porto", user="alex", kinds=["fact"])[0].record
    clock.pass_time(days=30)
    memory.observe("I moved to Lisbon", user="alex", session="s2")
    memory.settle(session="s2")
    new = memory.recall("Lisbon", user="alex", kinds=["fact"])[0].record
    assert memory.get(old.id).confidence == 0.3
    assert [record.id for record in memory.history(old.id).chain] == [old.id, new.id]


def test_the_newer_value_is_found_before_the_one_it_demoted(memory: Memory, clock: ManualClock) -> None:
    memory.observe("i live in Porto", "alex", session="a")
    memory.settle()
    clock.pass_time(days=20)
    memory.observe("we moved to Braga last week", "alex", session="b")
    memory.settle()
    facts = [hit.record.text for hit in memory.recall("where does alex live?", "alex") if hit.record.kind == "fact"]
    assert "Braga" in facts[0] and "Porto" in facts[1]


def test_unused_facts_fade_and_confirmed_ones_stay(memory: Memory, clock: ManualClock) -> None:
    """AST-7: Confidence falls by exp(-0.1 x days since use); under 0.05 a fact leaves; a confirmed one never does."""
    fading = memory.remember("Alex likes the blue cup", user="alex")
    kept = memory.remember("Alex is left-handed", user="alex")
    memory.confirm(kept.id)
    clock.pass_time(days=31)
    memory.tend()
    assert memory.get(fading.id).state == "faded"
    assert memory.get(kept.id).state == "active"
    assert not memory.recall("blue cup", user="alex")


def test_entities_are_found_again_by_name(memory: Memory) -> None:
    """AST-8: Everything about X: one entity for every way to write it, with the records that mention it."""
    memory.observe("I met Maria Silva at the fair", user="alex", session="s1")
    memory.observe("maria silva sent me the photos", user="alex", session="s1")
    entity = memory.entity("MARIA SILVA", user="alex")
    assert entity is not None
    assert entity.mentions >= 1
    assert "Maria Silva" in entity.aliases
    assert memory.entity("Maria", user="alex") is None


def test_one_person_never_sees_anothers_memory(memory: Memory) -> None:
    """Private is private."""
    memory.observe("My PIN hint is the old house number", user="alex", session="s1")
    assert memory.recall("PIN hint", user="sam") == []
    assert "house" not in memory.context("PIN hint", user="sam").text


def test_a_prompt_shows_what_counts_now_and_search_what_was_believed_too(open_memory: OpenMemory) -> None:
    """What gave way to a newer fact keeps a low confidence and is found, but is not told to the model as if it held."""
    memory = open_memory("assistant")
    for place, text in enumerate(("I'm vegetarian", "I'm not vegetarian anymore")):
        memory.observe(text, user="alex", session=f"s{place}")
        memory.settle(session=f"s{place}")
    block = memory.context("is alex vegetarian?", user="alex", session="now").text
    assert "alex is vegetarian" not in block
    assert "not vegetarian anymore" in block
    found = [hit.record.text for hit in memory.recall("is alex vegetarian?", user="alex", kinds=["fact"], min_score=0)]
    assert set(found) == {"alex is vegetarian", "alex no longer is vegetarian"}
