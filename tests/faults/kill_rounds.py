"""Rounds of eight processes on one memory that are killed at counted moments, and what must hold after each round.

`tests/faults/test_kill.py` runs some rounds, `scripts/kill_rounds.py` as many as you like.
"""

from __future__ import annotations

import ast
import contextlib
import multiprocessing
import os
import random
import signal
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from tests.faults.kill_roles import KEYS, ON_FILES, ROLES, TinyEmbedder, find_key, open_with_key, read_key, run_role
from toldonce import Memory, Record
from toldonce.storage.restore import restore_backup
from toldonce.storage.signing import verify_file
from toldonce.storage.sqlite.convert import change_encryption

# Only a process that hangs takes that long, on however busy a machine.
PATIENCE = 600
MOST_STEPS = 4_000
_FORK = multiprocessing.get_context("forkserver")
_FORK.set_forkserver_preload(["toldonce.memory", "toldonce.jobs", "toldonce.distil.settle", "numpy"])


@dataclass(slots=True)
class Figures:
    """What was heard and found over all rounds."""

    rounds: int = 0
    killed: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    erased: int = 0
    backups: int = 0
    done: Counter[str] = field(default_factory=Counter)
    passed: Counter[str] = field(default_factory=Counter)

    def describe(self) -> str:
        """The figures in a line or two."""
        done = ", ".join(f"{count} {name}" for name, count in sorted(self.done.items()))
        passed = ", ".join(f"{count} {name}" for name, count in sorted(self.passed.items())) or "none"
        return (
            f"{self.rounds} rounds, {self.killed} processes killed, {self.acknowledged} writes acknowledged, "
            f"{self.lost} lost, {self.doubled} doubled, {self.erased} persons erased, {self.backups} backups checked; "
            f"done: {done}; refused and tried again: {passed}"
        )


class Process:
    """One process in a role, and what it said."""

    def __init__(self, role: str, place: Path, name: str, *, seed: int, kill_at: int | None = None) -> None:
        self.role = role
        self.pipe, theirs = _FORK.Pipe()
        self.process = _FORK.Process(target=run_role, args=(role, str(place), name, seed, theirs, kill_at))
        self.process.start()
        theirs.close()
        self.kills_itself = kill_at is not None

    def stop(self, *, kill: bool) -> None:
        """End it: at once without a chance to clean up, or when its present turn is over."""
        if kill:
            self.process.kill()
        else:
            with contextlib.suppress(OSError):
                self.pipe.send_bytes(b"stop")


class Rounds:
    """The memory that all rounds work on, with what was acknowledged by it so far."""

    def __init__(self, folder: Path, *, seed: int) -> None:
        self.place = folder / "memory.db"
        self.copies = folder / "copies"
        self.copies.mkdir()
        self.figures = Figures()
        self._chance = random.Random(seed)
        self._wrote: dict[str, tuple[str, str]] = {}
        self._erasing: set[str] = set()
        self._erased: set[str] = set()
        self._backups: list[Path] = []
        with open_with_key(self.place):
            pass

    def run_round(self) -> None:
        """Eight processes, of which most are killed; then a pause in which the file itself is changed; then a look."""
        self.figures.rounds += 1
        self._work_and_kill([*ROLES, "convert"])
        for role in ON_FILES:
            self._change_file(role)
        verify_round(self)

    def _work_and_kill(self, roles: list[str]) -> None:
        number = self.figures.rounds
        with self._started([(role, None) for role in roles], f"r{number}") as processes:
            # Each dies when so much was acknowledged by all together: anywhere in its own work.
            ends = {one: self._chance.randint(0, 60) for one in processes}
            survivors = set(self._chance.sample(processes, self._chance.choice((0, 0, 1, 2))))
            for heard, _ in enumerate(self._listen(processes)):
                for one in [one for one, end in ends.items() if end <= heard]:
                    one.stop(kill=one not in survivors)
                    del ends[one]

    def _change_file(self, role: str) -> None:
        """One process alone kills itself at one of its steps; in every third round another one opens meanwhile."""
        steps = self._chance.randint(1, MOST_STEPS)
        roles: list[tuple[str, int | None]] = [(role, steps)]
        if self._chance.random() < 0.33:
            roles.append(("observe", self._chance.randint(1, MOST_STEPS)))
        with self._started(roles, f"r{self.figures.rounds}-{role}") as processes:
            for _ in self._listen(processes):
                if self._chance.random() < 0.05:
                    processes[0].stop(kill=True)

    @contextlib.contextmanager
    def _started(self, roles: list[tuple[str, int | None]], name: str) -> Iterator[list[Process]]:
        """Processes at work; none outlives a failed round."""
        started = [
            Process(role, self.place, f"{name}-{role}", seed=self._chance.randrange(2**32), kill_at=kill_at)
            for role, kill_at in roles
        ]
        try:
            yield started
        finally:
            for one in started:
                one.process.kill()
                one.process.join(PATIENCE)
                one.pipe.close()

    def _listen(self, processes: list[Process]) -> Iterator[None]:
        """Take in what the processes say until all have ended, one thing at a time."""
        pipes: dict[Any, Process] = {one.pipe: one for one in processes}
        while pipes:
            ready = wait(list(pipes), timeout=PATIENCE)
            assert ready, f"nothing heard of {sorted(one.role for one in pipes.values())}: they hang"
            for pipe in ready:
                assert isinstance(pipe, Connection)
                try:
                    said = ast.literal_eval(pipe.recv_bytes().decode())
                except (EOFError, OSError):
                    self._bury(pipes.pop(pipe))
                    continue
                self._hear(*said)
                if said[0] not in ("ready", "passed"):
                    yield

    def _bury(self, one: Process) -> None:
        one.process.join(PATIENCE)
        assert one.process.exitcode in (0, -signal.SIGKILL), f"{one.role} failed with {one.process.exitcode}"
        self.figures.killed += one.process.exitcode != 0

    def _hear(self, what: str, *said: Any) -> None:
        if what == "wrote":
            self._wrote[said[0]] = (said[1], said[2])
            self.figures.acknowledged += 1
        elif what == "erasing":
            self._erasing.add(said[0])
        elif what == "erased":
            self._erased.add(said[0])
            self.figures.erased += 1
            assert said[1] == {}, f"the receipt of {said[0]} tells traces: {said[1]}"
        elif what == "backup":
            self._backups.append(Path(said[0]))
            self.figures.done["explicit backup"] += 1
        elif what in ("did", "passed"):
            getattr(self.figures, {"did": "done"}.get(what, what))[said[0]] += 1

    def change_encryption(self) -> None:
        """Give the memory one of the keys: while nobody has it open this always succeeds."""
        key = self._chance.choice(KEYS)
        change_encryption(str(self.place), old=read_key(find_key(self.place)), new=read_key(key))

    # What verification needs

    @property
    def erased(self) -> frozenset[str]:
        return frozenset(self._erased)

    def expected(self) -> dict[str, str]:
        """The acknowledged writes of everybody whose erasure was not begun."""
        return {id_: text for id_, (text, user) in self._wrote.items() if user not in self._erasing | self._erased}

    def half_erased(self, there: dict[str, str]) -> list[str]:
        """Persons whose erasure was killed and who are neither there nor gone."""
        found = []
        for user in self._erasing - self._erased:
            theirs = {id_ for id_, (_, of) in self._wrote.items() if of == user}
            if 0 < len(theirs & there.keys()) < len(theirs):
                found.append(user)
        return found

    def take_backups(self) -> list[Path]:
        """The backups at explicit paths that were acknowledged since the last call."""
        taken, self._backups = self._backups, []
        return taken


def verify_round(rounds: Rounds) -> None:
    """Everything that must hold after any kill, and after the next run of every operation."""
    copies = [path for number in (1, 2, 3) if (path := Path(f"{rounds.place}.bak.{number}")).exists()]
    for copy in [*copies, *rounds.take_backups()]:
        _verify_copy(copy, rounds)
    with open_with_key(rounds.place, embedder=TinyEmbedder(), hours=3) as memory:
        _verify_contents(memory, rounds)
        _verify_jobs(memory)
        backup = memory.storage.backup()
    restore_backup(backup, str(rounds.place), key=read_key(find_key(backup)))
    rounds.change_encryption()
    with open_with_key(rounds.place, embedder=TinyEmbedder(), hours=3) as memory:
        _verify_contents(memory, rounds)
    _verify_files(rounds)


def read_records(memory: Memory) -> list[Record]:
    """Every record there is, whatever its state."""
    return [record for _, record in memory.store.read(lambda t: t.records.read_page(None, limit=1_000_000))]


def _verify_contents(memory: Memory, rounds: Rounds) -> None:
    assert memory.storage.check() == []
    assert memory.audit.verify().problems == ()
    records = read_records(memory)
    there = {record.id: record.text for record in records}
    expected = rounds.expected()
    lost = {id_: text for id_, text in expected.items() if there.get(id_) != text}
    said = Counter((r.kind, r.text, r.sources, r.session if r.conversation else "") for r in records)
    doubled = {what: count for what, count in said.items() if count > 1}
    rounds.figures.lost += len(lost)
    rounds.figures.doubled += len(doubled)
    assert not lost, f"{len(lost)} of {len(expected)} lost"
    assert not doubled, f"doubled: {list(doubled)[:3]}"
    assert rounds.half_erased(there) == []
    assert {r.user for r in records} & rounds.erased == set(), "an erased person came back"


def _verify_jobs(memory: Memory) -> None:
    """Three hours later every lease has run out: what was begun is finished, and nothing failed for good."""
    now = memory.clock()
    memory.tend()
    left = [job for job in memory.jobs.all() if job.state != "ready" or job.due_at <= now]
    assert left == [], [(job.key, job.state, job.last_error) for job in left]


def _verify_copy(copy: Path, rounds: Rounds) -> None:
    """A copy has the right checksum, opens, is sound, and holds one moment of each writer without a gap."""
    assert verify_file(copy, key=None) == "sound", copy
    trial = rounds.copies / "trial.db"
    trial.write_bytes(copy.read_bytes())
    with open_with_key(trial) as memory:
        assert memory.storage.check() == [], copy
        assert memory.audit.verify().problems == ()
        there = {record.id for record in read_records(memory)}
        is_rolling = ".bak." in copy.name
        if is_rolling:
            assert {r.user for r in read_records(memory)} & rounds.erased == set(), f"{copy} holds an erased person"
    expected: dict[str, list[bool]] = {}
    for id_, text in rounds.expected().items():
        if text.startswith("Parcel"):
            expected.setdefault(text.split(" is on ")[0].split(" of ")[1], []).append(id_ in there)
    gaps = [name for name, held in expected.items() if held != sorted(held, reverse=True)]
    assert gaps == [], f"{copy} lacks earlier writes of {gaps}"
    for end in ("", "-wal", "-shm"):
        Path(f"{trial}{end}").unlink(missing_ok=True)
    if not is_rolling:
        copy.unlink()
        Path(f"{copy}.sum").unlink()
    rounds.figures.backups += 1


def _verify_files(rounds: Rounds) -> None:
    """After the next run of each operation nothing is left of the killed ones."""
    place = rounds.place
    known = {place.name, *(f"{place.name}.bak.{n}{end}" for n in (1, 2, 3) for end in ("", ".sum"))}
    left = sorted({path.name for path in place.parent.iterdir() if path.is_file()} - known)
    left = [name for name in left if not name.startswith(f"{place.name}.replaced.")]
    assert left == [], f"left behind: {left}"
    for path in place.parent.glob(f"{place.name}.replaced.*"):
        os.unlink(path)
