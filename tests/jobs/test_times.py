"""Times that records tell of are read once, after the message was taken, and found again by the day they name."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.conftest import ManualClock, OpenMemory
from tests.jobs.conftest import job_of
from toldonce import Memory
from toldonce.jobs import time_index as times
from toldonce.storage.tables.jobs import Run

DATA = Path(__file__).parents[1] / "data"
MAY_3 = datetime(2026, 5, 3, 9, 0, tzinfo=UTC)
MAY_2 = MAY_3.replace(day=2, hour=0)


@pytest.fixture
def memory(open_memory: OpenMemory, clock: ManualClock) -> Memory:
    clock.now = MAY_3
    return open_memory("assistant")


def read(memory: Memory) -> list[Run]:
    return [run for run in memory.tend() if run.name == times.TIMES]


def told(memory: Memory, start: datetime, *, days: float = 1) -> list[str]:
    """The texts of messages that tell of a stretch of time."""

    def work(tables: times.Tables) -> list[str]:
        everything = tables.times.find_unread(0, limit=999)
        telling = tables.times.filter_by_time([one.seq for one in everything], start, start + timedelta(days=days))
        return [one.text for one in everything if one.seq in telling]

    return memory.store.read(work)


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Yesterday I ran my first marathon", "what happened on 2 May?"),
        ("Ontem corri a minha primeira maratona", "o que aconteceu em 2 de maio?"),
    ],
)
def test_a_question_about_a_day_finds_what_was_told_of_it_the_day_after(
    memory: Memory, clock: ManualClock, said: str, asked: str
) -> None:
    clock.now = MAY_2 + timedelta(hours=9)
    for n in range(20):
        memory.observe(f"Box {n} is on the shelf", "alex", session=f"s{n}")
    clock.now = MAY_3
    memory.observe("The bread is in the oven", "alex", session="today")
    memory.observe(said, "alex", session="today")
    clock.pass_time(days=20)
    read(memory)
    hit, *_ = memory.recall(asked, "alex", kinds=["message"])
    assert hit.record.text == said
    assert "time" in {signal.name for signal in hit.why.signals}


def test_what_is_told_months_later_is_found_though_nothing_else_matches(memory: Memory, clock: ManualClock) -> None:
    clock.pass_time(days=120)
    memory.observe("On 2 May we sailed", "alex", session="s")
    read(memory)
    assert [hit.record.text for hit in memory.recall("what happened on 2 May?", "alex", kinds=["message"])] == [
        "On 2 May we sailed"
    ]


def test_hearing_a_message_reads_no_times(memory: Memory) -> None:
    memory.observe("Yesterday we sailed", "alex", session="s")
    assert told(memory, MAY_2) == [] and job_of(memory, times.TIMES, space="") is None
    assert [dict(run.counts) for run in read(memory)] == [{"read": 1, "times": 1}]
    assert told(memory, MAY_2) == ["Yesterday we sailed"]


def test_a_record_is_read_once_and_an_idle_memory_not_at_all(memory: Memory) -> None:
    memory.observe("Yesterday we sailed", "alex", session="s")
    assert len(read(memory)) == 1
    assert read(memory) == []
    memory.observe("Today we rest", "alex", session="s")
    assert [dict(run.counts) for run in read(memory)] == [{"read": 1, "times": 1}]


def test_the_assistant_and_vague_times_tell_nothing(memory: Memory) -> None:
    memory.observe("Yesterday was a fine day to sail", "bot", role="assistant", session="s")
    memory.observe("This year I want to travel", "alex", session="s")
    assert [dict(run.counts) for run in read(memory)] == [{"read": 1, "times": 0}]
    assert read(memory) == []


def test_days_are_those_of_the_space(open_memory: OpenMemory, clock: ManualClock) -> None:
    clock.now = MAY_3.replace(hour=1)
    memory = open_memory("assistant", zone="America/Sao_Paulo")
    memory.observe("Ontem velejamos", "alex", session="s")
    read(memory)
    # It is still 2 May there, so yesterday is 1 May and ends at 03:00 UTC.
    assert told(memory, MAY_2 + timedelta(hours=3)) == []
    assert told(memory, MAY_2 - timedelta(hours=21)) == ["Ontem velejamos"]


def test_an_imported_memory_reads_its_times_anew(memory: Memory, open_memory: OpenMemory, tmp_path: Path) -> None:
    memory.observe("Yesterday we sailed", "alex", session="s")
    read(memory)
    memory.export(tmp_path / "all.jsonl")
    other = open_memory("assistant", file="other.db")
    other.import_(tmp_path / "all.jsonl")
    read(other)
    assert told(other, MAY_2) == ["Yesterday we sailed"]


def test_erasing_a_person_takes_the_times_they_told_of(memory: Memory) -> None:
    memory.observe("Yesterday we sailed", "alex", session="s")
    read(memory)
    memory.erase(user="alex")
    assert told(memory, MAY_2) == []
    assert memory.store.read(lambda t: t.purge.count_traces("alex", space=None))["orphan times"] == 0


def test_reading_goes_on_where_it_stopped_when_its_time_is_used_up(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(times, "PAGE", 2)
    monkeypatch.setattr(times, "BUDGET", timedelta(0))
    for n in range(3):
        memory.observe(f"Yesterday {n} boats sailed", "alex", session="s")
    assert [(run.status, dict(run.counts)) for run in read(memory)] == [
        ("partial", {"read": 2, "times": 2}),
        ("completed", {"read": 1, "times": 1}),
    ]


def read_by(version: int, memory: Memory, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, int]]:
    """What the runs of the job count when the rules have this version."""
    monkeypatch.setattr(times, "VERSION", version)
    return [dict(run.counts) for run in read(memory)]


def misread(memory: Memory) -> None:
    """As if the rules had read two days too early so far."""

    def work(tables: times.Tables) -> None:
        for said in tables.times.find_unread(0, limit=999):
            tables.times.put(said.seq, [(MAY_2 - timedelta(days=2), MAY_2 - timedelta(days=1))])

    memory.store.write(work)


def test_what_older_rules_read_is_read_again_once(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.observe("Yesterday we sailed", "alex", session="s")
    assert read_by(1, memory, monkeypatch) == [{"read": 1, "times": 1}]
    misread(memory)
    assert read_by(1, memory, monkeypatch) == []
    assert read_by(2, memory, monkeypatch) == [{"read": 0, "times": 1, "read again": 1}]
    assert told(memory, MAY_2 - timedelta(days=2)) == [] and told(memory, MAY_2) == ["Yesterday we sailed"]
    assert read_by(2, memory, monkeypatch) == []


def test_a_memory_from_before_rules_had_versions_is_read_again(tmp_path: Path, clock: ManualClock) -> None:
    shutil.copy(DATA / "memory-v1.db", tmp_path)
    clock.now = datetime(2026, 1, 6, tzinfo=UTC)
    with Memory.open(tmp_path / "memory-v1.db", embedder=None, background=False, clock=clock) as memory:
        before = memory.store.read(lambda t: len(t.times.find_unread(0, limit=999)))
        assert [run.counts["read again"] for run in read(memory)] == [before] != [0]
        assert read(memory) == []


def test_new_messages_are_read_before_old_ones_are_read_again(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(times, "PAGE", 2)
    monkeypatch.setattr(times, "BUDGET", timedelta(0))
    for n in range(3):
        memory.observe(f"Yesterday {n} boats sailed", "alex", session="s")
    read_by(1, memory, monkeypatch)
    misread(memory)
    memory.observe("Yesterday we rested", "alex", session="s")
    assert read_by(2, memory, monkeypatch) == [
        {"read": 1, "times": 1},
        {"read": 0, "times": 2, "read again": 2},
        {"read": 0, "times": 1, "read again": 1},
    ]
    assert len(told(memory, MAY_2)) == 4 and told(memory, MAY_2 - timedelta(days=2)) == []


def test_rules_that_change_again_meanwhile_begin_anew(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(4):
        memory.observe(f"Yesterday {n} boats sailed", "alex", session="s")
    read_by(1, memory, monkeypatch)
    memory.store.write(lambda t: t.documents.set_setting("", times.RULES, "2 2"))
    assert read_by(3, memory, monkeypatch) == [{"read": 0, "times": 0, "read again": 4}]


def test_older_rules_leave_alone_what_newer_ones_read(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.observe("Yesterday we sailed", "alex", session="s")
    read_by(2, memory, monkeypatch)
    assert read_by(1, memory, monkeypatch) == []
    memory.observe("Yesterday we rested", "alex", session="s")
    assert read_by(1, memory, monkeypatch) == [{"read": 1, "times": 1}]
    assert read_by(2, memory, monkeypatch) == []
