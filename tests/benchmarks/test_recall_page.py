"""docs/benchmarks.md shows what the bench wrote."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_shows_the_recall_that_was_measured() -> None:
    page = (ROOT / "benchmarks" / "results" / "recall.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("|")]
    shown = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8").splitlines()
    assert len(rows) > 3
    assert [row for row in rows if row not in shown] == []
