"""Recollect beside the real Claude Code: what its model is sent, and what is remembered."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

NUMBERS = count(1)

SECRET = "The launch code is Xanadu"
LONG = (
    "I spent a morning on this one and looked at the cookie settings first, which were all right. Users are logged out "
    "because refresh() compares the expiry in local time. Always convert with to_utc() first. The tests freeze the "
    "clock in UTC, so none of them ever saw the difference between both clocks."
)


def use(name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{next(NUMBERS)}", "name": f"mcp__recollect__{name}", "input": given}


def make_shop(claude: Any) -> Path:
    """A project with a memory."""
    project: Path = claude.make_project("shop")
    claude.recollect("init", "--preset", "coding", cwd=project)
    return project


def test_a_project_that_was_set_up_has_its_memory_in_the_first_request(claude: Any, model: Any) -> None:
    project = make_shop(claude)
    claude.recollect("remember", SECRET, "--kind", "decision", cwd=project)
    claude.ask("What is the launch code?", cwd=project)
    assert "Xanadu" in model.texts()


def test_a_project_that_was_not_set_up_is_not_remembered_and_sees_nothing(claude: Any, model: Any) -> None:
    first, second = claude.make_project("shop"), claude.make_project("bank")
    model.script = [use("remember_fact", content=SECRET)]
    claude.ask(f"Remember this: {SECRET}", cwd=first)
    model.requests.clear()
    claude.ask("What is the launch code?", cwd=second)
    assert "Xanadu" not in model.texts() and model.requests
    assert not list(claude.home.rglob("memory.db*"))


def test_a_search_gives_the_point_and_get_memory_the_whole(claude: Any, model: Any) -> None:
    project = make_shop(claude)
    kept = json.loads(claude.recollect("remember", LONG, "--kind", "gotcha", "--json", cwd=project))["record"]["id"]
    model.script = [use("search_memory", query="users are logged out after a refresh")]
    claude.ask("Look into it", cwd=project)
    assert "to_utc()" in model.texts() and "cookie settings" not in model.texts()
    model.script = [use("get_memory", id=kept)]
    claude.ask("Look into it", cwd=project)
    assert "cookie settings" in model.texts()


def test_a_search_says_what_the_prompt_has_shown(claude: Any, model: Any) -> None:
    project = make_shop(claude)
    claude.recollect("remember", LONG, "--kind", "gotcha", cwd=project)
    model.script = [use("search_memory", query="users are logged out after a refresh")]
    claude.ask("Why are users logged out when refresh() compares the expiry?", cwd=project)
    assert "shown_before" in model.texts()


def test_a_file_outside_the_project_is_refused_and_a_spelling_of_one_inside_is_not(claude: Any, model: Any) -> None:
    project = make_shop(claude)
    (project / "Session.py").write_text("def refresh(): ...\n", encoding="utf-8")
    inside = str(project / "session.PY")
    model.script = [
        use("record_gotcha", content="A trap elsewhere", file="/etc/passwd"),
        use("record_gotcha", content="Expiry counts in local time", file=inside),
    ]
    claude.ask("Keep these", cwd=project)
    assert "is outside the project" in model.texts()
    found = json.loads(claude.recollect("recall", "expiry local time", "--json", cwd=project))
    assert [hit["record"]["metadata"]["file"] for hit in found["hits"]][:1] == ["Session.py"]
