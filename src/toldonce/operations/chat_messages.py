"""Messages of a chat program, which knows them by ids of its own: stored once, replaced when edited, redacted.

A message has the same record whether it is delivered twice, read from the channel's history, or imported. What was
learnt from a text that was edited or deleted goes with it, and the rest of its conversation is settled again.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from toldonce.capture.import_gate import ERASED
from toldonce.capture.observe import (
    HIDDEN_STATES,
    TAKEN_OUT,
    IncomingMessage,
    MessageBatch,
    MessageSource,
    PreparedMessage,
    Skipped,
    add_message_record,
    build_settle_job,
    prepare_message,
)
from toldonce.capture.older import EMPTY, UNFIT, ErasedPeople
from toldonce.errors import EmptyText, InputError
from toldonce.lang.vocabulary import normalise_alias
from toldonce.operations.engine import Engine
from toldonce.operations.erasing import build_finishing_job, finish_purge, plan_finishing
from toldonce.operations.observing import Home, store_prepared
from toldonce.presets.policy import Preset
from toldonce.records import Record
from toldonce.storage.erase import DestroyedRecords, destroy_and_name
from toldonce.storage.store import Tables
from toldonce.storage.tables.jobs import Job

UNKNOWN = "it is not stored here"
_PERSON = "person"


@dataclass(frozen=True, slots=True)
class SourcedMessage:
    """A message with the place and id that it has in its program."""

    source: MessageSource
    message: IncomingMessage


@dataclass(frozen=True, slots=True)
class SaidAt:
    """A message by its place, its id and the moment it was said at, when its text is not known."""

    source: MessageSource
    at: datetime


def store_chat_messages(
    engine: Engine, messages: Sequence[SourcedMessage], *, space: str | None = None
) -> list[Record | Skipped]:
    """Store messages in one transaction; one that is here already comes back as it was stored."""
    home = engine.find_space(space)
    heard = [_prepare_sourced(engine, one, home) for one in messages]

    def find_erased(tables: Tables) -> list[PreparedMessage | Skipped]:
        erased = ErasedPeople(tables)
        return [Skipped(ERASED) if _is_erased(one, erased, home) else one for one in heard]

    return store_prepared(engine, [home] * len(heard), engine.store.read(find_erased))


def replace_chat_message(
    engine: Engine, edited: SourcedMessage, *, space: str | None = None
) -> tuple[Record | Skipped, int]:
    """Store what a message says now in place of what it said, and how many records of the old text are gone.

    One that is not stored, because a person has forgotten it or by a rule, stays so. Its conversation is settled again
    if it was settled before.
    """
    home = engine.find_space(space)
    heard = _prepare_sourced(engine, edited, home)
    at = edited.message.at if isinstance(edited.message.at, datetime) else engine.clock()
    record_id = edited.source.record_id(at, preset=home[1], space=home[0])
    rest = build_finishing_job(engine.clock(), is_frequent=True)

    def work(tables: Tables) -> tuple[Record | Skipped, DestroyedRecords]:
        before = tables.records.get([record_id]).get(record_id)
        if before is None:
            return Skipped(UNKNOWN), DestroyedRecords(0)
        if isinstance(heard, PreparedMessage) and before.text == heard.text and not heard.rest:
            return before, DestroyedRecords(0)
        plan_finishing(tables, rest)
        destroyed = _destroy_messages(tables, [before], home[1], now=engine.clock())
        kept = _skip_hidden(tables, before, heard)
        if isinstance(kept, PreparedMessage):
            batch = MessageBatch(tables)
            kept = add_message_record(batch, kept, before.conversation or "", preset=home[1], space=home[0])
            batch.finish()
        _settle_again(tables, [before], now=engine.clock())
        tables.audit.add(
            home[0].name, "edit message", at=engine.clock(), actor=before.user, detail={"record": record_id}
        )
        return kept, destroyed

    kept, destroyed = engine.write(work)
    _finish(engine, destroyed, rest)
    return kept, destroyed.records


def redact_chat_messages(engine: Engine, deleted: Sequence[SaidAt], *, space: str | None = None) -> int:
    """Destroy messages that were deleted where they were said, and what was learnt from them; how many records."""
    home, preset = engine.find_space(space)
    ids = [one.source.record_id(one.at, preset=preset, space=home) for one in deleted]
    return redact_records(engine, ids, space=space)


def redact_records(engine: Engine, ids: Collection[str], *, space: str | None = None) -> int:
    """Destroy records of a space and what was learnt from them; the rest of their conversations is settled again."""
    home, preset = engine.find_space(space)
    rest = build_finishing_job(engine.clock(), is_frequent=True)

    def work(tables: Tables) -> DestroyedRecords:
        found = [record for record in tables.records.get(ids).values() if record.space == home.name]
        if not found:
            return DestroyedRecords(0)
        plan_finishing(tables, rest)
        destroyed = _destroy_messages(tables, found, preset, now=engine.clock())
        _settle_again(tables, found, now=engine.clock())
        detail = {"records": destroyed.records}
        tables.audit.add(home.name, "delete messages", at=engine.clock(), actor=found[0].user, detail=detail)
        return destroyed

    destroyed = engine.write(work)
    _finish(engine, destroyed, rest)
    return destroyed.records


def rename_person(engine: Engine, user: str, *, names: Sequence[str], space: str | None = None) -> None:
    """Let the names that a person had and has be names of one entity, where one of them was mentioned before."""
    home, _ = engine.find_space(space)
    aliases = {alias: name for name in names if (alias := normalise_alias(name))}

    def work(tables: Tables) -> None:
        found = tables.entities.find(aliases, [home.name])
        known = next((one for one in found if one.type == _PERSON), found[0] if found else None)
        for alias, shown in aliases.items() if known else ():
            assert known is not None
            tables.entities.add_alias(known.seq, space=home.name, alias=alias, shown=shown, type=known.type)
        tables.audit.add(home.name, "change person", at=engine.clock(), detail={"user": user})

    engine.write(work)


def read_progress(engine: Engine, key: str, *, space: str | None = None) -> dict[str, str]:
    """What a chat program's channels were last read up to, as `save_progress` stored it."""
    home, _ = engine.find_space(space)
    kept = engine.store.read(lambda t: t.documents.read_setting(home.name, key))
    found = json.loads(kept) if kept else {}
    return {str(name): str(value) for name, value in found.items()} if isinstance(found, dict) else {}


def save_progress(engine: Engine, key: str, progress: Mapping[str, str], *, space: str | None = None) -> None:
    """Store how far channels were read."""
    home, _ = engine.find_space(space)
    engine.write(lambda t: t.documents.set_setting(home.name, key, json.dumps(dict(progress))))


def _prepare_sourced(engine: Engine, sourced: SourcedMessage, home: Home) -> PreparedMessage | Skipped:
    space, preset = home
    try:
        heard = prepare_message(sourced.message, preset=preset, space=space, now=engine.clock())
    except EmptyText:
        return Skipped(EMPTY)
    except InputError:
        # One message that cannot be stored must not keep out those that came with it.
        return Skipped(UNFIT)
    if isinstance(heard, Skipped):
        return heard
    return replace(heard, record_id=sourced.source.record_id(heard.at, preset=preset, space=space))


def _is_erased(heard: PreparedMessage | Skipped, erased: ErasedPeople, home: Home) -> bool:
    return isinstance(heard, PreparedMessage) and erased.is_older(heard.at, [heard.said.user], home[0].name)


def _skip_hidden(
    tables: Tables, before: Record, heard: PreparedMessage | Skipped
) -> PreparedMessage | Skipped | Record:
    """The new text, unless its person is blocked or took the message out of memory."""
    if before.state in HIDDEN_STATES or tables.people.is_blocked(before.space, before.user):
        return Skipped(TAKEN_OUT)
    return heard


def _destroy_messages(tables: Tables, records: Sequence[Record], preset: Preset, *, now: datetime) -> DestroyedRecords:
    """Destroy records, what only they say elsewhere, and notes of their conversations, which are written again."""
    ids = [part.id for record in records for part in (record, *tables.records.find_parts(record))]
    places = tables.records.find_places(ids)
    drawn = tables.records.by_seq(tables.purge.with_derived(places, whole=True))
    notes = [place for place, record in drawn.items() if record.kind == preset.distil.note_kind]
    return destroy_and_name(tables, tables.purge.with_derived({*places, *notes}, whole=False), now=now)


def _settle_again(tables: Tables, records: Sequence[Record], *, now: datetime) -> None:
    for conversation_id in {record.conversation for record in records if record.conversation}:
        conversation = tables.conversations.get(conversation_id)
        if conversation is not None and tables.conversations.reopen(conversation_id):
            tables.jobs.put(build_settle_job(conversation, due_at=now))


def _finish(engine: Engine, destroyed: DestroyedRecords, rest: Job) -> None:
    """Leave nothing of what was destroyed in caches and files."""
    if destroyed.records:
        finish_purge(engine, destroyed.texts, rest, is_frequent=True)
