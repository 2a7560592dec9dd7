"""Processes that fork, drop memories, run out of file handles, or find their files changed: safe, or a clear error."""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import subprocess
import sys
import threading
from pathlib import Path

import apsw
import pytest

from toldonce import Memory
from toldonce.coding.hooks.reader import open_reader
from toldonce.errors import CorruptStore, FileReplaced, NewerSchema, StoreForked, TooManyFiles
from toldonce.storage.sqlite.file import SCHEMA_VERSION

PATIENCE = 120

FORKING = """
import os, sys, threading
from toldonce import Memory
from toldonce.errors import StoreForked
memory = Memory.open(sys.argv[1], embedder=None, background=True)
stop = threading.Event()
def write():
    while not stop.is_set():
        memory.observe("a message of the parent", user="ana")
        memory.recall("message", "ana")
threads = [threading.Thread(target=write) for _ in range(4)]
[thread.start() for thread in threads]
children = []
for _ in range(20):
    child = os.fork()
    if child == 0:
        told = 0
        for work in (
            lambda: memory.observe("a message of the child", user="ana"), lambda: memory.recall("message", "ana"),
            memory.storage.check, memory.storage.backup, memory.tend,
        ):
            try:
                work()
            except StoreForked:
                told += 1
        memory.close()
        os._exit(0 if told == 5 else 1)
    children.append(child)
ends = [os.waitpid(child, 0)[1] for child in children]
stop.set()
[thread.join() for thread in threads]
assert memory.storage.check() == []
memory.close()
print(ends)
"""


def run(code: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, *arguments], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def observe_elsewhere(path: Path, text: str) -> None:
    """Another process keeps a message."""
    code = "import sys; from toldonce import Memory\n"
    code += "with Memory.open(sys.argv[1], embedder=None, background=False) as m: m.observe(sys.argv[2], user='bea')"
    run(code, str(path), text)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_child_gets_a_clear_error_and_the_parent_goes_on(path: Path) -> None:
    assert run(FORKING, str(path)).strip() == str([0] * 20)
    with Memory.open(path, embedder=None, background=False) as memory:
        assert not memory.recall("child", "ana", min_score=0.99)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_child_can_open_the_memory_itself(path: Path) -> None:
    with Memory.open(path, embedder=None, background=False) as memory:
        memory.observe("The parent moved to Faro", user="ana")
        code = "import sys; from toldonce import Memory; print(len(sys.argv))"
        assert run(code) == "1\n"
        child = os.fork()
        if child == 0:
            try:
                with pytest.raises(StoreForked):
                    memory.observe("not kept", user="ana")
                with Memory.open(path, embedder=None, background=False) as own:
                    own.observe("The child moved to Braga", user="ana")
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        assert [hit.record.text for hit in memory.recall("Braga", "ana", limit=1)] == ["The child moved to Braga"]


def test_dropped_memories_leave_no_threads_and_no_open_files(tmp_path: Path) -> None:
    threads, files = threading.active_count(), len(os.listdir("/proc/self/fd")) if Path("/proc").exists() else 0
    for number in range(30):
        Memory.open(tmp_path / f"{number}.db", embedder=None).observe("I moved to Faro", user="ana")
    gc.collect()
    for thread in threading.enumerate():
        if thread.name.startswith("toldonce"):
            thread.join(PATIENCE)
    gc.collect()
    assert threading.active_count() <= threads
    if files:
        assert len(os.listdir("/proc/self/fd")) <= files + 3


def test_no_free_file_handle_is_told_as_such(path: Path) -> None:
    with Memory.open(path, embedder=None, background=False) as memory:
        memory.observe("I moved to Faro", user="ana")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken: list[int] = []
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        with contextlib.suppress(OSError):
            while True:
                taken.append(os.open(os.devnull, os.O_RDONLY))
        with pytest.raises(TooManyFiles, match="ulimit"):
            Memory.open(path, embedder=None, background=False)
        # One handle is enough to read the head, and not enough to open the database.
        os.close(taken.pop())
        with pytest.raises(TooManyFiles, match="ulimit"):
            Memory.open(path, embedder=None, background=False)
    finally:
        for descriptor in taken:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    with Memory.open(path, embedder=None, background=False) as memory:
        assert memory.storage.check() == []


@pytest.mark.parametrize("lost", ["emptied", "removed"])
def test_a_log_whose_file_was_lost_is_never_thrown_away(path: Path, lost: str) -> None:
    memory = Memory.open(path, embedder=None, background=False)
    memory.observe("I moved to Faro", user="ana")
    log = Path(f"{path}-wal").read_bytes()
    memory.close()
    path.write_bytes(b"")
    if lost == "removed":
        path.unlink()
    Path(f"{path}-wal").write_bytes(log)
    with pytest.raises(CorruptStore, match="-wal holds data"):
        Memory.open(path, embedder=None, background=False)
    if lost == "emptied":
        with pytest.raises(CorruptStore, match="-wal holds data"):
            open_reader(str(path), "main", user=None, branches=None)
    assert Path(f"{path}-wal").read_bytes() == log


def test_a_removed_shm_file_stops_the_live_process_before_it_writes(path: Path) -> None:
    memory = Memory.open(path, embedder=None, background=False)
    kept = memory.observe("I moved to Faro", user="ana")
    Path(f"{path}-shm").unlink()
    observe_elsewhere(path, "I moved to Braga")
    with pytest.raises(FileReplaced, match="open it again"):
        memory.observe("I moved to Porto", user="ana")
    with pytest.raises(FileReplaced):
        memory.recall("Braga", "bea")
    memory.close()
    with Memory.open(path, embedder=None, background=False) as again:
        assert again.storage.check() == []
        assert again.get(kept.id).text == "I moved to Faro"
        assert again.recall("Braga", "bea")


def test_a_replaced_file_stops_the_live_process_before_it_writes(path: Path, tmp_path: Path) -> None:
    """What is written into a file that no longer has this name would be lost."""
    memory = Memory.open(path, embedder=None, background=False)
    memory.observe("I moved to Faro", user="ana")
    copy = memory.storage.backup(tmp_path / "copy.db")
    os.replace(copy, path)
    with pytest.raises(FileReplaced):
        memory.observe("I moved to Porto", user="ana")
    memory.close()


def test_a_live_process_stops_writing_when_the_schema_rose(path: Path) -> None:
    memory = Memory.open(path, embedder=None, background=False)
    kept = memory.observe("I moved to Faro", user="ana")
    newer = apsw.Connection(str(path))
    newer.pragma("user_version", SCHEMA_VERSION + 1)
    newer.close()
    with pytest.raises(NewerSchema, match="upgrade"):
        memory.observe("I moved to Porto", user="ana")
    assert memory.get(kept.id).text == "I moved to Faro"
    memory.close()
