"""AG2 over a memory: middleware that recalls and observes, and the memory's tools."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ag2 import Context, Middleware
from ag2.events import BaseEvent, ModelRequest, TextInput, ToolResultEvent
from ag2.middleware import BaseMiddleware
from ag2.tools import tool
from ag2.tools.final.function_tool import FunctionTool

from toldonce.integrations.person_memory import PersonMemory, Whose, find_person, in_thread

if TYPE_CHECKING:
    from ag2.events import ModelResponse, ToolCallEvent
    from ag2.middleware.base import AgentTurn, LLMCall

    from toldonce.integrations.hosts import HostTool


def memory_middleware(whose: Whose) -> Middleware:
    """`Agent("helper", middleware=[memory_middleware(person)])`: what helps is in each prompt, each turn is observed.

    `whose` is a PersonMemory, or a function that finds one in the context of the turn (`context.variables["user"]`).
    """
    return Middleware(ToldonceMiddleware, whose=whose)


def memory_tools(person: PersonMemory) -> list[FunctionTool]:
    """The tools that the preset gives its agent, for one person."""
    return [_MemoryTool(one) for one in person.tools()]


class ToldonceMiddleware(BaseMiddleware):
    """Adds the block to the prompt of each call of the model, and observes the turn when it is over."""

    def __init__(self, event: BaseEvent, context: Context, *, whose: Whose) -> None:
        super().__init__(event, context)
        self._whose = whose

    async def on_turn(self, call_next: AgentTurn, event: BaseEvent, context: Context) -> ModelResponse:
        """Observe what the person and the agent said."""
        person, said = find_person(self._whose, context), _read_request(event)
        response = await call_next(event, context)
        await in_thread(person.observe_turn, [("user", said), ("assistant", response.content or "")])
        return response

    async def on_llm_call(self, call_next: LLMCall, events: Sequence[BaseEvent], context: Context) -> ModelResponse:
        """Put the block into the prompt of this one call."""
        said = [text for event in events if (text := _read_request(event))]
        person = find_person(self._whose, context)
        block = await in_thread(person.recall_block, said[-1]) if said else ""
        before = context.prompt
        context.prompt = [*before, block] if block else before
        try:
            return await call_next(events, context)
        finally:
            context.prompt = before


class _MemoryTool(FunctionTool):
    """A tool with the schema of the table of tools: its arguments are checked there."""

    __slots__ = ("_host",)

    def __init__(self, host: HostTool) -> None:
        made = tool(host.call, name=host.name, description=host.description, schema=dict(host.schema))
        super().__init__(made.model, name=host.name, description=host.description, schema=dict(host.schema))
        self._host = host

    async def __call__(self, event: ToolCallEvent, context: Context) -> ToolResultEvent:
        answer = await in_thread(self._host.call, event.serialized_arguments)
        return ToolResultEvent.from_call(event, result=answer)


def _read_request(event: BaseEvent) -> str:
    """What a person said; empty for every other event."""
    parts: Iterable[Any] = event.parts if isinstance(event, ModelRequest) else ()
    return "\n".join(part.content for part in parts if isinstance(part, TextInput))
