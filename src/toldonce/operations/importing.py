"""Files of other programs come in: read as a stream, stored a few conversations at a time, with a report.

Each conversation comes in whole or not at all. A process that is killed leaves whole conversations behind, and the
next import of the same file goes on where it stopped.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import BinaryIO

from toldonce.capture.imported_conversations import (
    Arrival,
    check_arrivals,
    prepare_conversation,
    store_conversation,
)
from toldonce.capture.older import (
    TOO_LONG,
    UNFIT,
    ErasedPeople,
    check_older_items,
    convert_older_items,
    store_older_items,
)
from toldonce.errors import BadImport, InputError, ToldonceError
from toldonce.importers.formats import ImportFormat, read_items
from toldonce.importers.values import ImportedConversation, ImportItem, OlderMemory, ReadOptions, SkippedItem
from toldonce.operations.engine import Engine
from toldonce.operations.space_state import require_on
from toldonce.operations.transfer import check_added
from toldonce.presets.policy import Preset
from toldonce.records import Imported, Record, Space
from toldonce.stopping import check_not_over
from toldonce.storage.store import Tables

_MESSAGES_PER_WRITE = 500
_MOST_PROBLEMS = 100
_SECRET = "secret"
# A file that is mostly damage is not what it is taken for: the rest of it is not read.
_MOST_DAMAGED = 10_000
_DAMAGED_TIMES = 10


@dataclass(slots=True)
class _Tally:
    """What was read so far."""

    what: str
    read: int = 0
    kept: int = 0
    damaged: int = 0
    secrets: int = 0
    found_owner: bool = False
    first_at: datetime | None = None
    last_at: datetime | None = None
    left_out: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    people: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def leave_out(self, reason: str, place: str, *, is_damage: bool) -> None:
        self.read += 1
        self.left_out[reason] += 1
        if is_damage:
            self.damaged += 1
            self.add_problem(f"{place}: {reason}" if place else reason)

    @property
    def is_hopeless(self) -> bool:
        """Whether so much of what was read is damaged that reading on is of no use."""
        return self.damaged > _MOST_DAMAGED + _DAMAGED_TIMES * (self.read - self.damaged)

    def add_problem(self, problem: str) -> None:
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(problem)

    def keep(self, *, kind: str, person: str, at: datetime, secrets: int) -> None:
        self.read += 1
        self.kept += 1
        self.kinds[kind] += 1
        self.people[person] += 1
        self.secrets += secrets
        self.first_at = min(self.first_at or at, at)
        self.last_at = max(self.last_at or at, at)

    def result(self, *, preview: bool) -> Imported:
        return Imported(
            what=self.what,
            read=self.read,
            kept=self.kept,
            left_out=dict(self.left_out),
            kinds=dict(self.kinds.most_common()),
            people=dict(self.people.most_common()),
            first_at=self.first_at,
            last_at=self.last_at,
            secrets=self.secrets,
            problems=tuple(self.problems),
            is_preview=preview,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Import:
    """What all parts of one import share."""

    engine: Engine
    form: ImportFormat
    space: Space
    preset: Preset
    user: str | None
    trusted: bool
    now: datetime
    tally: _Tally
    # What a preview has counted as new: the same thing further down in a file is not new again.
    seen: set[str] = field(default_factory=set)

    def prepare(self, conversation: ImportedConversation) -> list[Arrival]:
        return prepare_conversation(
            conversation,
            self.form.name,
            preset=self.preset,
            space=self.space,
            user=self.user,
            trusted=self.trusted,
            now=self.now,
        )

    def convert(self, memories: Sequence[OlderMemory]) -> list[tuple[OlderMemory, Record | str]]:
        return list(
            convert_older_items(
                memories, self.form.name, preset=self.preset, space=self.space, user=self.user, now=self.now
            )
        )


def import_other_format(
    engine: Engine,
    path: str | os.PathLike[str] | BinaryIO,
    form: ImportFormat,
    *,
    user: str | None,
    space: str | None,
    trusted: bool,
    options: ReadOptions,
    preview: bool,
) -> Imported:
    """Read what another program wrote, or with `preview` say what reading it would bring."""
    if options.me is not None and user is None:
        raise InputError("`me` (--me) says who you are in the file: say who that is here, with `user` (--user)")
    home, preset = engine.find_space(space)
    run = _Import(
        engine=engine,
        form=form,
        space=home,
        preset=preset,
        user=user,
        trusted=trusted,
        now=engine.clock(),
        tally=_Tally(form.name),
    )
    take = _preview_items if preview else _store_items
    stopped = ""
    try:
        for part in _collect_parts(read_items(path, form, options), run.tally):
            take(run, part)
    except BadImport as problem:
        # What was read before the damage is whole; the report says where the rest begins.
        stopped = str(problem)
    except ToldonceError as problem:
        if run.tally.kept and not preview:
            problem.add_advice(
                f"{run.tally.kept:,} items of {form.name} were imported before this and are kept: run the same import"
                " again to go on from there"
            )
        raise
    if run.tally.read == run.tally.damaged:
        nothing = f"there is nothing in it to import as {form.name}"
        why = next(iter(run.tally.problems), stopped or nothing)
        shown = os.fspath(path) if isinstance(path, str | os.PathLike) else "the file"
        raise BadImport(f"nothing of {shown} could be read: {why}")
    if options.me is not None and not run.tally.found_owner:
        run.tally.add_problem(f"nobody has the name or id {options.me!r} (--me): nothing of this counts as {user}'s")
    if stopped:
        # It is listed even where there are more problems than fit.
        run.tally.problems[_MOST_PROBLEMS - 1 :] = [f"{stopped}; nothing behind this place was read"]
    return run.tally.result(preview=preview)


def _collect_parts(items: Iterator[ImportItem], tally: _Tally) -> Iterator[list[ImportedConversation | OlderMemory]]:
    """Items in portions for one transaction; what a reader leaves out is counted on the way."""
    held: list[ImportedConversation | OlderMemory] = []
    size = 0
    try:
        for item in items:
            check_not_over()
            if isinstance(item, SkippedItem):
                tally.leave_out(item.reason, item.place, is_damage=item.is_damage)
                if tally.is_hopeless:
                    raise BadImport(f"{item.place}: {tally.damaged:,} items up to here are damaged")
                continue
            held.append(item)
            size += len(item.messages) if isinstance(item, ImportedConversation) else 1
            if size >= _MESSAGES_PER_WRITE:
                yield held
                held, size = [], 0
    except BadImport:
        if held:
            yield held
        raise
    if held:
        yield held


def _preview_items(run: _Import, part: Sequence[ImportedConversation | OlderMemory]) -> None:
    conversations, memories = _split_part(part)
    arrivals = [arrival for conversation in conversations for arrival in run.prepare(conversation)]
    converted = run.convert(memories)

    def look(tables: Tables) -> tuple[list[tuple[Arrival, str]], list[tuple[OlderMemory, Record | str, str]]]:
        said = check_arrivals(tables, arrivals, space=run.space, erased=ErasedPeople(tables), known=run.seen)
        return list(said), list(check_older_items(tables, converted, known=run.seen))

    said, older = run.engine.store.read(look)
    for arrival, reason in said:
        _count_arrival(run, arrival, reason)
    for item, record, reason in older:
        _count_memory(run, item, record, reason)


def _store_items(run: _Import, part: Sequence[ImportedConversation | OlderMemory]) -> None:
    conversations, memories = _split_part(part)
    prepared = [run.prepare(conversation) for conversation in conversations]
    converted = run.convert(memories)

    def work(tables: Tables) -> tuple[list[tuple[Arrival, str]], list[str]]:
        require_on(tables, run.space.name)
        detail = {"what": run.form.name, "read": sum(map(len, prepared)) + len(memories)}
        tables.audit.add(run.space.name, "import", at=run.now, actor=run.user, detail=detail)
        before = tables.transfer.last_place()
        erased, outcomes = ErasedPeople(tables), list[tuple[Arrival, str]]()
        for arrivals in prepared:
            outcomes += store_conversation(
                tables, arrivals, preset=run.preset, space=run.space, erased=erased, now=run.now
            )
        reasons = list(store_older_items(tables, converted, preset=run.preset))
        check_added(tables, before, now=run.now)
        return outcomes, reasons

    outcomes, reasons = run.engine.write(work)
    for arrival, reason in outcomes:
        _count_arrival(run, arrival, reason)
    for (item, record), reason in zip(converted, reasons, strict=True):
        _count_memory(run, item, record, reason)


def _split_part(
    part: Sequence[ImportedConversation | OlderMemory],
) -> tuple[list[ImportedConversation], list[OlderMemory]]:
    conversations = [item for item in part if isinstance(item, ImportedConversation)]
    return conversations, [item for item in part if isinstance(item, OlderMemory)]


def _count_arrival(run: _Import, arrival: Arrival, reason: str) -> None:
    message = arrival.message
    run.tally.found_owner |= message.user is None
    if reason or arrival.heard is None:
        run.tally.leave_out(reason, message.place, is_damage=arrival.is_damage)
        return
    person = message.name or message.user or run.user or message.role
    said_by = person if message.role == "user" else message.name or message.role
    run.tally.keep(kind=run.preset.capture.kind, person=said_by, at=arrival.heard.at, secrets=arrival.secrets)


def _count_memory(run: _Import, item: OlderMemory, record: Record | str, reason: str) -> None:
    run.tally.found_owner |= item.user is None
    if reason or isinstance(record, str):
        run.tally.leave_out(reason, item.place, is_damage=reason in (TOO_LONG, UNFIT))
        return
    secrets = sum(notice.startswith(_SECRET) for notice in record.notices)
    person = item.name or record.user or "nobody in particular"
    run.tally.keep(kind=record.kind, person=person, at=record.at, secrets=secrets)
