"""mem0's `Memory` over Toldonce: the same calls and results, so that only the import changes.

`user_id` is the person, `run_id` the session; `agent_id` and metadata are kept with what was said, for filters.
A message becomes what it says of people by the memory's own rules, or by its model when one is configured.
"""

from __future__ import annotations

import asyncio
import functools
import hashlib
import os
import uuid
from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from toldonce import Memory as Engine
from toldonce.capture.observe import Skipped
from toldonce.config import load_config
from toldonce.distil.reporting import drop_superseded
from toldonce.errors import RecordNotFound
from toldonce.integrations.mem0_arguments import (
    LEAST_SCORE,
    OWNERS,
    InvalidArgument,
    check_count,
    check_ids,
    check_query,
    check_threshold,
    drop_ids,
    drop_none,
    find_owner,
    find_stand_in,
    matches,
    read_expiration,
    refuse_platform_only,
    split_filters,
)
from toldonce.integrations.person_memory import read_text
from toldonce.operations.corrections import annotate_record
from toldonce.records import History, Hit, Record
from toldonce.storage.store import Tables

Item = dict[str, Any]
Results = dict[str, list[Item]]
# Under this name our own values are kept in the metadata of a message.
_OURS = "mem0"
_MOST = 1_000
_USUAL = 20
# Among our own values: the caller's metadata, where they could not be kept beside ours.
_NAMED = "metadata"
_PROCEDURAL = "procedural_memory"
# Stands for an argument that was not given, where None has a meaning.
_UNSET: Any = object()
# A filter on metadata needs more candidates than it returns.
_CANDIDATES = 5


class MissingMemory(RecordNotFound, ValueError):
    """A memory that is not there, for which mem0 raises a ValueError too."""


class Mem0Memory:
    """The calls of mem0's `Memory`. `config` may be mem0's own: its language model is used, stores are not.

    `config["toldonce"]` names `place`, `preset` and `space`; otherwise the settings of Toldonce hold.
    """

    def __init__(
        self, config: Mapping[str, Any] | Any = None, *, memory: Engine | None = None, space: str | None = None
    ) -> None:
        given = _as_table(config)
        ours = _as_table(given.get("toldonce"))
        self._space = space or ours.get("space")
        self._is_own = memory is None
        self.memory = memory if memory is not None else _open_configured(given, ours)

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any]) -> Mem0Memory:
        """A memory from a configuration of mem0."""
        return cls(config_dict)

    def add(
        self,
        /,
        messages: str | Mapping[str, Any] | Sequence[Mapping[str, Any]],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        timestamp: Any = None,
        expiration_date: date | str | None = None,
        infer: bool = True,
        memory_type: str | None = None,
        prompt: str | None = None,
    ) -> Results:
        """Store what was said and what it tells; returns the memories it made or changed. `prompt` changes nothing."""
        refuse_platform_only("add", timestamp=timestamp)
        expires = read_expiration(expiration_date)
        ids = check_ids({"user_id": user_id, "agent_id": agent_id, "run_id": run_id})
        owner, run_id = find_owner(ids), ids.get("run_id")
        if memory_type not in (None, _PROCEDURAL):
            raise InvalidArgument(f"memory_type is {_PROCEDURAL!r} or left out, not {str(memory_type)[:40]!r}")
        told = _read_messages(messages)
        ours = drop_none({"agent_id": ids.get("agent_id"), "run_id": run_id, "expires": expires})
        kept = _join_metadata(drop_ids(metadata or {}), ours)
        if not infer:
            made = [
                self.memory.remember(text, user=owner, session=run_id, metadata=kept, space=self._space)
                for _, text in told
            ]
            return {"results": [self._describe(record) | {"event": "ADD"} for record in made]}
        session = run_id or f"mem0-{uuid.uuid4().hex}"
        observed = [
            self.memory.observe(text, owner, session=session, role=role, metadata=kept, space=self._space)
            for role, text in told
        ]
        if all(isinstance(one, Skipped) for one in observed):
            return {"results": []}
        settled = self.memory.settle(session=session, user=owner, space=self._space)
        made = [record for one in settled for record in self._drop_notes(one.kept)]
        return {"results": [self._describe_change(record) for record in made]}

    def search(
        self,
        /,
        query: str,
        *,
        top_k: int = _USUAL,
        filters: Mapping[str, Any] | None = None,
        threshold: float | None = LEAST_SCORE,
        rerank: bool = False,
        explain: bool = False,
        reference_date: Any = None,
        show_expired: bool = False,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
    ) -> Results:
        """The memories that help with a question, best first. What nothing was made of is found as it was said.

        A question that names nothing to search for, such as "what do you know about me?", gets what belongs into every
        prompt. Ids and `limit` are arguments as in older versions; `rerank` and `explain` change nothing.
        """
        refuse_platform_only("search", reference_date=reference_date)
        owner, rest = split_filters(filters, {"user_id": user_id, "agent_id": agent_id, "run_id": run_id})
        top_k = top_k if limit is None else limit
        check_count(top_k)
        query, threshold = check_query(query), check_threshold(threshold)
        if not top_k:
            return {"results": []}
        wanted = _MOST if owner is None else min(_MOST, top_k * _CANDIDATES)
        hits: Sequence[Hit] = self.memory.recall(query, owner, limit=wanted, min_score=threshold, space=self._space)
        hits = hits or self._list_always_shown(query, owner, threshold)
        current = {record.id for record in self._drop_replaced([hit.record for hit in hits])}
        found = [hit for hit in hits if hit.record.id in current]
        results = [self._describe(hit.record) | {"score": round(hit.score, 4)} for hit in _drop_sources(found)]
        return {"results": self._select(results, rest, show_expired=show_expired)[:top_k]}

    def get(self, memory_id: str) -> Item | None:
        """One memory, as it is now; None when there is none of that id or it was deleted."""
        try:
            record = self._newest(memory_id)
        except RecordNotFound:
            return None
        return self._describe(record) | {"id": memory_id} if record.is_current else None

    def get_all(
        self,
        /,
        *,
        filters: Mapping[str, Any] | None = None,
        top_k: int = _USUAL,
        show_expired: bool = False,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
    ) -> Results:
        """What is known of a person, or by an agent or a run, newest first."""
        owner, rest = split_filters(filters, {"user_id": user_id, "agent_id": agent_id, "run_id": run_id})
        top_k = top_k if limit is None else limit
        check_count(top_k)
        chosen = self._select(map(self._describe, self._list_known(owner)), rest, show_expired=show_expired)
        return {"results": chosen[:top_k]}

    def update(
        self,
        /,
        memory_id: str,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        expiration_date: date | str | None = _UNSET,
        data: str | None = None,
    ) -> Item:
        """Correct a memory, and change the metadata that are named; the older text stays in its history.

        The id goes on naming what it says now. `data` is an older name of `text`; None ends an expiration.
        """
        text = text if text is not None else data
        if text is None and metadata is None and expiration_date is _UNSET:
            raise InvalidArgument("update takes a new text, metadata or an expiration_date: give one of them")
        expires = read_expiration(expiration_date) if expiration_date is not _UNSET else None
        record = self._newest(memory_id)
        if text is not None:
            record = self.memory.correct(record.id, text)
        if metadata is None and expiration_date is _UNSET:
            return {"message": "Memory updated successfully!"}
        ours = dict(_as_table(self._read_metadata(record).get(_OURS)))
        named = {**self._describe(record)["metadata"], **drop_ids(metadata or {})}
        if expiration_date is not _UNSET:
            ours = drop_none({**ours, "expires": expires})
        # Beside the details of a record that was made of what somebody said, these are kept apart.
        changed = {**record.metadata, _OURS: {**ours, _NAMED: named}}
        annotate_record(self.memory.engine, record.id, changed, user=None)
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> Item:
        """Forget a memory and the words it was made of. They can be restored with Toldonce until they are purged."""
        record = self._newest(memory_id)
        if not record.is_current:
            raise MissingMemory(f"there is no memory {memory_id!r}: it was deleted before")
        quoted = self._list_quoted(record)
        gone = {record.id, *(one.id for one in quoted)}
        beside = [one for one in self._list_stored(record.user) if one.id not in gone and gone & {*one.sources}]
        self._forget([record, *quoted], reason="deleted")
        for one in beside:
            # What else was read from the same words is a memory of its own in mem0.
            self.memory.restore(one.id)
        return {"message": "Memory deleted successfully!"}

    def delete_all(self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None) -> Item:
        """Forget everything that these ids name, also what was said."""
        owner, rest = split_filters(None, {"user_id": user_id, "agent_id": agent_id, "run_id": run_id})
        stored = [one for one in self._list_stored(owner) if owner is None or one.user == owner]
        self._forget([one for one in stored if matches(self._describe(one), rest)], reason="deleted")
        return {"message": "Memories deleted successfully!"}

    def history(self, memory_id: str) -> list[Item]:
        """Every change of a memory, oldest first."""
        return _describe_history(self.memory.history(memory_id))

    def reset(self) -> None:
        """Forget everything in this space."""
        self._forget(self._list_stored(None), reason="reset")

    def close(self) -> None:
        """Close the memory, if it was opened here."""
        if self._is_own:
            self.memory.close()

    def __enter__(self) -> Mem0Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _list_always_shown(self, query: str, owner: str | None, score: float) -> list[Hit]:
        shown = self.memory.context(query, owner, space=self._space, counted=False).hits
        return [replace(hit, score=score) for hit in shown]

    def _list_known(self, owner: str | None) -> list[Record]:
        return self._drop_replaced(self._list_stored(owner, derived=True))

    def _list_stored(self, owner: str | None, *, derived: bool = False) -> list[Record]:
        """Every current record, however many there are; with `derived`, no messages."""
        limit = _MOST
        while True:
            found = self.memory.review.records(owner, derived=derived, limit=limit, space=self._space)
            if len(found) < limit:
                return found
            limit *= 10

    def _list_quoted(self, record: Record) -> list[Record]:
        """The messages that a record was made of, and other records that repeat their words."""

        def read(tables: Tables) -> list[Record]:
            said = [one for one in tables.records.get(record.sources).values() if one.conversation is not None]
            links = {one.id: tables.records.read_links(one.id) for one in said}
            made = tables.records.get({link.source for one in said for link in links[one.id]})
            return [*said, *(one for one in made.values() if any(one.text in told.text for told in said))]

        return [one for one in self.memory.store.read(read) if one.user == record.user and one.id != record.id]

    def _forget(self, records: Iterable[Record], *, reason: str) -> None:
        for record in records:
            if record.is_current:
                self.memory.forget(record.id, reason=reason)

    def _drop_replaced(self, records: Sequence[Record]) -> list[Record]:
        """What holds now: no notes, and no older value that a newer one has demoted."""
        return drop_superseded(self._drop_notes(records), self.memory.spaces.preset(self._space))

    def _drop_notes(self, records: Iterable[Record]) -> list[Record]:
        """Without what sums up conversations: mem0 has only single memories."""
        policy = self.memory.spaces.preset(self._space).distil
        return [record for record in records if record.kind not in (policy.note_kind, policy.topic_kind)]

    def _select(self, records: Iterable[Item], wanted: Mapping[str, Any], *, show_expired: bool = False) -> list[Item]:
        today = self.memory.clock().date().isoformat()
        return [
            item
            for item in records
            if (show_expired or item.get("expiration_date", today) >= today) and matches(item, wanted)
        ]

    def _newest(self, memory_id: str) -> Record:
        """The record that an id stands for now: callers keep the id of a memory that was corrected since."""
        try:
            return self.memory.history(memory_id).chain[-1]
        except RecordNotFound as problem:
            raise MissingMemory(str(problem)) from problem

    def _describe_change(self, record: Record) -> Item:
        chain = self.memory.history(record.id).chain
        place = [one.id for one in chain].index(record.id)
        item = self._describe(record)
        if not place:
            return item | {"event": "ADD"}
        return item | {"event": "UPDATE", "previous_memory": chain[place - 1].text}

    def _describe(self, record: Record) -> Item:
        """A record as mem0 shows a memory."""
        said = self._read_metadata(record)
        ours = _as_table(said.get(_OURS))
        named = {name: ours.get(name) for name in OWNERS[1:]}
        theirs = ours.get(_NAMED, {name: value for name, value in said.items() if name != _OURS})
        user = None if record.user == find_stand_in(named) else record.user
        first = self._first_version(record)
        return {
            "id": first.id,
            "memory": record.text,
            "hash": hashlib.md5(record.text.encode(), usedforsecurity=False).hexdigest(),
            "metadata": dict(theirs),
            "created_at": first.created_at.isoformat(),
            "updated_at": (record.state_at or record.created_at).isoformat(),
            **drop_none({"user_id": user, **named, "expiration_date": ours.get("expires")}),
        }

    def _first_version(self, record: Record) -> Record:
        """The record whose id and time a memory keeps through its corrections."""
        if not record.validated:
            return record
        chain = self.memory.history(record.id).chain
        place = [one.id for one in chain].index(record.id)
        while place and chain[place].validated:
            place -= 1
        return chain[place]

    def _read_metadata(self, record: Record) -> Mapping[str, Any]:
        """The caller's metadata: a derived record has that of the message it came from."""
        if _OURS in record.metadata:
            return record.metadata
        for source in record.sources:
            try:
                found = self.memory.get(source)
            except RecordNotFound:
                continue
            if _OURS in found.metadata:
                return found.metadata
        return {}


P = ParamSpec("P")
T = TypeVar("T")


def _in_thread(
    call: Callable[Concatenate[Mem0Memory, P], T],
) -> Callable[Concatenate[AsyncMem0Memory, P], Coroutine[Any, Any, T]]:
    @functools.wraps(call)
    async def awaited(self: AsyncMem0Memory, /, *args: P.args, **given: P.kwargs) -> T:
        return await asyncio.to_thread(call, self.sync, *args, **given)

    return awaited


class AsyncMem0Memory:
    """The calls of mem0's `AsyncMemory`, each in a thread."""

    def __init__(self, config: Mapping[str, Any] | Any = None, **options: Any) -> None:
        self.sync = Mem0Memory(config, **options)

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any]) -> AsyncMem0Memory:
        """A memory from a configuration of mem0."""
        return cls(config_dict)

    def __await__(self) -> Generator[None, None, AsyncMem0Memory]:
        """The memory itself: in older versions of mem0 `from_config` is awaited."""
        yield from ()
        return self

    async def add(self, /, *args: Any, llm: Any = None, **given: Any) -> Results:
        """Store what was said and what it tells; the model is that of the memory, whatever `llm` is."""
        return await asyncio.to_thread(self.sync.add, *args, **given)

    search = _in_thread(Mem0Memory.search)
    get = _in_thread(Mem0Memory.get)
    get_all = _in_thread(Mem0Memory.get_all)
    update = _in_thread(Mem0Memory.update)
    delete = _in_thread(Mem0Memory.delete)
    delete_all = _in_thread(Mem0Memory.delete_all)
    history = _in_thread(Mem0Memory.history)
    reset = _in_thread(Mem0Memory.reset)

    def close(self) -> None:
        """Close the memory, if it was opened here."""
        self.sync.close()

    async def __aenter__(self) -> AsyncMem0Memory:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.close)


# The names that programs import from mem0.
Memory = Mem0Memory
AsyncMemory = AsyncMem0Memory


def _open_configured(given: Mapping[str, Any], ours: Mapping[str, Any]) -> Engine:
    settings = load_config(cwd=Path.cwd(), environ=os.environ).config
    writer = _writer_of(_as_table(given.get("llm"))) or settings.writer
    place, preset = ours.get("place") or settings.place, ours.get("preset") or settings.preset or "assistant"
    if "://" not in place and place != ":memory:":
        Path(place).expanduser().parent.mkdir(parents=True, exist_ok=True)
    return Engine.open(place, preset, writer=writer)


def _writer_of(llm: Mapping[str, Any]) -> str | None:
    """The writer for mem0's `llm` part: provider and model, for providers that Toldonce speaks to."""
    provider, model = llm.get("provider"), _as_table(llm.get("config")).get("model")
    known = {"openai": "openai", "anthropic": "anthropic", "gemini": "gemini", "ollama": "ollama"}
    return f"{known[provider]}:{model}" if provider in known and model else None


def _read_messages(messages: Any) -> list[tuple[str, str]]:
    """Role and text of each message; what holds no text is left out."""
    if isinstance(messages, str):
        return [("user", messages)]
    listed = [messages] if isinstance(messages, Mapping) else messages
    if not isinstance(listed, Sequence) or not all(isinstance(one, Mapping) for one in listed):
        raise InvalidArgument("messages must be a text, a message or a list of messages with role and content")
    return [(str(one.get("role", "user")), text) for one in listed if (text := read_text(one.get("content")))]


def _join_metadata(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> dict[str, Any]:
    """The caller's metadata and our own values; theirs go among ours where both have one name."""
    return {**theirs, _OURS: {**ours, _NAMED: theirs} if _OURS in theirs else ours}


def _drop_sources(hits: Sequence[Hit]) -> list[Hit]:
    """The hits without messages that another hit was made of."""
    told = {source for hit in hits for source in hit.record.sources}
    return [hit for hit in hits if hit.record.id not in told]


def _describe_history(found: History) -> list[Item]:
    lines: list[Item] = []
    older = ""
    for record in found.chain:
        lines.append(_history_line(found, record, event="UPDATE" if older else "ADD", old=older, new=record.text))
        older = record.text
    last = found.chain[-1]
    if last.state not in ("active", "doubted", "superseded"):
        lines.append(_history_line(found, last, event="DELETE", old=last.text, new=None))
    return lines


def _history_line(found: History, record: Record, *, event: str, old: str, new: str | None) -> Item:
    at = (record.state_at if event == "DELETE" else None) or record.created_at
    return {
        "id": f"{record.id}-{event.lower()}",
        "memory_id": found.record.id,
        "old_memory": old or None,
        "new_memory": new,
        "event": event,
        "created_at": record.created_at.isoformat(),
        "updated_at": at.isoformat(),
        "is_deleted": int(event == "DELETE"),
        "actor_id": record.user,
        "role": record.role,
    }


def _as_table(value: Any) -> Mapping[str, Any]:
    """A part of a configuration as a table; mem0 also passes it as a pydantic model."""
    if isinstance(value, Mapping):
        return value
    dump = getattr(value, "model_dump", None)
    return dump() if callable(dump) else {}
