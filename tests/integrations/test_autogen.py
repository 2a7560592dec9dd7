"""AutoGen over a memory, with its real agent and its scripted model."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

import pytest
from autogen_agentchat.agents import AssistantAgent
from autogen_core.memory import Memory as AutogenMemory
from autogen_core.memory import MemoryContent, MemoryMimeType
from autogen_core.model_context import UnboundedChatCompletionContext
from autogen_core.models import CreateResult, ModelFamily, RequestUsage, UserMessage

from tests.integrations.table import Integration
from toldonce import Memory
from toldonce.errors import InputError
from toldonce.integrations.autogen import ToldonceMemory
from toldonce.integrations.person_memory import PersonMemory

INTEGRATION = Integration(
    name="AutoGen",
    package="autogen-core",
    module="toldonce.integrations.autogen",
    page="autogen.md",
    works={
        "`Memory` of an agent: `update_context`": "test_an_agent_reads_what_helps",
        "`query` and `add`": "test_it_is_searched_and_added_to",
        "observing the messages of a run": "test_the_messages_of_a_run_are_observed_once",
    },
    lacks=("`clear` is refused: an agent does not empty a person's memory",),
)


class Model:
    """A model client that says one line, and keeps what it was asked."""

    model_info: ClassVar[dict[str, Any]] = {
        "vision": False, "function_calling": True, "json_output": False, "family": ModelFamily.UNKNOWN,
        "structured_output": False,
    }  # fmt: skip

    def __init__(self, line: str) -> None:
        self.line = line
        self.asked: list[str] = []

    async def create(self, messages: Any, **_: Any) -> CreateResult:
        self.asked.append(str(messages))
        usage = RequestUsage(prompt_tokens=1, completion_tokens=1)
        return CreateResult(finish_reason="stop", content=self.line, usage=usage, cached=False)


def ask(person: PersonMemory, model: Model, task: str) -> Any:
    agent = AssistantAgent("helper", model_client=model, memory=[ToldonceMemory(person)])  # type: ignore[arg-type]
    return asyncio.run(agent.run(task=task))


def test_an_agent_reads_what_helps(alex: PersonMemory, known: Memory) -> None:
    model = Model("No peanuts.")
    result = ask(alex, model, "i am sam. what am I allergic to?")
    assert result.messages[-1].content == "No peanuts."
    assert "Alex is allergic to peanuts" in model.asked[0] and "cats" not in model.asked[0]
    ask(PersonMemory(known, "kim"), model, "what am I allergic to?")
    assert "allergic to" in model.asked[1] and "toldonce-memory" not in model.asked[1]


def test_a_context_does_not_grow_by_what_it_has(known: Memory) -> None:
    async def story() -> int:
        context, memory = UnboundedChatCompletionContext(), ToldonceMemory(PersonMemory(known, "alex"))
        for _ in range(3):
            await context.add_message(UserMessage(content="what am I allergic to?", source="user"))
            await memory.update_context(context)
        return str(await context.get_messages()).count("<toldonce-memory")

    assert asyncio.run(story()) == 1


def test_it_is_searched_and_added_to(alex: PersonMemory, known: Memory) -> None:
    memory = ToldonceMemory(alex, limit=1)
    assert isinstance(memory, AutogenMemory)
    (found,) = asyncio.run(memory.query("allergic")).results
    assert found.content == "Alex is allergic to peanuts" and found.metadata and found.metadata["score"] > 0
    asked = MemoryContent(content="cello", mime_type=MemoryMimeType.TEXT)
    asyncio.run(memory.add(MemoryContent(content="Alex plays the cello", mime_type="text/plain", metadata={"n": 1})))
    assert asyncio.run(memory.query(asked)).results[0].content == "Alex plays the cello"
    with pytest.raises(InputError, match="text"):
        asyncio.run(memory.add(MemoryContent(content=b"x", mime_type=MemoryMimeType.BINARY)))
    with pytest.raises(InputError, match="erase"):
        asyncio.run(memory.clear())
    asyncio.run(memory.close())
    assert known.stats(), "the host's memory stays open"


def test_the_messages_of_a_run_are_observed_once(alex: PersonMemory, known: Memory) -> None:
    result = ask(alex, Model("How nice!"), "i moved to Lisbon")
    memory = ToldonceMemory(alex)
    for _ in range(2):
        asyncio.run(memory.observe_messages(result.messages))
    said = [(r.role, r.text) for r in known.sessions.window("monday")]
    assert said == [("user", "i moved to Lisbon"), ("assistant", "How nice!")]
