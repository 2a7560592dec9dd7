"""Citations: which lines of which file a record is about, and whether they have changed since.

A citation is made from the working tree and checked against it; nothing is written and git is not called. Hooks check
citations in processes that live for a moment, so little is imported here.
"""

from __future__ import annotations

import hashlib
import os
import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields

from toldonce.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from toldonce.presets.policy import Kind
    from toldonce.records import Record

    Freshness = Literal["fresh", "moved", "stale", "gone"]
    Folder = str | os.PathLike[str]

# The key of a record's metadata under which its citations stand.
CITES = "cites"
# The key under which a record about a bug says where it was fixed.
FIXED = "fixed"
_LONGEST_FIXED = 300
# A larger file is data rather than code: its bytes are not worth the time of every recall.
LARGEST = 2_000_000
_SPELLING = re.compile(r"(?P<path>[^\n]+?)(?::(?P<first>\d+)(?:-(?P<last>\d+))?)?$")
_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Citation:
    """Lines of a file, counted from 1, with a hash of what they said; `first` 0 means the whole file.

    `opening` is a quick checksum of the first line, by which the passage is found again where it moved to.
    """

    path: str
    first: int
    last: int
    digest: str
    opening: int

    @property
    def place(self) -> str:
        """As people write it."""
        if not self.first:
            return self.path
        return f"{self.path}:{self.first}" if self.first == self.last else f"{self.path}:{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class CitationCheck:
    """The state of a citation, and the line where its passage begins now."""

    citation: Citation
    state: Freshness
    first: int

    @property
    def as_clause(self) -> str:
        """One clause for the reader of a prompt; empty when there is nothing to say."""
        path = self.citation.path
        return {
            "fresh": "",
            "moved": f"now at {path}:{self.first}",
            "stale": f"{self.citation.place} changed since",
            "gone": f"{path} is gone",
        }[self.state]


def cite_lines(root: Folder, spelling: str) -> Citation:
    """The citation of `path`, `path:line` or `path:first-last` as the file stands now."""
    found = _SPELLING.fullmatch(spelling.strip())
    if found is None:
        raise InputError("a citation is written path, path:line or path:first-last")
    path = _path_inside_root(root, found["path"])
    lines = _read_cited_lines(os.path.join(root, path))
    if lines is None:
        raise InputError(f"{path} cannot be cited: it is not a readable text file of the project")
    first = int(found["first"] or 0)
    last = int(found["last"] or first)
    if first > last or last > len(lines):
        raise InputError(f"{path} has {len(lines)} lines: {first}-{last} is not among them")
    passage = lines[first - 1 : last] if first else lines
    return Citation(path, first, last, _digest_of_lines(passage), _opening_checksum(passage[0] if passage else ""))


def check_citation(root: Folder, citation: Citation) -> CitationCheck:
    """Whether the cited lines are where they were, elsewhere in the file, changed, or gone with the file."""
    try:
        lines = _read_cited_lines(os.path.join(root, _path_inside_root(root, citation.path)))
    except InputError:
        lines = None
    if lines is None:
        return CitationCheck(citation, "gone", 0)
    if not citation.first:
        return CitationCheck(citation, "fresh" if _digest_of_lines(lines) == citation.digest else "stale", 0)
    if _digest_of_lines(lines[citation.first - 1 : citation.last]) == citation.digest:
        return CitationCheck(citation, "fresh", citation.first)
    moved_to = _find_moved_passage(lines, citation)
    return CitationCheck(citation, "moved", moved_to) if moved_to else CitationCheck(citation, "stale", citation.first)


def read_citations(metadata: Mapping[str, Any]) -> list[Citation]:
    """The citations in a record's metadata."""
    rows = metadata.get(CITES, ())
    return [Citation(**row) for row in rows if _is_citation(row)] if isinstance(rows, list | tuple) else []


def _is_citation(row: object) -> bool:
    """Whether a row of metadata is what `as_metadata` wrote; others may have put anything there."""
    wanted = {field.name: {"str": str, "int": int}[str(field.type)] for field in fields(Citation)}
    if not isinstance(row, Mapping) or set(row) != set(wanted):
        return False
    return all(type(row[name]) is type_ for name, type_ in wanted.items())


def citation_warning(root: Folder, metadata: Mapping[str, Any], *, outdates: bool) -> str:
    """A clause about the citations of a record that have changed, empty when all hold; a fixed bug is said to be fixed.

    What the code itself said may be out of date with it; a decision of people is only marked.
    """
    fixed = metadata.get(FIXED)
    if isinstance(fixed, str) and fixed:
        return f"(fixed in {' '.join(fixed.split())[:_LONGEST_FIXED]})"
    checks = [check_citation(root, citation) for citation in read_citations(metadata)]
    said = [checked.as_clause for checked in checks if checked.as_clause]
    lost = outdates and any(checked.state in ("stale", "gone") for checked in checks)
    return f"({'may be out of date: ' if lost else ''}{'; '.join(said)})" if said else ""


def warn_of_changes(root: Folder) -> Callable[[Record, Kind], str]:
    """What `Memory.context` adds to the lines of records whose cited code has changed in the project at `root`."""
    return lambda record, kind: citation_warning(root, record.metadata, outdates=kind.outdated_when_stale)


def as_metadata(citations: Iterable[Citation]) -> dict[str, Any]:
    """Citations in the form in which a record's metadata keeps them."""
    return {CITES: [asdict(citation) for citation in citations]}


def _find_moved_passage(lines: Sequence[str], citation: Citation) -> int:
    """The line where the passage begins now, the nearest to its old place first; 0 when it stands nowhere."""
    length = citation.last - citation.first + 1
    openings = [n for n, line in enumerate(lines, 1) if _opening_checksum(line) == citation.opening]
    for first in sorted(openings, key=lambda n: abs(n - citation.first)):
        if _digest_of_lines(lines[first - 1 : first - 1 + length]) == citation.digest:
            return first
    return 0


def _path_inside_root(root: Folder, path: str) -> str:
    """The path from the root, which it must not leave, by links neither."""
    plain, top = path.replace("\\", "/"), os.path.realpath(root)
    whole = os.path.realpath(os.path.join(top, plain))
    if whole != top and not whole.startswith(os.path.join(top, "")):
        raise InputError("a citation names a file inside the project, by its path from the project's folder")
    inner = os.path.relpath(plain, root) if os.path.isabs(plain) else os.path.normpath(plain)
    return inner.replace(os.sep, "/")


def _read_cited_lines(file: str) -> list[str] | None:
    try:
        if not os.path.isfile(file) or os.path.getsize(file) > LARGEST:
            return None
        with open(file, encoding="utf-8") as opened:
            return opened.read().splitlines()
    except (OSError, UnicodeDecodeError):
        return None


def _digest_of_lines(lines: Sequence[str]) -> str:
    """Blanks at the ends of lines do not change what the code says."""
    text = "\n".join(line.rstrip() for line in lines)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _opening_checksum(line: str) -> int:
    return zlib.crc32(line.rstrip().encode())
