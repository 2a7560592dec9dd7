"""Who acts through which interface, and what a person may enter, read and change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from toldonce.records import PERSONAL, Record, personal_space


@dataclass(frozen=True, slots=True)
class Actor:
    """The interface that a call came through and the person it is made for, if it names one."""

    interface: str = "library"
    person: str = ""


_current: ContextVar[Actor] = ContextVar("toldonce_actor", default=Actor())  # noqa: B039  (frozen)


def current_actor() -> Actor:
    """Who is acting in this thread or task."""
    return _current.get()


@contextmanager
def acting_as(*, interface: str, person: str | None = None) -> Iterator[None]:
    """Within, audit entries name this interface and person."""
    token = _current.set(Actor(interface, person or ""))
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


def may_change(record: Record, reader: str | None, *, role: str | None = None) -> bool:
    """Whether a reader may correct, hide or destroy a record: what they may see, but not another person's own words."""
    if not may_read(record, reader, role=role):
        return False
    is_own = reader is None or record.user in (None, reader)
    return is_own or record.conversation is None or role in MANAGERS


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
