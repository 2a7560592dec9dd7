"""Standing wishes change: a newer one takes the place of its opposite, and what was taken back is no longer shown."""

from __future__ import annotations

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory
from toldonce.distil.instructions import replaces_instruction


@pytest.mark.parametrize(
    "newer, older",
    [
        ("use bullet points", "not: use bullet points"),
        ("not: use metric units", "use metric units"),
        ("Emojis", "not: use emojis in your answers"),
        ("not: emojis", "use emojis"),
        ("back: bullet points", "not: use bullet points"),
        ("back: bullet points", "use bullet points"),
        ("use imperial units", "use metric units"),
        ("give long answers", "keep your answers short"),
        ("usar emojis", "not: use emojis"),
    ],
)
def test_a_wish_ends_its_opposite(newer: str, older: str) -> None:
    assert replaces_instruction(newer, older)


@pytest.mark.parametrize(
    "newer, older",
    [
        ("use bullet points", "use bullet points"),
        ("use tables", "not: use emojis"),
        ("not: use tables", "use emojis"),
        ("use it", "not: use emojis"),
        ("not: answer", "answer in bullet points"),
        ("back: tables", "use emojis"),
        ("use metric units", "write short sentences"),
        ("not: use imperial units", "not: use metric units"),
    ],
)
def test_a_wish_about_something_else_ends_nothing(newer: str, older: str) -> None:
    assert not replaces_instruction(newer, older)


def shown(memory: Memory, clock: ManualClock, *said: str, question: str = "what now?") -> str:
    """The prompt block after these were said, each in a session of its own."""
    for place, text in enumerate(said):
        memory.observe(text, user="alex", session=f"s{place}")
        memory.settle(session=f"s{place}")
        clock.pass_time(days=1)
    block = memory.context(question, user="alex", session="now").text
    return block.partition("## What was said")[0]


CHANGES = [
    ("Always answer in French", "You can answer in English again", "in English", "French"),
    ("Always answer in French", "From now on answer in German", "in German", "French"),
    ("Always answer in French", "Please reply in English from now on.", "in English", "French"),
    ("Always answer in French", "You don't have to answer in French any more", "no longer wants", "alex wants answers"),
    ("Always answer in French", "Stop answering in French", "no longer wants", "alex wants answers"),
    ("Always answer in French", "Actually, forget about answering in French.", "no longer wants", "alex wants answers"),
    ("Always answer in French", "English is fine again", "in English", "French"),
    ("Never use bullet points", "You may use bullet points now", "lets the assistant use bullet points", "never"),
    ("Don't use emojis in your answers", "Emojis are fine again", "fine with emojis", "not to use"),
    ("No emojis, please", "You can use emojis again", "lets the assistant use emojis", "wants no emojis"),
    ("Never use bullet points", "Forget what I said about bullet points", "took back", "never"),
    ("Always use metric units", "Use imperial units from now on", "imperial", "metric"),
    ("Keep your answers short", "You can give long answers again", "give long answers", "short"),
    ("Call me Lex", "Call me Sasha from now on", "called Sasha", "Lex"),
    ("Call me Lex", "Don't call me Lex any more", "does not want to be called Lex", "wants to be called Lex"),
    ("Responde sempre em francês", "Podes responder em português outra vez", "em português", "francês"),
    ("Responda sempre em francês", "Já não precisas de responder em francês", "já não quer", "alex quer respostas"),
    ("Não use emojis", "Pode usar emojis de novo", "deixa o assistente usar emojis", "não use emojis"),
    ("Não use emojis", "Podes usar emojis agora", "deixa o assistente usar emojis", "não use emojis"),
    ("I don't eat meat", "I eat meat again", "eats meat", "does not eat meat"),
    ("I don't eat meat", "I started eating meat again last week", "started eating meat", "does not eat meat"),
    ("Não como carne", "Voltei a comer carne", "voltou a comer carne", "não come carne"),
    ("I don't like coffee", "I like coffee now", "likes coffee", "does not like coffee"),
    ("I like tea", "I no longer like tea", "", "alex likes tea"),
    ("I prefer tea over coffee", "I prefer coffee now", "prefers coffee", "tea over coffee"),
]  # fmt: skip


@pytest.mark.parametrize("preset", ["assistant", "life"])
@pytest.mark.parametrize("first, then, stands, gone", CHANGES)
def test_a_changed_wish_takes_the_place_of_the_former_one(
    open_memory: OpenMemory, clock: ManualClock, preset: str, first: str, then: str, stands: str, gone: str
) -> None:
    memory = open_memory(preset)
    # A line of the person's own document does not begin with their name.
    ways = (gone, gone.replace("alex ", "- "))
    before = shown(memory, clock, first)
    assert any(way in before for way in ways)
    block = shown(memory, clock, then)
    assert stands in block
    assert not any(way in block for way in ways)


@pytest.mark.parametrize(
    "first, then",
    [
        ("Never use bullet points", "Never use emojis"),
        ("Always use metric units", "Always use bullet points"),
        ("I don't eat meat", "I eat fish"),
        ("I like tea", "I don't like coffee"),
    ],
)
def test_wishes_about_different_things_stand_side_by_side(
    open_memory: OpenMemory, clock: ManualClock, first: str, then: str
) -> None:
    memory = open_memory("assistant")
    before = shown(memory, clock, first)
    block = shown(memory, clock, then)
    [line] = [line for line in before.splitlines() if line.startswith("- ")]
    assert line in block and block.count("\n- ") == 2


@pytest.mark.parametrize("text", ["You can use my car now", "You may go now", "Podes fazer isso agora", "Forget it"])
def test_what_is_allowed_for_once_is_no_standing_wish(open_memory: OpenMemory, text: str) -> None:
    memory = open_memory("assistant")
    memory.observe(text, user="alex", session="s")
    assert not [r for one in memory.settle() for r in one.kept if r.kind == "instruction"]


def test_the_former_wish_stays_in_history_and_comes_back_with_as_of(
    open_memory: OpenMemory, clock: ManualClock
) -> None:
    memory = open_memory("assistant")
    shown(memory, clock, "I don't eat meat")
    then = clock()
    clock.pass_time(days=1)
    assert "does not eat meat" not in shown(memory, clock, "I eat meat again")
    assert "does not eat meat" in memory.context("what now?", user="alex", as_of=then).text


def test_a_wish_that_a_person_confirmed_is_asked_about_and_not_replaced(
    open_memory: OpenMemory, clock: ManualClock
) -> None:
    memory = open_memory("assistant")
    shown(memory, clock, "Always answer in French")
    [rule] = [h.record for h in memory.recall("answers in French", user="alex", kinds=["instruction"], min_score=0)]
    memory.confirm(rule.id)
    assert "wants answers in French" in shown(memory, clock, "You can answer in English again")
    assert memory.questions("alex")
