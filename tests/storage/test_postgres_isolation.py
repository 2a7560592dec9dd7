"""PostgreSQL itself keeps tenants and people apart, whoever writes the query."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, LiteralString, cast
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import errors as theirs

from tests.conftest import START
from tests.postgres import Databases, address_of, run_on
from toldonce import Memory
from toldonce.errors import ToldonceError
from toldonce.operations.sealed import SealedItem
from toldonce.records import Question, Record
from toldonce.storage.store import Tables

TENANTS = ("acme", "globex", "local")
PEOPLE = ("ana", "bob", "carl")
# Guarded by their policies for the role of the application; their owner's functions read them by index.
WORD_TABLES = {"record_words", "record_grams", "word_counts"}
# A person's transactions never read these.
ENGINE_ONLY = {
    "access_keys",
    "audit_log",
    "drafts",
    "held_values",
    "record_grams",
    "record_words",
    "runs",
    "webhooks",
}
Query = Callable[..., list[tuple[Any, ...]]]


@pytest.fixture
def address(databases: Databases) -> Iterator[str]:
    taken = databases.take()
    yield taken
    databases.give_back(taken)


def open_tenant(address: str, tenant: str, **options: Any) -> Memory:
    given = {"preset": "life", "embedder": None, "background": False, **options}
    return Memory.open(f"{address}&tenant={tenant}", **given)


@pytest.fixture(scope="module")
def shared(databases: Databases) -> Iterator[str]:
    """A database in which three tenants each keep something of everybody's; no test changes what it holds."""
    address = databases.take()
    for tenant in TENANTS:
        with open_tenant(address, tenant, embedder="default") as memory:
            for person in PEOPLE:
                memory.observe(f"I am {person} of {tenant} and live in Porto, 港町", person, session="s")
                memory.remember(f"{person} of {tenant} keeps a secret", user=person, visibility="private")
                memory.remember(f"{person} of {tenant} leads the project", user=person, visibility="project")
            memory.people.add_member("ana", "owner")
            memory.remember(f"The team of {tenant} meets on Monday", user="bob", visibility="team")
            memory.settle()
            memory.tend()
            memory.keys.add("laptop", user="ana")
            memory.webhooks.add("http://127.0.0.1:9/hook", private=True)
            sealed: dict[str, Any] = {"seal": "s", "model": "m", "vector": "ADwAAAAAAAA=", "box": "Ym94"}
            memory.sealed.put([SealedItem(id=f"sealed_{who}", user=who, **sealed) for who in ("ana", "bob")])
            memory.store.write(_leave_drafts)
    yield address
    databases.give_back(address)


def _leave_drafts(tables: Tables) -> None:
    for person in PEOPLE:
        tables.ledger.put("main", person, "an answer", at=START)
        question = Question(
            id=f"question_{person}", space="main", user=person, text="Which?", older="a", newer="b", created_at=START
        )
        tables.conversations.ask(question)
        tables.held_values.hold(
            "browser", person, "a session", now=START, expires_at=START + timedelta(days=1), person=person
        )


def as_application(address: str, *, tenant: str | None, person: str | None = None) -> Query:
    """Runs one query as the role of the application, with these settings and no others."""
    settings = {"search_path": "toldonce, public"}
    if tenant is not None:
        settings |= {"toldonce.tenant": tenant, "toldonce.role": "engine" if person is None else "person"}
    if person is not None:
        settings["toldonce.person"] = person

    def query(statement: str, *values: Any, **named: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(address) as connection:
            connection.execute("SET LOCAL ROLE toldonce_app")
            for name, value in settings.items():
                connection.execute("SELECT set_config(%s, %s, true)", (name, value))
            found = connection.execute(cast(LiteralString, statement), values or named or None)
            return found.fetchall() if found.description else []

    return query


def list_tables(address: str) -> list[str]:
    rows = as_application(address, tenant=None)(
        "SELECT relname FROM pg_class WHERE relnamespace = 'toldonce'::regnamespace AND relkind IN ('r', 'p')"
        " AND NOT relispartition AND relname <> 'schema_version' ORDER BY 1"
    )
    return [row[0] for row in rows]


def count_foreign_rows(address: str) -> dict[str, int]:
    """What any tenant or person is shown in any table that is not theirs: by query, without a condition of its own."""
    return count_rows_of_tenants(address, list_tables(address)) | count_rows_of_people(address)


def count_rows_of_tenants(address: str, tables: list[str]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for tenant in TENANTS:
        counts = ", ".join(f"(SELECT count(*) FROM {table} WHERE tenant <> %(tenant)s)" for table in tables)
        [row] = as_application(address, tenant=tenant)(f"SELECT {counts}", tenant=tenant)
        found.update({f"{table} of tenants": count for table, count in zip(tables, row, strict=True)})
    return dict(+found)


# What is another person's, with the person as the only parameter.
FOREIGN = {
    "records": "SELECT count(*) FROM records AS r WHERE {not_shared}",
    "vectors": "SELECT count(*) FROM vectors AS r WHERE {not_shared}",
    "sealed_items": "SELECT count(*) FROM sealed_items AS r WHERE {not_shared}",
    "documents": "SELECT count(*) FROM documents WHERE owner NOT IN ('', %(who)s)",
    "questions": "SELECT count(*) FROM questions WHERE person <> %(who)s",
    "word_counts": "SELECT count(*) FROM word_counts WHERE word <> ''",
    **{table: f"SELECT count(*) FROM {table}" for table in sorted(ENGINE_ONLY)},
}
NOT_SHARED = (
    "r.person <> %(who)s AND (r.visibility = 'private' OR (r.visibility = 'team' AND NOT EXISTS ("
    "SELECT 1 FROM memberships AS m WHERE m.tenant = r.tenant AND m.space = r.space AND m.person = %(who)s)))"
)


def count_rows_of_people(address: str) -> dict[str, int]:
    found: Counter[str] = Counter()
    for tenant in TENANTS:
        for person in PEOPLE:
            counts = ", ".join(f"({one.format(not_shared=NOT_SHARED)})" for one in FOREIGN.values())
            [row] = as_application(address, tenant=tenant, person=person)(f"SELECT {counts}", who=person)
            found.update({f"{table} of people": count for table, count in zip(FOREIGN, row, strict=True)})
    return dict(+found)


def test_no_query_shows_rows_of_another_tenant_or_person(shared: str) -> None:
    assert count_foreign_rows(shared) == {}
    for tenant in TENANTS:
        query = as_application(shared, tenant=tenant)
        for table in ("records", "vectors", "documents", "record_words", "audit_log"):
            [(count,)] = query(f"SELECT count(*) FROM {table}")
            assert count > 0, "so that nothing found is not nothing there"


READ_POLICY = "SELECT pg_get_expr(polqual, polrelid) FROM pg_policy WHERE polname = %s AND polrelid = %s::regclass"
POLICIES_ASKED = (
    "SELECT c.relname, p.polname FROM pg_policy AS p JOIN pg_class AS c ON c.oid = p.polrelid"
    " WHERE p.polname <> 'of_tenant'"
)
POLICIES = [
    ("access_keys", "of_engine"),
    ("audit_log", "of_engine"),
    ("documents", "of_person"),
    ("drafts", "of_engine"),
    ("held_values", "of_engine"),
    ("questions", "of_person"),
    ("record_grams", "of_engine"),
    ("record_words", "of_engine"),
    ("records", "of_person"),
    ("runs", "of_engine"),
    ("sealed_items", "of_person"),
    ("vectors", "of_person"),
    ("webhooks", "of_engine"),
    ("word_counts", "of_engine"),
]


@pytest.mark.parametrize(("table", "policy"), POLICIES)
def test_without_one_of_the_policies_foreign_rows_are_shown(shared: str, table: str, policy: str) -> None:
    """So that the test above would notice."""
    [(using,)] = _as_owner(shared, READ_POLICY, policy, f"toldonce.{table}")
    run_on(shared, f"DROP POLICY {policy} ON toldonce.{table}")
    try:
        assert set(count_rows_of_people(shared)) == {f"{table} of people"}
    finally:
        restored = f"CREATE POLICY {policy} ON toldonce.{table} AS RESTRICTIVE USING ({using})"
        run_on(f"{shared}&options=-csearch_path%3Dtoldonce", restored)
    assert count_rows_of_people(shared) == {}


def test_every_policy_is_tried(shared: str) -> None:
    assert sorted(_as_owner(shared, POLICIES_ASKED)) == POLICIES


def test_with_a_policy_of_tenants_that_lets_all_pass_foreign_rows_are_shown(shared: str) -> None:
    """In every table that has rows: the policy of each is what hides those of other tenants."""
    tried = 0
    for table in list_tables(shared):
        [(tenants,)] = _as_owner(shared, f"SELECT count(DISTINCT tenant) FROM toldonce.{table}")
        [(using,)] = _as_owner(shared, READ_POLICY, "of_tenant", f"toldonce.{table}")
        run_on(shared, f"ALTER POLICY of_tenant ON toldonce.{table} USING (true)")
        try:
            assert bool(count_rows_of_tenants(shared, [table])) == (tenants > 1)
        finally:
            run_on(shared, f"ALTER POLICY of_tenant ON toldonce.{table} USING ({using})")
        tried += tenants > 1
    assert tried >= 18
    assert count_rows_of_tenants(shared, list_tables(shared)) == {}


def _as_owner(address: str, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    with psycopg.connect(address) as connection:
        return connection.execute(cast(LiteralString, statement), values or None).fetchall()


def test_every_table_is_guarded(address: str) -> None:
    rows = _as_owner(
        address,
        "SELECT c.relname, c.relrowsecurity, c.relforcerowsecurity,"
        " EXISTS (SELECT 1 FROM pg_policy AS p WHERE p.polrelid = c.oid AND p.polname = 'of_tenant'), c.relispartition"
        " FROM pg_class AS c WHERE c.relnamespace = 'toldonce'::regnamespace AND c.relkind IN ('r', 'p')"
        " AND c.relname <> 'schema_version'",
    )
    assert [name for name, is_on, _, _, _ in rows if not is_on] == []
    assert {name for name, _, is_forced, _, _ in rows if not is_forced} == WORD_TABLES
    assert [name for name, _, _, has_policy, is_partition in rows if not has_policy and not is_partition] == []
    assert sum(is_partition for *_, is_partition in rows) == 9 * 16


def test_every_key_begins_with_the_tenant(address: str) -> None:
    rows = _as_owner(
        address,
        "SELECT c.conrelid::regclass::text FROM pg_constraint AS c"
        " WHERE c.connamespace = 'toldonce'::regnamespace AND c.contype IN ('p', 'u') AND c.conkey[1] <> ("
        " SELECT a.attnum FROM pg_attribute AS a WHERE a.attrelid = c.conrelid AND a.attname = 'tenant')",
    )
    assert rows == []


def test_without_settings_nothing_is_shown(shared: str) -> None:
    query = as_application(shared, tenant=None)
    assert {table: query(f"SELECT count(*) FROM {table}") for table in list_tables(shared)} == {
        table: [(0,)] for table in list_tables(shared)
    }


def test_a_partition_cannot_be_read_behind_its_table(shared: str) -> None:
    query = as_application(shared, tenant="acme")
    for number in range(16):
        with pytest.raises(theirs.InsufficientPrivilege):
            query(f"SELECT count(*) FROM records_{number}")


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO settings (tenant, space, key, value) VALUES ('globex', 'main', 'k', 'v')",
        "UPDATE settings SET tenant = 'globex'",
        "INSERT INTO links (tenant, space, source, type, target, at) VALUES ('globex', 's', 'a', 'b', 'c', 1)",
    ],
)
def test_nothing_is_written_for_another_tenant(shared: str, statement: str) -> None:
    query = as_application(shared, tenant="acme")
    query("INSERT INTO settings (tenant, space, key, value) VALUES ('acme', 'main', 'k', 'v') ON CONFLICT DO NOTHING")
    with pytest.raises(theirs.InsufficientPrivilege, match="row-level security"):
        query(statement)


def test_nothing_of_another_tenant_is_changed_or_deleted(shared: str) -> None:
    query = as_application(shared, tenant="acme")
    before = _as_owner(shared, "SELECT tenant, count(*) FROM toldonce.records GROUP BY 1 ORDER BY 1")
    query("UPDATE records SET text = 'gone' WHERE tenant <> 'acme'")
    query("DELETE FROM records WHERE tenant <> 'acme'")
    assert _as_owner(shared, "SELECT tenant, count(*) FROM toldonce.records GROUP BY 1 ORDER BY 1") == before
    assert _as_owner(shared, "SELECT count(*) FROM toldonce.records WHERE text = 'gone'") == [(0,)]
    with pytest.raises(theirs.InsufficientPrivilege):
        query("TRUNCATE records")


def test_the_functions_of_the_word_index_tell_places_of_the_own_tenant_alone(shared: str) -> None:
    match = '{"filter": "\'port\' | \'porto\'", "terms": [{"query": "\'porto\'", "word": "porto", "phrase": false}]}'
    own = {row[0] for row in as_application(shared, tenant="acme")("SELECT seq FROM records")}
    for function in ("matching_places(%s, NULL)", "(SELECT seq FROM rank_words(%s, NULL, false))"):
        statement = f"SELECT * FROM {function} AS found"
        found = {row[0] for row in as_application(shared, tenant="acme")(statement, match)}
        assert found and found <= own
        assert as_application(shared, tenant=None)(statement, match) == []


@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_any_mix_of_operations_shows_nobody_what_is_anothers(address: str, count: int) -> None:
    """Seeded, so that every run does the same: people of three tenants talk, remember, ask, join, leave and forget."""
    rng = random.Random(17)
    memories = {tenant: open_tenant(address, tenant) for tenant in TENANTS}
    for memory in memories.values():
        memory.people.add_member("ana", "owner")
    actors = {(tenant, person): Actor(memories[tenant], tenant, person) for tenant in TENANTS for person in PEOPLE}
    kept: list[str] = []
    for number in range(count):
        actor = actors[rng.choice(TENANTS), rng.choice(PEOPLE)]
        actor.act(number, rng, kept)
        if number % (count // 5) == 0:
            assert count_foreign_rows(address) == {}
    assert {step for actor in actors.values() for step in actor.shown} >= {"recall", "timeline", "get"}
    for memory in memories.values():
        memory.close()
    assert count_foreign_rows(address) == {}


class Actor:
    """One person of a tenant who does something by chance and checks what is shown."""

    def __init__(self, memory: Memory, tenant: str, person: str) -> None:
        self.memory, self.tenant, self.person = memory, tenant, person
        self.shown: set[str] = set()

    def act(self, number: int, rng: random.Random, kept: list[str]) -> None:
        step = rng.choice(STEPS)
        if step == "observe":
            self.memory.observe(f"memo {number} of {self.tenant}", self.person, session=f"s{number % 5}")
        elif step == "remember":
            visibility = rng.choice(("private", "team", "project"))
            record = self.memory.remember(
                f"memo {number} of {self.tenant}, {visibility}", user=self.person, visibility=visibility
            )
            kept.append(record.id)
        elif step == "member":
            self._change_roles(rng)
        elif kept or step not in ("get", "forget", "history"):
            self._check(step, list(self._ask(step, rng.choice(kept or [""]))))

    def _ask(self, step: str, record_id: str) -> Iterator[Record]:
        memory, person = self.memory, self.person
        if step == "recall":
            yield from (hit.record for hit in memory.recall("memo", person, limit=50))
        elif step == "timeline":
            yield from (one.record for one in memory.timeline(person))
        elif step == "context":
            text = memory.context("memo", user=person).text
            assert [other for other in TENANTS if other != self.tenant and f"of {other}" in text] == []
        elif step == "questions":
            assert {question.user for question in memory.questions(user=person)} <= {None, person}
        else:
            with contextlib.suppress(ToldonceError):
                yield self._one(step, record_id)

    def _one(self, step: str, record_id: str) -> Record:
        if step == "history":
            return self.memory.history(record_id, user=self.person).record
        read = self.memory.get if step == "get" else self.memory.forget
        return read(record_id, user=self.person)

    def _change_roles(self, rng: random.Random) -> None:
        other, role = rng.choice(PEOPLE), rng.choice(("owner", "admin", "member"))
        with contextlib.suppress(ToldonceError):
            if rng.random() < 0.5:
                self.memory.people.add_member(other, role, by=self.person)
            else:
                self.memory.people.remove_member(other, by=self.person)

    def _check(self, step: str, records: list[Record]) -> None:
        roles = self.memory.people.members()
        allowed = {None, self.person}
        assert [
            record
            for record in records
            if record.tenant != self.tenant
            or (record.visibility == "private" and record.user not in allowed)
            or (record.visibility == "team" and record.user not in allowed and self.person not in roles)
        ] == []
        if records:
            self.shown.add(step)


STEPS = "observe remember remember recall context get history forget timeline questions member".split()


# Logins

PLAIN, OWNER = "toldonce_test_plain", "toldonce_test_owner"


@pytest.fixture
def logins(databases: Databases) -> Iterator[Callable[[str, str], str]]:
    """The address of a database as another login, made when it is first asked for."""

    def log_in(address: str, name: str) -> str:
        exists = "SELECT 1 FROM pg_roles WHERE rolname = %s"
        if not _as_owner(address, exists, name):
            run_on(address, f"CREATE ROLE {name} LOGIN")
        parts = urlsplit(address)
        host = parts.netloc.rpartition("@")[2]
        return urlunsplit(parts._replace(netloc=f"{name}@{host}"))

    yield log_in
    server = databases.take()
    for name in (PLAIN, OWNER):
        if _as_owner(server, "SELECT 1 FROM pg_roles WHERE rolname = %s", name):
            run_on(server, f"DROP ROLE {name}")
    databases.give_back(server)


def test_a_plain_login_needs_only_the_role_of_the_application(address: str, logins: Callable[[str, str], str]) -> None:
    plain = logins(address, PLAIN)
    with pytest.raises(ToldonceError, match="`GRANT toldonce_app TO` this login"):
        open_tenant(plain, "acme")
    run_on(address, f"GRANT toldonce_app TO {PLAIN}")
    with open_tenant(plain, "acme") as memory:
        memory.observe("I live in Porto", "ana")
        assert memory.recall("where do I live", "ana")
        assert memory.storage.check() == []


@pytest.fixture
def owned(address: str, logins: Callable[[str, str], str]) -> Iterator[str]:
    """A database whose owner may not create roles."""
    owner = logins(address, OWNER)
    run_on(address, f"CREATE DATABASE toldonce_test_owned OWNER {OWNER}")
    try:
        run_on(address_of(address, "toldonce_test_owned"), "CREATE EXTENSION vector")
        yield address_of(owner, "toldonce_test_owned")
    finally:
        run_on(address, "DROP DATABASE toldonce_test_owned WITH (FORCE)")


def test_an_owner_who_may_not_create_roles_is_bound_by_the_policies_too(owned: str) -> None:
    for tenant in ("acme", "globex"):
        with open_tenant(owned, tenant) as memory:
            memory.observe("I live in Porto", "ana")
            assert len(memory.recall("where do I live", "ana")) == 1
    with psycopg.connect(owned) as connection:
        connection.execute("SELECT set_config('toldonce.tenant', 'acme', true)")
        for table in ("records", "record_words", "word_counts", "spaces"):
            found = connection.execute(cast(LiteralString, f"SELECT DISTINCT tenant FROM toldonce.{table}"))
            shown = [] if table == "records" else [("acme",)]
            assert found.fetchall() == shown, "and what is private to ana is nobody's without a role"


def test_a_restored_dump_gets_the_rights_of_the_application_back(
    address: str, logins: Callable[[str, str], str]
) -> None:
    """On another server nobody has made the role, so that a restore leaves out every right and policy that names it."""
    with open_tenant(address, "acme") as memory:
        memory.observe("I live in Porto", "ana")
    words = ("record_words", "record_grams", "word_counts")
    run_on(address, *(f"DROP POLICY of_engine ON toldonce.{table}" for table in words), "DROP OWNED BY toldonce_app")
    with open_tenant(address, "acme") as memory:
        assert memory.recall("where do I live", "ana")
        memory.observe("I moved to Braga", "ana")
    assert sorted(_as_owner(address, POLICIES_ASKED)) == POLICIES
    assert as_application(address, tenant="globex")("SELECT count(*) FROM records") == [(0,)]


def test_an_owner_who_gets_the_role_later_works_as_the_application(address: str, owned: str) -> None:
    open_tenant(owned, "acme").close()
    run_on(address, f"GRANT toldonce_app TO {OWNER}")
    with open_tenant(owned, "acme") as memory:
        memory.observe("I live in Porto", "ana")
        assert memory.recall("where do I live", "ana")
    forced = "SELECT relforcerowsecurity FROM pg_class WHERE oid = 'toldonce.record_words'::regclass"
    assert _as_owner(owned, forced) == [(False,)], "so that searching by words uses its index"
