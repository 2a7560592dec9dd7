"""Who acts through which interface, and what a person may enter, read and change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

from toldonce.records import PERSONAL, Record, personal_space


@dataclass(frozen=True, slots=True)
class Actor:
    """The interface that a call came through and the person it is made for, if it names one.

    `is_agent` tells that a program acts for the person, which may do less than the person themselves.
    """

    interface: str = "library"
    person: str = ""
    is_agent: bool = False


_current: ContextVar[Actor] = ContextVar("toldonce_actor", default=Actor())  # noqa: B039  (frozen)


def current_actor() -> Actor:
    """Who is acting in this thread or task."""
    return _current.get()


@contextmanager
def acting_as(*, interface: str, person: str | None = None, is_agent: bool = False) -> Iterator[None]:
    """Within, audit entries name this interface and person, and `is_agent` bounds what may be done."""
    token = _current.set(Actor(interface, person or "", is_agent))
    try:
        yield
    finally:
        _current.reset(token)


_expected: ContextVar[Callable[[Record], None] | None] = ContextVar("toldonce_expected", default=None)


def current_expectation() -> Callable[[Record], None] | None:
    """What checks a record before it is changed, if the caller requires something of it."""
    return _expected.get()


@contextmanager
def expecting(check: Callable[[Record], None] | None) -> Iterator[None]:
    """Within, `check` gets every record that is to be changed, in the transaction that changes it, and may refuse."""
    token = _expected.set(check)
    try:
        yield
    finally:
        _expected.reset(token)


ROLES = ("owner", "admin", "member")
MANAGERS = ("owner", "admin")

Action = Literal[
    "accept",
    "confirm",
    "correct",
    "flag",
    "forget",
    "mark outdated",
    "pin",
    "propose",
    "purge",
    "restore",
    "share",
    "unconfirm",
    "unpin",
]
Standing = Literal["host", "self", "keeper", "owner", "admin", "member", "other"]

_DECIDING: frozenset[Action] = frozenset(
    {"confirm", "accept", "unconfirm", "pin", "unpin", "flag", "share", "forget", "restore", "mark outdated"}
)
# What somebody may do with a record that they may read, by how they stand to it. Only whose it is puts words in its
# place; others propose them. Members vouch for what counts, and cannot accept what is proposed. In a space where nobody
# has a role, its people count as members, and as keepers of what belongs to nobody.
MAY: Mapping[Standing, frozenset[Action]] = {
    "host": _DECIDING | {"correct", "purge"},
    "self": _DECIDING | {"correct", "purge"},
    "keeper": _DECIDING | {"correct"},
    "owner": _DECIDING | {"propose", "purge"},
    "admin": _DECIDING | {"propose", "purge"},
    "member": frozenset({"confirm", "propose"}),
    "other": frozenset({"propose"}),
}
# What no agent may do, whomever it acts for.
NEVER_BY_AGENTS: frozenset[Action] = frozenset({"purge"})


def may_enter(space: str, reader: str | None) -> bool:
    """Whether a reader may use a space at all: a person's own space is theirs alone."""
    return reader is None or not space.startswith(PERSONAL) or space == personal_space(reader)


def may_read(record: Record, reader: str | None, *, role: str | None = None) -> bool:
    """Whether a reader may see a record; `role` is what they are in its space, if anything."""
    if reader is None:
        return True
    if not may_enter(record.space, reader):
        return False
    is_shared = record.visibility == "project" or (record.visibility == "team" and role is not None)
    return record.user in (None, reader) or is_shared


def is_readable_by_all(record: Record) -> bool:
    """Whether anybody who may enter its space may read a record: what is made of it may then be shared too."""
    return record.user is None or record.visibility == "project"


def find_standing(record: Record, reader: str | None, roles: Mapping[str, str]) -> Standing | None:
    """How a reader stands to a record, by the roles of its space; None when they may not read it."""
    role = roles.get(reader) if reader is not None else None
    if not may_read(record, reader, role=role):
        return None
    if reader is None:
        return "host"
    is_of_nobody = record.user is None
    if record.user == reader or (is_of_nobody and role in MANAGERS):
        return "self"
    if not roles:
        return "keeper" if is_of_nobody else "member"
    return _STANDING_OF_ROLE.get(role or "", "other")


_STANDING_OF_ROLE: Mapping[str, Standing] = {"owner": "owner", "admin": "admin", "member": "member"}


def may_act(action: Action, standing: Standing | None, *, is_agent: bool = False) -> bool:
    """Whether somebody who stands so to a record may do this with it; an agent may do less."""
    return standing is not None and action in MAY[standing] and not (is_agent and action in NEVER_BY_AGENTS)


def may_change(record: Record, reader: str | None, *, role: str | None = None) -> bool:
    """Whether a reader may hide a record and bring it back; `role` is what they are in its space, if anything."""
    roles = {reader: role} if reader is not None and role is not None else {}
    return may_act("forget", find_standing(record, reader, roles))


def may_set_role(actor: str | None, *, held: str | None, wanted: str | None, is_self: bool = False) -> bool:
    """Whether somebody with the role `actor` may make another's role `wanted` instead of `held`; None is no role.

    Owners set every role, admins those of plain members, and everybody may leave.
    """
    if actor == "owner" or (is_self and wanted is None and held is not None):
        return True
    return actor == "admin" and held in (None, "member") and wanted in (None, "member")


def leaves_no_owner(roles: Mapping[str, str], person: str, wanted: str | None) -> bool:
    """Whether a space that has an owner would have none once this person's role is `wanted`."""
    owners = [name for name, role in roles.items() if role == "owner"]
    return owners == [person] and wanted != "owner"
