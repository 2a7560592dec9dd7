"""Reads files of a project that may be a stranger's: never one outside its folder, never more than was asked for."""

from __future__ import annotations

import os
import re
import stat

# Line ends and terminal codes in a name would forge lines of a report or a prompt; direction marks would disguise it.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def is_inside(root: str | os.PathLike[str], path: str) -> bool:
    """Whether a path, once all links are followed, lies in the project's folder."""
    top = os.path.realpath(root)
    return os.path.commonpath([top, os.path.realpath(os.path.join(top, path))]) == top


def has_control_characters(name: str) -> bool:
    """Whether a file's name could forge lines or terminal codes where it is shown."""
    return _CONTROL.search(name) is not None


def read_inside(root: str | os.PathLike[str], path: str, *, most_bytes: int) -> bytes | None:
    """The beginning of a regular file inside the project; None for anything else."""
    try:
        if not is_inside(root, path):
            return None
        # A pipe must not be waited for.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with open(os.open(os.path.join(root, path), flags), "rb") as file:
            return file.read(most_bytes) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else None
    except (OSError, ValueError):
        return None
