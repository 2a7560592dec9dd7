"""Which branches' work is in the checked-out commit: merged, rebased or squashed, also when the branch was deleted.

Branch names come from git's refs, from the log of what was checked out, and from the messages of merges. A branch that
has no commit of its own is not merged, whatever it points to. Git is asked with a limit of time in all.
"""

from __future__ import annotations

import os
import re
import time

from toldonce.safe_git import run_git

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_REFS = ("refs/heads/", "refs/remotes/origin/")
_MOST_COMMITS = 300
_MOST_BRANCHES = 200
_LARGEST = 4_000_000
_LEAST_SECONDS = 0.02
_MOVED = re.compile(
    r"^(?P<old>[0-9a-f]+) (?P<new>[0-9a-f]+) .*\tcheckout: moving from (?P<left>\S+) to (?P<entered>\S+)$"
)
_MERGED = re.compile(
    r"^Merge (?:remote-tracking )?branch '(?:origin/)?(?P<branch>[^']+)'"
    r"|^Merge pull request #\d+ from [^/\s]+/(?P<request>\S+)"
)
_RAW = re.compile(r"^:\d+ \d+ (?P<old>[0-9a-f]+) (?P<new>[0-9a-f]+) [A-Z]\d*\t(?P<path>.+)$")


class MergeQuestion:
    """What git knows about a repository's branches at one moment, asked until the time is over."""

    __slots__ = ("_deadline", "_root")

    def __init__(self, root: str, seconds: float) -> None:
        self._root = root
        self._deadline = time.monotonic() + seconds

    def find_merged(
        self, git_folders: list[str], *, known: Mapping[str, bool]
    ) -> tuple[list[str], dict[str, bool]] | None:
        """The branches that HEAD contains, and what was found out about each tip; None when git does not answer.

        `known` is what was found out before, under the same keys.
        """
        listed = self._ask("for-each-ref", "--format=%(refname) %(objectname)", *_REFS)
        contained = self._ask("for-each-ref", "--merged=HEAD", "--format=%(refname)", *_REFS)
        head = self._ask("rev-parse", "--verify", "-q", "HEAD")
        if listed is None or contained is None or head is None:
            return None
        tips = _tips_by_branch(listed)
        inside = {_branch_of_ref(ref) for ref in contained.split()}
        left, starts = _read_checkouts(git_folders)
        found, verdicts = [], {}
        for name, tip in list({**left, **tips}.items())[:_MOST_BRANCHES]:
            key = f"{head.strip()[:16]}:{tip[:16]}"
            start = starts.get(name) or _start_of_branch(git_folders, name)
            if start == tip:
                continue
            is_contained = name in inside if name in tips else self._is_ancestor(tip)
            if key not in known and not is_contained and time.monotonic() >= self._deadline:
                continue
            verdicts[key] = known[key] if key in known else is_contained or self._is_replayed(tip)
            found += [name] if verdicts[key] else []
        merged = [name for name in self._named_in_merges() if name not in tips and name not in found]
        return [*found, *merged], verdicts

    def _is_replayed(self, tip: str) -> bool:
        """Whether every change of a branch is in HEAD under other commits: rebased, picked, or squashed into one."""
        base = (self._ask("merge-base", "HEAD", tip) or "").strip()
        if not base or base == tip:
            return False
        left = self._ask("log", "--cherry-pick", "--right-only", "--no-merges", "--format=%H", f"HEAD...{tip}")
        if left is None:
            return False
        return not left.strip() or self._is_squashed(base, tip)

    def _is_squashed(self, base: str, tip: str) -> bool:
        """Whether one commit of HEAD brings every file to where the branch has it, or quotes all its messages."""
        form = ("--raw", "--no-abbrev", "--no-renames", f"-n{_MOST_COMMITS}", "--format=%x00%B%x00")
        ours, theirs = (self._ask("log", *form, f"{base}..{end}") for end in (tip, "HEAD"))
        if not ours or not theirs:
            return False
        commits = list(_read_commits(ours))
        final: dict[str, str] = {}
        for _, files in reversed(commits):
            final |= files
        subjects = [message.strip().partition("\n")[0] for message, _ in commits]
        return any(
            (bool(final) and final.items() <= files.items())
            or (len(subjects) > 1 and all(subject in message for subject in subjects))
            for message, files in _read_commits(theirs)
        )

    def _is_ancestor(self, tip: str) -> bool:
        return self._ask("merge-base", "--is-ancestor", tip, "HEAD") is not None

    def _named_in_merges(self) -> Iterator[str]:
        """The branches that messages of merge commits name; one deleted elsewhere is known by them only."""
        said = self._ask("log", "--merges", f"-n{_MOST_COMMITS}", "--format=%s") or ""
        for line in said.splitlines():
            if found := _MERGED.match(line):
                yield found["branch"] or found["request"]

    def _ask(self, *words: str) -> str | None:
        left_s = max(self._deadline - time.monotonic(), _LEAST_SECONDS)
        said = run_git(self._root, *words, timeout_s=left_s, largest_bytes=_LARGEST)
        return None if said is None else said.decode("utf-8", "replace")


def _tips_by_branch(listed: str) -> dict[str, str]:
    """Each branch with its commit; a local one counts before a remote one of the same name."""
    rows = [line.split(" ") for line in listed.splitlines()]
    found = {_branch_of_ref(ref): tip for ref, tip in reversed(rows)}
    return {name: tip for name, tip in found.items() if name != "HEAD"}


def _branch_of_ref(ref: str) -> str:
    return next((ref.removeprefix(start) for start in _REFS if ref.startswith(start)), ref)


def _read_checkouts(git_folders: list[str]) -> tuple[dict[str, str], dict[str, str]]:
    """By branch, the commit at which it was last left and the one at which it was first entered."""
    left: dict[str, str] = {}
    entered: dict[str, str] = {}
    for folder in git_folders:
        for line in _read_lines(os.path.join(folder, "logs", "HEAD")):
            if moved := _MOVED.match(line):
                left[moved["left"]] = moved["old"]
                entered.setdefault(moved["entered"], moved["new"] if moved["old"] == moved["new"] else "")
    return {n: tip for n, tip in left.items() if not re.fullmatch(r"[0-9a-f]{7,40}", n)}, entered


def _start_of_branch(git_folders: list[str], name: str) -> str:
    """The commit at which a branch was made, by its own log; "" for one that came from a remote, with its commits."""
    for folder in git_folders:
        for line in _read_lines(os.path.join(folder, "logs", "refs", "heads", *name.split("/"))):
            old, new, *_ = line.split(" ")
            return "" if "refs/remotes/" in line else new if "Created from" in line else old
    return ""


def _read_lines(path: str) -> Iterator[str]:
    if not os.path.isfile(path) or os.path.getsize(path) > _LARGEST:
        return
    with open(path, encoding="utf-8", errors="replace") as file:
        yield from (line.rstrip("\n") for line in file)


def _read_commits(said: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The message of each commit, newest first, and the content that it gave to each file it changed."""
    parts = said.split("\0")[1:]
    for message, raw in zip(parts[::2], parts[1::2], strict=False):
        yield message, {found["path"]: found["new"] for line in raw.splitlines() if (found := _RAW.match(line))}
