"""Both backends answer to the same query names with the same parameters, so that tables are written once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import toldonce
from toldonce.storage.named_queries import load_queries, query_parameters
from toldonce.storage.postgres.queries import load_typed_queries, type_parameters
from toldonce.storage.postgres.values import DERIVED

SQLITE = load_queries("toldonce.storage.sqlite")
POSTGRES = load_queries("toldonce.storage.postgres")
PACKAGE = Path(toldonce.__file__).parent
# What PostgreSQL is given besides: whose memory it is, and what SQLite finds in the texts by itself.
ADDED = {"tenant", "words", "length"}
# Of the database itself, or nothing to do.
OF_NO_TENANT = {
    "database_size", "purge_grams", "find_schema", "read_version", "is_standby", "lock_schema", "find_pgvector",
    "look_in", "read_login", "written_position", "has_replayed", "take_places",
    "list_tables", "list_emptied", "clear_statistics", "read_statistics",
    *(f"{step}_{table}" for step in ("stage", "clear_staged", "copy") for table in ("records", "mentions", "vectors")),
}  # fmt: skip
SHARED = sorted(SQLITE.keys() & POSTGRES.keys())


def named_in(*folders: str) -> set[str]:
    """Every query that the code of these folders may name: each text that is the name of one."""
    files = [file for folder in folders for file in (PACKAGE / folder).rglob("*.py")]
    texts = {text for file in files for text in re.findall(r'"([a-z_]+)"', file.read_text(encoding="utf-8"))}
    return texts & (SQLITE.keys() | POSTGRES.keys())


def test_every_query_of_the_tables_is_there_in_both_backends() -> None:
    wanted = named_in("storage/tables", "conformance")
    assert wanted - SQLITE.keys() == set()
    assert wanted - POSTGRES.keys() == set()


def test_what_only_one_backend_has_is_named_by_that_backend() -> None:
    assert SQLITE.keys() - POSTGRES.keys() <= named_in("storage/sqlite")
    assert POSTGRES.keys() - SQLITE.keys() <= named_in("storage/postgres")


@pytest.mark.parametrize("name", SHARED)
def test_a_query_takes_the_same_parameters_in_both_backends(name: str) -> None:
    mine, theirs = query_parameters(SQLITE[name]), query_parameters(POSTGRES[name])
    assert theirs - mine <= ADDED
    assert mine - theirs <= {"tenant"}


def test_a_parameter_that_is_added_is_made_for_its_query() -> None:
    added = {name for name in SHARED if "words" in query_parameters(POSTGRES[name])}
    assert added <= DERIVED.keys()


def test_every_query_of_postgresql_is_bound_to_a_tenant() -> None:
    """By its own condition, or by a function that takes the tenant from the transaction."""
    bound = re.compile(
        r":tenant|_places\(|count_matching\(|count_gram_matching\(|nearest_by_index\(|vector_index|index_vectors"
        r"|refresh_statistics"
    )
    free = {name for name, sql in POSTGRES.items() if not bound.search(sql)}
    assert free == OF_NO_TENANT


def test_parameters_get_their_type_and_nothing_else_is_touched() -> None:
    typed = type_parameters("SELECT ':a', x::text, :user, :at, :id::bigint, '5%' -- :no\n-- :none\n", {"at": "bigint"})
    assert typed.sql.startswith(b"SELECT ':a', x::text, %(user)s::text, %(at)s::bigint, %(id)s::bigint, '5%%'")
    assert {*typed.order} >= {"user", "at", "id"}
    assert load_typed_queries().keys() == POSTGRES.keys()


def test_a_query_that_could_see_a_new_record_is_known_as_one() -> None:
    """Records of a load are held back until such a query: functions that read their tables count too."""
    queries = load_typed_queries()
    assert queries["get_records"].sees_records and queries["search_holding"].sees_records
    assert not queries["find_aliases"].sees_records and not queries["open_conversation"].sees_records
    schema = (PACKAGE / "storage/postgres/schema.sql").read_text(encoding="utf-8")
    bodies = re.findall(r"CREATE FUNCTION (\w+)\((.*?)(?=^CREATE |^-- )", schema, re.DOTALL | re.MULTILINE)
    readers = {name for name, body in bodies if type_parameters(body, {}).sees_records}
    assert {"rank_words", "matching_places"} <= readers
    assert all(type_parameters(f"SELECT {name}(1)", {}).sees_records for name in readers)
