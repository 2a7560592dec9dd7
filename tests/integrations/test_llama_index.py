"""LlamaIndex over a memory, with its real `Memory`."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator

import pytest
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import Memory as LlamaMemory

from tests.integrations.table import Integration
from toldonce import Memory
from toldonce.integrations.llama_index import ToldonceMemoryBlock
from toldonce.integrations.person_memory import PersonMemory

INTEGRATION = Integration(
    name="LlamaIndex",
    package="llama-index-core",
    module="toldonce.integrations.llama_index",
    page="llama-index.md",
    works={
        "memory block that recalls": "test_the_block_is_part_of_what_the_model_reads",
        "messages that leave the short-term memory are observed": "test_messages_that_leave_the_chat_are_observed",
        "observing at once": "test_messages_can_be_observed_at_once",
    },
    lacks=("LlamaIndex hands messages over late, so call `block.observe` for those that must not wait",),
)
# LlamaIndex leaves it to the garbage collector to close its own database.
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*aiosqlite:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(autouse=True)
def collect_garbage() -> Iterator[None]:
    """So that what is not closed is found here and not in another test."""
    yield
    gc.collect()


def make_memory(person: PersonMemory, **options: int) -> LlamaMemory:
    block = ToldonceMemoryBlock(person=person)
    return LlamaMemory.from_defaults(session_id="chat", memory_blocks=[block], **options)


def test_the_block_is_part_of_what_the_model_reads(alex: PersonMemory, known: Memory) -> None:
    for person, mine, other in ((alex, "peanuts", "cats"), (PersonMemory(known, "sam"), "cats", "peanuts")):
        memory = make_memory(person)
        memory.put(ChatMessage(role="user", content="what am I allergic to?"))
        read = str(memory.get())
        assert mine in read and other not in read and "toldonce-memory" in read


def test_messages_that_leave_the_chat_are_observed(alex: PersonMemory, known: Memory) -> None:
    memory = make_memory(alex, token_limit=60, token_flush_size=10)
    for number in range(12):
        role = "assistant" if number % 2 else "user"
        asyncio.run(memory.aput(ChatMessage(role=role, content=f"this is what was said as message number {number}")))
    said = [(r.role, r.text) for r in known.sessions.window("monday")]
    assert said[:2] == [
        ("user", "this is what was said as message number 0"),
        ("assistant", "this is what was said as message number 1"),
    ]


def test_messages_can_be_observed_at_once(alex: PersonMemory, known: Memory) -> None:
    messages = [
        ChatMessage(role="system", content="Be brief."),
        ChatMessage(role="user", content="i moved to Lisbon"),
        ChatMessage(role="tool", content="24 degrees"),
        ChatMessage(role="assistant", content="How nice!"),
    ]
    ToldonceMemoryBlock(person=alex).observe(messages)
    assert [r.text for r in known.sessions.window("monday")] == ["i moved to Lisbon", "How nice!"]
