"""The files a task is about, with reasons and lines: signals are added up, and a sum becomes a probability.

The index is read, nothing is written; the same index and task give the same answer.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toldonce.coding.codemap.index import ALL, OTHERS, SOURCES, Index, problems_named
from toldonce.coding.codemap.languages import file_stem, runnable_tests
from toldonce.coding.codemap.outline import Definition, find_definitions
from toldonce.coding.codemap.signals import (
    FileSignals,
    Range,
    find_mentioned_files,
    find_neighbours,
    gather_signals,
    match_paths,
)
from toldonce.coding.codemap.task import CodeTask, read_task
from toldonce.coding.codemap.values import is_beside_core

if TYPE_CHECKING:
    from toldonce.coding.codemap.values import ModuleMap

# Fitted by listwise regression on commits and issues of 25 repositories in ten languages, then rounded; weights that
# had not seen a repository did as well on it (benchmarks/codemap.py). A difference of 1 makes a file e times as likely.
WEIGHTS: Mapping[str, float] = {
    "text": 2.9, "path": 2.1, "symbols": 0.7, "commits": 1.9, "names": 1.25, "mention": 2.6, "churn": 1.0,
    "together": 0.5, "imports": 1.2, "sessions": 1.5, "related": 4.0,
}  # fmt: skip
_TOLD: Mapping[str, str] = {
    "text": "text", "path": "path", "symbols": "names in it", "mention": "named in the task", "churn": "changes often",
    "together": "changes with the files above", "imports": "import neighbour", "sessions": "similar past task",
    "related": "what code calls it",
}  # fmt: skip
_SPREAD_FROM = 8
# Examples, documentation and vendored code seldom are what a task is about, unless it says so.
_BESIDE_CORE = 1.0
_CHECKED_FOR_CORE = 60
_WITH_LINES = 3
_WORTH_TELLING = 0.3
_SURELY_NAMED = 1.0
_BY_NAME = 0.3
_BY_TASK = 0.8
_MOST_MODULES = 3
_PLACES_OF = 5
# A module is named when its files have this share of the probability of all that are listed.
_LEAST_OF_MODULE = 0.15
_TEST_STEMS = ("test_{}", "{}_test", "{}", "{}test", "{}tests", "{}_spec", "test{}")
_BESIDE = frozenset(("doc", "config"))


@dataclass(frozen=True, slots=True, kw_only=True)
class LocatedFile:
    """A file with how likely it is the one, why, and where in it to look."""

    path: str
    score: float
    reasons: tuple[str, ...] = ()
    places: tuple[Definition, ...] = ()
    lines: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """Where a task belongs. `confidence` is the probability that the first file is one of those to change."""

    files: tuple[LocatedFile, ...]
    tests: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    confidence: float = 0.0
    named: bool = False


def locate_files(
    index: Index,
    task: str,
    *,
    limit: int = 15,
    learned: Mapping[str, Sequence[str]] | None = None,
    known: ModuleMap | None = None,
) -> Located:
    """The files a task is about, most likely first.

    `learned` gives texts of past tasks by the path they ended in; `known` is the map that names their modules.
    """
    read = read_task(task)
    if read.is_empty or limit < 1:
        return Located(files=())
    with problems_named(index.place):
        where = SOURCES if index.read_one("present_count", low=SOURCES[0], high=SOURCES[1]) else ALL
        evidence, scores = _score_files(index, read, where, learned=learned)
        ranked = _best_files(scores, limit)
        files = _located_files(index, read, ranked, evidence=evidence, total=sum(map(math.exp, scores.values())))
        named = [file for file, strength in find_mentioned_files(index, read, ALL).items() if strength >= _SURELY_NAMED]
        return Located(
            files=files,
            tests=paired_tests(index, [file for file, _ in ranked[:_WITH_LINES]], named=named, task=read),
            modules=_modules_of_files(files, known),
            confidence=files[0].score if files else 0.0,
            named=bool(named),
        )


def list_places(located: Located, known: ModuleMap) -> list[str]:
    """The first files of a task, and the folders of its modules with a slash at the end: what is known there helps."""
    modules = [module for name in located.modules if (module := known.find_module(name))]
    inside = [*(module.folder for module in modules if module.folder), *(f for m in modules for f in m.learned)]
    return list(dict.fromkeys([*(file.path for file in located.files[:_PLACES_OF]), *inside]))


def find_related_documents(index: Index, task: str, *, limit: int = 3) -> tuple[str, ...]:
    """Files that are no source code (documentation, configuration) and match a task."""
    read = read_task(task)
    if read.is_empty:
        return ()
    with problems_named(index.place):
        evidence = gather_signals(index, read, (OTHERS, ALL[1]))
        ranked = _best_files(_weighted_sums(evidence), 4 * limit)
        rows = {row[0]: row for row in index.read_all("file_rows", ids=json.dumps([file for file, _ in ranked]))}
    return tuple(rows[file][1] for file, _ in ranked if rows[file][2] in _BESIDE)[:limit]


def paired_tests(
    index: Index, files: Sequence[int], *, named: Sequence[int] = (), task: CodeTask | None = None, limit: int = 3
) -> tuple[str, ...]:
    """Tests of these files: those that are named, that changed with them, or that are called after them or the task."""
    surely = {row[1] for row in index.read_all("file_rows", ids=json.dumps(list(named))) if row[2] == "test"}
    votes = dict.fromkeys(surely, 1.0)
    rows = {row[0]: row for row in index.read_all("file_rows", ids=json.dumps(list(files)))}
    for rank, file in enumerate(file for file in files if file in rows):
        own = file_stem(rows[file][1])
        partners = dict(index.read_all("changed_with", file=file))
        alike = index.read_all("files_stemmed", stems=json.dumps([form.format(own) for form in _TEST_STEMS]))
        near = [*partners, *(row[0] for row in alike)]
        for other, path, role, _ in index.read_all("file_rows", ids=json.dumps(near)):
            if role == "test":
                by_name = _BY_NAME if own in file_stem(path) else 0.0
                votes[path] = max(votes.get(path, 0), (partners.get(other, 0) + by_name) / (rank + 1))
    for path, strength in _tests_called_after(index, task).items() if task else ():
        votes[path] = votes.get(path, 0.0) + _BY_TASK * strength
    runnable = runnable_tests(votes)
    listed = [path for path in votes if path in runnable or path in surely]
    return tuple(sorted(listed, key=lambda path: (-votes[path], path))[:limit])


def _tests_called_after(index: Index, task: CodeTask) -> dict[str, float]:
    """Tests whose path has words of a task, with how well they match."""
    matched = match_paths(index, task, (OTHERS, ALL[1]))
    rows = index.read_all("file_rows", ids=json.dumps(list(matched)))
    tests = {path: matched[file] for file, path, role, _ in rows if role == "test"}
    most = max(tests.values(), default=1.0)
    return {path: strength / most for path, strength in tests.items()}


def _score_files(
    index: Index, task: CodeTask, where: Range, *, learned: Mapping[str, Sequence[str]] | None
) -> tuple[FileSignals, dict[int, float]]:
    """All signals, and their weighted sums: neighbours of the best of a first round come in for the second."""
    evidence = gather_signals(index, task, where, learned=learned)
    best = _best_files(_weighted_sums(evidence), _SPREAD_FROM)
    around = [(file, math.exp(score - best[0][1])) for file, score in best]
    evidence.strengths |= find_neighbours(index, around, where)
    scores = _weighted_sums(evidence)
    ids = json.dumps([file for file, _ in _best_files(scores, _CHECKED_FOR_CORE)])
    for file, path, _, _ in index.read_all("file_rows", ids=ids):
        if is_beside_core(path) and not _names_folder(task, path):
            scores[file] -= _BESIDE_CORE
    return evidence, scores


def _names_folder(task: CodeTask, path: str) -> bool:
    """Whether a task mentions the folder that keeps a path out of the core."""
    said = {word.rstrip("s") for word in (*task.title, *task.rest)}
    return any(part.lower().rstrip("s") in said for part in path.split("/")[:-1] if is_beside_core(f"{part}/"))


def _weighted_sums(evidence: FileSignals) -> dict[int, float]:
    sums: dict[int, float] = {}
    for signal, strengths in evidence.strengths.items():
        weight = WEIGHTS[signal]
        for file, strength in strengths.items():
            sums[file] = sums.get(file, 0.0) + weight * strength
    return sums


def _best_files(scores: Mapping[int, float], count: int) -> list[tuple[int, float]]:
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:count]


def _located_files(
    index: Index, task: CodeTask, ranked: Sequence[tuple[int, float]], *, evidence: FileSignals, total: float
) -> tuple[LocatedFile, ...]:
    rows = {row[0]: row for row in index.read_all("file_rows", ids=json.dumps([file for file, _ in ranked]))}
    return tuple(
        LocatedFile(
            path=rows[file][1],
            score=round(math.exp(score) / total, 4),
            reasons=_reasons_for_file(file, evidence),
            places=find_definitions(index, file, rows[file][1], task) if rank < _WITH_LINES else (),
            lines=rows[file][3],
        )
        for rank, (file, score) in enumerate(ranked)
    )


def _modules_of_files(files: Sequence[LocatedFile], known: ModuleMap | None) -> tuple[str, ...]:
    """The modules that hold the likely files, the most likely first."""
    shares: dict[str, float] = {}
    for file in files:
        module = known.module_of(file.path) if known else None
        if module is not None:
            shares[module.name] = shares.get(module.name, 0.0) + file.score
    least = _LEAST_OF_MODULE * sum(file.score for file in files)
    likely = sorted((name for name in shares if shares[name] >= least), key=lambda name: -shares[name])
    return tuple(likely[:_MOST_MODULES])


def _reasons_for_file(file: int, evidence: FileSignals) -> tuple[str, ...]:
    """The reasons for choosing a file, strongest first."""
    parts = [(WEIGHTS[signal] * found.get(file, 0.0), signal) for signal, found in evidence.strengths.items()]
    told = [
        _describe_file_signal(signal, file, evidence)
        for weight, signal in sorted(parts, reverse=True)
        if weight >= _WORTH_TELLING
    ]
    return tuple(told)


def _describe_file_signal(signal: str, file: int, evidence: FileSignals) -> str:
    if signal == "commits":
        count = len(evidence.commits.get(file, ()))
        return f"{count} similar commit{'s' if count > 1 else ''}"
    if signal == "names":
        return f"defines {', '.join(evidence.names.get(file, ())[:3])}"
    return _TOLD[signal]
