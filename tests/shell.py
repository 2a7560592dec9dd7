"""The command line as a test calls it: in a folder of its own, with no settings but the test's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from toldonce.cli.main import cli

SOURCE = Path(__file__).resolve().parents[1] / "src"


@dataclass
class Shell:
    """Calls `toldonce` in one folder."""

    folder: Path
    env: Mapping[str, str]

    def __call__(self, *args: str, input: str | bytes | None = None, code: int = 0) -> Result:
        """The result of a call that must end with this exit code."""
        result = CliRunner().invoke(cli, args, input=input)
        assert result.exit_code == code, (result.exit_code, result.stdout, result.stderr, result.exception)
        return result

    def json(self, *args: str, input: str | None = None, code: int = 0) -> Any:
        """The JSON document that a call answers with."""
        result = self(*args, "--json", input=input, code=code)
        assert result.stderr == ""
        return json.loads(result.stdout)

    def remember(self, text: str, *args: str) -> str:
        """The id of a statement that is kept."""
        found: str = self.json("remember", text, *args)["record"]["id"]
        return found

    def process(self, *args: str, **env: str) -> subprocess.Popen[bytes]:
        """A call in a process of its own, with these environment variables too."""
        command = [sys.executable, "-m", "toldonce.cli.main", *args]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        return subprocess.Popen(command, cwd=self.folder, env={**os.environ, **self.env, **env}, **pipes)


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """An empty folder and an empty home; no embedder, since these tests are not about meaning."""
    home, folder = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    folder.mkdir()
    for name in [n for n in os.environ if n.startswith(("TOLDONCE_", "XDG_"))]:
        monkeypatch.delenv(name)
    env = {"HOME": str(home), "TOLDONCE_EMBEDDER": "none", "TZ": "UTC", "COLUMNS": "100", "PYTHONPATH": str(SOURCE)}
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.chdir(folder)
    return Shell(folder, env)


@pytest.fixture
def made(shell: Shell) -> Shell:
    """The same with a memory of the assistant preset."""
    shell("init", "--preset", "assistant")
    return shell
