"""What encryption at rest costs: the same work on a plain and on an encrypted memory, by turns, by processor time.

Run as `python -m benchmarks.encryption [RECORDS]`. Ratios travel between machines, times do not.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from toldonce import Memory

ROUNDS = 7
WANTED = 1.15
KEY = "hex:" + "5a" * 32
WORDS = (
    "lisbon porto train coffee dog cat running meeting tomorrow house sister project deadline paint guitar book river "
    "mountain bread cheese winter garden doctor ticket museum violin pasta harbour bicycle lantern"
).split()


def spent(work: Callable[[], object]) -> float:
    """Seconds of processor time."""
    start = time.process_time()
    work()
    return time.process_time() - start


def texts(count: int, seed: int) -> list[str]:
    chosen = random.Random(seed)
    return [f"{' '.join(chosen.choices(WORDS, k=14))} number {n}" for n in range(count)]


def main() -> None:
    """Fill both memories, then measure by turns."""
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    with tempfile.TemporaryDirectory() as folder:
        memories = {
            name: Memory.open(Path(folder) / f"{name}.db", embedder=None, background=False, encryption_key=key)
            for name, key in (("plain", None), ("encrypted", KEY))
        }
        for memory in memories.values():
            rows = enumerate(texts(records, seed=1))
            memory.observe_many([{"text": t, "user": f"u{n % 50}", "session": f"s{n % 50}"} for n, t in rows])
        costs: dict[str, dict[str, list[float]]] = {name: {"observe": [], "recall": []} for name in memories}
        for turn in range(ROUNDS):
            said, asked = texts(200, seed=turn + 2), texts(40, seed=turn + 50)
            for name, memory in memories.items():
                observe = spent(lambda: [memory.observe(t, "u1", session="s1") for t in said])  # noqa: B023
                recall = spent(lambda: [memory.recall(" ".join(t.split()[:4]), "u1") for t in asked])  # noqa: B023
                costs[name]["observe"].append(observe / len(said))
                costs[name]["recall"].append(recall / len(asked))
        for memory in memories.values():
            memory.close()
    print(f"{records:,} records, median of {ROUNDS} rounds, processor time")
    for what in ("observe", "recall"):
        plain, encrypted = (statistics.median(costs[name][what]) * 1e3 for name in ("plain", "encrypted"))
        held = "holds" if encrypted / plain <= WANTED else "MISSED"
        print(
            f"{what:8} plain {plain:6.2f} ms   encrypted {encrypted:6.2f} ms   {encrypted / plain:5.2f} times "
            f"(at most {WANTED}: {held})"
        )


if __name__ == "__main__":
    main()
