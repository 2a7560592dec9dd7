"""Backups, restores and erasures that are killed between any two steps, and files that are replaced meanwhile."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.faults.kill_roles import open_with_key
from toldonce import Memory
from toldonce.errors import FileReplaced, StoreBusy
from toldonce.storage.atomic_file import claim_temporary, remove_leftover_files
from toldonce.storage.raw_scan import find_in_files
from toldonce.storage.restore import restore_backup
from toldonce.storage.signing import verify_file
from toldonce.storage.sqlite.cipher import is_encrypted_file
from toldonce.storage.sqlite.connect import open_connection
from toldonce.storage.sqlite.file import _write_ahead

PATIENCE = 300
# Kills its process at the nth time that a file is renamed, linked or removed.
KILLING = """
import os, signal, sys
from pathlib import Path
from toldonce import Memory
from toldonce.storage.restore import restore_backup

left = int(sys.argv[2])

def count(event, args):
    global left
    if event in ("os.rename", "os.link", "os.remove"):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

"""
ROLLING = """
with Memory.open(sys.argv[1], embedder=None, background=False) as memory:
    sys.addaudithook(count)
    memory.storage.backup()
"""
RESTORING = """
sys.addaudithook(count)
restore_backup(Path(sys.argv[3]), sys.argv[1])
"""
WRITING = """
import os, signal, sys
from toldonce import Memory
memory = Memory.open(sys.argv[1], embedder=None, background=False)
memory.observe("I moved to Oslo", user="ana")
os.kill(os.getpid(), signal.SIGKILL)
"""
ERASING = """
import os, signal, sys
from toldonce import Memory
memory = Memory.open(sys.argv[1], embedder=None, background=False)
memory.store.rewrite = lambda: os.kill(os.getpid(), signal.SIGKILL)
memory.erase(user="ana")
"""
COPYING = """
import sys
from toldonce import Memory
from toldonce.errors import InputError
with Memory.open(sys.argv[1], embedder=None, background=False) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        memory.storage.backup(sys.argv[2])
        print("made")
    except InputError:
        print("refused")
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with Memory.open(path, preset="life", embedder=None, background=False) as memory:
        memory.observe("I moved to Faro", user="ana")
    return path


def run(code: str, *arguments: object) -> int:
    """How a process ended that may be killed, and must not fail otherwise."""
    ended = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], capture_output=True, timeout=PATIENCE)
    assert ended.returncode in (0, -signal.SIGKILL), ended.stderr.decode()
    return ended.returncode


def texts_in(path: Path) -> list[str]:
    with Memory.open(path, embedder=None, background=False) as memory:
        assert memory.storage.check() == []
        return sorted(record.text for record in memory.review.records("ana"))


def test_rolling_copies_are_sound_wherever_a_backup_is_killed(path: Path) -> None:
    with Memory.open(path, embedder=None, background=False) as memory:
        for number in range(3):
            memory.observe(f"I have {number} dogs", user="ana")
            memory.storage.backup()
    step, killed = 1, -signal.SIGKILL
    while killed:
        killed = run(KILLING + ROLLING, path, step)
        for _ in range(2):
            with Memory.open(path, embedder=None, background=False) as memory:
                copies = memory.engine.backups.list_copies()
                assert len(copies) >= 2
                assert [verify_file(copy, key=None) for copy in copies] == ["sound"] * len(copies), step
                memory.observe(f"I moved to house {step}", user="ana")
                memory.storage.backup()
        step += 1
    assert step > 6
    assert list(path.parent.glob("*.new*")) == []


def test_a_restore_that_is_killed_anywhere_loses_nothing_acknowledged(path: Path, tmp_path: Path) -> None:
    with Memory.open(path, embedder=None, background=False) as memory:
        backup = memory.storage.backup(tmp_path / "copy.db")
    step, killed = 1, -signal.SIGKILL
    while killed:
        assert run(WRITING, path) == -signal.SIGKILL
        killed = run(KILLING + RESTORING, path, step, backup)
        found = texts_in(path)
        assert found in (["I moved to Faro"], ["I moved to Faro", "I moved to Oslo"]), step
        if found == ["I moved to Faro"]:
            assert texts_in(max(tmp_path.glob("*.replaced.?"))) == ["I moved to Faro", "I moved to Oslo"]
        step += 1
        for file in tmp_path.glob("memory.db*"):
            file.unlink()
        shutil.copyfile(backup, path)
    assert step > 3


def test_what_a_killed_restore_left_is_removed_by_the_next(path: Path, tmp_path: Path) -> None:
    with Memory.open(path, embedder=None, background=False) as memory:
        backup = memory.storage.backup(tmp_path / "copy.db")
    Path(f"{path}.restoring.77-0123abcd").write_bytes(b"half a copy")
    restore_backup(backup, str(path))
    assert list(tmp_path.glob("*.restoring.*")) == []


def test_a_restore_refuses_while_the_log_cannot_be_emptied(path: Path, tmp_path: Path) -> None:
    """A log that is set aside with writes in it would be missing from the old file if the process were killed then."""
    with Memory.open(path, embedder=None, background=False) as memory:
        backup = memory.storage.backup(tmp_path / "copy.db")
        reader = apsw.Connection(str(path))
        reader.execute("BEGIN; SELECT count(*) FROM records").fetchall()
        memory.observe("I moved to Oslo", user="ana")
        with pytest.raises(StoreBusy, match="stop every process"):
            restore_backup(backup, str(path))
        reader.close()
    assert texts_in(path) == ["I moved to Faro", "I moved to Oslo"]
    assert list(tmp_path.glob("*.replaced.*")) == []


def test_an_erasure_that_is_killed_is_finished_by_another_process(path: Path) -> None:
    with Memory.open(path, embedder=None, background=False) as memory:
        copy = memory.storage.backup()
    assert run(ERASING, path) == -signal.SIGKILL
    with open_with_key(path, hours=1) as memory:
        memory.tend()
        assert memory.review.records("ana") == []
    with Memory.open(copy, embedder=None, background=False) as renewed:
        assert renewed.review.records("ana") == []


def test_a_finished_erasure_leaves_no_job_behind(path: Path) -> None:
    with Memory.open(path, embedder=None, background=False) as memory:
        assert memory.erase(user="ana").pending == ()
        assert [job for job in memory.jobs.all() if job.name == "erase_rest"] == []


def test_backups_to_one_path_at_once_do_not_overwrite_each_other(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    command = [sys.executable, "-c", COPYING, str(path), str(target)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    copying = [subprocess.Popen(command, text=True, **pipes) for _ in range(4)]
    for process in copying:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    for process in copying:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = sorted(process.communicate(timeout=PATIENCE)[0].strip() for process in copying)
    assert said == ["made", "refused", "refused", "refused"]
    assert verify_file(target, key=None) == "sound"
    assert sorted(file.name for file in tmp_path.glob("copy.db*")) == ["copy.db", "copy.db.sum"]


def test_a_backup_that_is_being_made_is_not_taken_for_a_leftover(tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    fresh = tmp_path / "copy.db.77-0123abcd.new"
    with claim_temporary(fresh):
        for end in ("", "-journal"):
            Path(f"{fresh}{end}").write_bytes(b"half a copy")
        remove_leftover_files(str(target))
        assert len(list(tmp_path.iterdir())) == 3
    remove_leftover_files(str(target))
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def replaced_when_opened(path: Path, tmp_path: Path) -> Iterator[None]:
    """Another file takes the place of the memory just after SQLite has opened it."""
    other = Path(shutil.copy(path, tmp_path / "other.db"))

    def replace(connection: Any) -> None:
        if other.exists() and connection.filename == str(path):
            os.replace(other, path)

    apsw.connection_hooks.append(replace)
    yield
    apsw.connection_hooks.remove(replace)


@pytest.mark.usefixtures("replaced_when_opened")
def test_a_memory_that_is_replaced_while_it_is_opened_takes_no_write(path: Path) -> None:
    with pytest.raises(FileReplaced):
        Memory.open(path, embedder=None, background=False)
    with Memory.open(path, embedder=None, background=False) as memory:
        memory.observe("I moved to Oslo", user="ana")
    assert texts_in(path) == ["I moved to Faro", "I moved to Oslo"]


def test_a_file_with_the_number_of_the_replaced_one_is_another_file(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replaced twice while it is opened: the second file has the number of the first, as file systems reuse them."""
    first, second = tmp_path / "first.db", Path(shutil.copy(path, tmp_path / "second.db"))
    os.link(path, first)

    def open_between(*args: Any, **options: Any) -> apsw.Connection:
        if second.exists():
            os.replace(second, path)
        connection = open_connection(*args, **options)
        if first.exists():
            os.replace(first, path)
        return connection

    monkeypatch.setattr("toldonce.storage.sqlite.file.open_connection", open_between)
    with pytest.raises(FileReplaced):
        Memory.open(path, embedder=None, background=False)
    with Memory.open(path, embedder=None, background=False) as memory:
        memory.observe("I moved to Oslo", user="ana")
    assert texts_in(path) == ["I moved to Faro", "I moved to Oslo"]


def test_a_journal_that_another_process_removed_first_is_no_failure_of_the_disk(path: Path) -> None:
    class Racing:
        """A connection that another process was faster than, so many times."""

        def __init__(self, times: int, code: int) -> None:
            self.left, self.code = times, code

        def execute(self, statement: str) -> Any:
            if self.left:
                self.left -= 1
                problem = apsw.IOError("disk I/O error")
                problem.extendedresult = self.code
                raise problem
            return apsw.Connection(str(path)).execute(statement)

    racing: Any = Racing(2, apsw.SQLITE_IOERR_DELETE_NOENT)
    _write_ahead(racing)
    assert racing.left == 0
    failing: Any = Racing(2, apsw.SQLITE_IOERR_WRITE)
    with pytest.raises(apsw.IOError):
        _write_ahead(failing)
    assert failing.left == 1


def test_reading_the_bytes_of_an_open_memory_keeps_its_locks(path: Path) -> None:
    """POSIX drops the locks of a process when it closes any descriptor of the file."""
    code = (
        "import sys; from toldonce.storage.sqlite.convert import change_encryption; "
        "from toldonce.errors import StoreBusy\n"
        "try: change_encryption(sys.argv[1], old=None, new=None)\n"
        "except StoreBusy: print('refused')"
    )
    with Memory.open(path, embedder=None, background=False) as memory:
        memory.observe("I moved to Oslo", user="ana")
        find_in_files(memory.store.files(), ["nowhere"])
        is_encrypted_file(str(path))
        Memory.open(path, embedder=None, background=False).close()
        said = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, timeout=PATIENCE, text=True)
        assert said.stdout == "refused\n", said.stderr
    assert texts_in(path) == ["I moved to Faro", "I moved to Oslo"]
