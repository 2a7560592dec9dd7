"""After an erasure no byte of the person is left in any file of the memory, or the receipt says what still waits."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory
from toldonce.errors import RecordNotFound
from toldonce.operations.chat_messages import redact_records
from toldonce.storage.rows import Rows
from toldonce.storage.store import Tables
from toldonce.storage.tables.purge import PurgeTable

PRESETS = ("assistant", "coding", "community", "companion", "life")
SUBJECTS = ("my dog", "our project", "the deploy script", "minha casa", "the kitchen", "o trabalho novo")
SENTENCES = (
    "I moved to {0} with {1}", "I love {0} and {1}", "Eu gosto de {0} e moro em {1}", "We decided to use {0} for {1}",
    "My sister {0} works at {1}", "Prefiro {0}, não {1}", "日本語{0}のテキスト {1}",
)  # fmt: skip

READING = """
import apsw, sys
connection = apsw.Connection(sys.argv[1], flags=apsw.SQLITE_OPEN_READONLY)
connection.execute("BEGIN")
connection.execute("SELECT count(*) FROM records").fetchall()
print("reading", flush=True)
sys.stdin.readline()
connection.execute("COMMIT")
connection.close()
"""


class Speaker:
    """Says things with words that nobody else says."""

    def __init__(self, name: str, rng: random.Random) -> None:
        self.user = f"{name}{rng.randrange(10**6):06d}"
        self.shown = f"{name.title()}name{rng.randrange(10**6):06d}"
        self.session = f"{name}session{rng.randrange(10**6):06d}"
        self.words: list[str] = []
        self._rng = rng

    def word(self) -> str:
        letters = "bcdfghjklmnpqrstvwxz"
        word = "".join(self._rng.choice(letters) + self._rng.choice("aeiou") for _ in range(5)).capitalize()
        self.words.append(word)
        return word

    def sentence(self) -> str:
        return self._rng.choice(SENTENCES).format(self.word(), self.word()) + " " + self._rng.choice(SUBJECTS)

    @property
    def canaries(self) -> list[str]:
        return [self.user, self.shown, self.session, *self.words]


def bytes_of(place: Path) -> bytes:
    """Every byte of every file whose name begins like the memory's, names included."""
    files = [file for file in place.parent.iterdir() if file.name.startswith(place.name)]
    return b"\n".join([*(file.name.encode() for file in files), *(file.read_bytes() for file in files)])


def found_in(raw: bytes, canaries: list[str]) -> list[str]:
    low = raw.lower()
    return [canary for canary in canaries if canary.lower().encode() in low]


def live(memory: Memory, people: list[Speaker], clock: ManualClock, rng: random.Random) -> None:
    """Some days in which people talk, are answered, remember, settle, and background jobs run."""
    for _ in range(rng.randrange(12, 40)):
        who = rng.choice(people)
        shared = rng.random() < 0.3
        place = {"channel": "square"} if shared else {"session": who.session}
        memory.observe(who.sentence(), who.user, display_name=who.shown, **place)
        if rng.random() < 0.5:
            memory.observe(f"You said {who.words[-1]}, {who.shown}: {who.word()}", role="assistant", **place)
        act = rng.random()
        if act < 0.1:
            memory.remember(who.sentence(), user=who.user)
        elif act < 0.15:
            memory.context(who.words[-1], who.user, session=who.session)
        elif act < 0.2:
            memory.remember(who.sentence(), user=who.user, space=f"@{who.user}")
        elif act < 0.25:
            memory.settle()
        elif act < 0.3:
            clock.pass_time(hours=rng.randrange(1, 30))
            memory.tend()
        elif act < 0.33:
            memory.storage.backup()
        clock.pass_time(minutes=rng.randrange(1, 20))
    memory.settle()
    clock.pass_time(days=1, hours=3)
    memory.tend()


@pytest.mark.parametrize("seed", range(30))
def test_no_byte_of_an_erased_person_is_left(seed: int, open_memory: OpenMemory, clock: ManualClock) -> None:
    rng = random.Random(seed)
    memory = open_memory(PRESETS[seed % len(PRESETS)])
    people = [Speaker(name, rng) for name in ("alexandra", "benedikt", "carolina")]
    live(memory, people, clock, rng)
    gone, *others = people
    kept = {
        record.id: record.text
        for other in others
        for record in memory.review.records(other.user, limit=500)
        if record.user == other.user and not record.sources
    }
    receipt = memory.erase(user=gone.user)
    assert (receipt.traces, receipt.pending) == ({}, ())
    assert receipt.removed > 0
    assert found_in(bytes_of(Path(memory.store.place)), gone.canaries) == []
    assert {id_: memory.get(id_).text for id_ in kept} == kept
    assert memory.storage.check() == []


@contextmanager
def reading(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process in the middle of a read transaction."""
    command = [sys.executable, "-c", READING, str(path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "reading\n"
        yield process
    finally:
        process.communicate("\n")


def test_what_a_reader_holds_back_is_told_and_done_by_a_job(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life")
    memory.observe("I moved to Zyxqwvcanary with my dog", user="alexandra")
    memory.observe("I moved to Faro", user="bea")
    path = Path(memory.store.place)
    with reading(path):
        receipt = memory.erase(user="alexandra")
        assert not receipt.is_complete
        assert "another process is reading" in receipt.pending[0]
        assert b"yxqwvcanary" in bytes_of(path).lower()
        assert "erase_rest" in {job.name for job in memory.jobs.all()}
        clock.pass_time(minutes=1)
        assert [run.status for run in memory.tend() if run.name == "erase_rest"] == ["failed"]
    clock.pass_time(hours=2)
    assert [run.status for run in memory.tend() if run.name == "erase_rest"] == ["completed"]
    assert b"yxqwvcanary" not in bytes_of(path).lower()
    assert "erase_rest" not in {job.name for job in memory.jobs.all()}


def test_leftovers_of_killed_backups_and_exports_go_too(open_memory: OpenMemory, tmp_path: Path) -> None:
    memory = open_memory("life")
    memory.observe("I moved to Zyxqwvcanary", user="alexandra")
    memory.export(tmp_path / "out.jsonl")
    (tmp_path / "out.jsonl").unlink()
    left = [f"{memory.store.place}.bak.1.new", f"{memory.store.place}.bak.7", str(tmp_path / ".out.jsonl.x1.part")]
    for name in left:
        Path(name).write_text("Zyxqwvcanary")
    memory.erase(user="alexandra")
    assert [name for name in left if Path(name).exists()] == []


def test_the_receipt_lists_copies_elsewhere_that_still_exist(
    open_memory: OpenMemory, tmp_path: Path, clock: ManualClock
) -> None:
    memory = open_memory("life")
    memory.observe("I moved to Zyxqwvcanary", user="alexandra")
    memory.storage.backup(tmp_path / "copy.db")
    memory.export(tmp_path / "out.jsonl")
    memory.export(tmp_path / "gone.jsonl")
    (tmp_path / "gone.jsonl").unlink()
    receipt = memory.erase(user="alexandra")
    assert [(copy.path, copy.what, copy.at) for copy in receipt.copies] == [
        (str(tmp_path / "copy.db"), "backup", clock()),
        (str(tmp_path / "out.jsonl"), "export", clock()),
    ]


def test_a_purged_record_leaves_no_byte(open_memory: OpenMemory) -> None:
    rng = random.Random(5)
    memory = open_memory("assistant")
    who = Speaker("alexandra", rng)
    for _ in range(300):
        memory.observe(who.sentence(), who.user)
    before = len(who.words)
    purged = [memory.observe(who.sentence(), who.user) for _ in range(20)]
    words = who.words[before:]
    for _ in range(300):
        memory.observe(who.sentence(), who.user)
    for record in purged:
        assert memory.purge(record.id) == 1
    assert found_in(bytes_of(Path(memory.store.place)), words) == []


def test_what_a_nightly_purge_removes_leaves_no_byte(open_memory: OpenMemory, clock: ManualClock) -> None:
    rng = random.Random(6)
    memory = open_memory("life")
    who = Speaker("alexandra", rng)
    for _ in range(200):
        memory.remember(who.sentence(), user=who.user)
    before = len(who.words)
    for _ in range(10):
        memory.forget(memory.remember(who.sentence(), user=who.user).id)
    words = who.words[before:]
    clock.pass_time(days=120)
    memory.tend()
    assert found_in(bytes_of(Path(memory.store.place)), words) == []


def test_a_purge_leaves_no_rolling_backup_that_holds_the_record(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    kept = memory.remember("Alexandra keeps bees", user="alexandra")
    # No word of it is only its own, so that no search for words would find it in a copy.
    memory.remember("the gate has a code and the code is in the shed", user="alexandra")
    record = memory.remember("the code of the gate is in the shed", user="alexandra")
    for _ in range(3):
        memory.storage.backup()
    assert memory.purge(record.id) == 1
    left = [Path(copy.path) for copy in memory.storage.backups()]
    assert [path.name for path in left] == ["memory.db.bak.1"]
    with open_memory(file=left[0].name) as copy:
        assert copy.get(kept.id).text == kept.text
        with pytest.raises(RecordNotFound):
            copy.get(record.id)
    assert "erase_rest" not in {job.name for job in memory.jobs.all()}


def test_a_nightly_purge_renews_the_rolling_backups(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life")
    memory.forget(memory.remember("I moved to Zyxqwvcanary", user="alexandra").id)
    memory.storage.backup()
    clock.pass_time(days=120)
    memory.tend()
    assert found_in(bytes_of(Path(memory.store.place)), ["Zyxqwvcanary"]) == []


def test_backups_that_a_purge_could_not_renew_are_renewed_by_a_job(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life")
    record = memory.remember("I moved to Zyxqwvcanary", user="alexandra")
    memory.storage.backup()
    copy = Path(memory.storage.backups()[0].path)
    with memory.engine.backups.hold_lock():
        memory.purge(record.id)
    assert b"zyxqwvcanary" in copy.read_bytes().lower()
    assert "erase_rest" in {job.name for job in memory.jobs.all()}
    clock.pass_time(minutes=1)
    memory.tend()
    assert b"zyxqwvcanary" not in bytes_of(Path(memory.store.place)).lower()


def test_a_deleted_chat_message_leaves_the_backups_with_the_next_renewal(
    open_memory: OpenMemory, clock: ManualClock
) -> None:
    memory = open_memory("community")
    record = memory.observe("I moved to Zyxqwvcanary", user="alexandra", channel="square")
    memory.storage.backup()
    redact_records(memory.engine, [record.id])
    assert b"zyxqwvcanary" in bytes_of(Path(memory.store.place)).lower()
    clock.pass_time(hours=2)
    memory.tend()
    assert b"zyxqwvcanary" not in bytes_of(Path(memory.store.place)).lower()


class CountedRows:
    """The rows of a store, which count how many queries they are asked."""

    def __init__(self, rows: Rows) -> None:
        self.asked = 0
        self._rows = rows

    def one(self, name: str, /, **values: Any) -> tuple[Any, ...] | None:
        self.asked += 1
        return self._rows.one(name, **values)


def test_the_search_for_leftovers_reads_everything_once_for_any_number_of_hits(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.observe_many([{"text": f"sentence{n} of many", "user": "bea"} for n in range(1_200)])

    def count(texts: set[str]) -> int:
        def read(tables: Tables) -> int:
            rows = CountedRows(tables.purge._rows)
            said = PurgeTable(rows, tables.tenant).still_said(texts)  # type: ignore[arg-type]
            assert said == {text for text in texts if text.startswith("Sentence")}
            return rows.asked

        return memory.store.read(read)

    assert count({"Sentence7", "nobody"}) == count({f"{w}{n}" for n in range(200) for w in ("Sentence", "nobody")}) <= 5


def test_a_session_that_others_go_on_with_is_not_searched_for(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    for user in ("alexandra", "bea"):
        memory.observe("I moved to Faro", user, session="shared-session")
    memory.observe("I moved to Faro", "alexandra", session="own-session")
    receipt = memory.erase(user="alexandra")
    assert (receipt.traces, receipt.searched) == ({}, len({"alexandra", "own-session"}))


def test_a_damaged_record_of_another_person_does_not_stop_an_erasure(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.observe("I moved to Zyxqwvcanary", "alexandra")
    bad = memory.observe("I moved to Faro", "bea")
    assert bad is not None
    path = Path(memory.store.place)
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE records SET title = CAST(? AS TEXT) WHERE id = ?", (b"alexandra \xed\xa0\x80", bad.id))
    connection.close()
    assert memory.erase(user="alexandra").traces == {}
    assert found_in(bytes_of(path), ["Zyxqwvcanary"]) == []
