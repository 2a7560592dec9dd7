"""Strands over a memory. It refuses the mcp that our server needs, so its checks run in an environment of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integrations.apart.environment import run_check
from tests.integrations.table import Integration

INTEGRATION = Integration(
    name="Strands",
    package="strands-agents",
    module="toldonce.integrations.strands",
    page="strands.md",
    apart="strands-agents==1.62.0",
    works={
        "memory store of a `MemoryManager`: context for each prompt": "an_agent_reads_what_helps",
        "turns are observed": "turns_are_observed",
        "the manager's tools for search and adding": "the_model_can_search_and_add",
    },
    lacks=("cannot be installed together with the extras `server` and `mcp` yet: it needs an older mcp",),
)


@pytest.mark.parametrize("check", INTEGRATION.works.values())
def test_strands(check: str, tmp_path: Path) -> None:
    run_check(INTEGRATION.apart, "strands_checks.py", check, tmp_path)
