"""Memories of older programs come in once, as the right kinds, and what lies there is left as it was."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.conftest import ManualClock, OpenMemory
from tests.importers.older_stores import make_chroma, make_facts
from toldonce import Memory
from toldonce.errors import BadImport, InputError
from toldonce.importers.values import moment_of


@pytest.fixture
def community(open_memory: OpenMemory) -> Memory:
    return open_memory("community", space="guild")


@pytest.fixture
def companion(open_memory: OpenMemory) -> Memory:
    return open_memory("companion")


def fingerprints(folder: Path) -> dict[str, tuple[str, int]]:
    """Every file of a folder by name, with what is in it and when it was changed."""
    return {
        str(file.relative_to(folder)): (hashlib.sha256(file.read_bytes()).hexdigest(), file.stat().st_mtime_ns)
        for file in folder.rglob("*")
        if file.is_file()
    }


def test_facts_come_in_with_owner_moment_and_metadata(community: Memory, tmp_path: Path) -> None:
    brought = community.import_(make_facts(tmp_path / "bot.db"))
    assert (brought.what, brought.read, brought.kept, brought.left_out) == ("facts", 4, 3, {"empty": 1})
    record = community.recall("Austin")[0].record
    assert (record.user, record.origin, record.made_by) == ("4711", "import", "import")
    assert record.at == datetime(2025, 2, 23, 18, 30, tzinfo=UTC)
    assert record.metadata["reinforcement_count"] == 3
    assert record.metadata["imported"] == {"from": "facts", "id": "1", "type": "fact"}
    assert {(p.id, p.name) for p in community.people.all()} == {("4711", "Alex"), ("4712", "Sam")}


def test_a_second_import_brings_nothing(community: Memory, tmp_path: Path) -> None:
    place = make_facts(tmp_path / "bot.db")
    community.import_(place)
    community.forget(community.recall("Austin")[0].record.id)
    again = community.import_(place)
    assert (again.kept, again.left_out) == (0, {"here already": 3, "empty": 1})
    assert community.recall("Austin") == []


def test_a_fact_that_was_added_later_comes_with_the_next_import(community: Memory, tmp_path: Path) -> None:
    place = make_facts(tmp_path / "bot.db")
    community.import_(place)
    with closing(sqlite3.connect(place)) as database:
        database.execute("INSERT INTO facts (user_id, fact_text) VALUES (1, 'Alex bakes on Sundays')")
        database.commit()
    assert community.import_(place).kept == 1


def test_the_older_store_is_left_untouched(community: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "old"
    folder.mkdir()
    place = make_facts(folder / "bot.db")
    before = fingerprints(folder)
    community.import_(place)
    assert fingerprints(folder) == before


def test_what_stands_only_in_the_log_is_read_and_the_log_is_left_alone(community: Memory, tmp_path: Path) -> None:
    """A program that still runs has its newest facts in the write-ahead log."""
    folder = tmp_path / "old"
    folder.mkdir()
    place = make_facts(folder / "bot.db")
    with closing(sqlite3.connect(place)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("INSERT INTO facts (user_id, fact_text) VALUES (1, 'Alex sings in a choir')")
        database.commit()
        before = fingerprints(folder)
        assert "bot.db-wal" in before
        community.import_(place)
        assert fingerprints(folder) == before
    assert community.recall("choir")


@pytest.mark.parametrize(
    "table, user",
    [
        ("CREATE TABLE facts (id, user, text, created_at); INSERT INTO facts VALUES (1, 'jo', 'Jo rows', 0)", "jo"),
        ("CREATE TABLE facts (fact_id, discord_id, content); INSERT INTO facts VALUES (1, 99, 'Jo rows')", "99"),
        ("CREATE TABLE facts (fact); INSERT INTO facts VALUES ('Jo rows')", None),
    ],
)
def test_columns_may_have_other_names(community: Memory, tmp_path: Path, table: str, user: str | None) -> None:
    community.import_(make_facts(tmp_path / "bot.db", table))
    (record,) = [hit.record for hit in community.recall("rows")]
    assert (record.text, record.user) == ("Jo rows", user)


def test_the_six_older_types_become_three(companion: Memory, tmp_path: Path) -> None:
    brought = companion.import_(make_chroma(tmp_path / "chroma"), user="ana")
    assert (brought.what, brought.kept) == ("ChromaDB", 6)
    kinds = {h.record.text: h.record.kind for h in companion.timeline()}
    assert kinds == {
        "We baked bread together": "message",
        "A red car is in the yard": "message",
        "Ana is a nurse": "fact",
        "Ana prefers tea": "fact",
        "Birthday party at noon": "context",
        "Water the plants": "context",
    }


def test_metadata_of_chroma_keeps_its_types(companion: Memory, tmp_path: Path) -> None:
    companion.import_(make_chroma(tmp_path / "chroma"), user="ana")
    (hit,) = companion.recall("tea", where={"sure": 0.5})
    assert hit.record.metadata["asked"] is True
    assert (hit.record.metadata["n"], hit.record.metadata["collection"]) == (3, "memories")
    assert hit.record.at == datetime(2026, 3, 1, 8, tzinfo=UTC)


def test_what_is_over_is_not_found_but_stays_in_the_timeline(companion: Memory, tmp_path: Path) -> None:
    companion.import_(make_chroma(tmp_path / "chroma"))
    assert companion.recall("plants", min_score=0) == []
    assert [h.action for h in companion.timeline() if "plants" in h.record.text] == ["added", "expired"]


def test_the_owner_is_who_the_memory_says_else_who_the_caller_says(companion: Memory, tmp_path: Path) -> None:
    companion.import_(make_chroma(tmp_path / "chroma"), user="ana")
    owners = {h.record.text: h.record.user for h in companion.timeline()}
    assert (owners["Birthday party at noon"], owners["Ana prefers tea"]) == ("joão", "ana")


def test_types_fit_any_preset(open_memory: OpenMemory, tmp_path: Path) -> None:
    """By name, else as what a conversation would make of it, else as the default kind."""
    life = open_memory("life", file="life.db")
    life.import_(make_chroma(tmp_path / "chroma"), user="ana")
    kinds = {h.record.text: h.record.kind for h in life.timeline()}
    assert (kinds["Ana prefers tea"], kinds["Birthday party at noon"]) == ("preference", "memory")
    assert (kinds["A red car is in the yard"], kinds["Water the plants"]) == ("message", "fact")


def test_too_long_memories_are_left_out_and_counted(companion: Memory, tmp_path: Path) -> None:
    folder = make_chroma(tmp_path / "chroma", [("word " * 4000, {"type": "fact"}), ("short", {})])
    brought = companion.import_(folder)
    assert (brought.kept, brought.left_out) == (1, {"too long": 1})


def test_secrets_do_not_come_in(companion: Memory, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    companion.import_(make_chroma(tmp_path / "chroma", [(f"the token is {secret}", {"note": secret})]))
    (record,) = [h.record for h in companion.timeline()]
    assert secret not in record.text + str(record.metadata)


def test_nothing_is_imported_while_memory_is_off(companion: Memory, tmp_path: Path) -> None:
    companion.spaces.switch(on=False)
    with pytest.raises(InputError, match="switched off"):
        companion.import_(make_chroma(tmp_path / "chroma"))


@pytest.mark.parametrize(
    "make, problem",
    [
        (lambda p: p.mkdir(), "folder of no format"),
        (lambda p: None, "cannot be read"),
        (lambda p: make_facts(p, "CREATE TABLE other (x)"), "without a table `facts`"),
        (lambda p: make_facts(p, "CREATE TABLE facts (x); INSERT INTO facts VALUES (1)"), "no column for the text"),
        (lambda p: p.write_bytes(b"SQLite format 3\x00" + b"\x07" * 500), "damaged"),
        (lambda p: p.write_text("hello"), "line 1"),
        (lambda p: (p.mkdir(), make_facts(p / "chroma.sqlite3", "CREATE TABLE collections (x)")), "no ChromaDB folder"),
    ],
)
def test_what_cannot_be_imported_is_told(companion: Memory, tmp_path: Path, make: object, problem: str) -> None:
    place = tmp_path / "old"
    make(place)  # type: ignore[operator]
    with pytest.raises(BadImport, match=problem):
        companion.import_(place)


@pytest.mark.in_a_file
def test_a_memory_is_not_taken_for_an_older_store(companion: Memory, tmp_path: Path) -> None:
    with pytest.raises(BadImport, match="toldonce export"):
        companion.import_(tmp_path / "memory.db")


@pytest.mark.parametrize(
    "value, moment",
    [
        ("2026-03-02T09:00:00", datetime(2026, 3, 2, 9, tzinfo=UTC)),
        ("2026-03-02 09:00:00", datetime(2026, 3, 2, 9, tzinfo=UTC)),
        ("2026-03-02T06:00:00-03:00", datetime(2026, 3, 2, 9, tzinfo=UTC)),
        (1_772_442_000, datetime(2026, 3, 2, 9, tzinfo=UTC)),
        (1_772_442_000_000, datetime(2026, 3, 2, 9, tzinfo=UTC)),
        ("soon", None),
        (None, None),
        (True, None),
        (1e300, None),
    ],
)
def test_moments_are_read_in_every_usual_form(value: object, moment: datetime | None) -> None:
    assert moment_of(value) == moment


def test_a_memory_without_a_moment_is_of_now(companion: Memory, tmp_path: Path, clock: ManualClock) -> None:
    companion.import_(
        make_facts(tmp_path / "bot.db", "CREATE TABLE facts (fact); INSERT INTO facts VALUES ('Jo rows')")
    )
    assert [h.at for h in companion.timeline()] == [clock.now]
