"""Past commits of a working tree: what was said and which files it changed. Only git is asked; nothing is changed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from toldonce.coding.codemap import git

MOST_COMMITS = 5_000
# A commit of more paths than this was a sweep (a rename, a formatter) and tells nothing of where a task belongs.
MOST_PATHS = 40
_LONGEST_MESSAGE = 1_200
_TRAILER = re.compile(
    r"^(?:[A-Z][A-Za-z]+(?:-[A-Za-z]+)+:|(?:refs?|closes?|fix(?:es|ed)?|resolves?|see)\b[ :]*#?\d|https?://)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit: its name, when it was made in seconds, its message, and the paths it changed."""

    sha: str
    at: int
    message: str
    paths: tuple[str, ...]


def read_commits(root: Path, revisions: str = "HEAD", *, most: int = MOST_COMMITS) -> list[Commit]:
    """The newest commits that changed a few files, newest first; none without git or history."""
    said = git.run_git_command(
        root,
        "log",
        "-z",
        "--no-merges",
        "--no-renames",
        "--name-only",
        "--relative",
        "--no-show-signature",
        "--no-ext-diff",
        f"--max-count={most}",
        "--format=%x1e%H%x1f%ct%x1f%B%x1f",
        revisions,
        "--",
    )
    if said is None:
        return []
    read = [_parse_commit(piece) for piece in said.decode("utf-8", "surrogateescape").split("\x1e")[1:]]
    return [commit for commit in read if commit and 0 < len(commit.paths) <= MOST_PATHS]


def _parse_commit(piece: str) -> Commit | None:
    fields = piece.split("\x1f", 3)
    if len(fields) < 4 or not fields[1].isdigit():
        return None
    sha, at, message, names = fields
    paths = tuple(name for raw in names.split("\0") if (name := raw.strip("\n")) and name.isprintable())
    return Commit(sha, int(at), _strip_trailers(message), paths)


def _strip_trailers(message: str) -> str:
    """The words of a message without its trailers."""
    lines = (line.strip() for line in message.splitlines())
    text = "\n".join(line for line in lines if line and not _TRAILER.match(line))
    return text.encode("utf-8", "replace").decode()[:_LONGEST_MESSAGE]
