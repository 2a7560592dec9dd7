"""The script behind `make demo`, `make serve` and `make test`: what is there stays, the rest is added."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "setup_env.sh"
# Makes environments without an index: it links the interpreter, and notes what it was asked for.
INSTALLER = """#!/bin/sh
echo "$*" >>asked
case $1 in
venv) mkdir -p .venv/bin && ln -sf {python} .venv/bin/python ;;
*) [ ! -e refuses ] ;;
esac
"""


class Checkout:
    """A folder with the script, and an installer that needs no network."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "scripts").mkdir()
        (folder / "tools").mkdir()
        shutil.copy(SCRIPT, folder / "scripts")
        (folder / "pyproject.toml").write_text("")
        os.utime(folder / "pyproject.toml", (1_000_000, 1_000_000))
        (folder / "tools" / "uv").write_text(INSTALLER.format(python=sys.executable))
        (folder / "tools" / "uv").chmod(0o755)

    def set_up(self, wanted: str, *, code: int = 0, **env: str) -> tuple[str, list[str]]:
        """What the script says, and what the installer was asked for."""
        asked = self.folder / "asked"
        asked.write_text("")
        path = f"{self.folder / 'tools'}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["sh", "scripts/setup_env.sh", wanted],
            cwd=self.folder,
            env={**os.environ, "PATH": path, "PYTHON": "", "PIP_NO_INDEX": "1", "PIP_REQUIRE_VIRTUALENV": "1", **env},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stderr
        return done.stdout, asked.read_text().splitlines()


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


@pytest.mark.parametrize(("wanted", "added"), [("serve", ".[server]"), ("dev", ".[dev,code,frameworks]")])
def test_what_is_there_stays_and_what_is_missing_is_added(checkout: Checkout, wanted: str, added: str) -> None:
    said, asked = checkout.set_up("run")
    assert "making .venv" in said and [line.split()[0] for line in asked] == ["venv", "pip"]
    (checkout.folder / ".venv" / "kept").touch()
    said, asked = checkout.set_up(wanted)
    assert "adding" in said and "to .venv" in said
    assert [line.split()[0] for line in asked] == ["pip"] and asked[0].endswith(added)
    assert (checkout.folder / ".venv" / "kept").exists()
    for again in (wanted, "run"):
        assert checkout.set_up(again) == ("", [])


def test_an_environment_that_is_made_again_says_why(checkout: Checkout) -> None:
    checkout.set_up("run")
    os.utime(checkout.folder / "pyproject.toml", (4_000_000_000, 4_000_000_000))
    said, asked = checkout.set_up("run")
    assert "pyproject.toml changed" in said and asked[0].startswith("venv")
    os.utime(checkout.folder / "pyproject.toml", (1_000_000, 1_000_000))
    said, _ = checkout.set_up("serve", PYTHON=sys.executable)
    assert "another Python" in said
    (checkout.folder / ".venv" / "bin" / "python").unlink()
    (checkout.folder / ".venv" / "bin" / "python").symlink_to("/nowhere/python")
    assert "does not run any more" in checkout.set_up("serve", PYTHON=sys.executable)[0]


def test_an_addition_that_fails_leaves_what_is_there(checkout: Checkout) -> None:
    checkout.set_up("run")
    (checkout.folder / "refuses").touch()
    said, _ = checkout.set_up("serve", code=1)
    assert "trying pip" in said
    assert checkout.set_up("run") == ("", [])
