"""Exports write a doubted record under the newer one, and a memory that is carried elsewhere keeps the doubt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory
from toldonce.records import Record
from toldonce.storage import lifecycle

UNDER = "  - earlier, 2026-03-02: Alex lives in Porto (probably over since 2026-03-12)"


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant")


@pytest.fixture
def pair(memory: Memory, clock: ManualClock) -> tuple[Record, Record]:
    porto = memory.remember("Alex lives in Porto", "fact", user="alex")
    clock.pass_time(days=10)
    gaia = memory.remember("Alex moved to Gaia", "fact", user="alex")
    at = memory.clock()
    assert memory.store.write(lambda t: lifecycle.doubt_record(t, porto, gaia, at=at, reason="a newer word"))
    return porto, gaia


def test_a_vault_has_the_doubted_record_under_the_newer_one(
    memory: Memory, pair: tuple[Record, Record], tmp_path: Path
) -> None:
    assert memory.export(tmp_path / "vault", format="obsidian") == 1
    lines = (tmp_path / "vault" / "people" / "alex.md").read_text("utf-8").splitlines()
    place = lines.index(UNDER)
    assert "moved to Gaia" in lines[place - 1]
    assert sum("Porto" in line for line in lines) == 1


def test_mem0_gets_what_counts_alone(memory: Memory, pair: tuple[Record, Record], tmp_path: Path) -> None:
    memory.export(tmp_path / "mem0.json", format="mem0")
    results = json.loads((tmp_path / "mem0.json").read_text("utf-8"))["results"]
    assert [one["memory"] for one in results] == ["Alex moved to Gaia"]


def test_a_readable_export_says_by_what_it_is_probably_ended(
    memory: Memory, pair: tuple[Record, Record], tmp_path: Path
) -> None:
    memory.export(tmp_path / "all.md", format="markdown")
    written = (tmp_path / "all.md").read_text("utf-8")
    assert "not current: doubted" in written and f"probably ended by {pair[1].id}" in written
    memory.export(tmp_path / "all.json", format="json")
    rows = json.loads((tmp_path / "all.json").read_text("utf-8"))["records"]
    older = next(row for row in rows if row["id"] == pair[0].id)
    assert (older["state"], older["is_current"], older["superseded_at"]) == ("doubted", False, None)


def test_an_import_keeps_the_doubt_and_what_was_decided(
    memory: Memory, pair: tuple[Record, Record], open_memory: OpenMemory, tmp_path: Path
) -> None:
    memory.export(tmp_path / "all.jsonl")
    copy = open_memory("assistant", file="copy.db")
    copy.import_(tmp_path / "all.jsonl")
    [hit] = copy.recall("Porto Gaia", "alex", min_score=0)
    assert (hit.record.id, [one.id for one in hit.doubted]) == (pair[1].id, [pair[0].id])
    copy.restore(pair[0].id)
    copy.export(tmp_path / "again.jsonl")
    last = open_memory("assistant", file="last.db")
    last.import_(tmp_path / "again.jsonl")
    assert not last.store.read(lambda t: lifecycle.may_judge(t, pair[1], pair[0]))
