"""Rows of figures become the short table and the pictures that docs/benchmarks.md shows between its two marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.speed_table import LARGE, LARGEST, OURS, Row, cell, targets

PAGE = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"
BEGIN, END = "<!-- speed: written by benchmarks/speed.py -->\n", "<!-- end of speed -->"
COLUMNS: Mapping[str, tuple[str, str]] = {
    "search, ms": ("search_cpu_p50_ms", "{:.1f}"),
    "one person's, ms": ("filtered_cpu_p50_ms", "{:.1f}"),
    "one durable record, ms": ("one_cpu_ms", "{:.2f}"),
    "from its text, ms waited": ("called_cpu_ms", "{:.1f}"),
    "in all": ("called_whole_cpu_ms", "{:.1f}"),
    "new process to first answer, s": ("cold_cpu_s", "{:.2f}"),
    "bytes a record beside its text": ("bytes_per_record", "{:,.0f}"),
    "own memory, MB": ("own_memory_mb", "{:,.0f}"),
}
PICTURES = {
    "search-by-size.png": "Processor time of a search by the size of the store, beside other systems",
    "ingest.png": "Processor time of one durable record, beside other systems",
}


def short(rows: Sequence[Row]) -> str:
    """What the page shows of these rows."""
    lines = [f"| processor time | records | {' | '.join(COLUMNS)} |\n|---|---:|{'---:|' * len(COLUMNS)}"]
    for row in (row for row in rows if row.figures and _is_shown(row)):
        cells = (cell(row, key, how) for key, how in COLUMNS.values())
        lines.append(f"| {row.system} | {row.records:,} | {' | '.join(cells)} |")
    pictures = "\n".join(f"![{what}](../benchmarks/results/{name})" for name, what in PICTURES.items())
    return "\n".join(lines) + f"\n\n{_missed(rows)}\n\n{pictures}\n"


def put(text: str, page: Path = PAGE) -> None:
    """Write this between the marks."""
    before, _, after = _parts(page)
    page.write_text(before + BEGIN + text + END + after, encoding="utf-8")


def shown(page: Path = PAGE) -> str:
    """What stands between the marks."""
    return _parts(page)[1]


def _parts(page: Path) -> tuple[str, str, str]:
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    between, _, after = rest.partition(END)
    return before, between, after


def _is_shown(row: Row) -> bool:
    return row.records == LARGE or (row.system == OURS and row.records == LARGEST)


def _missed(rows: Sequence[Row]) -> str:
    """Which of the wanted figures these rows do not reach."""
    held = list(targets(rows))
    missed = [f"{t.name} {t.short} ({t.wanted} wanted)" for t in held if not t.held]
    said = f"Of {len(held)} wanted figures {len(held) - len(missed)} hold."
    return f"{said} Missed: {'; '.join(missed)}." if missed else said
