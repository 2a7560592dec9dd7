"""What the processes of the kill rounds do: each works in its role, and tells its parent what was acknowledged.

A message goes to the parent only after the memory has returned, so everything that the parent heard must survive.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any

import apsw
import numpy as np

from toldonce import Memory, Record
from toldonce.errors import FileReplaced, NeedsKey, StoreBusy, WrongKey
from toldonce.models.embedder import Vectors
from toldonce.storage.encryption import EncryptionKey
from toldonce.storage.restore import restore_backup
from toldonce.storage.sqlite.cipher import check_key, is_encrypted_file
from toldonce.storage.sqlite.connect import READ_WRITE, open_connection
from toldonce.storage.sqlite.convert import change_encryption
from toldonce.storage.sqlite.errors import translating_errors

# What a memory and its copies may be encrypted with in these rounds; the first is plain.
KEYS = ("", "hex:" + "1f" * 32, "hex:" + "2e" * 32)
# What a process may meet while another one changes the encryption or restores: it opens the memory again.
PASSING = (StoreBusy, FileReplaced, NeedsKey, WrongKey)
Tell = Callable[..., None]


class TinyEmbedder:
    """Vectors by the letters of a text: the same for the same text, in no time."""

    local = True
    dimensions = 8

    def __init__(self, name: str = "tiny-a") -> None:
        self.name = name

    def embed(self, texts: Sequence[str]) -> Vectors:
        made = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            for letter in text or " ":
                made[row, ord(letter) % self.dimensions] += 1
        return made / np.linalg.norm(made, axis=1, keepdims=True) if len(texts) else made


def find_key(path: Path | str) -> str:
    """Which of the keys opens a file."""
    if not is_encrypted_file(str(path)):
        return KEYS[0]
    for key in KEYS[1:]:
        if _opens(str(path), key):
            return key
    raise WrongKey(f"no key opens {path}")


def _opens(path: str, key: str) -> bool:
    """Whether a key fits; opening the file as a memory would change the bytes of a copy."""
    with (
        translating_errors(path),
        contextlib.closing(open_connection(path, flags=READ_WRITE, key=read_key(key))) as connection,
    ):
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        try:
            check_key(connection, path)
        except WrongKey:
            return False
    return True


def open_with_key(path: Path | str, *, embedder: TinyEmbedder | None = None, hours: float = 0) -> Memory:
    """The memory, whatever its key is now, at a moment some hours from now."""

    def clock() -> datetime:
        return datetime.now(UTC) + timedelta(hours=hours)

    key = find_key(path)
    return Memory.open(
        path,
        preset=None if os.path.exists(path) else "assistant",
        embedder=embedder,
        background=False,
        clock=clock,
        encryption_key=key,
    )


class Worker:
    """What a role needs at hand: the place, its own name and chance, and the way to tell."""

    def __init__(self, place: str, name: str, seed: int, tell: Tell) -> None:
        self.place = place
        self.name = name
        self.chance = random.Random(seed)
        self.tell = tell
        self.count = 0

    def write(self, memory: Memory, text: str, *, user: str, session: str) -> None:
        """Observe a message and tell of it once it is acknowledged."""
        kept = memory.observe(text, user, session=session)
        assert isinstance(kept, Record), kept
        self.tell("wrote", kept.id, kept.text, user)

    def beside(self, name: str) -> Path:
        """A path of this worker's own beside the memory."""
        return Path(self.place).parent / "copies" / f"{self.name}-{name}"


def observe(worker: Worker, memory: Memory) -> None:
    text = f"Parcel {worker.count} of {worker.name} is on its way to Maria Silva in Lisbon"
    worker.write(memory, text, user="alex", session=worker.name)


def settle(worker: Worker, memory: Memory) -> None:
    session = f"{worker.name} {worker.count}"
    for number in range(2):
        worker.write(memory, f"Letter {number} of {session}: I live in Porto", user="bea", session=session)
    memory.settle(session=session)
    worker.tell("did", "settle")


def tend(worker: Worker, memory: Memory) -> None:
    memory.tend()
    worker.tell("did", "tend")


def erase(worker: Worker, memory: Memory) -> None:
    """A guest writes, is exported, erased, and imported again: they must stay away."""
    guest = f"guest-{worker.name}-{worker.count}"
    for number in range(2):
        worker.write(memory, f"Secret {number} of {guest}", user=guest, session=guest)
    exported = worker.beside(f"{worker.count}.jsonl")
    if with_export := worker.chance.random() < 0.5:
        memory.export(exported, user=guest)
    worker.tell("erasing", guest)
    receipt = memory.erase(user=guest)
    if with_export:
        memory.import_(exported)
        exported.unlink()
    worker.tell("erased", guest, dict(receipt.traces))


def back_up(worker: Worker, memory: Memory) -> None:
    if worker.count % 2:
        memory.storage.backup()
        worker.tell("did", "rolling backup")
    else:
        worker.tell("backup", str(memory.storage.backup(worker.beside(f"{worker.count}.db"))))


def reembed(worker: Worker, memory: Memory) -> None:
    memory.embedder = TinyEmbedder(worker.chance.choice(("tiny-a", "tiny-b")))
    memory.jobs.reembed()
    memory.tend()
    worker.tell("did", "reembed")


def transfer(worker: Worker, memory: Memory) -> None:
    user, target = f"traveller-{worker.name}", worker.beside("export.jsonl")
    worker.write(memory, f"Ticket {worker.count} of {user}", user=user, session=user)
    memory.export(target, user=None if worker.count % 4 == 3 else user)
    worker.tell("did", "export")
    memory.import_(target)
    worker.tell("did", "import")


ROLES: dict[str, Callable[[Worker, Memory], None]] = {
    "observe": observe, "settle": settle, "tend": tend, "erase": erase, "back_up": back_up, "reembed": reembed,
    "transfer": transfer,
}  # fmt: skip


def convert(worker: Worker) -> None:
    """Change the encryption while others may have the memory open; then it must refuse."""
    old, new = find_key(worker.place), worker.chance.choice(KEYS)
    change_encryption(worker.place, old=read_key(old), new=read_key(new))
    worker.tell("did", "convert")


def restore(worker: Worker) -> None:
    """Put a copy of everything that is there into its place."""
    backup = worker.beside(f"{worker.count}-restore.db")
    with open_with_key(worker.place) as memory:
        memory.storage.backup(backup)
    key = find_key(backup)
    restore_backup(backup, worker.place, key=read_key(key))
    worker.tell("did", "restore")


# These take the memory by its place, and run in the pauses too.
ON_FILES: dict[str, Callable[[Worker], None]] = {"convert": convert, "restore": restore}


def read_key(said: str) -> EncryptionKey | None:
    """The key as the functions on files take it."""
    return EncryptionKey.read(said) if said else None


def run_role(role: str, place: str, name: str, seed: int, pipe: Connection, kill_at: int | None = None) -> None:
    """Runs in the process: work until the parent says stop, or until this process kills itself at a counted step."""
    worker = Worker(place, name, seed, lambda *said: pipe.send_bytes(repr(said).encode()))
    worker.tell("ready")
    if kill_at is not None:
        kill_itself_at(kill_at)
    while not pipe.poll():
        try:
            _take_turns(role, worker, pipe)
        except PASSING as problem:
            worker.tell("passed", type(problem).__name__)
    pipe.close()


def _take_turns(role: str, worker: Worker, pipe: Connection) -> None:
    """Some turns, then the memory is closed and opened again, so that opening is killed too."""
    if role in ON_FILES:
        for _ in _turns(worker, pipe):
            ON_FILES[role](worker)
        return
    with open_with_key(worker.place, embedder=TinyEmbedder()) as memory:
        for _ in _turns(worker, pipe):
            ROLES[role](worker, memory)


def _turns(worker: Worker, pipe: Connection) -> Iterator[None]:
    for _ in range(worker.chance.randint(2, 12)):
        if pipe.poll():
            return
        worker.count += 1
        yield


def kill_itself_at(step: int) -> None:
    """Kill this process at its nth call of a function: a moment that is counted, not timed."""
    left = step

    def count(frame: FrameType, event: str, arg: Any) -> None:
        nonlocal left
        left -= 1
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(count)
