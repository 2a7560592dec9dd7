"""What HTTP costs over the library, and how much a server takes: recall and observe by many clients at once.

    python -m benchmarks.server --records 100000 --clients 50 --workers 2 --seconds 30

A memory is filled, served by `recollect serve` in processes of its own, and asked by clients in threads: 80 % recall
and 20 % observe. It prints requests a second, p50, p99 and errors, the processor time of a request over that of the
library call, and the time to the first byte of the page of the API. With `--chroma` as many recalls are sent to
`chroma run` over the same texts, if it is installed.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx

from recollect import Memory

_PLACES = ("Lisbon", "Porto", "Faro", "Braga", "Coimbra", "Évora", "Aveiro", "Sintra")
_THINGS = ("bike", "kayak", "piano", "garden", "telescope", "loom", "oven", "boat", "drone", "violin")


def make_text(number: int) -> str:
    """A message that differs from all others."""
    choose = random.Random(number)
    return f"my {choose.choice(_THINGS)} number {number} is at the workshop in {choose.choice(_PLACES)} since May"


def fill(path: Path, records: int) -> tuple[str, str]:
    """A memory with that many messages of ten people; the secrets of a key for all and of one for a person."""
    with Memory.open(path, preset="companion", embedder=None, background=False) as memory:
        for first in range(0, records, 1_000):
            memory.observe_many(
                {"text": make_text(n), "user": f"user{n % 10}", "session": f"s{n // 100}"}
                for n in range(first, min(first + 1_000, records))
            )
        return (
            memory.keys.add("all", rights=["read", "write", "manage"]).secret,
            memory.keys.add("user0", user="user0").secret,
        )


@contextmanager
def serve(path: Path, workers: int) -> Iterator[str]:
    """The address of a server over the memory."""
    command = [sys.executable, "-m", "recollect", "serve", "--place", str(path), "--port", "0", "--rate", "0"]
    server = subprocess.Popen([*command, "--workers", str(workers)], stderr=subprocess.PIPE)
    assert server.stderr is not None
    try:
        for line in iter(server.stderr.readline, b""):
            if found := re.search(rb"Serving at (\S+)", line):
                yield found[1].decode()
                break
    finally:
        server.terminate()
        server.communicate(timeout=60)


def wait_until_ready(url: str, key: str) -> None:
    """Wait until every process answers."""
    for _ in range(600):
        try:
            if httpx.get(f"{url}/ready", headers={"Authorization": f"Bearer {key}"}).is_success:
                return
        except httpx.HTTPError:
            time.sleep(0.1)
    raise SystemExit("the server did not start")


def run_clients(clients: int, seconds: float, request: Callable[[httpx.Client, random.Random], bool]) -> dict[str, Any]:
    """What many clients got done at once: requests a second, times and errors."""
    times: list[float] = []
    errors = 0
    lock, end = threading.Lock(), time.monotonic() + seconds

    def work(number: int) -> None:
        nonlocal errors
        mine, failed, choose = [], 0, random.Random(number)
        with httpx.Client(timeout=60) as client:
            while time.monotonic() < end:
                began = time.perf_counter()
                failed += not request(client, choose)
                mine.append(time.perf_counter() - began)
        with lock:
            times.extend(mine)
            errors += failed

    threads = [threading.Thread(target=work, args=(n,)) for n in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    steps = quantiles(times, n=100)
    return {"per_s": len(times) / seconds, "p50_ms": steps[49] * 1e3, "p99_ms": steps[98] * 1e3, "errors": errors}


def measure_mixed(url: str, key: str, *, records: int, clients: int, seconds: float, observes: float) -> dict[str, Any]:
    """Recall and observe by many clients."""
    headers = {"Authorization": f"Bearer {key}"}

    def request(client: httpx.Client, choose: random.Random) -> bool:
        text, user = make_text(choose.randrange(records)), f"user{choose.randrange(10)}"
        if choose.random() < observes:
            new = make_text(choose.randrange(records, 10**9))
            return client.post(f"{url}/v1/messages", json={"text": new, "user": user}, headers=headers).is_success
        asked = {"query": text[:40], "user": user, "limit": 5}
        return client.post(f"{url}/v1/recall", json=asked, headers=headers).is_success

    return run_clients(clients, seconds, request)


def measure_overhead(path: Path, rounds: int = 300) -> tuple[float, float]:
    """Processor milliseconds of a recall by the library, and by the application without a network."""
    from starlette.testclient import TestClient

    from recollect.server.app import create_app
    from recollect.server.settings import RequestLimits, ServerSettings

    with Memory.open(path, embedder=None, background=False) as memory:
        asked = {"query": make_text(1)[:40], "user": "user0", "limit": 5}
        key = memory.keys.add("bench", rights=["read"]).secret
        app = create_app(memory, ServerSettings(hosts=("testserver",), limits=RequestLimits(requests_per_minute=0)))
        with TestClient(app.asgi, headers={"Authorization": f"Bearer {key}"}) as client:
            library = time_cpu(lambda: memory.recall(**asked), rounds)  # type: ignore[arg-type]
            served = time_cpu(lambda: client.post("/v1/recall", json=asked), rounds)
            health = time_cpu(lambda: client.get("/health"), rounds)
    # The client's own share is that of a request that does nothing.
    return library, served - health


def time_cpu(work: Callable[[], object], rounds: int) -> float:
    """Milliseconds of processor time, at the median of five runs."""
    found = []
    work()
    for _ in range(5):
        began = time.process_time()
        for _ in range(rounds // 5):
            work()
        found.append((time.process_time() - began) / (rounds // 5) * 1e3)
    return median(found)


@contextmanager
def serve_chroma(folder: Path) -> Iterator[Any]:
    """A client of `chroma run`."""
    import chromadb

    server = subprocess.Popen(
        ["chroma", "run", "--path", str(folder), "--port", "8799"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(300):
            try:
                yield chromadb.HttpClient(port=8799)
                return
            except (ValueError, httpx.HTTPError):
                time.sleep(0.1)
    finally:
        server.terminate()
        server.wait(30)


def measure_chroma(folder: Path, *, records: int, clients: int, seconds: float) -> dict[str, Any]:
    """Recalls by vector from Chroma; vectors are drawn by chance, so that no embedder is timed."""
    import numpy as np

    made = np.random.default_rng(1).standard_normal((records, 384)).astype(np.float32)
    with serve_chroma(folder) as client:
        collection = client.create_collection("bench")
        for first in range(0, records, 1_000):
            part = range(first, min(first + 1_000, records))
            collection.add(
                ids=[str(n) for n in part],
                embeddings=made[first : first + len(part)],
                documents=[make_text(n) for n in part],
                metadatas=[{"user": f"user{n % 10}"} for n in part],
            )

        def request(_: httpx.Client, choose: random.Random) -> bool:
            asked = made[choose.randrange(records)]
            return bool(collection.query(query_embeddings=[asked], n_results=5, where={"user": "user0"})["ids"])

        return run_clients(clients, seconds, request)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--chroma", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as folder:
        path = Path(folder) / "memory.db"
        key, _ = fill(path, given.records)
        load = {"records": given.records, "clients": given.clients, "seconds": given.seconds}
        with serve(path, given.workers) as url:
            wait_until_ready(url, key)
            print("mixed ", measure_mixed(url, key, **load, observes=0.2))
            print("recall", measure_mixed(url, key, **load, observes=0.0))
            began = time.perf_counter()
            httpx.get(f"{url}/docs", headers={"Authorization": f"Bearer {key}"})
            print(f"page   {(time.perf_counter() - began) * 1e3:.1f} ms")
        library, served = measure_overhead(path)
        print(f"cpu    library {library:.2f} ms, served {served:.2f} ms, overhead {served - library:.2f} ms")
        if given.chroma:
            print("chroma", measure_chroma(Path(folder) / "chroma", **load))


if __name__ == "__main__":
    main()
