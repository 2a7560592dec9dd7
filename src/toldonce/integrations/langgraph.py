"""LangGraph over a memory: a store for items under namespaces, and a node that observes and recalls.

`ToldonceStore` is a `BaseStore`: values come back as they were put, except for secrets, which are redacted.
`MemoryNode` reads who is speaking from the run's configuration (`user_id`, and `thread_id` as the session).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal

from langchain_core.runnables import RunnableConfig
from langgraph.store.base import (
    BaseStore,
    GetOp,
    IndexConfig,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    ensure_embeddings,
    get_text_at_path,
)

from toldonce.errors import InputError, NotAllowed
from toldonce.integrations.person_memory import PersonMemory, in_thread, read_text, require_name
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
    from langchain_core.embeddings import Embeddings
    from langchain_core.messages import AnyMessage

    from toldonce.memory import Memory
    from toldonce.models.embedder import Embedder

ROLES: Mapping[str, str] = {"human": "user", "ai": "assistant"}
_WHOLE = "$"
_Vectors = Mapping[str, Sequence[float]]


class ToldonceStore(BaseStore):
    """A store of LangGraph that is kept in a memory.

    With `user`, all items are that person's. Where one store serves many people, `person_at` is the place in a
    namespace at which the person's id is: 1 for ("memories", "alex"). Their items are erased with the person. Semantic
    search uses the memory's embedder, or the one in `index`; `index=False` switches it off.
    """

    supports_ttl = True

    def __init__(
        self,
        memory: Memory,
        *,
        user: str | None = None,
        space: str | None = None,
        person_at: int | None = None,
        index: IndexConfig | Literal[False] | None = None,
        ttl: TTLConfig | None = None,
    ) -> None:
        if user is not None and person_at is not None:
            raise InputError("give either user or person_at: a store for one person, or one for many")
        self._items = ItemStore(memory, user, space=space, person_at=person_at)
        self.index_config: IndexConfig | None = index or None
        self.ttl_config = ttl
        self.embeddings: Embeddings | None = ensure_embeddings(index["embed"]) if index else None
        self._own = _find_embedder(memory) if index is None else None
        self._fields = (index.get("fields") if index else None) or [_WHOLE]
        self._swept_at = memory.clock()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out operations together: reads see what was there before, then the last write of each key counts."""
        listed = list(ops)
        texts, queries = self._list_texts(listed), _list_queries(listed)
        made: Iterable[Sequence[float]]
        asked: Iterable[Sequence[float]]
        if self.embeddings is not None:
            made = self.embeddings.embed_documents(texts) if texts else []
            asked = [self.embeddings.embed_query(query) for query in queries]
        else:
            made, asked = self._embed_here(texts), self._embed_here(queries)
        return self._carry_out(listed, _pair(texts, made), _pair(queries, asked))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same without blocking the event loop; an asynchronous embedder is awaited."""
        listed = list(ops)
        if self.embeddings is None:
            return await in_thread(self.batch, listed)
        texts, queries = self._list_texts(listed), _list_queries(listed)
        made = await self.embeddings.aembed_documents(texts) if texts else []
        asked = [await self.embeddings.aembed_query(query) for query in queries]
        return await in_thread(self._carry_out, listed, _pair(texts, made), _pair(queries, asked))

    def sweep_ttl(self) -> int:
        """Remove expired items now; returns how many. Reads leave them out in any case."""
        self._swept_at = self._items.memory.clock()
        return self._items.sweep()

    def _carry_out(self, ops: Sequence[Op], vectors: _Vectors, queries: _Vectors) -> list[Result]:
        self._sweep_when_due()
        results = [self._read(op, queries) for op in ops]
        for put in {(tuple(op.namespace), op.key): op for op in ops if isinstance(op, PutOp)}.values():
            self._put(put, vectors)
        return results

    def _read(self, op: Op, queries: _Vectors) -> Result:
        if isinstance(op, GetOp):
            found = self._items.get(op.namespace, op.key)
            if found is not None and op.refresh_ttl:
                self._items.extend(found)
            return None if found is None else Item(**_describe(found))
        if isinstance(op, SearchOp):
            return self._search(op, queries)
        return self._list_namespaces(op) if isinstance(op, ListNamespacesOp) else None

    def _search(self, op: SearchOp, queries: _Vectors) -> list[SearchItem]:
        wanted = op.filter or {}
        found = [item for item in self._items.list_below(op.namespace_prefix) if is_match(item.value, wanted)]
        query = queries.get(op.query) if op.query else None
        scores = score_items(found, query, embedder=self._embedder_name) if query is not None else {}
        # Items without a vector come last, the newest of them first.
        order = sorted(range(len(found)), key=lambda place: -scores.get(place, -2))
        page = order[op.offset : op.offset + op.limit]
        for place in page if op.refresh_ttl else ():
            self._items.extend(found[place])
        return [SearchItem(**_describe(found[place]), score=scores.get(place)) for place in page]

    def _list_namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        fixed = [tuple(c.path) for c in conditions if c.match_type == "prefix" and "*" not in c.path]
        below = self._items.list_below(max(fixed, key=len, default=()))
        found = {
            item.namespace[: op.max_depth]
            for item in below
            if all(is_in_namespace(item.namespace, c.path, at_end=c.match_type == "suffix") for c in conditions)
        }
        return sorted(found)[op.offset : op.offset + op.limit]

    def _put(self, op: PutOp, vectors: _Vectors) -> None:
        if op.value is None:
            self._items.remove(tuple(op.namespace), op.key)
            return
        held = [encode_vector(vectors[text]) for text in self._texts_of(op)]
        name = self._embedder_name
        self._items.put(op.namespace, op.key, op.value, ttl_minutes=op.ttl, embedder=name, vectors=held)

    def _list_texts(self, ops: Iterable[Op]) -> list[str]:
        puts = {(tuple(op.namespace), op.key): op for op in ops if isinstance(op, PutOp)}
        return list(dict.fromkeys(text for op in puts.values() for text in self._texts_of(op)))

    def _texts_of(self, op: PutOp) -> list[str]:
        """The texts of an item that its vectors are made of."""
        if op.value is None or op.index is False or not self._embedder_name:
            return []
        paths = self._fields if op.index is None else op.index
        return [text for path in paths for text in get_text_at_path(op.value, path) if text.strip()]

    @property
    def _embedder_name(self) -> str:
        if self.embeddings is not None:
            return f"{type(self.embeddings).__name__}/{(self.index_config or {}).get('dims', '')}"
        return self._own.name if self._own is not None else ""

    def _embed_here(self, texts: Sequence[str]) -> list[Sequence[float]]:
        return list(self._own.embed(texts)) if texts and self._own is not None else []

    def _sweep_when_due(self) -> None:
        minutes = (self.ttl_config or {}).get("sweep_interval_minutes")
        if minutes and self._items.memory.clock() - self._swept_at >= timedelta(minutes=minutes):
            self.sweep_ttl()


@dataclass(frozen=True, slots=True)
class MemoryNode:
    """A node before the model: it observes what is new in `messages`, and puts the block into the state.

    `node.observe` is a node for the end of the graph: it observes the reply. Messages are observed once, by their ids.
    """

    memory: Memory
    space: str | None = None
    budget: int | None = None
    key: str = "memory"

    def __call__(self, state: Mapping[str, Any], config: RunnableConfig) -> dict[str, Any]:
        """Observe the new messages; the state gets what helps with the last of the person's."""
        person, messages = self._find_person(config), state["messages"]
        said = [message for message in messages if message.type == "human"]
        block = person.recall_block(read_text(said[-1].content)) if said else ""
        _observe_new(person, messages)
        return {self.key: block}

    def observe(self, state: Mapping[str, Any], config: RunnableConfig) -> None:
        """Observe the new messages, the model's reply among them."""
        _observe_new(self._find_person(config), state["messages"])

    def _find_person(self, config: RunnableConfig) -> PersonMemory:
        named = config.get("configurable", {})
        user = require_name(named.get("user_id"), "configurable.user_id")
        thread = named.get("thread_id")
        return PersonMemory(self.memory, user, None if thread is None else str(thread), self.space, self.budget)


def _observe_new(person: PersonMemory, messages: Sequence[AnyMessage]) -> None:
    """Observe the messages of this turn and of the one before, whose reply may have come after its last observing."""
    starts = [place for place, message in enumerate(messages) if message.type == "human"]
    for message in messages[starts[-2] if len(starts) > 1 else 0 :]:
        if message.type in ROLES:
            person.observe(read_text(message.content), ROLES[message.type], message_id=message.id)


def _find_embedder(memory: Memory) -> Embedder | None:
    """The memory's own embedder; one that is on a server stays there."""
    try:
        return memory.embedder
    except NotAllowed:
        return None


def _list_queries(ops: Iterable[Op]) -> list[str]:
    return list(dict.fromkeys(op.query for op in ops if isinstance(op, SearchOp) and op.query and op.query.strip()))


def _pair(texts: Sequence[str], vectors: Iterable[Sequence[float]]) -> dict[str, Sequence[float]]:
    return dict(zip(texts, vectors, strict=False))


def _describe(item: StoredItem) -> dict[str, Any]:
    """The fields that both of LangGraph's classes of items have."""
    return {
        "namespace": item.namespace,
        "key": item.key,
        "value": item.value,
        "created_at": item.created_at,
        "updated_at": item.updated_at,
    }
