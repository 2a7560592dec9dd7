"""Spaces, the people in them, and their roles."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from toldonce.access import Standing, find_standing, may_act, may_read
from toldonce.clock import to_micros
from toldonce.records import Person, Record, Space
from toldonce.storage.rows import Rows
from toldonce.storage.tables.records import from_stored_time, to_stored_time

_ROWS_OF_A_SPACE = (
    "drop_space_rows_people", "drop_space_rows_members", "drop_space_rows_documents", "drop_space_rows_conversations",
    "drop_space_rows_questions", "drop_space_rows_settings", "drop_space_rows_jobs",
    "drop_space_rows_drafts", "drop_space_rows_outputs", "drop_space_rows_sealed",
)  # fmt: skip


_FOR_GOOD = datetime(9000, 1, 1, tzinfo=UTC)


class SpaceState(NamedTuple):
    """Whether a space is switched on or deleted, and the limits that were set for it and for all spaces, as texts."""

    enabled: int
    deleted: int
    quota: str | None
    tenant_quota: str | None

    @property
    def is_on(self) -> bool:
        """Whether anything may be stored or shown here."""
        return bool(self.enabled) and not self.deleted


class PeopleTable:
    """Who is where."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def add_space(self, space: Space, *, now: datetime) -> None:
        """Make a space; one that exists stays as it is."""
        self._rows.run(
            "add_space",
            tenant=self._tenant,
            name=space.name,
            preset=space.preset,
            preset_text=space.preset_text,
            zone=space.zone,
            created_at=to_micros(now),
        )

    def space(self, name: str) -> Space | None:
        """A space by name."""
        row = self._rows.one("get_space", tenant=self._tenant, name=name)
        return _space_from_row(row) if row else None

    def read_space_state(self, name: str) -> SpaceState | None:
        """What every write must know of a space."""
        row = self._rows.one("space_state", tenant=self._tenant, name=name)
        return SpaceState(*row) if row else None

    def is_kept_out(self, space: str, user: str | None) -> bool:
        """Whether nothing may be stored or shown: memory is off in this space, or this person is blocked there."""
        state = self.read_space_state(space)
        return state is None or not state.is_on or self.is_blocked(space, user)

    def is_blocked(self, space: str, user: str | None) -> bool:
        """Whether a person is blocked in a space."""
        person = self.get(space, user) if user else None
        return person is not None and person.blocked

    def find_blocked(self, spaces: Iterable[str]) -> list[Person]:
        """Everyone who is blocked in one of these spaces."""
        rows = self._rows.all("blocked_people", tenant=self._tenant, spaces=json.dumps(list(spaces)))
        return [_person_from_row(row) for row in rows]

    def spaces(self) -> list[Space]:
        """All spaces, by name."""
        return [_space_from_row(row) for row in self._rows.all("list_spaces", tenant=self._tenant)]

    def set_space(self, space: Space) -> None:
        """Keep a space's switch, zone and deletion mark."""
        self._rows.run(
            "set_space",
            tenant=self._tenant,
            name=space.name,
            enabled=int(space.enabled),
            deleted_at=to_stored_time(space.deleted_at),
            zone=space.zone,
        )

    def drop_space(self, name: str) -> None:
        """The last trace of a purged space."""
        for query in _ROWS_OF_A_SPACE:
            self._rows.run(query, tenant=self._tenant, space=name)
        self._rows.run("drop_space", tenant=self._tenant, name=name)

    def update_person(self, person: Person, *, now: datetime) -> None:
        """A person spoke: keep their newest names."""
        self._rows.run(
            "see_person",
            tenant=self._tenant,
            space=person.space,
            id=person.id,
            username=person.username,
            display_name=person.display_name,
            zone=person.zone,
            language=person.language,
            seen_at=to_micros(now),
        )

    def get(self, space: str, person_id: str) -> Person | None:
        """A person of a space."""
        row = self._rows.one("get_person", tenant=self._tenant, space=space, id=person_id)
        return _person_from_row(row) if row else None

    def all(self, space: str) -> list[Person]:
        """Everyone seen in a space."""
        return [_person_from_row(row) for row in self._rows.all("list_people", tenant=self._tenant, space=space)]

    def block(self, space: str, person_id: str, *, blocked: bool, now: datetime) -> None:
        """Keep a person out of memory, or let them in again."""
        self._rows.run(
            "block_person", tenant=self._tenant, space=space, id=person_id, blocked=int(blocked), seen_at=to_micros(now)
        )

    def set_member(self, space: str, person_id: str, role: str) -> None:
        """Give a person a role: owner, admin or member."""
        self._rows.run("set_member", tenant=self._tenant, space=space, person=person_id, role=role)

    def drop_member(self, space: str, person_id: str) -> None:
        """Take a person's role in a space away."""
        self._rows.run("drop_memberships", tenant=self._tenant, person=person_id, space=space)

    def list_members(self, space: str) -> dict[str, str]:
        """Roles by person."""
        rows = self._rows.all("list_members", tenant=self._tenant, space=space)
        return dict(rows)

    def may_read(self, record: Record, reader: str | None) -> bool:
        """Whether a reader may see a record, by their role in its space."""
        return may_read(record, reader, role=self._role(record, reader))

    def find_standing(self, record: Record, reader: str | None) -> Standing | None:
        """How a reader stands to a record, which decides what they may do with it; None when they may not see it."""
        roles = {} if reader is None or record.user == reader else self.list_members(record.space)
        return find_standing(record, reader, roles)

    def may_change(self, record: Record, reader: str | None) -> bool:
        """Whether a reader may hide a record and bring it back."""
        return may_act("forget", self.find_standing(record, reader))

    def _role(self, record: Record, reader: str | None) -> str | None:
        if reader is None or record.user in (None, reader):
            return None
        return self.list_members(record.space).get(reader)

    def drop_person(self, person_id: str, *, space: str | None) -> None:
        """Forget who a person was, in one space or everywhere."""
        self._rows.run("drop_person", tenant=self._tenant, id=person_id, space=space)
        self._rows.run("drop_memberships", tenant=self._tenant, person=person_id, space=space)

    def list_secret_digests(self, person: str | None, *, now: datetime) -> dict[str, str]:
        """The digests of what was redacted for a person, with what is known of each."""
        begin = _begin_of_digests(person)
        rows = self._rows.all(
            "held_values_between",
            tenant=self._tenant,
            purpose="secret",
            low=f"{begin}:",
            high=f"{begin};",
            now=to_micros(now),
        )
        return {key.partition(":")[2]: value for key, value in rows}

    def add_secret_digest(self, person: str | None, digest: str, described: str, *, now: datetime) -> None:
        """Remember a digest for as long as nobody erases the person."""
        key = f"{_begin_of_digests(person)}:{digest}"
        self._hold("secret", key, described, person=person, now=now)

    def keep_secret_key(self, make: Callable[[], str], *, now: datetime) -> str:
        """The key of this memory's digests: the one that is kept, else one that is made now."""
        asked = {"tenant": self._tenant, "purpose": "secret_key", "key": "", "now": to_micros(now)}
        if (row := self._rows.one("get_held_value", **asked)) is not None:
            return str(row[0])
        made = make()
        self._hold("secret_key", "", made, person=None, now=now)
        return made

    def _hold(self, purpose: str, key: str, value: str, *, person: str | None, now: datetime) -> None:
        self._rows.run(
            "hold_value",
            tenant=self._tenant,
            purpose=purpose,
            key=key,
            value=value,
            person=person,
            now=to_micros(now),
            expires_at=to_micros(_FOR_GOOD),
        )


def _space_from_row(row: tuple[Any, ...]) -> Space:
    return Space(
        name=row[0],
        preset=row[1],
        preset_text=row[2],
        zone=row[3],
        enabled=bool(row[4]),
        created_at=from_stored_time(row[5]),
        deleted_at=from_stored_time(row[6]),
    )


def _person_from_row(row: tuple[Any, ...]) -> Person:
    return Person(
        id=row[0],
        space=row[1],
        username=row[2],
        display_name=row[3],
        zone=row[4],
        language=row[5],
        blocked=bool(row[6]),
        seen_at=from_stored_time(row[7]),
    )


def _begin_of_digests(person: str | None) -> str:
    return hashlib.sha256((person or "").encode("utf-8", "replace")).hexdigest()[:24]
