"""The OpenAI Agents SDK over a memory: sessions that are remembered, a context block, tools."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agents import FunctionTool, RunHooks

from toldonce.integrations.hosts import ContextProvider, ToolProvider
from toldonce.integrations.observed_session import Item, ObservedSession
from toldonce.integrations.person_memory import Whose, find_person, read_text

if TYPE_CHECKING:
    from agents import AgentHookContext
    from agents.memory import SessionSettings
    from agents.run import CallModelData, ModelInputData

    from toldonce.memory import Memory


class ToldonceSession:
    """A session of the SDK (its `Session` protocol) that is kept in a memory."""

    def __init__(
        self,
        session_id: str,
        memory: Memory,
        *,
        user: str | None = None,
        space: str | None = None,
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings
        self._kept = ObservedSession(memory, session_id, user=user, space=space, read_message=_read_message)

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The items of the session, oldest first; with a limit the newest of them."""
        most = limit if limit is not None else getattr(self.session_settings, "limit", None)
        return await asyncio.to_thread(self._kept.read, most)

    async def add_items(self, items: Sequence[Any]) -> None:
        """Add items to the session, and remember what was said in them."""
        await asyncio.to_thread(self._kept.add, [dict(item) for item in items])

    async def pop_item(self) -> Any | None:
        """Take the last item back; what it said is forgotten."""
        return await asyncio.to_thread(self._kept.pop)

    async def clear_session(self) -> None:
        """Empty the session; what was said in it stays remembered."""
        await asyncio.to_thread(self._kept.clear)


def with_context(base: str, provider: ContextProvider) -> Callable[[Any, Any], Awaitable[str]]:
    """Instructions for an agent: a text of its own, then what the memory has for the current turn."""

    async def instructions(context: Any, _agent: Any) -> str:
        said = _user_texts(context.turn_input)
        block = await asyncio.to_thread(provider.get_context, said[-1]) if said else ""
        return f"{base}\n\n{block}" if block else base

    return instructions


def add_context(whose: Whose) -> Callable[[CallModelData[Any]], Awaitable[ModelInputData]]:
    """A `call_model_input_filter` that adds what the memory has for the person's last words to the instructions.

    It serves every agent of a run, whatever its own instructions are; `whose` may find the person in the run's context.
    """

    async def add(data: CallModelData[Any]) -> ModelInputData:
        said = _user_texts(data.model_data.input)
        person = find_person(whose, data.context)
        block = await asyncio.to_thread(person.recall_block, said[-1]) if said else ""
        parts = [part for part in (data.model_data.instructions, block) if part]
        return replace(data.model_data, instructions="\n\n".join(parts) or None)

    return add


class ObserveRuns(RunHooks[Any]):
    """Hooks that observe what the person and the agent said, for runs without a `ToldonceSession`."""

    def __init__(self, whose: Whose) -> None:
        self._whose = whose

    async def on_agent_end(self, context: AgentHookContext[Any], agent: Any, output: Any) -> None:
        """Observe the turn: it ends when an agent has the final output."""
        turn = [("user", text) for text in _user_texts(context.turn_input)]
        if isinstance(output, str):
            turn.append(("assistant", output))
        await asyncio.to_thread(find_person(self._whose, context.context).observe_turn, turn)


def function_tools(provider: ToolProvider, *, approve: bool = False) -> list[FunctionTool]:
    """The tools of a memory for an agent of the SDK.

    With `approve`, one that takes something away interrupts the run until the host approves the call; otherwise it
    asks for the confirm token.
    """

    def made(name: str, description: str, *, asks: bool) -> FunctionTool:
        async def invoke(_context: Any, arguments: str) -> str:
            return await asyncio.to_thread(provider.answer, name, arguments, confirmed=asks)

        schema = provider.box.schema(provider.box.find(name), with_token=not asks)
        return FunctionTool(name, description, schema, invoke, strict_json_schema=False, needs_approval=asks)

    return [made(t.name, t.description, asks=approve and t.takes_away) for t in provider.get_tools()]


def item_text(item: Item) -> str:
    """What an item says in words; empty for calls of tools, images and files."""
    return read_text(item.get("content"))


def _user_texts(items: Iterable[Any]) -> list[str]:
    return [item_text(item) for item in items if item.get("role") == "user"]


def _read_message(item: Item) -> tuple[str, str] | None:
    role = item.get("role")
    if not isinstance(role, str):
        return None
    return "system" if role == "developer" else role, item_text(item)
