"""Where in a file a task is about: its definitions whose lines hold the most of the task's words."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import accumulate

from toldonce.coding.codemap.index import Index
from toldonce.coding.codemap.project_files import read_inside
from toldonce.coding.codemap.task import CodeTask

_MOST_PLACES = 3
_MOST_REST = 12
_MOST_HITS = 60
_SHORTEST_STEM = 3
_LARGEST = 400_000
_NAMED_IN_TASK = 3.0


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition: its name, and its first and last line."""

    name: str
    line: int
    last: int


def find_definitions(index: Index, file: int, path: str, task: CodeTask) -> tuple[Definition, ...]:
    """The definitions of a file that a task is about, best first; none when the file cannot be read."""
    symbols = index.read_all("symbols_of", file=file)
    if not symbols:
        return ()
    data = read_inside(index.root, path, most_bytes=_LARGEST)
    if data is None:
        return ()
    hits = _stem_lines(data.decode("utf-8", "replace").lower(), _task_stems(index, task))
    scored = [
        (_definition_score(name, line, last, hits=hits, task=task), line, name, last) for name, _, line, last in symbols
    ]
    best = sorted((s for s in scored if s[0] > 0), key=lambda s: (-s[0], s[1]))
    return tuple(Definition(name, line, last) for _, line, name, last in _without_overlaps(best)[:_MOST_PLACES])


def _task_stems(index: Index, task: CodeTask) -> list[str]:
    own = (*task.title, *task.rest[:_MOST_REST])
    stems = [stem for term in own or task.related for stem in index.stems(term)[:1]]
    return [stem for stem in dict.fromkeys(stems) if len(stem) >= _SHORTEST_STEM]


def _stem_lines(text: str, stems: list[str]) -> list[tuple[float, list[int]]]:
    """For each stem its weight in this file and the lines it occurs in; a word on every line locates nothing."""
    ends = list(accumulate(len(line) + 1 for line in text.split("\n")))
    found = []
    for stem in stems:
        lines: list[int] = []
        at = text.find(stem)
        while at >= 0 and len(lines) < _MOST_HITS:
            lines.append(bisect_right(ends, at) + 1)
            at = text.find(stem, at + len(stem))
        if lines:
            found.append((math.log(1 + _MOST_HITS / len(lines)), lines))
    return found


def _definition_score(name: str, line: int, last: int, *, hits: list[tuple[float, list[int]]], task: CodeTask) -> float:
    if name in task.names:
        return 100.0
    inside = sum(weight for weight, lines in hits if bisect_left(lines, line) < bisect_right(lines, last))
    spoken = _NAMED_IN_TASK * sum(term in name.lower() for term in task.title if len(term) >= _SHORTEST_STEM)
    return (inside + spoken) / math.log(last - line + 8)


def _without_overlaps(best: list[tuple[float, int, str, int]]) -> list[tuple[float, int, str, int]]:
    """Without the ones that lie inside, or around, a better one."""
    kept: list[tuple[float, int, str, int]] = []
    for one in best:
        if all(one[3] < other[1] or one[1] > other[3] for other in kept):
            kept.append(one)
        if len(kept) == _MOST_PLACES:
            break
    return kept
