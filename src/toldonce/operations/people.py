"""`memory.people`: who was seen in a space, what is known of them by name, and who is kept out of memory."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from toldonce.access import ROLES, leaves_no_owner, may_set_role
from toldonce.capture.fields import check_flags, check_names
from toldonce.capture.observe import clean_name
from toldonce.clock import load_zone as zone_of
from toldonce.errors import InputError, NotAllowed
from toldonce.operations.engine import Engine
from toldonce.records import Consent, Document, Person
from toldonce.storage.store import Tables

# The purpose that decides whether a person is kept out of memory; others are the host's own.
TO_BE_REMEMBERED = "memory"
# Consent is a document of the person: it is exported, moved and erased with everything else of theirs.
CONSENT_DOCUMENT = "consent"
_MOST_CONSENTS = 200
_LONGEST_WORDING = 10_000


class People:
    """List, update and block people, and give them roles."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def all(self, *, space: str | None = None) -> list[Person]:
        """Everyone seen in a space."""
        home, _ = self._engine.find_space(space)
        return self._engine.store.read(lambda t: t.people.all(home.name))

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

    def consents(self, user: str, *, space: str | None = None) -> list[Consent]:
        """What a person agreed to or withdrew, newest first."""
        home, _ = self._engine.find_space(space)
        kept = self._engine.store.read(lambda t: t.documents.get(home.name, user, CONSENT_DOCUMENT))
        return _read_consents(kept)

    def set_consent(
        self,
        user: str,
        *,
        is_given: bool,
        purpose: str = TO_BE_REMEMBERED,
        means: str = "",
        wording: str = "",
        space: str | None = None,
    ) -> Consent:
        """Record that a person agrees to a purpose, or no longer does; `means` says how they said so.

        Who does not agree to be remembered is kept out of memory from now on, and let in again when they agree.
        What is there already stays until it is erased.
        """
        check_names(user=user, purpose=purpose, means=means)
        check_flags(is_given=is_given)
        if type(wording) is not str or len(wording) > _LONGEST_WORDING:
            raise InputError(f"wording is the text that the person agreed to, at most {_LONGEST_WORDING:,} characters")
        home, now = self._engine.find_space(space)[0], self._engine.clock()
        consent = Consent(user=user, purpose=purpose, is_given=is_given, at=now, means=means, wording=wording)

        def work(tables: Tables) -> None:
            before = tables.documents.get(home.name, user, CONSENT_DOCUMENT)
            kept = [_consent_as_table(one) for one in (consent, *_read_consents(before))]
            changed = Document(
                name=CONSENT_DOCUMENT,
                owner=user,
                space=home.name,
                version=before.version if before else 1,
                entries=(),
                at=now,
                data={"consents": kept[:_MOST_CONSENTS]},
            )
            (tables.documents.rewrite if before else tables.documents.put)(changed)
            if purpose == TO_BE_REMEMBERED:
                tables.people.block(home.name, user, blocked=not is_given, now=now)
            action = "give consent" if is_given else "withdraw consent"
            tables.audit.add(home.name, action, at=now, detail={"user": user, "purpose": purpose})

        self._engine.write(work)
        return consent

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


def _read_consents(document: Document | None) -> list[Consent]:
    rows = document.data.get("consents", ()) if document else ()
    owner = document.owner if document else ""
    return [Consent(**{**row, "at": datetime.fromisoformat(row["at"]), "user": owner}) for row in rows]


def _consent_as_table(consent: Consent) -> dict[str, Any]:
    return {
        "purpose": consent.purpose,
        "is_given": consent.is_given,
        "at": consent.at.isoformat(),
        "means": consent.means,
        "wording": consent.wording,
    }
