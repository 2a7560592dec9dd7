"""When a session or a server ends, the memory is copied, and copies of short sessions do not push out older ones."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory
from toldonce.coding.hooks import entry


def test_the_end_of_a_session_leaves_a_copy_with_what_was_just_kept(shell: Any) -> None:
    shell("init", "--preset", "coding")
    shell("remember", "Use tabs in Go files", "--kind", "convention")
    shell("tend", "--at-exit")
    with Memory.open(shell.folder / "memory.db.bak.1", embedder=None, background=False) as copy:
        assert [hit.record.text for hit in copy.recall("tabs")] == ["Use tabs in Go files"]


def test_the_hook_of_a_session_that_ends_asks_for_it(shell: Any, monkeypatch: Any) -> None:
    shell("init", "--preset", "coding")
    started: list[list[str]] = []
    monkeypatch.setattr("subprocess.Popen", lambda command, **_: started.append(command))
    for event in ("session-end", "stop"):
        entry.answer_hook(["claude-code", event], b'{"session_id": "s1", "cwd": "%s"}' % os.fsencode(shell.folder))
    assert [command[-1] for command in started] == ["--at-exit"]


def test_a_preset_without_it_makes_no_copy_at_the_end_of_a_session(shell: Any) -> None:
    shell("init", "--preset", "assistant")
    shell("tend", "--at-exit")
    assert not list(shell.folder.glob("*.bak.*"))


def test_the_mcp_server_leaves_a_copy_when_it_stops(shell: Any) -> None:
    shell("init", "--preset", "coding")
    server = shell.process("mcp")
    _, err = server.communicate(b"", timeout=120)
    assert server.returncode == 0, err
    assert (shell.folder / "memory.db.bak.1").is_file()


def test_copies_of_one_hour_replace_each_other_and_older_ones_stay(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("coding")
    place = Path(memory.store.place)
    older = memory.storage.backup()
    now = clock()
    os.utime(older, times=(now.timestamp() - 7_200,) * 2)
    for _ in range(5):
        newest = memory.storage.backup(replace_since=now - timedelta(hours=1))
        os.utime(newest, times=(now.timestamp(),) * 2)
    assert sorted(path.name for path in place.parent.glob("*.bak.[0-9]")) == [
        f"{place.name}.bak.1",
        f"{place.name}.bak.2",
    ]
