"""Many writers and readers share one file: nothing is lost or doubled, no lock reaches a caller, batches stay whole."""

from __future__ import annotations

import random
import select
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from toldonce import Memory, Record
from toldonce.storage.store import View

WRITERS = 4
READERS = 4
WRITES = 10_000
BATCH = 20
SINGLES = 300
THREADS = 8
PATIENCE = 280

Process = subprocess.Popen[str]


@contextmanager
def processes(path: Path, role: str, count: int) -> Iterator[list[Process]]:
    """Processes of that role that are open and ready; none outlives the test."""
    started = [
        subprocess.Popen(
            [sys.executable, __file__, str(path), role, str(n)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for n in range(count)
    ]
    try:
        for process in started:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n", process.communicate()
        yield started
    finally:
        for process in started:
            process.kill()
            process.communicate()


def go(process: Process) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def end(process: Process) -> str:
    """What a process said; closing its input tells a reader to stop."""
    said, problems = process.communicate(timeout=PATIENCE)
    assert (process.returncode, problems) == (0, "")
    return said


def test_four_writers_and_four_readers_lose_nothing_and_meet_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with processes(path, "write", WRITERS) as writers, processes(path, "read", READERS) as readers:
        for process in (*writers, *readers):
            go(process)
        acknowledged = [id_ for writer in writers for id_ in end(writer).split()]
        looks = [int(end(reader)) for reader in readers]
    assert len(acknowledged) == len(set(acknowledged)) == WRITES
    assert min(looks) > 0
    with Memory.open(path, embedder=None, background=False) as memory:
        records = [record for _, record in memory.store.read(lambda t: t.records.read_page(None, limit=2 * WRITES))]
        assert sorted(record.id for record in records) == sorted(acknowledged)
        assert Counter(record.text for record in records).most_common(1)[0][1] == 1
        counted = {c.id: c.messages for c in memory.store.read(lambda t: t.conversations.all(None))}
        assert Counter(record.conversation for record in records) == Counter(counted)
        assert memory.storage.check() == []


def test_many_processes_may_make_the_file_at_the_same_moment(tmp_path: Path) -> None:
    for turn in range(3):
        path = tmp_path / f"memory{turn}.db"
        with processes(path, "make", 4) as makers:
            for maker in makers:
                go(maker)
            ids = [end(maker).strip() for maker in makers]
        with Memory.open(path, embedder=None, background=False) as memory:
            assert {memory.get(id_).text for id_ in ids} == {f"Maker {n} was here" for n in range(4)}
            assert len(memory.spaces.all()) == 1


def test_eight_threads_of_one_memory_lose_nothing(tmp_path: Path) -> None:
    kept: list[str] = []
    problems: list[BaseException] = []

    def observe(memory: Memory, thread: int) -> None:
        try:
            for n in range(200):
                record = memory.observe(f"Thread {thread} saw bird {n}", f"user {thread}", session="s1")
                assert isinstance(record, Record)
                assert memory.get(record.id).text == record.text
                kept.append(record.id)
        except BaseException as problem:
            problems.append(problem)
            raise

    with Memory.open(tmp_path / "memory.db", preset="assistant", embedder=None) as memory:
        threads = [threading.Thread(target=observe, args=(memory, n)) for n in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        assert problems == []
        records = [r for _, r in memory.store.read(lambda t: t.records.read_page(None, limit=10_000))]
        assert sorted(r.id for r in records) == sorted(kept)
        assert len(kept) == THREADS * 200
        assert memory.storage.check() == []


# What runs in the other processes


def write(memory: Memory, name: str) -> None:
    """Single messages and small batches in a mixed order; prints what was acknowledged."""
    batches = (WRITES // WRITERS - SINGLES) // BATCH
    order = [1] * SINGLES + [BATCH] * batches
    random.Random(name).shuffle(order)
    for place, size in enumerate(order):
        batch = f"{name}-{place}"
        messages = [
            {
                "text": f"Bird {n} of flock {batch} flew over Lisbon",
                "user": f"watcher {name}",
                "session": f"s{name}",
                "metadata": {"batch": batch, "size": size},
            }
            for n in range(size)
        ]
        kept = [memory.observe(**messages[0])] if size == 1 else memory.observe_many(messages)
        print(*(record.id for record in kept if isinstance(record, Record)))


def read(memory: Memory, name: str) -> None:
    """Looks at the newest records until its input ends: every batch must be whole. Prints how often it looked."""
    looks = 0
    while not select.select([sys.stdin], [], [], 0.02)[0]:
        view = View(spaces=("main",), now=datetime.now(UTC))
        records = memory.store.read(lambda t, view=view: t.records.find(view, limit=200))
        sizes = Counter(record.metadata["batch"] for record in records)
        oldest = records[-1].metadata["batch"] if records else ""
        for record in records:
            batch = record.metadata["batch"]
            # The oldest one may be cut off by the limit.
            assert batch == oldest or sizes[batch] == record.metadata["size"], "a batch was seen in part"
        memory.recall(f"bird {looks} over Lisbon", f"watcher {looks % WRITERS}", limit=5)
        looks += 1
    print(looks)


def make(path: str, name: str) -> None:
    with Memory.open(path, preset="assistant", embedder=None, background=False) as memory:
        record = memory.observe(f"Maker {name} was here", "alex", session=f"s{name}")
        assert isinstance(record, Record)
        print(record.id)


def main(path: str, role: str, name: str) -> None:
    if role == "make":
        print("ready", flush=True)
        sys.stdin.readline()
        return make(path, name)
    with Memory.open(path, preset="assistant", embedder=None, background=False) as memory:
        print("ready", flush=True)
        sys.stdin.readline()
        return {"write": write, "read": read}[role](memory, name)


if __name__ == "__main__":
    main(*sys.argv[1:])
