"""AG2 over a memory, with its real agent and its scripted model."""

from __future__ import annotations

import asyncio
from typing import Any

from ag2 import Agent
from ag2.events import ToolCallEvent
from ag2.testing import TestConfig, TrackingConfig

from tests.integrations.table import Integration
from toldonce import Memory
from toldonce.integrations.ag2 import memory_middleware, memory_tools
from toldonce.integrations.person_memory import PersonMemory

INTEGRATION = Integration(
    name="AG2",
    package="ag2",
    module="toldonce.integrations.ag2",
    page="ag2.md",
    works={
        "middleware that recalls and observes": "test_the_middleware_recalls_and_observes",
        "the person of each turn from its context": "test_the_person_of_a_turn_comes_from_its_context",
        "tools": "test_the_model_can_call_the_tools",
    },
)


def ask(agent: Agent, text: str, **options: Any) -> Any:
    return asyncio.run(agent.ask(text, **options))


def test_the_middleware_recalls_and_observes(alex: PersonMemory, known: Memory) -> None:
    config = TrackingConfig(TestConfig("No peanuts."))
    agent = Agent("helper", "Be brief.", config=config, middleware=[memory_middleware(alex)])
    assert ask(agent, "what am I allergic to?").body == "No peanuts."
    (call,) = config.calls
    assert call.prompt[0] == "Be brief." and "Alex is allergic to peanuts" in call.prompt[1]
    assert "cats" not in str(call.prompt)
    said = [(r.user, r.role, r.text) for r in known.sessions.window("monday")]
    assert said == [("alex", "user", "what am I allergic to?"), ("alex", "assistant", "No peanuts.")]


def test_the_person_of_a_turn_comes_from_its_context(known: Memory) -> None:
    config = TrackingConfig(TestConfig("Ok."))
    whose = memory_middleware(lambda context: PersonMemory(known, context.variables["user"]))
    agent = Agent("helper", config=config, middleware=[whose])
    for user in ("alex", "sam"):
        ask(agent, "i am kim. what am I allergic to?", variables={"user": user})
    first, second = (str(call.prompt) for call in config.calls)
    assert "peanuts" in first and "cats" not in first and "cats" in second and "peanuts" not in second


def test_the_model_can_call_the_tools(alex: PersonMemory, known: Memory) -> None:
    script = TestConfig(
        ToolCallEvent(name="remember_fact", arguments='{"content": "Alex plays the cello"}'),
        ToolCallEvent(name="search_memory", arguments='{"query": "allergic", "user": "sam"}'),
        "Done.",
    )
    config = TrackingConfig(script)
    agent = Agent("helper", config=config, tools=memory_tools(alex))
    assert ask(agent, "remember that I play the cello").body == "Done."
    assert {"search_memory", "remember_fact"} <= {schema.function.name for schema in config.calls[0].tools}
    assert [r.user for r in known.review.records("alex") if "cello" in r.text] == ["alex"]
    assert "unknown argument 'user'" in str(config.mock.call_args_list[-1])
