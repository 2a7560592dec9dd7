"""Real coding agents from npm, driven by a scripted model on this machine. Run them with `make test-agents`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.agents.models import ScriptedModel, serve_model
from tests.agents.programs import PROGRAMS, AgentProgram, install_packages

WANTED = "TEST_AGENTS"
StartAgent = Callable[[type[AgentProgram]], AgentProgram]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip everything here unless it was asked for: these tests install programs and take minutes."""
    reason = "" if os.environ.get(WANTED) else "`make test-agents` runs it"
    reason = reason or ("" if shutil.which("npm") else "npm is not installed")
    here = Path(__file__).parent
    for item in items:
        if reason and item.path.is_relative_to(here):
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with serve_model() as found:
        yield found


@pytest.fixture(scope="session")
def packages() -> None:
    install_packages()


@pytest.fixture
def start(tmp_path: Path, model: ScriptedModel, packages: None) -> StartAgent:
    """Makes an agent of a class, with Toldonce installed for every project of its home."""

    def make(program: type[AgentProgram]) -> AgentProgram:
        found = program(tmp_path / "home", model)
        found.home.mkdir()
        found.configure()
        found.toldonce("install", program.name, cwd=found.home)
        return found

    return make


@pytest.fixture(params=PROGRAMS, ids=lambda program: program.name)
def agent(request: pytest.FixtureRequest, start: StartAgent) -> AgentProgram:
    return start(request.param)
