"""The week's and the month's reports come by themselves, once, in each person's own time zone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory, Record


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("life")


def reports(memory: Memory, user: str = "alex") -> list[Record]:
    return [h.record for h in memory.timeline(user, kinds=["report"])]


def test_monday_brings_the_report_of_the_week_before(memory: Memory, clock: ManualClock) -> None:
    clock.pass_time(days=2)  # Wednesday 4 March
    memory.observe("I moved to Lisbon", user="alex", session="s1", display_name="Alex")
    memory.settle(session="s1")
    memory.tend()
    clock.pass_time(days=4, hours=19)  # Monday 9 March, 04:00
    memory.tend()
    assert reports(memory) == []
    clock.pass_time(hours=2)
    memory.tend()
    (report,) = reports(memory)
    assert report.title == "The week of 2 March 2026 to 8 March 2026"
    assert "Alex moved to Lisbon" in report.text
    assert report.sources
    assert report.made_by == "rules"
    clock.pass_time(hours=2)
    memory.tend()
    assert len(reports(memory)) == 1


def test_the_first_of_the_month_brings_the_report_of_the_month_before(memory: Memory, clock: ManualClock) -> None:
    memory.observe("I weigh 82 kg now", user="alex", session="s1", display_name="Alex")
    memory.settle(session="s1")
    memory.tend()
    clock.now = datetime(2026, 4, 1, 6, tzinfo=UTC)
    memory.tend()
    assert "The month of 1 March 2026 to 31 March 2026" in [r.title for r in reports(memory)]


def test_who_said_nothing_gets_no_report(memory: Memory, clock: ManualClock) -> None:
    memory.observe("I moved to Lisbon", user="alex", session="s1")
    memory.people.update("sam", display_name="Sam")
    memory.tend()
    clock.pass_time(days=7)
    done = [run for run in memory.tend() if run.name == "report_week"]
    assert sorted((run.key.rpartition(":")[2], run.status) for run in done) == [
        ("alex", "completed"),
        ("sam", "skipped"),
    ]
    assert reports(memory, "sam") == []


def test_each_person_is_told_in_their_own_zone(memory: Memory, clock: ManualClock) -> None:
    """05:00 on Monday in Auckland is Sunday in UTC, and the days of the report are Auckland's."""
    memory.people.update("alex", zone="Pacific/Auckland", display_name="Alex")
    memory.observe("I moved to Lisbon", user="alex", session="s1")
    memory.settle(session="s1")
    memory.tend()
    clock.now = datetime(2026, 3, 8, 16, 30, tzinfo=UTC)
    memory.tend()
    (report,) = reports(memory)
    assert report.title == "The week of 2 March 2026 to 8 March 2026"
    assert report.at == datetime(2026, 3, 8, 11, tzinfo=UTC)
