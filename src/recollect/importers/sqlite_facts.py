"""A database with a flat table of facts, and perhaps one of users beside it: its rows come in, memories go out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from recollect.errors import BadImport
from recollect.importers.source_file import Database
from recollect.importers.values import Older, first, moment_of, plain

# What a column may be called, the most likely first.
_TEXT = ("fact_text", "fact", "text", "content", "memory", "value")
_ID = ("id", "fact_id")
_OWNER = ("discord_id", "user_id", "user", "owner", "person")
_AT = ("created_at", "at", "timestamp", "date", "created", "updated_at")
_PLATFORM_ID = ("discord_id", "platform_id", "external_id", "username")
_NAME = ("display_name", "username", "name")


def facts(database: Database) -> Iterator[Older]:
    """Every fact with its owner as the platform knows them."""
    users = {str(row["id"]): row for row in _users(database) if row.get("id") is not None}
    for place, row in enumerate(database.rows("facts"), start=1):
        if not any(name in row for name in _TEXT):
            raise BadImport(f"the table `facts` has no column for the text: it must be one of {', '.join(_TEXT)}")
        yield _fact(row, users, place)


def _users(database: Database) -> list[dict[str, Any]]:
    return database.rows("users") if "users" in database.tables() else []


def _fact(row: Mapping[str, Any], users: Mapping[str, Mapping[str, Any]], place: int) -> Older:
    owner = first(row, _OWNER)
    known = users.get(str(owner), {})
    person = first(known, _PLATFORM_ID) or owner
    return Older(
        id=str(first(row, _ID) or place),
        text=str(first(row, _TEXT) or ""),
        type="fact",
        at=moment_of(first(row, _AT)),
        user=None if person is None else str(person),
        name=str(first(known, _NAME) or ""),
        metadata=plain(row, without=(*_TEXT, *_ID, *_OWNER, *_AT)),
    )
