"""The prompt block in a file, for agents that take no hook."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from toldonce.cli.context_file import BEGIN, END, place_block, write_block
from toldonce.errors import InputError


def test_the_block_replaces_itself_and_nothing_else() -> None:
    first = place_block("# Rules\n\nUse tabs.\n", "one")
    assert first == f"# Rules\n\nUse tabs.\n\n{BEGIN}\none\n{END}\n"
    assert place_block(first + "\nmore\n", r"two \1") == first.replace("one", r"two \1") + "\nmore\n"
    assert place_block("", "one") == f"{BEGIN}\none\n{END}\n"


def test_a_file_that_is_current_is_not_touched(tmp_path: Path) -> None:
    target = tmp_path / "AGENTS.md"
    target.write_text("# Rules\n", encoding="utf-8")
    target.chmod(0o644)
    assert write_block(target, "one") and not write_block(target, "one")
    assert target.stat().st_mode & 0o777 == 0o644
    with pytest.raises(InputError, match="create it first"):
        write_block(tmp_path / "none" / "x.md", "one")


def test_context_is_kept_in_a_file(shell: Any) -> None:
    shell("init", "--preset", "assistant")
    shell("remember", "Alex keeps bees on the roof", "--user", "alex")
    assert "was written" in shell("context", "bees", "--user", "alex", "--write", "notes.md").stdout
    assert "keeps bees" in (shell.folder / "notes.md").read_text(encoding="utf-8")
    assert "is current" in shell("context", "bees", "--user", "alex", "--write", "notes.md").stdout
    assert "--write" in shell("context", "bees", "--every", "5", code=2).stderr
    assert "nothing to look for" in shell("context", code=2).stderr
