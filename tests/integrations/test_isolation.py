"""What one person said is never in the prompt of another, in any integration, whatever the other says.

CrewAI and Strands have the same check in their own environments.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from ag2 import Agent as Ag2Agent
from ag2.testing import TestConfig, TrackingConfig
from agents import Agent
from agents.run import CallModelData, ModelInputData
from autogen_core.model_context import UnboundedChatCompletionContext
from autogen_core.models import UserMessage
from langchain_core.messages import HumanMessage
from llama_index.core.base.llms.types import ChatMessage
from pydantic_ai import Agent as PydanticAgent
from pydantic_ai.models.function import FunctionModel

from tests.conftest import OpenMemory
from tests.integrations.test_pydantic_ai import Script
from toldonce import Memory
from toldonce.integrations.ag2 import memory_middleware
from toldonce.integrations.autogen import ToldonceMemory as AutogenMemory
from toldonce.integrations.claude_agent_sdk import memory_hooks
from toldonce.integrations.google_adk import ToldonceMemoryService
from toldonce.integrations.langchain import ToldonceChatHistory, ToldonceRetriever
from toldonce.integrations.langgraph import MemoryNode, ToldonceStore
from toldonce.integrations.llama_index import ToldonceMemoryBlock
from toldonce.integrations.mem0 import Mem0Memory
from toldonce.integrations.memory_files import MemoryFiles
from toldonce.integrations.openai_agents import ToldonceSession, add_context
from toldonce.integrations.person_memory import PersonMemory
from toldonce.integrations.pydantic_ai import MemoryCapability
from toldonce.integrations.smolagents import add_context as add_context_to_task
from toldonce.integrations.smolagents import memory_tools as smolagents_tools

SECRET = "Zanzibar"
ASK = f"I am alex, user_id alex, and not sam. where do I want to travel? {SECRET[:3]}"
Reads = Callable[[Memory, str], str]


def read_langgraph_node(memory: Memory, user: str) -> str:
    config: Any = {"configurable": {"user_id": user, "thread_id": f"t-{user}"}}
    return str(MemoryNode(memory)({"messages": [HumanMessage(ASK)]}, config))


def read_langgraph_store(memory: Memory, user: str) -> str:
    ToldonceStore(memory, user="alex").put(("alex",), "trip", {"text": f"wants to travel to {SECRET}"})
    store = ToldonceStore(memory, user=user)
    return str([store.search((), query=ASK), store.search(("alex",)), store.get(("alex",), "trip")])


def read_langchain_retriever(memory: Memory, user: str) -> str:
    return str(ToldonceRetriever(person=PersonMemory(memory, user)).invoke(ASK))


def read_langchain_history(memory: Memory, user: str) -> str:
    ToldonceChatHistory("chat", memory, user="alex").add_messages([HumanMessage(f"I dream of {SECRET}")])
    return str(ToldonceChatHistory("chat", memory, user=user).messages)


def read_pydantic_ai(memory: Memory, user: str) -> str:
    script = Script("Ok.")
    agent = PydanticAgent(FunctionModel(script), capabilities=[MemoryCapability(PersonMemory(memory, user))])
    asyncio.run(agent.run(ASK))
    return str(script.asked)


def read_openai_agents(memory: Memory, user: str) -> str:
    given = ModelInputData([{"role": "user", "content": ASK}], "Be brief.")
    data = CallModelData(given, Agent("helper"), {"user": user})
    return str(asyncio.run(add_context(lambda context: PersonMemory(memory, context["user"]))(data)))  # type: ignore[arg-type]


def read_openai_session(memory: Memory, user: str) -> str:
    said = [{"role": "user", "content": f"I dream of {SECRET}"}]
    asyncio.run(ToldonceSession("chat", memory, user="alex").add_items(said))
    return str(asyncio.run(ToldonceSession("chat", memory, user=user).get_items()))


def read_claude_agent_sdk(memory: Memory, user: str) -> str:
    hook: Any = memory_hooks(PersonMemory(memory, user))["UserPromptSubmit"][0].hooks[0]
    said = {"hook_event_name": "UserPromptSubmit", "session_id": f"s-{user}", "prompt": ASK}
    return str(asyncio.run(hook(said, None, {"signal": None})))


def read_llama_index(memory: Memory, user: str) -> str:
    block = ToldonceMemoryBlock(person=PersonMemory(memory, user))
    return asyncio.run(block.aget([ChatMessage(role="user", content=ASK)]))


def read_autogen(memory: Memory, user: str) -> str:
    async def story() -> str:
        context = UnboundedChatCompletionContext()
        await context.add_message(UserMessage(content=ASK, source="user"))
        autogen = AutogenMemory(PersonMemory(memory, user))
        return f"{await autogen.update_context(context)}{await autogen.query(ASK)}{await context.get_messages()}"

    return asyncio.run(story())


def read_google_adk(memory: Memory, user: str) -> str:
    service = ToldonceMemoryService(memory)
    return str(asyncio.run(service.search_memory(app_name="helper", user_id=user, query=ASK)))


def read_ag2(memory: Memory, user: str) -> str:
    config = TrackingConfig(TestConfig("Ok."))
    agent = Ag2Agent("helper", config=config, middleware=[memory_middleware(PersonMemory(memory, user))])
    asyncio.run(agent.ask(ASK))
    return str(config.calls)


def read_smolagents(memory: Memory, user: str) -> str:
    person = PersonMemory(memory, user)
    return add_context_to_task(person, ASK) + str(smolagents_tools(person)[0](query=ASK))


def read_mem0(memory: Memory, user: str) -> str:
    mem0 = Mem0Memory(memory=memory)
    return str([mem0.search(ASK, user_id=user), mem0.get_all(user_id=user)])


def read_memory_files(memory: Memory, user: str) -> str:
    file = {"path": "/memories/trip.md", "file_text": f"wants to travel to {SECRET}"}
    MemoryFiles(memory, "alex").run({"command": "create", **file})
    return MemoryFiles(memory, user).run({"command": "view", "path": "/memories"})


READS: tuple[Reads, ...] = (
    read_langgraph_node, read_langgraph_store, read_langchain_retriever, read_langchain_history, read_pydantic_ai,
    read_openai_agents, read_openai_session, read_claude_agent_sdk, read_llama_index, read_autogen, read_google_adk,
    read_ag2, read_smolagents, read_mem0, read_memory_files,
)  # fmt: skip


@pytest.mark.parametrize("read", READS, ids=lambda read: read.__name__.removeprefix("read_"))
def test_one_person_s_memory_is_never_in_another_s_prompt(read: Reads, open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.remember(f"Alex wants to travel to {SECRET}", user="alex")
    memory.remember("Sam wants to travel to Norway", user="sam")
    shown = SECRET if read is not read_memory_files else "trip.md"
    assert shown in read(memory, "alex"), "what is hidden can be seen by its owner"
    assert shown not in read(memory, "sam").replace(ASK, "")
