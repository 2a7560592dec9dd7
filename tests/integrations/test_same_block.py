"""Every way to a prompt block gives the block of `Memory.context`, and none chooses lines of its own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
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

import toldonce
from tests.conftest import OpenMemory
from tests.integrations.test_pydantic_ai import Script
from toldonce import Memory
from toldonce.integrations.ag2 import memory_middleware
from toldonce.integrations.autogen import ToldonceMemory as AutogenMemory
from toldonce.integrations.chat.answering import build_request
from toldonce.integrations.chat.chat_memory import ChatMemory
from toldonce.integrations.chat.rules import ChatRules
from toldonce.integrations.chat.values import ChannelMessage, ChatAuthor, ChatChannel
from toldonce.integrations.claude_agent_sdk import memory_hooks
from toldonce.integrations.hosts import ContextProvider
from toldonce.integrations.langgraph import MemoryNode
from toldonce.integrations.llama_index import ToldonceMemoryBlock
from toldonce.integrations.openai_agents import add_context
from toldonce.integrations.person_memory import PersonMemory
from toldonce.integrations.proxy.formats import ChatFormat
from toldonce.integrations.proxy.turns import TurnMemory
from toldonce.integrations.pydantic_ai import MemoryCapability
from toldonce.integrations.smolagents import add_context as add_context_to_task
from toldonce.tools.definition import Caller
from toldonce.tools.table import Toolbox

ASK = "where does my sister work?"
Ways = Callable[[Memory], object]


def ask_host(memory: Memory) -> object:
    return ContextProvider(memory, Caller(user="alex")).get_context(ASK)


def ask_tool(memory: Memory) -> object:
    box = Toolbox(memory, Caller(user="alex", role="person"))
    return box.call("show_context", {"message": ASK}).value["text"]


def ask_langgraph(memory: Memory) -> object:
    return MemoryNode(memory)({"messages": [HumanMessage(ASK)]}, {"configurable": {"user_id": "alex"}})


def ask_pydantic_ai(memory: Memory) -> object:
    script = Script("Ok.")
    agent = PydanticAgent(FunctionModel(script), capabilities=[MemoryCapability(PersonMemory(memory, "alex"))])
    asyncio.run(agent.run(ASK))
    return script.asked


def ask_openai_agents(memory: Memory) -> object:
    data = CallModelData(ModelInputData([{"role": "user", "content": ASK}], ""), Agent("helper"), {})
    return asyncio.run(add_context(PersonMemory(memory, "alex"))(data))  # type: ignore[arg-type]


def ask_claude_agent_sdk(memory: Memory) -> object:
    hook: Any = memory_hooks(PersonMemory(memory, "alex"))["UserPromptSubmit"][0].hooks[0]
    said = {"hook_event_name": "UserPromptSubmit", "session_id": "now", "prompt": ASK}
    return asyncio.run(hook(said, None, {"signal": None}))


def ask_llama_index(memory: Memory) -> object:
    block = ToldonceMemoryBlock(person=PersonMemory(memory, "alex"))
    return asyncio.run(block.aget([ChatMessage(role="user", content=ASK)]))


def ask_autogen(memory: Memory) -> object:
    async def story() -> object:
        context = UnboundedChatCompletionContext()
        await context.add_message(UserMessage(content=ASK, source="user"))
        await AutogenMemory(PersonMemory(memory, "alex")).update_context(context)
        return await context.get_messages()

    return asyncio.run(story())


def ask_ag2(memory: Memory) -> object:
    config = TrackingConfig(TestConfig("Ok."))
    agent = Ag2Agent("helper", config=config, middleware=[memory_middleware(PersonMemory(memory, "alex"))])
    asyncio.run(agent.ask(ASK))
    return config.calls


def ask_smolagents(memory: Memory) -> object:
    return add_context_to_task(PersonMemory(memory, "alex"), ASK)


def ask_proxy(memory: Memory) -> object:
    body = json.dumps({"model": "m", "user": "alex", "messages": [{"role": "user", "content": ASK}]})
    return TurnMemory(memory).begin(ChatFormat(), body.encode(), {}).content.decode()


def ask_chat_bot(memory: Memory) -> object:
    chat = ChatMemory(memory, ChatRules(servers={"s1": memory.space.name}), platform="discord")
    place = ChatChannel(platform="discord", id="c1", server="s1", title="general")
    said = ChannelMessage(id="m1", text=ASK, author=ChatAuthor(id="alex"), channel=place, at=memory.clock())
    return build_request(chat, said).block


WAYS: tuple[Ways, ...] = (
    ask_host, ask_tool, ask_langgraph, ask_pydantic_ai, ask_openai_agents, ask_claude_agent_sdk, ask_llama_index,
    ask_autogen, ask_ag2, ask_smolagents, ask_proxy, ask_chat_bot,
)  # fmt: skip


@pytest.mark.parametrize("ask", WAYS, ids=lambda ask: ask.__name__.removeprefix("ask_"))
def test_every_way_to_a_block_holds_the_same_lines(ask: Ways, open_memory: OpenMemory) -> None:
    memory = open_memory("community" if ask is ask_chat_bot else "assistant")
    told = [
        "my sister Ines works at the harbour",
        *(f"nothing much today, soup number {number}" for number in range(12)),
        "Ines has a new desk at work, by the window",
    ]
    for number, text in enumerate(told):
        memory.observe(text, "alex", session=f"s{number}", channel="general")
    block = memory.context(ASK, "alex", counted=False)
    lines = [line.text for line in block.lines if line.record]
    assert any("harbour" in line for line in lines)
    given = json.dumps(str(ask(memory)), ensure_ascii=False).replace("\\", "")
    assert [line for line in lines if json.dumps(line, ensure_ascii=False)[1:-1].replace("\\", "") not in given] == []
    assert given.count("soup number") == block.text.count("soup number")


def test_lines_are_chosen_in_two_places_alone() -> None:
    """The block of the engine and that of the hooks, which do not load it; both with one chooser."""
    package = Path(toldonce.__file__).parent
    users = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if "choose_candidates(" in (text := path.read_text(encoding="utf-8")) or "fit_to_budget(" in text
    }
    assert users == {"recall/fitting.py", "recall/context.py", "coding/hooks/block.py"}
