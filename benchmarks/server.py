"""What HTTP costs over the library, and how much a server takes: recall and observe by many clients at once.

    python -m benchmarks.server --records 100000 --clients 50 --workers 2 --seconds 30 --chroma .chroma/bin

A memory is filled, served by `toldonce serve` in processes of its own, and asked by clients in processes: 80 % recall
and 20 % observe. It prints requests a second, p50, p99 and errors, the processor time of a request over that of the
library call, and the time to the first byte of a page. With `--chroma` the same vectors are put into `chroma run` from
that folder of programs, and as many recalls are sent to it.

Vectors are those of the default embedder for the first texts; the others are neighbours of them (a little noise added),
since embedding 100,000 texts takes most of an hour and recall costs the same. `--vectors FILE` keeps them.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

import httpx

from toldonce import Memory
from toldonce.jobs.embed import PACK
from toldonce.storage.tables.jobs import Job
from toldonce.storage.vectors.index import encode_vector

if TYPE_CHECKING:
    from toldonce.models.embedder import Embedder
    from toldonce.storage.store import Tables

_PLACES = ("Lisbon", "Porto", "Faro", "Braga", "Coimbra", "Évora", "Aveiro", "Sintra")
# Texts that are embedded; the vectors of all others are made from theirs.
_EMBEDDED, _NOISE = 9_000, 0.02
_THINGS = ("bike", "kayak", "piano", "garden", "telescope", "loom", "oven", "boat", "drone", "violin")


def make_text(number: int) -> str:
    """A message that differs from all others."""
    choose = random.Random(number)
    return f"my {choose.choice(_THINGS)} number {number} is at the workshop in {choose.choice(_PLACES)} since May"


def make_vectors(records: int, cache: Path) -> Any:
    """Vectors of that many texts: of the first by the default embedder, of all others beside one of these."""
    import numpy as np

    from toldonce.models.load import load_embedder

    known = np.load(cache) if cache.exists() else None
    if known is None:
        embedder = load_embedder("default")
        assert embedder is not None
        texts = [make_text(n) for n in range(min(records, _EMBEDDED))]
        known = np.concatenate([embedder.embed(texts[n : n + 500]) for n in range(0, len(texts), 500)])
        np.save(cache, known.astype(np.float16))
    noise = np.random.default_rng(1).standard_normal((records, known.shape[1])).astype(np.float32) * _NOISE
    made = known[np.arange(records) % len(known)].astype(np.float32) + noise
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def fill(path: Path, vectors: Any) -> None:
    """A memory with a message of ten people for each vector."""
    from toldonce.models.load import load_embedder

    embedder = load_embedder("default")
    assert embedder is not None
    with Memory.open(path, preset="companion", embedder=None, background=False) as memory:
        for first in range(0, len(vectors), 1_000):
            memory.observe_many(
                {"text": make_text(n), "user": f"user{n % 10}", "session": f"s{n // 100}"}
                for n in range(first, min(first + 1_000, len(vectors)))
            )
            memory.store.write(partial(_put_vectors, embedder=embedder, vectors=vectors[first : first + 1_000]))
        # What a memory in use has behind it: conversations are settled, and the index is packed.
        for job in memory.jobs.all():
            if job.key.startswith("settle:"):
                memory.store.write(lambda t, one=job: t.jobs.drop(one.space, one.key))  # type: ignore[misc]
        for number in range(0, len(vectors), 100):
            memory.sessions.mark_settled(f"s{number // 100}")
        memory.store.write(lambda t: t.jobs.put(Job(space="", key=PACK, name=PACK, due_at=memory.clock())))
    with Memory.open(path, background=False) as memory:
        memory.tend()


def _put_vectors(tables: Tables, *, embedder: Embedder, vectors: Any) -> None:
    model = tables.vectors.register_model(embedder.name, embedder.dimensions)
    waiting = tables.vectors.find_waiting(limit=len(vectors))
    tables.vectors.put(model, [(seq, [encode_vector(v)]) for (seq, _), v in zip(waiting, vectors, strict=True)])


def add_key(path: Path) -> str:
    """The secret of a key for everybody."""
    with Memory.open(path, embedder=None, background=False) as memory:
        return memory.keys.add("bench", rights=["read", "write", "manage"]).secret


@contextmanager
def serve(path: Path, workers: int) -> Iterator[str]:
    """The address of a server over the memory."""
    command = [sys.executable, "-m", "toldonce", "serve", "--place", str(path), "--port", "0", "--rate", "0"]
    environ = {**os.environ, "TOLDONCE_EMBEDDER": "default"}
    server = subprocess.Popen([*command, "--workers", str(workers)], stderr=subprocess.PIPE, env=environ)
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


def measure_overhead(path: Path, rounds: int = 300) -> dict[str, float]:
    """Processor milliseconds of a recall by the library and over HTTP without a network, and of the first page."""
    from starlette.testclient import TestClient

    from toldonce.server.app import create_app
    from toldonce.server.settings import RequestLimits, ServerSettings

    with Memory.open(path, background=False) as memory:
        asked = {"query": make_text(1)[:40], "user": "user0", "limit": 5}
        key = memory.keys.add("bench", rights=["read"]).secret
        app = create_app(memory, ServerSettings(hosts=("testserver",), limits=RequestLimits(requests_per_minute=0)))
        with TestClient(app.asgi, headers={"Authorization": f"Bearer {key}"}) as client:
            for _ in range(rounds // 5):
                # The first requests bring the index and the pages of the file in.
                client.post("/v1/recall", json=asked)
            library = time_cpu(lambda: memory.recall(**asked), rounds)  # type: ignore[arg-type]
            served = time_cpu(lambda: client.post("/v1/recall", json=asked), rounds)
            health = time_cpu(lambda: client.get("/health"), rounds)
            page = time_cpu(lambda: client.get("/", follow_redirects=False), rounds // 5)
    # The client's own share is that of a request that does nothing.
    return {"library": library, "served": served - health, "overhead": served - health - library, "page": page - health}


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
def serve_chroma(program: Path, folder: Path) -> Iterator[str]:
    """The address of the collections of `chroma run`."""
    server = subprocess.Popen(
        [str(program), "run", "--path", str(folder), "--port", "8799"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = "http://127.0.0.1:8799/api/v2"
    try:
        for _ in range(300):
            try:
                if httpx.get(f"{url}/heartbeat").is_success:
                    break
            except httpx.HTTPError:
                time.sleep(0.1)
        yield f"{url}/tenants/default_tenant/databases/default_database/collections"
    finally:
        server.terminate()
        server.wait(30)


def measure_chroma(url: str, vectors: Any, *, clients: int, seconds: float) -> dict[str, Any]:
    """Recalls by vector from Chroma, of one person each, as Toldonce is asked; no embedder is timed."""
    found = httpx.post(url, json={"name": "bench", "get_or_create": True}).raise_for_status().json()
    collection, records = f"{url}/{found['id']}", len(vectors)
    is_filled = httpx.get(f"{collection}/count", timeout=60).json() == records
    for first in range(0, 0 if is_filled else records, 1_000):
        part = range(first, min(first + 1_000, records))
        body = {
            "ids": [str(n) for n in part], "embeddings": vectors[first : first + len(part)].round(4).tolist(),
            "documents": [make_text(n) for n in part], "metadatas": [{"user": f"user{n % 10}"} for n in part],
        }  # fmt: skip
        httpx.post(f"{collection}/upsert", json=body, timeout=300).raise_for_status()
    questions = [vectors[n].round(4).tolist() for n in random.Random(1).sample(range(records), 200)]

    def request(client: httpx.Client, choose: random.Random) -> bool:
        where = {"user": f"user{choose.randrange(10)}"}
        asked = {"query_embeddings": [choose.choice(questions)], "n_results": 5, "where": where}
        return client.post(f"{collection}/query", json=asked).is_success

    return run_clients(clients, seconds, request)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--chroma", type=Path, metavar="FOLDER", help="where the program chroma is")
    parser.add_argument("--folder", type=Path, help="keep vectors and the filled memory here, for the next run")
    parser.add_argument("--fill-only", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="toldonce-bench-") as made:
        folder = given.folder or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        run(given, folder, folder / f"memory-{given.records}.db")


def run(given: argparse.Namespace, folder: Path, path: Path) -> None:
    vectors = make_vectors(given.records, folder / "vectors.npy")
    if not path.exists():
        fill(path.with_suffix(".part"), vectors)
        path.with_suffix(".part").rename(path)
    if given.fill_only:
        return
    load = {"clients": given.clients, "seconds": given.seconds}
    cpu = measure_overhead(path)
    print("cpu    " + ", ".join(f"{name} {value:.2f} ms" for name, value in cpu.items()), flush=True)
    key = add_key(path)
    with serve(path, given.workers) as url:
        wait_until_ready(url, key)
        measure_mixed(url, key, records=given.records, clients=4, seconds=3, observes=0.0)
        print("recall", measure_mixed(url, key, records=given.records, **load, observes=0.0), flush=True)
        print("mixed ", measure_mixed(url, key, records=given.records, **load, observes=0.2), flush=True)
    if given.chroma:
        with serve_chroma(given.chroma / "chroma", folder / "chroma") as url:
            print("chroma", measure_chroma(url, vectors, **load), flush=True)


if __name__ == "__main__":
    main()
