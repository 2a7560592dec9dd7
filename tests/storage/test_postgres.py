"""What only PostgreSQL can get wrong: servers that are away, logins, versions, poolers, workers; and its own search."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import numpy as np
import psycopg
import pytest

from tests.conftest import ManualClock
from tests.postgres import GIVEN, Databases, address_of, run_on
from toldonce import Memory
from toldonce.conformance.samples import a_record, a_view, keep_records, keep_texts, shown_texts
from toldonce.errors import (
    InputError,
    LoginRefused,
    NewerSchema,
    ReadOnlyStore,
    ServerUnavailable,
    StoreBusy,
    StoreError,
    ToldonceError,
)
from toldonce.storage.open import open_store
from toldonce.storage.postgres import listener as listener_module
from toldonce.storage.postgres import pool, schema
from toldonce.storage.postgres.address import read_address, strip_secrets
from toldonce.storage.postgres.connection import MOST_PREPARED, PreparedStatements
from toldonce.storage.postgres.exchange import Exchange
from toldonce.storage.postgres.listener import JobListener
from toldonce.storage.postgres.nearest import PostgresNearestRecords
from toldonce.storage.postgres.queries import load_typed_queries, type_parameters
from toldonce.storage.postgres.words import build_word_vector, list_tokens
from toldonce.storage.store import Store, Tables
from toldonce.storage.tables.jobs import Job
from toldonce.storage.vectors.index import encode_vector
from toldonce.storage.vectors.search import NearestRecords

PATIENCE = 60


@pytest.fixture
def address(databases: Databases) -> Iterator[str]:
    taken = databases.take()
    yield taken
    databases.give_back(taken)


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    opened = open_store(address)
    yield opened
    opened.close()


@pytest.fixture
def empty_database(databases: Databases, address: str) -> Iterator[str]:
    """A database without any schema of ours."""
    name = f"empty_{os.getpid()}"
    run_on(address, f"CREATE DATABASE {name}")
    yield address_of(address, name)
    run_on(address, f"DROP DATABASE {name} WITH (FORCE)")


def test_a_load_needs_no_right_to_make_temporary_tables(address: str) -> None:
    name = urlsplit(address).path.lstrip("/")
    run_on(address, f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC")
    try:
        opened = open_store(address)
        keep_records(opened, *(a_record(f"jar {n}") for n in range(30)))
        assert opened.check(repair=False) == []
        opened.close()
    finally:
        run_on(address, f"GRANT TEMPORARY ON DATABASE {name} TO PUBLIC")


@pytest.mark.parametrize("wrong", [{"access_count": 2**80}, {"user": 7}, {"text": "a NUL \0"}])
def test_a_load_with_a_value_that_cannot_be_stored_keeps_nothing(store: Store, wrong: dict[str, Any]) -> None:
    records = [a_record(f"jar {n}") for n in range(30)]
    with pytest.raises(InputError):
        keep_records(store, *records, a_record(**{"text": "the last jar", **wrong}))
    assert shown_texts(store, a_view()) == []
    keep_records(store, *records)


def test_what_follows_in_a_load_is_planned_by_what_is_there(store: Store, address: str) -> None:
    """The server makes statistics once a minute; until then every step of a load would read all that was loaded."""
    keep_records(store, *(a_record(f"jar {n}") for n in range(600)))
    with psycopg.connect(address) as connection:
        known = dict(
            connection.execute(
                "SELECT split_part(relname, '_', 1), max(reltuples) FROM pg_class"
                " WHERE relkind = 'r' AND relispartition AND relnamespace = 'toldonce'::regnamespace GROUP BY 1"
            ).fetchall()
        )
    assert known["records"] == 600


def count_rows_read(tables: Tables) -> int:
    """How many records and vectors the server has looked at in this transaction."""
    connection = tables.rows._exchange.connection  # type: ignore[attr-defined]
    read = "SELECT sum(seq_tup_read + idx_tup_fetch) FROM pg_stat_xact_all_tables WHERE relname ~ %s"
    return int(connection.execute(read, ["^(records|vectors)_[0-9]+$"]).fetchone()[0])


def test_vectors_are_kept_without_reading_other_records(store: Store) -> None:
    places = keep_records(store, *(a_record(f"jar {n}") for n in range(4_000)))
    vector = encode_vector(np.ones(8, np.float32))

    def put(tables: Tables, some: list[int]) -> int:
        model = tables.vectors.register_model("mini", 8)
        before = count_rows_read(tables)
        tables.vectors.put(model, [(place, [vector]) for place in some])
        return count_rows_read(tables) - before

    store.write(lambda t: put(t, places[50:]))
    assert store.write(lambda t: put(t, places[:50])) <= 4 * 50


def test_vectors_of_records_are_looked_up_among_those_of_many_tenants(store: Store, address: str) -> None:
    """Each tenant has a model of its own: a plan for any tenant would read all vectors of a model, taken for few."""
    places = keep_records(store, *(a_record(f"jar {n}") for n in range(1_000)))
    vector = encode_vector(np.ones(8, np.float32))
    model = store.write(lambda t: t.vectors.register_model("mini", 8))
    store.write(lambda t: t.vectors.put(model, [(place, [vector]) for place in places]))
    run_on(
        address,
        "INSERT INTO toldonce.vectors (tenant, record, part, model, dimensions, space, kind, visibility, vector)"
        " SELECT 'other' || n / 100, n, 0, 9 + n / 100, 8, v.space, v.kind, v.visibility, v.vector"
        " FROM generate_series(1, 80000) AS n, LATERAL (SELECT * FROM toldonce.vectors LIMIT 1) AS v",
        "ANALYZE toldonce.vectors",
        f"ALTER DATABASE {urlsplit(address).path[1:]} SET plan_cache_mode = force_generic_plan",
    )

    def count(tables: Tables, work: Callable[[Tables], object]) -> int:
        before = count_rows_read(tables)
        work(tables)
        return count_rows_read(tables) - before

    works: dict[str, Callable[[Tables], object]] = {
        "of": lambda t: t.vectors.of(model, places[:20]),
        "parts_of": lambda t: t.vectors.parts_of(model, places[:20]),
        "put": lambda t: t.vectors.put(model, [(place, [vector]) for place in places[:20]]),
    }
    with contextlib.closing(open_store(address)) as planned:
        found = {name: planned.write(partial(count, work=work)) for name, work in works.items()}
    assert {name: number for name, number in found.items() if number > 5 * 20} == {}


# Addresses


@pytest.mark.parametrize(
    "given, place, conninfo",
    [
        ("postgresql://ana:secret@db/mem", "postgresql://ana@db/mem", "postgresql://ana:secret@db/mem"),
        (
            "postgres://db/mem?password=secret&sslmode=require",
            "postgres://db/mem?sslmode=require",
            "postgresql://db/mem?password=secret&sslmode=require",
        ),
        ("postgresql:///mem?tenant=acme&pool=3", "postgresql:///mem?tenant=acme&pool=3", "postgresql:///mem"),
        ("postgresql://ana:s#e?c[ret@db/mem", "postgresql://ana@db/mem", "postgresql://ana:s#e?c[ret@db/mem"),
        ("postgresql://ana@[::1]:5433,b/mem", "postgresql://ana@[::1]:5433,b/mem", "postgresql://ana@[::1]:5433,b/mem"),
        ("postgresql:///mem?password=a+b%26c", "postgresql:///mem", "postgresql:///mem?password=a+b%26c"),
    ],
)
def test_an_address_is_shown_without_its_password(given: str, place: str, conninfo: str) -> None:
    assert (read_address(given).place, read_address(given).conninfo) == (place, conninfo)


def test_an_address_for_a_settings_file_has_no_secret() -> None:
    standby = "replica=postgresql%3A%2F%2Fu%3Asecret%40b%2Fm"
    kept = "postgresql://ana@a/m?tenant=t&replica=postgresql%3A%2F%2Fu%40b%2Fm"
    assert strip_secrets(f"postgresql://ana:secret@a/m?tenant=t&password=secret&{standby}") == kept
    assert strip_secrets(kept) == kept


def test_an_address_that_nobody_understands_is_refused_without_its_password() -> None:
    with pytest.raises(InputError, match="does not understand this address") as told:
        Memory.open("postgresql://ana:secret@db/mem?connect_timeout=soon")
    assert "secret" not in str(told.value)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ana:sec@ret@db/mem",
        "postgresql://ana:sec/ret@db/mem",
        "postgresql://ana:12/ret@db/mem",
        "postgresql://ana:sec/r?et@db/mem",
        "postgresql://ana@[::1/mem",
        "postgresql://ana@db:secret/mem",
        "postgresql:/ana:secret@db/mem",
    ],
)
def test_an_address_that_cannot_be_read_says_what_to_encode_and_shows_nothing(address: str) -> None:
    with pytest.raises(InputError, match="%40 for @") as told:
        read_address(address)
    assert not any(part in str(told.value) for part in ("sec", "ret", "ana"))


def test_an_unknown_parameter_is_named() -> None:
    with pytest.raises(InputError, match="unknown parameter 'poool'.*pool"):
        read_address("postgresql://ana:secret@db/mem?poool=3")


def test_the_address_and_the_environment_decide_how_to_connect(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """But not how texts are sent."""
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    with contextlib.closing(open_store(f"{address}&application_name=shop&connect_timeout=7")) as store:
        keep_texts(store, "żółw")
        assert shown_texts(store, a_view()) == ["żółw"]
        names = ask(address, "SELECT application_name FROM pg_stat_activity WHERE datname = current_database()")
        assert ("shop",) in names
    with schema.connect(read_address(f"{address}&connect_timeout=7")) as connection:
        assert connection.info.get_parameters()["connect_timeout"] == "7"


@pytest.mark.parametrize(
    "query", ["tenant=", "tenant=a%20b", "tenant=a/b", "pool=0", "pool=many", "pool=1", "prepare=maybe"]
)
def test_a_parameter_that_makes_no_sense_is_refused(query: str) -> None:
    with pytest.raises(InputError, match="correct it in the address"):
        read_address(f"postgresql:///mem?{query}")


def test_without_psycopg_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("toldonce.storage.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(InputError, match=r"install .*\[postgres\]'"):
        Memory.open("postgresql:///none")


# Servers that are not as they should be


def test_no_server_is_an_error_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(ServerUnavailable, match="check the address and that it runs"):
        Memory.open(f"postgresql:///mem?host={tmp_path}")
    with pytest.raises(ServerUnavailable, match="check the address"):
        Memory.open("postgresql://127.0.0.1:1/mem")


def test_a_database_that_is_not_there_is_not_made(address: str) -> None:
    for name in ("not_there", "role_of_nobody"):
        with pytest.raises(ServerUnavailable, match="no such database on this server: create it"):
            Memory.open(address_of(address, name))


def test_a_database_that_takes_no_connections_is_an_error_that_says_so(empty_database: str, address: str) -> None:
    name = urlsplit(empty_database).path.lstrip("/")
    run_on(address, f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    with pytest.raises(LoginRefused, match="does not let this login into this database.*GRANT CONNECT"):
        Memory.open(empty_database)


def test_a_database_of_another_encoding_is_refused(address: str) -> None:
    name = "toldonce_test_latin"
    run_on(address, f"CREATE DATABASE {name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    try:
        with pytest.raises(StoreError, match="has the encoding LATIN1.*--encoding=UTF8"):
            Memory.open(address_of(address, name))
        assert ask(address_of(address, name), "SELECT to_regnamespace('toldonce') IS NULL") == [(True,)]
    finally:
        run_on(address, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.skipif(bool(GIVEN), reason="the rules of logins are changed, which needs a server of our own")
def test_a_wrong_password_is_an_error_without_the_password(address: str) -> None:
    [(place,)] = ask(address, "SHOW hba_file")
    rules = Path(place)
    before = rules.read_text()
    run_on(address, "CREATE ROLE locked LOGIN PASSWORD 'right'")
    rules.write_text(f"local all locked scram-sha-256\n{before}")
    run_on(address, "SELECT pg_reload_conf()")
    try:
        parts = urlsplit(address)
        wrong = urlunsplit(parts._replace(netloc="locked:wrong@"))
        with pytest.raises(LoginRefused, match="check user and password") as told:
            Memory.open(wrong)
        assert "wrong" not in str(told.value)
    finally:
        rules.write_text(before)
        run_on(address, "SELECT pg_reload_conf()", "DROP ROLE locked")


def ask(address: str, statement: Any, *values: Any) -> list[tuple[Any, ...]]:
    with psycopg.connect(address, autocommit=True) as connection:
        return connection.execute(statement, values or None).fetchall()


def test_a_server_without_pgvector_is_an_error_that_says_what_to_install(
    empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "EXTENSION", "an_extension_that_nobody_installed")
    with pytest.raises(StoreError, match="no pgvector: install it there"):
        Memory.open(empty_database)
    assert ask(empty_database, "SELECT to_regnamespace('toldonce') IS NULL") == [(True,)]


def test_a_newer_schema_is_refused_and_left_as_it_is(address: str) -> None:
    run_on(address, "UPDATE toldonce.schema_version SET version = 99")
    try:
        with pytest.raises(NewerSchema, match=r"schema 99, this one knows \d+") as told:
            Memory.open(address)
        assert (told.value.found, told.value.known) == (99, schema.VERSION)
    finally:
        run_on(address, f"UPDATE toldonce.schema_version SET version = {schema.VERSION}")


# What a database has of ours: everything that the code or a policy depends on.
CATALOGUE = """
SELECT 'column', c.relname || '.' || a.attname,
    concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attstorage)
FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relnamespace = 'toldonce'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
UNION ALL SELECT 'table', relname, concat_ws(' ', relkind, relrowsecurity, relforcerowsecurity, relacl)
FROM pg_class WHERE relnamespace = 'toldonce'::regnamespace AND relkind IN ('r', 'p', 'S')
UNION ALL SELECT 'index', relname, pg_get_indexdef(oid)
FROM pg_class WHERE relnamespace = 'toldonce'::regnamespace AND relkind IN ('i', 'I')
UNION ALL SELECT 'constraint', conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid)
FROM pg_constraint WHERE connamespace = 'toldonce'::regnamespace
UNION ALL SELECT 'policy', polrelid::regclass || ' ' || polname,
    concat_ws(' ', pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid), polpermissive, polroles)
FROM pg_policy
UNION ALL SELECT 'function', oid::regprocedure::text, pg_get_functiondef(oid)
FROM pg_proc WHERE pronamespace = 'toldonce'::regnamespace
ORDER BY 1, 2, 3"""


def test_the_first_schema_is_migrated_to_what_a_new_database_gets(empty_database: str, address: str) -> None:
    first = Path(__file__).parents[1] / "data" / "postgres-v1.sql"
    with psycopg.connect(empty_database) as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute("CREATE SCHEMA toldonce")
        connection.execute("SET LOCAL search_path = toldonce, public")
        connection.execute(first.read_bytes())
    for place in (empty_database, address):
        open_store(place).close()
    new, migrated = ask(address, CATALOGUE), ask(empty_database, CATALOGUE)
    assert len(new) > 1000 and migrated == new


def test_an_older_schema_is_migrated_once_by_whoever_comes_first(
    empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store(empty_database).close()
    ran: list[str] = []
    run_file, newer = schema._run_file, schema.VERSION + 1

    def run(connection: Any, name: str) -> None:
        ran.append(name)
        if name == "roles.sql":
            run_file(connection, name)
        else:
            connection.execute(f"CREATE TABLE newer (tenant text); UPDATE schema_version SET version = {newer}")

    monkeypatch.setattr(schema, "_run_file", run)
    monkeypatch.setattr(schema, "VERSION", newer)
    monkeypatch.setattr(schema, "list_migrations", lambda *, after: [f"migrations/{after + 1:04}_newer.sql"])
    opened: list[Store] = []
    threads = [threading.Thread(target=lambda: opened.append(open_store(empty_database))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    for store in opened:
        store.close()
    assert (len(opened), ran) == (4, [f"migrations/{newer:04}_newer.sql", "roles.sql"])
    assert ask(empty_database, "SELECT version FROM toldonce.schema_version") == [(newer,)]


def test_statistics_of_the_server_change_no_order(store: Store, address: str) -> None:
    """After ANALYZE small tables are read from end to end and sorted, no longer in the order of an index."""
    noon = datetime(2026, 3, 2, 12, tzinfo=UTC)
    seqs = keep_records(store, *(a_record(f"jar {n}", at=noon) for n in range(5)))
    span = (noon, noon + timedelta(days=1))
    store.write(lambda t: [t.times.put(seq, [span]) for seq in seqs])

    def find() -> list[list[int]]:
        told = store.read(lambda t: t.times.find_by_time(*span, a_view(), limit=2))
        said = store.read(lambda t: t.search.find_by_time(*span, a_view(), limit=2))
        return [[seq for seq, _ in rows] for rows in (told, said)]

    assert find() == [[seqs[3], seqs[4]], [seqs[4], seqs[3]]]
    run_on(address, "ANALYZE toldonce.times, toldonce.records")
    assert find() == [[seqs[3], seqs[4]], [seqs[4], seqs[3]]]


def test_many_processes_may_make_the_same_schema_at_once(empty_database: str) -> None:
    opened: list[Store] = []
    threads = [threading.Thread(target=lambda: opened.append(open_store(empty_database))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(opened) == 4
    keep_texts(opened[0], "A copper kettle")
    assert {tuple(shown_texts(store, a_view())) for store in opened} == {("A copper kettle",)}
    for store in opened:
        store.close()


def test_a_server_that_takes_no_writes_is_an_error_that_says_so(address: str) -> None:
    name = urlsplit(address).path.lstrip("/")
    with Memory.open(address, preset="assistant", embedder=None, background=False) as memory:
        memory.observe("I live in Porto", "ana")
    run_on(address, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    try:
        with pytest.raises(ReadOnlyStore, match="give the address of the primary"):
            Memory.open(address, embedder=None)
    finally:
        writing = f"{address}&options=-cdefault_transaction_read_only%3Doff"
        run_on(writing, f"ALTER DATABASE {name} RESET default_transaction_read_only")
    with Memory.open(address, embedder=None, background=False) as memory:
        assert memory.recall("where do I live", "ana")


def test_a_connection_lost_in_the_middle_loses_nothing_that_was_acknowledged(store: Store, address: str) -> None:
    keep_texts(store, "before")

    def work(tables: Tables) -> None:
        tables.records.add(a_record("in the middle"), embed=False)
        end_sessions(address)
        tables.records.add(a_record("after the end"), embed=False)

    with pytest.raises(ServerUnavailable):
        store.write(work)
    assert shown_texts(store, a_view()) == ["before"]
    end_sessions(address)
    keep_texts(store, "afterwards")
    assert sorted(shown_texts(store, a_view())) == ["afterwards", "before"]


def test_a_write_that_was_kept_is_acknowledged_when_its_job_cannot_be_announced(
    store: Store, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else its caller would repeat it, and it would be there twice."""
    ask_server = Exchange.ask

    def lose_before_notice(self: Exchange, asked: Any, **options: Any) -> Any:
        if b"pg_notify" in asked[0][0].text:
            end_sessions(address)
        return ask_server(self, asked, **options)

    monkeypatch.setattr(Exchange, "ask", lose_before_notice)

    def work(tables: Tables) -> None:
        tables.records.add(a_record("kept"), embed=False)
        tables.jobs.put(Job(space="home", key="due", name="n", due_at=datetime.now(UTC)))

    store.write(work)
    assert shown_texts(store, a_view()) == ["kept"]


def test_a_read_goes_on_after_one_whose_end_nobody_waited_for(store: Store, address: str) -> None:
    """The answer to the end of a transaction is read by the next one on that connection, whatever it does."""
    keep_texts(store, "A copper kettle")
    for _ in range(3):
        assert shown_texts(store, a_view()) == ["A copper kettle"]
    keep_texts(store, "A tin kettle")
    assert len(shown_texts(store, a_view())) == 2
    open_ones = "SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()"
    # The server gets to the end of the last one in its own time.
    last_look = time.monotonic() + PATIENCE
    while ask(address, open_ones) and time.monotonic() < last_look:
        time.sleep(0.01)
    assert ask(address, open_ones) == []


def test_a_connection_that_is_lost_before_the_end_of_a_read_is_answered_is_replaced(store: Store, address: str) -> None:
    keep_texts(store, "A copper kettle")
    assert shown_texts(store, a_view()) == ["A copper kettle"]
    end_sessions(address)
    assert shown_texts(store, a_view()) == ["A copper kettle"]
    end_sessions(address)
    keep_texts(store, "A tin kettle")
    assert len(shown_texts(store, a_view())) == 2


@pytest.mark.parametrize("place", ["_send", "_read"])
def test_a_read_that_is_interrupted_leaves_nothing_to_the_next(
    store: Store, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Else the next one would take rows of the interrupted one for its own."""
    keep_texts(store, "A copper kettle")
    assert shown_texts(store, a_view())
    real, calls = getattr(Exchange, place), itertools.count(1)

    def interrupt(*given: Any, **options: Any) -> Any:
        if place == "_read" or next(calls) == 2:
            raise KeyboardInterrupt
        return real(*given, **options)

    with monkeypatch.context() as patched:
        patched.setattr(Exchange, place, interrupt)
        with pytest.raises(KeyboardInterrupt):
            shown_texts(store, a_view())
    assert shown_texts(store, a_view()) == ["A copper kettle"]


def end_sessions(address: str) -> None:
    """As a server does that is stopped."""
    ask(
        address,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND application_name = 'toldonce'",
    )


def test_a_login_that_lost_its_rights_or_its_time_is_told_so_and_goes_on_when_they_are_back(address: str) -> None:
    name = "toldonce_test_limited"
    run_on(address, f"CREATE ROLE {name} LOGIN", f"GRANT toldonce_app TO {name}")
    parts = urlsplit(address)
    login = urlunsplit(parts._replace(netloc=f"{name}@{parts.netloc.rpartition('@')[2]}"))
    try:
        with contextlib.closing(open_store(login)) as store:
            keep_texts(store, "before")
            run_on(address, f"REVOKE toldonce_app FROM {name}")
            with pytest.raises(StoreError, match="lacks a right.*`GRANT toldonce_app TO` it"):
                keep_texts(store, "without rights")
            run_on(address, f"GRANT toldonce_app TO {name}")
            with pytest.raises(StoreBusy, match="broke off a statement.*raise statement_timeout"):
                store.write(cancel_itself)
            keep_texts(store, "afterwards")
            assert sorted(shown_texts(store, a_view())) == ["afterwards", "before"]
    finally:
        run_on(address, f"DROP ROLE {name}")


def cancel_itself(tables: Tables) -> None:
    """As a server does whose patience is at an end."""
    tables.records.add(a_record("cut short"), embed=False)
    raise psycopg.errors.QueryCanceled("canceling statement due to statement timeout")


def test_a_full_pool_is_an_error_that_says_what_to_do(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "WAIT_SECONDS", 0.05)
    small = open_store(f"{address}&pool=2")
    with pytest.raises(StoreBusy, match="all 2 connections of this process are in use.*pool="):
        small.read(lambda _: small.read(lambda _: small.read(lambda _: None)))
    assert small.read(lambda _: small.read(lambda _: "free again")) == "free again"
    small.close()


@pytest.mark.parametrize("text", ["a NUL \0 inside", "\0"])
def test_what_postgresql_cannot_store_is_the_callers_error(store: Store, text: str) -> None:
    with pytest.raises(InputError, match="NUL"):
        keep_texts(store, text)
    assert shown_texts(store, a_view()) == []


def test_a_backup_is_left_to_the_servers_tools(address: str, tmp_path: Path) -> None:
    with Memory.open(address, preset="assistant", embedder=None, background=False) as memory:
        for target in (None, tmp_path / "copy.db"):
            with pytest.raises(InputError, match="postgresql.md"):
                memory.storage.backup(target)
    assert list(tmp_path.iterdir()) == []


# Poolers


def test_what_is_known_of_an_attribute_is_found_by_an_index_behind_the_policies(store: Store, address: str) -> None:
    """Else every question that names one reads all facts of its tenant: row-level security lets no function use one."""
    query = load_typed_queries()["search_subjects"]
    given: dict[str, Any] = {
        **dict.fromkeys(query.order),
        **a_view(user="ana").values(),
        "attributes": '["home"]',
        "limit": 9,
    }
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("SET search_path = toldonce, public")
        connection.execute("SET enable_seqscan = off")
        connection.execute("SELECT set_config('toldonce.tenant', 'local', false)")
        connection.execute("SET ROLE toldonce_app")
        plan = [row[0] for row in connection.execute(b"EXPLAIN " + query.sql, given)]
    assert any("Index Cond" in line and "attribute = ANY" in line for line in plan), plan


def test_nothing_is_left_in_a_session(store: Store, address: str) -> None:
    """So that a pooler may give the next transaction another session: settings, role, locks, prepared statements."""
    keep_texts(store, "A copper kettle")
    store.read(lambda t: t.records.find(a_view(), limit=5), person="alex")
    [connection] = store._database._pool._idle  # type: ignore[attr-defined]
    connection.settle()
    left = connection.execute(
        "SELECT current_setting('toldonce.tenant', true), current_setting('toldonce.person', true),"
        " current_user = session_user, current_setting('search_path') LIKE '%toldonce%',"
        " (SELECT count(*) FROM pg_prepared_statements), (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
        " AND pid = pg_backend_pid())"
    ).fetchone()
    assert left == ("", "", True, False, 0, 0)


def test_statements_may_be_prepared_where_no_pooler_is(address: str) -> None:
    opened = open_store(f"{address}&prepare=yes")
    for number in range(6):
        keep_texts(opened, f"kettle {number}")
    assert len(shown_texts(opened, a_view())) == 6
    [connection] = opened._database._pool._idle  # type: ignore[attr-defined]
    connection.settle()
    assert connection.execute("SELECT count(*) > 0 FROM pg_prepared_statements").fetchone() == (True,)
    opened.close()


def test_a_recall_asks_the_server_five_times_and_the_first_one_six(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time is a round trip: candidates with what a recall needs to know first, what they say, the messages around
    the best, what those say, and the records. Nobody waits for the end of the transaction. The first recall knows no
    state to guess by.
    """
    asked: list[int] = []
    ask = Exchange.ask

    def count(self: Exchange, queries: Any, **options: Any) -> Any:
        asked.append(len(queries))
        return ask(self, queries, **options)

    with Memory.open(address, preset="assistant", embedder=None, background=False) as memory:
        memory.observe_many(
            {"text": text, "user": "ana", "session": "one"}
            for text in ("Rui has a copper kettle", "It rains again", "Sam has none", "The tram is late")
        )
        monkeypatch.setattr(Exchange, "ask", count)
        assert memory.recall("copper kettle?", "ana")
        assert len(asked) == 6
        asked.clear()
        assert memory.recall("is the tram late?", "ana")
        assert len(asked) == 5


def test_statements_beyond_the_most_that_are_prepared_are_sent_in_full() -> None:
    statements, most = PreparedStatements(), MOST_PREPARED
    names = [statements.find_name(b"SELECT %d" % (number // 4), ())[0] for number in range(4 * most + 8)]
    assert len({name for name in names if name}) == most
    assert statements.find_name(b"SELECT 0", ()) == (names[3], False)


def test_a_statement_that_could_not_be_prepared_is_prepared_the_next_time(address: str) -> None:
    opened = open_store(f"{address}&prepare=yes")
    for number in range(3):
        keep_texts(opened, f"kettle {number}")

    def fail(tables: Tables) -> None:
        # The third time and the last: the statement after the failed one is not run, nor prepared.
        rows: Any = tables.rows
        rows._exchange.ask([(type_parameters("SELECT 1 / 0", {}), {}), (type_parameters("SELECT 2", {}), {})])

    for _ in range(5):
        with pytest.raises(StoreError, match="division by zero"):
            opened.read(fail)
    for _ in range(5):
        rows = opened.read(lambda t: t.rows._exchange.ask([(type_parameters("SELECT 2", {}), {})]))  # type: ignore[attr-defined]
        assert rows[0].rows == [(2,)]
    assert len(shown_texts(opened, a_view())) == 3
    opened.close()


def test_an_interrupt_while_the_server_works_leaves_the_store_usable(store: Store) -> None:
    keep_texts(store, "A copper kettle")

    def sleep(tables: Tables) -> None:
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        rows: Any = tables.rows
        rows._exchange.ask([(type_parameters("SELECT pg_sleep(30)", {}), {})])

    with pytest.raises(KeyboardInterrupt):
        store.read(sleep)
    assert shown_texts(store, a_view()) == ["A copper kettle"]


# Search


def test_words_are_those_of_sqlites_index() -> None:
    assert list_tokens("She was RUNNING late, ação 42b e-mail") == [
        "she",
        "wa",
        "run",
        "late",
        "acao",
        "42b",
        "e",
        "mail",
    ]
    vector, length = build_word_vector(
        tenant="t", text="it's a 'quote' \\", title="Quotes", author="Ann", audience="ann"
    )
    assert length == 7
    assert set(vector.split(" ")) == {
        "'=t'", "'@ann':1", "'quot':10A,31", "'ann':19B", "'it':28", "'s':29", "'a':30",
    }  # fmt: skip


def test_a_very_long_word_is_found_whole(store: Store) -> None:
    long, other = "x" * 3000, "x" * 2999 + "y"
    keep_texts(store, long, other)
    found = store.read(lambda t: t.search.find_by_words([long], a_view(), limit=5))
    assert len(found) == 1


TEXTS = [
    "The kettle is on the shelf", "A copper kettle among many things", "kettle kettle kettle", "Nothing of that",
    "Maria bought a red lamp in Porto", "The lamp broke and the kettle boiled over", "Porto in the rain",
    "A long story about a lamp, a shelf, a kettle and the people who carried them up the hill to Porto",
]  # fmt: skip


@pytest.mark.parametrize(
    "words", [["kettle"], ["copper", "lamp"], ["porto", "rain", "shelf"], ["the", "kettle", "hill"]]
)
def test_scores_are_those_of_sqlite(store: Store, words: list[str]) -> None:
    file = open_store(":memory:")
    for one in (store, file):
        keep_records(one, *(a_record(text, title="Kettle care" if n % 3 == 0 else "") for n, text in enumerate(TEXTS)))
    ours = store.read(lambda t: t.search.find_by_words(words, a_view(), limit=9))
    theirs = file.read(lambda t: t.search.find_by_words(words, a_view(), limit=9))
    file.close()
    assert [seq for seq, _ in ours] == [seq for seq, _ in theirs]
    assert [score for _, score in ours] == pytest.approx([score for _, score in theirs], rel=1e-6)


def test_counts_of_words_are_summed_up_and_purged_words_are_gone(store: Store, address: str) -> None:
    keep_texts(store, *(f"kettle number{n}" for n in range(5)))
    places = store.read(lambda t: t.purge.of_space("home"))
    store.write(lambda t: t.purge.destroy(places[:1]))
    store.compact()
    counted = dict(ask(address, "SELECT word, records FROM toldonce.word_counts"))
    assert counted == {"": 4, "kettl": 4, "number1": 1, "number2": 1, "number3": 1, "number4": 1}


SIZE = 16


def unit_vectors(count: int) -> Any:
    vectors = np.random.default_rng(5).standard_normal((count, SIZE)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.fixture
def with_vectors(store: Store) -> tuple[Store, dict[int, Any]]:
    """A store with vectors of three people in two spaces."""
    people = ("alex", "ana", None)
    places = keep_records(
        store,
        *(a_record(f"number {n}", user=people[n % 3], space="home" if n % 2 else "work") for n in range(600)),
    )
    vectors = dict(zip(places, unit_vectors(len(places)), strict=True))
    model = store.write(lambda t: t.vectors.register_model("mini", SIZE))
    store.write(lambda t: t.vectors.put(model, [(seq, [encode_vector(v)]) for seq, v in vectors.items()]))
    return store, vectors


@pytest.mark.parametrize(
    "view", [{}, {"user": "alex"}, {"user": "nobody"}, {"kinds": ("note",)}, {"spaces": ("work",)}]
)
def test_an_index_of_vectors_finds_what_comparing_each_finds(
    with_vectors: tuple[Store, dict[int, Any]], view: dict[str, Any]
) -> None:
    store, _ = with_vectors
    exact = store.vector_search(model="mini", dimensions=SIZE)
    indexed = PostgresNearestRecords(store, model="mini", dimensions=SIZE, exact_up_to=50)
    assert indexed.index_if_many(600)
    assert not indexed.index_if_many(600), "it is there already"
    question = unit_vectors(3)[-1]
    seen = a_view(**view)
    found = {name: nearest_places(store, one, question, seen) for name, one in (("exact", exact), ("index", indexed))}
    assert len(set(found["index"]) & set(found["exact"])) >= 0.9 * len(found["exact"])
    assert len(found["index"]) == len(found["exact"])


@pytest.mark.parametrize("exact_up_to", [50, 1_000])
def test_cosines_from_the_server_are_nearly_the_exact_ones(
    with_vectors: tuple[Store, dict[int, Any]], exact_up_to: int
) -> None:
    store, vectors = with_vectors
    nearest = PostgresNearestRecords(store, model="mini", dimensions=SIZE, exact_up_to=exact_up_to)
    nearest.index_if_many(600)
    question, seen = unit_vectors(3)[-1], a_view(spaces=("home", "work"))
    found = store.read(lambda t: nearest.search(t, question, seen, limit=50, exact=False))
    assert [cosine for _, cosine in found] == sorted((cosine for _, cosine in found), reverse=True)
    assert len({seq for seq, _ in found}) == 50
    assert max(abs(cosine - float(vectors[seq] @ question)) for seq, cosine in found) < 0.002


def test_the_nearest_part_of_a_record_tells_its_cosine(store: Store) -> None:
    long, short, bare = keep_records(store, a_record("a long text"), a_record("short"), a_record("bare"))
    model = store.write(lambda t: t.vectors.register_model("mini", SIZE))
    far, near, other = unit_vectors(3)
    store.write(
        lambda t: t.vectors.put(model, [(long, [*map(encode_vector, (far, near))]), (short, [encode_vector(other)])])
    )
    nearest = store.vector_search(model="mini", dimensions=SIZE)

    def similarity(*, exact: bool) -> dict[int, float]:
        return store.read(lambda t: nearest.similarity(t, near, [long, short, bare], exact=exact))

    assert similarity(exact=False) == {}, "the model is not known yet"
    found = store.read(lambda t: nearest.search(t, near, a_view(), limit=5, exact=False))
    assert dict(found) == pytest.approx({long: 1.0, short: float(other @ near)}, abs=0.002)
    assert similarity(exact=False) == pytest.approx(similarity(exact=True), abs=0.002)


def nearest_places(store: Store, nearest: NearestRecords, question: Any, view: Any) -> list[int]:
    return [seq for seq, _ in store.read(lambda t: nearest.search(t, question, view, limit=10))]


def test_the_index_is_used_for_large_scopes_only(with_vectors: tuple[Store, dict[int, Any]]) -> None:
    store, _ = with_vectors
    nearest = PostgresNearestRecords(store, model="mini", dimensions=SIZE, exact_up_to=250)
    nearest.index_if_many(600)

    def is_large(**given: Any) -> bool:
        scope = {"model": nearest._model, "user": None, "kinds": None, "spaces": '["home", "work"]', **given}
        return store.read(lambda t: nearest._is_large(t, scope))

    store.read(nearest._catch_up)
    assert is_large()
    assert is_large(), "and is not counted again each time"
    assert not is_large(kinds='["note"]')
    assert is_large(user="alex")
    assert not is_large(user="alex", spaces='["home"]')


def test_vectors_of_another_tenant_are_not_found(address: str, with_vectors: tuple[Store, dict[int, Any]]) -> None:
    other = open_store(f"{address}&tenant=other")
    nearest = other.vector_search(model="mini", dimensions=SIZE)
    assert nearest_places(other, nearest, unit_vectors(1)[0], a_view()) == []
    other.write(lambda t: t.vectors.register_model("mini", SIZE))
    assert nearest_places(other, nearest, unit_vectors(1)[0], a_view()) == []
    other.close()


@pytest.mark.parametrize("work", [lambda t: t.rows.run("clear_words"), lambda t: t.rows.run("clear_grams")])
def test_an_index_that_does_not_match_is_found_and_made_again(store: Store, work: Callable[[Tables], object]) -> None:
    keep_texts(store, "A copper kettle", "我住在上海")
    store.write(work)
    assert [line for line in store.check(repair=False) if "does not match the records" in line]
    assert [line for line in store.check(repair=True) if line.startswith("repaired")]
    assert store.check(repair=False) == []
    assert len(store.read(lambda t: t.search.find_by_words(["kettle"], a_view(), limit=5))) == 1
    assert len(store.read(lambda t: t.search.find_by_grams(["上海"], a_view(), limit=5))) == 1


def test_errors_of_the_server_carry_no_remembered_text(store: Store) -> None:
    kept = a_record("the gate code is 4711")
    keep_records(store, kept)
    with pytest.raises(ToldonceError) as told:
        keep_records(store, kept)
    assert "4711" not in str(told.value)
    assert kept.id not in str(told.value)


# Jobs


def test_a_planned_job_that_is_due_wakes_those_who_listen(store: Store, address: str) -> None:
    """Of the same tenant, and only once it is committed; a job for later wakes nobody."""
    woken = threading.Semaphore(0)
    listener = JobListener(read_address(address), woken.release)
    assert woken.acquire(timeout=PATIENCE), "it looks once when it begins to listen"
    other = open_store(f"{address}&tenant=other")
    now = datetime.now(UTC)
    other.write(lambda t: t.jobs.put(Job(space="home", key="theirs", name="n", due_at=now)))
    store.write(lambda t: t.jobs.put(Job(space="home", key="later", name="n", due_at=now + timedelta(hours=1))))
    with pytest.raises(ZeroDivisionError):
        store.write(lambda t: t.jobs.put(Job(space="home", key="undone", name="n", due_at=now)) or 1 / 0)
    store.write(lambda t: t.jobs.put(Job(space="home", key="due", name="n", due_at=now)))
    assert woken.acquire(timeout=PATIENCE)
    assert not woken.acquire(blocking=False)
    listener.stop()
    other.close()


def test_who_listens_goes_on_after_a_lost_connection(
    store: Store, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener_module, "_REST_SECONDS", 0.01)
    woken = threading.Semaphore(0)
    listener = JobListener(read_address(address), woken.release)
    assert woken.acquire(timeout=PATIENCE)
    end_sessions(address)
    assert woken.acquire(timeout=PATIENCE), "it looks again when it is back"
    store.write(lambda t: t.jobs.put(Job(space="home", key="due", name="n", due_at=datetime.now(UTC))))
    assert woken.acquire(timeout=PATIENCE)
    listener.stop()


def test_leases_do_not_wait_for_a_long_write_nor_for_each_other(store: Store) -> None:
    now = datetime.now(UTC)
    for key in ("a", "b"):
        store.write(lambda t, key=key: t.jobs.put(Job(space="home", key=key, name="n", due_at=now)))  # type: ignore[misc]
    leased: list[Job | None] = []

    def lease(tables: Tables) -> Job | None:
        return tables.jobs.lease(["n"], now=now, lasting=timedelta(minutes=1))

    def lease_both(tables: Tables) -> None:
        leased.append(lease(tables))
        # Another worker asks while the first lease is not committed yet.
        other = threading.Thread(target=lambda: leased.append(store.write(lease, alone=False)), daemon=True)
        other.start()
        other.join(PATIENCE)

    store.write(lease_both)
    assert {job.key for job in leased if job is not None} == {"a", "b"}


def statistics_of(address: str) -> str:
    """What the server keeps of the columns of the memory, as its administrator sees it."""
    with psycopg.connect(address, autocommit=True) as connection:
        rows = connection.execute(
            "SELECT concat_ws(' ', most_common_vals::text, histogram_bounds::text, most_common_elems::text)"
            " FROM pg_stats WHERE schemaname = 'toldonce'"
        ).fetchall()
    return " ".join(row[0] for row in rows).casefold()


@pytest.mark.parametrize("others", [30, 0])
def test_an_erased_person_is_in_no_statistics_of_the_server(address: str, others: int) -> None:
    """A table that has become empty keeps its statistics through an analysis."""
    with Memory.open(address, preset="assistant", embedder=None, background=False) as memory:
        for n in range(30):
            memory.remember(
                f"The zyxqwv{n:02} of Quetzalcoatl is at home", user="ana", metadata={"place": f"zyxqwv{n}"}
            )
        for n in range(others):
            memory.remember(f"Bea keeps {n} bees in the garden", user="bea")
        run_on(address, "ANALYZE")
        assert "zyxqwv" in statistics_of(address)
        receipt = memory.erase(user="ana")
        assert "zyxqwv" not in statistics_of(address) and "quetzalcoatl" not in statistics_of(address)
        assert (receipt.traces, receipt.pending, receipt.is_complete) == ({}, (), True)
        assert ("bees" in statistics_of(address)) is bool(others)


def test_an_erasure_tells_what_an_older_transaction_still_reads(address: str) -> None:
    with Memory.open(address, preset="assistant", embedder=None, background=False) as memory:
        memory.remember("The zyxqwv is at home", user="ana")
        memory.remember("The bees are at home", user="bea")
        with psycopg.connect(address) as reader:
            reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            reader.execute("SELECT count(*) FROM toldonce.records")
            receipt = memory.erase(user="ana")
            assert not receipt.is_complete and "another transaction is reading" in receipt.pending[0]
            assert "erase_rest" in {job.name for job in memory.jobs.all()}
        assert [run.status for run in memory.tend() if run.name == "erase_rest"] == ["completed"]


def test_a_login_that_may_not_vacuum_says_what_is_left(address: str) -> None:
    with Memory.open(address, preset="assistant", embedder=None, background=False) as memory:
        memory.remember("The zyxqwv is at home", user="ana")
    run_on(
        address,
        "DO $$ BEGIN CREATE ROLE plain_app LOGIN PASSWORD 'x'; EXCEPTION WHEN duplicate_object THEN NULL; END $$",
        "GRANT toldonce_app TO plain_app",
    )
    parts = urlsplit(address)
    host = parts.netloc.rpartition("@")[2]
    plain = urlunsplit(parts._replace(netloc=f"plain_app:x@{host}"))
    with Memory.open(plain, embedder=None, background=False) as memory:
        receipt = memory.erase(user="ana")
    assert not receipt.is_complete and "may not vacuum" in receipt.pending[0]


def test_a_word_in_the_statistics_is_a_trace(address: str) -> None:
    with Memory.open(address, preset="assistant", embedder=None, background=False) as memory:
        for n in range(30):
            memory.remember(f"The zyxqwv{n:02} of Quetzalcoatl is at home", user="ana")
        run_on(address, "ANALYZE")
        assert memory.store.find_in_statistics(["Quetzalcoatl", "zyxqwv07", "xylophone"]) == {
            "Quetzalcoatl",
            "zyxqwv07",
        }


def test_a_purged_record_leaves_the_statistics_with_the_planned_job(address: str, clock: ManualClock) -> None:
    with Memory.open(address, preset="assistant", embedder=None, background=False, clock=clock) as memory:
        for n in range(30):
            memory.remember(f"Bea keeps {n} bees in the garden", user="bea")
        record = memory.remember("The zyxqwv is at home", user="ana")
        run_on(address, "ANALYZE")
        memory.purge(record.id)
        memory.purge(memory.remember("The xylophone is at home", user="ana").id)
        rest = [job for job in memory.jobs.all() if job.name == "erase_rest"]
        assert len(rest) == 1
        clock.pass_time(minutes=11)
        memory.tend()
        assert "zyxqwv" not in statistics_of(address)
