"""A memory moves from a file to PostgreSQL and back, whole, and both places are compared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from recollect import InputError, Memory
from recollect.cli.main import cli
from recollect.conformance.samples import a_record, keep_records
from recollect.errors import StoreError
from recollect.operations import moving
from recollect.storage.open import open_store
from recollect.storage.store import Tables
from tests.conftest import START, ManualClock
from tests.postgres import Databases


@pytest.fixture
def database(databases: Databases) -> Iterator[str]:
    taken = databases.take()
    yield taken
    databases.give_back(taken)


@pytest.fixture
def file(tmp_path: Path, clock: ManualClock) -> str:
    """A memory with something of every type."""
    place = str(tmp_path / "memory.db")
    with Memory.open(place, "assistant", embedder=None, background=False, clock=clock) as memory:
        memory.people.add_member("ana", "owner")
        for text in (
            "I live in Porto with Maria Silva",
            "I moved to Lisbon yesterday",
            "\u6211\u4f4f\u5728\u4e0a\u6d77",
        ):
            memory.observe(text, "ana", session="s", display_name="Ana")
        old = memory.remember("Ana is vegetarian", user="ana")
        memory.correct(old.id, "Ana is vegan")
        memory.forget(memory.remember("Ana likes tea", user="ana").id)
        clock.pass_time(hours=3)
        memory.settle()
        memory.tend()
    return place


def run(*words: str) -> Any:
    return CliRunner().invoke(cli, list(words))


def test_a_memory_moves_to_postgresql_and_back(file: str, database: str, tmp_path: Path, clock: ManualClock) -> None:
    back = str(tmp_path / "back.db")
    assert "Nothing was moved yet" in run("move", file, database, "--preview").output
    for source, target in ((file, database), (database, back)):
        done = run("move", source, target)
        assert done.exit_code == 0 and "the same in both places" in done.output, done.output
    assert "was there already" in run("move", file, database).output
    for place in (database, back):
        with Memory.open(place, embedder=None, background=False, clock=clock) as memory:
            assert memory.recall("where does Ana live", "ana")[0].record.user == "ana"
            assert memory.people.members() == {"ana": "owner"}
            assert memory.storage.check() == []
            memory.observe("I go on as before", "ana", session="t")


def test_a_move_that_was_cut_short_is_done_again(file: str, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise StoreError("the connection broke")

    source, target = open_store(file), open_store(database)
    with monkeypatch.context() as patch:
        patch.setattr(moving, "import_lines", fail)
        with pytest.raises(StoreError, match="broke"):
            moving.move_memory(source, target, now=START)
    assert {one.rows for one in target.read(moving.sum_tables).values()} == {0}
    assert moving.move_memory(source, target, now=START).was_there is False
    assert moving.move_memory(source, target, now=START).was_there is True
    source.close()
    target.close()


def test_what_differs_after_a_move_is_told(file: str, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = open_store(file), open_store(database)
    take = moving.import_lines

    def lose_one(*given: Any, **named: Any) -> Any:
        taken = take(*given, **named)

        def lose(tables: Tables) -> None:
            tables.people.drop_member("main", "ana")

        target.write(lose)
        return taken

    monkeypatch.setattr(moving, "import_lines", lose_one)
    with pytest.raises(StoreError, match=r"differs from what was sent: member \(1 sent, 0 there\)"):
        moving.move_memory(source, target, now=START)
    source.close()
    target.close()


def test_two_memories_are_not_mixed(file: str, database: str) -> None:
    with Memory.open(database, "assistant", embedder=None, background=False) as memory:
        memory.remember("Bo keeps bees", user="bo")
    done = run("move", file, database)
    assert done.exit_code != 0 and "holds 1 records of another memory" in done.output


def test_a_secret_stops_a_move_until_it_is_said(file: str, database: str) -> None:
    store = open_store(file)
    secret = "ghp_" + "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2"
    record = a_record(f"the token is {secret}", space="main")
    keep_records(store, record)
    store.close()
    assert "1 records seem to hold a secret" in run("move", file, database, "--preview").output
    done = run("move", file, database)
    assert done.exit_code != 0 and record.id in done.output and secret not in done.output
    assert run("move", file, database, "--with-secrets").exit_code == 0


def test_a_source_that_is_not_there_is_not_made(tmp_path: Path, database: str) -> None:
    done = run("move", str(tmp_path / "none.db"), database)
    assert done.exit_code != 0 and "there is no memory at" in done.output
    assert not (tmp_path / "none.db").exists()
    with pytest.raises(InputError, match="cannot open"):
        open_store("mysql://x")
