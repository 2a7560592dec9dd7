"""A memory that names a file or a definition cites it, and says so everywhere when that code has changed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from toldonce import Memory
from toldonce.coding.citations import read_citations
from toldonce.coding.codemap.scan import scan_tree
from toldonce.coding.hooks import entry
from toldonce.coding.named_code import cite_in_metadata, cite_named_code
from toldonce.integrations.hosts import ContextProvider
from toldonce.tools.definition import Caller
from toldonce.tools.table import Toolbox

NOW = datetime(2030, 1, 1, tzinfo=UTC)
TOKENS = "EXPIRY = 300\n\n\ndef issue(user):\n    return user\n\n\ndef refresh_token(token):\n    return token\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    found = tmp_path / "shop"
    for path, text in {
        "src/auth/tokens.py": TOKENS, "src/auth/guard.py": "def check(): ...\n",
        "src/shop/check.py": "def check(): ...\n",
        "a/index.js": "x()\n", "b/index.js": "y()\n",
    }.items():  # fmt: skip
        (found / path).parent.mkdir(parents=True, exist_ok=True)
        (found / path).write_text(text, encoding="utf-8")
    return found


@pytest.fixture
def memory(root: Path) -> Iterator[Memory]:
    with Memory.open(root / "memory.db", "coding", embedder=None, background=False) as found:
        yield found


def places(root: Path, text: str, file: str = "") -> list[str]:
    return [citation.place for citation in cite_named_code(root, text, file=file, now=NOW)]


@pytest.mark.parametrize(
    "text, cited",
    [
        ("Expiry lives in src/auth/tokens.py", ["src/auth/tokens.py"]),
        ("expiry lives in tokens.py.", ["src/auth/tokens.py"]),
        ("expiry lives in ./src/Auth/tokens.py", ["src/auth/tokens.py"]),
        ("refresh_token() trusts the clock", ["src/auth/tokens.py:8-9"]),
        ("`refresh_token` in src/auth/tokens.py trusts the clock", ["src/auth/tokens.py:8-9"]),
        ("see src/auth/tokens.py:1", ["src/auth/tokens.py:1"]),
        ("check() is defined twice, so which one is unknown", []),
        ("check() of guard.py is the one to use", ["src/auth/guard.py:1"]),
        ("index.js may be either, e.g. this one; version 1.2.3 of example.com", []),
        ("../../etc/passwd.txt and /etc/hosts.conf are elsewhere", []),
        ("a sessão expira em src/auth/tokens.py", ["src/auth/tokens.py"]),
    ],
)
def test_named_files_and_definitions_are_cited(root: Path, text: str, cited: list[str]) -> None:
    scan_tree(root, now=NOW)
    assert places(root, text) == cited


def test_without_an_index_paths_are_cited(root: Path) -> None:
    assert places(root, "refresh_token() in src/auth/tokens.py, and tokens.py") == ["src/auth/tokens.py"]


def test_definitions_are_cited_where_they_are_now(root: Path) -> None:
    scan_tree(root, now=NOW)
    (root / "src/auth/tokens.py").write_text("# new\n" + TOKENS, encoding="utf-8")
    assert places(root, "refresh_token in src/auth/tokens.py") == ["src/auth/tokens.py:9-10"]


def test_citations_that_were_given_stay_and_the_file_is_filled_in(root: Path) -> None:
    assert cite_in_metadata(root, "nothing named", {"file": ""}, now=NOW) is None
    given = {"cites": [{"path": "x"}]}
    assert cite_in_metadata(root, "src/auth/tokens.py", given, now=NOW) == given
    made = cite_in_metadata(root, "in src/auth/tokens.py", {"module": "auth"}, now=NOW)
    assert made is not None and (made["file"], made["module"]) == ("src/auth/tokens.py", "auth")
    assert cite_in_metadata(root, "in src/auth/tokens.py", None, now=NOW, whole_files=False) is None


def test_an_agent_that_names_code_is_warned_everywhere_when_it_changes(root: Path, memory: Memory) -> None:
    box = Toolbox(memory, Caller(root=str(root), session="s1"))
    box.call("record_gotcha", {"content": "The refresh token of src/auth/tokens.py is never checked against Redis"})
    (record,) = memory.review.records(None, kinds=["gotcha"])
    assert [c.place for c in read_citations(record.metadata)] == ["src/auth/tokens.py"]
    (root / "src/auth/tokens.py").write_text(TOKENS + "# checked\n", encoding="utf-8")
    asked, mark = "refresh token Redis", "may be out of date: src/auth/tokens.py changed since"
    raw = f'{{"session_id": "s2", "cwd": "{root}", "prompt": "{asked}"}}'.encode()
    hook = entry.answer_hook(["claude-code", "prompt", "--no-tend", "--place", str(root / "memory.db")], raw)
    block = ContextProvider(memory, Caller(root=str(root))).get_context(asked)
    found: Any = box.call("search_memory", {"query": asked}).text()
    assert mark in hook and mark in block and mark in found


def test_unchanged_code_raises_no_doubt(root: Path, memory: Memory) -> None:
    box = Toolbox(memory, Caller(root=str(root)))
    box.call("record_gotcha", {"content": "The refresh token of src/auth/tokens.py is never checked against Redis"})
    assert "warning" not in box.call("search_memory", {"query": "refresh token Redis"}).text()


def test_the_remember_command_cites_what_it_names(shell: Any, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    shell("init", "--preset", "coding", "--quiet")
    shell("remember", "src/auth/tokens.py is generated", "--kind", "convention", "--quiet")
    assert '"path": "src/auth/tokens.py"' in shell("recall", "generated", "--json").stdout


def test_the_file_of_a_memory_is_named_as_the_project_names_it(root: Path) -> None:
    scan_tree(root, now=NOW)
    found = cite_in_metadata(root, "Expiry counts in UTC", {"file": str(root / "src/auth/TOKENS.py")}, now=NOW)
    assert found is not None
    assert found["file"] == "src/auth/tokens.py"
    assert [citation.place for citation in read_citations(found)] == ["src/auth/tokens.py"]


def test_the_settle_command_cites_what_was_said(shell: Any, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    shell("init", "--preset", "coding", "--quiet")
    shell("observe", "We decided to keep src/auth/tokens.py free of Redis.", "--user", "ana", "--quiet")
    shell("settle", "--quiet")
    assert '"path": "src/auth/tokens.py"' in shell("recall", "Redis", "--user", "ana", "--json").stdout
