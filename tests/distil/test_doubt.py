"""A doubt about what matters is asked, and the person's answer ends the older record or brings it back for good."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory
from toldonce.capture.remember import add_record
from toldonce.distil.doubt import doubt_and_ask
from toldonce.records import Record


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("life")


def doubt(memory: Memory, older: Record, newer: Record) -> str:
    preset, now = memory.engine.find_space(None)[1], memory.clock()
    return memory.store.write(lambda t: doubt_and_ask(t, older, newer, preset=preset, now=now, reason="a newer word"))


def pair(memory: Memory, clock: ManualClock, *texts: str, **given: Any) -> list[Record]:
    """Two records a week apart."""
    kept = []
    for text in texts:
        clock.pass_time(days=7)
        kept.append(memory.remember(text, user="rita", author="agent", **given))
    return kept


def states(memory: Memory, *records: Record) -> list[str]:
    return [memory.get(record.id).state for record in records]


TAKES = "tomo losartana 50mg", "parei com a losartana, o cardio mandou"


def test_a_doubt_about_health_is_asked_once_in_the_persons_words(memory: Memory, clock: ManualClock) -> None:
    older, newer = pair(memory, clock, *TAKES, metadata={"topics": ["medication"]})
    assert doubt(memory, older, newer) == "doubted"
    assert doubt(memory, memory.get(older.id), newer) == "doubted"
    [question] = memory.questions("rita")
    assert (question.older, question.newer) == (older.id, newer.id)
    assert "tomo losartana 50mg" in question.text and question.text.endswith("Mudou alguma coisa?")
    assert question.text in memory.context("bom dia", "rita").text
    assert states(memory, older, newer) == ["doubted", "active"]


def test_a_doubt_about_little_is_not_asked(memory: Memory, clock: ManualClock) -> None:
    older, newer = pair(memory, clock, "I love techno", "techno is noise to me by now", metadata={"topics": ["taste"]})
    assert doubt(memory, older, newer) == "doubted"
    assert memory.questions("rita") == []


def test_what_the_person_confirmed_or_pinned_stands_beside_the_newer_one_and_is_asked(
    memory: Memory, clock: ManualClock
) -> None:
    older, newer = pair(memory, clock, "I love techno", "techno is noise to me by now")
    memory.pin(older.id)
    assert doubt(memory, memory.get(older.id), newer) == "asked"
    assert states(memory, older, newer) == ["active", "active"] and len(memory.questions("rita")) == 1
    memory.answer(memory.questions("rita")[0].id, "no")
    assert states(memory, older, newer) == ["active", "active"] and memory.questions("rita") == []
    assert doubt(memory, memory.get(older.id), newer) == "left"


@pytest.mark.parametrize("answer, expected", [("sim", "superseded"), ("não", "active")])
def test_the_answer_makes_it_ended_or_current(memory: Memory, clock: ManualClock, answer: str, expected: str) -> None:
    older, newer = pair(memory, clock, *TAKES, metadata={"topics": ["medication"]})
    doubt(memory, older, newer)
    kept = memory.answer(memory.questions("rita")[0].id, answer)
    assert states(memory, older, newer) == [expected, "active"]
    assert kept.validated and memory.questions("rita") == []
    if expected == "active":
        assert doubt(memory, memory.get(older.id), newer) == "left"


def test_where_one_value_alone_can_hold_the_answer_ends_the_other(memory: Memory, clock: ManualClock) -> None:
    [older] = pair(memory, clock, "Rita lives in Porto", subject="rita/residence")
    newer = replace(older, id="fact_newer", text="Rita lives in Gaia", at=memory.clock() + timedelta(days=1))
    memory.store.write(lambda t: add_record(t, newer, preset=memory.engine.find_space(None)[1]))
    doubt(memory, older, newer)
    memory.answer(memory.questions("rita")[0].id, "no, still in Porto")
    assert states(memory, older, newer) == ["active", "superseded"]


def test_another_answer_replaces_what_was_doubted(memory: Memory, clock: ManualClock) -> None:
    older, newer = pair(memory, clock, *TAKES, metadata={"topics": ["medication"]})
    doubt(memory, older, newer)
    kept = memory.answer(memory.questions("rita")[0].id, "agora tomo Valsartan 80mg")
    assert (kept.text, states(memory, older, newer)) == ("agora tomo Valsartan 80mg", ["superseded", "active"])


def test_the_answer_is_heard_in_talk(memory: Memory, clock: ManualClock) -> None:
    older, newer = pair(memory, clock, *TAKES, metadata={"topics": ["medication"]})
    doubt(memory, older, newer)
    clock.pass_time(hours=1)
    memory.observe("Ainda toma a losartana 50mg?", "rita", role="assistant", session="s1")
    clock.pass_time(minutes=1)
    memory.observe("sim, ainda tomo", "rita", session="s1")
    memory.settle(session="s1")
    assert memory.questions("rita") == []
    assert memory.get(older.id).state == "active" and memory.get(older.id).validated


@pytest.mark.parametrize("act", ["restore", "confirm", "forget"])
def test_what_was_decided_otherwise_is_no_longer_asked(memory: Memory, clock: ManualClock, act: str) -> None:
    older, newer = pair(memory, clock, *TAKES, metadata={"topics": ["medication"]})
    doubt(memory, older, newer)
    getattr(memory, act)(newer.id if act == "forget" else older.id)
    assert memory.questions("rita") == [] and memory.get(older.id).state == "active"
