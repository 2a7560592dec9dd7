"""Who is acting and through which interface, for the audit log.

An interface says it once around its work with `acting_as`; everything below reads it with `current_actor`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Actor:
    """The interface that a call came through and the person it is made for, if it names one."""

    interface: str = "library"
    person: str = ""


_current: ContextVar[Actor] = ContextVar("recollect_actor", default=Actor())  # noqa: B039  (frozen)


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
