"""What all frameworks share: the memory of one person, and the words of a message."""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

import pytest

from toldonce import Memory
from toldonce.errors import InputError, StoreError
from toldonce.integrations.person_memory import PersonMemory, find_person, read_text, require_name


@pytest.mark.parametrize(
    "content, text",
    [
        ("hello", "hello"),
        ([{"type": "text", "text": "a"}, {"type": "input_text", "text": "b"}], "a\nb"),
        ([{"text": "a"}, {"type": "image_url", "image_url": {"url": "x"}}, "b"], "a\nb"),
        (
            [{"type": "reasoning", "text": "hm"}, SimpleNamespace(text="a"), SimpleNamespace(type="image", text="b")],
            "a",
        ),
        ([{"text": 3}, None, 7], ""),
        (None, ""),
    ],
)
def test_the_words_of_a_message_are_read(content: Any, text: str) -> None:
    assert read_text(content) == text


def test_a_text_that_cannot_be_remembered_is_logged(alex: PersonMemory, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="toldonce.agents"):
        alex.remember("   ")
        alex.observe_turn([("user", "i moved to Lisbon"), ("juggler", "hello there"), ("assistant", " ")])
    assert [r.text for r in alex.memory.sessions.window("monday")] == ["i moved to Lisbon"]
    assert any("not remembered" in line.message for line in caplog.records)


def test_a_store_that_cannot_be_reached_is_an_error(alex: PersonMemory) -> None:
    alex.memory.close()
    with pytest.raises(StoreError):
        alex.observe("hello there")
    with pytest.raises(StoreError):
        alex.recall_block("hello there")


def test_nothing_is_recalled_or_kept_of_a_blocked_person(alex: PersonMemory, known: Memory) -> None:
    known.people.block("alex")
    assert alex.recall_block("what am I allergic to?") == "" and not alex.search("allergic")
    alex.observe("i moved to Lisbon")
    alex.remember("Alex moved to Lisbon")
    assert "switched off" in alex.tools()[0].call({"query": "allergic"})
    known.people.block("alex", blocked=False)
    assert not [r for r in known.review.records("alex") if "Lisbon" in r.text]


def test_a_conversation_can_be_settled(alex: PersonMemory) -> None:
    alex.observe("i moved to Lisbon")
    assert alex.settle() and "Lisbon" in PersonMemory(alex.memory, "alex").recall_block("where do I live?")


def test_the_person_comes_from_what_the_host_configured(known: Memory) -> None:
    alex = PersonMemory(known, "alex")
    assert find_person(alex, None) is alex
    assert find_person(lambda name: PersonMemory(known, name), "sam").user == "sam"
    with pytest.raises(InputError, match="PersonMemory"):
        find_person(lambda _: "sam", None)  # type: ignore[arg-type, return-value]
    with pytest.raises(InputError, match="configuration of the run"):
        require_name("  ", "user_id")
    with pytest.raises(InputError, match="blank"):
        PersonMemory(known, " ").recall_block("hello")
