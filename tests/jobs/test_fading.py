"""Fading: computed from the last use, restored by use, never for what is protected, and told by the history."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.conftest import START, ManualClock, OpenMemory
from toldonce import Memory
from toldonce.presets.policy import Kind, Standing, faded_confidence

RATE = 0.1
NOTE = Kind(prefix="k", fading="confidence", half_life=timedelta(days=math.log(2) / RATE))


@pytest.fixture
def assistant(open_memory: OpenMemory) -> Memory:
    memory = open_memory("assistant")
    memory.tend()
    return memory


def pass_nights(memory: Memory, clock: ManualClock, *, days: int, runs: int) -> None:
    """So many days go by, with the nightly jobs run at equal distances."""
    for _ in range(runs):
        clock.pass_time(days=days / runs)
        memory.tend()


def test_confidence_is_computed_from_the_last_use() -> None:
    standing = Standing(0.8, START)
    assert faded_confidence(standing, NOTE, now=START + timedelta(days=9)) == pytest.approx(0.8 * math.exp(-RATE * 9))
    assert faded_confidence(standing, NOTE, now=START - timedelta(days=9)) == 0.8


@pytest.mark.parametrize("runs", [1, 3, 12])
def test_any_number_of_nightly_runs_gives_the_same(assistant: Memory, clock: ManualClock, runs: int) -> None:
    record = assistant.remember("Alex likes the blue cup", user="alex", confidence=0.9)
    pass_nights(assistant, clock, days=12, runs=runs)
    assert assistant.get(record.id).confidence == pytest.approx(0.9 * math.exp(-RATE * 12), rel=1e-6)


def test_use_restores_the_confidence_and_fading_starts_anew(assistant: Memory, clock: ManualClock) -> None:
    record = assistant.remember("Alex likes the blue cup", user="alex", confidence=0.9)
    pass_nights(assistant, clock, days=10, runs=10)
    assert assistant.get(record.id).confidence < 0.4
    assert assistant.recall("blue cup", user="alex")
    assistant.remember("Alex has a bike", user="alex")
    assert assistant.get(record.id).confidence == 0.9
    pass_nights(assistant, clock, days=5, runs=5)
    assert assistant.get(record.id).confidence == pytest.approx(0.9 * math.exp(-RATE * 5), rel=1e-6)


@pytest.mark.parametrize("change", [Memory.pin, Memory.confirm])
def test_what_a_person_pins_or_confirms_regains_what_time_took(
    assistant: Memory, clock: ManualClock, change: Callable[[Memory, str], object]
) -> None:
    record = assistant.remember("Alex likes the blue cup", user="alex", confidence=0.9)
    pass_nights(assistant, clock, days=10, runs=2)
    change(assistant, record.id)
    assert assistant.get(record.id).confidence >= 0.9
    pass_nights(assistant, clock, days=100, runs=2)
    assert assistant.get(record.id).confidence >= 0.9


@pytest.mark.parametrize(
    "text, subject",
    [
        ("Alex is allergic to penicillin", None),
        ("Bia é alérgica a camarão", None),
        ("Mi hijo tiene asma", None),
        ("Alex takes insulin with every meal", None),
        ("Alex breaks out in hives from bees", "alex/allergy"),
        ("Alex's sister is called Ana", "alex/family"),
        ("Alex was born on 3 May", "alex/birthday"),
        ("Alex eats no meat", "alex/diet"),
        ("Alex has a bad heart", "alex/health"),
    ],
)
def test_what_is_protected_stays_for_three_years(
    assistant: Memory, clock: ManualClock, text: str, subject: str | None
) -> None:
    record = assistant.remember(text, user="alex", subject=subject, confidence=0.6)
    pass_nights(assistant, clock, days=3 * 365, runs=4)
    kept = assistant.get(record.id)
    assert (kept.state, kept.confidence) == ("active", 0.6)


def test_a_kind_is_protected_by_its_row(open_memory: OpenMemory, clock: ManualClock, tmp_path: Path) -> None:
    preset = (Path(__file__).parents[2] / "src/toldonce/presets/assistant.toml").read_text(encoding="utf-8")
    own = tmp_path / "own.toml"
    own.write_text(preset.replace("[kinds.fact]\n", "[kinds.fact]\nprotected = true\n", 1), encoding="utf-8")
    memory = open_memory(str(own))
    memory.tend()
    kept = memory.remember("Alex likes the blue cup", "fact", user="alex")
    lost = memory.remember("Alex prefers the blue cup", "preference", user="alex")
    pass_nights(memory, clock, days=3 * 365, runs=2)
    assert [memory.get(record.id).state for record in (kept, lost)] == ["active", "faded"]


def test_history_says_that_and_why_a_record_faded(assistant: Memory, clock: ManualClock) -> None:
    record = assistant.remember("Alex likes the blue cup", user="alex", confidence=0.9)
    pass_nights(assistant, clock, days=40, runs=40)
    history = assistant.history(record.id)
    (faded,) = [change for change in history.changes if change.action == "faded"]
    assert faded.state == "faded"
    assert faded.reason == "not used for 29 days: confidence fell from 0.9 to under 0.05"
