"""Messages are stored in one transaction: checked first, then kept or skipped, each with a reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from toldonce.capture.observe import (
    IncomingMessage,
    MessageBatch,
    PreparedMessage,
    Skipped,
    prepare_message,
    store_message,
)
from toldonce.errors import InputError
from toldonce.operations.engine import Engine
from toldonce.operations.quotas import (
    NO_LIMIT,
    AddedAmount,
    Owner,
    amounts_of_records,
    check_quotas,
    quota_of,
    tenant_quota_of,
)
from toldonce.operations.space_state import explain_off
from toldonce.presets.policy import Preset
from toldonce.records import Record, Space
from toldonce.storage.store import Tables

# A message and the space it is meant for.
Placed = tuple[str | None, IncomingMessage]
Home = tuple[Space, Preset]


def read_messages(messages: Iterable[Mapping[str, Any]], *, space: str | None) -> list[Placed]:
    """Tables of the arguments of `observe` as messages; InputError names the first that is not one."""
    if isinstance(messages, str | bytes | Mapping) or not isinstance(messages, Iterable):
        raise InputError("messages must be a list of tables of the arguments of observe")
    placed: list[Placed] = []
    for number, message in enumerate(messages):
        if not isinstance(message, Mapping):
            raise InputError(f"message {number}: must be a table of the arguments of observe")
        given = dict(message)
        where = given.pop("space", space)
        try:
            placed.append((where, IncomingMessage(**given)))
        except TypeError as problem:
            raise InputError(f"message {number}: {str(problem).replace('Incoming.__init__() ', '')}") from None
    return placed


def store_messages(engine: Engine, messages: Sequence[Placed], *, name_place: bool) -> list[Record | Skipped]:
    """Store messages, all of them or none. With `name_place`, an error says which message it is about."""
    now = engine.clock()
    homes: list[Home] = []
    heard: list[PreparedMessage | Skipped] = []
    for number, (space, message) in enumerate(messages):
        try:
            homes.append(engine.find_space(space))
            heard.append(prepare_message(message, preset=homes[-1][1], space=homes[-1][0], now=now))
        except InputError as problem:
            if name_place:
                problem.at(number, f"message {number}")
            raise
    return store_prepared(engine, homes, heard)


def store_prepared(
    engine: Engine, homes: Sequence[Home], heard: Sequence[PreparedMessage | Skipped]
) -> list[Record | Skipped]:
    """Store messages that passed the gate, all of them or none; one that is here already comes back as it is."""
    now = engine.clock()

    def work(tables: Tables) -> list[Record | Skipped]:
        presets = {home.name: preset for home, preset in homes}
        states = {name: tables.people.read_space_state(name) for name in presets}
        off = {name: explain_off(name, state) for name, state in states.items()}
        quotas = {name: quota_of(state, presets[name]) for name, state in states.items()}
        tenant = tenant_quota_of(next(iter(states.values()), None))
        if tenant.limits_writing or any(quota != NO_LIMIT for quota in quotas.values()):
            check_quotas(tables, _count_added(homes, heard), quotas=quotas, tenant=tenant, now=now)
        batch = MessageBatch(tables)
        kept = [
            _keep_or_skip(batch, one, home, reason=off[home[0].name]) for home, one in zip(homes, heard, strict=True)
        ]
        batch.finish()
        return kept

    kept = engine.write(work, with_notes=False)
    engine.note_writing("observe", kept, at=now)
    return kept


def _keep_or_skip(
    batch: MessageBatch, heard: PreparedMessage | Skipped, home: Home, *, reason: str
) -> Record | Skipped:
    if reason:
        return Skipped(reason)
    if not isinstance(heard, PreparedMessage):
        return heard
    here = batch.tables.records.get([heard.record_id]).get(heard.record_id) if heard.record_id else None
    return here or store_message(batch, heard, preset=home[1], space=home[0])


def _count_added(homes: Sequence[Home], heard: Sequence[PreparedMessage | Skipped]) -> dict[Owner, AddedAmount]:
    """What these messages would add, by space and person."""
    said = ((home.name, one) for (home, _), one in zip(homes, heard, strict=True))
    return amounts_of_records(
        (space, one.said.user, text)
        for space, one in said
        if isinstance(one, PreparedMessage)
        for text in (one.text, *(part.text for part in one.rest))
    )
