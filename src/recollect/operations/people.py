"""`memory.people`: who was seen in a space, what is known of them by name, and who is kept out of memory."""

from __future__ import annotations

from recollect.access import ROLES, leaves_no_owner, may_set_role
from recollect.capture.fields import check_names
from recollect.capture.observe import clean_name
from recollect.clock import load_zone as zone_of
from recollect.errors import InputError, NotAllowed
from recollect.operations.engine import Engine
from recollect.records import Person
from recollect.storage.store import Tables


class People:
    """List, update and block people, and give them roles."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def all(self, *, space: str | None = None) -> list[Person]:
        """Everyone seen in a space."""
        return self._engine.store.read(lambda t: t.people.all(self._engine.find_space(space)[0].name))

    def update(
        self,
        user: str,
        *,
        display_name: str = "",
        username: str = "",
        zone: str = "",
        language: str = "",
        space: str | None = None,
    ) -> Person:
        """Store names, time zone and language of a person; what is left empty stays as it was."""
        check_names(user=user, username=username, display_name=display_name)
        home, preset = self._engine.find_space(space)
        if preset.capture.redact_secrets:
            username, display_name = clean_name(username), clean_name(display_name)
        if zone:
            zone_of(zone)
        person = Person(
            id=user, space=home.name, username=username, display_name=display_name, zone=zone, language=language
        )

        def work(tables: Tables) -> None:
            tables.people.update_person(person, now=self._engine.clock())
            tables.audit.add(home.name, "change person", at=self._engine.clock(), detail={"user": user})

        self._engine.write(work)
        return next(p for p in self.all(space=space) if p.id == user)

    def block(self, user: str, *, blocked: bool = True, space: str | None = None) -> None:
        """Keep a person out of memory, for capture and recall alike; `blocked=False` lets them in again."""
        if not isinstance(user, str):
            raise InputError(f"name the person to block: user must be a text, not {type(user).__name__}")
        check_names(user=user)
        home, _ = self._engine.find_space(space)

        def work(tables: Tables) -> None:
            now = self._engine.clock()
            tables.people.block(home.name, user, blocked=blocked, now=now)
            tables.audit.add(home.name, "block" if blocked else "unblock", at=now, detail={"user": user})

        self._engine.write(work)

    def is_kept_out(self, user: str | None = None, *, space: str | None = None) -> bool:
        """Whether nothing may be stored or shown now: memory is switched off here, or this person is blocked."""
        return self._engine.is_kept_out(user, space)

    def members(self, *, space: str | None = None) -> dict[str, str]:
        """The roles of a space by person: owner, admin or member. Members see what is kept with `visibility="team"`."""
        home, _ = self._engine.find_space(space)
        return self._engine.store.read(lambda t: t.people.list_members(home.name))

    def add_member(self, user: str, role: str = "member", *, by: str | None = None, space: str | None = None) -> None:
        """Give a person a role in a space, in place of the one they have.

        `by` is the person who does it: owners set every role, admins those of members. None is the host.
        """
        if role not in ROLES:
            raise InputError(f"there is no role {str(role)[:40]!r}: use one of {', '.join(ROLES)}")
        self._set_role(user, role, by=by, space=space)

    def remove_member(self, user: str, *, by: str | None = None, space: str | None = None) -> None:
        """Take a person's role in a space away; what they wrote stays. Everybody may leave."""
        self._set_role(user, None, by=by, space=space)

    def _set_role(self, user: str, wanted: str | None, *, by: str | None, space: str | None) -> None:
        if not user or not isinstance(user, str):
            raise InputError("name the person: user must be a text")
        check_names(user=user, by=by)
        home, _ = self._engine.find_space(space, reader=by)

        def work(tables: Tables) -> None:
            roles = tables.people.list_members(home.name)
            held = roles.get(user)
            if by is not None and not may_set_role(roles.get(by), held=held, wanted=wanted, is_self=by == user):
                raise NotAllowed("an owner of the space gives and takes every role, an admin that of plain members")
            if wanted is None and held is None:
                raise InputError(f"{user!r} has no role in the space {home.name!r}")
            if leaves_no_owner(roles, user, wanted):
                raise NotAllowed(f"the space {home.name!r} would have no owner: make somebody else an owner first")
            if wanted is None:
                tables.people.drop_member(home.name, user)
            else:
                tables.people.set_member(home.name, user, wanted)
            action = "remove member" if wanted is None else "add member"
            detail = {"user": user, "role": wanted or held}
            tables.audit.add(home.name, action, at=self._engine.clock(), actor=by or "", detail=detail)

        self._engine.write(work)
