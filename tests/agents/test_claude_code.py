"""What only Claude Code can show: an edit of a file that was written by a command, and the end of a session."""

from __future__ import annotations

import pytest

from tests.agents.conftest import StartAgent
from tests.agents.models import Call, ScriptedModel
from tests.agents.programs import AgentProgram, ClaudeCode


@pytest.fixture
def claude(start: StartAgent) -> AgentProgram:
    return start(ClaudeCode)


def test_a_file_that_was_read_by_a_command_is_written_after_its_gotcha(
    claude: AgentProgram, model: ScriptedModel
) -> None:
    project = claude.make_project()
    claude.remember("Expiry counts in local time", "gotcha", "--meta", "file=src/session.py", cwd=project)
    file = project / "src" / "session.py"
    write = Call("Write", {"file_path": str(file), "content": "EXPIRY = 600\n"})
    model.script = [Call("Bash", {"command": "cat src/session.py"}), write]
    claude.ask("Make it longer", cwd=project)
    assert "local time" in model.texts(first=2) and file.read_text(encoding="utf-8") == "EXPIRY = 300\n"


def test_the_end_of_a_session_leaves_a_copy_of_the_memory(claude: AgentProgram) -> None:
    project = claude.make_project()
    claude.remember("Use tabs in Go files", "convention", cwd=project)
    claude.ask("Hello", cwd=project)
    for _ in range(60):
        if list(project.glob("memory.db.bak.*")):
            break
        claude.toldonce("stats", cwd=project)
    assert list(project.glob("memory.db.bak.*"))
