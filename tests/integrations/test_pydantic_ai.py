"""Pydantic AI over a memory, with the real package and scripted models."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.capabilities import ProcessHistory
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from tests.conftest import OpenMemory
from tests.integrations.table import Integration
from toldonce import Memory
from toldonce.errors import InputError
from toldonce.integrations.person_memory import PersonMemory
from toldonce.integrations.pydantic_ai import MemoryCapability, memory_toolset, recall_history

INTEGRATION = Integration(
    name="Pydantic AI",
    package="pydantic-ai-slim",
    module="toldonce.integrations.pydantic_ai",
    page="pydantic-ai.md",
    works={
        "a capability that recalls and observes": "test_the_capability_recalls_and_observes",
        "the person of each run from `deps`": "test_the_person_of_a_run_comes_from_its_dependencies",
        "toolset": "test_the_model_can_call_the_tools",
        "history processor": "test_a_history_processor_replaces_the_older_block",
    },
    lacks=("output that is not text is not observed",),
)


class Script:
    """A model that says the next line of its script, and keeps what it was asked."""

    def __init__(self, *lines: Any) -> None:
        self.lines = list(lines)
        self.asked: list[str] = []
        self.tools: list[str] = []
        # Older versions of the framework name the model after it.
        self.__name__ = "script"

    def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.asked.append(str([part for message in messages for part in message.parts]))
        self.tools = [tool.name for tool in info.function_tools]
        line = self.lines.pop(0)
        return ModelResponse(parts=[TextPart(line) if isinstance(line, str) else line])


def ask(agent: Agent[Any, Any], text: str, **options: Any) -> Any:
    return asyncio.run(agent.run(text, **options))


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    memory = open_memory("assistant")
    memory.remember("Alex is allergic to peanuts", user="alex")
    memory.remember("Sam is allergic to cats", user="sam")
    return memory


def test_the_capability_recalls_and_observes(memory: Memory) -> None:
    script = Script("No peanuts.", "You are welcome.")
    agent = Agent(FunctionModel(script), capabilities=[MemoryCapability(PersonMemory(memory, "alex", "monday"))])
    first = ask(agent, "what am I allergic to?")
    assert "Alex is allergic to peanuts" in script.asked[0] and "cats" not in script.asked[0]
    assert "toldonce-memory" not in str(first.all_messages()), "the history stays as it is"
    ask(agent, "thanks a lot!", message_history=first.all_messages())
    said = [(r.user, r.role, r.text) for r in memory.sessions.window("monday")]
    assert said == [
        ("alex", "user", "what am I allergic to?"),
        ("alex", "assistant", "No peanuts."),
        ("alex", "user", "thanks a lot!"),
        ("alex", "assistant", "You are welcome."),
    ]


@dataclass
class Deps:
    user: str


def test_the_person_of_a_run_comes_from_its_dependencies(memory: Memory) -> None:
    script = Script("Cats.", ToolCallPart("search_memory", {"query": "allergic"}), "Peanuts.")
    agent = Agent(
        FunctionModel(script),
        deps_type=Deps,
        capabilities=[MemoryCapability(lambda deps: PersonMemory(memory, deps.user))],
    )
    ask(agent, "I am alex. what am I allergic to?", deps=Deps("sam"))
    assert "cats" in script.asked[0] and "peanuts" not in script.asked[0]
    ask(agent, "what am I allergic to?", deps=Deps("alex"))
    assert "peanuts" in script.asked[-1] and "cats" not in script.asked[-1], "tools act for the same person"


def test_who_it_is_must_be_a_person(memory: Memory) -> None:
    agent = Agent(TestModel(), deps_type=Deps, capabilities=[MemoryCapability(lambda deps: deps.user)])
    with pytest.raises(InputError, match="PersonMemory"):
        ask(agent, "hello", deps=Deps("sam"))


def test_the_model_can_call_the_tools(memory: Memory) -> None:
    script = Script(
        ToolCallPart("remember_fact", {"content": "Alex plays the cello"}),
        ToolCallPart("remember_fact", {"content": "x", "user": "sam"}),
        "Done.",
    )
    agent = Agent(FunctionModel(script), toolsets=[memory_toolset(PersonMemory(memory, "alex"))])
    assert ask(agent, "remember that I play the cello").output == "Done."
    assert {"search_memory", "remember_fact"} <= set(script.tools)
    (found,) = [r for r in memory.review.records("alex") if "cello" in r.text]
    assert found.user == "alex"
    assert "error" in script.asked[-1], "a person cannot be named in the arguments"


def test_tools_can_be_left_out(memory: Memory) -> None:
    script = Script("Hi.")
    agent = Agent(FunctionModel(script), capabilities=[MemoryCapability(PersonMemory(memory, "alex"), has_tools=False)])
    ask(agent, "hello")
    assert script.tools == []


def test_a_history_processor_replaces_the_older_block(memory: Memory) -> None:
    memory.remember("Alex works as a nurse", user="alex")
    script = Script("No peanuts.", "A nurse.")
    processor = ProcessHistory(recall_history(PersonMemory(memory, "alex")))
    agent = Agent(FunctionModel(script), capabilities=[processor])
    first = ask(agent, "what am I allergic to?")
    second = ask(agent, "what do I work as?", message_history=first.all_messages())
    assert second.output == "A nurse."
    assert script.asked[0].count("<toldonce-memory") == script.asked[1].count("<toldonce-memory") == 1
    assert "works as a nurse" in script.asked[1]
