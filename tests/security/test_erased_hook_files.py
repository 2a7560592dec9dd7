"""Files that hooks keep of a person's sessions go with the person, however the erasure was asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory, state_folder
from toldonce.coding.hooks import state
from toldonce.storage.tables.jobs import Job

ENDINGS = (state_folder.JOURNAL, state_folder.WAITING, state_folder.TRANSCRIPT, state_folder.TASK)


@pytest.fixture
def memory(open_memory: OpenMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memory:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return open_memory("coding")


def write_files(session: str) -> list[Path]:
    state.append_journal(session, {"op": "edit", "paths": ["Zyxqwvcanary.py"]})
    for ending in ENDINGS[1:]:
        state.save_state(state.session_file(session, ending), {"text": "Zyxqwvcanary"})
    half = state.session_file(session, state_folder.TRANSCRIPT) + ".4711"
    state.save_state(half, {"messages": ["Zyxqwvcanary"]})
    names = [*(state.session_file(session, ending) for ending in ENDINGS), half]
    files = [Path(state.folder()) / name for name in names]
    assert all(file.is_file() for file in files)
    return files


def test_an_erasure_removes_every_file_of_the_sessions(memory: Memory) -> None:
    memory.observe("I moved to Faro", "alexandra", session="one/two")
    memory.observe("I moved to Faro", "bea", session="other")
    gone, kept = write_files("one/two"), write_files("other")
    assert memory.erase(user="alexandra").is_complete
    assert [file for file in gone if file.exists()] == []
    assert all(file.exists() for file in kept)


def test_a_transcript_that_waits_to_be_read_goes_too(memory: Memory, clock: ManualClock) -> None:
    """Nothing of such a session is a record yet: only the job that is to read it names the person."""
    args = {"session": "unread", "user": "alexandra", "agent": "claude"}
    job = Job(
        space=memory.space.name, key="learn_session:claude:unread", name="learn_session", due_at=clock(), args=args
    )
    memory.store.write(lambda t: t.jobs.put(job))
    gone = write_files("unread")
    assert memory.erase(user="alexandra").is_complete
    assert [file for file in gone if file.exists()] == []


def test_a_file_that_cannot_be_removed_is_told(memory: Memory) -> None:
    memory.observe("I moved to Faro", "alexandra", session="monday")
    stuck = Path(state.folder()) / state.session_file("monday", state_folder.WAITING)
    (stuck / "inside").mkdir(parents=True)
    receipt = memory.erase(user="alexandra")
    assert not receipt.is_complete
    assert [line for line in receipt.pending if "could not be removed" in line and str(stuck) in line]
