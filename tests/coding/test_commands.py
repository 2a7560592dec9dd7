"""The commands about a code base, with a language model over real HTTP where one is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import git
from tests.scripted import Scripted, Status, scripted
from tests.shell import Shell
from toldonce import Memory
from toldonce.coding.codemap.document import NAME, from_document, to_document
from toldonce.coding.codemap.learn import update_module

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
    git("init", "-q", cwd=shell.folder)
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


# Names for modules


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    with scripted() as server:
        monkeypatch.setenv("TOLDONCE_WRITER", server.writer)
        named = {"id": "m1", "name": "sessions and carts", "description": "Who shops, and what.", "related": []}
        server.say(modules={"modules": [named]})
        yield server


def modules_of(shell: Shell, *args: str) -> dict[str, Any]:
    return {module["folder"]: module for module in shell.json("scan", *args)["map"]["modules"]}


def test_a_model_names_modules_and_the_next_scan_keeps_the_names(shell: Shell, tree: Path, server: Scripted) -> None:
    shell("init", "--preset", "coding", "--quiet")
    assert "Named 1 module." in shell("scan", "--name-modules").stderr
    (asked,) = server.requests[0].data["modules"]
    assert asked["folder"] == "shop/" and "expire_session" in asked["symbols"]
    shop = modules_of(shell)["shop/"]
    assert (shop["name"], shop["description"]) == ("sessions and carts", "Who shops, and what.")
    assert shop["confidence"] == "partial"
    assert "sessions and carts" in shell("map", "--budget", "60").stdout


def test_modules_that_have_a_name_are_not_asked_about_again(shell: Shell, tree: Path, server: Scripted) -> None:
    shell("init", "--preset", "coding", "--quiet")
    first = modules_of(shell, "--name-modules")
    assert modules_of(shell, "--name-modules") == first
    assert server.calls["modules"] == 1


def test_what_somebody_taught_while_the_model_was_asked_is_not_overwritten(
    shell: Shell, tree: Path, server: Scripted
) -> None:
    shell("init", "--preset", "coding", "--quiet")

    def meanwhile(request: Any) -> Any:
        with Memory.open(shell.folder / "memory.db", embedder=None, background=False) as memory:

            def teach(document: Any) -> Any:
                taught = update_module(from_document(document), "shop", description="The whole shop.")
                return to_document(taught, space=document.space, at=memory.clock(), previous=document)

            memory.documents.change(NAME, teach)
        return {"modules": [{"id": "m1", "name": "other", "description": "Else.", "related": []}]}

    server.say(modules=meanwhile)
    shop = modules_of(shell, "--name-modules")["shop/"]
    assert (shop["name"], shop["description"]) == ("shop", "The whole shop.")


def test_an_invented_module_is_refused_and_the_map_is_kept_without_names(
    shell: Shell, tree: Path, server: Scripted
) -> None:
    shell("init", "--preset", "coding", "--quiet")
    wrong = {"id": "m7", "name": "ghosts", "description": "Nothing.", "related": []}
    server.say(modules={"modules": [wrong]})
    failed = shell("scan", "--name-modules", code=1)
    assert "did not do the task modules" in failed.stderr
    server.say(modules=Status(401))
    shell("scan", "--name-modules", code=1)
    assert modules_of(shell)["shop/"]["name"] == "shop"


def test_naming_modules_without_a_model_says_which_setting_to_make(shell: Shell, tree: Path) -> None:
    shell("init", "--preset", "coding", "--quiet")
    said = shell("scan", "--name-modules", code=2).stderr
    assert "set `writer` in your settings file" in said and "TOLDONCE_WRITER" in said


def test_naming_modules_without_a_memory_asks_no_model(shell: Shell, tree: Path, server: Scripted) -> None:
    assert "there is no memory" in shell("scan", "--name-modules", code=3).stderr
    assert server.requests == []
