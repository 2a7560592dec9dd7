"""What a prompt block costs beyond one recall: processor time of `context` and of `recall` for the same questions.

    python -m benchmarks.block_cost [--sizes 600 100000] [--preset assistant] [--questions 60]

A small memory is a chat of two people with the default embedder, each session settled. A large one holds messages of 50
people with ready vectors, made up of their words, so that loading it takes minutes; there an embedding costs nothing.
Of each question the best of five times counts, since other programs use the processor too. Compare ratios, not times.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.cost import LANGUAGE, NAMES
from benchmarks.peers import Floats
from toldonce import Memory

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
# A chat up to this size is settled and gets vectors of the default embedder.
SMALL = 5_000
TURNS = 20
DIMENSIONS = 384
REPEATS = 5
MOST_BEYOND_MS, MOST_RECALLS = 12.0, 3
# Some say what they ask for, others take several pieces of evidence.
PLAIN = "What did {name} say about {words}?"
SEVERAL = "How many times did {name} and {other} talk about {words}?"


class WordVectors:
    """An embedder whose vectors are made up of the words of a text: quick, and texts that share words are alike."""

    name = "made-up-words"
    local = True
    dimensions = DIMENSIONS

    def embed(self, texts: Sequence[str]) -> Floats:
        """One row a text."""
        rows = np.array([sum(map(_word_vector, text.split()), np.zeros(DIMENSIONS)) for text in texts])
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
        return rows.astype(np.float32)


@cache
def _word_vector(word: str) -> Floats:
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest())
    return np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32)


@dataclass(slots=True)
class Clock:
    """A clock that is set by hand."""

    now: datetime = START

    def __call__(self) -> datetime:
        return self.now


@dataclass(frozen=True, slots=True)
class BlockCost:
    """Processor milliseconds of each question as a recall and as a block, and how many searches a block took."""

    recall: Sequence[float]
    block: Sequence[float]
    searches: int

    @property
    def beyond(self) -> list[float]:
        """What a block costs more than a recall, for each question, in order."""
        return sorted(block - recall for block, recall in zip(self.block, self.recall, strict=True))


def say(random_: random.Random) -> str:
    """A made-up message that mentions somebody, whom a second search may be about."""
    name, *words = LANGUAGE.message(random_).split()
    return " ".join((*words[:3], name, *words[3:]))


def open_small(folder: Path, size: int, *, preset: str) -> Memory:
    """A chat of two people, its sessions settled."""
    clock, random_ = Clock(), random.Random(7)
    memory = Memory.open(folder / f"{size}.db", preset=preset, clock=clock, background=False)
    for turn in range(size):
        speaker, session = NAMES[turn % 2], f"s{turn // TURNS}"
        memory.observe(say(random_), user=speaker, session=session, channel="chat")
        clock.now += timedelta(seconds=20)
        if turn % TURNS == TURNS - 1:
            memory.settle(session=session)
            clock.now += timedelta(days=1)
    memory.tend(clock.now)
    return memory


def open_large(folder: Path, size: int, *, preset: str) -> Memory:
    """Messages of many people, as they were said."""
    from toldonce.jobs.background import JobRunner
    from toldonce.jobs.embed import PACK
    from toldonce.jobs.handlers import DUTIES
    from toldonce.operations.jobs import EMBED

    clock, random_ = Clock(), random.Random(7)
    memory = Memory.open(folder / f"{size}.db", preset=preset, embedder=WordVectors(), clock=clock, background=False)
    runner = JobRunner({name: DUTIES[name] for name in (EMBED, PACK)})
    for start in range(0, size, 2000):
        memory.observe_many(
            {"text": say(random_), "user": f"user{number % 50}", "session": f"s{number // 40}"}
            for number in range(start, min(start + 2000, size))
        )
        clock.now += timedelta(hours=1)
        while runner.run_due(memory, now=clock.now):
            pass
    return memory


def make_questions(form: str, count: int) -> list[str]:
    """Questions with the words of made-up messages."""
    random_ = random.Random(11)
    made: list[str] = []
    while len(made) < count:
        if words := LANGUAGE.question(random_, LANGUAGE.message(random_)):
            name, other = random_.sample(NAMES, 2)
            made.append(form.format(name=name, other=other, words=words))
    return made


def measure(memory: Memory, questions: Sequence[str]) -> BlockCost:
    """What the questions cost as recalls, then as blocks; the first few warm both up."""
    for question in questions[:5]:
        memory.recall(question, counted=False)
        memory.context(question, counted=False)
    recall = _best_times(lambda question: memory.recall(question, counted=False), questions)
    block = _best_times(lambda question: memory.context(question, counted=False), questions)
    return BlockCost(recall, block, max(count_searches(memory, question) for question in questions))


def count_searches(memory: Memory, question: str) -> int:
    """How many searches a block takes for a question."""
    searcher, find = memory.engine.searcher, memory.engine.searcher.find
    searches = 0

    def counted(*given: object, **named: object) -> object:
        nonlocal searches
        searches += 1
        return find(*given, **named)  # type: ignore[arg-type]

    searcher.find = counted  # type: ignore[method-assign, assignment]
    try:
        memory.context(question, counted=False)
    finally:
        searcher.find = find  # type: ignore[method-assign]
    return searches


def _best_times(work: Callable[[str], object], questions: Sequence[str]) -> list[float]:
    """The least processor milliseconds of each question, none asked twice in a row."""
    best = dict.fromkeys(questions, float("inf"))
    for _ in range(REPEATS):
        for question in questions:
            began = time.process_time()
            work(question)
            best[question] = min(best[question], (time.process_time() - began) * 1000)
    return [best[question] for question in questions]


def rows(memory: Memory, size: int, *, questions: int) -> Iterator[str]:
    """A row of the table for each form of question."""
    for name, form in (("one look", PLAIN), ("several steps", SEVERAL)):
        cost = measure(memory, make_questions(form, questions))
        beyond, ratio = cost.beyond, statistics.median(cost.block) / statistics.median(cost.recall)
        middle, high = statistics.median(beyond), beyond[int(0.95 * len(beyond))]
        held = middle <= MOST_BEYOND_MS if form == PLAIN else cost.searches <= MOST_RECALLS
        yield (
            f"| {size:,} | {name} | {statistics.median(cost.recall):.1f} | {statistics.median(cost.block):.1f} "
            f"| {middle:.1f} | {high:.1f} | {ratio:.1f} | {cost.searches} | {'yes' if held else 'NO'} |"
        )


HEAD = """| records | question | recall, ms | block, ms | beyond, ms | 95th of 100 | block / recall | searches | held |
|---|---|---|---|---|---|---|---|---|"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[600, 100_000])
    parser.add_argument("--preset", default="assistant")
    parser.add_argument("--questions", type=int, default=60)
    args = parser.parse_args()
    print(f"Held: beyond one recall at most {MOST_BEYOND_MS:.0f} ms; several steps, at most {MOST_RECALLS} searches.\n")
    print(HEAD)
    with tempfile.TemporaryDirectory(dir=".") as name:
        for size in args.sizes:
            open_memory = open_small if size <= SMALL else open_large
            with open_memory(Path(name), size, preset=args.preset) as memory:
                for row in rows(memory, size, questions=args.questions):
                    print(row, flush=True)


if __name__ == "__main__":
    main()
