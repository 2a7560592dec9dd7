"""An export made before an erasure does not bring the person back; what they say afterwards is welcome."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.conftest import ManualClock, OpenMemory
from tests.security.test_erased_means_gone import PRESETS, Speaker, bytes_of, found_in, live


@pytest.mark.parametrize("seed", range(10))
def test_an_import_of_an_earlier_export_leaves_an_erased_person_out(
    seed: int, open_memory: OpenMemory, clock: ManualClock, tmp_path: Path
) -> None:
    rng = random.Random(100 + seed)
    memory = open_memory(PRESETS[seed % len(PRESETS)])
    people = [Speaker(name, rng) for name in ("alexandra", "benedikt")]
    live(memory, people, clock, rng)
    memory.export(tmp_path / "before.jsonl")
    gone, other = people
    memory.erase(user=gone.user)
    clock.pass_time(days=1)
    kept = {record.id for record in memory.records(other.user, limit=500)}
    brought = memory.import_(tmp_path / "before.jsonl")
    assert brought.left_out["of a person who was erased"] > 0
    assert found_in(bytes_of(Path(memory.store.place)), gone.canaries) == []
    assert kept <= {record.id for record in memory.records(other.user, limit=500)}
    assert memory.check() == []


def test_an_erased_person_may_speak_again_and_be_exported_and_imported(
    open_memory: OpenMemory, clock: ManualClock, tmp_path: Path
) -> None:
    memory = open_memory("life")
    memory.observe("I moved to Zyxqwvcanary", user="alexandra")
    memory.erase(user="alexandra")
    clock.pass_time(days=1)
    again = memory.observe("I moved to Faro", user="alexandra")
    memory.export(tmp_path / "after.jsonl")
    memory.purge(again.id)
    assert memory.import_(tmp_path / "after.jsonl", trusted=True).left_out == {}
    assert memory.get(again.id).text == "I moved to Faro"


def test_a_memory_that_erased_nobody_takes_everything(open_memory: OpenMemory, tmp_path: Path) -> None:
    memory = open_memory("life")
    said = memory.observe("I moved to Faro", user="alexandra")
    memory.export(tmp_path / "out.jsonl")
    other = open_memory("life", file="other.db")
    assert other.import_(tmp_path / "out.jsonl", trusted=True).left_out == {}
    assert other.get(said.id).user == "alexandra"


def test_the_mark_of_an_erasure_does_not_tell_who_it_was(open_memory: OpenMemory) -> None:
    memory = open_memory("life")
    memory.observe("I moved to Faro", user="alexandra")
    memory.erase(user="alexandra")
    assert not memory.store.read(lambda t: t.tombstones.is_empty())
    assert found_in(bytes_of(Path(memory.store.place)), ["alexandra"]) == []
