"""What goes wrong is told in one line that says what to do, with the exit code that docs/cli.md promises."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import apsw
import click
import pytest

from toldonce import errors
from toldonce.cli.main import _run_guarded, exit_code

BAD_INPUT = [
    pytest.param(("remember", ""), "no text to remember", id="empty text"),
    pytest.param(("remember", " \n"), "no text to remember", id="blank text"),
    pytest.param(("observe", ""), "no text to remember", id="empty message"),
    pytest.param(("remember", "x" * 1_000_000), "split it", id="too long"),
    pytest.param(("remember", "x", "--kind", "wish"), "has no kind 'wish'", id="wrong kind"),
    pytest.param(("remember", "x", "--kind", "note"), "written by system", id="a kind that people do not write"),
    pytest.param(("remember", "x", "--source", "msg_0"), "'msg_0' is not a record here", id="missing source"),
    pytest.param(("recall", "x", "--kind", "wish"), "has no kind 'wish'", id="recall of a wrong kind"),
    pytest.param(("recall", "x", "--user", ""), "it is blank", id="blank user"),
    pytest.param(("context", "x", "-u", " "), "it is blank", id="blank user of a block"),
    pytest.param(("tool", "search_memory", "{}", "-u", ""), "it is blank", id="blank user of a tool"),
    pytest.param(("erase", "-u", "", "--yes"), "it is blank", id="erase of a blank user"),
    pytest.param(("people", "block", ""), "it is blank", id="block of a blank user"),
    pytest.param(("recall", ""), "nothing to look for", id="empty question"),
    pytest.param(("recall", "x", "--limit", "0"), "'--limit'", id="limit of nothing"),
    pytest.param(("recall", "x", "--min-score", "2"), "'--min-score'", id="score over one"),
    pytest.param(("recall", "x", "--since", "someday"), "2026-05-03T14:30", id="no time"),
    pytest.param(("recall", "x", "--where", "alone"), "key=value", id="no pair"),
    pytest.param(("recall",), "QUERY", id="missing argument"),
    pytest.param(("recal", "x"), "did you mean 'recall'?", id="misspelt command"),
    pytest.param(("recall", "x", "--colour"), "--colour", id="unknown option"),
    pytest.param(("reembed",), "no embedder", id="vectors without an embedder"),
    pytest.param(("history", "fact_0"), "no record 'fact_0'", id="missing record"),
    pytest.param(("confirm", "fact_0"), "no record 'fact_0'", id="confirm a missing record"),
    pytest.param(("correct", "fact_0", "x"), "no record 'fact_0'", id="correct a missing record"),
    pytest.param(("flag", "fact_0"), "no record 'fact_0'", id="flag a missing record"),
    pytest.param(("pin", "fact_0"), "no record 'fact_0'", id="pin a missing record"),
    pytest.param(("unpin", "fact_0"), "no record 'fact_0'", id="unpin a missing record"),
    pytest.param(("forget", "fact_0"), "no record 'fact_0'", id="forget a missing record"),
    pytest.param(("restore", "fact_0"), "no record 'fact_0'", id="restore a missing record"),
    pytest.param(("purge", "fact_0", "--yes"), "no record 'fact_0'", id="purge a missing record"),
    pytest.param(("why-not", "fact_0", "x"), "no record 'fact_0'", id="why not a missing record"),
    pytest.param(("answer", "q_0", "yes"), "no question 'q_0'", id="answer a missing question"),
    pytest.param(("spaces", "off", "attic"), "no space 'attic'", id="missing space"),
    pytest.param(("spaces", "add", "work", "--preset", "wizard"), "no preset 'wizard'", id="wrong preset"),
    pytest.param(("spaces", "add", "work", "--zone", "Mars/Base"), "time zone 'Mars/Base'", id="wrong zone"),
    pytest.param(("presets", "wizard"), "no preset 'wizard'", id="unknown preset"),
    pytest.param(("presets", "--check", "absent.toml"), "absent.toml cannot be read", id="missing preset file"),
    pytest.param(("backup", "memory.db"), "is there already", id="backup over the memory"),
    pytest.param(("export", "memory.db", "--force"), "is the memory itself", id="export over the memory"),
    pytest.param(("completion", "tcsh"), "tcsh", id="unknown shell"),
]


@pytest.mark.parametrize("args, message", BAD_INPUT)
def test_bad_input_is_told_in_one_line_and_changes_nothing(made: Any, args: tuple[str, ...], message: str) -> None:
    before = made.json("stats")["kinds"]
    said = made(*args, code=2)
    assert said.stdout == "" and said.stderr.startswith("error: ") and message in said.stderr
    assert said.stderr.count("\n") == 1 and "Traceback" not in said.stderr
    assert made.json("stats")["kinds"] == before


@pytest.mark.parametrize("args, message", BAD_INPUT)
def test_bad_input_is_one_json_document_when_asked(made: Any, args: tuple[str, ...], message: str) -> None:
    told = made.json(*args, code=2)["error"]
    assert message in told["message"] and told["type"] in {*dir(errors), "UsageError"}


def test_init_refuses_a_wrong_preset_or_zone_and_leaves_nothing(shell: Any) -> None:
    assert "no preset 'wizard'" in shell("init", "--preset", "wizard", code=2).stderr
    assert "time zone" in shell("init", "--zone", "Mars/Base", code=2).stderr
    assert not (shell.folder / "toldonce.toml").exists()


def test_a_text_that_is_no_text_is_refused(made: Any) -> None:
    assert "not UTF-8" in made("remember", "\udcff", code=2).stderr
    assert "line 2 of standard input is not UTF-8" in made("observe", input=b"fine\n\xff\n", code=2).stderr
    assert made.json("stats")["kinds"] == {}


@pytest.mark.parametrize(
    "line, message",
    [
        ("not json", "line 2 of standard input is not JSON"),
        ("[1]", "line 2 of standard input must be a table with a text"),
        ('{"text": "x", "colour": 1}', "line 2 of standard input: unknown key 'colour'"),
    ],
)
def test_a_wrong_json_line_is_named_and_nothing_is_kept(made: Any, line: str, message: str) -> None:
    assert message in made("observe", "--jsonl", input=f'{{"text": "fine"}}\n{line}\n', code=2).stderr
    assert made.json("stats")["kinds"] == {}


def test_a_bad_line_among_many_is_told_with_what_is_kept_already(made: Any) -> None:
    lines = [f"line {number}" for number in range(1, 1_300)]
    lines[1] = ""
    lines[1_100] = "x" * 4_000_000
    said = made("observe", input="\n".join(lines), code=2).stderr
    assert "line 1101 of standard input: " in said and "split it" in said
    assert "lines 1 to 1001 are kept, go on with line 1002" in said
    assert made.json("stats")["kinds"]["message"] == {"active": 1_000}
    bad = json.dumps({"text": "A tram", "at": "soon"})
    said = made("observe", "--jsonl", input=f'{{"text": "A bus"}}\n{bad}\n', code=2).stderr
    assert "line 2 of standard input: not a time" in said and "kept" not in said


def test_empty_standard_input_is_told(made: Any) -> None:
    assert "standard input was empty" in made("observe", input="\n\n", code=2).stderr


STORE_PROBLEMS = [
    pytest.param(
        lambda p: p.write_bytes(b"Dear diary, today I wrote no database."), "not a Toldonce memory", id="text"
    ),
    pytest.param(lambda p: foreign(p), "not a Toldonce memory", id="foreign database"),
    pytest.param(lambda p: newer(p), "newer Toldonce", id="newer schema"),
    pytest.param(lambda p: damaged(p), "damaged", id="damaged"),
    pytest.param(lambda p: p.mkdir(), "not a file", id="folder"),
]


@pytest.mark.parametrize("spoil, message", STORE_PROBLEMS)
@pytest.mark.parametrize("args", [("recall", "tabs"), ("remember", "x"), ("stats",)])
def test_a_file_that_cannot_be_used_is_left_as_it_is(
    made: Any, spoil: Any, message: str, args: tuple[str, ...]
) -> None:
    place = made.folder / "spoilt.db"
    spoil(place)
    before = place.read_bytes() if place.is_file() else None
    said = made("--place", "spoilt.db", *args, code=3)
    assert message in said.stderr and said.stderr.count("\n") == 1 and said.stdout == ""
    assert (place.read_bytes() if place.is_file() else None) == before
    assert made.json("--place", "spoilt.db", *args, code=3)["error"]["message"] == said.stderr[len("error: ") : -1]


def test_a_folder_that_cannot_be_written_is_told(made: Any) -> None:
    assert "cannot be written" in made("--place", str(unwritable(made.folder) / "x.db"), "remember", "x", code=3).stderr


def test_a_folder_that_is_not_there_is_told(made: Any) -> None:
    assert "create it first" in made("--place", "absent/x.db", "remember", "x", code=3).stderr
    assert "create it first" in made("export", "absent/x.jsonl", code=3).stderr


def test_settings_that_are_wrong_are_told_with_file_and_key(made: Any) -> None:
    (made.folder / "toldonce.toml").write_text('plaice = "memory.db"', encoding="utf-8")
    said = made("stats", code=2).stderr
    assert "toldonce.toml: unknown key 'plaice'" in said


def test_the_exit_code_of_each_error_is_by_its_branch() -> None:
    assert exit_code(errors.EmptyText()) == exit_code(errors.BadPreset()) == 2
    assert exit_code(errors.DiskFull()) == exit_code(errors.StoreBusy()) == 3
    assert exit_code(errors.JobTimeout()) == 1


def fail_with_remembered_text() -> None:
    raise KeyError("Alex is vegetarian")


def test_what_nobody_expected_is_called_a_bug_without_quoting_what_is_remembered(capsys: Any) -> None:
    assert _run_guarded(fail_with_remembered_text, as_json=False) == 4
    said = capsys.readouterr()
    assert "this is a bug" in said.err and "fail_with_remembered_text" in said.err and "vegetarian" not in said.err
    assert _run_guarded(fail_with_remembered_text, as_json=True) == 4
    assert json.loads(capsys.readouterr().out)["error"]["type"] == "Bug"


def test_an_interrupt_has_its_own_code(capsys: Any) -> None:
    def stop() -> None:
        raise click.Abort

    assert _run_guarded(stop, as_json=False) == 130
    assert "stopped" in capsys.readouterr().err


def foreign(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()


def copy_of_memory(path: Path) -> None:
    path.write_bytes((path.parent / "memory.db").read_bytes())


def newer(path: Path) -> None:
    copy_of_memory(path)
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA user_version = 99")
    connection.close()


def damaged(path: Path) -> None:
    copy_of_memory(path)
    content = bytearray(path.read_bytes())
    for page in range(4096, len(content), 4096):
        content[page : page + 512] = b"\xff" * 512
    path.write_bytes(content)


def unwritable(folder: Path) -> Path:
    """A folder in which no file can be made; root may write anywhere but in /proc."""
    closed = folder / "closed"
    closed.mkdir()
    closed.chmod(0o555)
    if not os.access(closed, os.W_OK):
        return closed
    if not Path("/proc/self").is_dir():
        pytest.skip("running as root without /proc")
    return Path("/proc/self")


def test_a_command_that_reads_makes_no_memory_of_an_empty_file(shell: Any) -> None:
    (shell.folder / "notes.txt").touch()
    assert "there is no memory at" in shell("--place", "notes.txt", "recall", "anything", code=3).stderr
    assert (shell.folder / "notes.txt").stat().st_size == 0
    assert "Made a new memory" in shell("--place", "notes.txt", "observe", "The ferry leaves at nine").stderr
