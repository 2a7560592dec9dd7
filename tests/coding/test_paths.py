"""One file has one name: however an agent spells a path, hooks and tools mean the same file of the project."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import OpenMemory
from toldonce import Memory
from toldonce.coding.hooks import entry
from toldonce.coding.paths import find_project_path
from toldonce.errors import InputError
from toldonce.tools.definition import Caller
from toldonce.tools.table import Toolbox

NAME = "src/auth/Tokens.py"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = tmp_path / "shop"
    (found / "src" / "auth").mkdir(parents=True)
    (found / ".git").mkdir()
    (found / NAME).write_text("def expiry(): ...\n", encoding="utf-8")
    (tmp_path / "other.py").write_text("", encoding="utf-8")
    (tmp_path / "shop-2").mkdir()
    (tmp_path / "linked").symlink_to(found)
    (found / "lib").symlink_to(found / "src")
    (found / "leak").symlink_to(tmp_path / "shop-2")
    return found


def spellings(root: Path) -> list[str]:
    return [
        NAME, f"./{NAME}", f"src/../{NAME}", str(root / NAME), f"  {NAME} ", "SRC/Auth/tokens.py",
        str(root / "src" / "AUTH" / "TOKENS.PY"), str(root.parent / "linked" / NAME), "lib/auth/Tokens.py",
        "src\\auth\\Tokens.py", f"{NAME}:12", f"{NAME}:12-40", f"{NAME}#L12",
    ]  # fmt: skip


def test_every_spelling_of_a_path_is_the_same_file(root: Path) -> None:
    assert {path: find_project_path(str(root), path) for path in spellings(root)} == dict.fromkeys(
        spellings(root), NAME
    )
    assert find_project_path(str(root.parent / "linked"), str(root / NAME)) == NAME


def test_a_relative_path_counts_from_the_folder_of_the_agent_where_only_that_leads_to_a_file(root: Path) -> None:
    assert find_project_path(str(root), "Tokens.py", cwd=str(root / "src" / "auth")) == NAME
    assert find_project_path(str(root), NAME, cwd=str(root / "src")) == NAME


def test_a_file_that_is_not_there_yet_has_a_name_too(root: Path) -> None:
    assert find_project_path(str(root), "SRC/new/file.py") == "src/new/file.py"
    assert find_project_path(str(root), str(root / "gone.py")) == "gone.py"


@pytest.mark.parametrize("path", ["../other.py", "/etc/passwd", "../shop-2/a.py", "leak/a.py", ".", "~/x.py", "a\0b"])
def test_a_file_outside_the_project_has_none(root: Path, path: str) -> None:
    assert find_project_path(str(root), path) is None


def test_where_two_names_differ_only_in_case_none_is_guessed(root: Path) -> None:
    for name in ("Readme.md", "README.md"):
        (root / name).write_text("", encoding="utf-8")
    if len(os.listdir(root)) > 5:
        assert find_project_path(str(root), "readme.MD") == "readme.MD"


def tools_for(memory: Memory, root: Path) -> Toolbox:
    return Toolbox(memory, Caller(root=str(root)))


def test_a_tool_keeps_a_file_by_its_name_in_the_project(open_memory: OpenMemory, root: Path) -> None:
    box = tools_for(open_memory("coding"), root)
    for number, path in enumerate(spellings(root)):
        said = {"content": f"Trap number {number} of the token file", "file": path, "cites": [str(root / NAME) + ":1"]}
        kept = box.memory.get(box.call("record_gotcha", said).value["id"])
        assert kept.metadata["file"] == NAME and kept.metadata["cites"][0]["path"] == NAME


def test_a_tool_refuses_a_file_outside_the_project(open_memory: OpenMemory, root: Path) -> None:
    box = tools_for(open_memory("coding"), root)
    with pytest.raises(InputError, match="is outside the project .*shop: name a file inside it"):
        box.call("record_gotcha", {"content": "A trap elsewhere", "file": str(root.parent / "other.py")})
    with pytest.raises(InputError, match="is outside the project"):
        box.call("record_gotcha", {"content": "A trap elsewhere", "cites": ["../other.py:1"]})
    with pytest.raises(InputError, match="is outside the project"):
        box.call("update_module_map", {"module": "auth", "update": {"coreFiles": ["/etc/passwd"]}})
    assert not box.memory.recall("trap")


def test_the_map_takes_files_in_any_spelling(open_memory: OpenMemory, root: Path) -> None:
    box = tools_for(open_memory("coding"), root)
    update = {"coreFiles": [f"./{NAME}"], "entryPoints": [str(root / NAME), "GET /login"]}
    module = box.call("update_module_map", {"module": "auth", "update": update}).value["module"]
    assert module["coreFiles"] == [NAME] and module["entryPoints"] == [NAME, "GET /login"]


def test_a_hook_warns_of_a_file_however_the_agent_spells_it(root: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("HOME", str(root.parent / "home"))
    (root / "toldonce.toml").write_text('place = "memory.db"\npreset = "coding"\n', encoding="utf-8")
    with Memory.open(root / "memory.db", "coding", embedder=None, background=False) as memory:
        memory.remember("Expiry counts in local time", kind="gotcha", metadata={"file": NAME})
    for number, path in enumerate([*spellings(root)[:9], "Tokens.py"]):
        cwd = root / "src" / "auth" if path == "Tokens.py" else root
        given = {"tool_name": "Edit", "tool_input": {"file_path": path.strip()}}
        raw = {"session_id": f"s{number}", "cwd": str(cwd), **given}
        answer = entry.answer_hook(["claude-code", "before-edit", "--no-tend"], json.dumps(raw).encode())
        assert "local time" in answer, path
    given = {"tool_name": "Edit", "tool_input": {"file_path": str(root.parent / "shop-2" / "Tokens.py")}}
    raw = {"session_id": "other", "cwd": str(root), **given}
    assert entry.answer_hook(["claude-code", "before-edit", "--no-tend"], json.dumps(raw).encode()) == ""
