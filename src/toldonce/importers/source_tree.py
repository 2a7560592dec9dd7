"""What lies at a path as a set of named files: one file, a folder, or a zip archive, which is read in place.

A file that is open for bytes is one file or an archive, too; it has no path, so databases cannot be read from it.
"""

from __future__ import annotations

import io
import os
import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, BinaryIO, TextIO

from toldonce.errors import BadImport

_PEEK = 1 << 16
_MOST_FILES = 200_000
_MOST_UNPACKED_BYTES = 50_000_000_000
# Exports of conversations shrink to a tenth or less; what grows more than this was made to.
_MOST_UNPACKED_TIMES = 100
_SMALL_BYTES = 100_000_000
_NAME_OF_OPEN_FILE = "file"
_NO_PACKED_TIME = (1980, 1, 1, 0, 0, 0)
_ZIP = b"PK\x03\x04"
# Folders in which programs keep their own state.
_HIDDEN = re.compile(r"(?:^|/)(?:__MACOSX|node_modules|\.(?!cursor/|cursorrules$|cursor$|github/|github$)[^/]+)(?:/|$)")


class SourceTree:
    """The files at a path, by names with forward slashes. Nothing is written, unpacked or followed out of a folder."""

    def __init__(self, path: str | os.PathLike[str] | BinaryIO) -> None:
        self._file = None if isinstance(path, str | os.PathLike) else path
        self.path = Path(path) if isinstance(path, str | os.PathLike) else Path(_NAME_OF_OPEN_FILE)
        self.is_folder = self._file is None and self.path.is_dir()
        try:
            self._zip = None if self.is_folder or not self._is_zip() else zipfile.ZipFile(self._file or self.path)
            self.names = tuple(sorted(name for name in self._list_names() if not _HIDDEN.search(name)))
        except (OSError, zipfile.BadZipFile) as problem:
            raise BadImport(f"{self.path} cannot be read: {problem}") from None

    @property
    def is_packed(self) -> bool:
        """Whether the files are in an archive."""
        return self._zip is not None

    @property
    def lone_file(self) -> list[str]:
        """The file that was named itself, whatever it is called; [] for a folder or an archive."""
        return [] if self.is_folder or self.is_packed else list(self.names)

    def close(self) -> None:
        """Close the archive."""
        if self._zip is not None:
            self._zip.close()

    def __enter__(self) -> SourceTree:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def find(self, pattern: str) -> list[str]:
        """The names that match a regular expression as a whole, sorted."""
        wanted = re.compile(pattern)
        return [name for name in self.names if wanted.fullmatch(name)]

    def peek(self, name: str) -> str:
        """The beginning of a file as text."""
        with self.open_bytes(name) as file:
            return file.read(_PEEK).decode("utf-8-sig", "replace")

    def time_of(self, name: str) -> datetime | None:
        """When a file was last changed, as its folder or archive says; None where neither does."""
        try:
            if self._zip is not None:
                packed = self._zip.getinfo(name).date_time
                # An archive without a time says the first moment that it can say.
                return datetime(*packed, tzinfo=UTC) if packed > _NO_PACKED_TIME else None
            if self._file is not None:
                return None
            return datetime.fromtimestamp(int(os.stat(self.locate(name)).st_mtime), UTC)
        except (OSError, ValueError, OverflowError):
            return None

    @contextmanager
    def open_bytes(self, name: str) -> Iterator[IO[bytes]]:
        """A file, open for reading."""
        try:
            if self._zip is not None:
                with self._zip.open(name) as packed:
                    yield packed
            elif self._file is not None:
                self._file.seek(0)
                yield self._file
            else:
                with open(self.locate(name), "rb") as file:
                    yield file
        except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError) as problem:
            raise BadImport(f"{name} cannot be read: {problem}") from None

    @contextmanager
    def open_text(self, name: str) -> Iterator[TextIO]:
        """A file, open for reading as UTF-8 text with or without a byte order mark."""
        with self.open_bytes(name) as file:
            text = io.TextIOWrapper(file, "utf-8-sig")
            try:
                yield text
            finally:
                # The file under it belongs to whoever opened it.
                text.detach()

    @property
    def has_paths(self) -> bool:
        """Whether each file has a path of its own, which reading a database needs."""
        return self._zip is None and self._file is None

    def locate(self, name: str) -> Path:
        """The path of a file that has one."""
        return self.path / name if self.is_folder else self.path

    def _is_zip(self) -> bool:
        if self._file is not None:
            self._file.seek(0)
            return self._file.read(len(_ZIP)) == _ZIP
        with self.path.open("rb") as file:
            return file.read(len(_ZIP)) == _ZIP

    def _list_names(self) -> Iterator[str]:
        if self._zip is not None:
            yield from _list_packed(self._zip.infolist(), size=self._measure())
        elif not self.is_folder:
            yield self.path.name
        else:
            yield from self._list_folder()

    def _measure(self) -> int:
        """The bytes of the file that was named."""
        if self._file is None:
            return self.path.stat().st_size
        return self._file.seek(0, io.SEEK_END)

    def _list_folder(self) -> Iterator[str]:
        count = 0
        for folder, inner, files in os.walk(self.path):
            inner[:] = [name for name in inner if not _HIDDEN.search(name)]
            for name in files:
                count += 1
                if count > _MOST_FILES:
                    raise BadImport(f"{self.path} holds more than {_MOST_FILES:,} files: name a folder inside it")
                full = Path(folder, name)
                if full.is_file() and not full.is_symlink():
                    yield full.relative_to(self.path).as_posix()


def _list_packed(packed: Sequence[zipfile.ZipInfo], *, size: int) -> Iterator[str]:
    """The names of files in an archive of that size, which says how large they are; no more is ever read of one."""
    most = min(_MOST_UNPACKED_BYTES, max(_SMALL_BYTES, size * _MOST_UNPACKED_TIMES))
    if len(packed) > _MOST_FILES or sum(one.file_size for one in packed) > most:
        raise BadImport(
            f"the archive holds more than {_MOST_FILES:,} files or {most:,} bytes: unpack it, and name"
            " a folder inside it"
        )
    yield from (one.filename for one in packed if not one.is_dir())
