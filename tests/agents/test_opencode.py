"""What only opencode can show: its prompt cache, its titles, and sessions that never end."""

from __future__ import annotations

import json

import pytest

from tests.agents.conftest import StartAgent
from tests.agents.models import ScriptedModel
from tests.agents.programs import AgentProgram, OpenCode


@pytest.fixture
def opencode(start: StartAgent) -> AgentProgram:
    return start(OpenCode)


def test_the_system_prompt_stays_the_same_and_titles_are_made_without_the_block(
    opencode: AgentProgram, model: ScriptedModel
) -> None:
    project = opencode.make_project()
    opencode.remember("Use tabs in Go files", "convention", cwd=project)
    opencode.remember("Expiry counts in local time", "gotcha", "--meta", "file=src/session.py", cwd=project)
    model.script = [opencode.read(project / "src" / "session.py")]
    opencode.ask("Make it longer", cwd=project)
    first, second = (
        [message for message in request["messages"] if message["role"] == "system"] for request in model.requests
    )
    assert first == second and "toldonce-memory" not in json.dumps(first)
    before, after = (json.dumps(request["messages"])[:-1] for request in model.requests)
    assert after.startswith(before), "what was sent before is sent again to the byte"
    assert "tabs in Go" in before and "local time" in after
    assert model.asides and "toldonce-memory" not in json.dumps(model.asides)


def test_a_session_is_learnt_from_when_it_idles(opencode: AgentProgram) -> None:
    project = opencode.make_project()
    opencode.ask("Don't touch session.py without asking me.", cwd=project)
    kinds: list[str] = []
    for _ in range(60):
        found = json.loads(opencode.toldonce("recall", "touch session.py without asking", "--json", cwd=project))
        kinds = [hit["record"]["kind"] for hit in found["hits"]]
        if "human_feedback" in kinds:
            break
    assert "human_feedback" in kinds
