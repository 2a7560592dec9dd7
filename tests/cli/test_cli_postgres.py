"""The command line over a memory in PostgreSQL: the same commands, and plain words where a file is needed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.postgres import Databases
from toldonce.cli.main import cli

Run = Callable[..., Result]


@pytest.fixture
def place(databases: Databases) -> Iterator[str]:
    taken = databases.take()
    # The server trusts everybody here, so any password will do.
    yield taken.replace("postgres:@", "postgres:secret-word@")
    databases.give_back(taken)


@pytest.fixture
def run(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOLDONCE_EMBEDDER", "none")

    def call(*words: str, code: int = 0) -> Result:
        result = CliRunner().invoke(cli, [*words, "--place", place])
        assert result.exit_code == code, result.output
        assert "secret-word" not in result.output
        return result

    return call


def test_commands_work_on_a_database(run: Run, tmp_path: Path) -> None:
    run("remember", "The boiler is serviced in May", "--user", "ana")
    assert "boiler" in run("recall", "when is the boiler serviced?", "--user", "ana").stdout
    assert run("tend", "--json").stdout
    told = json.loads(run("stats", "--json").stdout)
    assert told["kinds"]["fact"] == {"active": 1} and told["place"].startswith("postgresql://")
    checks = {finding["check"]: finding for finding in json.loads(run("doctor", "--json").stdout)["findings"]}
    assert (checks["database"]["status"], checks["integrity"]["status"]) == ("ok", "ok")
    assert "postgresql.md" in checks["backups"]["text"]
    run("export", str(tmp_path / "out.jsonl"))
    assert json.loads(run("erase", "--user", "ana", "--yes", "--json").stdout)
    assert run("recall", "when is the boiler serviced?", "--user", "ana", "--json").stdout


def test_a_tenant_that_nobody_knows_is_not_made_by_a_command_that_reads(run: Run, place: str) -> None:
    for words in (("stats",), ("recall", "boiler"), ("worker",)):
        assert "there is no memory at postgresql://" in run(*words, code=3).output
    assert "there is no memory at" in run("doctor", code=1).output
    told = run("remember", "The boiler is serviced in May").output
    assert "Made a new memory at postgresql://" in told
    assert run("stats").stdout


def test_recall_is_measured_on_a_database(run: Run, place: str, tmp_path: Path) -> None:
    for text in ("The boiler is serviced in May", "The bakery opens at seven", "Ana plays the cello in Porto"):
        run("remember", text, "--user", "ana")
    assert json.loads(run("bench", "--own", "--json").stdout)
    asked = [{"id": "a", "question": "When is the boiler serviced?", "answers": ["In May"]}]
    faquad = {"doc": "t/0", "title": "House", "text": "The boiler is serviced in May.", "questions": asked}
    (tmp_path / "faquad_part.jsonl").write_text(json.dumps(faquad) + "\n", encoding="utf-8")
    words = ["bench", str(tmp_path), "--on", place, "--embedder", "none", "--json"]
    told = CliRunner().invoke(cli, words)
    assert told.exit_code == 0, told.output
    assert "secret-word" not in told.output
    told = CliRunner().invoke(cli, [*words, "--answer-files", str(tmp_path / "run")])
    assert told.exit_code == 0 and json.loads(told.stdout)["unanswered"] == 2, told.output
    refused = CliRunner().invoke(cli, ["bench", str(tmp_path), "--on", "memory.db"])
    assert refused.exit_code == 2 and "the address of a PostgreSQL database" in refused.output


@pytest.mark.parametrize(
    "words, says",
    [
        (("backup",), "docs/postgresql.md"),
        (("restore",), "not a file"),
        (("encrypt",), "a database server encrypts its own disks"),
        (("decrypt", "--yes"), "a database server encrypts its own disks"),
        (("rekey",), "a database server encrypts its own disks"),
    ],
)
def test_what_needs_a_file_says_so(run: Run, words: tuple[str, ...], says: str) -> None:
    run("remember", "The boiler is serviced in May")
    assert says in run(*words, code=2).output


def test_settings_of_a_project_may_name_a_database(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = CliRunner().invoke(cli, ["init", "--preset", "life", "--place", place])
    assert made.exit_code == 0, made.output
    assert "secret-word" not in made.output and "PGPASSWORD" in made.output
    assert "secret-word" not in (tmp_path / "toldonce.toml").read_text(encoding="utf-8")
    kept = CliRunner().invoke(cli, ["remember", "The boiler is serviced in May", "--quiet"])
    assert kept.exit_code == 0 and list(tmp_path.glob("memory.db*")) == []


def test_a_worker_runs_what_others_plan(run: Run, place: str) -> None:
    run("observe", "I live in Porto", "--user", "ana", "--session", "s")
    env = {**os.environ, "TOLDONCE_EMBEDDER": "none"}
    worker = subprocess.Popen(
        [sys.executable, "-m", "toldonce", "worker", "--json", "--place", place], stdout=subprocess.PIPE, env=env
    )
    assert worker.stdout is not None
    assert json.loads(worker.stdout.readline())["status"] == "completed"
    worker.send_signal(signal.SIGTERM)
    worker.communicate()
    assert worker.returncode == 0
