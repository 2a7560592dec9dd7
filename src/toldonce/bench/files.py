"""Finds data files below a folder by their names and reads them: JSON or JSON lines, plain or packed. Never writes."""

from __future__ import annotations

import gzip
import json
import lzma
import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toldonce.errors import InputError

_PACKED = r"(?:\.gz|\.xz)?"


@dataclass(frozen=True, slots=True)
class WantedFile:
    """A file that a set needs: the pattern of its name, also after the name of a folder, and how to say it."""

    pattern: str
    shown: str

    def matches(self, path: Path) -> bool:
        """Whether a file is this one, by its name or by its folder and name."""
        names = (path.name, f"{path.parent.name}/{path.name}")
        return any(re.fullmatch(f"(?:{self.pattern}){_PACKED}", name, re.IGNORECASE) for name in names)


def list_files(folder: Path) -> list[Path]:
    """Every file below a folder, those nearest to it first; a file stands for itself."""
    if folder.is_file():
        return [folder.absolute()]
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}: give the one that holds the data sets")
    found = [path.absolute() for path in folder.rglob("*") if path.is_file()]
    return sorted(found, key=lambda path: (len(path.parts), str(path)))


def find_wanted_file(files: list[Path], wanted: WantedFile) -> Path | None:
    """The first file that is the wanted one."""
    return next((path for path in files if wanted.matches(path)), None)


def read_rows(path: Path) -> list[Any]:
    """The rows of a file: its JSON list or table, or its JSON lines."""
    text = _read_packed_text(path)
    is_lines = ".jsonl" in path.name.lower()
    found: list[Any] = []
    # Not splitlines: a line separator of Unicode may stand unescaped inside a JSON text.
    for number, part in enumerate(text.split("\n") if is_lines else [text], start=1):
        if not part.strip():
            continue
        try:
            found.append(json.loads(part))
        except json.JSONDecodeError as problem:
            line = number if is_lines else problem.lineno
            raise InputError(f"{path}: not valid JSON in line {line}: {problem.msg}") from None
    return found[0] if not is_lines and found and isinstance(found[0], list) else found


def _read_packed_text(path: Path) -> str:
    try:
        packed = path.suffix.lower()
        if packed == ".gz":
            return gzip.decompress(path.read_bytes()).decode("utf-8")
        if packed == ".xz":
            return lzma.decompress(path.read_bytes()).decode("utf-8")
        return path.read_text(encoding="utf-8")
    except (OSError, EOFError, zlib.error, lzma.LZMAError, UnicodeDecodeError) as problem:
        raise InputError(f"{path} cannot be read: {problem}") from None
