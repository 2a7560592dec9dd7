"""Every job that can run, and every job that a preset names, is told in docs/jobs.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from toldonce.jobs.handlers import DUTIES
from toldonce.presets.loader import load_preset, shipped_presets

TEXT = (Path(__file__).parents[2] / "docs" / "jobs.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(DUTIES))
def test_every_job_is_documented(name: str) -> None:
    assert f"`{name}`" in TEXT


@pytest.mark.parametrize("preset", shipped_presets())
def test_every_job_that_a_preset_names_can_run(preset: str) -> None:
    assert {schedule.job for schedule in load_preset(preset).schedules} <= DUTIES.keys()
