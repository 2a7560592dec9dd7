"""CrewAI over a memory: a storage for its `Memory`, with the vectors of the memory's own embedder.

CrewAI decides itself what to remember and how to rank it; the storage keeps its records as items of one person.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from crewai.memory.types import MemoryRecord, ScopeInfo

from toldonce.errors import InputError
from toldonce.integrations.person_memory import in_thread
from toldonce.integrations.stored_items import (
    ItemStore,
    Namespace,
    StoredItem,
    encode_vector,
    is_in_namespace,
    is_match,
    score_items,
)

if TYPE_CHECKING:
    from toldonce.memory import Memory

# Vectors come from whatever embedder the crew has; CrewAI itself refuses to mix them.
_EMBEDDER = "crewai"


class ToldonceStorage:
    """`Memory(storage=ToldonceStorage(memory, "alex"), embedder=embed_with(memory))`: CrewAI's `StorageBackend`."""

    def __init__(self, memory: Memory, user: str | None = None, *, space: str | None = None) -> None:
        self._items = ItemStore(memory, user, space=space, root="crewai")

    def save(self, records: list[MemoryRecord]) -> None:
        """Store records, in place of those with the same id."""
        for record in records:
            self._remove_elsewhere(record)
            vectors = [encode_vector(record.embedding)] if record.embedding else []
            value = record.model_dump(mode="json")
            self._items.put(_read_scope(record.scope), record.id, value, embedder=_EMBEDDER, vectors=vectors)

    def search(
        self,
        query_embedding: list[float],
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        metadata_filter: dict[str, Any] | None = None,
        limit: int = 10,
        min_score: float = 0.0,
    ) -> list[tuple[MemoryRecord, float]]:
        """The nearest records with their similarity, best first."""
        found = self._find(scope_prefix, categories, metadata_filter)
        scores = score_items(found, query_embedding, embedder=_EMBEDDER)
        best = sorted((place for place in scores if scores[place] >= min_score), key=lambda place: -scores[place])
        return [(_read_record(found[place]), scores[place]) for place in best[:limit]]

    def delete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        """Remove the records that all of these name; returns how many."""
        found = [
            item
            for item in self._find(scope_prefix, categories, metadata_filter)
            if (record_ids is None or item.key in record_ids)
            and (older_than is None or _as_utc(_read_record(item).created_at) < _as_utc(older_than))
        ]
        for item in found:
            self._items.remove(item.namespace, item.key)
        return len(found)

    def update(self, record: MemoryRecord) -> None:
        """Store a record in place of the one with the same id; without a vector it keeps the older one."""
        before = next((item for item in self._items.list_below(()) if item.key == record.id), None)
        if before is None or record.embedding:
            self.save([record])
            return
        self._remove_elsewhere(record)
        value = record.model_dump(mode="json")
        scope = _read_scope(record.scope)
        self._items.put(scope, record.id, value, embedder=before.embedder, vectors=before.vectors)

    def get_record(self, record_id: str) -> MemoryRecord | None:
        """The record of an id."""
        return next((_read_record(item) for item in self._items.list_below(()) if item.key == record_id), None)

    def list_records(self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0) -> list[MemoryRecord]:
        """The records of a scope, newest first."""
        found = [_read_record(item) for item in self._find(scope_prefix)]
        found.sort(key=lambda record: _as_utc(record.created_at), reverse=True)
        return found[offset : offset + limit]

    def get_scope_info(self, scope: str) -> ScopeInfo:
        """How many records a scope has, from when, in which categories and scopes below it."""
        records = self.list_records(scope, limit=self.count(scope))
        moments = [record.created_at for record in records]
        return ScopeInfo(
            path=scope,
            record_count=len(records),
            categories=sorted(self.list_categories(scope)),
            oldest_record=moments[-1] if moments else None,
            newest_record=moments[0] if moments else None,
            child_scopes=self.list_scopes(scope),
        )

    def list_scopes(self, parent: str = "/") -> list[str]:
        """The scopes directly below a scope."""
        above = _read_scope(parent)
        depth = len(above) + 1
        return sorted(
            {"/" + "/".join(i.namespace[:depth]) for i in self._items.list_below(above) if len(i.namespace) >= depth}
        )

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        """How many records each category has."""
        return dict(Counter(name for item in self._find(scope_prefix) for name in item.value["categories"]))

    def count(self, scope_prefix: str | None = None) -> int:
        """How many records a scope has."""
        return len(self._find(scope_prefix))

    def reset(self, scope_prefix: str | None = None) -> None:
        """Remove every record of a scope."""
        self.delete(scope_prefix)

    async def asave(self, records: list[MemoryRecord]) -> None:
        """`save`, awaited."""
        await in_thread(self.save, records)

    async def asearch(
        self, query_embedding: list[float], *args: Any, **options: Any
    ) -> list[tuple[MemoryRecord, float]]:
        """`search`, awaited."""
        return await in_thread(self.search, query_embedding, *args, **options)

    async def adelete(self, *args: Any, **options: Any) -> int:
        """`delete`, awaited."""
        return await in_thread(self.delete, *args, **options)

    def close(self) -> None:
        """Nothing to do: whoever opened the memory closes it."""

    def _find(
        self,
        scope_prefix: str | None,
        categories: Sequence[str] | None = None,
        metadata_filter: Mapping[str, Any] | None = None,
    ) -> list[StoredItem]:
        wanted = set(categories or ())
        return [
            item
            for item in self._items.list_below(_read_scope(scope_prefix))
            if (not wanted or wanted & set(item.value["categories"]))
            and is_match(item.value["metadata"], metadata_filter or {})
        ]

    def _remove_elsewhere(self, record: MemoryRecord) -> None:
        """A record whose scope has changed leaves its older one."""
        scope = _read_scope(record.scope)
        for item in self._items.list_below(()):
            if item.key == record.id and not (
                len(scope) == len(item.namespace) and is_in_namespace(scope, item.namespace)
            ):
                self._items.remove(item.namespace, item.key)


def embed_with(memory: Memory) -> Callable[[list[str]], list[list[float]]]:
    """The memory's embedder as CrewAI wants it, so that no key is needed."""
    embedder = memory.embedder
    if embedder is None:
        raise InputError("this memory has no embedder: open it with one, or give the crew an embedder of its own")
    return lambda texts: [[float(number) for number in vector] for vector in embedder.embed(texts)]


def _read_scope(scope: str | None) -> Namespace:
    return tuple(label for label in (scope or "").split("/") if label)


def _read_record(item: StoredItem) -> MemoryRecord:
    return MemoryRecord.model_validate(item.value)


def _as_utc(moment: datetime) -> datetime:
    """CrewAI's own moments have no zone; they are in UTC."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
