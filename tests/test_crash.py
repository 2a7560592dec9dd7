"""Processes that write at once are killed at random points: no acknowledged write is lost, none is there twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from toldonce import Memory, Record

ROUNDS = 7
WRITERS = 3
PATIENCE = 120


class Writer:
    """A process that observes until it is killed, and tells of each message once it is acknowledged."""

    def __init__(self, place: str, name: str) -> None:
        command = [sys.executable, __file__, place, name]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.acknowledged: dict[str, str] = {}
        self.problems = b""
        self._many = threading.Condition()
        self._threads = [threading.Thread(target=self._listen), threading.Thread(target=self._drain)]
        for thread in self._threads:
            thread.start()

    def wait_for(self, count: int) -> None:
        """Wait until that many messages were acknowledged."""
        with self._many:
            self._many.wait_for(lambda: len(self.acknowledged) >= count or not self.is_alive, timeout=PATIENCE)
        assert self.is_alive, self.problems.decode()
        assert len(self.acknowledged) >= count, "the writer is too slow"

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    def kill(self) -> None:
        """End it without a chance to clean up, and hear what it had still said."""
        self.process.send_signal(signal.SIGKILL)
        assert self.process.wait(PATIENCE) == -signal.SIGKILL, self.problems.decode()
        for thread in self._threads:
            thread.join(PATIENCE)

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as said:
            for line in said:
                id_, text = json.loads(line)
                with self._many:
                    self.acknowledged[id_] = text
                    self._many.notify_all()
        with self._many:
            self._many.notify_all()

    def _drain(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as said:
            self.problems = said.read()


@contextmanager
def writers(place: str, round_: int) -> Iterator[list[Writer]]:
    """Several writers at once; none outlives a failed test."""
    started = [Writer(place, f"round {round_} writer {n}") for n in range(WRITERS)]
    try:
        yield started
    finally:
        for writer in started:
            writer.process.kill()


def kill_at_random(place: str, round_: int, chance: random.Random) -> dict[str, str]:
    """One round: every writer is killed at a point of its own; what was acknowledged comes back."""
    acknowledged: dict[str, str] = {}
    with writers(place, round_) as started:
        for writer in chance.sample(started, WRITERS):
            count = chance.choice((0, 1, 3, 10, 25))
            writer.wait_for(count)
            # Not on the heels of an acknowledgement but anywhere in the next few writes, or while it still opens.
            threading.Event().wait(chance.uniform(0, 0.03 if count else 0.6))
            writer.kill()
            acknowledged |= writer.acknowledged
    return acknowledged


def test_no_acknowledged_write_is_lost_or_doubled_when_writers_are_killed(
    find_place: Callable[[str], str],
) -> None:
    place = find_place("memory.db")
    chance = random.Random(20260302)
    acknowledged: dict[str, str] = {}
    for round_ in range(ROUNDS):
        acknowledged |= kill_at_random(place, round_, chance)
        check_memory(place, acknowledged)
    assert len(acknowledged) > ROUNDS * WRITERS


def check_memory(place: str, acknowledged: dict[str, str]) -> None:
    """Sound, with every acknowledged message exactly once, findable, and counted in its conversation."""
    with Memory.open(place, preset="assistant", embedder=None, background=False) as memory:
        assert memory.storage.check() == []
        records = [record for _, record in memory.store.read(lambda t: t.records.read_page(None, limit=1_000_000))]
        there = {record.id: record.text for record in records}
        assert {id_: there.get(id_) for id_ in acknowledged} == acknowledged
        doubled = Counter((record.text, record.sources) for record in records)
        assert {what: count for what, count in doubled.items() if count > 1} == {}
        counted = {c.id: c.messages for c in memory.store.read(lambda t: t.conversations.all(None))}
        assert Counter(record.conversation for record in records if record.conversation) == Counter(counted)
        for id_, text in list(acknowledged.items())[-3:]:
            assert id_ in {hit.record.id for hit in memory.recall(text, "alex", limit=20)}


def observe_for_ever(place: str, name: str) -> None:
    """Runs in the writing process: a line for each message, written only after the memory has acknowledged it."""
    with Memory.open(place, preset="assistant", embedder=None) as memory:
        for n in range(1_000_000):
            text = f"Parcel {n} of {name} is on its way to Maria Silva in Lisbon"
            kept = memory.observe(text, "alex", session=name)
            assert isinstance(kept, Record)
            os.write(1, (json.dumps([kept.id, kept.text]) + "\n").encode())


if __name__ == "__main__":
    observe_for_ever(*sys.argv[1:])
