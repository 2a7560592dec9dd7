"""LlamaIndex over a memory: a block for its `Memory`, which recalls for the last message and observes older ones."""

from __future__ import annotations

from typing import Any

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import BaseMemoryBlock
from pydantic import Field

from toldonce.integrations.person_memory import PersonMemory, in_thread

ROLES = ("user", "assistant")


class ToldonceMemoryBlock(BaseMemoryBlock[str]):
    """`Memory.from_defaults(memory_blocks=[ToldonceMemoryBlock(person=PersonMemory(memory, "alex"))])`.

    LlamaIndex hands over messages when they leave its short-term memory; `observe` takes them at once.
    """

    name: str = Field(default="toldonce")
    person: PersonMemory

    def observe(self, messages: list[ChatMessage]) -> None:
        """Observe what the person and the agent said, without waiting for the short-term memory to fill."""
        self.person.observe_turn(
            (message.role.value, message.content or "") for message in messages if message.role.value in ROLES
        )

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        said = [message.content or "" for message in messages or () if message.role.value == ROLES[0]]
        return await in_thread(self.person.recall_block, said[-1]) if said else ""

    async def _aput(self, messages: list[ChatMessage]) -> None:
        await in_thread(self.observe, messages)
