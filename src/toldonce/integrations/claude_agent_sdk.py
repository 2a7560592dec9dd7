"""The Claude Agent SDK over a memory: hooks that add context and observe, and the memory's tools as an MCP server."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from claude_agent_sdk import HookContext, HookMatcher, McpSdkServerConfig, SdkMcpTool, create_sdk_mcp_server

from toldonce.integrations.person_memory import PersonMemory, in_thread

if TYPE_CHECKING:
    from claude_agent_sdk import HookInput
    from claude_agent_sdk.types import HookEvent, HookJSONOutput

    from toldonce.integrations.hosts import HostTool

_SERVER = "toldonce"


def memory_hooks(person: PersonMemory) -> dict[HookEvent, list[HookMatcher]]:
    """Hooks for `ClaudeAgentOptions(hooks=...)`: a prompt gets what helps with it, prompt and reply are observed.

    Without a session of its own, a person's memory uses the id of the agent's session.
    """

    async def on_prompt(said: HookInput, _tool: str | None, _context: HookContext) -> HookJSONOutput:
        prompt, here = str(said.get("prompt", "")), _in_session(person, said)
        block = await in_thread(here.recall_block, prompt)
        await in_thread(here.observe, prompt)
        if not block:
            return {}
        return {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": block}}

    async def on_stop(said: HookInput, _tool: str | None, _context: HookContext) -> HookJSONOutput:
        reply = str(said.get("last_assistant_message", ""))
        await in_thread(_in_session(person, said).observe, reply, "assistant")
        return {}

    return {"UserPromptSubmit": [HookMatcher(hooks=[on_prompt])], "Stop": [HookMatcher(hooks=[on_stop])]}


def memory_server(person: PersonMemory) -> McpSdkServerConfig:
    """The tools that the preset gives its agent, for `ClaudeAgentOptions(mcp_servers={"toldonce": ...})`."""
    return create_sdk_mcp_server(_SERVER, tools=[_make_tool(tool) for tool in person.tools()])


def _in_session(person: PersonMemory, said: HookInput) -> PersonMemory:
    return person if person.session is not None else replace(person, session=said["session_id"])


def _make_tool(tool: HostTool) -> SdkMcpTool[Any]:
    async def call(arguments: dict[str, Any]) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": await in_thread(tool.call, arguments)}]}

    return SdkMcpTool(tool.name, tool.description, dict(tool.schema), call)
