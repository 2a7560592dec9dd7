"""Rows of figures become a table with ratios, a list of targets that are held or missed, and JSON that reads back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.peers import PEERS

OURS, REFERENCE = "toldonce", "reference"
LARGE, LARGEST = 100_000, 1_000_000


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured of one system at one size, and for which stages it was not, with the reason."""

    system: str
    records: int
    figures: dict[str, float]
    problems: dict[str, str]


@dataclass(frozen=True, slots=True)
class Target:
    """One promise and whether it is held."""

    name: str
    value: float
    bound: float
    unit: str
    at_least: bool = False

    @property
    def held(self) -> bool:
        return self.value >= self.bound if self.at_least else self.value <= self.bound

    @property
    def short(self) -> str:
        """The figure with its unit."""
        return f"{self.value:.0f} {self.unit}" if self.value >= 100 else f"{self.value:.3g} {self.unit}"

    @property
    def wanted(self) -> str:
        """What it should be."""
        return f"{'at least' if self.at_least else 'at most'} {self.bound:g}"

    def __str__(self) -> str:
        return f"| {'ok' if self.held else 'MISS'} | {self.name} | {self.short} | {self.wanted} |"


COLUMNS: Mapping[str, tuple[str, str]] = {
    "search, CPU ms p50": ("search_cpu_p50_ms", "{:.2f}"),
    "p95": ("search_cpu_p95_ms", "{:.2f}"),
    "wall p50": ("search_p50_ms", "{:.2f}"),
    "one person, CPU ms p50": ("filtered_cpu_p50_ms", "{:.2f}"),
    "8 at once, answers/s": ("threads_per_second", "{:.0f}"),
    "one at a time, CPU ms": ("one_cpu_ms", "{:.2f}"),
    "wall, in fsyncs": ("one_fsyncs", "{:.1f}"),
    "from text, CPU ms waited": ("called_cpu_ms", "{:.2f}"),
    "in all": ("called_whole_cpu_ms", "{:.2f}"),
    "records/s": ("one_per_second", "{:.0f}"),
    "bulk, records/s": ("bulk_per_second", "{:.0f}"),
    "new process, CPU s": ("cold_cpu_s", "{:.2f}"),
    "bytes beside the text": ("bytes_per_record", "{:.0f}"),
    "own memory MB": ("own_memory_mb", "{:.0f}"),
    "peak": ("memory_mb", "{:.0f}"),
    "found": ("search_found", "{:.2f}"),
}
RATIOS: Mapping[str, str] = {"search": "search_cpu_p50_ms", "one person": "filtered_cpu_p50_ms", "ingest": "one_cpu_ms"}


def line(row: Row) -> str:
    """One row as it comes, for somebody who waits."""
    figures = ", ".join(f"{name} {cell(row, key, how)}" for name, (key, how) in COLUMNS.items() if key in row.figures)
    problems = "; ".join(f"{stage}: {reason}" for stage, reason in row.problems.items())
    return f"{row.records:>9,}  {row.system:<22} {figures} {problems}".rstrip()


def cell(row: Row, key: str, how: str) -> str:
    return how.format(row.figures[key]) if key in row.figures else "–"


def markdown(rows: Sequence[Row], *, about: Mapping[str, str | int]) -> str:
    """Everything: a table and ratios for each size, then the targets."""
    parts = ["# Speed beside other systems", _about(about)]
    for records in sorted({row.records for row in rows}):
        here = [row for row in rows if row.records == records]
        parts += [f"## {records:,} records", _table(here), _ratios(here), _problems(here)]
    held = list(targets(rows))
    if held:
        parts += ["## Targets", "| | what | measured | target |\n|---|---|---|---|\n" + "\n".join(map(str, held))]
    return "\n\n".join(part for part in parts if part) + "\n"


def _about(about: Mapping[str, str | int]) -> str:
    return (
        f"Measured on {about['system']} with {about['cores']} cores, Python {about['python']}; vectors of "
        f"{about['dimensions']} dimensions that were made up beforehand. CPU is what compares between machines. "
        '"Found" is the share of questions whose source was among the ten answers: a check that a system does search, '
        'not a measure of quality. "From text" is one record added with no vector at hand, all systems with the '
        "embedder of toldonce: what the caller waits for, and all of it, since toldonce embeds in the background. "
        "Systems with a * answer by vectors alone, the others by words too. Rows may come from several runs on the "
        "same machine, which does other work at the same time.\n\n"
        f"Versions: {about['packages']}."
    )


def _table(rows: Sequence[Row]) -> str:
    head = f"| system | {' | '.join(COLUMNS)} |\n|---|{'---:|' * len(COLUMNS)}"
    lines = [
        f"| {_marked(row.system)} | {' | '.join(cell(row, key, how) for key, how in COLUMNS.values())} |"
        for row in rows
        if row.figures
    ]
    return "\n".join([head, *lines])


def _marked(system: str) -> str:
    return system if PEERS[system].by_words else f"{system} *"


def _ratios(rows: Sequence[Row]) -> str:
    """How many times the processor time of toldonce, and of the reference, each system takes."""
    by_name = {row.system: row for row in rows}
    bases = [name for name in (OURS, REFERENCE) if name in by_name and by_name[name].figures]
    if not bases:
        return ""
    heads = [f"{what} / {base}'s" for base in bases for what in RATIOS]
    lines = [f"| CPU | {' | '.join(heads)} |\n|---|{'---:|' * len(heads)}"]
    for row in rows:
        if row.figures:
            cells = [times(row, by_name[base], key) for base in bases for key in RATIOS.values()]
            lines.append(f"| {row.system} | {' | '.join(cells)} |")
    return "\n".join(lines)


def times(row: Row, base: Row, key: str) -> str:
    ratio = _ratio(row, base, key)
    return "–" if ratio is None else f"{ratio:.2g}" if ratio < 10 else f"{ratio:.0f}"


def _ratio(row: Row | None, base: Row | None, key: str) -> float | None:
    if row is None or base is None or key not in row.figures or key not in base.figures:
        return None
    return row.figures[key] / base.figures[key]


def _problems(rows: Sequence[Row]) -> str:
    return "\n".join(f"- {row.system}, {stage}: {why}" for row in rows for stage, why in row.problems.items())


def targets(rows: Sequence[Row]) -> Iterator[Target]:
    """The promises that these rows can speak to."""
    at = {(row.system, row.records): row for row in rows}
    ours, reference = at.get((OURS, LARGE)), at.get((REFERENCE, LARGE))
    for name, key, bound in (
        (f"search at {LARGE:,}: the reference takes", "search_cpu_p50_ms", 20),
        (f"search of one person at {LARGE:,}: the reference takes", "filtered_cpu_p50_ms", 5),
    ):
        ratio = _ratio(reference, ours, key)
        if ratio is not None:
            yield Target(name, ratio, bound, "times", at_least=True)
    yield from _ingest_targets(at)
    for records, most in ((LARGE, 5), (LARGEST, 15)):
        mine = at.get((OURS, records))
        if mine is not None and "search_cpu_p50_ms" in mine.figures:
            yield Target(f"search at {records:,}, CPU p50", mine.figures["search_cpu_p50_ms"], most, "ms")
            yield Target(
                f"search of one person at {records:,}, CPU p50", mine.figures["filtered_cpu_p50_ms"], most, "ms"
            )
    for name, key, bound, unit in (
        (f"a new process answers at {LARGE:,}", "cold_cpu_s", 0.5, "s of CPU"),
        (f"on disk beside the text at {LARGE:,}", "bytes_per_record", 1500, "bytes a record"),
    ):
        # A stage that failed or took too long has no figure; the rest of the run still counts.
        if ours is not None and key in ours.figures:
            yield Target(name, ours.figures[key], bound, unit)
    growth = _ratio(at.get((OURS, LARGEST)), ours, "search_cpu_p50_ms")
    if growth is not None:
        yield Target(f"growth: search at {LARGEST:,} / at {LARGE:,}", growth, 8, "times")


def _ingest_targets(at: Mapping[tuple[str, int], Row]) -> Iterator[Target]:
    """Durable ingest beside mem0 and Chroma, at the largest size where both were measured."""
    for peer in ("mem0", "Chroma"):
        for records in sorted((records for system, records in at if system == peer), reverse=True):
            theirs, ours = at[peer, records], at.get((OURS, records))
            cpu, wall = _ratio(theirs, ours, "one_cpu_ms"), _ratio(theirs, ours, "one_fsyncs")
            if cpu is not None and wall is not None:
                name = f"one durable record at a time at {records:,}: {peer} takes"
                yield Target(f"{name}, CPU", cpu, 10, "times", at_least=True)
                yield Target(f"{name}, wall", wall, 10, "times", at_least=True)
                called = _ratio(theirs, ours, "called_cpu_ms")
                if called is not None:
                    yield Target(f"{name}, CPU waited for from its text", called, 10, "times", at_least=True)
                break


def write(folder: Path, rows: Sequence[Row], *, about: Mapping[str, str | int]) -> None:
    """`speed.json` and `speed.md`."""
    folder.mkdir(parents=True, exist_ok=True)
    content = {"about": dict(about), "rows": [_rounded(row) for row in rows]}
    (folder / "speed.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    (folder / "speed.md").write_text(markdown(rows, about=about), encoding="utf-8")


def _rounded(row: Row) -> dict[str, object]:
    return {**asdict(row), "figures": {name: float(f"{value:.4g}") for name, value in row.figures.items()}}


def read(folder: Path) -> list[Row]:
    """The rows of an earlier run."""
    path = folder / "speed.json"
    return [Row(**row) for row in json.loads(path.read_text(encoding="utf-8"))["rows"]] if path.exists() else []
