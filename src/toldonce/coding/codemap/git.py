"""Asks git about a working tree. Without git, or outside a repository, every answer is None; nothing is changed."""

from __future__ import annotations

from pathlib import Path

from toldonce.safe_git import find_git, run_git


def run_git_command(root: Path, *words: str) -> bytes | None:
    """What a git command prints; None when there is no git, no repository, or the command fails."""
    return run_git(root, *words)


def has_program() -> bool:
    """Whether git is installed."""
    return find_git() is not None


def head_commit(root: Path) -> str | None:
    """The commit that is checked out."""
    said = run_git_command(root, "rev-parse", "--verify", "-q", "HEAD")
    return said.decode().strip() or None if said is not None else None


def is_shallow(root: Path) -> bool:
    """Whether the clone has only a part of its history."""
    return (run_git_command(root, "rev-parse", "--is-shallow-repository") or b"").strip() == b"true"


def is_ancestor(root: Path, older: str, newer: str) -> bool:
    """Whether one commit came before the other."""
    return run_git_command(root, "merge-base", "--is-ancestor", older, newer) is not None


def find_root(start: Path) -> Path:
    """The top of the working tree that a path lies in; without one, the path's own folder."""
    here = start.resolve()
    here = here if here.is_dir() else here.parent
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)
