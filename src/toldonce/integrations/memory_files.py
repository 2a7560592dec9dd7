"""The files of Anthropic's memory tool (`memory_20250818`) in a memory: one document of a person holds them all.

Every command is a pure function over paths and texts; each change is one new version of the document. Paths begin with
`/memories` and never reach a file system.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from toldonce.capture.observe import redact_nested
from toldonce.errors import InputError

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.records import Document

ROOT = "/memories"
DOCUMENT = "memory_files"
Files = Mapping[str, str]
_MOST_BYTES = 1_000_000
_MOST_FILES = 1_000
_LONGEST_PATH = 500
_NUMBER_WIDTH = 6
_DEPTH = 2
# Control characters, marks that turn the direction of writing, and halves of characters, which cannot be sent back.
_ODD = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\\]")


@dataclass(frozen=True, slots=True)
class FilesResult:
    """The files after a command, and what to tell the model."""

    files: Files
    text: str


class MemoryFiles:
    """Runs the tool's commands for one person."""

    def __init__(self, memory: Memory, user: str | None = None, *, space: str | None = None) -> None:
        self._memory = memory
        self._owner = user or ""
        self._space = space

    def run(self, command: Mapping[str, Any]) -> str:
        """Carry out a command as the model sends it; InputError tells the model what is wrong with it."""
        name = command.get("command")
        work = COMMANDS.get(str(name))
        if work is None:
            raise InputError(f"there is no command {str(name)[:40]!r}: use one of {', '.join(COMMANDS)}")
        if name == "view":
            found = self._memory.documents.get(DOCUMENT, owner=self._owner, user=self._reader(), space=self._space)
            return work(_files_of(found), command).text
        return self._change(lambda files: work(files, command))

    def clear(self) -> str:
        """Remove every file."""
        return self._change(lambda _: FilesResult({}, "All files were removed."))

    def _reader(self) -> str | None:
        return self._owner or None

    def _change(self, work: Callable[[Files], FilesResult]) -> str:
        if self._memory.people.is_kept_out(self._reader(), space=self._space):
            raise InputError("memory is switched off here: nothing is stored")
        preset = self._memory.spaces.preset(self._space)
        told = ""

        def change(before: Document) -> Document:
            nonlocal told
            done = work(_files_of(before))
            told = done.text
            files = redact_nested(dict(done.files), preset.capture.redact_secrets)
            return replace(
                before, version=before.version + 1, at=self._memory.clock(), data={**before.data, "files": files}
            )

        self._memory.documents.change(DOCUMENT, change, owner=self._owner, space=self._space)
        return told


def _files_of(document: Document | None) -> Files:
    held = document.data.get("files") if document is not None else None
    return {str(path): str(text) for path, text in held.items()} if isinstance(held, Mapping) else {}


def check_path(command: Mapping[str, Any], name: str = "path") -> str:
    """The path that a command names, without tricks: absolute, below the root, with no step back."""
    said = command.get(name)
    if not isinstance(said, str) or not said or len(said) > _LONGEST_PATH or _ODD.search(said):
        raise InputError(
            f"{name} must be a path below {ROOT} of at most {_LONGEST_PATH} characters, without backslashes and"
            " characters that cannot be seen"
        )
    parts = [part for part in said.split("/") if part]
    if not said.startswith("/") or parts[:1] != [ROOT[1:]] or any(part in (".", "..") for part in parts):
        raise InputError(f"{name} must be a path below {ROOT}, without . and ..: it is {said!r}")
    return "/" + "/".join(parts)


def view(files: Files, command: Mapping[str, Any]) -> FilesResult:
    """A file with line numbers, or a folder with the sizes of what is in it."""
    path = check_path(command)
    if path in files:
        return FilesResult(files, _show_file(path, files[path], command.get("view_range")))
    inside = [one for one in files if one.startswith(f"{path}/")]
    if not inside and path != ROOT:
        raise InputError(f"there is no file or folder {path}")
    listed: dict[str, int] = {path: 0}
    for one in sorted(inside):
        size = len(files[one].encode())
        steps = one[len(path) + 1 :].split("/")
        listed[path] += size
        for depth in range(1, min(len(steps), _DEPTH) + 1):
            part = f"{path}/{'/'.join(steps[:depth])}" + ("/" if depth < len(steps) else "")
            listed[part] = listed.get(part, 0) + size
    rows = [f"{_show_size(size)}\t{one}" for one, size in listed.items()]
    return FilesResult(files, "\n".join([f"Files and folders in {path}, two levels deep:", *rows]))


def _show_file(path: str, text: str, lines: Any) -> str:
    rows = text.split("\n")
    first, last = 1, len(rows)
    if lines is not None:
        if not isinstance(lines, list | tuple) or len(lines) != 2 or not all(isinstance(n, int) for n in lines):
            raise InputError("view_range must be two line numbers")
        first, last = lines[0], len(rows) if lines[1] == -1 else lines[1]
        if not 1 <= first <= last <= len(rows):
            raise InputError(f"view_range must lie within 1 and {len(rows)}")
    shown = [f"{number:>{_NUMBER_WIDTH}}\t{rows[number - 1]}" for number in range(first, last + 1)]
    return "\n".join([f"{path}, with line numbers:", *shown])


def _show_size(size: int) -> str:
    return f"{size / 1024:.1f}K" if size >= 1024 else str(size)


def create(files: Files, command: Mapping[str, Any]) -> FilesResult:
    """A new file, or a new text for one that is there."""
    path, text = check_path(command), _text_of(command, "file_text")
    verb = "written anew" if path in files else "created"
    return _keep(files, path, text, f"{path} was {verb}.")


def str_replace(files: Files, command: Mapping[str, Any]) -> FilesResult:
    """A text that occurs once becomes another."""
    path, old, new = check_path(command), _text_of(command, "old_str"), _text_of(command, "new_str", "")
    text = _read(files, path)
    count = text.count(old) if old else 0
    if count != 1:
        places = [number for number, row in enumerate(text.split("\n"), 1) if old and old.split("\n")[0] in row]
        raise InputError(
            f"old_str must occur once in {path}: it occurs {count} times"
            + (f", in lines {', '.join(map(str, places))}" if count else "")
        )
    return _keep(files, path, text.replace(old, new), f"{path} was changed.")


def insert(files: Files, command: Mapping[str, Any]) -> FilesResult:
    """Text after a line; 0 is the beginning of the file."""
    path, added = check_path(command), _text_of(command, "insert_text")
    rows, after = _read(files, path).split("\n"), command.get("insert_line")
    if not isinstance(after, int) or isinstance(after, bool) or not 0 <= after <= len(rows):
        raise InputError(f"insert_line must lie within 0 and {len(rows)}")
    text = "\n".join([*rows[:after], *added.removesuffix("\n").split("\n"), *rows[after:]])
    return _keep(files, path, text, f"The text was inserted in {path}.")


def delete(files: Files, command: Mapping[str, Any]) -> FilesResult:
    """A file, or a folder with all that is in it, goes."""
    path = check_path(command)
    gone = _list_below(files, path)
    if path == ROOT:
        raise InputError(f"{ROOT} itself stays: delete the files in it")
    return FilesResult({one: text for one, text in files.items() if one not in gone}, f"{path} was deleted.")


def rename(files: Files, command: Mapping[str, Any]) -> FilesResult:
    """A file or a folder gets another path; nothing is overwritten."""
    old, new = check_path(command, "old_path"), check_path(command, "new_path")
    moved = _list_below(files, old)
    if ROOT in (old, new) or new.startswith(f"{old}/"):
        raise InputError(f"{old} cannot become {new}")
    if new in files or any(one.startswith(f"{new}/") for one in files):
        raise InputError(f"{new} exists already: delete it first, or choose another path")
    kept = {one: text for one, text in files.items() if one not in moved}
    _check_folder(kept, new)
    return FilesResult(kept | {new + one[len(old) :]: files[one] for one in moved}, f"{old} is now {new}.")


COMMANDS: Mapping[str, Callable[[Files, Mapping[str, Any]], FilesResult]] = {
    "view": view, "create": create, "str_replace": str_replace, "insert": insert, "delete": delete, "rename": rename,
}  # fmt: skip


def _list_below(files: Files, path: str) -> set[str]:
    found = {one for one in files if one == path or one.startswith(f"{path}/")}
    if not found and path != ROOT:
        raise InputError(f"there is no file or folder {path}")
    return found


def _read(files: Files, path: str) -> str:
    if path not in files:
        raise InputError(f"there is no file {path}")
    return files[path]


def _text_of(command: Mapping[str, Any], name: str, default: str | None = None) -> str:
    found = command.get(name, default)
    if not isinstance(found, str):
        raise InputError(f"{name} must be a text")
    return found


def _check_folder(files: Files, path: str) -> None:
    """A file is no folder, and a folder is no file."""
    parents = path.split("/")
    above = ["/".join(parents[:count]) for count in range(3, len(parents))]
    if path == ROOT or any(one in files for one in above) or any(one.startswith(f"{path}/") for one in files):
        raise InputError(f"{path} cannot be a file: a folder or a file is in its way")


def _keep(files: Files, path: str, text: str, told: str) -> FilesResult:
    _check_folder(files, path)
    after = {**files, path: text}
    size = sum(len(one.encode()) for one in after.values())
    if size > _MOST_BYTES or len(after) > _MOST_FILES:
        raise InputError(f"the files may have {_MOST_BYTES:,} bytes and be {_MOST_FILES:,}: delete or shorten some")
    return FilesResult(after, told)
