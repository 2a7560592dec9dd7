"""The OpenAI Agents SDK over a memory: sessions that are remembered, a context block as instructions, tools.

A session's items come back as they were given; what people and the agent said in them is observed like any other
message. Secrets are redacted in both, in words, arguments and results of tools only: reasoning, compacted and encrypted
items are opaque to us, so they are kept untouched in the session and left out of the memory.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recollect.capture.observe import Skipped, redact_nested
from recollect.errors import InputError, RecordNotFound
from recollect.integrations.hosts import ContextProvider, ToolProvider
from recollect.integrations.session_items import SAID, SessionItems
from recollect.records import Record

if TYPE_CHECKING:
    from agents import FunctionTool
    from agents.memory import SessionSettings

    from recollect.memory import Memory

Item = dict[str, Any]
_TEXT_PARTS = ("input_text", "output_text", "text")
# Parts of an item that hold words; all others, such as ids and signatures, must come back to the byte.
_WORDED = ("content", "arguments", "output", "input", "text", "refusal", "transcript")
_OPAQUE_TYPES = ("reasoning", "compaction")
_ENCRYPTED = "encrypted_content"
log = logging.getLogger("recollect.agents")


class RecollectSession:
    """A session of the SDK (its `Session` protocol) that is kept in a memory.

    Clearing empties the session and leaves what was said in the memory; an item that is popped is forgotten,
    which a person can undo. While memory is switched off, or for a person who is kept out of it, nothing is kept.
    """

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
        self._memory = memory
        self._user = user
        self._space = space
        self._items = SessionItems(memory, session_id, owner=user or "", space=space)

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The items of the session, oldest first; with a limit the newest of them."""
        most = limit if limit is not None else getattr(self.session_settings, "limit", None)
        return await asyncio.to_thread(self._items.read, most)

    async def add_items(self, items: Sequence[Any]) -> None:
        """Add items to the session, and remember what was said in them."""
        await asyncio.to_thread(self._add, [dict(item) for item in items])

    async def pop_item(self) -> Any | None:
        """Take the last item back; what it said is forgotten."""
        return await asyncio.to_thread(self._pop)

    async def clear_session(self) -> None:
        """Empty the session; what was said in it stays remembered."""
        await asyncio.to_thread(self._items.clear)

    def _add(self, items: Sequence[Item]) -> None:
        if not items or self._memory.people.is_kept_out(self._user, space=self._space):
            return
        kept = [redact_item(item) for item in items]
        self._items.add(list(zip(kept, self._observe_items(kept), strict=True)))

    def _observe_items(self, items: Sequence[Item]) -> list[str | None]:
        """The id of the message that each item is; None for a call of a tool, or for what the preset does not keep."""
        messages = {place: said for place, item in enumerate(items) if (said := self._message_of_item(item))}
        heard: Sequence[Record | Skipped | None]
        try:
            heard = self._memory.observe_many(messages.values(), space=self._space) if messages else []
        except InputError:
            # One that cannot be remembered must not cost the others.
            heard = [self._observe(message) for message in messages.values()]
        ids = {p: one.id for p, one in zip(messages, heard, strict=True) if isinstance(one, Record)}
        return [ids.get(place) for place in range(len(items))]

    def _message_of_item(self, item: Item) -> dict[str, Any] | None:
        said, role = item_text(item), item.get("role")
        if is_opaque(item) or not said.strip() or not isinstance(role, str):
            return None
        role = "system" if role == "developer" else role
        return {"text": said, "user": self._user, "session": self.session_id, "role": role}

    def _observe(self, message: Mapping[str, Any]) -> Record | Skipped | None:
        try:
            return self._memory.observe(**message, space=self._space)
        except InputError as problem:
            log.warning("an item of a session is kept but not remembered: %s", problem)
            return None

    def _pop(self) -> Item | None:
        taken = self._items.take_last()
        if taken is None:
            return None
        if taken.section == SAID:
            self._forget(taken.sources[0])
        item: Item = json.loads(taken.text)
        return item

    def _forget(self, record_id: str) -> None:
        try:
            self._memory.forget(record_id, reason="taken back in its session")
        except RecordNotFound:
            log.info("the message of a popped item was purged before")


def with_context(base: str, provider: ContextProvider) -> Callable[[Any, Any], Awaitable[str]]:
    """Instructions for an agent: a text of its own, then what the memory has for the current turn."""

    async def instructions(context: Any, _agent: Any) -> str:
        said = [item_text(item) for item in context.turn_input if item.get("role") == "user"]
        block = await asyncio.to_thread(provider.get_context, said[-1]) if said else ""
        return f"{base}\n\n{block}" if block else base

    return instructions


def function_tools(provider: ToolProvider, *, approve: bool = False) -> list[FunctionTool]:
    """The tools of a memory for an agent of the SDK.

    With `approve`, one that takes something away interrupts the run until the host approves the call; otherwise it
    asks for the confirm token.
    """
    try:
        from agents import FunctionTool
    except ImportError:
        raise InputError("this needs the OpenAI Agents SDK: `pip install 'recollect[openai-agents]'`") from None

    def made(name: str, description: str, *, asks: bool) -> FunctionTool:
        async def invoke(_context: Any, arguments: str) -> str:
            return await asyncio.to_thread(provider.answer, name, arguments, confirmed=asks)

        schema = provider.box.schema(provider.box.find(name), with_token=not asks)
        return FunctionTool(name, description, schema, invoke, strict_json_schema=False, needs_approval=asks)

    return [made(t.name, t.description, asks=approve and t.takes_away) for t in provider.get_tools()]


def is_opaque(item: Item) -> bool:
    """Whether an item is meant for the model's provider alone: its reasoning, a compacted history, encrypted parts."""
    if item.get("type") in _OPAQUE_TYPES or _ENCRYPTED in item:
        return True
    content = item.get("content")
    return isinstance(content, list) and any(isinstance(part, dict) and _ENCRYPTED in part for part in content)


def redact_item(item: Item) -> Item:
    """An item without secrets in its words; an opaque one, and everything that is not words, as it is."""
    return item if is_opaque(item) else {key: _redact_words(key, value) for key, value in item.items()}


def _redact_words(key: str, value: Any) -> Any:
    if key not in _WORDED:
        return value
    if isinstance(value, list):
        return [redact_item(part) if isinstance(part, dict) else _redact_words(key, part) for part in value]
    return redact_nested(value, True) if isinstance(value, str) else value


def item_text(item: Item) -> str:
    """What an item says in words; empty for calls of tools, images and files."""
    content = item.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(_part_texts(content)) if isinstance(content, list) else ""


def _part_texts(parts: Iterable[Any]) -> Iterable[str]:
    for part in parts:
        if isinstance(part, dict) and part.get("type") in _TEXT_PARTS and isinstance(part.get("text"), str):
            yield part["text"]
