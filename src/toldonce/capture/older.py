"""Memories of an older store come in: each becomes a record once, as the kind that the preset has for its type.

A second import of the same store brings nothing twice, also when a record was forgotten or replaced meanwhile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from toldonce.capture.gate import clean_values
from toldonce.capture.import_gate import ERASED
from toldonce.capture.remember import Statement, add_record, build_record
from toldonce.clock import from_micros
from toldonce.errors import EmptyText, InputError, TextTooLong, UnknownKind
from toldonce.importers.values import OlderMemory
from toldonce.presets.policy import Preset
from toldonce.records import Imported, Person, Record, Space, known_id
from toldonce.storage.store import Tables
from toldonce.storage.tables.records import text_fingerprint

HERE = "here already"
EMPTY = "empty"
TOO_LONG = "too long"
UNFIT = "with a time, a name or metadata that cannot be kept"

# Older words for what was said or seen, for presets that have no kind of that name.
_SAID = frozenset({"conversation", "observation"})
_LONG_AGO = from_micros(0)


def convert_older_items(
    items: Iterable[OlderMemory], what: str, *, preset: Preset, space: Space, user: str | None, now: datetime
) -> Iterator[tuple[OlderMemory, Record | str]]:
    """Each memory with the record it asks for, or with the reason why it cannot be kept."""
    for item in items:
        try:
            yield item, _record_of_older_item(item, what, preset=preset, space=space, user=user, now=now)
        except EmptyText:
            yield item, EMPTY
        except TextTooLong:
            yield item, TOO_LONG
        except InputError:
            yield item, UNFIT


def import_older_items(
    tables: Tables, arrivals: Iterable[tuple[OlderMemory, Record | str]], what: str, *, preset: Preset
) -> Imported:
    """Store what is new, with the people it belongs to, and report the outcome for the rest."""
    outcomes = Counter(store_older_items(tables, arrivals, preset=preset))
    kept = outcomes.pop("", 0)
    return Imported(what=what, read=kept + outcomes.total(), kept=kept, left_out=dict(outcomes))


def store_older_items(
    tables: Tables, arrivals: Iterable[tuple[OlderMemory, Record | str]], *, preset: Preset
) -> Iterator[str]:
    """Store what is new; yields for each memory the reason why it was left out, "" if it was kept."""
    for item, record, reason in check_older_items(tables, arrivals, known=set()):
        if not reason and isinstance(record, Record):
            _register_person(tables, item, record)
            add_record(tables, record, preset=preset)
        yield reason


def check_older_items(
    tables: Tables, arrivals: Iterable[tuple[OlderMemory, Record | str]], *, known: set[str]
) -> Iterator[tuple[OlderMemory, Record | str, str]]:
    """Each memory with the reason why it is to be left out, "" if it may be kept; what is kept is added to `known`."""
    erased = ErasedPeople(tables)
    for item, record in arrivals:
        if isinstance(record, str):
            yield item, record, record
            continue
        marks = {record.id, repr((record.space, record.user, record.kind, text_fingerprint(record.text)))}
        if erased.is_older(item.at, {record.user, *record.participants}, record.space):
            yield item, record, ERASED
        elif marks & known or is_here(tables, record):
            yield item, record, HERE
        else:
            known |= marks
            yield item, record, ""


def is_here(tables: Tables, record: Record) -> bool:
    """Whether a record came before, or says exactly what is known already."""
    return bool(tables.transfer.find_places([record.id])) or tables.records.same_text(record) is not None


class ErasedPeople:
    """Who was erased here, and when; each person is looked up once."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._erased_at: dict[tuple[str, str], datetime | None] = {}

    def is_older(self, at: datetime | None, people: Iterable[str | None], space: str) -> bool:
        """Whether something is from before one of its people was erased; what has no time counts as older."""
        erased_at = [self._erased_at_of(person, space) for person in people if person]
        return any(erased is not None and (at is None or at <= erased) for erased in erased_at)

    def _erased_at_of(self, person: str, space: str) -> datetime | None:
        if (person, space) not in self._erased_at:
            self._erased_at[person, space] = self._tables.tombstones.erased_at(person, space)
        return self._erased_at[person, space]


def _record_of_older_item(
    item: OlderMemory, what: str, *, preset: Preset, space: Space, user: str | None, now: datetime
) -> Record:
    kind = _kind_of_older_type(item.type, preset)
    statement = Statement(
        text=item.text,
        kind=kind,
        user=item.user or user,
        author="system",
        made_by="import",
        origin="import",
        at=item.at or (min(item.file_at, now) if item.file_at is not None else None),
        metadata=clean_values({**item.metadata, "imported": {"from": what, "id": item.id, "type": item.type}}),
    )
    record = build_record(statement, preset=preset, space=space, now=now)
    told = f"{space.name}\n{what}\n{clean_values(item.id)}\n{record.text}"
    ends = [moment for moment in (record.expires_at, item.ended_at) if moment is not None]
    identity = known_id(preset.kind(kind).prefix, item.at or _LONG_AGO, told)
    return replace(record, id=identity, expires_at=min(ends, default=None))


def _kind_of_older_type(type_: str, preset: Preset) -> str:
    """The preset's kind for an older type: by name or alias, else as a draft of that sort, else its default."""
    try:
        return preset.kind(type_).name
    except UnknownKind:
        said = preset.capture.kind if type_ in _SAID else preset.default_kind
        return preset.distil.kinds.get(type_, said)


def _register_person(tables: Tables, item: OlderMemory, record: Record) -> None:
    if record.user is not None and tables.people.get(record.space, record.user) is None:
        tables.people.update_person(Person(id=record.user, space=record.space, display_name=item.name), now=record.at)
