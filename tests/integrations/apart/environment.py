"""Makes an environment for a package that cannot be installed beside our dependencies, and runs a program in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

fcntl = pytest.importorskip("fcntl", reason="environments are locked with fcntl")
ROOT = Path(__file__).parents[3]
PATIENCE_S = 600


def find_python(requirement: str) -> Path:
    """The interpreter of the environment that has this package; it is made once and kept in .venv."""
    folder = Path(sys.prefix) / "apart" / requirement.replace("==", "-")
    folder.parent.mkdir(exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        # Tests of other processes wait until it is there.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "ready").exists():
            _make_environment(folder, requirement)
    return folder / "bin" / "python"


def _make_environment(folder: Path, requirement: str) -> None:
    python = str(folder / "bin" / "python")
    install = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--editable", str(ROOT)]
    try:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True, capture_output=True)
        subprocess.run([*install, requirement], check=True, capture_output=True, timeout=PATIENCE_S)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        pytest.skip(f"{requirement} could not be installed into an environment of its own")
    (folder / "ready").touch()


def run_check(requirement: str, program: str, check: str, folder: Path) -> str:
    """What a check of a program of this folder prints; it fails when the check does."""
    source = Path(__file__).parent / program
    run = subprocess.run(
        [str(find_python(requirement)), str(source), check],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", "OTEL_SDK_DISABLED": "true"},
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout
