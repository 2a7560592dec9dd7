"""Measures said in passing, and what only looks like one."""

from __future__ import annotations

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory
from toldonce.distil.measures import find_measures


@pytest.mark.parametrize(
    ("text", "language", "attribute", "value"),
    [
        ("72,8 kg hoje", "pt", "weight", "72,8 kg"),
        ("80,2 na balança", "pt", "weight", "80,2"),
        ("101 quilos mas", "pt", "weight", "101 quilos"),
        ("tô com 93kg agora", "pt", "weight", "93kg"),
        ("pressão 14 por 9", "pt", "blood_pressure", "14 por 9"),
        ("glicose 109 hj cedo", "pt", "glucose", "109"),
        ("150/95 this morning", "en", "blood_pressure", "150/95"),
        ("bp was 132 over 84 at the pharmacy", "en", "blood_pressure", "132 over 84"),
        ("81.4kg", "en", "weight", "81.4kg"),
        ("down to 178 lbs", "en", "weight", "178 lbs"),
        ("77.2 on the scale", "en", "weight", "77.2"),
        ("fasting glucose was 96", "en", "glucose", "96"),
        ("hoy 68,4 kg", "es", "weight", "68,4 kg"),
        ("tensión 13 por 8", "es", "blood_pressure", "13 por 8"),
        ("la glucosa en 104", "es", "glucose", "104"),
    ],
)
def test_a_bare_value_is_read(text: str, language: str, attribute: str, value: str) -> None:
    assert [(m.attribute, m.value) for m in find_measures(text, language)] == [(attribute, value)]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("bought 20 kg of rice", "en"),
        ("lost 12 kg since june", "en"),
        ("benched 90 kg today", "en"),
        ("my dad 95 kg", "en"),
        ("the meeting is on 14/9", "en"),
        ("plantão 12x36", "pt"),
        ("quero chegar em 72 kg", "pt"),
        ("perdi 10 kg", "pt"),
        ("a glicose da minha mãe deu 180", "pt"),
        ("20 kg de arroz", "es"),
        ("quiero bajar a 63 kg", "es"),
    ],
)
def test_what_only_looks_like_a_measure_is_none(text: str, language: str) -> None:
    assert list(find_measures(text, language)) == []


def test_bare_values_make_a_series(open_memory: OpenMemory, clock: ManualClock) -> None:
    """The newest value counts, and the earlier ones stay in its history."""
    memory: Memory = open_memory("life")
    for place, text in enumerate(("peso 81,5 kg", "80,2 kg hoje", "hoje 79,4 kg")):
        memory.observe(text, user="nadia", session=f"s{place}", display_name="Nádia")
        memory.settle(session=f"s{place}")
        clock.pass_time(days=7)
    weight = next(r.record for r in memory.recall("peso", user="nadia", kinds=["fact"]))
    assert [r.metadata["value"] for r in memory.history(weight.id).chain] == ["81,5 kg", "80,2 kg", "79,4 kg"]
    report = memory.report("appointment", user="nadia").text
    assert report.index("79,4 kg") < report.index("80,2 kg") < report.index("81,5 kg")


def test_an_appointment_quotes_all_that_was_said_of_health(open_memory: OpenMemory, clock: ManualClock) -> None:
    """Drugs, symptoms, diagnoses and measures, newest first; nobody else's."""
    memory: Memory = open_memory("life")
    told = (
        "doc put me on lisinopril 10mg",
        "bit dizzy in the mornings since the new pills",
        "150/95 this morning",
        "my dad has diabetes and takes insulin",
        "we had pizza for dinner",
    )
    for place, text in enumerate(told):
        memory.observe(text, user="maria", session=f"s{place}", display_name="Maria")
        memory.settle(session=f"s{place}")
        clock.pass_time(days=1)
    text = memory.report("appointment", user="maria").text
    for part in ("lisinopril 10mg", "dizzy in the mornings", "150/95"):
        assert part in text
    said = text.partition("Said about health")[2]
    assert said.index("dizzy") < said.index("lisinopril")
    assert "insulin" not in text
    assert "pizza" not in text


@pytest.mark.parametrize("text", ["terminei com a Gi", "terminé con Ana"])
def test_a_break_up_is_no_goal_reached(open_memory: OpenMemory, clock: ManualClock, text: str) -> None:
    memory: Memory = open_memory("life")
    memory.observe(text, user="maria", session="s1", display_name="Maria")
    memory.settle(session="s1")
    derived = [h.record for h in memory.timeline("maria")]
    assert not [r for r in derived if str(r.metadata.get("value", "")).startswith("met: ")]
