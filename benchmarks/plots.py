"""Draws the results of `speed.py` as two pictures, search by size and ingest. Only this module needs matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt

from benchmarks.speed_table import OURS, Row

INK, OWN = "#444444", "#c0392b"
PALE = ("#1f4e79", "#5b9bd5", "#2e7d32", "#8d6e63", "#7e57c2", "#ef9a3c", "#00897b")


def draw(rows: Sequence[Row], folder: Path) -> None:
    """`search-by-size.png` and `ingest.png`."""
    names = list(dict.fromkeys(row.system for row in rows if row.figures))
    others = iter(PALE)
    colours = {name: OWN if name == OURS else next(others) for name in names}
    _search_by_size(rows, colours, folder / "search-by-size.png")
    _ingest(rows, colours, folder / "ingest.png")


def _search_by_size(rows: Sequence[Row], colours: dict[str, str], path: Path) -> None:
    figure, panels = plt.subplots(1, 2, figsize=(10.5, 4.4), sharey=True)
    for panel, title, key in (
        (panels[0], "search everyone's records", "search_cpu_p50_ms"),
        (panels[1], "search one person's of 50", "filtered_cpu_p50_ms"),
    ):
        for name, colour in colours.items():
            points = sorted(
                (row.records, row.figures[key]) for row in rows if row.system == name and key in row.figures
            )
            if points:
                width = 2.6 if name == OURS else 1.4
                panel.plot(
                    *zip(*points, strict=True), marker="o", markersize=4, color=colour, linewidth=width, label=name
                )
        panel.set(xscale="log", yscale="log", xlabel="records", title=title)
        _plain(panel)
    panels[0].set_ylabel("processor milliseconds a search (median)")
    lines, names = panels[0].get_legend_handles_labels()
    figure.legend(lines, names, frameon=False, fontsize=9, loc="lower center", ncols=4)
    _save(figure, path, below=0.1)


def _ingest(rows: Sequence[Row], colours: dict[str, str], path: Path) -> None:
    """At the largest size at which every measured system took part."""
    key = "one_cpu_ms"
    sizes = sorted({row.records for row in rows})
    taking_part = {size: [row for row in rows if row.records == size and key in row.figures] for size in sizes}
    most = max(map(len, taking_part.values()), default=0)
    size = max((size for size in sizes if len(taking_part[size]) == most), default=0)
    shown = sorted(taking_part.get(size, []), key=lambda row: -row.figures[key])
    figure, panel = plt.subplots(figsize=(8, 3.6))
    values = [row.figures[key] for row in shown]
    # Points, not bars: on this scale a bar's length would say nothing.
    panel.scatter(values, [row.system for row in shown], s=60, color=[colours[row.system] for row in shown], zorder=2)
    for place, value in enumerate(values):
        label = f"{value:.0f}" if value >= 10 else f"{value:.2g}"
        panel.annotate(label, (value, place), (9, -3), textcoords="offset points", fontsize=9, color=INK)
    panel.margins(x=0.12)
    panel.set(
        xscale="log", xlabel="processor milliseconds a record", title=f"one durable record at a time, {size:,} stored"
    )
    _plain(panel)
    _save(figure, path)


def _plain(panel: Any) -> None:
    panel.grid(visible=True, axis="both", color="#e6e6e6", linewidth=0.6)
    panel.set_axisbelow(True)
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)


def _save(figure: Any, path: Path, *, below: float = 0.0) -> None:
    figure.tight_layout(rect=(0, below, 1, 1))
    figure.savefig(path, dpi=96)
    plt.close(figure)
