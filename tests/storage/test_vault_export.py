"""An export for Obsidian or mem0 holds what is known now, in files that these programs read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import OpenMemory
from toldonce import Memory
from toldonce.errors import InputError


@pytest.fixture
def lived(open_memory: OpenMemory) -> Memory:
    memory = open_memory("assistant")
    memory.observe("oi, a Clara foi comigo a Sintra", user="rui", session="1", display_name="Rui/F")
    memory.observe("Clara liked Sintra a lot", user="rui", session="1")
    memory.remember("Clara is Rui's sister [[evil]]", kind="fact", user="rui")
    old = memory.remember("Rui lives in Braga", kind="fact", user="rui")
    memory.forget(old.id)
    return memory


def test_a_vault_links_people_topics_and_days(lived: Memory, tmp_path: Path) -> None:
    count = lived.export(tmp_path / "vault", format="obsidian")
    notes = {
        file.relative_to(tmp_path / "vault").as_posix(): file.read_text("utf-8") for file in tmp_path.rglob("*.md")
    }
    day = next(name for name in notes if name.startswith("days/"))
    assert count == 3
    assert set(notes) >= {"people/Rui F.md", day, "topics/Clara.md"}
    assert "[[people/Rui F|Rui/F]]" in notes[day]
    assert "- [[topics/Clara|Clara]] is " in notes["people/Rui F.md"]
    assert "\\[\\[evil\\]\\]" in notes["people/Rui F.md"]
    assert notes["people/Rui F.md"].startswith('---\ntype: people\ntitle: "Rui/F"\n---\n')
    assert not any("Braga" in text for text in notes.values())


@pytest.mark.parametrize("name", ["con", "NUL", "com1", "aux.d"])
def test_no_note_is_named_as_a_device(open_memory: OpenMemory, tmp_path: Path, name: str) -> None:
    """Windows has no files of these names."""
    memory = open_memory()
    memory.remember("likes tea", kind="fact", user=name)
    memory.export(tmp_path / "vault", format="obsidian")
    assert [file.stem for file in (tmp_path / "vault" / "people").iterdir()] == [f"_{name}"]


def test_a_vault_replaces_no_folder_and_leaves_no_part(lived: Memory, tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    with pytest.raises(InputError, match="is there already"):
        lived.export(tmp_path / "vault", format="obsidian")
    assert [file.name for file in tmp_path.iterdir() if file.is_dir()] == ["vault"]


def test_mem0_json_is_what_the_importer_reads(lived: Memory, open_memory: OpenMemory, tmp_path: Path) -> None:
    assert lived.export(tmp_path / "all.json", format="mem0") == 1
    found = json.loads((tmp_path / "all.json").read_text("utf-8"))["results"]
    assert [(one["memory"], one["user_id"]) for one in found] == [("Clara is Rui's sister [[evil]]", "rui")]
    other = open_memory("assistant", file="other.db")
    brought = other.import_(tmp_path / "all.json")
    assert (brought.what, brought.kept) == ("mem0", 1)


def test_an_erasure_names_the_vault_that_still_exists(lived: Memory, tmp_path: Path) -> None:
    lived.export(tmp_path / "vault", format="obsidian")
    assert [copy.path for copy in lived.erase(user="rui").copies] == [str(tmp_path / "vault")]
