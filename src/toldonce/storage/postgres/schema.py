"""Brings a database to this version's schema: made when there is none, migrated when it is older, refused when newer.

One process at a time does so, under an advisory lock, in one transaction.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import psycopg
from psycopg import errors as theirs
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from toldonce.errors import InputError, NewerSchema, StoreError
from toldonce.storage.postgres.address import Address
from toldonce.storage.postgres.connection import ServerConnection
from toldonce.storage.postgres.errors import read_only_error
from toldonce.storage.postgres.queries import PACKAGE, load_typed_queries

SCHEMA = "toldonce"
APP_ROLE = "toldonce_app"
EXTENSION = "vector"
ENCODING = "UTF8"
VERSION = 5
_MIGRATORS = 0x7EC1
_CONNECT_SECONDS = 10
_MIGRATION = re.compile(r"(\d{4})_\w+\.sql")


@dataclass(frozen=True, slots=True)
class SchemaState:
    """How transactions are to be opened: where names are looked up, as which role they run ('' for the login's), where
    the types of pgvector are, and whether they may make tables of their own.
    """

    search_path: str
    role: str
    vector_schema: str
    may_stage: bool


def connect(address: Address) -> ServerConnection:
    """A connection without settings of its own, which prepares nothing by itself: that would be state of a session."""
    try:
        said = {"connect_timeout": os.environ.get("PGCONNECT_TIMEOUT"), **conninfo_to_dict(address.conninfo)}
        return ServerConnection.connect(
            address.conninfo,
            autocommit=True,
            prepare_threshold=None,
            connect_timeout=said["connect_timeout"] or _CONNECT_SECONDS,
            fallback_application_name="toldonce",
            # Whatever the environment says: a text is sent as it is.
            client_encoding="UTF8",
        )
    except psycopg.ProgrammingError:
        # Its message may repeat the password.
        raise InputError(
            f"{address.place}: PostgreSQL does not understand this address: write postgresql://user@host:port/database"
        ) from None


def prepare_schema(connection: ServerConnection, *, place: str) -> SchemaState:
    """Make or migrate the schema where that is needed, and say how to use it."""
    _refuse_encoding(connection, place)
    try:
        _refuse_standby(connection, place)
        found = _find_version(connection)
        _refuse_newer(found, place)
        if found < VERSION:
            _bring_up(connection, place)
        return _read_state(connection, place)
    except theirs.InsufficientPrivilege as problem:
        raise StoreError(
            f"{place}: this login may neither use nor make a memory here: open it once as the owner of the database, "
            f"then `GRANT {APP_ROLE} TO` this login ({problem.diag.message_primary})"
        ) from problem


def _refuse_encoding(connection: ServerConnection, place: str) -> None:
    found = connection.info.parameter_status("server_encoding")
    if found != ENCODING:
        raise StoreError(
            f"{place}: this database has the encoding {found}, which cannot hold every text: make another one with "
            f"`createdb --encoding={ENCODING} --template=template0 NAME`"
        )


def _refuse_newer(found: int, place: str) -> None:
    if found > VERSION:
        problem = NewerSchema.at_place(place, f" (schema {found}, this one knows {VERSION})")
        problem.found, problem.known = found, VERSION
        raise problem


def _find_version(connection: ServerConnection) -> int:
    """The version of the schema; 0 when there is none."""
    return int(_ask(connection, "read_version") or 0) if _ask(connection, "find_schema") else 0


def _ask(connection: ServerConnection, name: str, /, **values: Any) -> Any:
    """The first value of a query."""
    row = connection.execute(load_typed_queries()[name].sql, values).fetchone()
    return row[0] if row else None


def _refuse_standby(connection: ServerConnection, place: str) -> None:
    if _ask(connection, "is_standby"):
        raise read_only_error(place)


def _bring_up(connection: ServerConnection, place: str) -> None:
    with connection.transaction():
        _ask(connection, "lock_schema", lock=_MIGRATORS)
        found = _find_version(connection)
        _refuse_newer(found, place)
        if found < VERSION:
            _make_extension(connection, place)
            connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(SCHEMA)))
            _ask(connection, "look_in", path=_search_path(connection))
            for step in ["schema.sql"] if found == 0 else list_migrations(after=found):
                _run_file(connection, step)
            _run_file(connection, "roles.sql")


def list_migrations(*, after: int) -> Sequence[str]:
    """The migration files that lead from a version to this one, in order."""
    folder = files(PACKAGE).joinpath("migrations")
    named = sorted(entry.name for entry in folder.iterdir() if _MIGRATION.fullmatch(entry.name))
    return [f"migrations/{name}" for name in named if int(name[:4]) > after]


def _run_file(connection: ServerConnection, name: str) -> None:
    connection.execute(files(PACKAGE).joinpath(name).read_bytes())


def _make_extension(connection: ServerConnection, place: str) -> None:
    """pgvector, unless it is there; only an administrator can install it on the server."""
    if _ask(connection, "find_pgvector", name=EXTENSION):
        return
    try:
        with connection.transaction():
            connection.execute(sql.SQL("CREATE EXTENSION {}").format(sql.Identifier(EXTENSION)))
    except (theirs.FeatureNotSupported, theirs.UndefinedFile) as problem:
        raise StoreError(
            f"{place}: the server has no pgvector: install it there (package postgresql-NN-pgvector, or the image "
            "pgvector/pgvector), then try again"
        ) from problem
    except theirs.InsufficientPrivilege as problem:
        raise StoreError(
            f"{place}: this login may not create the extension pgvector: have an administrator run "
            "`CREATE EXTENSION vector` in this database, then try again"
        ) from problem


def _search_path(connection: ServerConnection) -> str:
    names = dict.fromkeys((SCHEMA, _ask(connection, "find_pgvector", name=EXTENSION) or SCHEMA))
    return ", ".join([*(sql.Identifier(name).as_string(connection) for name in names), "pg_temp"])


def _read_state(connection: ServerConnection, place: str) -> SchemaState:
    is_exempt, has_role, may_stage, may_grant = _read_login(connection)
    if may_grant and not has_role:
        # A dump that was restored on another server, where nobody had made the role.
        _grant_again(connection)
        is_exempt, has_role, may_stage, _ = _read_login(connection)
    if is_exempt and not has_role:
        raise StoreError(
            f"{place}: this login is beyond row-level security: grant it the role {APP_ROLE}, or use another login"
        )
    return SchemaState(
        search_path=_search_path(connection),
        role=APP_ROLE if has_role else "",
        vector_schema=_ask(connection, "find_pgvector", name=EXTENSION),
        may_stage=may_stage,
    )


def _read_login(connection: ServerConnection) -> tuple[bool, bool, bool, bool]:
    row: Any = connection.execute(load_typed_queries()["read_login"].sql, {"role": APP_ROLE}).fetchone()
    is_exempt, has_role, may_stage, may_grant = row
    return is_exempt, has_role, may_stage, may_grant


def _grant_again(connection: ServerConnection) -> None:
    with connection.transaction():
        _ask(connection, "lock_schema", lock=_MIGRATORS)
        _ask(connection, "look_in", path=_search_path(connection))
        _run_file(connection, "roles.sql")
