"""AutoGen over a memory: `autogen_core.memory.Memory` for `AssistantAgent(memory=[...])`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from autogen_core.memory import Memory, MemoryContent, MemoryMimeType, MemoryQueryResult, UpdateContextResult
from autogen_core.models import SystemMessage, UserMessage

from toldonce.errors import InputError
from toldonce.integrations.person_memory import PersonMemory, in_thread, read_text

if TYPE_CHECKING:
    from autogen_core import CancellationToken
    from autogen_core.model_context import ChatCompletionContext


class ToldonceMemory(Memory):
    """What is known of one person: added to the context of each turn, searched, and added to.

    AutoGen tells a memory nothing of replies: pass the messages of a finished run to `observe_messages`.
    """

    component_config_schema = None

    def __init__(self, person: PersonMemory, *, limit: int | None = None) -> None:
        self._person = person
        self._limit = limit

    async def update_context(self, model_context: ChatCompletionContext) -> UpdateContextResult:
        """Add what helps with the person's last message to the context, as a system message that marks it as data."""
        messages = await model_context.get_messages()
        said = [read_text(message.content) for message in messages if isinstance(message, UserMessage)]
        block = await in_thread(self._person.recall_block, said[-1]) if said else ""
        found = [MemoryContent(content=block, mime_type=MemoryMimeType.TEXT)] if block else []
        # A context only grows: the same block is not added for every turn.
        if block and not any(isinstance(m, SystemMessage) and m.content == block for m in messages):
            await model_context.add_message(SystemMessage(content=block))
        return UpdateContextResult(memories=MemoryQueryResult(results=found))

    async def query(
        self, query: str | MemoryContent, cancellation_token: CancellationToken | None = None, **kwargs: Any
    ) -> MemoryQueryResult:
        """The records that help with a question, best first."""
        asked = query if isinstance(query, str) else _text_of(query)
        hits = await in_thread(self._person.search, asked, self._limit)
        return MemoryQueryResult(
            results=[
                MemoryContent(
                    content=hit.record.text,
                    mime_type=MemoryMimeType.TEXT,
                    metadata={"id": hit.record.id, "kind": hit.record.kind, "score": hit.score},
                )
                for hit in hits
            ]
        )

    async def add(self, content: MemoryContent, cancellation_token: CancellationToken | None = None) -> None:
        """Keep a statement."""
        await in_thread(self._person.remember, _text_of(content), metadata=content.metadata)

    async def observe_messages(self, messages: Iterable[Any]) -> None:
        """Observe the text messages of a run (`TaskResult.messages`): each once, whatever is passed again."""
        for message in messages:
            if isinstance(said := getattr(message, "content", None), str) and message.type == "TextMessage":
                role = "user" if message.source == "user" else "assistant"
                await in_thread(self._person.observe, said, role, message_id=message.id)

    async def clear(self) -> None:
        """Refused: a framework does not empty a person's memory; `Memory.erase` does."""
        raise InputError("a person's memory is not cleared by an agent: use memory.forget or memory.erase")

    async def close(self) -> None:
        """Nothing to do: whoever opened the memory closes it."""


def _text_of(content: MemoryContent) -> str:
    if not isinstance(content.content, str):
        raise InputError("only text can be remembered: pass a MemoryContent whose content is a text")
    return content.content
