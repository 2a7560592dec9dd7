"""From a task to the files that were really changed: how well `locate_files` finds them, and what scanning costs.

    python -m benchmarks.codemap DATA_FOLDER --mirror GIT_FOLDER [--repos OWNER/NAME ...]
        [--json FILE] [--misses] [--costs]

DATA_FOLDER holds `*.jsonl` or `*.jsonl.gz` files, a task a line: `repo`, `base` (a commit), `gold` (the changed paths),
and `text`, or `subject` and `body`. GIT_FOLDER holds a git directory per repository, as OWNER+NAME/repo, OWNER/NAME or
OWNER/NAME.git. `benchmarks/tasks` is such a data folder, with tasks in people's words. Each task sees the tree at its
base and the history up to it, never its own commit. No model is called.
"""

from __future__ import annotations

import argparse
import gzip
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from toldonce.coding.codemap.index import open_index
from toldonce.coding.codemap.locate import Located, locate_files
from toldonce.coding.codemap.render import render_located
from toldonce.coding.codemap.scan import ScanReport, scan_tree
from toldonce.tokens import count_tokens

KS = (5, 10, 20)
COLUMNS = ("tasks", "hit@1", *(f"R@{k}" for k in KS), "shown", "tokens", "ms")


@dataclass(frozen=True, slots=True)
class Answer:
    """One task's measures: where its files stood, how sure the answer was, and what it cost."""

    ranks: tuple[int, ...]
    confidence: float
    shown: float
    tokens: int
    milliseconds: float
    task: str = ""
    first: str = ""

    def recall(self, k: int) -> float:
        """The share of the changed files among the first k."""
        return sum(rank < k for rank in self.ranks) / len(self.ranks)

    @property
    def hit(self) -> bool:
        """Whether the first file was right."""
        return 0 in self.ranks


def main() -> None:
    """Measure, and print a table per file of tasks."""
    options = _options()
    results = {}
    for file in sorted(options.data.glob("*.jsonl*")):
        by_repo = _measured(_tasks(file, options.repos), options.mirror)
        if by_repo:
            _print_table(file.name, by_repo)
            if options.misses:
                _print_misses(by_repo)
            results[file.name] = {repo: _row(answers) for repo, answers in by_repo.items()}
    if options.costs:
        _print_costs(options.mirror, options.repos)
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--mirror", type=Path, required=True)
    parser.add_argument("--repos", nargs="*")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--misses", action="store_true", help="also list the tasks whose first file is wrong")
    parser.add_argument("--costs", action="store_true", help="also scan each repository's newest commit, from nothing")
    return parser.parse_args()


def _tasks(file: Path, repos: Sequence[str] | None) -> dict[tuple[str, str], list[dict[str, Any]]]:
    opener: Any = gzip.open if file.suffix == ".gz" else open
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    with opener(file, "rt", encoding="utf-8") as lines:
        for task in (json.loads(line) for line in lines if line.strip()):
            if not repos or task["repo"] in repos:
                found[task["repo"], task["base"]].append(task)
    return found


def _measured(tasks: dict[tuple[str, str], list[dict[str, Any]]], mirror: Path) -> dict[str, list[Answer]]:
    answers: dict[str, list[Answer]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for (repo, base), asked in sorted(tasks.items()):
            root = checkout(mirror, repo, base, folder=Path(folder))
            scan_tree(root, now=datetime.now(UTC), cache=Path(folder))
            answers[repo] += _answered(root, asked, cache=Path(folder))
    return dict(answers)


def _answered(root: Path, tasks: Iterable[dict[str, Any]], *, cache: Path) -> Iterator[Answer]:
    index = open_index(root, cache=cache)
    assert index is not None, "it was just scanned"
    with index:
        here = {row[1] for row in index.read_all("present_files")}
        for task in tasks:
            gold = [path for path in task["gold"] if path in here]
            text = task.get("text") or f"{task['subject']}\n{task['body']}".strip()
            if gold:
                begun = time.process_time()
                found = locate_files(index, text, limit=max(KS))
                yield _answer(found, gold, task=text, milliseconds=1000 * (time.process_time() - begun))


def _answer(found: Located, gold: Sequence[str], *, task: str, milliseconds: float) -> Answer:
    paths = [file.path for file in found.files]
    block = render_located(found)
    shown = sum(path.rpartition("/")[2] in block for path in gold) / len(gold) if block else 0.0
    ranks = tuple(paths.index(path) if path in paths else len(paths) + max(KS) for path in gold)
    first = paths[0] if paths else "nothing"
    return Answer(ranks, found.confidence, shown, count_tokens(block), milliseconds, task=task, first=first)


def checkout(mirror: Path, repo: str, revision: str, *, folder: Path) -> Path:
    """A working tree of a repository at a commit, whose history ends there; files whose content is missing stay out."""
    owner, name = repo.split("/")
    places = (mirror / f"{owner}+{name}" / "repo", mirror / owner / name, mirror / owner / f"{name}.git")
    source = next((place for place in places if place.is_dir()), None)
    if source is None:
        sys.exit(f"no git directory for {repo} under {mirror}")
    root = folder / f"{owner}+{name}"
    if not root.exists():
        _git(folder, "clone", "-q", "--shared", "--no-checkout", str(source), str(root))
    for words in (("update-ref", "--no-deref", "HEAD", revision), ("read-tree", revision), ("clean", "-fdxq")):
        _git(root, *words)
    _git(root, "checkout-index", "-a", "-f", "-q", check=False)
    return root


def _git(folder: Path, *words: str, check: bool = True) -> None:
    subprocess.run(["git", "-C", str(folder), *words], check=check, capture_output=True)


def _row(answers: Sequence[Answer]) -> dict[str, float]:
    number = len(answers)
    row = {"tasks": float(number), "hit@1": sum(a.hit for a in answers) / number}
    row |= {f"R@{k}": sum(a.recall(k) for a in answers) / number for k in KS}
    row |= {"shown": sum(a.shown for a in answers) / number, "tokens": sum(a.tokens for a in answers) / number}
    return {**row, "ms": sum(a.milliseconds for a in answers) / number}


def _print_table(title: str, by_repo: dict[str, list[Answer]]) -> None:
    print(f"\n{title}\n{'repository':26}" + "".join(f"{name:>9}" for name in COLUMNS))
    everything = [answer for answers in by_repo.values() for answer in answers]
    for repo, answers in (*by_repo.items(), ("all", everything)):
        row = _row(answers)
        cells = [f"{row[name]:9.0f}" if name in ("tasks", "tokens") else f"{row[name]:9.3f}" for name in COLUMNS]
        print(f"{repo:26}" + "".join(cells))
    by_confidence = sorted(everything, key=lambda answer: answer.confidence)
    size = max(1, len(by_confidence) // 5)
    for name, part in (("least sure fifth", by_confidence[:size]), ("surest fifth", by_confidence[-size:])):
        sure = sum(answer.confidence for answer in part) / len(part)
        print(f"{name:26} first file right {_row(part)['hit@1']:.3f}, said {sure:.3f}; R@10 {_row(part)['R@10']:.3f}")


def _print_misses(by_repo: dict[str, list[Answer]]) -> None:
    for repo, answers in by_repo.items():
        for answer in answers:
            if not answer.hit:
                print(f"{repo:26}{answer.task.splitlines()[0][:60]:62}{answer.first}")


def _print_costs(mirror: Path, repos: Sequence[str] | None) -> None:
    print(f"\n{'repository':26}{'files':>8}{'scan CPU s':>12}{'again':>9}{'ten changed':>13}")
    for repo in repos or [path.name.replace("+", "/", 1) for path in sorted(mirror.iterdir()) if path.is_dir()]:
        with tempfile.TemporaryDirectory() as folder:
            root = checkout(mirror, repo, "HEAD", folder=Path(folder))
            first, whole = _timed(root, Path(folder))
            _, again = _timed(root, Path(folder))
            for path in sorted(root.rglob("*.*"))[:10]:
                if path.is_file() and not path.is_symlink():
                    path.write_bytes(path.read_bytes() + b"\n")
            _, ten = _timed(root, Path(folder))
            print(f"{repo:26}{first.files:8}{whole:12.2f}{again:9.3f}{ten:13.3f}")
            shutil.rmtree(root)


def _timed(root: Path, cache: Path) -> tuple[ScanReport, float]:
    """A scan, and the processor time of this process and of git."""
    before = _processor_seconds()
    found = scan_tree(root, now=datetime.now(UTC), cache=cache)
    return found, _processor_seconds() - before


def _processor_seconds() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


if __name__ == "__main__":
    main()
