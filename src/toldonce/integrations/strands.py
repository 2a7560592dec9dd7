"""Strands over a memory: a store for its `MemoryManager`, which adds context, searches, and observes every turn."""

from __future__ import annotations

from typing import Any

from strands.memory import ExtractionConfig, InvocationTrigger, MemoryEntry, MemoryStore

from toldonce.integrations.person_memory import PersonMemory, in_thread, read_text

_ROLES = ("user", "assistant")


class ToldonceMemoryStore(MemoryStore):
    """`Agent(memory_manager=MemoryManager(stores=[ToldonceMemoryStore(PersonMemory(memory, "alex"))]))`."""

    def __init__(self, person: PersonMemory, *, name: str = "toldonce", max_search_results: int | None = None) -> None:
        self.name = name
        self.description = "What is known of the person from earlier conversations"
        self.max_search_results = max_search_results
        self.writable = True
        self.extraction = ExtractionConfig(trigger=[InvocationTrigger()])
        self._person = person

    async def search(self, query: str, options: Any = None) -> list[MemoryEntry]:
        """What helps with a question, best first."""
        limit = (options or {}).get("max_search_results", self.max_search_results)
        hits = await in_thread(self._person.search, query, limit)
        return [
            MemoryEntry(
                content=hit.record.text,
                metadata={"id": hit.record.id, "kind": hit.record.kind, "score": hit.score},
            )
            for hit in hits
        ]

    async def add(self, content: str, metadata: dict[str, Any] | None = None) -> None:
        """Keep a statement that the agent found worth keeping."""
        await in_thread(self._person.remember, content, metadata=metadata)

    async def add_messages(self, messages: list[Any], context: Any = None) -> None:
        """Observe what the person and the agent said."""
        turn = [(message["role"], read_text(message["content"])) for message in messages if message["role"] in _ROLES]
        await in_thread(self._person.observe_turn, turn)
