"""The speed section of docs/benchmarks.md is what the committed results say, and nothing that somebody typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import speed_page, speed_table
from benchmarks.speed_table import Row

RESULTS = speed_page.PAGE.parent.parent / "benchmarks" / "results"
MOST_BYTES = 100_000


def test_the_readme_shows_the_committed_results() -> None:
    rows = speed_table.read(RESULTS)
    assert rows
    assert speed_page.shown() == speed_page.short(rows)


@pytest.mark.parametrize("name", speed_page.PICTURES)
def test_the_pictures_that_the_readme_shows_are_there_and_small(name: str) -> None:
    assert 0 < (RESULTS / name).stat().st_size < MOST_BYTES


def test_what_is_put_between_the_marks_leaves_the_rest_alone(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{speed_page.BEGIN}old\n{speed_page.END}\nafter\n", encoding="utf-8")
    speed_page.put("new\n", readme)
    assert speed_page.shown(readme) == "new\n"
    assert readme.read_text(encoding="utf-8").startswith("before\n")
    assert readme.read_text(encoding="utf-8").endswith("\nafter\n")


def test_a_missed_target_is_told() -> None:
    figures = {"search_cpu_p50_ms": 40.0, "filtered_cpu_p50_ms": 1.0, "cold_cpu_s": 0.1, "bytes_per_record": 100.0}
    told = speed_page.short([Row("toldonce", 100_000, figures, {})])
    assert "Of 4 wanted figures 3 hold." in told
    assert "search at 100,000, CPU p50 40 ms (at most 5 wanted)" in told


def test_a_stage_without_a_figure_does_not_cost_the_others(tmp_path: Path) -> None:
    figures = {"search_cpu_p50_ms": 4.0, "filtered_cpu_p50_ms": 1.0, "bytes_per_record": 100.0}
    rows = [Row("toldonce", 100_000, figures, {"cold": "over 600 s"})]
    about = {"system": "x", "cores": 2, "python": "3", "dimensions": 384, "packages": ""}
    speed_table.write(tmp_path / "new" / "folder", rows, about=about)
    assert speed_table.read(tmp_path / "new" / "folder") == rows
    assert "- toldonce, cold: over 600 s" in speed_table.markdown(rows, about=about)
