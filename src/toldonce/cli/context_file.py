"""A prompt block in a file, for agents that read files and take no hook: between two marks, the rest stays as it is."""

from __future__ import annotations

import re
from pathlib import Path

from toldonce.errors import InputError
from toldonce.storage.atomic_file import write_whole_file

BEGIN, END = "<!-- toldonce: begin -->", "<!-- toldonce: end -->"
_BLOCK = re.compile(re.escape(BEGIN) + r".*?" + re.escape(END), re.DOTALL)


def write_block(target: Path, text: str) -> bool:
    """Put a block into a file, in place of the one before; False when it was there already. Everything else stays."""
    try:
        before = target.read_text(encoding="utf-8") if target.exists() else ""
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"{target} cannot be read as text: choose another file") from problem
    after = place_block(before, text)
    if after == before:
        return False
    if not target.parent.is_dir():
        raise InputError(f"the folder {target.parent} does not exist: create it first")
    mode = target.stat().st_mode if target.exists() else None
    with write_whole_file(target) as file:
        file.write(after.encode())
    if mode is not None:
        target.chmod(mode)
    return True


def place_block(before: str, text: str) -> str:
    """The content of a file with the block in it: where it was, else at the end."""
    block = f"{BEGIN}\n{text.strip()}\n{END}"
    if _BLOCK.search(before):
        return _BLOCK.sub(lambda _: block, before, count=1)
    return f"{before.rstrip()}\n\n{block}\n" if before.strip() else f"{block}\n"
