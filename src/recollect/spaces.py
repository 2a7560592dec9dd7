"""The spaces of a memory, the people in them, and the way to the store that every operation takes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from recollect import presets
from recollect.capture.fields import check_lists, check_metadata, check_names
from recollect.clock import Clock, as_bound, as_moment
from recollect.clock import zone as zone_of
from recollect.errors import InputError, NotAllowed, SpaceNotFound, StoreClosed
from recollect.keep.job_table import Job
from recollect.keep.store import Store, Tables, View
from recollect.presets.policy import Preset
from recollect.records import PERSONAL, Context, Hit, Person, Space, personal_space

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
        self._lock = threading.Lock()
        self._closed = False

    def add_space(self, name: str, *, preset: str | None = None, zone: str = "UTC") -> Space:
        """Make a space, with the preset of the home space unless another is named."""
        wanted = preset_of(preset) if preset else preset_of_space(self.space)
        return self._write(lambda t: ensure_space(t, name, wanted, zone_name=zone, now=self.clock()))[0]

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
        home, _ = self._at(space)
        if zone:
            zone_of(zone)
        person = Person(
            id=user, space=home.name, username=username, display_name=display_name, zone=zone, language=language
        )
        self._write(lambda t: t.people.see(person, now=self.clock()))
        return next(p for p in self.people(space=space) if p.id == user)

    def block(self, user: str, *, blocked: bool = True, space: str | None = None) -> None:
        """Keep a person out of memory, for capture and recall alike, or let them in again."""
        if not isinstance(user, str):
            raise InputError(f"name the person to block: user must be a text, not {type(user).__name__}")
        check_names(user=user)
        home, _ = self._at(space)
        self._write(lambda t: t.people.block(home.name, user, blocked=blocked, now=self.clock()))

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
        home, preset = self._at(space)
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

    def _at(self, space: str | None) -> tuple[Space, Preset]:
        """A space and its preset, as last seen; a person's own space is made when it is first named."""
        name = space or self.space.name
        if self._closed:
            raise StoreClosed
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
        self._write(lambda t: t.people.set_space(changed))
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

    def _flush_touches(self) -> None:
        if self._touched:
            self._write(lambda _: None)

    def _write(self, work: Callable[[Tables], T]) -> T:
        with self._lock:
            touched, self._touched = self._touched, []

        def both(tables: Tables) -> T:
            for at, ids in touched:
                tables.records.touch(ids, at=at)
            return work(tables)

        return self.store.write(both)


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
    found = tables.people.space(space)
    if found is None or found.deleted_at is not None:
        return f"the space {space!r} is deleted: restore it"
    return "" if found.enabled else f"memory is switched off in the space {space!r}: switch it on"


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
