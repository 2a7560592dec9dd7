"""Reports of a memory: made by the model that is configured or by rules, of the right people and the right time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from tests.conftest import START, ManualClock, OpenMemory
from tests.scripted import Request, Scripted, Status, scripted
from toldonce import InputError, Memory


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("life")


@pytest.fixture
def server() -> Iterator[Scripted]:
    def report(request: Request) -> dict[str, object]:
        return {"title": "A good week", "text": "# A good week", "sources": [r["id"] for r in request.data["records"]]}

    with scripted() as running:
        running.say(report=report)
        yield running


def test_a_report_is_kept_once_for_the_same_stretch_of_time(memory: Memory, clock: ManualClock) -> None:
    memory.remember("Alex moved to Lisbon", user="alex")
    clock.pass_time(days=1)
    first = memory.report("week", "alex", keep=True).record
    assert first is not None
    assert memory.report("week", "alex", keep=True).record == memory.get(first.id)
    assert memory.report("month", "alex", keep=True).record != first
    assert [h.record.kind for h in memory.timeline("alex", kinds=["report"])] == ["report", "report"]


def test_a_report_that_is_not_kept_leaves_nothing(memory: Memory) -> None:
    memory.remember("Alex is tall", user="alex")
    assert memory.report("week", "alex").record is None
    assert [h.record.text for h in memory.timeline("alex")] == ["Alex is tall"]


def test_earlier_reports_are_no_material_for_later_ones(memory: Memory, clock: ManualClock) -> None:
    memory.remember("Alex is tall", user="alex")
    memory.report("week", "alex", keep=True)
    clock.pass_time(days=1)
    assert memory.report("week", "alex").text.count("Alex is tall") == 1


def test_a_report_tells_nothing_of_others_or_of_what_was_forgotten(memory: Memory) -> None:
    memory.remember("Sam has a secret", user="sam")
    memory.forget(memory.remember("Alex is tall", user="alex").id)
    text = memory.report("week", "alex").text
    assert "secret" not in text
    assert "tall" not in text


def test_a_report_has_the_least_trust_of_its_sources(memory: Memory) -> None:
    source = memory.remember("Alex is tall", user="alex", author="agent")
    record = memory.report("week", "alex", keep=True).record
    assert record is not None
    assert (record.trust, record.sources) == (source.trust, (source.id,))


def test_days_are_those_of_the_persons_own_zone(memory: Memory, clock: ManualClock) -> None:
    """23:00 UTC on 2 March is 3 March in Auckland."""
    memory.people.update("alex", zone="Pacific/Auckland")
    clock.pass_time(hours=14)
    memory.remember("Alex is tall", user="alex")
    assert "Alex is tall (3 March 2026)" in memory.report("week", "alex").text


def test_since_and_until_choose_the_stretch(memory: Memory, clock: ManualClock) -> None:
    memory.remember("Alex is tall", user="alex")
    clock.pass_time(days=30)
    memory.remember("Alex is calm", user="alex")
    early = memory.report("week", "alex", since=START, until=START + timedelta(days=7))
    assert "tall" in early.text
    assert "calm" not in early.text
    assert (early.since, early.until) == (START, START + timedelta(days=7))


def test_a_demoted_fact_is_told_neither_by_reports_nor_by_profiles(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant")
    memory.remember("Alex lives in Porto", user="alex", subject="alex/residence")
    clock.pass_time(days=1)
    memory.remember("Alex lives in Lisbon", user="alex", subject="alex/residence")
    assert [entry.text for entry in memory.profile("alex").entries] == ["Alex lives in Lisbon"]
    assert "Porto" not in memory.report("week", "alex").text


def test_a_weight_of_long_ago_stands_beside_the_newest(memory: Memory, clock: ManualClock) -> None:
    for kilos, days in ((84, 200), (82, 200), (80, 1)):
        memory.remember(
            f"Alex weighs {kilos} kg", user="alex", subject="alex/weight", metadata={"value": f"{kilos} kg"}
        )
        clock.pass_time(days=days)
    text = memory.report("appointment", "alex").text
    assert [text.index(f"{kilos} kg") for kilos in (80, 82, 84)] == sorted(text.index(f"{k} kg") for k in (80, 82, 84))
    assert "−4 kg since 2 March 2026" in text


def test_open_doubts_stand_in_the_report(memory: Memory, clock: ManualClock) -> None:
    memory.remember("Alex lives in Porto", user="alex", subject="alex/residence", author="person")
    clock.pass_time(days=1)
    memory.remember("Alex lives in Lisbon", user="alex", subject="alex/residence")
    assert memory.questions("alex")[0].text in memory.report("week", "alex").text


def test_a_preset_without_a_kind_for_reports_keeps_none(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    with pytest.raises(InputError, match="keeps no reports"):
        memory.report("week", "alex", keep=True)


def test_an_unknown_report_names_those_there_are(memory: Memory) -> None:
    with pytest.raises(InputError, match="appointment, week, month"):
        memory.report("year", "alex")


def test_the_model_writes_the_report_when_there_is_one(open_memory: OpenMemory, server: Scripted) -> None:
    memory = open_memory("life", writer=server.writer)
    fact = memory.remember("Alex is tall", user="alex")
    made = memory.report("week", "alex", keep=True)
    assert (made.title, made.sources) == ("A good week", (fact.id,))
    assert made.record is not None
    assert made.record.made_by == made.made_by != "rules"


def test_rules_write_it_when_the_model_does_not_answer(open_memory: OpenMemory, server: Scripted) -> None:
    server.say(report=Status(500))
    memory = open_memory("life", writer=server.writer)
    memory.remember("Alex is tall", user="alex")
    made = memory.report("week", "alex")
    assert made.made_by == "rules"
    assert "Alex is tall" in made.text
