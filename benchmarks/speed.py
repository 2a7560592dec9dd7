"""Speed, size and memory beside other systems in one run: ingest, search, eight at once, a new process, bytes, memory.

    python -m benchmarks.speed                          1,000, 10,000 and 100,000 records, every system installed
    python -m benchmarks.speed --quick                  a look, in under three minutes
    python -m benchmarks.speed --sizes 1000000 --systems toldonce reference --add

Every system gets the same made-up texts and the same ready vectors, so no figure has an embedder's cost in it, but for
records that are added from their text alone, where all use the same embedder. Each stage runs in a process of its own,
one at a time. Compare the ratios, not the times: machines differ.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import numpy as np

from benchmarks import speed_page, speed_table
from benchmarks.cost import LANGUAGE
from benchmarks.peers import PEERS, Floats, missing
from benchmarks.speed_table import Row
from benchmarks.trial import PEOPLE, owner
from benchmarks.vectors import correlated, unit

ROOT = Path(__file__).resolve().parent.parent
RESULTS = Path(__file__).resolve().parent / "results"
PACKAGES = "apsw numpy sqlite-vec mem0ai qdrant-client chromadb langgraph-checkpoint-sqlite txtai faiss-cpu lancedb"
NAMES_EACH = 20
# What toldonce's own embedder makes; other sizes are measured with made-up vectors only.
EMBEDDED = 384
# How far a question's vector is from that of the text it was made from: their cosine is about 0.86.
STRAY = 0.6


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure, and how long to wait for it."""

    sizes: tuple[int, ...]
    systems: tuple[str, ...]
    dimensions: int
    singles: int
    questions: int
    colds: int
    seconds: float
    patience: float


def texts(count: int) -> Iterator[str]:
    """Messages with the word frequencies of a real language; each person talks about people of their own."""
    random_ = random.Random(7)
    names = [[LANGUAGE.words[-1 - NAMES_EACH * p - n].title() for n in range(NAMES_EACH)] for p in range(PEOPLE)]
    for number in range(count):
        _, first, rest = LANGUAGE.message(random_).split(" ", 2)
        yield f"{first} {random_.choice(names[number % PEOPLE])} {rest}"


def make_data(folder: Path, plan: Plan, *, records: int) -> int:
    """Texts, vectors and questions for one size; returns the bytes of the texts to load."""
    count, chance = records + plan.singles, np.random.default_rng(records)
    said = list(texts(count))
    (folder / "texts.txt").write_text("\n".join(said) + "\n", encoding="utf-8")
    rows = np.lib.format.open_memmap(folder / "vectors.npy", "w+", np.float32, (count, plan.dimensions))
    start = 0
    for part in correlated(count, plan.dimensions, clusters=max(10, records // 200), chance=chance):
        rows[start : start + len(part)] = part
        start += len(part)
    picked = chance.integers(0, records, plan.questions).tolist()
    save_questions(folder, said, rows[picked], picked=picked)
    return sum(len(text.encode()) for text in said[:records])


def save_questions(folder: Path, said: Sequence[str], rows: Floats, *, picked: Sequence[int]) -> None:
    """Each question has a name and four words of its text, in the person's own records."""
    random_, chance = random.Random(11), np.random.default_rng(11)
    asked = [(f"{said[n].split()[1]} {LANGUAGE.question(random_, said[n])}?", owner(n), said[n]) for n in picked]
    astray = unit(chance.standard_normal(rows.shape, np.float32))
    np.save(folder / "questions.npy", unit(rows + np.float32(STRAY) * astray).astype(np.float32))
    (folder / "questions.json").write_text(json.dumps(asked), encoding="utf-8")


def run_stage(stage: str, row: Row, plan: Plan, *, data: Path, place: Path) -> bool:
    """Have one stage measured; its figures, or why there are none, go into the row."""
    figures = data / "figures.json"
    figures.unlink(missing_ok=True)
    options = {
        "data": data, "dimensions": plan.dimensions, "records": row.records, "singles": plan.singles,
        "questions": plan.questions, "seconds": plan.seconds,
    }  # fmt: skip
    command = [sys.executable, "-m", "benchmarks.trial", stage, row.system, str(place), str(figures)]
    command += [word for name, value in options.items() for word in (f"--{name}", str(value))]
    paths = [str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths)), "TOKENIZERS_PARALLELISM": "false"}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=plan.patience)
    except subprocess.TimeoutExpired:
        row.problems[stage] = f"over {plan.patience:.0f} s"
        return False
    if not figures.exists():
        said = done.stderr.strip().splitlines()
        row.problems[stage] = said[-1][:200] if said else f"exit status {done.returncode}"
        return False
    row.figures.update(json.loads(figures.read_text(encoding="utf-8")))
    return True


def measure(system: str, plan: Plan, *, data: Path, records: int, text_bytes: int) -> Row:
    """All stages of one system at one size."""
    row = Row(system, records, {}, {})
    with tempfile.TemporaryDirectory(dir=data) as name:
        place = Path(name)
        if not run_stage("load", row, plan, data=data, place=place):
            return row
        on_disk = sum(file.stat().st_size for file in place.rglob("*") if file.is_file())
        row.figures["bytes_per_record"] = (on_disk - text_bytes) / records
        colds = sorted(
            row.figures["cold_cpu_s"] for _ in range(plan.colds) if run_stage("cold", row, plan, data=data, place=place)
        )
        row.figures.update({"cold_cpu_s": colds[len(colds) // 2]} if colds else {})
        for stage in ("ask", "at_once", "one_by_one", *(("as_called",) if plan.dimensions == EMBEDDED else ())):
            run_stage(stage, row, plan, data=data, place=place)
    return row


def run(plan: Plan, folder: Path) -> Iterator[Row]:
    """Every system at every size, unless it is not installed or would take too long."""
    loads: dict[str, float] = {}
    for records in plan.sizes:
        with tempfile.TemporaryDirectory(dir=folder) as name:
            data = Path(name)
            text_bytes = make_data(data, plan, records=records)
            for system in plan.systems:
                lacking, expected = missing(system), loads.get(system, 0.0) * records
                if lacking:
                    yield Row(system, records, {}, {"load": f"not installed ({', '.join(lacking)})"})
                elif expected > plan.patience:
                    yield Row(system, records, {}, {"load": f"left out: would take about {expected / 60:.0f} min"})
                else:
                    row = measure(system, plan, data=data, records=records, text_bytes=text_bytes)
                    loads[system] = row.figures.get("bulk_seconds", plan.patience * 2) / records
                    yield row


def machine(dimensions: int) -> dict[str, str | int]:
    """What the figures were measured on."""
    known = {one.metadata["Name"].lower(): one.version for one in metadata.distributions()}
    packages = {name: known[name] for name in PACKAGES.split() if name in known}
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count() or 0,
        "python": platform.python_version(),
        "dimensions": dimensions,
        "packages": ", ".join(f"{name} {version}" for name, version in packages.items()),
    }


def write(rows: Iterable[Row], results: Path, *, dimensions: int, add: bool) -> None:
    """Results as JSON, Markdown, plots and a part of docs/benchmarks.md; with `add`, beside those of earlier runs."""
    kept = {(row.system, row.records): row for row in (speed_table.read(results) if add else [])}
    kept |= {(row.system, row.records): row for row in rows}
    order = list(PEERS)
    ordered = sorted(kept.values(), key=lambda row: (row.records, order.index(row.system)))
    about = machine(dimensions)
    speed_table.write(results, ordered, about=about)
    if results == RESULTS:
        speed_page.put(speed_page.short(speed_table.read(results)))
    print("\n" + speed_table.markdown(ordered, about=about))
    try:
        from benchmarks import plots
    except ImportError:
        print("no plots: matplotlib is not installed")
        return
    plots.draw(ordered, results)


def planned(given: argparse.Namespace) -> Plan:
    if given.quick:
        return Plan((500, 2_000), tuple(given.systems), given.dimensions, 40, 40, 1, 1.5, 20.0)
    sizes = tuple(sorted(given.sizes))
    return Plan(sizes, tuple(given.systems), given.dimensions, 500, 200, 3, 20.0, given.patience)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--systems", nargs="+", choices=PEERS, default=list(PEERS))
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--patience", type=float, default=600, help="seconds to wait for one stage")
    parser.add_argument("--quick", action="store_true", help="small sizes and few questions; nothing is written")
    parser.add_argument("--add", action="store_true", help="keep earlier results of other systems and sizes")
    parser.add_argument("--folder", type=Path, default=Path(), help="where to keep data meanwhile; a disk, not memory")
    parser.add_argument("--results", type=Path, default=RESULTS)
    given = parser.parse_args()
    plan, rows = planned(given), []
    given.folder.mkdir(parents=True, exist_ok=True)
    for row in run(plan, given.folder.resolve()):
        rows.append(row)
        print(speed_table.line(row), flush=True)
    if given.quick:
        print("\n" + speed_table.markdown(rows, about=machine(plan.dimensions)))
        return
    write(rows, given.results, dimensions=plan.dimensions, add=given.add)


if __name__ == "__main__":
    main()
