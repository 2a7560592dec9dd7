"""What speaks for a file: each signal takes a task and the index, and gives files a strength from 0 to 1.

Strengths are set against the best file of the same signal, so that signals of different kinds can be added up.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from toldonce.coding.codemap.index import Index
from toldonce.coding.codemap.task import CodeTask
from toldonce.coding.codemap.values import is_beside_core
from toldonce.coding.codemap.words import search_terms

Strengths = dict[int, float]
Range = tuple[int, int]

# A commit of a year ago counts half as much as one of today.
HALF_LIFE_S = 365 * 86_400
_MOST_FILES = 400
_MOST_COMMITS = 60
_MOST_WORDS = 60
# A word in more than half of the files tells nothing and costs the most to look up.
_COMMON = 0.5
# A word of an import line that could mean more files than this tells nothing.
MEANINGS = 3
# How much a word in a path, in names and in the text says about a file that a task names in other words.
_RELATED_SHARES: Mapping[str, float] = {"match_path": 0.5, "match_symbol": 0.25, "match_body": 0.25}
_LEAST_RELATED = 0.1
# An everyday word that this many files define as a name is no name of the task.
_MOST_DEFINERS = 3
_SHORTEST_NAME = 4


@dataclass(slots=True)
class FileSignals:
    """The strengths of every signal, and the details shown as reasons."""

    strengths: dict[str, Strengths] = field(default_factory=dict)
    commits: dict[int, list[str]] = field(default_factory=dict)
    names: dict[int, list[str]] = field(default_factory=dict)


def gather_signals(
    index: Index, task: CodeTask, where: Range, *, learned: Mapping[str, Sequence[str]] | None = None
) -> FileSignals:
    """All signals that do not need another signal first."""
    found = FileSignals()
    words, weights = _full_text_query(index, task)
    strengths = found.strengths
    for name, query in (("text", "match_body"), ("path", "match_path"), ("symbols", "match_symbol")):
        strengths[name] = _scale_strengths(_match_files(index, query, words, where))
    strengths["related"] = _match_related(index, task, where)
    strengths["commits"] = _scale_strengths(_vote_by_commits(index, words, where, found))
    strengths["names"] = _match_definitions(index, task, where, found)
    strengths["mention"] = find_mentioned_files(index, task, where)
    strengths["churn"] = dict(index.read_all("churning", low=where[0], high=where[1]))
    if learned:
        strengths["sessions"] = _match_past_sessions(index, weights, learned)
    return found


def match_paths(index: Index, task: CodeTask, where: Range) -> Strengths:
    """Files whose path has words of the task's first line, or what code calls the things that it names."""
    terms = dict.fromkeys([*task.title, *search_terms(" ".join(task.phrases)), *task.related])
    words = " OR ".join(f'"{term}"' for term in terms)
    return _match_files(index, "match_path", words, where)


def find_neighbours(index: Index, best: Sequence[tuple[int, float]], where: Range) -> dict[str, Strengths]:
    """Files that change together with the best ones, and files that they import or that import them."""
    together: Strengths = defaultdict(float)
    imports: Strengths = defaultdict(float)
    for file, weight in best:
        for other, share in index.read_all("changed_with", file=file):
            together[other] += weight * share
        _add_imports(index, file, weight, imports)
    low, high = where
    return {
        "together": {f: min(v, 1.0) for f, v in together.items() if low <= f <= high},
        "imports": {f: min(v, 1.0) for f, v in imports.items() if low <= f <= high},
    }


def find_mentioned_files(index: Index, task: CodeTask, where: Range) -> Strengths:
    """Files whose path, name or dotted module is mentioned in the task."""
    found: Strengths = {}
    names = {path.rpartition("/")[2]: path.split("/") for path in task.paths}
    rows = index.read_all("files_named", names=json.dumps(list(names)))
    alike = Counter(row[2] for row in rows)
    for file, path, name in rows:
        shared = _shared_end(path.lower().split("/"), names[name])
        sure = shared > 1 or alike[name] == 1
        found[file] = max(found.get(file, 0), 1.0 if sure else 0.7)
    dotted = [path.split(".") for path in task.paths if "/" not in path]
    stems = {part: parts for parts in dotted if len(parts) > 1 for part in parts}
    for file, path, stem in index.read_all("files_stemmed", stems=json.dumps(list(stems))):
        parts = stems[stem]
        own = path.lower().rpartition(".")[0].split("/")
        own = own[:-1] if own[-1] in ("__init__", "index") else own
        if _shared_end(own, parts[: parts.index(stem) + 1]) > 1:
            found[file] = max(found.get(file, 0), 0.5)
    return {file: value for file, value in found.items() if where[0] <= file <= where[1]}


def _full_text_query(index: Index, task: CodeTask) -> tuple[str, dict[str, float]]:
    """The full-text query of a task, with the words of its first line counted twice, and each stem's rarity."""
    total = max(index.read_one("text_count"), 1)
    telling = _count_terms(index, (*task.title, *task.rest), most=_MOST_WORDS)
    chosen = [term for term, _ in telling.values()]
    title = [term for term in task.title if term in chosen]
    rarity = {stem: math.log(1 + total / (number + 0.5)) for stem, (_, number) in telling.items()}
    return " OR ".join(f'"{term}"' for term in (*title, *chosen)), rarity


def _count_terms(index: Index, terms: Sequence[str], *, most: int) -> dict[str, tuple[str, int]]:
    """By stem, each term and how many files have it; words of most files are left out, where others are left."""
    total = max(index.read_one("text_count"), 1)
    counts: dict[str, tuple[str, int]] = {}
    for term in terms:
        stem = "".join(index.stems(term)[:1])
        if stem and stem not in counts:
            counts[stem] = (term, index.read_one("word_count", stem=stem) or 0)
        if len(counts) >= most:
            break
    return {stem: found for stem, found in counts.items() if found[1] <= total * _COMMON + 1} or counts


def _match_files(index: Index, query: str, words: str, where: Range) -> Strengths:
    if not words:
        return {}
    return dict(index.read_all(query, words=words, low=where[0], high=where[1], most=_MOST_FILES))


def _match_related(index: Index, task: CodeTask, where: Range) -> Strengths:
    """Files whose path, names or text have what code may call the things of the task.

    It counts the more, the less of the task's own words is in the code.
    """
    telling = _count_terms(index, task.related, most=_MOST_WORDS)
    words = " OR ".join(f'"{term}"' for term, _ in telling.values())
    found: Strengths = defaultdict(float)
    for query, share in _RELATED_SHARES.items():
        for file, strength in _scale_strengths(_match_files(index, query, words, where)).items():
            found[file] += share * strength
    weight = max(_missing_share(index, task), _LEAST_RELATED)
    return {file: weight * strength for file, strength in _scale_strengths(found).items()}


def _missing_share(index: Index, task: CodeTask) -> float:
    """The share of what a task's first line says that is in no file as it is said."""
    counts = [index.read_one("word_count", stem=stem) or 0 for term in task.title for stem in index.stems(term)[:1]]
    missing = len(task.phrases) + sum(not count for count in counts)
    return missing / max(len(task.phrases) + len(counts), 1)


def _vote_by_commits(index: Index, words: str, where: Range, found: FileSignals) -> Strengths:
    """Files that similar commits changed: near, recent and narrow ones have the stronger voice."""
    votes: Strengths = defaultdict(float)
    if not words:
        return votes
    newest = index.read_all("known_commits")[0][1]
    rows = index.read_all("match_commits", words=words, most=_MOST_COMMITS, low=where[0], high=where[1])
    for file, score, at, width, sha in rows:
        recent = 0.5 ** (max(newest - at, 0) / HALF_LIFE_S)
        votes[file] += score * (0.5 + 0.5 * recent) / math.sqrt(width)
        found.commits.setdefault(file, []).append(sha[:10])
    return votes


def _match_definitions(index: Index, task: CodeTask, where: Range, found: FileSignals) -> Strengths:
    """Files that define a name of the task; a name that many define says little of each."""
    strengths: Strengths = defaultdict(float)
    rows = index.read_all("defined_by", names=json.dumps(task.names), low=where[0], high=where[1])
    definers = Counter(name for name, _ in rows)
    for name, file in rows:
        strengths[file] += 1 / definers[name]
        found.names.setdefault(file, []).append(name)
    scaled = _scale_strengths(strengths)
    for file, names in _match_plain_names(index, task, where).items():
        scaled[file] = max(scaled.get(file, 0.0), *names.values())
        found.names.setdefault(file, []).extend(names)
    return scaled


def _match_plain_names(index: Index, task: CodeTask, where: Range) -> dict[int, dict[str, float]]:
    """Files of the core that define a word of the task's first line as it stands: `flash` for "flash messages"."""
    words = [word for word in task.title if word not in task.names and len(word) >= _SHORTEST_NAME]
    rows = index.read_all("defined_by", names=json.dumps(words), low=where[0], high=where[1])
    definers = Counter(name for name, _ in rows)
    paths = {row[0]: row[1] for row in index.read_all("file_rows", ids=json.dumps([file for _, file in rows]))}
    found: dict[int, dict[str, float]] = defaultdict(dict)
    for name, file in rows:
        if definers[name] <= _MOST_DEFINERS and not is_beside_core(paths[file]):
            found[file][name] = 1 / definers[name]
    return found


def _add_imports(index: Index, file: int, weight: float, imports: Strengths) -> None:
    imported = index.read_all("imported_by", file=file, meanings=MEANINGS)
    for (other,) in imported:
        imports[other] += weight / math.sqrt(len(imported))
    for other, count in index.read_all("importers_of", file=file, meanings=MEANINGS):
        imports[other] += 0.3 * weight / math.sqrt(count)


def _match_past_sessions(index: Index, rarity: Mapping[str, float], learned: Mapping[str, Sequence[str]]) -> Strengths:
    """Files that earlier tasks with the same words ended in."""
    whole = sum(rarity.values())
    if not whole:
        return {}
    paths = {row[1]: row[0] for row in index.read_all("present_files")}
    texts: dict[str, float] = {}
    strengths: Strengths = {}
    for path, said in learned.items():
        for text in said if path in paths else ():
            if text not in texts:
                stems = set(index.stems(" ".join(search_terms(text))))
                texts[text] = sum(rarity[stem] for stem in stems if stem in rarity) / whole
        if path in paths and said:
            strengths[paths[path]] = max(texts[text] for text in said)
    return strengths


def _scale_strengths(found: Mapping[int, float]) -> Strengths:
    most = max(found.values(), default=0.0)
    return {file: value / most for file, value in found.items()} if most > 0 else {}


def _shared_end(one: Sequence[str], other: Sequence[str]) -> int:
    """How many parts two paths share, counted from their ends."""
    count = 0
    for a, b in zip(reversed(one), reversed(other), strict=False):
        if a != b:
            break
        count += 1
    return count
