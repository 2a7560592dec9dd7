"""What the spine costs, as ratios within one run: observe, group commit, recall without vectors, a cold command line.

    python -m benchmarks.cost [--records 100000]

Disks and machines differ, so compare the ratios, not the times.
"""

from __future__ import annotations

import argparse
import itertools
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw

from toldonce import Memory

NAMES = "Maria Tiago Helena Bruno Ingrid Paulo Akira Noor Sofia Emil".split()


class Language:
    """Made-up words that are as unevenly common as the words of a real language."""

    def __init__(self, size: int = 30_000) -> None:
        random_ = random.Random(5)
        parts = [c + v for c in "b d f g k l m n p r s t v z br tr st kl".split() for v in "a e i o u ai ou".split()]
        words: dict[str, None] = {}
        while len(words) < size:
            words["".join(random_.choice(parts) for _ in range(random_.choice((2, 2, 3, 3, 4))))] = None
        self.words = list(words)
        self.rank = {word: rank for rank, word in enumerate(self.words)}
        self._weights = list(itertools.accumulate(1 / (rank + 8) ** 1.05 for rank in range(size)))

    def message(self, random_: random.Random) -> str:
        """About as long as people write, with a name in it."""
        said = random_.choices(self.words, cum_weights=self._weights, k=random_.randint(6, 30))
        return f"{random_.choice(NAMES)} {' '.join(said)}"

    def question(self, random_: random.Random, said: str) -> str:
        """Four words of a message, without the most common ones."""
        telling = [word for word in said.split() if self.rank.get(word, 0) > 30]
        return " ".join(random_.sample(telling, min(4, len(telling))))


LANGUAGE = Language()


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the wall and of processor time."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def observe_cost(folder: Path, texts: list[str]) -> tuple[float, float, float]:
    """Seconds of bare inserts and of observing the same texts, by turns on one disk; then its processor time."""
    connection = apsw.Connection(str(folder / "bare.db"))
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE said (id INTEGER PRIMARY KEY, text TEXT, user TEXT, session TEXT, at INTEGER)")
    insert = "INSERT INTO said (text, user, session, at) VALUES (?, ?, ?, ?)"
    bare = observed = spent = 0.0
    with Memory.open(folder / "observe.db", embedder=None, background=False) as memory:
        for start in range(0, len(texts), 50):
            some = texts[start : start + 50]
            bare += timed(lambda: [connection.execute(insert, (t, "alex", "s", time.time_ns())) for t in some])[0]  # noqa: B023
            wall, cpu = timed(lambda: [memory.observe(t, user="alex", session="s") for t in some])  # noqa: B023
            observed, spent = observed + wall, spent + cpu
    connection.close()
    return bare, observed, spent


class SlowFlush(apsw.VFS):
    """The usual files, but each flush to disk takes as long as on a disk without a cache of its own."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.usual = apsw.vfs_names()[0]
        super().__init__("slow", self.usual, makedefault=True)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        return SlowFile(self.usual, name, flags, self.seconds)


class SlowFile(apsw.VFSFile):
    """A file whose flush takes its time."""

    def __init__(self, usual: str, name: str | apsw.URIFilename | None, flags: list[int], seconds: float) -> None:
        super().__init__(usual, name, flags)
        self._seconds = seconds

    def xSync(self, flags: int) -> None:
        time.sleep(self._seconds)
        super().xSync(flags)


def threads_rate(folder: Path, texts: list[str], threads: int) -> float:
    """Messages a second when that many threads observe at once."""
    with Memory.open(folder / f"threads{threads}-{len(texts)}.db", embedder=None, background=False) as memory:
        share = len(texts) // threads

        def work(number: int) -> None:
            for text in texts[number * share : (number + 1) * share]:
                memory.observe(text, user=f"user{number}", session=f"s{number}")

        running = [threading.Thread(target=work, args=(number,)) for number in range(threads)]

        def all_of_them() -> None:
            for thread in running:
                thread.start()
            for thread in running:
                thread.join()

        wall, _ = timed(all_of_them)
        return share * threads / wall


def filled(folder: Path, records: int) -> Path:
    path = folder / "large.db"
    random_ = random.Random(7)
    with Memory.open(path, embedder=None, background=False) as memory:
        for start in range(0, records, 2000):
            memory.observe_many(
                {"text": LANGUAGE.message(random_), "user": f"user{number % 50}", "session": f"s{number // 40}"}
                for number in range(start, min(start + 2000, records))
            )
    return path


def recall_cost(path: Path, *, user: str | None, common: bool = False, questions: int = 200) -> list[float]:
    """Processor milliseconds of each question; `common` asks with the most common words of all."""
    random_, asked = random.Random(11), []
    while len(asked) < questions:
        usual = " ".join(random_.sample(LANGUAGE.words[:20], 4))
        asked.append(usual if common else LANGUAGE.question(random_, LANGUAGE.message(random_)) or usual)
    with Memory.open(path, embedder=None, background=False) as memory:
        memory.recall(asked[0], user=user)
        return sorted(timed(lambda q=q: memory.recall(q, user=user))[1] * 1000 for q in asked)


def cold_recall(path: Path) -> Iterator[float]:
    """Processor seconds of a whole `toldonce recall`, five times."""
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "toldonce.cli.main", "--place", str(path), "recall", LANGUAGE.words[400]]
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        yield (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def show(name: str, value: str, target: str, *, held: bool) -> None:
    print(f"{'ok  ' if held else 'MISS'}  {name:<58} {value:>26}   target {target}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--messages", type=int, default=2000)
    args = parser.parse_args()
    random_ = random.Random(3)
    texts = [LANGUAGE.message(random_) for _ in range(args.messages)]
    with tempfile.TemporaryDirectory(dir=".") as name:
        folder = Path(name)
        bare_wall, wall, cpu = observe_cost(folder, texts)
        each = cpu / len(texts) * 1000
        show(
            "observe / bare durable insert of the same text",
            f"{wall / bare_wall:.2f} times",
            "<= 3",
            held=wall <= 3 * bare_wall,
        )
        show("observe, processor time", f"{each:.2f} ms", "< 1.5 ms", held=each < 1.5)
        one, eight = threads_rate(folder, texts, 1), threads_rate(folder, texts, 8)
        flush = bare_wall / len(texts) * 1000
        print(f"      this disk flushes in about {flush:.2f} ms: 8 threads {eight:.0f}, 1 thread {one:.0f} a second")
        path = filled(folder, args.records)
        for user, common in ((None, False), ("user7", False), (None, True)):
            spent = recall_cost(path, user=user, common=common)
            middle, high = spent[len(spent) // 2], spent[int(len(spent) * 0.95)]
            whose = "only common words" if common else "one of 50 people" if user else "everyone"
            label = f"recall without vectors at {args.records:,} records, {whose}"
            value = f"p50 {middle:.2f}, p95 {high:.2f} ms"
            if common:
                print(f"      {label:<70} {value}")
            else:
                show(label, value, "< 5 ms", held=middle < 5)
        vfs = SlowFlush(0.004)
        one, eight = threads_rate(folder, texts[:400], 1), threads_rate(folder, texts[:1600], 8)
        vfs.unregister()
        ratio = f"{eight:.0f} / {one:.0f} = {eight / one:.1f}"
        show("8 threads / 1 thread a second, where a flush takes 4 ms", ratio, ">= 4", held=eight >= 4 * one)
        cold = sorted(cold_recall(path))[2]
        show("a cold `toldonce recall`, processor time", f"{cold:.2f} s", "< 0.5 s", held=cold < 0.5)


if __name__ == "__main__":
    main()
