"""One stage of one system in a process of its own, so that processor time and memory are counted apart.

`speed.py` starts it; it reads the data that lies ready, writes its figures as JSON, and prints nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TypeAlias

import numpy as np

from benchmarks.peers import PEERS, Floats, Peer

Figures: TypeAlias = dict[str, float]

LIMIT = 10
AT_ONCE = 1_000
THREADS = 8
PEOPLE = 50
FEW = 60
SPOKEN = "Please remember that parcel number {} comes on Thursday and that the key is with the neighbour."


@dataclass(frozen=True, slots=True)
class Data:
    """Where texts and vectors lie, and how much of them a stage may use."""

    folder: Path
    records: int
    singles: int
    questions: int
    seconds: float

    @property
    def vectors(self) -> Floats:
        rows: Floats = np.load(self.folder / "vectors.npy", mmap_mode="r")
        return rows

    def texts(self) -> Iterator[str]:
        with (self.folder / "texts.txt").open(encoding="utf-8") as lines:
            yield from (line.rstrip("\n") for line in lines)

    def asked(self) -> list[tuple[str, str, str, Floats]]:
        """Each question with its owner, the text it was made from, and its vector."""
        said = json.loads((self.folder / "questions.json").read_text(encoding="utf-8"))
        vectors = np.load(self.folder / "questions.npy")
        return [(*one, vector) for one, vector in zip(said, vectors, strict=True)][: self.questions]


def owner(number: int) -> str:
    """Whose record it is: people take turns."""
    return f"user{number % PEOPLE}"


def load(peer: Peer, data: Data) -> Figures:
    """Everything in large batches."""
    texts, vectors = data.texts(), data.vectors

    def work() -> None:
        for start in range(0, data.records, AT_ONCE):
            end = min(start + AT_ONCE, data.records)
            said, owners = list(islice(texts, end - start)), [owner(number) for number in range(start, end)]
            peer.add(said, owners, np.array(vectors[start:end]))
        peer.finish()

    wall, cpu = timed(work)
    return {"bulk_per_second": data.records / wall, "bulk_cpu_ms": 1000 * cpu / data.records, "bulk_seconds": wall}


def one_by_one(peer: Peer, data: Data) -> Figures:
    """One record at a time, each durable before the next; what is left for later counts in the processor time."""
    texts = list(islice(data.texts(), data.records, data.records + data.singles))
    vectors = np.array(data.vectors[data.records : data.records + data.singles])
    peer.add(texts[:1], [owner(0)], vectors[:1])
    peer.finish()
    spent, bare, apart = list[float](), list[float](), 0.0
    stop, cpu = time.perf_counter() + data.seconds, time.process_time()
    with (data.folder / "page").open("wb") as page:
        for number in range(1, len(texts)):
            one, who, row = texts[number : number + 1], [owner(number)], vectors[number : number + 1]
            spent.append(timed(partial(peer.add, one, who, row))[0])
            # Others use the disk too: what a page takes to last, at the same moment, says how slow it is just now.
            own = time.thread_time()
            bare.append(timed(partial(flush, page))[0])
            apart += time.thread_time() - own
            if time.perf_counter() > stop:
                break
    cpu = time.process_time() - cpu - apart
    _, later = timed(peer.finish)
    return {
        "one_per_second": len(spent) / sum(spent),
        "one_p50_ms": 1000 * middle(spent),
        "one_fsyncs": middle(spent) / middle(bare),
        "one_cpu_ms": 1000 * (cpu + later) / len(spent),
        "one_acknowledged_cpu_ms": 1000 * cpu / len(spent),
    }


def as_called(peer: Peer, _: Data) -> Figures:
    """One record at a time from its text alone, as an agent adds it, all systems with toldonce's own embedder.

    What the caller waits for is embedding and keeping, or keeping alone where vectors are made in the background.
    """
    from toldonce.models.minilm import MiniLM

    embedder, made, kept = MiniLM(), 0.0, 0.0
    embedder.embed([SPOKEN.format(0)])
    for number in range(1, FEW):
        text, rows = SPOKEN.format(number), list[Floats]()
        made += timed(lambda text=text, rows=rows: rows.append(embedder.embed([text])))[1]
        kept += timed(partial(peer.add, [text], [owner(number)], rows[0]))[1]
    later = timed(peer.finish)[1]
    waited = kept if peer.embeds_later else made + kept
    return {"called_cpu_ms": 1000 * waited / (FEW - 1), "called_whole_cpu_ms": 1000 * (made + kept + later) / (FEW - 1)}


def flush(page: BinaryIO) -> None:
    page.write(bytes(4096))
    page.flush()
    os.fsync(page.fileno())


def cold(peer: Peer, data: Data) -> Figures:
    """The first answer of a new process: the processor time since the process began."""
    text, _, _, vector = data.asked()[0]
    peer.search(text, vector, limit=LIMIT, user=None)
    return {"cold_cpu_s": time.process_time()}


def ask(peer: Peer, data: Data) -> Figures:
    """One client, of everyone's records and of one person's, and the memory it took."""
    asked = data.asked()
    for text, person, _, vector in asked[:5]:
        peer.search(text, vector, limit=LIMIT, user=None)
        peer.search(text, vector, limit=LIMIT, user=person)
    figures = {f"search_{name}": value for name, value in answers(peer, data, asked, own=False).items()}
    figures |= {"memory_mb": peak_memory() / 1e6, "own_memory_mb": own_memory() / 1e6}
    return figures | {f"filtered_{name}": value for name, value in answers(peer, data, asked, own=True).items()}


def answers(peer: Peer, data: Data, asked: Sequence[tuple[str, str, str, Floats]], *, own: bool) -> Figures:
    walls, cpus, found, stop = [], [], 0, time.perf_counter() + data.seconds
    for text, person, source, vector in asked:
        wall, cpu = time.perf_counter(), time.process_time()
        answer = peer.search(text, vector, limit=LIMIT, user=person if own else None)
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
        found += source in answer
        if time.perf_counter() > stop:
            break
    return {
        "p50_ms": 1000 * middle(walls),
        "p95_ms": 1000 * middle(walls, 0.95),
        "cpu_p50_ms": 1000 * middle(cpus),
        "cpu_p95_ms": 1000 * middle(cpus, 0.95),
        "found": found / len(walls),
    }


def at_once(peer: Peer, data: Data) -> Figures:
    """Eight threads that ask as fast as they can."""
    asked, done = data.asked(), [0] * THREADS
    peer.search(asked[0][0], asked[0][3], limit=LIMIT, user=None)
    stop = time.perf_counter() + data.seconds

    def client(number: int) -> None:
        for text, _, _, vector in asked[number::THREADS] * 4:
            peer.search(text, vector, limit=LIMIT, user=None)
            done[number] += 1
            if time.perf_counter() > stop:
                break

    with ThreadPoolExecutor(THREADS) as threads:
        wall, cpu = timed(lambda: list(threads.map(client, range(THREADS))))
    return {"threads_per_second": sum(done) / wall, "threads_cpu_ms": 1000 * cpu / sum(done)}


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the wall and of processor time."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def middle(values: Sequence[float], share: float = 0.5) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def peak_memory() -> float:
    """Bytes of this process at its largest; what the starting process once had is not counted where that is known."""
    known = _status("VmHWM")
    if known is not None:
        return known
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(most if sys.platform == "darwin" else most * 1024)


def own_memory() -> float:
    """Bytes of this process now, without the pages of files, which the system takes back when it needs them."""
    known = _status("RssAnon")
    return peak_memory() if known is None else known


def _status(name: str) -> float | None:
    status = Path("/proc/self/status")
    line = re.search(rf"{name}:\s+(\d+) kB", status.read_text()) if status.exists() else None
    return float(line[1]) * 1024 if line else None


STAGES: dict[str, Callable[[Peer, Data], Figures]] = {
    "load": load,
    "cold": cold,
    "ask": ask,
    "at_once": at_once,
    "one_by_one": one_by_one,
    "as_called": as_called,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stage", choices=STAGES)
    parser.add_argument("system", choices=PEERS)
    parser.add_argument("place", type=Path, help="where the system keeps its data")
    parser.add_argument("figures", type=Path, help="the JSON file to write")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--dimensions", type=int, required=True)
    parser.add_argument("--records", type=int, required=True)
    parser.add_argument("--singles", type=int, required=True)
    parser.add_argument("--questions", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True, help="when to stop one measurement")
    given = parser.parse_args()
    peer = PEERS[given.system]()
    peer.open(given.place, dimensions=given.dimensions)
    data = Data(given.data, given.records, given.singles, given.questions, given.seconds)
    figures = STAGES[given.stage](peer, data)
    peer.close()
    given.figures.write_text(json.dumps(figures), encoding="utf-8")


if __name__ == "__main__":
    main()
