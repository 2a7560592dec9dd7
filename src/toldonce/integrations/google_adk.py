"""Google's Agent Development Kit over a memory: a memory service for `Runner(memory_service=...)`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from google.adk.memory import BaseMemoryService
from google.adk.memory.base_memory_service import SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.genai import types

from toldonce.errors import InputError
from toldonce.integrations.person_memory import PersonMemory, in_thread, require_name

if TYPE_CHECKING:
    from google.adk.events.event import Event
    from google.adk.sessions.session import Session

    from toldonce.memory import Memory
    from toldonce.records import Hit

_USER = "user"


class ToldonceMemoryService(BaseMemoryService):
    """Sessions are observed event by event, each once; a search finds what is known of the session's user.

    `spaces` maps names of apps to spaces; an app that it does not name uses the memory's own space.
    """

    def __init__(self, memory: Memory, *, spaces: Mapping[str, str] | None = None, limit: int = 10) -> None:
        self._memory = memory
        self._spaces = spaces or {}
        self._limit = limit

    async def add_session_to_memory(self, session: Session) -> None:
        """Observe the events of a session that were not observed before."""
        person = self._find_person(session.app_name, session.user_id, session.id)
        await in_thread(_observe_events, person, session.events)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Observe some events."""
        await in_thread(_observe_events, self._find_person(app_name, user_id, session_id), events)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Keep statements."""
        person = self._find_person(app_name, user_id)
        for entry in memories:
            await in_thread(person.remember, _read_content(entry.content), metadata=entry.custom_metadata or None)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """What helps with a question, best first."""
        hits = await in_thread(self._find_person(app_name, user_id).search, query, self._limit)
        return SearchMemoryResponse(memories=[_describe(hit) for hit in hits])

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Forget one record of the person; it can be restored until it is purged."""
        if memory_id is None:
            raise InputError("name the memory to delete by the id that search_memory gave")
        await in_thread(self._memory.forget, memory_id, reason="deleted", user=user_id)

    def _find_person(self, app_name: str, user_id: str, session: str | None = None) -> PersonMemory:
        return PersonMemory(self._memory, require_name(user_id, "user_id"), session, self._spaces.get(app_name))


def _observe_events(person: PersonMemory, events: Iterable[Event]) -> None:
    for event in events:
        role = "user" if event.author == _USER else "assistant"
        person.observe(_read_content(event.content), role, message_id=event.id or None)


def _read_content(content: types.Content | None) -> str:
    """The words of a content: neither the model's thoughts nor calls of tools."""
    parts = (content.parts or ()) if content is not None else ()
    return "\n".join(part.text for part in parts if part.text and not part.thought)


def _describe(hit: Hit) -> MemoryEntry:
    record = hit.record
    return MemoryEntry(
        id=record.id,
        content=types.Content(role=_USER, parts=[types.Part(text=record.text)]),
        author=record.user,
        timestamp=record.created_at.isoformat(),
        custom_metadata={"kind": record.kind, "score": hit.score},
    )
