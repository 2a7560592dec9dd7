"""Who a request acts for and what it may do: a credential and arguments come in, the arguments that hold go out.

Nothing in a request but its credential says who is asking. Pure: no store, no clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from toldonce.access import may_enter
from toldonce.errors import NotAllowed, SpaceNotFound
from toldonce.operations.routes import Route, RouteRight
from toldonce.records import personal_space
from toldonce.storage.tables.access_keys import AccessKey, KeyRole

CredentialKind = Literal["key", "token", "browser"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Whom a credential stands for. `person` None is everybody in `spaces`; `spaces` None are all spaces.

    `credential` names it in logs and tells whose repeated requests are whose; it holds no secret.
    """

    credential: str
    name: str
    kind: CredentialKind
    person: str | None = None
    spaces: tuple[str, ...] | None = None
    rights: tuple[str, ...] = ("read",)
    role: KeyRole = "agent"
    is_owner: bool = False

    def may(self, right: RouteRight) -> bool:
        """Whether the credential has a right; to own the memory is more than all of them."""
        return self.is_owner if right == "own" else right in self.rights

    def may_enter(self, space: str) -> bool:
        """Whether the credential reaches a space; a person's own one belongs to them alone."""
        if self.person is not None and space == personal_space(self.person):
            return True
        return may_enter(space, self.person) and (self.spaces is None or space in self.spaces)

    def as_table(self) -> dict[str, Any]:
        """The identity as plain values, to be held for a browser."""
        return asdict(self)

    @classmethod
    def of_key(cls, key: AccessKey) -> Identity:
        """The identity of an API key."""
        is_owner = key.person is None and key.spaces is None and "manage" in key.rights
        return cls(
            credential=key.id,
            name=key.name,
            kind="key",
            person=key.person,
            spaces=key.spaces,
            rights=key.rights,
            role=key.role,
            is_owner=is_owner,
        )

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Identity:
        """An identity that was held for a browser."""
        spaces = table["spaces"]
        given = {**table, "rights": tuple(table["rights"]), "spaces": None if spaces is None else tuple(spaces)}
        return cls(**given)


def require_right(identity: Identity, route: Route) -> None:
    """Raise NotAllowed when a credential may not use a route at all."""
    if not identity.may(route.right) and not may_by_role(identity, route):
        needed = "own the whole memory" if route.right == "own" else f"have the right {route.right!r}"
        raise NotAllowed(f"this needs a credential that may {needed}: ask whoever runs this server for one")
    if route.for_all:
        require_manager(identity, "this concerns everybody")


def may_by_role(identity: Identity, route: Route) -> bool:
    """Whether a person may use a route if they have one of its roles in the space, without the right that it needs."""
    least: RouteRight = "read" if route.method == "GET" else "write"
    return bool(route.roles) and identity.person is not None and not identity.may("own") and identity.may(least)


def require_manager(identity: Identity, why: str) -> None:
    """Raise NotAllowed for a credential of one person that may not manage."""
    if identity.person is not None and not identity.may("manage"):
        raise NotAllowed(f"{why}: it needs a credential with the right 'manage'")


def bind_arguments(identity: Identity, route: Route, given: Mapping[str, Any], *, home: str) -> dict[str, Any]:
    """The arguments of a call with the person and the space that the credential allows; `home` is the usual space."""
    require_right(identity, route)
    bound = dict(given)
    if route.acts_as and not (route.by_host and identity.is_owner):
        bound[route.acts_as] = bind_person(identity, given.get(route.acts_as), route.acts_as)
    if route.about:
        bound |= _bind_subject(identity, route, given.get(route.about))
    if "space" in route.parameters:
        bound["space"] = bind_space(identity, given.get("space"), home=home)
    if route.each:
        home_space = bound.get("space") or home
        bound[route.each] = [_bind_item(identity, item, home=home_space) for item in given[route.each]]
    if "author" in route.parameters:
        bound["author"] = bind_author(identity, given.get("author"))
    return {name: value for name, value in bound.items() if value is not None or name in given}


def bind_person(identity: Identity, said: str | None, argument: str = "user") -> str | None:
    """On whose behalf a call is: the credential's person, else whom the call names."""
    if identity.person is None:
        return said
    if said not in (None, identity.person):
        raise NotAllowed(f"{argument} names somebody else: this credential acts for its own person only; leave it out")
    return identity.person


def bind_space(identity: Identity, said: str | None, *, home: str) -> str | None:
    """The space of a call: as named, else the usual one, else the only one that the credential reaches."""
    if said is None and identity.spaces is not None and home not in identity.spaces:
        if len(identity.spaces) > 1:
            raise NotAllowed(f"name the space: this credential is for {', '.join(identity.spaces)}")
        return identity.spaces[0]
    if not identity.may_enter(said or home):
        raise SpaceNotFound(f"there is no space {str(said or home)[:100]!r} for this credential")
    # A credential for some spaces must never fall through to what covers all of them.
    return said or (home if identity.spaces is not None else None)


def bind_author(identity: Identity, said: str | None) -> str | None:
    """Who writes: as the call says, else the person of the credential; only one of role person may say so."""
    if said == "person" and identity.role != "person":
        raise NotAllowed("author 'person' needs a credential with the role 'person': leave it out to store as an agent")
    return said or ("person" if identity.role == "person" and identity.person is not None else None)


def _bind_subject(identity: Identity, route: Route, said: Any) -> dict[str, Any]:
    """Whom an operation is about: for a person's credential themselves, unless it may manage."""
    default = route.parameters[route.about].default
    if identity.person is None or said == identity.person or (said == default == ""):
        return {} if said is None else {route.about: said}
    if said is None and default != "":
        return {route.about: identity.person}
    if said is not None:
        require_manager(identity, f"{route.about} names somebody else")
    return {route.about: said}


def _bind_item(identity: Identity, item: Any, *, home: str) -> Any:
    """One of many messages or statements, with its person and space."""
    table = item if isinstance(item, Mapping) else asdict(item)
    changes: dict[str, Any] = {"user": bind_person(identity, table.get("user"))}
    if table.get("space") is not None:
        changes["space"] = bind_space(identity, table["space"], home=home)
    if "author" in table:
        changes["author"] = bind_author(identity, table["author"])
    return {**item, **changes} if isinstance(item, Mapping) else replace(item, **changes)


def filter_spaces(identity: Identity, names: Sequence[str]) -> list[str]:
    """Those of the spaces that a credential reaches."""
    return [name for name in names if identity.may_enter(name)]
