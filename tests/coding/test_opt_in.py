"""Memory is opt-in: a project that nobody set up is never remembered, and never sees another's memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import git
from toldonce import Memory
from toldonce.coding.hooks import entry
from toldonce.coding.hooks.branches import find_repository
from toldonce.coding.hooks.settings import is_set_up

SECRET = "The launch code of the other project is Xanadu"


def hook(name: str, folder: Path, *options: str, **payload: Any) -> str:
    raw = {"session_id": f"s-{folder.name}", "cwd": str(folder), **payload}
    return entry.answer_hook(["claude-code", name, "--no-tend", *options], json.dumps(raw).encode())


def make_repository(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git("init", "--quiet", cwd=folder)
    return folder


def default_place(shell: Any) -> Path:
    place: Path = shell.folder.parent / "home" / ".local" / "share" / "toldonce" / "memory.db"
    return place


def fill(place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    with Memory.open(place, "coding", embedder=None, background=False) as memory:
        memory.remember(SECRET, kind="decision")


@pytest.mark.parametrize("with_git", [True, False])
def test_a_user_wide_memory_is_not_used_in_a_project_that_was_not_set_up(shell: Any, with_git: bool) -> None:
    fill(default_place(shell))
    folder = make_repository(shell.folder / "other") if with_git else shell.folder
    assert hook("session-start", folder, source="startup") == ""
    assert hook("prompt", folder, prompt="What is the launch code of the other project?") == ""
    hook("stop", folder)
    hook("session-end", folder, transcript_path=str(folder / "t.jsonl"))
    with Memory.open(default_place(shell), embedder=None, background=False) as memory:
        assert not [job for job in memory.jobs.all() if job.name == "learn_session"]


@pytest.mark.parametrize("by", ["settings", "environment"])
def test_a_place_that_holds_everywhere_sets_no_project_up(shell: Any, monkeypatch: Any, by: str) -> None:
    place = shell.folder.parent / "mine.db"
    fill(place)
    if by == "environment":
        monkeypatch.setenv("TOLDONCE_PLACE", str(place))
    else:
        own = shell.folder.parent / "home" / ".config" / "toldonce" / "config.toml"
        own.parent.mkdir(parents=True)
        own.write_text(f"place = {json.dumps(str(place))}\n", encoding="utf-8")
    assert hook("session-start", shell.folder, source="startup") == ""
    assert "toldonce init" in shell("mcp", "--http", code=2).stderr


def test_a_memory_of_the_home_folder_is_not_that_of_a_repository_in_it(shell: Any) -> None:
    shell("init", "--preset", "coding")
    fill(shell.folder / "memory.db")
    repository = make_repository(shell.folder / "code" / "shop")
    assert "Xanadu" in hook("session-start", shell.folder, source="startup")
    assert hook("session-start", repository, source="startup") == ""


def test_a_submodule_belongs_to_the_project_around_it(tmp_path: Path) -> None:
    outer, inner = make_repository(tmp_path / "shop"), tmp_path / "shop" / "lib"
    (outer / ".git" / "modules" / "lib").mkdir(parents=True)
    inner.mkdir()
    (inner / ".git").write_text("gitdir: ../.git/modules/lib\n", encoding="utf-8")
    assert is_set_up(str(outer / "toldonce.toml"), find_repository(str(inner)))
    stranger = make_repository(outer / "vendored")
    assert not is_set_up(str(outer / "toldonce.toml"), find_repository(str(stranger)))


def test_a_project_that_was_set_up_is_remembered_from_its_subfolders_too(shell: Any) -> None:
    make_repository(shell.folder)
    shell("init", "--preset", "coding")
    fill(shell.folder / "memory.db")
    (shell.folder / "src").mkdir()
    assert "Xanadu" in hook("session-start", shell.folder / "src", source="startup")


def test_an_install_for_all_projects_cannot_name_one_memory(shell: Any) -> None:
    told = shell("install", "claude-code", "--place", "mine.db", code=2).stderr
    assert "every project would share that memory" in told
    shell("install", "claude-code", "--place", "mine.db", "--project")


def test_the_mcp_server_makes_no_memory_of_its_own(shell: Any) -> None:
    make_repository(shell.folder)
    assert "toldonce init" in shell("mcp", "--http", code=2).stderr
    assert not default_place(shell).exists()
