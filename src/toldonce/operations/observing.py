"""Messages are stored in one transaction: checked first, then kept or skipped, each with a reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toldonce.capture.observe import (
    IncomingMessage,
    MessageBatch,
    PreparedMessage,
    Skipped,
    find_stored,
    prepare_message,
    store_message,
)
from toldonce.errors import InputError, KeyReused
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
    return store_prepared(engine, homes, heard, name_place=name_place)


def store_prepared(
    engine: Engine,
    homes: Sequence[Home],
    heard: Sequence[PreparedMessage | Skipped],
    *,
    name_place: bool = False,
) -> list[Record | Skipped]:
    """Store messages that passed the gate, all of them or none; one that is here already comes back as it is."""
    now = engine.clock()

    def work(tables: Tables) -> tuple[list[Record | Skipped], list[Record | Skipped]]:
        presets = {home.name: preset for home, preset in homes}
        states = {name: tables.people.read_space_state(name) for name in presets}
        off = {name: explain_off(name, state) for name, state in states.items()}
        quotas = {name: quota_of(state, presets[name]) for name, state in states.items()}
        tenant = tenant_quota_of(next(iter(states.values()), None))
        batch = MessageBatch(tables)
        arrivals = [
            _Arrival(home, Skipped(reason) if (reason := off[home[0].name]) else one, number if name_place else None)
            for number, (home, one) in enumerate(zip(homes, heard, strict=True))
        ]
        known = [_find_known(batch, arrival) for arrival in arrivals]
        if tenant.limits_writing or any(quota != NO_LIMIT for quota in quotas.values()):
            new = [arrival for arrival, found in zip(arrivals, known, strict=True) if found is None]
            check_quotas(tables, _count_added(new), quotas=quotas, tenant=tenant, now=now)
        kept = _store_new(batch, arrivals, known)
        batch.finish()
        return kept, [one for one, found in zip(kept, known, strict=True) if found is None]

    kept, new = engine.write(work, with_notes=False)
    engine.note_writing("observe", new, at=now)
    return kept


@dataclass(frozen=True, slots=True)
class _Arrival:
    """A message, or why there is none to keep; the space it goes to, and its number where an error has to tell it."""

    home: Home
    heard: PreparedMessage | Skipped
    number: int | None


def _find_known(batch: MessageBatch, arrival: _Arrival) -> Record | Skipped | None:
    """What is here of a message already, or why it is not kept; None for a new one."""
    if isinstance(arrival.heard, Skipped):
        return arrival.heard
    try:
        return find_stored(batch, arrival.heard, preset=arrival.home[1])
    except KeyReused as problem:
        if arrival.number is not None:
            problem.at(arrival.number, f"message {arrival.number}")
        raise


def _store_new(
    batch: MessageBatch, arrivals: Sequence[_Arrival], known: Sequence[Record | Skipped | None]
) -> list[Record | Skipped]:
    """Store messages that are not known, each of them once; the outcome for all."""
    kept: list[Record | Skipped] = []
    stored: set[str | None] = set()
    for arrival, found in zip(arrivals, known, strict=True):
        heard, (space, preset) = arrival.heard, arrival.home
        if found is None and isinstance(heard, PreparedMessage):
            found = _find_known(batch, arrival) if heard.record_id in stored else None
            found = store_message(batch, heard, preset=preset, space=space) if found is None else found
            stored |= {heard.record_id} - {None}
        assert found is not None, "what is skipped is known"
        kept.append(found)
    return kept


def _count_added(arrivals: Iterable[_Arrival]) -> dict[Owner, AddedAmount]:
    """What these messages would add, by space and person."""
    return amounts_of_records(
        (arrival.home[0].name, one.said.user, text)
        for arrival in arrivals
        if isinstance(one := arrival.heard, PreparedMessage)
        for text in (one.text, *(part.text for part in one.rest))
    )
