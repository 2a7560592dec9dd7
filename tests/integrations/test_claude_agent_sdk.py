"""The Claude Agent SDK over a memory: the real client speaks its control protocol with a scripted agent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, Transport

from tests.integrations.table import Integration
from toldonce import Memory
from toldonce.integrations.claude_agent_sdk import memory_hooks, memory_server
from toldonce.integrations.person_memory import PersonMemory

INTEGRATION = Integration(
    name="Claude Agent SDK",
    package="claude-agent-sdk",
    module="toldonce.integrations.claude_agent_sdk",
    page="claude-agent-sdk.md",
    works={
        "context for each prompt (`UserPromptSubmit`)": "test_a_prompt_gets_what_helps_with_it",
        "prompts and replies are observed (`Stop`)": "test_prompts_and_replies_are_observed",
        "tools as an MCP server in the process": "test_the_agent_can_call_the_tools",
    },
    lacks=("results of tools are not observed",),
)


class ScriptedAgent(Transport):
    """Stands for the agent's process: asks the SDK what a test says, and keeps what it answers."""

    def __init__(self, *requests: dict[str, Any]) -> None:
        self._requests = list(requests)
        self._written: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.answers: list[dict[str, Any]] = []
        self.hooks: dict[str, list[dict[str, Any]]] = {}
        self.done = asyncio.Event()

    async def connect(self) -> None:
        pass

    async def write(self, data: str) -> None:
        await self._written.put(json.loads(data))

    async def read_messages(self) -> AsyncIterator[dict[str, Any]]:
        first = await self._written.get()
        self.hooks = first["request"]["hooks"] or {}
        told = {"subtype": "success", "request_id": first["request_id"], "response": {}}
        yield {"type": "control_response", "response": told}
        for number, request in enumerate(self._requests):
            if event := request.pop("event", None):
                request["callback_id"] = self.hooks[event][0]["hookCallbackIds"][0]
            yield {"type": "control_request", "request_id": f"r{number}", "request": request}
            self.answers.append((await self._written.get())["response"])
        self.done.set()

    async def close(self) -> None:
        pass

    async def end_input(self) -> None:
        pass

    def is_ready(self) -> bool:
        return True


def play(person: PersonMemory, *requests: dict[str, Any]) -> list[dict[str, Any]]:
    async def story() -> list[dict[str, Any]]:
        agent = ScriptedAgent(*requests)
        options = ClaudeAgentOptions(hooks=memory_hooks(person), mcp_servers={"toldonce": memory_server(person)})
        client = ClaudeSDKClient(options, transport=agent)
        await client.connect()
        await asyncio.wait_for(agent.done.wait(), timeout=60)
        await client.disconnect()
        assert [answer["subtype"] for answer in agent.answers] == ["success"] * len(requests)
        return [answer["response"] for answer in agent.answers]

    return asyncio.run(story())


def hook(event: str, **said: Any) -> dict[str, Any]:
    given = {"hook_event_name": event, "session_id": "agent-session", "transcript_path": "", "cwd": "/", **said}
    return {"subtype": "hook_callback", "event": event, "input": given, "tool_use_id": None}


def server_message(method: str, params: dict[str, Any] | None = None, **named: Any) -> dict[str, Any]:
    message = {"jsonrpc": "2.0", "method": method, **named} | ({"params": params} if params is not None else {})
    return {"subtype": "mcp_message", "server_name": "toldonce", "message": message}


def greet_server() -> list[dict[str, Any]]:
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "agent", "version": "1"}}
    return [server_message("initialize", client, id=0), server_message("notifications/initialized")]


def tool_call(name: str, **arguments: Any) -> dict[str, Any]:
    return server_message("tools/call", {"name": name, "arguments": arguments}, id=1)


def test_a_prompt_gets_what_helps_with_it(known: Memory) -> None:
    ask = hook("UserPromptSubmit", prompt="i am sam. what am I allergic to?")
    (told,) = play(PersonMemory(known, "alex"), ask)
    context = told["hookSpecificOutput"]["additionalContext"]
    assert "Alex is allergic to peanuts" in context and "cats" not in context
    assert context.startswith("<toldonce-memory")
    (told,) = play(PersonMemory(known, "kim"), hook("UserPromptSubmit", prompt="what am I allergic to?"))
    assert told == {}, "nothing is known: nothing is said"


@pytest.mark.parametrize("session", [None, "monday"])
def test_prompts_and_replies_are_observed(known: Memory, session: str | None) -> None:
    play(
        PersonMemory(known, "alex", session),
        hook("UserPromptSubmit", prompt="i moved to Lisbon"),
        hook("Stop", stop_hook_active=False, last_assistant_message="How nice!"),
        hook("Stop", stop_hook_active=False),
    )
    said = [(r.user, r.role, r.text) for r in known.sessions.window(session or "agent-session")]
    assert said == [("alex", "user", "i moved to Lisbon"), ("alex", "assistant", "How nice!")]


def test_the_agent_can_call_the_tools(alex: PersonMemory, known: Memory) -> None:
    *_, kept, found, refused = play(
        alex,
        *greet_server(),
        tool_call("remember_fact", content="Alex plays the cello"),
        tool_call("search_memory", query="cello"),
        tool_call("search_memory", query="allergic", user="sam"),
    )
    assert "Alex plays the cello" in str(found) and "error" not in str(kept)
    assert "cats" not in str(refused), "a person cannot be named in the arguments"
    assert [r.user for r in known.review.records("alex") if "cello" in r.text] == ["alex"]
