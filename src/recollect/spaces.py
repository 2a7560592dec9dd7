"""The spaces of a memory, the people in them, and the way to the store that every operation takes."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, TypeVar

from recollect import presets
from recollect.audit_notes import AuditNotes, write_notes
from recollect.capture.fields import check_lists, check_metadata, check_names
from recollect.capture.observe import clean_name
from recollect.clock import Clock, as_bound, as_moment
from recollect.clock import zone as zone_of
from recollect.errors import InputError, NotAllowed, RecollectError, SpaceNotFound, StoreClosed, StoreForked
from recollect.presets.policy import Preset, Quota
from recollect.quotas import quota_of, save_quota
from recollect.records import PERSONAL, Context, Hit, Person, Record, Space, personal_space
from recollect.rights import may_enter
from recollect.storage.store import Store, Tables, View
from recollect.storage.tables.jobs import Job
from recollect.storage.tables.people import SpaceState

T = TypeVar("T")

DEFAULT_SPACE = "main"
DEFAULT_PRESET = "assistant"
# The setting that names the model whose vectors are to take the place of all others'.
REEMBED = "reembed"
EMBED = "embed"
# An embedder behind a network may be away for hours, and records only wait meanwhile.
_ATTEMPTS = 24


class Spaces:
    """Holds the store and the clock; knows each space's preset and who may see what."""

    def __init__(self, store: Store, *, space: Space, preset: Preset, clock: Clock) -> None:
        self.store = store
        self.clock = clock
        self.space = space
        self._known: dict[str, tuple[Space, Preset]] = {space.name: (space, preset)}
        self._touched: list[tuple[datetime, tuple[str, ...]]] = []
        self._notes = AuditNotes()
        self._lock = threading.Lock()
        self._closed = False
        self._process = os.getpid()

    def add_space(self, name: str, *, preset: str | None = None, zone: str = "UTC") -> Space:
        """Make a space, with the preset of the home space unless another is named."""
        wanted = preset_of(preset) if preset else preset_of_space(self.space)

        def work(tables: Tables) -> Space:
            made, _ = ensure_space(tables, name, wanted, zone_name=zone, now=self.clock())
            tables.audit.add(name, "add space", at=self.clock())
            return made

        return self._write(work)

    def spaces(self) -> list[Space]:
        """All spaces of this memory."""
        return self.store.read(lambda t: t.people.spaces())

    def switch(self, *, on: bool, space: str | None = None) -> Space:
        """Switch memory on or off for a space: while off, nothing is kept and nothing is shown."""
        home, _ = self._at(space)
        if home.deleted_at is not None:
            raise InputError(f"the space {home.name!r} is deleted: restore it first")
        return self._change_space(space, enabled=on)

    def delete_space(self, space: str) -> Space:
        """Hide a whole space; restorable until its grace is over. Its documents go at once."""
        changed = self._change_space(space, deleted_at=self.clock())
        self._write(lambda t: t.documents.drop("", space=space))
        return changed

    def restore_space(self, space: str) -> Space:
        """Bring a deleted space back."""
        return self._change_space(space, deleted_at=None)

    def people(self, *, space: str | None = None) -> list[Person]:
        """Everyone seen in a space."""
        return self.store.read(lambda t: t.people.all(self._at(space)[0].name))

    def set_person(
        self, user: str, *, display_name: str = "", username: str = "", zone: str = "", language: str = "",
        space: str | None = None,
    ) -> Person:  # fmt: skip
        """Keep what is known of a person; what is left empty stays as it was."""
        check_names(user=user, username=username, display_name=display_name)
        home, preset = self._at(space)
        if preset.capture.redact_secrets:
            username, display_name = clean_name(username), clean_name(display_name)
        if zone:
            zone_of(zone)
        person = Person(
            id=user, space=home.name, username=username, display_name=display_name, zone=zone, language=language
        )

        def work(tables: Tables) -> None:
            tables.people.see(person, now=self.clock())
            tables.audit.add(home.name, "set person", at=self.clock(), detail={"user": user})

        self._write(work)
        return next(p for p in self.people(space=space) if p.id == user)

    def block(self, user: str, *, blocked: bool = True, space: str | None = None) -> None:
        """Keep a person out of memory, for capture and recall alike, or let them in again."""
        if not isinstance(user, str):
            raise InputError(f"name the person to block: user must be a text, not {type(user).__name__}")
        check_names(user=user)
        home, _ = self._at(space)

        def work(tables: Tables) -> None:
            tables.people.block(home.name, user, blocked=blocked, now=self.clock())
            tables.audit.add(home.name, "block" if blocked else "unblock", at=self.clock(), detail={"user": user})

        self._write(work)

    def quota(self, *, space: str | None = None) -> Quota:
        """The limits of a space: those that were set for it, else its preset's."""
        home, preset = self._at(space)
        return quota_of(self.store.read(lambda t: t.people.state(home.name)), preset)

    def set_quota(self, quota: Quota, *, space: str | None = None) -> Quota:
        """Set the limits of a space in the place of its preset's."""
        home, _ = self._at(space)

        def work(tables: Tables) -> None:
            save_quota(tables, home.name, quota)
            tables.audit.add(home.name, "set quota", at=self.clock(), detail=asdict(quota))

        self._write(work)
        return quota

    def shown(self, session: str, *, space: str | None = None) -> frozenset[str]:
        """The ids of what a session was shown, where the preset shows a thing once a session."""
        home, _ = self._at(space)
        kept = self.store.read(lambda t: t.documents.setting(home.name, f"shown:{session}"))
        return frozenset(kept.split()) if kept else frozenset()

    def mark_shown(self, session: str, ids: Iterable[str], *, space: str | None = None) -> None:
        """Keep that a session was shown these records."""
        home, _ = self._at(space)
        key, new = f"shown:{session}", frozenset(ids)

        def work(tables: Tables) -> None:
            before = tables.documents.setting(home.name, key) or ""
            tables.documents.set(home.name, key, " ".join(sorted(new.union(before.split()))))

        self._write(work)

    def why_off(self, *, space: str | None = None) -> str:
        """Why nothing is kept or shown in a space now, and what to do about it; "" when memory is on there."""
        home, _ = self._at(space)
        return self.store.read(lambda t: why_off(t, home.name))

    def is_kept_out(self, user: str | None = None, *, space: str | None = None) -> bool:
        """Whether nothing may be kept or shown now: memory is switched off here, or this person is kept out of it."""
        home, _ = self._at(space)
        return self.store.read(lambda t: not is_on(t, home.name) or is_blocked(t, home.name, user))

    def _view(
        self, user: str | None, space: str | None, *, kinds: Sequence[str] | None = None,
        since: datetime | str | None = None, until: datetime | str | None = None, as_of: datetime | str | None = None,
        branches: Sequence[str] | None = None, session: str | None = None, not_session: str | None = None,
        channel: str | None = None, where: Mapping[str, Any] | None = None,
    ) -> tuple[View, Preset]:  # fmt: skip
        check_names(user=user, session=session, channel=channel)
        now = self.clock()
        home, preset = self._at(space, reader=user)
        view = View(
            spaces=self._spaces_for(home, user), now=now, user=user, session=session, not_session=not_session,
            channel=channel, where=check_metadata(where, "where") or None,
            branches=_listed("branches", branches) if branches is not None else None,
            kinds=tuple(preset.kind(k).name for k in _listed("kinds", kinds)) if kinds else None,
            since=as_bound(since, now) if since is not None else None,
            until=as_bound(until, now) if until is not None else None,
            as_of=as_moment(as_of, now) if as_of is not None else None,
        )  # fmt: skip
        return view, preset

    def _spaces_for(self, home: Space, user: str | None) -> tuple[str, ...]:
        if user is None or home.deleted_at is not None or not home.enabled:
            return (home.name,) if home.enabled and home.deleted_at is None else ()
        return (home.name, personal_space(user))

    def preset_in(self, space: str | None = None) -> Preset:
        """The preset of a space."""
        return self._at(space)[1]

    def _at(self, space: str | None, *, reader: str | None = None) -> tuple[Space, Preset]:
        """A space and its preset, as last seen; a person's own space is made when it is first named.

        Another person's own space is not there for a reader.
        """
        name = space or self.space.name
        if self._closed:
            raise StoreClosed
        self._refuse_fork()
        if not may_enter(name, reader):
            raise SpaceNotFound(f"there is no space {name!r} for this person")
        if name not in self._known:
            found = self.store.read(lambda t: t.people.space(name))
            if found is None and name.startswith(PERSONAL):
                self.add_space(name)
                found = self.store.read(lambda t: t.people.space(name))
            if found is None:
                raise SpaceNotFound(f"there is no space {name!r}: make it with add_space({name!r}, preset=...)")
            self._known[name] = (found, preset_of_space(found)[0])
        return self._known[name]

    def _change_space(self, space: str | None, **changes: Any) -> Space:
        home, preset = self._at(space)
        changed = replace(home, **changes)

        def work(tables: Tables) -> None:
            tables.people.set_space(changed)
            tables.audit.add(home.name, "change space", at=self.clock(), detail={"changed": sorted(changes)})

        self._write(work)
        self._known[home.name] = (changed, preset)
        return changed

    def _shown(self, home: Space, preset: Preset, session: str | None) -> frozenset[str]:
        if not preset.context.once_per_session or session is None:
            return frozenset()
        return self.shown(session, space=home.name)

    def _remember_shown(self, home: Space, preset: Preset, session: str | None, made: Context) -> None:
        if preset.context.once_per_session and session is not None and made.hits:
            self.mark_shown(session, [hit.record.id for hit in made.hits], space=home.name)

    def _touch(self, hits: Iterable[Hit], *, at: datetime) -> None:
        """Count what was shown; written with the next write, so that recall itself never waits for the disk."""
        ids = tuple(hit.record.id for hit in hits)
        if ids:
            with self._lock:
                self._touched.append((at, ids))

    def _note_reading(self, action: str, records: Iterable[Record], *, user: str | None) -> None:
        """Note that private records were read by somebody else than the person they belong to, for the audit log.

        It is written with the next write, so that reading never waits for the disk.
        """
        for record in records:
            if record.visibility == "private" and record.user not in (None, user):
                self._notes.add(action, record, user=user, at=self.clock())

    def _note_writing(self, action: str, kept: Iterable[object], *, at: datetime) -> None:
        """Note what was stored, for the audit log."""
        for record in kept:
            if isinstance(record, Record):
                self._notes.add(action, record, user=record.user, at=at)

    def _flush_touches(self) -> None:
        if self._touched or self._notes:
            self._write(lambda _: None)

    @property
    def _is_forked(self) -> bool:
        """Whether this is a copy of a memory that another process opened."""
        return os.getpid() != self._process

    def _refuse_fork(self) -> None:
        # A thread that this process does not have may have held the lock at the moment of the fork.
        if self._is_forked:
            raise StoreForked

    def _audit(self, action: str, *, space: str | None = None, detail: Mapping[str, Any] | None = None) -> None:
        """Note in the audit log what was done outside of a transaction of its own."""
        self._write(lambda t: t.audit.add(space or "", action, at=self.clock(), detail=detail))

    def _write(self, work: Callable[[Tables], T], *, noting: bool = True) -> T:
        """What `work` returns once it is on disk, with what was counted and noted before.

        Without `noting`, notes for the audit log wait until there are many.
        """
        self._refuse_fork()
        with self._lock:
            touched, self._touched = self._touched, []
        notes = self._notes.take() if noting or self._notes.is_full else {}

        def both(tables: Tables) -> T:
            for at, ids in touched:
                tables.records.touch(ids, at=at)
            write_notes(tables, notes)
            return work(tables)

        try:
            return self.store.write(both)
        except RecollectError:
            self._notes.put_back(notes)
            raise


def preset_of(name: str) -> tuple[Preset, str | None]:
    """A preset, and its text when it is not one of the shipped ones, so that the memory carries it."""
    text, file = presets.preset_text(name)
    return presets.parse(text, file), None if name in presets.shipped() else text


def preset_of_space(space: Space) -> tuple[Preset, str | None]:
    if space.preset_text is None:
        return presets.load(space.preset), None
    return presets.parse(space.preset_text, f"{space.preset} (kept in the memory)"), space.preset_text


def ensure_space(
    tables: Tables, name: str, wanted: tuple[Preset, str | None] | None, *, zone_name: str, now: datetime
) -> tuple[Space, Preset]:
    """The space of that name, made with the wanted preset when it is not there; one that exists keeps its own."""
    zone_of(zone_name)
    found = tables.people.space(name)
    if found is None:
        preset, text = wanted or preset_of(DEFAULT_PRESET)
        made = Space(name=name, preset=preset.name, preset_text=text, zone=zone_name)
        tables.people.add_space(made, now=now)
        return made, preset
    if wanted is not None and wanted[0].name != found.preset:
        raise NotAllowed(
            f"the space {name!r} was made with the preset {found.preset!r}, not {wanted[0].name!r}: "
            "open it without naming a preset, or make another space"
        )
    return found, preset_of_space(found)[0]


def embed_job(due_at: datetime) -> Job:
    """The job that makes the vectors that records wait for."""
    return Job(space="", key=EMBED, name=EMBED, due_at=due_at, max_attempts=_ATTEMPTS)


def is_on(tables: Tables, space: str) -> bool:
    """Whether memory is switched on in a space, as the store says at this moment."""
    return not why_off(tables, space)


def why_off(tables: Tables, space: str) -> str:
    """Why nothing is kept or shown in a space, and what to do about it; "" when memory is on there."""
    return reason_off(space, tables.people.state(space))


def reason_off(space: str, found: SpaceState | None) -> str:
    """The same for a space as the store has it now."""
    if found is None or found.deleted:
        return f"the space {space!r} is deleted: restore it"
    return "" if found.enabled else f"memory is switched off in the space {space!r}: switch it on"


def need_on(tables: Tables, space: str) -> None:
    """Stop where nothing may be kept."""
    if reason := why_off(tables, space):
        raise InputError(f"{reason} to remember")


def is_blocked(tables: Tables, space: str, user: str | None) -> bool:
    """Whether a person is kept out of memory in a space."""
    person = tables.people.get(space, user) if user else None
    return person is not None and person.blocked


def _listed(what: str, names: Sequence[str]) -> tuple[str, ...]:
    """Names as they were listed; a text alone would be taken letter by letter."""
    if isinstance(names, str):
        raise InputError(f"{what} is a list of names: write {what}=[{names!r}]")
    check_lists(**{what: names})
    check_names(**{f"{what}[{place}]": name for place, name in enumerate(names)})
    return tuple(names)
