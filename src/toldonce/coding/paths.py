"""Names a file as its project does: from the root, with slashes, links followed and in the spelling of the disk.

Import-free: hooks of coding agents load it without the engine, so that hooks and tools give a file the same name.
"""

from __future__ import annotations

import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# A file in prose, with lines where they follow it. The last name has an extension, so that "and/or" is none.
FILE_IN_TEXT = re.compile(
    r"(?<![\w/.])(?:\.{0,2}/)?(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,7}(?::\d+(?:-\d+)?)?(?!\w)"
)
# `src/auth.py:42`, `src/auth.py:42-60` and `src/auth.py#L42`, as agents copy them from other tools.
_LINES = re.compile(r"(?::\d+(?:[-:]\d+)?|#L\d+(?:-L?\d+)?)$")


def find_project_path(root: str, path: str, *, cwd: str = "") -> str | None:
    """The path of a file from the root of its project; None for a file outside it.

    A relative path counts from the root, or from `cwd` where only that leads to a file. The file need not be there.
    """
    top = os.path.realpath(root)
    spellings = list(_list_spellings(path.strip()))
    bases = [top, os.path.realpath(os.path.join(top, cwd))] if cwd else [top]
    wholes = [os.path.join(base, spelling) for spelling in spellings for base in bases]
    found = next((whole for whole in wholes if os.path.exists(whole)), wholes[0])
    try:
        inner = os.path.relpath(os.path.realpath(found), top)
    except ValueError:
        # On Windows: on another drive, or with a null character.
        return None
    if inner == os.curdir or inner.split(os.sep, 1)[0] == os.pardir:
        inner = _relative_ignoring_case(os.path.realpath(found), top)
    return _spell_as_on_disk(top, inner) if inner else None


def _list_spellings(path: str) -> Iterator[str]:
    """The path as it was given, and what it may mean where no such file is there."""
    path = os.path.expanduser(path) if path.startswith("~") else path
    yield path
    if _LINES.search(path):
        yield _LINES.sub("", path)
    if "\\" in path and "/" not in path:
        yield path.replace("\\", "/")


def _relative_ignoring_case(whole: str, top: str) -> str:
    """The path below the root when only the case of the root's own name differs; "" for a path outside."""
    prefix = os.path.join(top, "")
    given = whole[: len(prefix)]
    if given.casefold() != prefix.casefold() or (os.path.exists(given) and not os.path.samefile(given, top)):
        return ""
    return whole[len(prefix) :]


def _spell_as_on_disk(top: str, inner: str) -> str:
    """The path with each name as its folder lists it; what is not there stays as it was given."""
    folder, names = top, []
    for name in inner.split(os.sep):
        names.append(_spell_name(folder, name))
        folder = os.path.join(folder, names[-1])
    return "/".join(names)


def _spell_name(folder: str, name: str) -> str:
    """A name as the folder lists it: itself, else the only one that differs in nothing but its case."""
    try:
        listed = os.listdir(folder)
    except OSError:
        return name
    if name in listed:
        return name
    same = [other for other in listed if other.casefold() == name.casefold()]
    return same[0] if len(same) == 1 else name
