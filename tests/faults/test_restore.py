"""A backup of any schema version can be restored; what it replaces is kept, and what is wrong with it is told first."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.conftest import OpenMemory
from toldonce import Memory
from toldonce.errors import FileReplaced
from toldonce.storage.restore import find_newest_sound, preview_backup, restore_backup
from toldonce.storage.sqlite.file import SCHEMA_VERSION

DATA = Path(__file__).resolve().parents[1] / "data"
VERSIONS = sorted(DATA.glob("memory-v*.db"))


def test_there_is_a_file_of_every_schema_version() -> None:
    assert [path.stem for path in VERSIONS] == [f"memory-v{number}" for number in range(1, SCHEMA_VERSION + 1)]


@pytest.mark.parametrize("backup", VERSIONS, ids=lambda path: path.stem)
def test_a_backup_of_every_schema_version_is_restored(backup: Path, tmp_path: Path) -> None:
    before, place = backup.read_bytes(), str(tmp_path / "memory.db")
    with Memory.open(place, embedder=None, background=False) as memory:
        memory.observe("I moved to Faro", user="ana")
    seen = preview_backup(backup, place)
    assert seen.problem == "" and seen.checksum == "unchecked"
    assert seen.holds is not None and seen.holds.records > 1
    assert seen.present is not None and seen.present.records == 1
    kept = restore_backup(backup, place)
    assert backup.read_bytes() == before
    with Memory.open(place, embedder=None, background=False) as memory:
        assert memory.storage.check() == []
        counts = memory.store.read(
            lambda t: [row for s in t.people.spaces() for row in t.records.count_by_kind(s.name, None)]
        )
        assert sum(row[2] for row in counts) == seen.holds.records
    assert kept is not None
    with Memory.open(kept, embedder=None, background=False) as replaced:
        assert replaced.recall("Faro", "ana")
    assert not list(tmp_path.glob("*.restoring*"))


def test_a_log_that_stayed_is_never_read_into_the_restored_file(open_memory: OpenMemory, tmp_path: Path) -> None:
    memory = open_memory("life")
    memory.observe("I moved to Faro", user="ana")
    backup = memory.storage.backup(tmp_path / "copy.db")
    late = memory.observe("I moved to Oslo", user="ana")
    kept = restore_backup(backup, memory.store.place)
    with pytest.raises(FileReplaced):
        memory.observe("This would be lost", user="ana")
    memory.close()
    with Memory.open(memory.store.place, embedder=None, background=False) as restored:
        assert restored.storage.check() == []
        assert [record.text for record in restored.review.records("ana")] == ["I moved to Faro"]
    assert kept is not None
    with Memory.open(kept, embedder=None, background=False) as replaced:
        assert replaced.get(late.id).text == "I moved to Oslo"


def test_a_lost_file_is_restored_and_its_log_is_kept(open_memory: OpenMemory, tmp_path: Path) -> None:
    memory = open_memory("life")
    memory.observe("I moved to Faro", user="ana")
    memory.storage.backup()
    log = Path(f"{memory.store.place}-wal").read_bytes()
    memory.close()
    place = Path(memory.store.place)
    place.unlink()
    Path(f"{place}-wal").write_bytes(log or b"log")
    found, _ = find_newest_sound(str(place))
    assert found is not None
    restore_backup(Path(found.backup), str(place))
    assert Path(f"{place}.replaced.1-wal").exists()
    with Memory.open(place, embedder=None, background=False) as restored:
        assert restored.recall("Faro", "ana")


def test_the_newest_copy_that_is_sound_is_chosen(open_memory: OpenMemory) -> None:
    memory = open_memory("life")
    memory.observe("I moved to Faro", user="ana")
    memory.storage.backup()
    newest = memory.storage.backup()
    raw = newest.read_bytes()
    newest.write_bytes(raw.replace(b"Faro", b"Oslo"))
    found, passed = find_newest_sound(memory.store.place)
    assert found is not None and found.backup.endswith(".bak.2") and found.checksum == "sound"
    assert [(one.backup, one.checksum) for one in passed] == [(str(newest), "changed")]


def test_an_erasure_lists_a_file_that_a_restore_replaced(open_memory: OpenMemory, tmp_path: Path) -> None:
    memory = open_memory("life")
    memory.observe("I moved to Faro", user="alexandra")
    backup = memory.storage.backup()
    memory.close()
    kept = restore_backup(Path(shutil.copy(backup, tmp_path / "copy.db")), memory.store.place)
    with Memory.open(memory.store.place, embedder=None, background=False) as restored:
        assert str(kept) in {copy.path for copy in restored.erase(user="alexandra").copies}
