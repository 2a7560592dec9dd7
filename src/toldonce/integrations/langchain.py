"""LangChain over a memory: a retriever of what is known of a person, and the history of a chat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document
from langchain_core.messages import BaseMessage, message_to_dict, messages_from_dict
from langchain_core.retrievers import BaseRetriever

from toldonce.integrations.observed_session import Item, ObservedSession
from toldonce.integrations.person_memory import PersonMemory, in_thread, read_text

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.records import Hit

ROLES = {"human": "user", "ai": "assistant"}


class ToldonceRetriever(BaseRetriever):
    """Retrieves what helps with a question: `ToldonceRetriever(person=PersonMemory(memory, "alex"), limit=5)`."""

    person: PersonMemory
    limit: int | None = None

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return [describe_hit(hit) for hit in self.person.search(query, self.limit)]


class ToldonceChatHistory(BaseChatMessageHistory):
    """The messages of a chat, kept in a memory: they come back as they were added, and what they say is observed.

    `clear` empties the chat; what was said stays in the memory, where a person can have it forgotten or erased.
    """

    def __init__(self, session_id: str, memory: Memory, *, user: str | None = None, space: str | None = None) -> None:
        self._kept = ObservedSession(memory, session_id, user=user, space=space, read_message=_read_message)

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        """The messages, oldest first."""
        return messages_from_dict(self._kept.read())

    async def aget_messages(self) -> list[BaseMessage]:
        """The messages, oldest first."""
        return messages_from_dict(await in_thread(self._kept.read))

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Add messages at the end."""
        self._kept.add([message_to_dict(message) for message in messages])

    def clear(self) -> None:
        """Empty the chat."""
        self._kept.clear()


def describe_hit(hit: Hit) -> Document:
    """A record as a document of LangChain; its metadata says how it was found and where it came from."""
    record = hit.record
    metadata: dict[str, Any] = {
        "kind": record.kind,
        "user": record.user,
        "session": record.session,
        "at": record.created_at.isoformat(),
        "score": hit.score,
        "sources": list(record.sources),
    }
    return Document(id=record.id, page_content=record.text, metadata=metadata)


def _read_message(item: Item) -> tuple[str, str] | None:
    role = ROLES.get(str(item.get("type")))
    return (role, read_text(item["data"].get("content"))) if role else None
