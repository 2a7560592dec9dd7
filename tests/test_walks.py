"""How many files a reader has to follow for one operation, as `scripts/trace.py` prints it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "trace.py"
# The most files that an operation may enter. Lower a number when the code allows it; never raise one without a reason.
# A block reads doubted records (`storage/tables/doubts.py`) and puts them under newer ones (`recall/doubted.py`).
MOST_FILES = {"observe": 25, "settle": 40, "context": 42}


def trace(*arguments: str) -> str:
    command = [sys.executable, str(SCRIPT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True).stdout


def test_no_operation_enters_more_files_than_its_limit() -> None:
    counts = dict(line.removesuffix(" files").split(": ") for line in trace("--counts").splitlines())
    assert counts.keys() == MOST_FILES.keys()
    assert {name: int(count) for name, count in counts.items() if int(count) > MOST_FILES[name]} == {}


def test_a_walk_lists_files_in_the_order_in_which_they_are_entered() -> None:
    first, *files = trace("observe").splitlines()
    assert first == f"observe: {len(files)} files"
    assert files[0] == "    memory.py: observe"
    assert any(file.startswith("    storage/tables/records.py: ") for file in files)
