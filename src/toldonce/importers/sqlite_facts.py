"""A database with a flat table of facts, and perhaps one of users beside it: its rows come in, memories go out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from toldonce.errors import BadImport
from toldonce.importers.source_file import OlderDatabase
from toldonce.importers.values import OlderMemory, first_filled, moment_of, plain_metadata

# What a column may be called, the most likely first.
_TEXT = ("fact_text", "fact", "text", "content", "memory", "value")
_ID = ("id", "fact_id")
_OWNER = ("discord_id", "user_id", "user", "owner", "person")
_AT = ("created_at", "at", "timestamp", "date", "created", "updated_at")
_PLATFORM_ID = ("discord_id", "platform_id", "external_id", "username")
_NAME = ("display_name", "username", "name")


def read_fact_table(database: OlderDatabase) -> Iterator[OlderMemory]:
    """Every fact with its owner as the platform knows them."""
    users = {str(row["id"]): row for row in _read_users(database) if row.get("id") is not None}
    for place, row in enumerate(database.read_rows("facts"), start=1):
        if not any(name in row for name in _TEXT):
            raise BadImport(f"the table `facts` has no column for the text: it must be one of {', '.join(_TEXT)}")
        yield _fact_of_row(row, users, place)


def _read_users(database: OlderDatabase) -> list[dict[str, Any]]:
    return database.read_rows("users") if "users" in database.list_tables() else []


def _fact_of_row(row: Mapping[str, Any], users: Mapping[str, Mapping[str, Any]], place: int) -> OlderMemory:
    owner = first_filled(row, _OWNER)
    known = users.get(str(owner), {})
    person = first_filled(known, _PLATFORM_ID) or owner
    return OlderMemory(
        id=str(first_filled(row, _ID) or place),
        text=str(first_filled(row, _TEXT) or ""),
        type="fact",
        at=moment_of(first_filled(row, _AT)),
        user=None if person is None else str(person),
        name=str(first_filled(known, _NAME) or ""),
        metadata=plain_metadata(row, without=(*_TEXT, *_ID, *_OWNER, *_AT)),
    )
