"""Takes past commits into the index, and works out from them which files change often and which change together."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby

from toldonce.coding.codemap import git
from toldonce.coding.codemap.history import Commit, read_commits
from toldonce.coding.codemap.index import OTHERS, Index
from toldonce.coding.codemap.signals import HALF_LIFE_S
from toldonce.coding.codemap.words import spread_words

# Pairs out of wider commits say little, and their number grows with the square.
_WIDEST_PAIRS = 15
_MOST_PARTNERS = 20
# A file changed once with another is no pattern: shares of rare files are drawn towards zero.
_DOUBT = 5


def import_history(index: Index) -> list[str]:
    """Take in the commits made since the last time; returns what a reader should know."""
    head = git.head_commit(index.root)
    if head is None:
        return []
    known = index.read_fact("head")
    if known != head:
        if known and git.is_ancestor(index.root, known, head):
            found = read_commits(index.root, f"{known}..{head}")
        else:
            for query in ("drop_touched", "drop_commits", "drop_commit_texts"):
                index.run(query)
            found = read_commits(index.root)
        _store_commits(index, found)
        _count_changes_together(index)
        index.run("put_fact", name="head", value=head)
    return [_shallow_note(index)] if git.is_shallow(index.root) else []


def _shallow_note(index: Index) -> str:
    count = index.read_all("known_commits")[0][0]
    return f"this is a shallow clone: history ends after {count} commits (`git fetch --unshallow` brings the rest)"


def _store_commits(index: Index, found: list[Commit]) -> None:
    files = {row[0]: row[1] for row in index.read_all("all_files")}
    last = index.read_one("last_commit")
    # Oldest first, so that ids rise with time however often history is taken in.
    for commit_id, commit in enumerate(reversed(found), last + 1):
        index.run("add_commit", id=commit_id, sha=commit.sha, at=commit.at, width=len(commit.paths))
        index.run("put_commit_text", id=commit_id, words=spread_words(commit.message))
        touched = [{"commit_id": commit_id, "file": files[p]} for p in commit.paths if p in files]
        index.run_many("add_touched", touched)


def _count_changes_together(index: Index) -> None:
    """Recount how often files change, and together with which others."""
    rows = index.read_all("all_touched")
    newest = max((row[1] for row in rows), default=0)
    churn: dict[int, float] = defaultdict(float)
    times: Counter[int] = Counter()
    pairs: dict[int, Counter[int]] = defaultdict(Counter)
    for at, files in _by_commit(rows):
        weight = 0.5 ** (max(newest - at, 0) / HALF_LIFE_S) / math.sqrt(len(files))
        for file in files:
            churn[file] += weight
            times[file] += 1
            if len(files) <= _WIDEST_PAIRS:
                pairs[file].update(files)
    _store_churn(index, churn)
    index.run("drop_together")
    index.run_many("add_together", _change_shares(pairs, times))


def _by_commit(rows: list[tuple[int, int, int, int]]) -> Iterator[tuple[int, list[int]]]:
    for _, group in groupby(rows, key=lambda row: row[0]):
        found = list(group)
        yield found[0][1], [row[3] for row in found]


def _store_churn(index: Index, churn: dict[int, float]) -> None:
    index.run("reset_churn")
    most = max((math.log1p(v) for file, v in churn.items() if file < OTHERS), default=0) or 1
    index.run_many("set_churn", ({"id": file, "churn": min(1.0, math.log1p(v) / most)} for file, v in churn.items()))


def _change_shares(pairs: dict[int, Counter[int]], times: Counter[int]) -> Iterable[dict[str, float]]:
    for file, others in pairs.items():
        del others[file]
        for other, count in others.most_common(_MOST_PARTNERS):
            yield {"file": file, "other": other, "share": count / (times[file] + _DOUBT)}
