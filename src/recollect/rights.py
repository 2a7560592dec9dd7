"""Who may read and change a record: the one rule behind every operation, tool, command and query.

A reader of None is whoever holds the memory itself: the program that opened it, or the person at its command line.
The stores' queries apply the same rule to many records at once; the conformance suite compares both.
"""

from __future__ import annotations

from recollect.records import PERSONAL, Record, personal_space

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


def is_for_everyone(record: Record) -> bool:
    """Whether anybody who may enter its space may read a record: what is made of it may then be shared too."""
    return record.user is None or record.visibility == "project"


def may_change(record: Record, reader: str | None, *, role: str | None = None) -> bool:
    """Whether a reader may correct, hide or destroy a record: what they may see, but not another person's own words."""
    if not may_read(record, reader, role=role):
        return False
    is_own = reader is None or record.user in (None, reader)
    return is_own or record.conversation is None or role in MANAGERS
