"""Pydantic AI over a memory: one capability that recalls, observes and brings tools, and its parts for separate use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelMessage, ModelRequest, UserPromptPart
from pydantic_ai.tools import RunContext, Tool
from pydantic_ai.toolsets import FunctionToolset

from toldonce.capture.gate import MEMORY_OPEN
from toldonce.integrations.person_memory import PersonMemory, Whose, find_person, in_thread, read_text

if TYPE_CHECKING:
    from pydantic_ai.models import ModelRequestContext
    from pydantic_ai.run import AgentRunResult

    from toldonce.integrations.hosts import HostTool

_TOOLSET = "toldonce"


@dataclass
class MemoryCapability(AbstractCapability[Any]):
    """`Agent(model, capabilities=[MemoryCapability(person)])`: what helps is before each prompt, each turn is observed.

    `whose` is a PersonMemory, or a function that finds one in the run's `deps`. The block is part of the request to the
    model only; the history of messages stays as it is.
    """

    whose: Whose
    has_tools: bool = True

    async def before_model_request(
        self, ctx: RunContext[Any], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Put the block before the person's last words."""
        messages = request_context.messages
        block = await in_thread(find_person(self.whose, ctx.deps).recall_block, find_prompt(messages))
        request_context.messages = insert_block(messages, block)
        return request_context

    async def after_run(self, ctx: RunContext[Any], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        """Observe what the person and the agent said."""
        turn = [("user", read_text(ctx.prompt))]
        if isinstance(result.output, str):
            turn.append(("assistant", result.output))
        await in_thread(find_person(self.whose, ctx.deps).observe_turn, turn)
        return result

    def get_toolset(self) -> Any:
        """The tools of the memory, for the person of the run."""
        if not self.has_tools:
            return None
        return lambda ctx: memory_toolset(find_person(self.whose, ctx.deps))


def memory_toolset(person: PersonMemory) -> FunctionToolset[Any]:
    """The tools that the preset gives its agent, as a toolset for one person."""
    return FunctionToolset([_make_tool(tool) for tool in person.tools()], id=_TOOLSET)


def recall_history(whose: Whose) -> Callable[[RunContext[Any], list[ModelMessage]], Awaitable[list[ModelMessage]]]:
    """A history processor, for `ProcessHistory`, that puts the block before the person's last words.

    A processor changes the history itself, so the block of an earlier turn is taken out again.
    """

    async def process(ctx: RunContext[Any], messages: list[ModelMessage]) -> list[ModelMessage]:
        block = await in_thread(find_person(whose, ctx.deps).recall_block, find_prompt(messages))
        return insert_block(messages, block)

    return process


def find_prompt(messages: Sequence[ModelMessage]) -> str:
    """The person's last words in a history; empty when there are none."""
    for message in reversed(messages):
        if isinstance(message, ModelRequest):
            said = [part for part in message.parts if isinstance(part, UserPromptPart) and not _is_block(part)]
            if said:
                return read_text(said[-1].content)
    return ""


def insert_block(messages: Sequence[ModelMessage], block: str) -> list[ModelMessage]:
    """A history with the block in the last request that has the person's words, and without older blocks."""
    kept = [_without_block(message) if isinstance(message, ModelRequest) else message for message in messages]
    for place in range(len(kept) - 1, -1, -1):
        message = kept[place]
        if block and isinstance(message, ModelRequest) and any(isinstance(p, UserPromptPart) for p in message.parts):
            kept[place] = replace(message, parts=[UserPromptPart(block), *message.parts])
            break
    return kept


def _without_block(message: ModelRequest) -> ModelRequest:
    return replace(message, parts=[part for part in message.parts if not _is_block(part)])


def _is_block(part: object) -> bool:
    return isinstance(part, UserPromptPart) and str(part.content).startswith(MEMORY_OPEN)


def _make_tool(tool: HostTool) -> Tool[Any]:
    def call(**arguments: Any) -> str:
        return tool.call(arguments)

    return Tool.from_schema(call, tool.name, tool.description, dict(tool.schema))
