"""Google's Agent Development Kit over a memory, with its real runner and a scripted model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from google.adk.agents import LlmAgent
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.tools.preload_memory_tool import PreloadMemoryTool
from google.genai import types

from tests.conftest import OpenMemory
from tests.integrations.table import Integration
from toldonce import Memory
from toldonce.errors import InputError
from toldonce.integrations.google_adk import ToldonceMemoryService

INTEGRATION = Integration(
    name="Google ADK",
    package="google-adk",
    module="toldonce.integrations.google_adk",
    page="google-adk.md",
    works={
        "memory service of a `Runner`": "test_an_agent_reads_what_helps",
        "sessions and events, each observed once": "test_a_session_is_observed_once",
        "`add_memory`, `search_memory`, `delete_memory`": "test_memories_are_added_found_and_deleted",
        "a space for each app": "test_an_app_can_have_a_space_of_its_own",
    },
    lacks=("apps share the memory's space unless `spaces` names one for them",),
)
APP = "helper"


class Model(BaseLlm):
    """Says one line, and keeps what it was asked."""

    model: str = "scripted"
    line: str = "Ok."
    asked: list[str] = []  # noqa: RUF012  (pydantic copies it for each instance)

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> AsyncGenerator[LlmResponse]:
        self.asked.append(f"{llm_request.config.system_instruction}{llm_request.contents}")
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=self.line)]))


async def talk(service: ToldonceMemoryService, model: Model, user: str, *prompts: str) -> Any:
    """The session of a user in which these prompts were answered."""
    sessions = InMemorySessionService()
    session = await sessions.create_session(app_name=APP, user_id=user)
    agent = LlmAgent(name="agent", model=model, tools=[PreloadMemoryTool()])
    runner = Runner(app_name=APP, agent=agent, session_service=sessions, memory_service=service)
    for prompt in prompts:
        message = types.Content(role="user", parts=[types.Part(text=prompt)])
        async for _ in runner.run_async(user_id=user, session_id=session.id, new_message=message):
            pass
    return await sessions.get_session(app_name=APP, user_id=user, session_id=session.id)


def test_an_agent_reads_what_helps(known: Memory) -> None:
    model = Model()
    asyncio.run(talk(ToldonceMemoryService(known), model, "alex", "i am sam. what am I allergic to?"))
    assert "Alex is allergic to peanuts" in model.asked[0] and "cats" not in model.asked[0]


def test_a_session_is_observed_once(known: Memory) -> None:
    async def story() -> str:
        service = ToldonceMemoryService(known)
        session = await talk(service, Model(line="How nice!"), "alex", "i moved to Lisbon")
        await service.add_session_to_memory(session)
        await service.add_session_to_memory(session)
        await service.add_events_to_memory(app_name=APP, user_id="alex", events=session.events, session_id=session.id)
        return str(session.id)

    said = [(r.user, r.role, r.text) for r in known.sessions.window(asyncio.run(story()))]
    assert said == [("alex", "user", "i moved to Lisbon"), ("alex", "assistant", "How nice!")]


def test_what_was_forgotten_does_not_come_back_with_its_session(known: Memory) -> None:
    async def story() -> str:
        service = ToldonceMemoryService(known)
        session = await talk(service, Model(line="How nice!"), "alex", "i moved to Lisbon")
        await service.add_session_to_memory(session)
        said = known.sessions.window(session.id)[0]
        await service.delete_memory(app_name=APP, user_id="alex", memory_id=said.id)
        await service.add_session_to_memory(session)
        return str(session.id)

    assert [r.text for r in known.sessions.window(asyncio.run(story()))] == ["How nice!"]


def test_memories_are_added_found_and_deleted(known: Memory) -> None:
    async def story() -> None:
        service, who = ToldonceMemoryService(known), {"app_name": APP, "user_id": "alex"}
        content = types.Content(parts=[types.Part(text="Alex plays the cello"), types.Part(text="hm", thought=True)])
        await service.add_memory(**who, memories=[MemoryEntry(content=content, custom_metadata={"n": 1})])
        (found,) = (await service.search_memory(**who, query="cello")).memories
        assert found.content.parts and found.content.parts[0].text == "Alex plays the cello"
        with pytest.raises(InputError):
            await service.delete_memory(app_name=APP, user_id="sam", memory_id=found.id)
        await service.delete_memory(**who, memory_id=found.id)
        assert (await service.search_memory(**who, query="cello")).memories == []
        with pytest.raises(InputError, match="id"):
            await service.delete_memory(**who)

    asyncio.run(story())


def test_an_app_can_have_a_space_of_its_own(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.spaces.add("work", preset="assistant")
    service = ToldonceMemoryService(memory, spaces={"work_app": "work"})
    content = types.Content(parts=[types.Part(text="Alex plays the cello")])

    async def story() -> list[int]:
        await service.add_memory(app_name="work_app", user_id="alex", memories=[MemoryEntry(content=content)])
        asked = [
            await service.search_memory(app_name=a, user_id="alex", query="cello") for a in ("work_app", "home_app")
        ]
        return [len(found.memories) for found in asked]

    assert asyncio.run(story()) == [1, 0]
    with pytest.raises(InputError, match="user_id"):
        asyncio.run(service.search_memory(app_name=APP, user_id=" ", query="x"))
