"""What was learnt on a branch holds elsewhere once its commits are there, however they came, and not before."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import git
from toldonce import Memory
from toldonce.coding.hooks import branches
from toldonce.integrations.hosts import ContextProvider
from toldonce.tools.definition import Caller
from toldonce.tools.table import Toolbox


class Repository:
    """A working tree with a commit on main."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.run("init", "-q", "-b", "main")
        self.commit("base.py", "one\ntwo\nthree\n", "Begin")

    def run(self, *words: str) -> None:
        git("-c", "user.name=t", "-c", "user.email=t@example.org", *words, cwd=self.root)

    def commit(self, file: str, text: str, message: str) -> None:
        (self.root / file).write_text(text, encoding="utf-8")
        self.run("add", file)
        self.run("commit", "-q", "-m", message)

    def work_on(self, branch: str) -> None:
        """Two commits on a new branch, then back to main."""
        self.run("checkout", "-q", "-b", branch)
        self.commit("a.py", "a\n", "Add a")
        self.commit("b.py", "b\n", "Add b")
        self.run("checkout", "-q", "main")

    def shows(self, branch: str) -> bool:
        found = branches.find_repository(str(self.root))
        assert found is not None
        return branch in branches.contained_branches(found, in_a_hurry=False)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in [n for n in os.environ if n.startswith(("XDG_", "GIT_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    root = tmp_path / "shop"
    root.mkdir()
    return Repository(root)


def test_a_branch_without_a_commit_is_not_merged(repository: Repository) -> None:
    repository.run("checkout", "-q", "-b", "feature/x")
    assert repository.shows("feature/x")
    repository.run("checkout", "-q", "main")
    assert not repository.shows("feature/x")
    repository.run("branch", "other")
    assert not repository.shows("other")
    repository.commit("m.py", "m\n", "Go on with main")
    assert not repository.shows("feature/x")


@pytest.mark.parametrize("is_deleted", [False, True])
@pytest.mark.parametrize("way", ["merge", "fast forward", "squash", "rebase", "cherry-pick", "squash of changed files"])
def test_a_branch_is_merged_however_its_commits_came(repository: Repository, way: str, is_deleted: bool) -> None:
    repository.work_on("feature/x")
    assert not repository.shows("feature/x")
    if way != "fast forward":
        repository.commit("base.py", "one\ntwo\nthree\nfour\n", "Go on with main")
    if way == "merge":
        repository.run("merge", "-q", "--no-ff", "-m", "Take it in", "feature/x")
    elif way == "fast forward":
        repository.run("merge", "-q", "--ff-only", "feature/x")
    elif way == "squash":
        repository.run("merge", "-q", "--squash", "feature/x")
        repository.run("commit", "-q", "-m", "All of x (#12)")
    elif way == "rebase":
        repository.run("checkout", "-q", "feature/x")
        repository.run("rebase", "-q", "main")
        repository.run("checkout", "-q", "main")
        repository.run("merge", "-q", "--ff-only", "feature/x")
    elif way == "cherry-pick":
        repository.run("cherry-pick", "feature/x~1", "feature/x")
    else:
        (repository.root / "a.py").write_text("a and more\n", encoding="utf-8")
        repository.run("add", "a.py")
        repository.run("commit", "-q", "-m", "X (#12)\n\n* Add a\n\n* Add b")
    if is_deleted:
        repository.run("branch", "-q", "-D", "feature/x")
    assert repository.shows("feature/x")


def test_an_unmerged_branch_stays_hidden_when_it_was_deleted(repository: Repository) -> None:
    repository.work_on("feature/x")
    repository.run("branch", "-q", "-D", "feature/x")
    assert not repository.shows("feature/x")


def test_half_of_a_branch_is_not_the_branch(repository: Repository) -> None:
    repository.work_on("feature/x")
    repository.run("cherry-pick", "feature/x~1")
    assert not repository.shows("feature/x")


def test_a_branch_merged_and_deleted_elsewhere_is_known_by_the_merge(repository: Repository) -> None:
    repository.work_on("feature/x")
    repository.run("merge", "-q", "--no-ff", "-m", "Merge pull request #3 from ana/feature/x", "feature/x")
    repository.run("branch", "-q", "-D", "feature/x")
    (repository.root / ".git/logs/HEAD").unlink()
    assert repository.shows("feature/x")


def test_an_older_branch_does_not_contain_what_main_took_in_later(repository: Repository) -> None:
    repository.run("branch", "old")
    repository.work_on("feature/x")
    repository.run("merge", "-q", "--no-ff", "-m", "Take it in", "feature/x")
    assert repository.shows("feature/x")
    repository.run("checkout", "-q", "old")
    assert not repository.shows("feature/x")


@pytest.fixture
def memory(repository: Repository) -> Iterator[Memory]:
    with Memory.open(repository.root / "memory.db", "coding", embedder=None, background=False) as found:
        yield found


def test_context_and_search_honour_it_as_hooks_do(repository: Repository, memory: Memory) -> None:
    repository.run("checkout", "-q", "-b", "feature/x")
    caller = Caller(root=str(repository.root))
    Toolbox(memory, caller).call("record_gotcha", {"content": "The OAuth callback is only half moved"})
    repository.run("checkout", "-q", "main")

    def told() -> tuple[bool, bool]:
        found: Any = Toolbox(memory, caller).call("search_memory", {"query": "OAuth callback"}).text()
        return "half moved" in found, "half moved" in ContextProvider(memory, caller).get_context("OAuth callback")

    assert told() == (False, False), "the branch has no commit yet"
    repository.run("checkout", "-q", "feature/x")
    assert told() == (True, True)
    repository.commit("a.py", "a\n", "Add a")
    repository.run("checkout", "-q", "main")
    assert told() == (False, False)
    repository.run("merge", "-q", "--squash", "feature/x")
    repository.run("commit", "-q", "-m", "All of x")
    repository.run("branch", "-q", "-D", "feature/x")
    assert told() == (True, True)
