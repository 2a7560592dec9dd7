"""An export made before an erasure does not bring the person back; what they say afterwards is welcome."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.conftest import ManualClock, OpenMemory
from tests.importers.older_stores import make_chroma, make_facts
from tests.security.test_erased_means_gone import PRESETS, Speaker, bytes_of, found_in, live
from toldonce.storage.store import Tables


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
    kept = {record.id for record in memory.review.records(other.user, limit=500)}
    brought = memory.import_(tmp_path / "before.jsonl")
    assert brought.left_out["of a person who was erased"] > 0
    assert found_in(bytes_of(Path(memory.store.place)), gone.canaries) == []
    assert kept <= {record.id for record in memory.review.records(other.user, limit=500)}
    assert memory.storage.check() == []


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


def test_a_name_that_only_an_erased_person_used_does_not_come_back(open_memory: OpenMemory, tmp_path: Path) -> None:
    memory = open_memory("assistant")
    mine = memory.remember("our bartolomeu painted with zyxqwvcanary smith", user="alexandra")
    theirs = memory.remember("our bartolomeu sold a house", user="bea")

    def write(tables: Tables) -> None:
        entity = tables.transfer.add_entity("ent_1", space=mine.space, name="zyxqwvcanary smith", type="person")
        for shown in ("zyxqwvcanary smith", "bartolomeu"):
            alias = {"alias": shown.casefold(), "shown": shown, "type": "person"}
            tables.entities.add_alias(entity, space=mine.space, **alias)
        tables.transfer.add_mentions(entity, tables.records.find_places([mine.id, theirs.id]))

    memory.store.write(write)
    memory.export(tmp_path / "before.jsonl")
    memory.erase(user="alexandra")
    assert memory.import_(tmp_path / "before.jsonl").left_out["of a person who was erased"] > 0
    assert found_in(bytes_of(Path(memory.store.place)), ["zyxqwvcanary"]) == []
    other = open_memory("assistant", file="other.db")
    other.observe("I moved to Faro", user="alexandra")
    other.erase(user="alexandra")
    other.import_(tmp_path / "before.jsonl")
    assert found_in(bytes_of(Path(other.store.place)), ["zyxqwvcanary"]) == []
    known = other.entity("bartolomeu")
    assert known is not None and (known.name, known.aliases) == ("bartolomeu", ("bartolomeu",))


CREATED = datetime(2025, 2, 21, 12, tzinfo=UTC)
FACTS = """
CREATE TABLE facts (user TEXT, text TEXT, created_at TEXT);
INSERT INTO facts VALUES ('alexandra', 'Alexandra moved to Zyxqwvcanary', '2025-02-21 12:00:00'),
    ('alexandra', 'Alexandra painted Zyxqwvcanary', NULL), ('bea', 'Bea plays the flute', '2025-02-21 12:00:00'),
    ('alexandra', 'Alexandra came back with figs', '2099-01-01 12:00:00');
"""
MEMORIES = (
    ("Alexandra moved to Zyxqwvcanary", {"type": "fact", "user": "alexandra", "created_at": CREATED.isoformat()}),
    ("Alexandra painted Zyxqwvcanary", {"type": "fact", "user": "alexandra", "created_at": "1999-01-01"}),
    ("Bea plays the flute", {"type": "fact", "user": "bea", "created_at": CREATED.isoformat()}),
    ("Alexandra came back with figs", {"type": "fact", "user": "alexandra", "created_at": "2099-01-01T12:00:00"}),
)


@pytest.mark.parametrize("kind", ["facts", "chroma"])
def test_an_older_store_leaves_an_erased_person_out(kind: str, open_memory: OpenMemory, tmp_path: Path) -> None:
    older = tmp_path / "older"
    path = make_facts(older, FACTS) if kind == "facts" else make_chroma(older, MEMORIES)
    memory = open_memory("companion")
    memory.observe("I moved to Zyxqwvcanary", user="alexandra")
    memory.erase(user="alexandra")
    brought = memory.import_(path)
    assert (brought.kept, brought.left_out) == (2, {"of a person who was erased": 2})
    texts = {record.text for user in ("alexandra", "bea") for record in memory.review.records(user)}
    assert texts == {"Bea plays the flute", "Alexandra came back with figs"}
    assert found_in(bytes_of(Path(memory.store.place)), ["Zyxqwvcanary"]) == []


def test_an_older_store_imported_for_an_erased_person_stays_out(open_memory: OpenMemory, tmp_path: Path) -> None:
    path = make_facts(tmp_path / "bot.db", "CREATE TABLE facts (fact); INSERT INTO facts VALUES ('Alexandra rows')")
    memory = open_memory("companion")
    memory.observe("I moved to Faro", user="alexandra")
    memory.erase(user="alexandra")
    assert memory.import_(path, user="alexandra").left_out == {"of a person who was erased": 1}
    assert memory.import_(path, user="bea").kept == 1
