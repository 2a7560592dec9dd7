"""The public face: the names of the package, the README's examples, and the asynchronous twin."""

from __future__ import annotations

import asyncio
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import toldonce
from tests.operations import GROUPS, all_operations, methods_of
from toldonce import AsyncMemory, Memory

ROOT = Path(__file__).parent.parent


def test_the_public_names_are_pinned() -> None:
    assert toldonce.__all__ == [
        "AsyncMemory",
        "Context",
        "Document",
        "Entity",
        "History",
        "Hit",
        "InputError",
        "Memory",
        "Question",
        "Quota",
        "Record",
        "Skipped",
        "StoreError",
        "TenantQuota",
        "ToldonceError",
        "__version__",
        "open_sealed",
    ]
    assert all(hasattr(toldonce, name) for name in toldonce.__all__)


@pytest.mark.parametrize("group", GROUPS)
def test_async_memory_has_every_operation_and_no_other(group: str) -> None:
    sync, awaited = GROUPS[group]
    assert methods_of(awaited) == methods_of(sync)


@pytest.mark.parametrize("name", sorted(set(all_operations()) - {"open"}))
def test_async_operations_take_the_same_arguments(name: str) -> None:
    group, _, method = name.rpartition(".")
    theirs, mine = (getattr(owner, method) for owner in GROUPS[group])
    assert list(inspect.signature(mine).parameters) == list(inspect.signature(theirs).parameters)
    assert inspect.getdoc(mine) == inspect.getdoc(theirs)


def test_about_twenty_verbs_are_on_memory_itself() -> None:
    assert len(methods_of(Memory)) <= 30


def test_async_memory_remembers(tmp_path: Path) -> None:
    async def story() -> list[str]:
        async with await AsyncMemory.open(tmp_path / "memory.db", embedder=None, background=False) as memory:
            await asyncio.gather(*(memory.observe(f"note number {n}", user="alex", session="s") for n in range(20)))
            return [hit.record.text for hit in await memory.recall("note number", user="alex", limit=30)]

    assert sorted(asyncio.run(story())) == sorted(f"note number {n}" for n in range(20))


def test_the_examples_of_the_readme_run(tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert examples
    for example in examples:
        run = subprocess.run(
            [sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, env=os.environ, check=False
        )
        assert run.returncode == 0, run.stderr
        assert "Lisbon" in run.stdout


def test_the_first_screen_of_the_readme_says_what_it_is_and_shows_code() -> None:
    first = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:30]
    assert any("memory for AI agents" in line for line in first)
    assert "from toldonce import Memory" in first


def test_the_demo_prints_what_was_kept_the_block_and_why() -> None:
    run = subprocess.run([sys.executable, "-m", "toldonce.demo"], capture_output=True, text=True, check=True)
    assert "What was kept" in run.stdout
    assert "tokens. Why each line is there" in run.stdout
    assert "does not eat meat" in run.stdout
    assert "said by Alex, May 4" in run.stdout


def test_memory_opens_from_the_module_that_defines_it(tmp_path: Path) -> None:
    code = "from toldonce.memory import Memory; Memory.open('memory.db', embedder=None).tend()"
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
