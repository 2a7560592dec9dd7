"""What `toldonce proxy` adds to a request, in processor time and without the language model.

    python -m benchmarks.proxy [--messages 2000] [--rounds 200]

A memory with messages of ten people answers behind the proxy, which is called without a network; a function answers at
once instead of the model. Each request is a new question of one person, in casual English like the messages. It prints
the time of all threads, and how much of it `memory.context` took, with and without the default embedder. Python looks
for unused objects as seldom as in `toldonce proxy`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from toldonce import Memory
from toldonce.integrations.proxy.app import ProxyApp, ProxySettings
from toldonce.integrations.proxy.turns import TurnMemory
from toldonce.server.run import collecting_rarely

PEOPLE = 10
SAID = (
    "ugh {friend} was late again, we missed the start of the {thing}",
    "so I moved to {place} in the end, the {thing} was too expensive in {other}",
    "my sister {friend} can't eat {food}, keep that in mind for the weekend",
    "bought a new {thing} today, the old one broke on the way to {place}",
    "{friend} and I are going to {place} next month, maybe with the kids",
    "ok I changed my mind about the {thing}, I'll keep the one from {place}",
    "do you know a good place for {food} near {place}?",
    "work was long today, three meetings about the {thing} and none decided anything",
    "had {food} for lunch again, no headache this time, so it was not that",
    "remind me that {friend}'s birthday dinner is in {place}, somewhere with {food}",
    "the doctor says less {food}, more walking, so I got a {thing} for the mornings",
    "{friend} finally got the job in {place}!! we celebrated with {food}",
)
ASKED = (
    "what did I say about the {thing}?",
    "any ideas for dinner with {friend} tonight?",
    "where does {friend} work now",
    "hey, what was the name of that place with the {food} in {place} again?",
    "can you help me plan the weekend in {place}, what should I not forget?",
    "thinking of getting a {thing}, good idea?",
)
WORDS = {
    "friend": "Ana Bruno Marta Joao Clara Tomas Ines Rui Pedro Sofia Lena Max Nora Felix Ivo Greta".split(),
    "place": "Lisbon Porto Berlin Madrid Faro Braga Vienna Oslo Paris Lyon Rome Turin".split(),
    "other": "Coimbra Zurich Milan Seville Hamburg Dublin Ghent Bern".split(),
    "thing": "bike guitar sofa laptop camera tent kettle desk flat garden car piano project concert printer".split(),
    "food": "sushi pasta curry peanuts cheese mushrooms seafood tacos soup bread chocolate coffee".split(),
}
_CHOICE = {"index": 0, "message": {"role": "assistant", "content": "Understood."}, "finish_reason": "stop"}
ANSWER = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [_CHOICE]}


class InstantModel(httpx.AsyncBaseTransport):
    """Answers every request at once."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        return httpx.Response(200, json=ANSWER)


class TimedContext:
    """`memory.context`, with the processor time that it took."""

    def __init__(self, memory: Memory) -> None:
        self._context = memory.context
        self.ms = 0.0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        began = time.process_time()
        made = self._context(*args, **kwargs)
        self.ms += 1000 * (time.process_time() - began)
        return made


def write_message(chance: random.Random, forms: Sequence[str]) -> str:
    """A sentence of one of these forms, with words by chance."""
    return chance.choice(forms).format(**{name: chance.choice(words) for name, words in WORDS.items()})


def fill(memory: Memory, messages: int) -> None:
    """Messages of ten people, settled and with their vectors."""
    said = random.Random(1)
    memory.observe_many(
        {"text": write_message(said, SAID), "user": f"user{n % PEOPLE}", "session": f"s{n // 100}"}
        for n in range(messages)
    )
    memory.settle()
    memory.tend()


async def measure(app: ProxyApp, timed: TimedContext, *, rounds: int, user: str) -> tuple[float, float]:
    """Milliseconds of a request and of `memory.context` in it, each at the median."""
    asked, times, shares = random.Random(2), [], []
    headers = [(b"host", b"localhost"), (b"x-toldonce-user", user.encode())]
    scope = {"type": "http", "method": "POST", "path": "/v1/chat/completions", "query_string": b"", "headers": headers}
    async with httpx.AsyncClient(transport=InstantModel()) as app.client:
        for _ in range(rounds):
            said = {"role": "user", "content": write_message(asked, ASKED)}
            content = json.dumps({"model": "m", "messages": [{"role": "system", "content": "Be brief."}, said]})
            timed.ms, began = 0.0, time.process_time()
            await call_app(app, scope, content.encode())
            times.append(1000 * (time.process_time() - began))
            shares.append(timed.ms)
    return median(times), median(shares)


async def call_app(app: ProxyApp, scope: dict[str, Any], content: bytes) -> None:
    """One request of one client, who stays until it is answered."""
    parts = [{"type": "http.request", "body": content, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if not parts:
            await asyncio.Event().wait()
        return parts.pop()

    async def send(message: dict[str, Any]) -> None:
        assert message.get("status", 200) == 200, message

    await app(scope, receive, send)


def run(path: Path, *, rounds: int, embedder: str | None) -> None:
    """Print the rows of a memory with or without an embedder."""
    with Memory.open(path, embedder=embedder, background=False) as memory:
        timed = TimedContext(memory)
        memory.context = timed  # type: ignore[method-assign]
        app = ProxyApp(TurnMemory(memory), ProxySettings(to="http://model.example"))
        for user in ("nobody", "user3"):
            asyncio.run(measure(app, timed, rounds=10, user=user))
            whole, share = asyncio.run(measure(app, timed, rounds=rounds, user=user))
            name = f"{'with' if share else 'without'} memory, embedder {embedder or 'none'}"
            print(f"{name:<33} p50 {whole:6.2f} ms: context {share:6.2f} ms, the rest {whole - share:5.2f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--messages", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=200)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="toldonce-bench-") as folder:
        path = Path(folder) / "memory.db"
        with Memory.open(path, preset="assistant", background=False) as memory:
            fill(memory, given.messages)
        with collecting_rarely():
            for embedder in (None, "default"):
                run(path, rounds=given.rounds, embedder=embedder)


if __name__ == "__main__":
    main()
