"""Each message of a conversation is read once, for its note and for its facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from toldonce import Memory
from toldonce.distil import reading
from toldonce.distil.drafts import ConversationMessage
from toldonce.distil.extract import extract_facts
from toldonce.distil.notes import write_note
from toldonce.distil.writer import RulesWriter

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)
TEXTS = (
    "I moved to Lisbon last month. My sister Ana still lives in Porto.",
    "Please always answer in short sentences.",
    "Eu trabalho como enfermeira em Braga, e minha cachorra se chama Luna.",
    "Ana works at the harbour and I'm allergic to peanuts.",
)


def conversation() -> list[ConversationMessage]:
    return [
        ConversationMessage(str(n), text, "maria", "user", AT + timedelta(minutes=n), "Maria")
        for n, text in enumerate(TEXTS)
    ]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each text was read."""
    counts: Counter[str] = Counter()
    sentences = reading.split_sentences

    def counted(text: str) -> list[reading.Sentence]:
        counts[text] += 1
        return sentences(text)

    monkeypatch.setattr(reading, "split_sentences", counted)
    return counts


def test_a_note_and_facts_read_each_message_once(read: Counter[str]) -> None:
    writer, said = RulesWriter(), conversation()
    assert writer.note(said) is not None
    assert writer.facts(said[:2], subjects={}) and writer.facts(said[2:], subjects={})
    assert set(read) == set(TEXTS) and set(read.values()) == {1}


def test_settling_reads_each_message_once(open_memory: Callable[..., Memory], read: Counter[str]) -> None:
    memory = open_memory("assistant")
    for text in TEXTS:
        memory.observe(text, user="maria", session="s")
    memory.settle(session="s")
    assert set(read) == set(TEXTS) and set(read.values()) == {1}


def test_what_was_read_before_changes_no_draft() -> None:
    writer, said = RulesWriter(), conversation()
    assert writer.note(said) == write_note(said)
    assert writer.facts(said, subjects={}) == extract_facts(said, subjects={})
