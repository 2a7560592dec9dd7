"""The OpenAI Agents SDK over a memory: sessions that are remembered, a context block as instructions, tools.

A session's items are entries of one document, so that they come back as they were given; what people and the agent said
in them is observed like any other message. Secrets are redacted in both.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recollect.capture.observe import redact_nested
from recollect.errors import InputError, RecordNotFound
from recollect.integrations.hosts import ContextProvider, ToolProvider
from recollect.records import Document, DocumentEntry, Record

if TYPE_CHECKING:
    from agents import FunctionTool
    from agents.memory import SessionSettings

    from recollect.memory import Memory

Item = dict[str, Any]
_TEXT_PARTS = ("input_text", "output_text", "text")
# The section of an entry says whether its source is the message that the item is, or the one it answers.
_SAID, _BESIDE = "said", "beside"
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

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The items of the session, oldest first; with a limit the newest of them."""
        most = limit if limit is not None else getattr(self.session_settings, "limit", None)
        entries = (await asyncio.to_thread(self._entries)) or ()
        chosen = entries if most is None else entries[-most:] if most > 0 else ()
        return [json.loads(entry.text) for entry in chosen]

    async def add_items(self, items: Sequence[Any]) -> None:
        """Add items to the session, and remember what was said in them."""
        await asyncio.to_thread(self._add, [dict(item) for item in items])

    async def pop_item(self) -> Any | None:
        """Take the last item back; what it said is forgotten."""
        return await asyncio.to_thread(self._pop)

    async def clear_session(self) -> None:
        """Empty the session; what was said in it stays remembered."""
        await asyncio.to_thread(self._change, lambda d: _document_without(d, ()) if d.entries else None)

    def _entries(self) -> tuple[DocumentEntry, ...]:
        found = self._memory.documents.get(self._name, owner=self._user or "", space=self._space)
        return found.entries if found else ()

    def _add(self, items: Sequence[Item]) -> None:
        if not items or self._memory.people.is_kept_out(self._user, space=self._space):
            return
        kept = [(item, self._observe(item)) for item in (redact_nested(item, True) for item in items)]

        def extend(document: Document) -> Document:
            entries = list(document.entries)
            for item, record in kept:
                answered = entries[-1].sources if entries else ()
                section, sources = (_SAID, (record.id,)) if record else (_BESIDE, answered)
                text = json.dumps(item, ensure_ascii=False)
                entries.append(DocumentEntry(section=section, text=text, sources=sources, at=self._memory.clock()))
            return replace(document, version=document.version or 1, entries=tuple(entries))

        self._change(extend)

    def _observe(self, item: Item) -> Record | None:
        """The message that an item is; None for a call of a tool, or for what the preset does not keep."""
        said, role = item_text(item), item.get("role")
        if not said.strip() or not isinstance(role, str):
            return None
        try:
            heard = self._memory.observe(
                said,
                self._user,
                session=self.session_id,
                role="system" if role == "developer" else role,
                space=self._space,
            )
        except InputError as problem:
            log.warning("an item of a session is kept but not remembered: %s", problem)
            return None
        return heard if isinstance(heard, Record) else None

    def _pop(self) -> Item | None:
        taken: list[DocumentEntry] = []

        def shorten(document: Document) -> Document | None:
            if not document.entries:
                return None
            taken.append(document.entries[-1])
            return _document_without(document, document.entries[:-1])

        self._change(shorten)
        if not taken:
            return None
        if taken[0].section == _SAID:
            self._forget(taken[0].sources[0])
        item: Item = json.loads(taken[0].text)
        return item

    def _forget(self, record_id: str) -> None:
        try:
            self._memory.forget(record_id, reason="taken back in its session")
        except RecordNotFound:
            log.info("the message of a popped item was purged before")

    def _change(self, change: Callable[[Document], Document | None]) -> Document | None:
        return self._memory.documents.change(self._name, change, owner=self._user or "", space=self._space)

    @property
    def _name(self) -> str:
        return f"session/{self.session_id}"


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


def _document_without(document: Document, entries: tuple[DocumentEntry, ...]) -> Document:
    """The next version, so that the one before stays in history."""
    return replace(document, version=document.version + 1, entries=entries)
