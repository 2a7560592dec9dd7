"""CrewAI over a memory. It refuses the mcp that our server needs, so its checks run in an environment of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integrations.apart.environment import run_check
from tests.integrations.table import Integration

INTEGRATION = Integration(
    name="CrewAI",
    package="crewai",
    module="toldonce.integrations.crewai",
    page="crewai.md",
    apart="crewai==1.15.30",
    works={
        "storage of its `Memory` (`StorageBackend`)": "it_is_a_storage_of_crewai",
        "a crew with the memory of one person": "a_crew_reads_what_helps_its_person",
        "records are erased with the person": "records_go_with_the_person",
    },
    lacks=(
        "CrewAI decides what to remember and ranks it: nothing is observed or settled",
        "cannot be installed together with the extras `server` and `mcp` yet: it needs an older mcp",
    ),
)


# Its environment has a gigabyte.
@pytest.mark.slow
@pytest.mark.parametrize("check", INTEGRATION.works.values())
def test_crewai(check: str, tmp_path: Path) -> None:
    run_check(INTEGRATION.apart, "crewai_checks.py", check, tmp_path)
