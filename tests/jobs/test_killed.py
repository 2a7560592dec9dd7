"""Workers killed in the middle of settling, of the midnight passes and of consolidating: each happens exactly once."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest

from toldonce import Memory
from toldonce.storage.store import Store, Tables

T = TypeVar("T")
PATIENCE = 120
ID = re.compile(r"\b[a-z]+_[0-9a-z]{21}\b")
START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
TONIGHT = START + timedelta(days=1)


class Dying:
    """A store whose process is killed at its nth write: before that is committed, or just after."""

    def __init__(self, store: Store, *, at: int, before: bool) -> None:
        self._store = store
        self._left = at
        self._before = before

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def write(self, work: Callable[[Tables], T], *, alone: bool = True) -> T:
        self._left -= 1
        if self._left:
            return self._store.write(work, alone=alone)

        def dying(tables: Tables) -> T:
            made = work(tables)
            if self._before:
                os.kill(os.getpid(), signal.SIGKILL)
            return made

        made = self._store.write(dying)
        os.kill(os.getpid(), signal.SIGKILL)
        return made


def opened(path: Path | str, now: datetime, preset: str | None = None) -> Memory:
    return Memory.open(path, preset=preset, embedder=None, background=False, clock=lambda: now)


def die_tending(path: str, now: str, at: str, before: str) -> None:
    """Runs in the process that is killed."""
    memory = opened(path, datetime.fromisoformat(now))
    memory.engine.store = Dying(memory.store, at=int(at), before=before == "before")  # type: ignore[assignment]
    memory.tend()


def chat(path: Path) -> None:
    """A day on a chat server, not settled yet, and the jobs planned."""
    with opened(path, START, "community") as memory:
        memory.tend()
        for n, text in enumerate(
            [
                "I live in Lisbon and my dog Bento ate my shoes",
                "Bento the dog needs a vet",
                "I love ramen with noodles",
                "I hate ramen with noodles",
                "The wifi driver broke my laptop",
            ]
        ):
            memory.observe(text, user="alex", channel=f"c{n}", display_name="Alex")


def life(path: Path) -> None:
    """Three weights, a move and two counts of children, the last of it not settled yet."""
    with opened(path, START - timedelta(days=40), "life") as memory:
        memory.tend()
    for n, text in enumerate(["I weigh 82 kg. I have two kids.", "I weigh 80 kg"]):
        with opened(path, START - timedelta(days=39 - 10 * n)) as memory:
            memory.observe(text, user="maria", session=f"s{n}", display_name="Maria")
            memory.settle()
    with opened(path, START - timedelta(days=1)) as memory:
        memory.tend()
    with opened(path, START) as memory:
        memory.observe("I weigh 78 kg. I moved to Faro. I have three kids.", user="maria", session="s9")


def result(path: Path) -> tuple[Counter[Any], dict[str, list[str]], int]:
    """What was made of it all, whoever made it."""
    with opened(path, TONIGHT) as memory:
        assert memory.storage.check() == []
        records = {r.id: r for _, r in memory.store.read(lambda t: t.records.read_page(None, limit=10_000))}
        made = Counter(
            (r.kind, ID.sub("", r.text), r.state, tuple(sorted(records[s].text for s in r.sources)))
            for r in records.values()
        )
        profiles = {p.id: [e.text for e in memory.profile(p.id).entries] for p in memory.people.all()}
        return made, profiles, len(memory.questions())


def tended_to_the_end(path: Path) -> None:
    """As a process that starts later does: leases have run out, and what was begun is finished."""
    for hours in (1, 2):
        with opened(path, TONIGHT + timedelta(hours=hours)) as memory:
            memory.tend()


@pytest.mark.parametrize("prepare", [chat, life])
def test_work_that_is_killed_anywhere_happens_exactly_once(tmp_path: Path, prepare: Callable[[Path], None]) -> None:
    base, calm = tmp_path / "base.db", tmp_path / "calm.db"
    prepare(base)
    shutil.copy(base, calm)
    with opened(calm, TONIGHT) as memory:
        memory.tend()
    tended_to_the_end(calm)
    expected = result(calm)
    killed = 0
    for at in (2, 3, 5, 8, 12, 17, 22):
        path = tmp_path / f"killed{at}.db"
        shutil.copy(base, path)
        when = ("before", "after")[at % 2]
        command = [sys.executable, __file__, str(path), TONIGHT.isoformat(), str(at), when]
        ended = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
        assert ended.returncode in (0, -signal.SIGKILL), ended.stderr.decode()
        killed += ended.returncode == -signal.SIGKILL
        tended_to_the_end(path)
        assert result(path) == expected, f"killed {when} the end of write {at}"
    assert killed >= 5


if __name__ == "__main__":
    die_tending(*sys.argv[1:])
