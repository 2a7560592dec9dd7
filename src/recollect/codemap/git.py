"""Asks git about a working tree. Without git, or outside a repository, every answer is None; nothing is changed."""

from __future__ import annotations

import os
from pathlib import Path

_TIMEOUT_S = 60
# The repository may be a stranger's: nothing that its own configuration names may run.
_SAFE = ("-c", "core.quotepath=off", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")


def ask(root: Path, *words: str) -> bytes | None:
    """What a git command prints; None when there is no git, no repository, or the command fails."""
    # Imported here: a hook that only looks for the root or asks the index must not pay for them.
    import shutil
    import subprocess

    program = shutil.which("git")
    if program is None:
        return None
    environ = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            [program, "-C", str(root), *_SAFE, *words], capture_output=True, timeout=_TIMEOUT_S, check=False,
            env=environ, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def has_program() -> bool:
    """Whether git is installed."""
    import shutil

    return shutil.which("git") is not None


def head(root: Path) -> str | None:
    """The commit that is checked out."""
    said = ask(root, "rev-parse", "--verify", "-q", "HEAD")
    return said.decode().strip() or None if said is not None else None


def is_shallow(root: Path) -> bool:
    """Whether the clone has only a part of its history."""
    return (ask(root, "rev-parse", "--is-shallow-repository") or b"").strip() == b"true"


def is_ancestor(root: Path, older: str, newer: str) -> bool:
    """Whether one commit came before the other."""
    return ask(root, "merge-base", "--is-ancestor", older, newer) is not None


def find_root(start: Path) -> Path:
    """The top of the working tree that a path lies in; without one, the path's own folder."""
    here = start.resolve()
    here = here if here.is_dir() else here.parent
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)
