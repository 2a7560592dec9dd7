"""The scripts in examples/ run as they are, one for each preset."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from toldonce import presets

ROOT = Path(__file__).parent.parent
SHOWN = {
    "assistant": "Lisbon",
    "coding": "may be out of date: auth.py:1-2 changed since",
    "community": "Rita was erased",
    "companion": "Does Ana see what Tomé said?\n  no",
    "life": "# Summary for a medical appointment",
}


def test_there_is_an_example_for_every_preset() -> None:
    there = {path.stem for path in (ROOT / "examples").glob("*.py")}
    assert there == set(SHOWN) == set(presets.shipped_presets())


@pytest.mark.parametrize("name", SHOWN)
def test_an_example_runs(name: str, tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-W", "error", str(ROOT / "examples" / f"{name}.py")],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert SHOWN[name] in run.stdout


@pytest.mark.parametrize(("page", "shown"), [("events.md", "received session_completed tuesday")])
def test_the_examples_of_a_page_run_in_order(page: str, shown: str, tmp_path: Path) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", examples],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert shown in run.stdout


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150
