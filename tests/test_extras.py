"""Each extra installs what its part of Toldonce needs: nobody who installs one lacks a package of another."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest

from scripts.try_versions import IMPORT_CHECK, MODULES, Trial, list_trials, try_extra

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# They bring no module of their own: other ones, tools, or packages that are looked for when they are used.
WITHOUT_MODULES = {"bench", "chat", "code", "dev", "encryption", "frameworks", "fuzz", "spacy"}
HIDE = """
from importlib.machinery import PathFinder
find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *given: None if name.partition(".")[0] in hidden else find(name, *given)
"""


def normalise(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).casefold()


def add_packages(found: set[str], wanted: list[str]) -> None:
    """These packages and those that they need, as they are installed here."""
    for line in wanted:
        name, extras = re.match(r"([\w.-]+)\s*(?:\[([^\]]*)\])?", line).groups()  # type: ignore[union-attr]
        marker = line.partition(";")[2]
        if "extra ==" in marker or (name := normalise(name)) in found:
            continue
        found.add(name)
        try:
            needed = requires(name) or []
        except PackageNotFoundError:
            continue
        chosen = {one.strip() for one in (extras or "").split(",") if one.strip()}
        add_packages(found, [one.replace("extra ==", "") if _is_chosen(one, chosen) else one for one in needed])


def _is_chosen(line: str, extras: set[str]) -> bool:
    return any(re.search(rf"extra == ['\"]{re.escape(extra)}['\"]", line) for extra in extras)


@pytest.mark.parametrize("extra", sorted(MODULES))
def test_an_extra_has_every_package_that_its_modules_load(extra: str) -> None:
    installed: set[str] = {"toldonce"}
    add_packages(installed, [*PROJECT["dependencies"], *PROJECT["optional-dependencies"][extra]])
    hidden = {
        module
        for module, owners in packages_distributions().items()
        if not {normalise(owner) for owner in owners} & installed
    }
    code = f"hidden = {sorted(hidden)!r}\n{HIDE}\n{IMPORT_CHECK}"
    command = [sys.executable, "-W", "ignore", "-c", code, *MODULES[extra]]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-1500:]


def test_every_extra_is_tried() -> None:
    assert set(MODULES) | WITHOUT_MODULES == set(PROJECT["optional-dependencies"])


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("uv") is None, reason="environments are made with uv")
@pytest.mark.parametrize("trial", list_trials(), ids=str)
def test_an_extra_works_with_the_oldest_and_the_newest_versions(trial: Trial, tmp_path: Path) -> None:
    assert try_extra(trial, tmp_path / "environment") == ""
