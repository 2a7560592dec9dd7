"""Every install line that we print or write down installs this program, and nobody else's."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from toldonce.optional import describe_install, install_hint

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "benchmarks").glob("*.md")),
         *sorted((ROOT / "examples").rglob("*.md")), ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]  # fmt: skip
SOURCES = [*sorted((ROOT / "src").rglob("*.py")), *sorted((ROOT / "scripts").glob("*.py"))]
# Packages of others that a line may name beside ours.
OTHERS = {"crewai", "strands-agents", "onnxruntime"}
LINE = re.compile(
    r"(?:pip install|pipx install|uv tool install|uv pip install)((?:[ ]+(?:'[^']*'|\"[^\"]*\"|[\w.\[\],=<>~-]+))+)"
)


def install_lines() -> Iterator[tuple[str, tuple[str, ...]]]:
    for page in PAGES:
        for found in LINE.finditer(page.read_text(encoding="utf-8")):
            yield page.name, tuple(word for word in shlex.split(found[1]) if not word.startswith("-"))


LINES = {what: page for page, what in install_lines()}


def test_install_lines_are_found() -> None:
    assert len(LINES) > 20
    assert (".[server]",) in LINES


@pytest.mark.parametrize("what", LINES, ids=" ".join)
def test_an_install_line_names_nothing_that_is_not_ours(what: tuple[str, ...]) -> None:
    assert any(re.fullmatch(r"\.(\[[\w,-]+\])?", one) for one in what)
    assert {one for one in what if not one.startswith(".")} <= OTHERS


def test_no_message_names_our_package_by_its_name_alone() -> None:
    named = re.compile(r"install[^\n]*\btoldonce\[")
    assert [path.name for path in SOURCES if named.search(path.read_text(encoding="utf-8"))] == []


@pytest.fixture(scope="module")
def empty_environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with nothing in it."""
    place = tmp_path_factory.mktemp("fresh") / "env"
    run_uv("venv", "--python", sys.executable, str(place))
    return place / "bin" / "python"


def run_uv(*words: str) -> str:
    program = shutil.which("uv", path=str(Path(sys.executable).parent)) or "uv"
    ran = subprocess.run([program, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return ran.stderr


@pytest.mark.parametrize("what", LINES, ids=" ".join)
def test_an_install_line_installs_this_program(what: tuple[str, ...], empty_environment: Path) -> None:
    plan = run_uv("pip", "install", "--dry-run", "--python", str(empty_environment), *what)
    named = [line.strip() for line in plan.splitlines() if re.match(r" \+ toldonce\b", line)]
    assert named == [f"+ toldonce @ {ROOT.as_uri()}"], plan


# What an error says


@pytest.mark.parametrize(
    ("origin", "installer", "python", "said"),
    [
        ({"url": ROOT.as_uri(), "dir_info": {}}, "pip", "/env/bin/python",
         f"run `/env/bin/python -m pip install '{ROOT}[server]'`"),
        ({"url": ROOT.as_uri(), "dir_info": {"editable": True}}, "uv", "/env/bin/python",
         f"run `uv pip install --python /env/bin/python -e '{ROOT}[server]'`"),
        ({"url": "https://example.org/t.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}}, "pip", "/env/bin/python",
         "run `/env/bin/python -m pip install 'toldonce[server] @ git+https://example.org/t.git@abc'`"),
        ({"url": "https://example.org/t-1-py3-none-any.whl", "archive_info": {}}, "pip", "/my env/bin/python",
         "run `'/my env/bin/python' -m pip install 'toldonce[server] @ https://example.org/t-1-py3-none-any.whl'`"),
        ({"url": ROOT.as_uri(), "dir_info": {}}, "pip", "/home/a/.local/pipx/venvs/toldonce/bin/python",
         f"run `pipx install --force '{ROOT}[server]'`"),
        ({"url": ROOT.as_uri(), "dir_info": {}}, "uv", "/home/a/.local/share/uv/tools/toldonce/bin/python",
         f"run `uv tool install --force '{ROOT}[server]'`"),
        ({"url": "file:///gone/away", "dir_info": {}}, "pip", "/env/bin/python",
         "install the extra `server` of toldonce, as docs/install.md of its source tells"),
        ("no mapping", "pip", "/env/bin/python",
         "install the extra `server` of toldonce, as docs/install.md of its source tells"),
        (None, "pip", "/env/bin/python",
         "install the extra `server` of toldonce, as docs/install.md of its source tells"),
    ],
)  # fmt: skip
def test_a_hint_names_where_the_program_came_from(origin: object, installer: str, python: str, said: str) -> None:
    text = json.dumps(origin) if origin is not None else None
    assert describe_install("server", text, installer, python=python) == said


def test_the_hint_of_this_installation_is_a_command_for_it() -> None:
    hint = install_hint("server")
    assert str(ROOT) in hint and "[server]" in hint and "install" in hint
