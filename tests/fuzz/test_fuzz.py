"""Input by chance: only errors of Toldonce come out of any interface, and no case takes more than two seconds.

Seeds are fixed, so a failure repeats; `make fuzz` runs others for an hour.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz import values
from tests.fuzz.runner import LONGEST_S, Findings, _case, run
from tests.fuzz.targets import TARGETS, Target
from toldonce.errors import ToldonceError
from toldonce.presets.pattern_check import find_risk
from toldonce.recall.query import analyse_query

ROOT = Path(__file__).resolve().parents[2]
# About two minutes of processor time in all.
CASES = {
    "api": 6_000, "cli": 3_000, "tools": 6_000, "hooks": 3_000, "importers": 4_000, "presets": 6_000, "database": 400,
}  # fmt: skip


@pytest.mark.parametrize("part", [0, 1])
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_only_our_errors_come_out(target: type[Target], part: int) -> None:
    found = run(target, seed=1_000_000 * (part + 1), cases=CASES[target.name] // 2)
    assert found.problems == []
    assert found.cases == CASES[target.name] // 2


class _Broken(Target):
    """What the runner must notice."""

    name = "broken"

    def case(self, chance: Random) -> None:
        if chance.random() < 0.5:
            raise KeyError("raw")
        while True:
            chance.random()


def test_the_runner_notices_raw_exceptions_and_hangs() -> None:
    problems = run(_Broken, seed=3, cases=6).problems
    assert any(problem.startswith("raw exception in broken") and "KeyError" in problem for problem in problems)
    assert any(problem.startswith("hang in broken") for problem in problems)


class _SlowOnce(Target):
    """Takes too long the first time, as on a machine that is short of memory."""

    name = "slow once"
    inputs: ClassVar[list[float]] = []

    def case(self, chance: Random) -> None:
        self.inputs.append(chance.random())
        while len(self.inputs) == 1:
            pass


def test_a_case_that_is_slow_once_is_run_again_with_the_same_input() -> None:
    _SlowOnce.inputs.clear()
    assert run(_SlowOnce, seed=3, cases=2).problems == []
    first, again, other = _SlowOnce.inputs
    assert first == again != other


def test_the_same_seed_gives_the_same_cases(tmp_path: Path) -> None:
    one, other = (values.anything(Random(5)) for _ in range(2))
    assert repr(one) == repr(other)
    assert LONGEST_S == 2.0


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.text(max_size=200))
def test_any_text_can_be_a_question_or_a_pattern(text: str) -> None:
    from datetime import UTC, datetime

    find_risk(text)
    analyse_query(text, now=datetime(2026, 3, 4, tzinfo=UTC), zone=UTC)


@settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=400))
def test_any_bytes_can_be_a_preset_file(data: bytes) -> None:
    from toldonce import presets

    with pytest.raises(ToldonceError):
        presets.parse_preset(data.decode("utf-8", "replace"), "fuzz.toml")


def test_the_script_tells_how_many_cases_ran() -> None:
    command = [sys.executable, "scripts/fuzz.py", "--cases", "20", "--target", "presets"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "20 cases, 0 problems, seed 1" in done.stdout


@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris is not installed")
def test_a_case_can_be_driven_by_bytes(tmp_path: Path) -> None:
    target = next(one for one in TARGETS if one.name == "presets")(tmp_path)
    found = Findings("presets")
    for data in (b"", b"abc", bytes(range(256))):
        _case(target, found, Random(data), seed=0)
    assert found.cases == 3 and found.problems == []
