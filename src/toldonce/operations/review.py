"""`memory.review`: what waits for a person's decision, and lists of records without a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any, get_args

from toldonce.capture.fields import check_flags, require_counts
from toldonce.capture.remember import Statement, build_record
from toldonce.capture.secrets.remembered import read_secrets_of
from toldonce.clock import load_zone
from toldonce.errors import InputError, NotAllowed
from toldonce.operations.corrections import share_record
from toldonce.operations.engine import Engine
from toldonce.operations.remembering import keep_statement
from toldonce.presets.policy import Preset
from toldonce.records import Activity, EntityGraph, Origin, Record, RecordCount, State, Visibility
from toldonce.storage import lifecycle
from toldonce.storage.store import Tables
from toldonce.storage.tables.records import BrowseFilter

_MOST_WEEKS = 520


class Review:
    """Propose records, list what waits for a decision, and list what is known."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def propose(self, statements: Sequence[Statement], *, space: str | None = None) -> list[Record]:
        """Offer statements for review, all of them or none; returns those that were not offered before."""
        now = self._engine.clock()
        home, preset = self._engine.find_space(space)
        offered = [build_record(statement, preset=preset, space=home, now=now) for statement in statements]
        said = [
            read_secrets_of(statement.text) if record.notices else ()
            for statement, record in zip(statements, offered, strict=True)
        ]

        def work(tables: Tables) -> list[Record]:
            pairs = zip(offered, said, strict=True)
            return [keep_statement(tables, one, preset=preset, now=now, secrets=found) for one, found in pairs]

        kept = self._engine.write(work)
        new_ids = {record.id for record in offered}
        new = [record for record in kept if record.id in new_ids]
        self._engine.note_writing("propose", new, at=now)
        return new

    def waiting(self, *, user: str | None = None, space: str | None = None) -> list[Record]:
        """What waits for a person's decision before it is used: confirm it, correct it, or forget it."""
        home, _ = self._engine.find_space(space, reader=user)

        def read(tables: Tables) -> list[Record]:
            return [r for r in tables.records.find_proposed(home.name) if tables.people.may_read(r, user)]

        return self._engine.store.read(read, person=user)

    def records(
        self,
        user: str | None = None,
        *,
        kinds: Sequence[str] | None = None,
        where: Mapping[str, Any] | None = None,
        session: str | None = None,
        states: Sequence[State] | None = None,
        origins: Sequence[Origin] | None = None,
        visibility: Visibility | None = None,
        min_confidence: float | None = None,
        max_confidence: float | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        pinned: bool | None = None,
        validated: bool | None = None,
        derived: bool = False,
        limit: int = 50,
        space: str | None = None,
    ) -> list[Record]:
        """Records that a person may see, newest first, without a question; current ones unless `states` names others.

        `max_confidence` is the first confidence that is too high. With `derived`, messages are left out.
        """
        require_counts(least=0, limit=limit)
        flags = {"pinned": pinned, "validated": validated, "derived": derived}
        chosen = _read_filter(states, origins, visibility, min_confidence, max_confidence, flags)
        view, _ = self._engine.view_for(
            user, space, kinds=kinds, where=where, session=session, since=since, until=until
        )
        found = self._engine.store.read(lambda t: t.records.browse(view, chosen, limit=limit), person=user)
        self._engine.note_reading("list", found, user=user)
        return found

    def count(
        self,
        user: str | None = None,
        *,
        kinds: Sequence[str] | None = None,
        where: Mapping[str, Any] | None = None,
        session: str | None = None,
        states: Sequence[State] | None = None,
        origins: Sequence[Origin] | None = None,
        visibility: Visibility | None = None,
        min_confidence: float | None = None,
        max_confidence: float | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        pinned: bool | None = None,
        validated: bool | None = None,
        derived: bool = False,
        space: str | None = None,
    ) -> list[RecordCount]:
        """How many records `records` with the same arguments would list, by kind, state and area."""
        flags = {"pinned": pinned, "validated": validated, "derived": derived}
        chosen = _read_filter(states, origins, visibility, min_confidence, max_confidence, flags)
        view, _ = self._engine.view_for(
            user, space, kinds=kinds, where=where, session=session, since=since, until=until
        )
        return self._engine.store.read(lambda t: t.records.count_browsed(view, chosen), person=user)

    def entities(self, user: str | None = None, *, limit: int = 60, space: str | None = None) -> EntityGraph:
        """People, places and things that records which a person may see mention, and which are mentioned together."""
        from toldonce.operations.knowledge import draw_entities

        return draw_entities(self._engine, user, limit=limit, space=space)

    def activity(self, user: str | None = None, *, weeks: int = 12, space: str | None = None) -> list[Activity]:
        """What came in each of the last weeks, oldest first, as far as a person may see it; the last one ends today."""
        require_counts(weeks=weeks)
        view, _ = self._engine.view_for(user, space)
        zone = load_zone(self._engine.find_space(space, reader=user)[0].zone)
        midnight = datetime.combine(view.now.astimezone(zone).date(), time.min, tzinfo=zone) + timedelta(days=1)
        every, count = timedelta(weeks=1), min(weeks, _MOST_WEEKS)
        since = midnight.astimezone(UTC) - every * count
        return self._engine.store.read(
            lambda t: t.records.count_activity(view, since=since, every=every, count=count), person=user
        )

    def share(self, record_id: str, visibility: Visibility, *, user: str | None = None) -> Record:
        """Change who may see it: its person ("private"), the members of its space ("team") or everybody ("project")."""
        return share_record(self._engine, record_id, visibility, user=user)

    def supersede(self, older_id: str, newer_id: str, *, reason: str = "", user: str | None = None) -> Record:
        """Have a newer record replace an older one, or lower the confidence in it, as its kind says.

        What a person validated stays: correct it instead.
        """
        now = self._engine.clock()

        def work(tables: Tables, older: Record, preset: Preset) -> Record:
            newer = lifecycle.need(tables, newer_id, reader=user)
            if older.validated and not newer.validated:
                raise NotAllowed(f"a person validated {older.id}: only the person can correct it")
            if older.id == newer.id or (older.space, older.user) != (newer.space, newer.user):
                raise NotAllowed(f"{newer.id} cannot supersede {older.id}: they must be two records of one person")
            if preset.kind(older.kind).conflict == "demote":
                lifecycle.demote_record(tables, older, newer, to=preset.distil.demoted_to, at=now, reason=reason)
            else:
                lifecycle.supersede_record(tables, older, newer, at=now, reason=reason)
            return lifecycle.need(tables, older.id)

        return self._engine.change_record(older_id, "mark outdated", work, user=user)


def _read_filter(
    states: Sequence[State] | None,
    origins: Sequence[Origin] | None,
    visibility: Visibility | None,
    least: float | None,
    below: float | None,
    flags: Mapping[str, bool | None],
) -> BrowseFilter:
    """What a caller wants to look at, or a clear error."""
    check_flags(**{name: value for name, value in flags.items() if value is not None})
    for name, value in (("min_confidence", least), ("max_confidence", below)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise InputError(f"{name} must be a number between 0 and 1")
    return BrowseFilter(
        states=_choose("states", states, get_args(State)) or ("active",),
        origins=_choose("origins", origins, get_args(Origin)) or None,
        visibility=next(iter(_choose("visibility", [visibility] if visibility else [], get_args(Visibility))), None),
        least_confidence=0.0 if least is None else least,
        below_confidence=2.0 if below is None else below,
        pinned=flags["pinned"],
        validated=flags["validated"],
        derived=bool(flags["derived"]),
    )


def _choose(name: str, said: Sequence[Any] | None, known: Sequence[Any]) -> tuple[Any, ...]:
    """The named values, each of which must be a known one."""
    wrong = [one for one in said or () if one not in known]
    if wrong or isinstance(said, str):
        raise InputError(f"{name} takes {', '.join(known)}")
    return tuple(said or ())
