"""A whole memory is moved from one place to another: a file to PostgreSQL, or back.

What an export has travels as its lines and arrives in one transaction; then the rest follows in pages, each in a
transaction of its own. A move that was cut short is started again and goes on: rows that are there already stay.
Afterwards both places tell the same, by count and checksum of every type of row. What a store makes by itself is not
moved (`storage.tables.moving`).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import compress

from toldonce.capture.secrets.redact import redact_secrets
from toldonce.clock import system_clock
from toldonce.errors import InputError, StoreError
from toldonce.storage.encryption import EncryptionKey
from toldonce.storage.export_format import SHAPES, format_line
from toldonce.storage.open import open_store
from toldonce.storage.store import Store, Tables
from toldonce.storage.tables.moving import MOVED
from toldonce.storage.transfer import export_lines, import_lines

_MOST_NAMED = 20
_MODULUS = 1 << 256
# Columns that go on changing where a row arrived, and end where it left: they are moved, and not compared.
_PROGRESS = {
    "webhook": (
        "delivered", "dropped", "delivered_at", "ended_at", "last_error", "records", "changes", "runs", "logged",
    ),
}  # fmt: skip
# Text, title and summary among the columns of an exported record.
_TEXTS = slice(3, 6)


@dataclass(frozen=True, slots=True)
class TableSum:
    """How many rows of a type there are, and a checksum over all of them that no order changes."""

    rows: int
    checksum: str


@dataclass(frozen=True, slots=True)
class MovePlan:
    """What a move would take: rows by type, and the ids of records that seem to hold a secret."""

    tables: dict[str, TableSum]
    secrets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """What was moved, by type, after both places were compared."""

    tables: dict[str, TableSum]
    was_there: bool


def preview_move(source: str, *, key: EncryptionKey | None) -> MovePlan:
    """What a move from a place would take."""
    with contextlib.closing(open_store(source, key=key)) as store:
        _need_memory(store)
        return plan_move(store)


def move_between(
    source: str, target: str, *, keys: tuple[EncryptionKey | None, EncryptionKey | None], with_secrets: bool
) -> Moved:
    """Move a memory from one place to another; each may have a key."""
    with contextlib.closing(open_store(source, key=keys[0])) as here:
        _need_memory(here)
        with contextlib.closing(open_store(target, key=keys[1])) as there:
            return move_memory(here, there, now=system_clock(), with_secrets=with_secrets)


def _need_memory(source: Store) -> None:
    """InputError for a place where no memory was ever made, such as an unknown tenant."""
    if not source.read(lambda tables: tables.people.spaces()):
        raise InputError(
            f"there is no memory at {source.place}: check the path, or tenant= in the address; nothing was moved"
        )


def plan_move(source: Store) -> MovePlan:
    """Look through a memory without changing anything."""
    secrets: list[str] = []

    def note_secret(type_: str, row: tuple[object, ...]) -> None:
        if type_ == "record" and any(redact_secrets(str(text)).found for text in row[_TEXTS]):
            secrets.append(str(row[0]))

    return MovePlan(source.read(lambda tables: sum_tables(tables, note_secret)), tuple(secrets))


def move_memory(source: Store, target: Store, *, now: datetime, with_secrets: bool = False) -> Moved:
    """Move what is kept, and compare; InputError where the target holds something else, or a record a secret."""
    plan = plan_move(source)
    if plan.secrets and not with_secrets:
        raise InputError(
            f"{len(plan.secrets)} records seem to hold a secret ({', '.join(plan.secrets[:_MOST_NAMED])}): correct or "
            "purge them, or move them as they are with `--with-secrets`; nothing was moved"
        )
    before = target.read(sum_tables)
    if before == plan.tables:
        source.read(partial(_copy_rows, target=target, types=("webhook",)))
        _end_webhooks(source, target, now=now)
        return Moved(before, was_there=True)
    _refuse_other_records(source, target)
    target.write(_clear_unused)
    _import_records(source, target, now=now)
    source.read(partial(_copy_rows, target=target))
    arrived = target.read(sum_tables)
    _compare_sums(plan.tables, arrived)
    _end_webhooks(source, target, now=now)
    return Moved(arrived, was_there=False)


def _end_webhooks(source: Store, target: Store, *, now: datetime) -> None:
    """Send nothing more from the source: what waits there is sent from the target, and would be sent twice."""

    def work(tables: Tables) -> None:
        for stored in tables.webhooks.all():
            if stored.webhook.ended_at is None:
                tables.webhooks.end(stored.webhook.id, at=now, last_error=f"moved to {target.place}")

    source.write(work)


def _clear_unused(tables: Tables) -> None:
    """Drop the spaces of a memory that was made and never used, as by `toldonce init`: those of the source come."""
    if not any(one.rows for type_, one in sum_tables(tables).items() if type_ != "space"):
        for space in tables.people.spaces():
            tables.people.drop_space(space.name)


def _import_records(source: Store, target: Store, *, now: datetime) -> None:
    """Everything that an export has, at once."""
    with tempfile.TemporaryDirectory(prefix="toldonce-move-") as folder:
        path = os.path.join(folder, "memory.jsonl")
        export_lines(source, path, space=None, user=None, now=now, key=source.key)
        import_lines(target, path, key=source.key)


def _copy_rows(tables: Tables, target: Store, types: Iterable[str] = tuple(MOVED)) -> None:
    """What an export has not, a page at a time."""
    for type_ in types:
        before = 0
        for page in tables.moving.read_pages(type_):
            target.write(partial(_put_page, type_=type_, page=page, before=before))
            before += len(page)


def _put_page(tables: Tables, *, type_: str, page: Sequence[tuple[object, ...]], before: int) -> None:
    tables.moving.put(type_, page, before=before)


def sum_tables(tables: Tables, look_at: Callable[[str, tuple[object, ...]], None] | None = None) -> dict[str, TableSum]:
    """The count and checksum of every type of row that is moved."""
    lines = {type_: _sum_texts(_format_lines(tables, type_, look_at)) for type_ in SHAPES}
    return lines | {type_: _sum_texts(_format_rows(tables, type_)) for type_ in MOVED}


def _format_lines(
    tables: Tables, type_: str, look_at: Callable[[str, tuple[object, ...]], None] | None
) -> Iterator[str]:
    for row in tables.transfer.read_rows(type_, space=None, user=None):
        if look_at is not None:
            look_at(type_, tuple(row))
        yield format_line(type_, row)


def _format_rows(tables: Tables, type_: str) -> Iterator[str]:
    kept = [name not in _PROGRESS.get(type_, ()) for name in MOVED[type_]]
    for page in tables.moving.read_pages(type_):
        for row in page:
            yield json.dumps([value.hex() if isinstance(value, bytes) else value for value in compress(row, kept)])


def _sum_texts(texts: Iterable[str]) -> TableSum:
    rows, total = 0, 0
    for text in texts:
        rows += 1
        total += int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
    return TableSum(rows, f"{total % _MODULUS:064x}")


def _refuse_other_records(source: Store, target: Store) -> None:
    """Two memories are not mixed: what the target has must have come from this source."""
    here = source.read(_list_records)
    if foreign := target.read(_list_records) - here:
        raise InputError(
            f"{target.place} holds {len(foreign)} records of another memory: choose an empty place, or another tenant= "
            "in the address; nothing was moved"
        )


def _list_records(tables: Tables) -> set[object]:
    return {row[0] for row in tables.transfer.read_rows("record", space=None, user=None)}


def _compare_sums(sent: dict[str, TableSum], arrived: dict[str, TableSum]) -> None:
    differing = [name for name in sent if sent[name] != arrived[name]]
    told = [f"{name} ({sent[name].rows} sent, {arrived[name].rows} there)" for name in differing]
    if differing:
        raise StoreError(
            f"what arrived differs from what was sent: {', '.join(told)}: the memory moved from is as it was; if it "
            "was written to meanwhile, stop what writes and move again"
        )
