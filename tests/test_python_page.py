"""docs/python.md shows every public operation, and its examples run as one program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.operations import all_operations

PAGE = (Path(__file__).parent.parent / "docs" / "python.md").read_text(encoding="utf-8")
EXAMPLES = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))


@pytest.mark.parametrize("name", all_operations())
def test_every_operation_has_an_example(name: str) -> None:
    assert re.search(rf"\b(?:memory|Memory|other|copy|community)\.{re.escape(name)}\(", EXAMPLES)


def test_the_examples_run(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", EXAMPLES],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=os.environ,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "Lisbon" in run.stdout
