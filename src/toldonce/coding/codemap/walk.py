"""The files of a working tree, by git where it answers and by ignore rules elsewhere; only ignore files are opened."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from toldonce.coding.codemap import git
from toldonce.coding.codemap.ignore import ALWAYS, IgnoreRule, is_ignored, read_rules
from toldonce.coding.codemap.project_files import has_control_characters, is_inside, read_inside

_EXAMPLES = 3
_LARGEST_RULES = 1_000_000


class FoundFile(NamedTuple):
    """A regular file: its path from the root with slashes, its size, and when it changed."""

    path: str
    size: int
    changed_ns: int


@dataclass(slots=True)
class SkippedFiles:
    """What was left out: for each reason how many, and a few examples."""

    counts: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[str]] = field(default_factory=dict)

    def add(self, reason: str, path: str) -> None:
        """Count one."""
        self.counts[reason] = self.counts.get(reason, 0) + 1
        shown = self.examples.setdefault(reason, [])
        if len(shown) < _EXAMPLES:
            shown.append(path.encode("utf-8", "backslashreplace").decode())


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of a working tree, and whether git listed them."""

    files: tuple[FoundFile, ...]
    skips: SkippedFiles
    by_git: bool


def walk_tree(root: Path) -> Tree:
    """Every regular file that is not ignored."""
    skips = SkippedFiles()
    listed = git.run_git_command(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if listed is None:
        names: Iterable[str] = _walk_folders(root, skips)
    else:
        # A file in conflict is listed once for each side.
        names = (os.fsdecode(name) for name in dict.fromkeys(listed.split(b"\0")) if name)
    base, folders = str(root), _Folders(str(root))
    files = [found for name in names if (found := _stat_file(base, name, skips, folders))]
    return Tree(tuple(files), skips, listed is not None)


def look_at_file(root: Path, path: str, skips: SkippedFiles) -> FoundFile | None:
    """One file of the tree, if it is there and a regular file."""
    return _stat_file(str(root), path, skips, _Folders(str(root)))


class _Folders(dict[str, bool]):
    """Whether a folder of the tree lies inside it, links followed: an index of git can name files behind a link."""

    def __init__(self, root: str) -> None:
        super().__init__({"": True})
        self._root = root

    def __missing__(self, folder: str) -> bool:
        self[folder] = found = is_inside(self._root, folder)
        return found


def _stat_file(base: str, name: str, skips: SkippedFiles, folders: _Folders) -> FoundFile | None:
    if has_control_characters(name):
        skips.add("name has control characters", name.encode("unicode_escape").decode())
        return None
    try:
        if not folders[os.path.dirname(name)] or ".." in name.split("/"):
            skips.add("outside the tree", name)
            return None
        seen = os.lstat(f"{base}/{name}")
    except (OSError, ValueError) as problem:
        if not isinstance(problem, FileNotFoundError | NotADirectoryError):
            skips.add("cannot be read", name)
        return None
    if not stat.S_ISREG(seen.st_mode):
        skips.add(_odd_kind(base, name, seen.st_mode), name)
        return None
    try:
        name.encode()
    except UnicodeEncodeError:
        skips.add("name is not UTF-8", name)
        return None
    return FoundFile(name.replace(os.sep, "/"), seen.st_size, seen.st_mtime_ns)


def _odd_kind(base: str, name: str, mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "symbolic link"
    if stat.S_ISDIR(mode):
        with os.scandir(f"{base}/{name}") as inside:
            is_empty = next(inside, None) is None
        return "submodule, not checked out" if is_empty else "submodule or nested repository"
    return "not a regular file"


def _walk_folders(root: Path, skips: SkippedFiles) -> Iterator[str]:
    waiting: list[tuple[str, list[tuple[str, list[IgnoreRule]]]]] = [("", [])]
    while waiting:
        folder, rules = waiting.pop()
        try:
            with os.scandir(root / folder) as inside:
                entries = sorted(inside, key=lambda e: e.name)
        except OSError:
            skips.add("cannot be read", folder)
            continue
        rules = _with_rules(root, folder, rules)
        for entry in entries:
            path = folder + entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            # In a worktree or submodule `.git` is a file.
            known = entry.name == ".git" or (is_folder and entry.name in ALWAYS)
            if known or is_ignored(path, rules, folder=is_folder):
                continue
            if is_folder:
                waiting.append((f"{path}/", rules))
            else:
                yield path


def _with_rules(
    root: Path, folder: str, rules: list[tuple[str, list[IgnoreRule]]]
) -> list[tuple[str, list[IgnoreRule]]]:
    data = read_inside(root, f"{folder}.gitignore", most_bytes=_LARGEST_RULES)
    return rules if data is None else [*rules, (folder, read_rules(data.decode("utf-8", "replace")))]
