"""`toldonce journal FOLDER` in a fresh folder: dated notes come in, edits replace, and what is gone is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shell import Shell


@pytest.fixture
def diary(shell: Shell) -> Path:
    folder = shell.folder / "diary"
    (folder / "2025").mkdir(parents=True)
    (folder / "2025" / "2025-03-02.md").write_text("I live in Braga\n\n# Food\nsou vegetariana\n", encoding="utf-8")
    (folder / "trip.md").write_text("---\ndate: 2025-03-05\n---\nvoy a Sevilla en junio\n", encoding="utf-8")
    return folder


def test_a_folder_is_read_once_and_found(shell: Shell, diary: Path) -> None:
    told = shell("journal", "diary", "--user", "ana", "--preview").stdout
    assert "Read 2 notes from diary: new entries 3, here already 0." in told
    assert not list(shell.folder.glob("*.db"))
    told = shell("journal", "diary", "--user", "ana").stdout
    assert "new entries 3, here already 0" in told
    assert "Days: 2025-03-02 to 2025-03-05." in told
    assert "new entries 0, here already 3" in shell("journal", "diary", "--user", "ana").stdout
    shell("tend")
    assert "Braga" in shell("recall", "where do I live", "--user", "ana").stdout


def test_an_edited_note_replaces_and_a_removed_one_is_forgotten_with_prune(shell: Shell, diary: Path) -> None:
    shell("journal", "diary", "--user", "ana")
    note = diary / "2025" / "2025-03-02.md"
    note.write_text(note.read_text(encoding="utf-8").replace("Braga", "Porto"), encoding="utf-8")
    (diary / "trip.md").unlink()
    told = shell("journal", "diary", "--user", "ana").stdout
    assert "new entries 1, here already 1" in told
    assert "Changed notes replaced 1 entry." in told
    assert "No longer in the folder: trip.md (1 note); forget them with --prune." in told
    assert "Sevilla" in shell("recall", "Sevilla", "--user", "ana").stdout
    value = shell.json("journal", "diary", "--user", "ana", "--prune")
    assert (value["removed"], value["forgotten"]) == (["trip.md"], 1)
    assert "Sevilla" not in shell("recall", "Sevilla", "--user", "ana").stdout
    assert shell.json("journal", "diary", "--user", "ana")["removed"] == []


def test_the_end_of_a_name_may_be_in_capitals(shell: Shell, diary: Path) -> None:
    (diary / "2025-03-06.MD").write_text("comprei uma bicicleta", encoding="utf-8")
    assert shell.json("journal", "diary", "--user", "ana")["notes"] == 3
    assert shell.json("import", "diary", "--user", "ana", "--format", "notes", "--preview")["read"] == 4


@pytest.mark.parametrize("name", ["2025_03_08.md", "20250308.md", "2025.03.08.md", "diary 20250308 evening.md"])
def test_days_are_written_in_many_ways(shell: Shell, name: str) -> None:
    (shell.folder / "notes").mkdir()
    (shell.folder / "notes" / name).write_text("comprei uma bicicleta", encoding="utf-8")
    assert "2025-03-08" in shell("journal", "notes", "--user", "ana").stdout


def test_what_cannot_be_read_is_named_and_the_rest_comes_in(shell: Shell, diary: Path) -> None:
    (diary / "ideas.md").write_text("no day at all", encoding="utf-8")
    (diary / "2025-03-09.md").write_bytes("não".encode("latin-1"))
    (diary / "2999-01-01.md").write_text("from the future", encoding="utf-8")
    told = shell("journal", "diary", "--user", "ana").stdout
    assert "new entries 3, here already 0" in told
    assert "Problem: ideas.md: without a day: name it like 2026-03-02.md" in told
    assert "Problem: 2025-03-09.md: this is no UTF-8 text." in told
    assert "Problem: 2999-01-01.md: a journal is about days that have come: 2999-01-01 lies ahead." in told


def test_a_note_that_became_unreadable_is_not_taken_for_a_removed_one(shell: Shell, diary: Path) -> None:
    shell("journal", "diary", "--user", "ana")
    (diary / "trip.md").write_bytes(b"\xff\xfe\xff")
    assert shell.json("journal", "diary", "--user", "ana", "--prune")["forgotten"] == 0


def test_it_says_what_is_missing(shell: Shell) -> None:
    (shell.folder / "empty").mkdir()
    assert "there are no notes in empty" in shell("journal", "empty", "--user", "ana", code=2).stderr
    assert "say whose journal it is, with --user NAME" in shell("journal", "empty", code=2).stderr
    assert "does not exist" in shell("journal", "nowhere", "--user", "ana", code=2).stderr
