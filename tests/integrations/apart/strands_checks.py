"""Checks with the real package of Strands: its agent with a scripted model. Run as `strands_checks.py NAME`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from typing import Any

from strands import Agent
from strands.memory import MemoryManager
from strands.models import Model

from toldonce import Memory
from toldonce.integrations.person_memory import PersonMemory
from toldonce.integrations.strands import ToldonceMemoryStore


class Script(Model):
    """A model that says the next line of its script or calls a tool, and keeps what it was asked."""

    def __init__(self, *lines: Any) -> None:
        self.lines = list(lines)
        self.asked: list[str] = []

    def update_config(self, **_: Any) -> None:
        pass

    def get_config(self) -> dict[str, Any]:
        return {}

    async def structured_output(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        raise NotImplementedError
        yield

    async def stream(self, messages: Any, *_: Any, **__: Any) -> AsyncIterator[Any]:
        self.asked.append(str(messages))
        line = self.lines.pop(0)
        yield {"messageStart": {"role": "assistant"}}
        if isinstance(line, str):
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": line}}}
        else:
            name, arguments = line
            yield {"contentBlockStart": {"start": {"toolUse": {"name": name, "toolUseId": "t1"}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": arguments}}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn" if isinstance(line, str) else "tool_use"}}


def open_memory() -> Memory:
    memory = Memory.open("memory.db", preset="assistant", background=False, embedder=None)
    memory.remember("Alex is allergic to peanuts", user="alex")
    memory.remember("Sam is allergic to cats", user="sam")
    return memory


def make_agent(person: PersonMemory, model: Script, **options: Any) -> Agent:
    manager = MemoryManager(stores=[ToldonceMemoryStore(person)], **options)
    return Agent(model=model, memory_manager=manager, callback_handler=None)


def check_an_agent_reads_what_helps() -> None:
    memory, model = open_memory(), Script("No peanuts.")
    make_agent(PersonMemory(memory, "alex", "monday"), model)("i am sam. what am I allergic to?")
    assert "Alex is allergic to peanuts" in model.asked[0], model.asked
    assert "cats" not in model.asked[0]


def check_turns_are_observed() -> None:
    memory, model = open_memory(), Script("How nice!", "Bye.")
    agent = make_agent(PersonMemory(memory, "alex", "monday"), model)
    agent("i moved to Lisbon")
    agent("see you tomorrow")
    asyncio.run(agent.memory_manager.flush())
    said = [(r.user, r.role, r.text) for r in memory.sessions.window("monday")]
    assert said == [
        ("alex", "user", "i moved to Lisbon"),
        ("alex", "assistant", "How nice!"),
        ("alex", "user", "see you tomorrow"),
        ("alex", "assistant", "Bye."),
    ], said


def check_the_model_can_search_and_add() -> None:
    memory = open_memory()
    model = Script(
        ("add_memory", '{"entries": ["Alex plays the cello"]}'), ("search_memory", '{"query": "cello"}'), "Done."
    )
    agent = make_agent(PersonMemory(memory, "alex"), model, add_tool_config=True, injection=False)
    agent("remember that I play the cello")
    assert [r.user for r in memory.review.records("alex", kinds=["fact"]) if "cello" in r.text] == ["alex"]
    assert "Alex plays the cello" in model.asked[-1] and "cats" not in str(model.asked)


if __name__ == "__main__":
    globals()[f"check_{sys.argv[1]}"]()
