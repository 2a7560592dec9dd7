"""What Toldonce promises beside any coding agent, shown by the requests that the agent's model gets."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.agents.conftest import StartAgent
from tests.agents.models import Say, ScriptedModel
from tests.agents.programs import AgentProgram, ClaudeCode, Codex, DelegatingCodex, OpenCode, PatchingOpenCode
from tests.conftest import git

SECRET = "The launch code is Xanadu"
TRAP = "Expiry counts in local time, so convert with to_utc() first"
LONG = (
    "I spent a morning on this one and looked at the cookie settings first, which were all right. Users are logged out "
    "because refresh() compares the expiry in local time. Always convert with to_utc() first. The tests freeze the "
    "clock in UTC, so none of them ever saw the difference between both clocks."
)


def make_trapped_project(agent: AgentProgram) -> tuple[Path, Path]:
    """A project and a file in it that a gotcha is about."""
    project = agent.make_project()
    agent.remember(TRAP, "gotcha", "--meta", "file=src/session.py", cwd=project)
    return project, project / "src" / "session.py"


# Point 1


def test_a_project_that_was_set_up_has_its_memory_in_the_first_request(
    agent: AgentProgram, model: ScriptedModel
) -> None:
    project = agent.make_project()
    agent.remember(SECRET, "decision", cwd=project)
    agent.ask("What is the launch code?", cwd=project)
    assert "Xanadu" in model.texts(last=1)


def test_a_project_that_was_not_set_up_is_not_remembered_and_sees_nothing(
    agent: AgentProgram, model: ScriptedModel
) -> None:
    first, second = agent.make_project("shop", is_set_up=False), agent.make_project("bank", is_set_up=False)
    agent.ask(f"Remember this: {SECRET}", cwd=first)
    model.requests.clear()
    agent.ask("What is the launch code?", cwd=second)
    assert model.requests and "Xanadu" not in model.texts()
    assert not list(agent.home.rglob("memory.db*"))


# Point 2


def test_a_gotcha_comes_with_the_read_of_its_file(agent: AgentProgram, model: ScriptedModel) -> None:
    project, file = make_trapped_project(agent)
    model.script = [agent.read(file), agent.edit(file, "EXPIRY = 300", "EXPIRY = 600")]
    agent.ask("Make it longer", cwd=project)
    assert "to_utc()" not in model.texts(last=1) and "to_utc()" in model.texts(last=2)
    assert file.read_text(encoding="utf-8") == "EXPIRY = 600\n"


@pytest.mark.parametrize("program", [Codex, OpenCode, PatchingOpenCode], ids=lambda program: program.__name__)
def test_an_edit_without_a_read_waits_once_for_the_gotcha(
    start: StartAgent, model: ScriptedModel, program: type[AgentProgram]
) -> None:
    agent = start(program)
    project, file = make_trapped_project(agent)
    model.script = [agent.edit(file, "EXPIRY = 300", "EXPIRY = 600")]
    agent.ask("Make it longer", cwd=project)
    assert "to_utc()" in model.texts(first=1) and file.read_text(encoding="utf-8") == "EXPIRY = 300\n"
    model.script = [agent.edit(file, "EXPIRY = 300", "EXPIRY = 600")] * 2
    agent.ask("Make it longer", cwd=project)
    assert file.read_text(encoding="utf-8") == "EXPIRY = 600\n"


@pytest.mark.parametrize("program", [ClaudeCode, DelegatingCodex, OpenCode], ids=lambda program: program.__name__)
def test_a_subagent_is_warned_although_its_session_was(
    start: StartAgent, model: ScriptedModel, program: type[AgentProgram]
) -> None:
    agent = start(program)
    project, file = make_trapped_project(agent)
    agent.remember("Use tabs in Go files", "convention", cwd=project)
    model.script = [agent.read(file), *agent.delegate("Raise EXPIRY")]
    model.delegated = [agent.read(file), Say("It is raised.")]
    agent.ask("Make it longer", cwd=project)
    assert "to_utc()" in model.texts(last=2)
    started, after_read = map(json.dumps, model.delegated_requests)
    assert "tabs in Go" in started and "to_utc()" not in started and "to_utc()" in after_read


# Points 3 and 4


def test_a_search_gives_the_point_and_get_memory_the_whole(agent: AgentProgram, model: ScriptedModel) -> None:
    project = agent.make_project()
    kept = agent.remember(LONG, "gotcha", cwd=project)
    model.script = [agent.use("search_memory", query="users are logged out after a refresh")]
    agent.ask("Look into it", cwd=project)
    assert "to_utc()" in model.texts() and kept in model.texts() and "cookie settings" not in model.texts()
    model.script = [agent.use("get_memory", id=kept)]
    agent.ask("Look into it", cwd=project)
    assert "cookie settings" in model.texts()


def test_a_search_says_what_the_prompt_has_shown(agent: AgentProgram, model: ScriptedModel) -> None:
    project = agent.make_project()
    agent.remember(LONG, "gotcha", cwd=project)
    model.script = [agent.use("search_memory", query="users are logged out after a refresh")]
    agent.ask("Why are users logged out when refresh() compares the expiry?", cwd=project)
    assert "to_utc()" in model.texts(last=1) and "shown_before" in model.texts()


# Point 5


def test_a_file_outside_the_project_is_refused_and_a_spelling_of_one_inside_is_not(
    agent: AgentProgram, model: ScriptedModel
) -> None:
    project = agent.make_project()
    inside = str(project / "src" / "SESSION.py")
    model.script = [
        agent.use("record_gotcha", content="A trap elsewhere", file="/etc/passwd"),
        agent.use("record_gotcha", content="Expiry counts in local time", file=inside),
    ]
    agent.ask("Keep these", cwd=project)
    assert "is outside the project" in model.texts()
    found = json.loads(agent.toldonce("recall", "expiry local time", "--json", cwd=project))
    assert [hit["record"]["metadata"]["file"] for hit in found["hits"]][:1] == ["src/session.py"]


# Point 6


def test_a_memory_of_a_branch_is_shown_elsewhere_once_its_commit_is_merged(
    agent: AgentProgram, model: ScriptedModel
) -> None:
    project = agent.make_project()
    git("add", "src", cwd=project)
    git("commit", "--quiet", "-m", "Begin", cwd=project)
    git("switch", "--quiet", "-c", "login", cwd=project)
    (project / "src" / "session.py").write_text("EXPIRY = 900\n", encoding="utf-8")
    git("commit", "--quiet", "-am", "Raise the expiry", cwd=project)
    model.script = [agent.use("record_memory", type="decision", content="Sessions of the login page last 900 seconds")]
    agent.ask("Keep this", cwd=project)
    git("switch", "--quiet", "main", cwd=project)
    for is_merged in (False, True):
        if is_merged:
            git("merge", "--quiet", "--squash", "login", cwd=project)
            git("commit", "--quiet", "-m", "Take the login page", cwd=project)
            git("branch", "--quiet", "-D", "login", cwd=project)
        model.requests.clear()
        agent.ask("How long do sessions of the login page last?", cwd=project)
        assert ("900 seconds" in model.texts()) is is_merged


# Points 7 and 8


def test_a_newer_rule_overturns_the_one_it_contradicts(agent: AgentProgram, model: ScriptedModel) -> None:
    project = agent.make_project()
    agent.remember("Always squash commits before merging", "convention", cwd=project)
    never = "Never squash commits before merging"
    model.script = [agent.use("record_memory", type="convention", content=never)]
    agent.ask("Keep this", cwd=project)
    kept = json.loads(agent.toldonce("recall", "squash commits before merging", "--json", cwd=project))
    texts = [hit["record"]["text"] for hit in kept["hits"]]
    questions = json.loads(agent.toldonce("questions", "--json", cwd=project))["questions"]
    assert questions or (never in texts and not any(text.startswith("Always") for text in texts))


def test_a_memory_says_that_the_code_it_names_has_changed(agent: AgentProgram, model: ScriptedModel) -> None:
    project = agent.make_project()
    model.script = [agent.use("record_gotcha", content="EXPIRY in src/session.py counts seconds of local time")]
    agent.ask("Keep this", cwd=project)
    (project / "src" / "session.py").write_text("EXPIRY = now() + 300\n", encoding="utf-8")
    model.requests.clear()
    agent.ask("Does EXPIRY count seconds of local time?", cwd=project)
    assert "src/session.py changed since" in model.texts(last=1)


# Points 9 and 10


def test_a_task_in_everyday_words_names_its_module_and_files(agent: AgentProgram, model: ScriptedModel) -> None:
    project = agent.make_project(is_set_up=False)
    files = {
        "src/auth/session.py": "SESSION_TIMEOUT = 300\n\n\ndef is_expired(session):\n    return True\n",
        "src/auth/login.py": "def login(user):\n    return user\n",
        **{f"src/part{number}/area.py": f"def area_{number}():\n    return {number}\n" for number in range(70)},
    }
    for name, text in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    agent.toldonce("init", "--preset", "coding", cwd=project)
    agent.toldonce("scan", cwd=project)
    agent.remember(TRAP, "gotcha", "--meta", "file=src/auth/session.py", cwd=project)
    agent.ask("users are logged out after 5 minutes", cwd=project)
    assert "src/auth" in model.texts(last=1) and "to_utc()" in model.texts(last=1)


# Points 11 and 13


def test_what_a_person_forbids_is_learnt_and_the_own_block_is_not(
    agent: AgentProgram, model: ScriptedModel, tmp_path: Path
) -> None:
    project, file = make_trapped_project(agent)
    agent.remember("Use tabs in Go files", "convention", cwd=project)
    model.script = [agent.read(file)]
    agent.ask("Don't touch session.py without asking me. Use fakes instead of mocks in this project.", cwd=project)
    later = (datetime.now(UTC) + timedelta(hours=1)).isoformat(timespec="seconds")
    # The session may be learnt from in the background by now, or wait for half an hour of quiet.
    kinds: list[str] = []
    for _ in range(30):
        agent.toldonce("tend", "--now", later, "--quiet", cwd=project)
        found = json.loads(agent.toldonce("recall", "touch session.py without asking", "--json", cwd=project))
        kinds = [hit["record"]["kind"] for hit in found["hits"]]
        if "human_feedback" in kinds:
            break
    assert "human_feedback" in kinds
    agent.toldonce("export", str(tmp_path / "all.jsonl"), cwd=project)
    kept = (tmp_path / "all.jsonl").read_text(encoding="utf-8")
    assert "toldonce-memory" not in kept and "hook_context" not in kept
    assert kept.count("tabs in Go") == 1
