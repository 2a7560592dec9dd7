"""The examples on the pages of the integrations run as they are, with the real packages and without a network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integrations.apart.environment import find_python
from tests.integrations.test_crewai import INTEGRATION as CREWAI
from tests.integrations.test_strands import INTEGRATION as STRANDS

PAGES = Path(__file__).parents[2] / "docs" / "integrations"
# What a page's examples print.
SHOWN = {
    "ag2": "peanuts",
    "autogen": "peanuts",
    "chroma": "peanuts",
    "discord": "peanuts",
    "claude-agent-sdk": "mcp__toldonce__search_memory",
    "google-adk": "peanuts",
    "langchain": "peanuts",
    "langgraph": "peanuts",
    "llama-index": "peanuts",
    "mem0": "sci-fi",
    "openai-agents": "peanuts",
    "opentelemetry": "toldonce recall",
    "pydantic-ai": "peanuts",
    "slack": "peanuts",
    "smolagents": "peanuts",
    "telegram": "peanuts",
}
# It talks to a model of Anthropic.
NEEDS_A_KEY = {"anthropic"}
# It needs a proxy that runs: tests/integrations/test_proxy.py runs its example.
RUN_ELSEWHERE = {"proxy"}
APART = {"crewai": CREWAI, "strands": STRANDS}


def run_examples(name: str, python: str, folder: Path) -> str:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    program = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    run = subprocess.run(
        [python, "-c", program],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", "TOLDONCE_PLACE": str(folder / "memory.db")},
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_every_page_is_run() -> None:
    there = {page.stem for page in PAGES.glob("*.md")} - {"README"}
    assert there == SHOWN.keys() | NEEDS_A_KEY | RUN_ELSEWHERE | APART.keys()


@pytest.mark.parametrize("name", SHOWN)
def test_the_examples_of_a_page_run(name: str, tmp_path: Path) -> None:
    assert SHOWN[name] in run_examples(name, sys.executable, tmp_path)


def test_the_examples_of_strands_run(tmp_path: Path) -> None:
    assert "earlier conversations" in run_examples("strands", str(find_python(STRANDS.apart)), tmp_path)


@pytest.mark.slow
def test_the_examples_of_crewai_run(tmp_path: Path) -> None:
    assert "peanuts" in run_examples("crewai", str(find_python(CREWAI.apart)), tmp_path)
