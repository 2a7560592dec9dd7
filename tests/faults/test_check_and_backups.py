"""A sound memory is never called damaged, and backups made at the same time are all whole."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from toldonce import Memory
from toldonce.errors import StoreBusy
from toldonce.storage.file_lock import hold_file_lock

WRITING = """
import sys
from toldonce import Memory
with Memory.open(sys.argv[1], embedder=None, background=False) as memory:
    number = 0
    while True:
        memory.observe(f"message {number} 日本語のテキスト{number}", user="bea")
        if number == 0:
            print("ready", flush=True)
        number += 1
"""
COPYING = """
import sys
from toldonce import Memory
with Memory.open(sys.argv[1], embedder=None, background=False) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(6):
        memory.storage.backup()
"""


@contextmanager
def processes(path: Path, code: str, count: int) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that are ready; none outlives the test."""
    command = [sys.executable, "-c", code, str(path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    started = [subprocess.Popen(command, text=True, **pipes) for _ in range(count)]
    try:
        for process in started:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        yield started
    finally:
        for process in started:
            process.kill()
            process.communicate()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with Memory.open(path, embedder=None, background=False) as memory:
        memory.observe("I moved to Faro", user="ana")
    return path


def test_a_sound_memory_is_found_sound_beside_a_writer(path: Path) -> None:
    with Memory.open(path, embedder=None, background=False) as memory:
        memory.storage.check()
        with processes(path, WRITING, 1):
            assert [memory.storage.check() for _ in range(25)] == [[]] * 25


def test_backups_of_many_processes_are_all_whole(path: Path) -> None:
    with processes(path, COPYING, 4) as copying:
        for process in copying:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        assert [process.communicate(timeout=240)[1] for process in copying] == [""] * 4
    with Memory.open(path, embedder=None, background=False) as memory:
        copies = memory.engine.backups.list_copies()
    assert len(copies) == 3
    for copy in copies:
        with Memory.open(copy, embedder=None, background=False) as restored:
            assert restored.storage.check() == []
            assert restored.recall("Faro", "ana")
    assert {file.name.partition(".bak.")[2] for file in path.parent.iterdir()} == {
        "",
        "1",
        "2",
        "3",
        "1.sum",
        "2.sum",
        "3.sum",
    }


def test_what_a_killed_backup_left_is_removed_by_the_next(path: Path) -> None:
    left = [Path(f"{path}.bak.1.new"), Path(f"{path}.bak.1.77-ab.new"), Path(f"{path}.bak.1.77-ab.new-journal")]
    for file in left:
        file.write_bytes(b"half a copy")
    with Memory.open(path, embedder=None, background=False) as memory:
        memory.storage.backup()
        assert [file for file in left if file.exists()] == []
        assert len(memory.engine.backups.list_copies()) == 1


def test_a_damaged_copy_never_takes_the_place_of_a_good_one(path: Path) -> None:
    """The copy is compared with the original before the older ones move."""
    from toldonce.errors import CorruptStore
    from toldonce.storage.named_queries import load_queries
    from toldonce.storage.sqlite.check import verify_copy
    from toldonce.storage.sqlite.connect import open_connection

    copy = open_connection(str(path))
    with pytest.raises(CorruptStore, match="not the same"):
        verify_copy(copy, load_queries("toldonce.storage.sqlite"), counts=(2, 0, 0, 0, 0, 0, 0, 0, 0), path="copy")
    copy.close()


def test_one_process_at_a_time_holds_a_lock(tmp_path: Path) -> None:
    name = str(tmp_path / "lock")
    with hold_file_lock(name, wait_seconds=0), pytest.raises(StoreBusy), hold_file_lock(name, wait_seconds=0):
        pass
    with hold_file_lock(name, wait_seconds=0):
        pass
    assert not Path(name).exists()
