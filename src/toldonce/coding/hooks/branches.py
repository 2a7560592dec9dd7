"""Which branch a folder is on and which branches it has taken in, read from git's own files where they say it.

Only what a file cannot tell is asked of the git program, with a short limit, and kept until a branch moves.
"""

from __future__ import annotations

import os
import time

from toldonce.coding.hooks import state
from toldonce.coding.hooks.merged_branches import MergeQuestion

MAIN = ("main", "master", "trunk", "develop")
_LIMIT_SECONDS = 0.25
_LIMIT_LATER_SECONDS = 2.0
_KEPT = "branches.json"
_MOST_KEPT = 40
_LONGEST_LINE = 4_096
_LONGEST_BRANCH = 250


class Repository:
    """Where a working folder lies: its root, its own git folder, and the one it shares with its worktrees."""

    __slots__ = ("common", "own", "root")

    def __init__(self, root: str, own: str, common: str) -> None:
        self.root = root
        self.own = own
        self.common = common


def find_repository(cwd: str) -> Repository | None:
    """The repository around a folder, worktrees and submodules too; None when there is none."""
    folder = os.path.abspath(cwd)
    while True:
        mark = os.path.join(folder, ".git")
        if os.path.isdir(mark):
            return Repository(folder, mark, mark)
        if line := _first_line(mark):
            own = os.path.normpath(os.path.join(folder, line.removeprefix("gitdir:").strip()))
            shared = _first_line(os.path.join(own, "commondir"))
            return Repository(folder, own, os.path.normpath(os.path.join(own, shared)) if shared else own)
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def current_branch(found: Repository) -> str:
    """The branch that is checked out; "" for none, and for a name that git would not make."""
    head = _first_line(os.path.join(found.own, "HEAD"))
    name = head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else ""
    is_a_name = len(name) <= _LONGEST_BRANCH and name.isprintable() and " " not in name and ".." not in name
    return name if is_a_name else ""


def contained_branches(found: Repository, *, in_a_hurry: bool = True) -> list[str]:
    """The branches whose work is in the checked-out one, itself first: what was learnt on them holds here.

    In a hurry a slow git is not waited for: then the branch itself and the main ones count.
    """
    here = current_branch(found)
    key, stamp = found.own, _branch_stamp(found)
    kept = state.load_state(_KEPT)
    known = kept.get(key)
    if isinstance(known, dict) and known.get("stamp") == stamp:
        return [str(name) for name in known.get("names", ())]
    before = known.get("verdicts") if isinstance(known, dict) else None
    question = MergeQuestion(found.root, _LIMIT_SECONDS if in_a_hurry else _LIMIT_LATER_SECONDS)
    answer = question.find_merged(
        list(dict.fromkeys((found.own, found.common))), known=before if isinstance(before, dict) else {}
    )
    merged, verdicts = answer or ([], {})
    names = list(dict.fromkeys(filter(None, [here, *(MAIN if answer is None else merged)])))
    if answer is not None:
        newest = sorted(kept.items(), key=lambda row: -row[1].get("at", 0))[: _MOST_KEPT - 1]
        row = {"stamp": stamp, "names": names, "at": int(time.time()), "verdicts": verdicts}
        state.save_state(_KEPT, {**dict(newest), key: row})
    return names


def branch_scope(found: Repository | None) -> str | None:
    """The branch that something learnt here belongs to; None on a main branch, where it holds for all."""
    here = current_branch(found) if found is not None else ""
    return here if here and here not in MAIN else None


def _branch_stamp(found: Repository) -> str:
    """Changes whenever a branch may have moved: HEAD, its branch, the list of packed ones, the folder of loose ones."""
    here = current_branch(found)
    places = [
        os.path.join(found.own, "HEAD"), os.path.join(found.common, "packed-refs"),
        os.path.join(found.common, "refs", "heads"), os.path.join(found.common, "refs", "heads", here),
        os.path.join(found.own, "logs", "HEAD"),
    ]  # fmt: skip
    marks = []
    for place in places:
        try:
            marks.append(str(os.stat(place).st_mtime_ns))
        except OSError:
            marks.append("")
    return f"{here} {' '.join(marks)}"


def _first_line(path: str) -> str:
    """The first line of a small file; "" when there is none."""
    # If the path is a pipe, reading it would block.
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline(_LONGEST_LINE).strip()
    except OSError:
        return ""
