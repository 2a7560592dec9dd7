"""`toldonce import` in a fresh folder, as docs/import.md describes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.importers import samples
from tests.importers.format_samples import SAMPLES
from tests.importers.samples import write_json
from tests.shell import Shell
from toldonce.operations import importing


def mapping_of(name: str) -> list[str]:
    columns = SAMPLES[name].options.get("columns", {})
    return ["--map", ",".join(f"{field}={column}" for field, column in columns.items())] if columns else []


@pytest.mark.parametrize("name", SAMPLES)
def test_a_format_is_previewed_imported_and_found_from_the_command_line(shell: Shell, name: str) -> None:
    place = str(SAMPLES[name].make(shell.folder))
    told = shell("import", place, "--user", "ana", "--preview", *mapping_of(name)).stdout
    assert f"of {name} from {place}: {SAMPLES[name].kept} would be new." in told
    assert not list(shell.folder.rglob("*.db"))
    shell("import", place, "--user", "ana", *mapping_of(name))
    again = shell("import", place, "--user", "ana", *mapping_of(name)).stdout
    assert ": 0 are new." in again
    assert f"Left out {SAMPLES[name].kept}: here already." in again


def test_a_table_of_rows_with_times_in_the_documented_mapping(shell: Shell) -> None:
    (shell.folder / "facts.csv").write_text("body,author,written_on\nhates coriander,ana,2025-03-02\n", "utf-8")
    told = shell("import", "facts.csv", "--map", "text=body,user=author,at=written_on").stdout
    assert "1 are new" in told
    assert "hates coriander" in shell("recall", "coriander", "--user", "ana").stdout


def test_a_row_may_leave_out_what_is_not_needed(shell: Shell) -> None:
    (shell.folder / "facts.jsonl").write_text(
        '{"body": "likes tea"}\n{"body": "likes rye", "by": "rui"}\n{"by": "x"}\n'
    )
    told = shell("import", "facts.jsonl", "--map", "text=body,user=by").stdout
    assert "2 are new" in told
    assert "Problem: line 3: a row without a text." in told


def test_a_quota_in_the_middle_says_what_was_kept_and_what_to_do(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "_MESSAGES_PER_WRITE", 2)
    write_json(shell.folder / "conversations.json", samples.chatgpt_conversations())
    shell("init", "--preset", "assistant")
    shell("quota", "--records-per-space", "4")
    told = shell("import", "conversations.json", "--user", "ana", code=2).stderr
    assert "may store at most 4 records and has 3: purge some, or raise the quota" in told
    assert "3 items of chatgpt were imported before this and are kept: run the same import again" in told
    shell("quota", "--records-per-space", "100")
    assert "2 are new" in shell("import", "conversations.json", "--user", "ana").stdout


def test_a_file_that_nobody_recognises_says_what_to_do(shell: Shell) -> None:
    (shell.folder / "rows.jsonl").write_text('{"body": "likes tea"}\n', encoding="utf-8")
    assert "its format with --format, or the columns" in shell("import", "rows.jsonl", code=2).stderr
    told = shell("import", "rows.jsonl", "--map", "text=words", code=2).stderr
    assert "say which column holds the text, with --map text=COLUMN: there are body\n" in told
    (shell.folder / "empty").mkdir()
    assert "name the file or folder that the other program wrote" in shell("import", "empty", code=2).stderr


def test_a_file_that_brings_nothing_makes_no_memory(shell: Shell) -> None:
    """A memory has its preset for ever, and this one would have that of a file that nobody could read."""
    (shell.folder / "chat.txt").write_bytes("12/03/2025, 14:05 - Zé: olá\n".encode("latin-1"))
    assert "no UTF-8 text" in shell("import", "chat.txt", code=2).stderr
    (shell.folder / "facts.csv").write_text("text\nlikes tea\n", encoding="utf-8")
    told = shell("import", "facts.csv", "--map", "txet=text", code=2).stderr
    assert told.rstrip().endswith("choose from text, user, at, id, name, kind, session, role")
    (shell.folder / "none.json").write_text("", encoding="utf-8")
    assert "none.json is empty" in shell("import", "none.json", code=2).stderr
    shell("journal", ".", code=2)
    assert not list(shell.folder.rglob("*.db"))
    assert "preset assistant" in shell("import", "facts.csv").stderr
    assert "no UTF-8 text" in shell("import", "chat.txt", code=2).stderr


def test_one_note_is_imported_by_its_name(shell: Shell) -> None:
    (shell.folder / "Bread.md").write_text("Rye needs a long rest.\n", encoding="utf-8")
    assert "Read 1 item of notes from Bread.md: 1 are new." in shell("import", "Bread.md").stdout


def test_one_damaged_file_of_many_does_not_stop_the_others(shell: Shell) -> None:
    folder = samples.make_slack(shell.folder / "slack")
    (folder / "general" / "2025-03-02.json").write_text('[{"type": "message", ', encoding="utf-8")
    told = shell("import", "slack").stdout
    assert "1 are new" in told
    assert "Problem: general/2025-03-02.json, line 1: the file ends in the middle of a value" in told


def test_an_archive_that_is_cut_short_is_an_error_that_says_so(shell: Shell) -> None:
    write_json(shell.folder / "x" / "conversations.json", samples.chatgpt_conversations())
    packed = samples.pack(shell.folder / "x", shell.folder / "export.zip")
    Path(packed).write_bytes(Path(packed).read_bytes()[:-40])
    assert "export.zip cannot be read" in shell("import", "export.zip", code=2).stderr
