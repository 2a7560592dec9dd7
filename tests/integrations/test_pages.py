"""The examples on the pages of the integrations run as they are, with the real packages and without a network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[2] / "docs" / "integrations"
# What a page's examples print.
SHOWN = {
    "ag2": "peanuts",
    "smolagents": "peanuts",
    "autogen": "peanuts",
    "claude-agent-sdk": "mcp__recollect__search_memory",
    "google-adk": "peanuts",
    "llama-index": "peanuts",
    "openai-agents": "peanuts",
    "pydantic-ai": "peanuts",
    "langchain": "peanuts",
    "langgraph": "peanuts",
}


@pytest.mark.parametrize("name", SHOWN)
def test_the_examples_of_a_page_run(name: str, tmp_path: Path) -> None:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    program = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert SHOWN[name] in run.stdout
