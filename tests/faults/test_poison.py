"""A poison value stops only itself: it is refused at the gate, or stays with its record, and a check repairs it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from operator import attrgetter
from pathlib import Path
from typing import Any

import apsw
import pytest
from click.testing import CliRunner

from toldonce import Memory
from toldonce.cli.main import cli
from toldonce.clock import to_micros
from toldonce.coding.citations import warn_of_changes
from toldonce.errors import CorruptStore, InputError, ToldonceError

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
FAR = timezone(timedelta(hours=-14))
SURROGATE = "\ud800"


class Hands:
    """A clock that a test can set."""

    def __init__(self, at: datetime = NOW) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at


def opened(path: Path, clock: Hands | None = None, preset: str = "companion", **given: Any) -> Memory:
    return Memory.open(path, preset, background=False, embedder=None, clock=clock or Hands(), **given)


def deep(levels: int) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for _ in range(levels):
        table = {"a": table}
    return table


REFUSED: list[dict[str, Any]] = [
    {"at": datetime(1, 1, 1, tzinfo=UTC)}, {"at": datetime(9999, 12, 31, tzinfo=FAR)}, {"at": "0001-01-01"},
    {"at": "9999-12-31T23:59:59-12:00"}, {"user": "a\0b"}, {"session": f"s{SURROGATE}"}, {"channel": "c\x07"},
    {"user": "x" * 10_000_000}, {"metadata": deep(100)}, {"metadata": deep(5_000)}, {"metadata": {"n": float("nan")}},
    {"metadata": {"n": float("inf")}}, {"metadata": {"n": 10**400}}, {"metadata": {"n": 2**70}}, {"metadata": {1: "a"}},
    {"metadata": {"s": SURROGATE}}, {"metadata": {SURROGATE: 1}}, {"metadata": {"a": {"b": [SURROGATE]}}},
    {"metadata": {"nul": "a\0b"}}, {"metadata": [1]}, {"metadata": {"a": object()}}, {"user": 5}, {"user": b"x"},
    {"at": 5}, {"at": "x" * 10_000_000}, {"branch": ["a"]},
]  # fmt: skip


@pytest.mark.parametrize("given", REFUSED, ids=lambda given: next(iter(given)))
def test_a_poison_value_is_refused_with_a_short_error(tmp_path: Path, given: dict[str, Any]) -> None:
    with opened(tmp_path / "m.db") as memory:
        for call in (memory.observe, memory.remember):
            with pytest.raises(InputError) as refused:
                call("I live in Lisbon", **given)
            assert len(str(refused.value)) <= 2_400
            str(refused.value).encode()
        assert memory.storage.check() == []


BAD_FIELDS: list[dict[str, Any]] = [
    {"tags": [SURROGATE]}, {"tags": ["a\0"]}, {"tags": [5]}, {"tags": 5}, {"subject": "a\0"}, {"title": SURROGATE},
    {"source": [SURROGATE]}, {"source": 5}, {"summary": 5}, {"summary": SURROGATE}, {"confidence": float("nan")},
    {"confidence": "1"}, {"kind": 5}, {"author": []},
]  # fmt: skip


@pytest.mark.parametrize("given", BAD_FIELDS)
def test_a_statement_with_a_poison_field_is_refused(tmp_path: Path, given: dict[str, Any]) -> None:
    with opened(tmp_path / "m.db") as memory, pytest.raises(InputError):
        memory.remember("Ana lives in Lisbon", **given)


def test_years_out_of_reach_end_a_stretch_without_an_error(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as memory:
        memory.remember("Ana lives in Lisbon", user="ana")
        found = memory.recall(
            "Lisbon", "ana", since=datetime.min.replace(tzinfo=UTC), until=datetime.max.replace(tzinfo=UTC)
        )
        assert [hit.record.text for hit in found] == ["Ana lives in Lisbon"]


@pytest.mark.parametrize("year", [1000, 1001, 2998, 2999])
def test_the_first_and_last_years_pass_through_every_job(tmp_path: Path, year: int) -> None:
    clock = Hands()
    with opened(tmp_path / "m.db", clock, zone="Pacific/Kiritimati") as memory:
        memory.observe("I moved to Lisbon yesterday and I like tea.", "ana", session="s", at=datetime(year, 1, 1))
        memory.observe("I like coffee next week.", "ana", session="s", at=datetime(year, 12, 31, 23, tzinfo=FAR))
        memory.settle(session="s")
        clock.at = NOW + timedelta(days=2)
        assert [run.error for run in memory.tend() if run.error] == []
        assert memory.recall("tea", "ana")


@pytest.mark.parametrize("value", [5, "ana", {"a": 1}, [5, None, ["x"], {"y": 1}], True, None])
def test_any_metadata_that_handlers_read_is_survived(tmp_path: Path, value: Any) -> None:
    clock, names = Hands(), ("participants", "value", "area", "sort", "file", "files", "cites", "citations", "place")
    for preset in ("companion", "community", "coding"):
        with opened(tmp_path / f"{preset}.db", clock, preset) as memory:
            metadata = dict.fromkeys(names, value)
            memory.observe("I moved to Lisbon and I like green tea a lot.", "ana", session="s", metadata=metadata)
            memory.observe("We decided to use tabs, always.", "bia", session="s", metadata=metadata)
            memory.remember("Ana likes tea", user="ana", subject="ana/likes", metadata=metadata)
            memory.settle(session="s")
            clock.at = NOW + timedelta(days=2)
            assert [run.error for run in memory.tend() if run.error] == []
            memory.context("what does Ana like?", "ana", session="t", annotate=warn_of_changes(tmp_path))
            memory.recall("tea", "ana", where={"participants": "ana"})


def test_schedules_recover_when_the_clock_does(tmp_path: Path) -> None:
    clock = Hands()
    with opened(tmp_path / "m.db", clock) as memory:
        memory.observe("I like tea.", "ana", session="s")
        memory.tend()
        clock.at = datetime(2036, 1, 1, tzinfo=UTC)
        memory.observe("I like coffee.", "ana", session="t")
        memory.tend()
        assert max(job.due_at for job in memory.jobs.all()) > datetime(2035, 1, 1, tzinfo=UTC)
        clock.at = NOW + timedelta(hours=1)
        memory.tend()
        waiting = [job for job in memory.jobs.all() if job.due_at > clock.at + timedelta(days=32)]
        assert waiting == []
        assert memory.store.read(lambda t: t.conversations.find_unsettled(None)) == []
        clock.at += timedelta(days=2)
        assert memory.tend() != []


def test_a_lease_of_a_wrong_clock_does_not_hold_a_job_for_years(tmp_path: Path) -> None:
    clock = Hands()
    with opened(tmp_path / "m.db", clock) as memory:
        memory.tend()
    poison(
        tmp_path / "m.db",
        "UPDATE jobs SET state = 'running', lease = 'x', lease_until = ?, last_run_at = ?",
        to_micros(datetime(2036, 1, 1, tzinfo=UTC)),
        to_micros(datetime(2036, 1, 1, tzinfo=UTC)),
    )
    clock.at += timedelta(days=8)
    with opened(tmp_path / "m.db", clock) as memory:
        assert memory.tend() != []
        assert [job.key for job in memory.jobs.all() if job.state == "running"] == []


def poison(path: Path, statement: str, *values: Any) -> None:
    """Write as no version of ours would."""
    connection = apsw.Connection(str(path))
    connection.execute(statement, values)
    connection.close()


POISON = {
    "late": ("UPDATE records SET at = ? WHERE id = ?", 2**62),
    "early": ("UPDATE records SET created_at = ? WHERE id = ?", -(2**62)),
    "expiry": ("UPDATE records SET expires_at = ? WHERE id = ?", 2**61),
    "tags": ("UPDATE records SET tags = ? WHERE id = ?", "5"),
    "no json": ("UPDATE records SET metadata = ? WHERE id = ?", "{"),
    "list": ("UPDATE records SET metadata = ? WHERE id = ?", "[1]"),
    "deep": ("UPDATE records SET metadata = ? WHERE id = ?", "[" * 100_000 + "]" * 100_000),
    "utf-8": ("UPDATE records SET title = CAST(? AS TEXT) WHERE id = ?", b"\xed\xa0\x80"),
}


@pytest.mark.parametrize("name", POISON)
def test_a_poison_record_is_named_and_repaired_and_stops_no_other(tmp_path: Path, name: str) -> None:
    path, clock = tmp_path / "m.db", Hands()
    with opened(path, clock) as memory:
        bad = memory.observe("I like green tea very much.", "ana", session="s", metadata={"a": 1})
        memory.observe("I live in Lisbon.", "ana", session="s")
        memory.remember("Bia plays the flute", user="bia")
        assert bad
    statement, value = POISON[name]
    poison(path, statement, value, bad.id)
    with opened(path, clock) as memory:
        if name != "utf-8":
            assert memory.recall("green tea", "ana")
            memory.recall("tea", "ana", where={"a": 1})
            memory.settle(session="s")
            clock.at += timedelta(days=2)
            assert [run.error for run in memory.tend() if run.error] == []
        found = memory.storage.check()
        assert any(bad.id in line for line in found)
        assert any(line.startswith("repaired") for line in memory.storage.check(repair=True))
        assert memory.storage.check() == []
        assert memory.recall("green tea", "ana")
        assert memory.recall("flute", "bia")


def diagnose(path: Path, *options: str) -> tuple[int, list[dict[str, str]]]:
    """What the command `doctor` says: its exit code and its findings."""
    said = CliRunner().invoke(cli, ["doctor", "--json", "--place", str(path), *options], env={"TOLDONCE_EMBEDDER": ""})
    return said.exit_code, json.loads(said.stdout)["findings"]


@pytest.mark.parametrize("name", POISON)
def test_the_command_doctor_names_a_poison_record_and_repairs_it(tmp_path: Path, name: str) -> None:
    path = tmp_path / "m.db"
    with opened(path) as memory:
        bad = memory.observe("I like green tea very much.", "ana", session="s", metadata={"a": 1})
        assert bad
    assert [f for f in diagnose(path)[1] if f["status"] == "wrong"] == []
    statement, value = POISON[name]
    poison(path, statement, value, bad.id)
    code, found = diagnose(path)
    assert code == 1
    assert any(f["check"] == "integrity" and f["status"] == "wrong" and bad.id in f["text"] for f in found)
    code, found = diagnose(path, "--repair")
    assert code == 0 and "repaired" in {f["status"] for f in found if f["check"] == "integrity"}
    code, found = diagnose(path)
    assert code == 0 and [f["status"] for f in found if f["check"] == "integrity"] == ["ok"]


@pytest.mark.parametrize("table", ["jobs.args", "runs.counts", "runs.detail", "documents.entries", "documents.data"])
def test_the_command_doctor_repairs_poison_beside_records(tmp_path: Path, table: str) -> None:
    path, (name, column) = tmp_path / "m.db", table.split(".")
    with opened(path, preset="community") as memory:
        memory.observe("I like green tea and I live in Lisbon.", "ana", session="s")
        memory.settle(session="s")
        memory.tend()
    poison(path, f"UPDATE {name} SET {column} = 'nonsense'")
    code, found = diagnose(path)
    assert code == 1 and any(f["status"] == "wrong" and name in f["text"] for f in found)
    assert diagnose(path, "--repair")[0] == 0
    assert [f["status"] for f in diagnose(path)[1] if f["check"] == "integrity"] == ["ok"]


def test_the_command_doctor_shows_an_erasure_that_is_not_finished(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened(path) as memory:
        memory.observe("I like green tea very much.", "ana", session="s")
        assert "erasure" not in {f["check"] for f in diagnose(path)[1]}
        reader = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        reader.execute("BEGIN; SELECT count(*) FROM records").fetchall()
        assert memory.erase(user="ana").pending
        code, found = diagnose(path)
        assert code == 1
        assert [f["status"] for f in found if f["check"] == "erasure"] == ["wrong"]
        reader.execute("COMMIT")
        reader.close()
    code, found = diagnose(path, "--repair")
    assert code == 0 and "erasure" not in {f["check"] for f in found}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE runs SET detail = 'alexandra {'",
        "UPDATE runs SET counts = '{alexandra'",
        "UPDATE jobs SET args = '[alexandra'",
        "UPDATE records SET metadata = '{\"participants\"' WHERE user = 'bea'",
        "UPDATE documents SET entries = '{' WHERE owner = 'bea'",
    ],
)
def test_damaged_tables_do_not_stop_an_erasure(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "m.db"
    with opened(path, preset="community") as memory:
        for user in ("alexandra", "bea"):
            memory.observe("I like green tea and I live in Lisbon.", user, session=f"session of {user}")
        memory.settle()
        memory.tend()
    poison(path, statement)
    with opened(path, preset="community") as memory:
        assert memory.erase(user="alexandra").traces == {}
        assert b"alexandra" not in path.read_bytes()
        assert memory.review.records("bea")


@pytest.mark.parametrize("name", ["jobs.runs", "review.records", "audit.entries"])
def test_no_limit_is_refused_with_a_clear_error(tmp_path: Path, name: str) -> None:
    with opened(tmp_path / "m.db") as memory, pytest.raises(InputError, match="limit must be a whole number"):
        attrgetter(name)(memory)(limit=None)


def test_unreadable_text_is_our_error_and_not_a_raw_one(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened(path) as memory:
        bad = memory.remember("Ana likes tea", user="ana")
    poison(path, "UPDATE records SET text = CAST(? AS TEXT) WHERE id = ?", b"tea \xff\xfe", bad.id)
    with opened(path) as memory:
        with pytest.raises(CorruptStore, match="doctor --repair"):
            memory.get(bad.id)
        memory.storage.check(repair=True)
        assert "tea" in memory.get(bad.id).text


@pytest.mark.parametrize("table", ["jobs", "runs"])
def test_poison_in_the_books_of_background_work_is_repaired(tmp_path: Path, table: str) -> None:
    path, column = tmp_path / "m.db", {"jobs": "args", "runs": "counts"}[table]
    with opened(path) as memory:
        memory.observe("I like tea.", "ana", session="s")
        memory.tend()
    poison(path, f"UPDATE {table} SET {column} = 'nonsense'")
    with opened(path) as memory:
        memory.jobs.all(), memory.jobs.runs()
        memory.tend()
        assert memory.storage.check(repair=True) != []
        assert memory.storage.check() == []


def test_a_damaged_index_ends_settling_with_an_error_and_is_made_again(tmp_path: Path) -> None:
    """The index says that messages are there, and reading them by id finds nothing."""
    path = tmp_path / "m.db"
    with opened(path) as memory:
        memory.observe("I like green tea very much.", "ana", session="s")
        memory.observe("I live in Lisbon.", "ana", session="s")
    connection = apsw.Connection(str(path))
    # The table's own index of ids is emptied, as damage would.
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
    connection.execute("PRAGMA writable_schema = ON")
    [root] = connection.execute(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_records_1'"
    ).fetchone()
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(bytes([10, 0, 0, 0, 0]) + size.to_bytes(2, "big") + b"\0")
    with opened(path) as memory:
        with pytest.raises(ToldonceError, match="doctor --repair"):
            memory.settle(session="s")
        assert any("index" in line for line in memory.storage.check())
        assert any(line.startswith("repaired: every index") for line in memory.storage.check(repair=True))
        assert memory.storage.check() == []
        assert memory.settle(session="s")


def test_a_damaged_document_is_empty_until_it_is_repaired(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened(path, preset="community") as memory:
        memory.observe("I like green tea and I live in Lisbon.", "ana", session="s")
        memory.settle(session="s")
        assert memory.profile("ana").entries
    poison(path, "UPDATE documents SET entries = '{', data = '['")
    with opened(path, preset="community") as memory:
        assert memory.profile("ana").entries == ()
        memory.context("tea", "ana")
        with pytest.raises(CorruptStore, match="doctor --repair"):
            memory.export(tmp_path / "out.jsonl")
        assert memory.storage.check(repair=True) != [] and memory.storage.check() == []
        memory.export(tmp_path / "out.jsonl")
