from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.serve.conftest import Shell

FILES = {
    "pyproject.toml": "[tool.pytest.ini_options]\n",
    "shop/session.py": "def expire_session(user):\n    '''Log the user out.'''\n",
    "shop/cart.py": "class Cart:\n    pass\n",
    "README.md": "# A shop\n",
}


@pytest.fixture
def tree(shell: Shell) -> Path:
    for path, text in FILES.items():
        (shell.folder / path).parent.mkdir(exist_ok=True)
        (shell.folder / path).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(shell.folder)], check=True, capture_output=True)
    return shell.folder


def test_scan_tells_what_it_found_and_keeps_the_map(shell: Shell, tree: Path) -> None:
    shell("init", "--preset", "coding")
    said = shell("scan").stdout
    assert "python 2" in said and "test `pytest`" in said and "shop" in said
    found = shell.json("scan")
    assert found["kept"] is True and found["scan"]["changed"] == 0
    assert found["map"]["modules"][0]["confidence"] == "shallow"


def test_scan_without_a_memory_shows_the_map_and_makes_none(shell: Shell, tree: Path) -> None:
    before = set(tree.iterdir())
    result = shell("scan")
    assert "the map is not kept" in result.stderr
    assert set(tree.iterdir()) == before


def test_locate_names_files_with_lines_and_reasons(shell: Shell, tree: Path) -> None:
    said = shell("locate", "the user is logged out when the session expires").stdout
    assert said.index("shop/session.py") < said.index("probability")
    assert "lines 1-" in said and "expire_session" in said
    found = shell.json("locate", "session expires")
    assert found["located"]["files"][0]["path"] == "shop/session.py"
    assert found["located"]["modules"] == ["shop"]


def test_locate_sees_changes_without_a_scan(shell: Shell, tree: Path) -> None:
    shell("locate", "anything about carts")
    (tree / "shop" / "giraffe.py").write_text("def feed_giraffe(): pass\n", encoding="utf-8")
    assert shell.json("locate", "feed the giraffe")["located"]["files"][0]["path"] == "shop/giraffe.py"


def test_nothing_found_is_an_answer(shell: Shell) -> None:
    assert shell("locate", "anything").stdout == "Nothing in this code base matches.\n"


def test_map_is_shown_whole_or_within_a_budget(shell: Shell, tree: Path) -> None:
    assert "what it says of itself" in shell("map").stdout
    short = shell("map", "--budget", "60").stdout
    assert short.startswith("Commands: ") and "Modules: shop/" in short


def test_folder_that_is_not_there_is_refused(shell: Shell) -> None:
    assert "nowhere" in shell("scan", "nowhere", code=2).stderr
