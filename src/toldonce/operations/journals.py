"""`memory.journals`: dated notes of a person as a source of knowledge beside conversations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

from toldonce.capture.fields import check_flags, check_names
from toldonce.clock import load_zone
from toldonce.errors import InputError
from toldonce.operations.corrections import revise_documents
from toldonce.operations.engine import Engine
from toldonce.operations.space_state import require_on
from toldonce.operations.transfer import check_added
from toldonce.presets.policy import Preset
from toldonce.records import Record, Space
from toldonce.storage import lifecycle
from toldonce.storage.store import Tables
from toldonce.storage.tables.records import BrowseFilter

if TYPE_CHECKING:
    from toldonce.capture.imported_conversations import Arrival

_JOURNAL = "journal"
_MOST_ENTRIES = 1_000_000
_CHANGED, _REMOVED = "its journal note was changed", "its journal note was removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalWritten:
    """What a note of a journal brought.

    `new` are the ids of its new entries, `here` is how many were here before, and `replaced` how many entries of an
    earlier version are forgotten. `left_out` says why entries were not kept. A preview says what would be.
    """

    name: str
    on: str
    new: tuple[str, ...] = ()
    here: int = 0
    replaced: int = 0
    left_out: tuple[str, ...] = ()
    is_preview: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalNote:
    """A note of a journal: the day that it is about, the journal it belongs to, and the ids of its entries."""

    name: str
    on: str
    folder: str
    entries: tuple[str, ...]


class Journals:
    """Write the journal of a person, list its notes and forget some."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def write(
        self,
        text: str,
        *,
        user: str | None = None,
        on: date | str | None = None,
        name: str | None = None,
        folder: str = "",
        preview: bool = False,
        space: str | None = None,
    ) -> JournalWritten:
        """Keep a note of a person's journal; knowledge is drawn from it as from a conversation of that day.

        Each section is an entry, and one that is here already does not come twice. A note with a `name` replaces what
        it said before: entries that are gone from it are forgotten, and so is what was drawn from them alone. `on` is
        the day that it is about: else as the front matter or the name says, else today. `folder` tells journals of one
        person apart. A `preview` stores nothing.
        """
        from toldonce.capture.journal import DatedNote, prepare_note

        _check_texts(text=text, folder=folder)
        user = _require_user(user)
        check_names(name=name, folder=folder)
        check_flags(preview=preview)
        now = self._engine.clock()
        home, preset = self._engine.find_space(space)
        day = _choose_day(text, on, name, today=now.astimezone(load_zone(home.zone)).date())
        note = DatedNote(name=name or day.isoformat(), text=text, on=day, user=user, folder=folder)
        arrivals = list(prepare_note(note, preset=preset, space=home, now=now))
        ids = [one.heard.record_id or "" for one in arrivals if one.heard is not None]

        def work(tables: Tables) -> JournalWritten:
            before = self._list_entries(tables, user, home.name, folder=folder, session=note.session) if name else []
            known = {one.id: one for one in tables.records.get(ids).values()}
            # A long entry is a record for each of its parts, and only the first has the id of the entry.
            parts = {part.id for one in known.values() for part in tables.records.find_parts(one)}
            gone = [entry for entry in before if entry.id not in parts.union(ids)]
            back = [one for one in known.values() if _is_withdrawn(one)]
            left_out = [one.reason for one in arrivals if one.reason]
            if not preview:
                require_on(tables, home.name)
                left_out = _store_entries(tables, arrivals, preset=preset, home=home, now=now)
                self._restore(tables, back, preset, zone=home.zone, now=now)
                self._forget(tables, gone, preset, reason=_CHANGED, now=now)
            there = set(ids) if preview else set(tables.records.get(ids))
            new = [one for one in ids if one in there and one not in known]
            if (new or gone or back) and not preview:
                detail = {"note": note.name, "new": len(new), "replaced": len(gone)}
                tables.audit.add(home.name, _JOURNAL, at=now, actor=user, detail=detail)
            return JournalWritten(
                name=note.name,
                on=day.isoformat(),
                new=(*new, *(one.id for one in back)),
                here=len(known) - len(back),
                replaced=len(gone),
                left_out=tuple(left_out),
                is_preview=preview,
            )

        return self._engine.store.read(work, person=user) if preview else self._engine.write(work)

    def notes(
        self, *, user: str | None = None, folder: str | None = None, space: str | None = None
    ) -> list[JournalNote]:
        """The notes of a person's journal, newest first; with `folder`, those of one journal."""
        user = _require_user(user)
        check_names(folder=folder)
        home, _ = self._engine.find_space(space, reader=user)
        found = self._engine.store.read(lambda t: self._list_entries(t, user, home.name, folder=folder), person=user)
        grouped: dict[tuple[str, str, str], list[str]] = defaultdict(list)
        for record in found:
            about = record.metadata[_JOURNAL]
            grouped[str(about.get("date")), str(about.get("note")), str(about.get("folder"))].append(record.id)
        return [
            JournalNote(name=name, on=day, folder=where, entries=tuple(ids))
            for (day, name, where), ids in sorted(grouped.items(), reverse=True)
        ]

    def forget(self, name: str, *, user: str | None = None, folder: str = "", space: str | None = None) -> int:
        """Forget a note with what was drawn from it alone; returns how many records were forgotten."""
        from toldonce.capture.journal import name_session

        _check_texts(name=name, folder=folder)
        user = _require_user(user)
        check_names(name=name, folder=folder)
        now = self._engine.clock()
        home, preset = self._engine.find_space(space, reader=user)

        def work(tables: Tables) -> int:
            gone = self._list_entries(tables, user, home.name, folder=folder, session=name_session(name))
            if gone:
                tables.audit.add(home.name, "forget journal", at=now, actor=user, detail={"note": name})
            return self._forget(tables, gone, preset, reason=_REMOVED, now=now)

        return self._engine.write(work)

    def _list_entries(
        self, tables: Tables, user: str, space: str, *, folder: str | None, session: str | None = None
    ) -> list[Record]:
        """The current entries of one note, or of all."""
        view, _ = self._engine.view_for(user, space, session=session)
        found = tables.records.browse(view, BrowseFilter(origins=(_JOURNAL,)), limit=_MOST_ENTRIES)
        return [
            record
            for record in found
            if record.conversation is not None
            and record.user == user
            and isinstance(about := record.metadata.get(_JOURNAL), dict)
            and folder in (None, about.get("folder"))
        ]

    def _forget(self, tables: Tables, entries: Sequence[Record], preset: Preset, *, reason: str, now: datetime) -> int:
        """Forget entries and what was drawn from them alone, except what a person validated; returns how many."""
        drawn = [one for one in _add_drawn(tables, entries) if not one.validated and one.state != "forgotten"]
        for record in drawn:
            revise_documents(self._engine, tables, record, preset, text=None)
            lifecycle.mark_forgotten(tables, record, reason=reason, now=now)
        return len(drawn)

    def _restore(self, tables: Tables, entries: Sequence[Record], preset: Preset, *, zone: str, now: datetime) -> None:
        """Bring back entries that a note says again, and what was drawn from them."""
        for record in _add_drawn(tables, entries):
            if _is_withdrawn(record):
                lifecycle.mark_restored(tables, record, preset.kind(record.kind), now=now, zone=zone)


def _store_entries(
    tables: Tables, arrivals: Sequence[Arrival], *, preset: Preset, home: Space, now: datetime
) -> list[str]:
    """Store what is new of a note; returns why entries were left out."""
    from toldonce.capture.imported_conversations import store_conversation
    from toldonce.capture.older import HERE, ErasedPeople

    before = tables.transfer.last_place()
    outcomes = list(
        store_conversation(tables, arrivals, preset=preset, space=home, erased=ErasedPeople(tables), now=now)
    )
    check_added(tables, before, now=now)
    return [reason for _, reason in outcomes if reason not in ("", HERE)]


def _add_drawn(tables: Tables, entries: Sequence[Record]) -> list[Record]:
    """Entries with what was drawn from them alone."""
    places = tables.records.find_places([entry.id for entry in entries])
    return list(tables.records.by_seq(tables.purge.with_derived(places, whole=False)).values()) if places else []


def _is_withdrawn(record: Record) -> bool:
    """Whether a record was forgotten because its note no longer said so, and not by a person."""
    return record.state == "forgotten" and record.state_reason in (_CHANGED, _REMOVED)


def _check_texts(**given: object) -> None:
    for name, value in given.items():
        if not isinstance(value, str):
            raise InputError(f"a journal needs {name} as a text, not {type(value).__name__}")


def _require_user(user: str | None) -> str:
    """Whose journal it is, which every call must say; a server takes it from the credential."""
    check_names(user=user)
    if user is None:
        raise InputError("say whose journal it is, with user=")
    return user


def _choose_day(text: str, on: date | str | None, name: str | None, *, today: date) -> date:
    """The day that a note is about; it cannot lie ahead."""
    from toldonce.importers.notes import find_day

    if isinstance(on, datetime):
        day: date | None = on.date()
    elif isinstance(on, str):
        try:
            day = date.fromisoformat(on)
        except ValueError:
            raise InputError(f"on must be a day like 2025-03-02, not {on[:40]!r}") from None
    else:
        day = on if on is not None else find_day(name or "", text) or today
    if not isinstance(day, date):
        raise InputError(f"on must be a day like 2025-03-02, not {type(on).__name__}")
    if day > today:
        raise InputError(f"a journal is about days that have come: {day.isoformat()} lies ahead")
    return day
