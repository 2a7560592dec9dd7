"""Brings the index of a working tree up to date: lists, reads what changed, takes in new commits, and says what it did.

Files that did not change are not opened. Paths and history come first, so that a large tree can be asked before all of
it was read.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from toldonce.coding.codemap import git
from toldonce.coding.codemap.extract import store_file
from toldonce.coding.codemap.index import ALL, OTHERS, SOURCES, Index, make_index, problems_named
from toldonce.coding.codemap.languages import file_role, file_stem, language_of_file
from toldonce.coding.codemap.past import import_history
from toldonce.coding.codemap.walk import FoundFile, SkippedFiles, Tree, look_at_file, walk_tree
from toldonce.coding.codemap.words import spread_words

_BATCH = 200
# The full-text tables are optimised after at least this many files; for fewer it costs more than it saves.
_MANY = 50
# A file written this shortly before it was read may change again within the same tick of the clock.
_TICK_NS = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanReport:
    """What a scan found and did."""

    root: Path
    files: int
    languages: Mapping[str, int]
    roles: Mapping[str, int]
    added: int
    changed: int
    removed: int
    unchanged: int
    pending: int
    commits: int
    skipped: Mapping[str, int]
    examples: Mapping[str, Sequence[str]]
    notes: Sequence[str] = ()
    seconds: float = 0.0


@dataclass(slots=True)
class _Work:
    """The differences between the index and the working tree."""

    new: list[tuple[FoundFile, int | None]] = field(default_factory=list)
    to_read: list[tuple[int, FoundFile, bytes | None]] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)
    changed: int = 0


def scan_tree(root: Path, *, now: datetime, cache: Path | None = None, seconds: float | None = None) -> ScanReport:
    """Bring the index of a working tree up to date; with `seconds`, stop reading then and leave the rest for later."""
    begun = time.perf_counter()
    with make_index(root, cache=cache) as index, problems_named(index.place):
        tree = walk_tree(root)
        work = _compare_tree(index, tree)
        with index.in_transaction():
            _list_paths(index, work)
            notes = [*_listing_notes(root, tree), *import_history(index)]
        until = begun + seconds if seconds is not None else None
        if _read_all(index, work, now=now, until=until) >= _MANY:
            _pack_index(index)
        return _build_scan_report(index, tree, work, notes, seconds=time.perf_counter() - begun)


def _pack_index(index: Index) -> None:
    with index.in_transaction():
        for query in ("pack_path", "pack_symbol", "pack_body", "pack_commit"):
            index.run(query)


def refresh_files(root: Path, paths: Iterable[str], *, now: datetime, cache: Path | None = None) -> int:
    """Read these files of a scanned tree again, if they changed; returns how many had."""
    skips = SkippedFiles()
    with make_index(root, cache=cache) as index, problems_named(index.place):
        wanted = set(paths)
        found = tuple(f for path in sorted(wanted) if (f := look_at_file(root, path, skips)))
        work = _compare_tree(index, Tree(found, skips, False), only=wanted)
        with index.in_transaction():
            _list_paths(index, work)
        return _read_all(index, work, now=now, until=None) + len(work.gone)


def _compare_tree(index: Index, tree: Tree, *, only: set[str] | None = None) -> _Work:
    work = _Work()
    known = {row[0]: row[1:] for row in index.read_all("all_files") if only is None or row[0] in only}
    for found in tree.files:
        row = known.get(found.path)
        if row is None or not row[3]:
            work.new.append((found, row[0] if row else None))
        elif row[1] != found.size or row[2] != found.changed_ns:
            work.to_read.append((row[0], found, row[4]))
    here = {found.path for found in tree.files}
    work.gone = [row[0] for path, row in known.items() if row[3] and path not in here]
    return work


def _list_paths(index: Index, work: _Work) -> None:
    """Make new paths searchable and forget the ones that are gone."""
    next_id = {low: index.read_one("last_id", low=low, high=high) for low, high in (SOURCES, (OTHERS, ALL[1]))}
    for found, file_id in work.new:
        if file_id is None:
            language = language_of_file(found.path)
            role = file_role(found.path, language)
            low = SOURCES[0] if role == "source" else OTHERS
            next_id[low] += 1
            file_id = next_id[low]
            index.run(
                "add_file",
                id=file_id,
                path=found.path,
                name=found.path.rpartition("/")[2].lower(),
                stem=file_stem(found.path),
                language=language,
                role=role,
            )
        else:
            index.run("set_present", id=file_id, present=1)
        index.run("put_path_text", id=file_id, words=spread_words(found.path))
        work.to_read.append((file_id, found, None))
    for file_id in work.gone:
        index.run("set_present", id=file_id, present=0)
        for query in (
            "drop_path_text",
            "drop_symbol_text",
            "drop_body_text",
            "drop_symbols",
            "drop_refs",
            "drop_imports",
        ):
            index.run(query, id=file_id)


def _read_all(index: Index, work: _Work, *, now: datetime, until: float | None) -> int:
    """Read what is new or changed, what a task is searched in first; returns how many files really had changed."""
    todo = sorted(work.to_read, key=lambda item: item[0])
    tick = int(now.timestamp()) * 1_000_000_000 - _TICK_NS
    count = 0
    for start in range(0, len(todo), _BATCH):
        if until is not None and time.perf_counter() > until:
            break
        with index.in_transaction():
            for file_id, found, digest in todo[start : start + _BATCH]:
                changed_ns = found.changed_ns if found.changed_ns < tick else 0
                really = store_file(index, file_id, found, known=digest, changed_ns=changed_ns)
                work.changed += really and digest is not None
                count += really
    return count


def _listing_notes(root: Path, tree: Tree) -> list[str]:
    if tree.by_git:
        return []
    if not git.has_program():
        reason = "git is not installed"
    elif (root / ".git").exists():
        reason = "git will not list this tree (`git status` says why)"
    else:
        reason = "this is not a git working tree"
    return [f"{reason}: files were listed by ignore rules, and there is no history to learn from"]


def _build_scan_report(index: Index, tree: Tree, work: _Work, notes: Sequence[str], *, seconds: float) -> ScanReport:
    languages: Counter[str] = Counter()
    roles: Counter[str] = Counter()
    for language, role, number in index.read_all("count_files"):
        languages[language] += number
        roles[role] += number
    del languages[""]
    for reason, path in index.read_all("skipped_files"):
        tree.skips.add(reason, path)
    pending = index.read_one("pending_count")
    late = [f"{pending} files are listed but not read yet: scan again to read them"] if pending else []
    return ScanReport(
        root=index.root,
        files=roles.total(),
        languages=dict(languages.most_common()),
        roles=dict(roles.most_common()),
        added=len(work.new),
        changed=work.changed,
        removed=len(work.gone),
        unchanged=roles.total() - len(work.new) - work.changed,
        pending=pending,
        commits=index.read_all("known_commits")[0][0],
        skipped=tree.skips.counts,
        examples=tree.skips.examples,
        notes=(*notes, *late),
        seconds=seconds,
    )
