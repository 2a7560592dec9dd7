"""The TypeScript client is made from the present API, compiles, and works with Node against `toldonce serve`."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from scripts.make_typescript_client import ROOT, TARGET, read_schema, write_module
from tests.server.test_serve import serve

FOLDER = ROOT / "clients" / "typescript"


def run(*command: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """A command in a folder, with its output."""
    found = shutil.which(command[0])
    assert found is not None
    return subprocess.run(
        [found, *command[1:]], cwd=folder, env={**os.environ, **env}, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the client, compiled."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("Node and npm are not installed")
    folder = tmp_path_factory.mktemp("client") / "typescript"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("node_modules", "dist"))
    installed = run("npm", "ci", "--no-audit", "--no-fund", "--fetch-retries=1", folder=folder)
    if installed.returncode:
        pytest.skip("the registry of npm cannot be reached")
    compiled = run("npm", "run", "build", folder=folder)
    assert compiled.returncode == 0, compiled.stdout
    return folder


def test_the_generated_file_is_up_to_date() -> None:
    stale = "run `python scripts/make_typescript_client.py`"
    assert TARGET.read_text(encoding="utf-8") == write_module(read_schema()), stale


def test_calls_have_the_types_that_a_reader_expects(built: Path) -> None:
    checked = run("npm", "run", "check", folder=built)
    assert checked.returncode == 0, checked.stdout


def test_the_client_works_against_a_real_server(built: Path, shell: Any) -> None:
    key = shell("keys", "add", "app", "--user", "ana", "--place", "m.db").stdout.strip()
    rights = ("--right", "read", "--right", "write", "--right", "manage")
    owner = shell("keys", "add", "owner", "--everyone", *rights, "--place", "m.db").stdout.strip()
    with serve(shell) as (address, _):
        env = {"TOLDONCE_URL": address, "TOLDONCE_API_KEY": key, "TOLDONCE_OWNER_KEY": owner}
        done = run("npm", "test", folder=built, **env)
    assert done.returncode == 0, done.stdout
    assert "# fail 0" in done.stdout
    assert "# pass 0" not in done.stdout
