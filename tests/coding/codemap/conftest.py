from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.conftest import git
from toldonce.coding.codemap.index import Index, open_index
from toldonce.coding.codemap.scan import ScanReport, scan_tree

NOW = datetime(2030, 1, 1, tzinfo=UTC)


class Project:
    """A working tree that a test writes, commits to, scans and asks."""

    def __init__(self, root: Path, cache: Path) -> None:
        self.root = root
        self.cache = cache
        self._open: list[Index] = []

    def write(self, files: Mapping[str, str | bytes]) -> None:
        for path, text in files.items():
            place = self.root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text if isinstance(text, bytes) else text.encode())

    def git(self, *words: str) -> str:
        environ = {
            **os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a",
            "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
        }  # fmt: skip
        return git("-c", "protocol.file.allow=always", *words, cwd=self.root, env=environ)

    def commit(self, message: str, files: Mapping[str, str | bytes]) -> None:
        if not (self.root / ".git").exists():
            self.git("init", "-q")
        self.write(files)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def scan(self, *, seconds: float | None = None) -> ScanReport:
        return scan_tree(self.root, now=NOW, cache=self.cache, seconds=seconds)

    def index(self) -> Index:
        index = open_index(self.root, cache=self.cache)
        assert index is not None, "the tree was scanned"
        self._open.append(index)
        return index

    def close(self) -> None:
        for index in self._open:
            index.close()


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    root = tmp_path / "tree"
    root.mkdir()
    made = Project(root, tmp_path / "cache")
    yield made
    made.close()


@pytest.fixture
def no_git(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], None]:
    """Takes git from the path of this process."""

    def take() -> None:
        monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))

    return take
