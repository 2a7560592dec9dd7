"""`memory.people`: who was seen in a space, what is known of them by name, and who is kept out of memory."""

from __future__ import annotations

from recollect.capture.fields import check_names
from recollect.capture.observe import clean_name
from recollect.clock import load_zone as zone_of
from recollect.errors import InputError
from recollect.operations.engine import Engine
from recollect.records import Person
from recollect.storage.store import Tables


class People:
    """List, update and block people."""

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
