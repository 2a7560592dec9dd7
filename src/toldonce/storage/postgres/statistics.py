"""Clears deleted rows and statistics of a server: what it may not or cannot clear yet comes back in words.

A server keeps examples of what its columns hold (`pg_stats`) to plan queries, and deleted rows until it vacuums.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import psycopg
from psycopg import errors as theirs
from psycopg import sql

from toldonce.storage.postgres.connection import ServerConnection
from toldonce.storage.postgres.queries import TypedQuery
from toldonce.storage.postgres.schema import SCHEMA

# The first version that lets an owner drop the statistics of a table; before, those of an emptied table stay.
_CLEARS_STATISTICS = 180000
NOT_ALLOWED = (
    "this login may not vacuum the tables: indexes and files still hold deleted rows, and the server's statistics"
    " examples of them, until the owner has run VACUUM (ANALYZE)"
)
EMPTIED = (
    "this server keeps statistics of {count} tables that are empty now, which may hold deleted words: they go when"
    " something is stored and the job `erase_rest` has run"
)
READING = "another transaction is reading: indexes and files still hold deleted rows until the job `erase_rest` has run"


def clear_deleted(connection: ServerConnection, queries: Mapping[str, TypedQuery], *, tenant: str) -> tuple[str, ...]:
    """Vacuum and analyse every table; returns what is left all the same, in words."""
    tables = [row[0] for row in connection.execute(queries["list_tables"].sql).fetchall()]
    if not _vacuum(connection, tables):
        return (NOT_ALLOWED,)
    left = []
    emptied = [row[0] for row in connection.execute(queries["list_emptied"].sql).fetchall()]
    if connection.info.server_version >= _CLEARS_STATISTICS:
        connection.execute(queries["clear_statistics"].sql, {"tables": emptied})
    elif stale := _count_stale(connection, queries, tenant=tenant):
        left.append(EMPTIED.format(count=stale))
    row = connection.execute(queries["count_unclear"].sql, {"tenant": tenant}).fetchone()
    return (*left, READING) if row is not None and row[0] else tuple(left)


def find_in_statistics(
    connection: ServerConnection, queries: Mapping[str, TypedQuery], texts: Collection[str]
) -> set[str]:
    """Which of these texts the server's statistics show to this login."""
    rows: list[Any] = connection.execute(queries["read_statistics"].sql).fetchall() if texts else []
    shown = "\n".join(row[0] for row in rows).casefold()
    return {text for text in texts if text.casefold() in shown}


def _vacuum(connection: ServerConnection, tables: Collection[str]) -> bool:
    """Whether the login may vacuum them; where it may not, the server only warns."""
    warned: list[str] = []

    def note(notice: psycopg.errors.Diagnostic) -> None:
        if notice.severity_nonlocalized == "WARNING":
            warned.append(notice.sqlstate or "")

    named = sql.SQL(", ").join(sql.Identifier(SCHEMA, name) for name in tables)
    connection.add_notice_handler(note)
    try:
        # Where little was deleted a server leaves the entries of indexes where they are by default.
        connection.execute(sql.SQL("VACUUM (ANALYZE, INDEX_CLEANUP ON) {}").format(named))
    except theirs.InsufficientPrivilege:
        return False
    finally:
        connection.remove_notice_handler(note)
    return not warned


def _count_stale(connection: ServerConnection, queries: Mapping[str, TypedQuery], *, tenant: str) -> int:
    """How many of the tables that hold a tenant are empty, so that their statistics are those of what was deleted."""
    row = connection.execute(queries["count_emptied"].sql, {"tenant": tenant}).fetchone()
    return int(row[0]) if row else 0
