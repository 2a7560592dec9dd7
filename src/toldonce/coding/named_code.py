"""Attaches citations to a memory: which files and definitions of the project its text names.

A text and the project's folder come in, metadata goes out. Names are looked up in the index of the last scan; without
one, only paths are known.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from toldonce.coding.citations import CITES, Citation, as_metadata, cite_lines
from toldonce.coding.codemap.index import SOURCES, Index, open_index
from toldonce.coding.codemap.scan import refresh_files
from toldonce.coding.codemap.task import read_task
from toldonce.coding.paths import FILE_IN_TEXT, find_project_path
from toldonce.errors import InputError, StoreError

_MOST = 5


def cite_in_metadata(
    root: Path, text: str, metadata: Mapping[str, Any] | None, *, now: datetime, whole_files: bool = True
) -> dict[str, Any] | None:
    """The metadata of a memory with citations of the code that it names, and with its file; citations given stay.

    Without `whole_files` only definitions are cited.
    """
    given = {name: value for name, value in (metadata or {}).items() if value}
    if (file := given.get("file")) and (known := find_project_path(str(root), str(file))):
        given["file"] = known
    if CITES in given:
        return given
    found = cite_named_code(root, text, file=str(given.get("file") or ""), now=now)
    found = found if whole_files else [citation for citation in found if citation.first]
    return {**as_metadata(found), "file": found[0].path, **given} if found else given or None


def cite_named_code(root: Path, text: str, *, file: str = "", now: datetime) -> list[Citation]:
    """Citations of the definitions and files that a text names, as they are now; `file` is one named beside it.

    A file is cited whole only when no definition in it is named, so that changes elsewhere in it raise no doubt.
    """
    spelled = list(dict.fromkeys(filter(None, (file, *FILE_IN_TEXT.findall(text)))))
    try:
        index = open_index(root)
    except StoreError:
        index = None
    if index is None:
        return _cite_all(root, spelled)
    with index:
        files = [path for path in (_find_path(root, index, spelling) for spelling in spelled) if path]
        refresh_files(root, {path.partition(":")[0] for path in files}, now=now)
        defined = _find_definitions(index, text, near=[path.partition(":")[0] for path in files])
    inside = {place.partition(":")[0] for place in defined}
    whole = [path for path in files if ":" in path or path not in inside]
    return _cite_all(root, [*defined, *whole] if not file else sorted([*defined, *whole], key=_is_not_in(file)))


def _is_not_in(file: str) -> Any:
    return lambda place: place.partition(":")[0] != file


def _cite_all(root: Path, places: Iterable[str]) -> list[Citation]:
    found: list[Citation] = []
    for place in dict.fromkeys(places):
        try:
            found.append(cite_lines(root, place))
        except InputError:
            # Prose has words that only look like paths.
            continue
    return found[:_MOST]


def _find_path(root: Path, index: Index, spelling: str) -> str:
    """The file that a spelling means: the path itself, or the one file of that name; "" for none or several."""
    path, colon, lines = spelling.partition(":")
    known = find_project_path(str(root), path)
    if known and (root / known).is_file():
        return f"{known}{colon}{lines}"
    name = path.rpartition("/")[2].lower()
    alike = [row[1] for row in index.read_all("files_named", names=json.dumps([name]))]
    fitting = [other for other in alike if f"/{other}".lower().endswith(f"/{path.lower()}")]
    return f"{fitting[0]}{colon}{lines}" if len(fitting) == 1 else ""


def _find_definitions(index: Index, text: str, *, near: list[str]) -> list[str]:
    """The lines of the definitions that a text names, each in the one file that has it, or in one the text names."""
    names = read_task(text).names
    rows = index.read_all("defined_by", names=json.dumps(list(names)), low=SOURCES[0], high=SOURCES[1])
    ids = json.dumps(sorted({file for _, file in rows}))
    paths = {row[0]: row[1] for row in index.read_all("file_rows", ids=ids)}
    places: list[str] = []
    for name in names:
        homes = [file for defined, file in rows if defined == name and file in paths]
        homes = [file for file in homes if paths[file] in near] or homes
        if len(homes) == 1:
            symbols = [row for row in index.read_all("symbols_of", file=homes[0]) if row[0] == name]
            places += [f"{paths[homes[0]]}:{line}-{last}" for _, _, line, last in symbols[:1]]
    return places
