"""smolagents over a memory, with its real agent and a scripted model."""

from __future__ import annotations

from typing import Any

import pytest
from smolagents import ChatMessage, MessageRole, Model, ToolCallingAgent
from smolagents.models import ChatMessageToolCall, ChatMessageToolCallFunction

from tests.integrations.table import Integration
from toldonce import Memory
from toldonce.integrations.person_memory import PersonMemory
from toldonce.integrations.smolagents import add_context, memory_tools, observe_steps

INTEGRATION = Integration(
    name="smolagents",
    package="smolagents",
    module="toldonce.integrations.smolagents",
    page="smolagents.md",
    works={
        "tools": "test_the_agent_can_call_the_tools",
        "context before a task": "test_a_task_gets_what_helps_with_it",
        "step callbacks that observe task and answer": "test_task_and_answer_are_observed",
    },
    lacks=("an answer that is not text is not observed",),
)


class Script(Model):
    """Calls the tools that a test says, and keeps what it was asked."""

    def __init__(self, *calls: tuple[str, dict[str, Any]]) -> None:
        super().__init__()
        self.calls = list(calls)
        self.asked: list[str] = []

    def generate(self, messages: Any, **_: Any) -> ChatMessage:
        self.asked.append(str(messages))
        name, arguments = self.calls.pop(0)
        function = ChatMessageToolCallFunction(name=name, arguments=arguments)
        call = ChatMessageToolCall(id=f"c{len(self.asked)}", type="function", function=function)
        return ChatMessage(role=MessageRole.ASSISTANT, content="", tool_calls=[call])


def final(answer: Any) -> tuple[str, dict[str, Any]]:
    return "final_answer", {"answer": answer}


def make_agent(person: PersonMemory, model: Model) -> ToolCallingAgent:
    callbacks = observe_steps(person)
    return ToolCallingAgent(memory_tools(person), model, step_callbacks=callbacks, verbosity_level=0)


def test_the_agent_can_call_the_tools(alex: PersonMemory, known: Memory) -> None:
    model = Script(
        ("remember_fact", {"content": "Alex plays the cello"}),
        ("search_memory", {"query": "cello", "limit": 3}),
        ("search_memory", {"query": "allergic", "user": "sam"}),
        final("Done."),
    )
    assert make_agent(alex, model).run("remember that I play the cello") == "Done."
    assert "Alex plays the cello" in model.asked[2] and "cats" not in model.asked[-1]
    assert [r.user for r in known.review.records("alex", kinds=["fact"]) if "cello" in r.text] == ["alex"]


def test_a_task_gets_what_helps_with_it(alex: PersonMemory, known: Memory) -> None:
    model = Script(final("No peanuts."))
    make_agent(alex, model).run(add_context(alex, "i am sam. what am I allergic to?"))
    assert "Alex is allergic to peanuts" in model.asked[0] and "cats" not in model.asked[0]
    assert add_context(PersonMemory(known, "kim"), "hello") == "hello"


@pytest.mark.parametrize("has_context", [True, False])
def test_task_and_answer_are_observed(alex: PersonMemory, known: Memory, has_context: bool) -> None:
    task = "i moved to Lisbon. what am I allergic to?"
    make_agent(alex, Script(final("Peanuts."))).run(add_context(alex, task) if has_context else task)
    said = [(r.role, r.text.strip()) for r in known.sessions.window("monday")]
    assert said == [("user", task), ("assistant", "Peanuts.")], "what came out of memory is not stored again"


def test_an_answer_that_is_no_text_is_left_out(alex: PersonMemory, known: Memory) -> None:
    make_agent(alex, Script(final(42))).run("what is six times seven?")
    assert [r.text for r in known.sessions.window("monday")] == ["what is six times seven?"]
