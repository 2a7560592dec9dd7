"""The audit log says who did what, when and through which interface, and shows when somebody tampered with it."""

from __future__ import annotations

import contextlib
import json
from datetime import timedelta

import apsw
import pytest
from click.testing import CliRunner

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory, Quota, Record
from toldonce.access import acting_as
from toldonce.cli.main import cli
from toldonce.storage.tables.audit import MOST_NOTED
from toldonce.tools.definition import Caller
from toldonce.tools.table import Toolbox


def actions(memory: Memory, **which: str) -> list[str]:
    return [entry.action for entry in memory.audit.entries(**which, limit=1000)]


def test_every_change_leaves_an_entry_with_the_person_and_the_interface(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    with acting_as(interface="web"):
        record = memory.remember("Ana likes tea", user="ana")
        memory.confirm(record.id, user="ana")
        memory.pin(record.id, user="ana")
        memory.pin(record.id, pinned=False, user="ana")
        newer = memory.correct(record.id, "Ana likes coffee", user="ana")
        memory.flag(newer.id, user="ana")
        memory.restore(newer.id, user="ana")
        memory.forget(newer.id, user="ana")
        memory.purge(newer.id, user="ana")
    entries = memory.audit.entries()
    assert [e.action for e in reversed(entries)] == [
        "remember",
        "confirm",
        "pin",
        "unpin",
        "correct",
        "flag",
        "restore",
        "forget",
        "purge",
    ]
    assert {(e.actor, e.interface, e.space) for e in entries} == {("ana", "web", "main")}


def test_messages_are_noted_together_and_none_is_missed(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    for number in range(MOST_NOTED + 5):
        memory.observe(f"Message number {number}", "ana", session="s")
    memory.observe_many([{"text": f"More {n}", "user": "bob", "session": "t"} for n in range(3)])
    entries = memory.audit.entries(action="observe")
    counts = {who: sum(e.detail["count"] for e in entries if e.actor == who) for who in ("ana", "bob")}
    assert counts == {"ana": MOST_NOTED + 5, "bob": 3}
    assert len(entries) <= 4


def test_reading_what_is_private_to_somebody_else_is_noted(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    record = memory.remember("Ana takes sertraline", user="ana")
    memory.get(record.id, user="ana")
    memory.recall("sertraline", "ana")
    assert actions(memory) == ["remember"]
    memory.get(record.id)
    memory.history(record.id)
    memory.recall("sertraline")
    memory.timeline()
    memory.profile("ana")
    assert set(actions(memory)) == {"remember", "read", "recall", "timeline", "read profile"}
    assert memory.audit.entries(action="recall")[0].detail == {"count": 1, "records": [record.id]}


def test_exports_imports_backups_erasures_and_settings_are_noted(
    open_memory: OpenMemory, tmp_path_factory: pytest.TempPathFactory
) -> None:
    memory, folder = open_memory("assistant"), tmp_path_factory.mktemp("copies")
    memory.observe("I like rain", "ana", session="s")
    memory.settle()
    memory.export(folder / "ana.jsonl", user="ana")
    memory.storage.backup(folder / "copy.db")
    memory.spaces.add("work")
    memory.spaces.switch(on=False, space="work")
    memory.people.block("spammer")
    memory.spaces.set_quota(Quota(records_per_person=5))
    memory.import_(folder / "ana.jsonl")
    memory.erase(user="bob")
    assert {
        "observe",
        "settle",
        "export",
        "backup",
        "add space",
        "change space",
        "block",
        "set quota",
        "import",
        "erase",
    } <= set(actions(memory))


def test_a_redacted_secret_is_noted_without_the_secret(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.observe("my key is AKIAIOSFODNN7EXAMPLQ and sk-ant-api03-" + "a1B2" * 20, "ana", session="s")
    text = json.dumps([dict(e.detail) for e in memory.audit.entries(action="gate")])
    assert "secret" in text and "AKIA" not in text and "a1B2" not in text


def test_tools_commands_and_jobs_name_themselves(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant")
    Toolbox(memory, Caller(user="ana")).call("remember_fact", {"content": "Ana likes figs"})
    memory.observe("I live in Braga", "ana", session="s")
    clock.pass_time(days=1)
    memory.tend()
    place = memory.store.place
    memory.close()
    done = CliRunner().invoke(cli, ["remember", "Ana likes plums", "--user", "ana", "--place", place])
    assert done.exit_code == 0, done.output
    with open_memory("assistant") as again:
        interfaces = {entry.interface.partition(":")[0] for entry in again.audit.entries(limit=1000)}
    assert {"tool", "library", "cli"} <= interfaces


def test_a_changed_removed_or_added_row_is_found(open_memory: OpenMemory) -> None:
    for change in (
        "UPDATE audit_log SET actor = 'mallory' WHERE seq = 2",
        "UPDATE audit_log SET action = 'forget' WHERE seq = 2",
        "UPDATE audit_log SET at = at + 1 WHERE seq = 2",
        "UPDATE audit_log SET detail = '{\"count\": 0}' WHERE seq = 2",
        "DELETE FROM audit_log WHERE seq = 2",
        "UPDATE audit_log SET salt = NULL WHERE seq = 2",
        "UPDATE audit_log SET seq = 99 WHERE seq = 2",
    ):
        memory = open_memory("assistant", file=f"{abs(hash(change))}.db")
        record = memory.remember("Ana likes tea", user="ana")
        for _ in range(3):
            memory.pin(record.id, user="ana")
        assert memory.audit.verify().problems == ()
        place = memory.store.place
        memory.close()
        with contextlib.closing(apsw.Connection(place)) as connection:
            connection.execute(change)
        with Memory.open(place, embedder=None, background=False) as again:
            assert again.audit.verify().problems, change


def test_a_log_cut_at_its_end_is_found_by_the_digest_noted_before(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    record = memory.remember("Ana likes tea", user="ana")
    memory.pin(record.id)
    head = memory.audit.verify().head
    place = memory.store.place
    memory.close()
    with contextlib.closing(apsw.Connection(place)) as connection:
        connection.execute("DELETE FROM audit_log WHERE seq = (SELECT max(seq) FROM audit_log)")
    done = CliRunner().invoke(cli, ["audit", "--head", head, "--place", place])
    assert done.exit_code == 1 and "removed" in done.output
    assert CliRunner().invoke(cli, ["audit", "--verify", "--place", place]).exit_code == 0


def test_erasing_a_person_removes_their_name_and_the_log_still_verifies(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.remember("Ana likes tea", user="ana")
    memory.remember("Bob likes rain", user="bob")
    memory.people.update("ana", display_name="Ana")
    memory.erase(user="ana")
    assert memory.audit.verify().problems == ()
    assert "ana" not in json.dumps([[e.actor, e.space, dict(e.detail)] for e in memory.audit.entries()])
    assert memory.audit.entries(actor="bob")


def test_entries_are_kept_as_long_as_set(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant")
    memory.audit.keep_days(30)
    record = memory.remember("Ana likes tea", user="ana")
    memory.pin(record.id)
    clock.pass_time(days=40)
    memory.forget(record.id)
    assert memory.audit.expire(now=clock() - timedelta(days=20)) == 0
    for _ in range(8):
        memory.tend()
        clock.pass_time(days=1)
    assert "pin" not in actions(memory) and "forget" in actions(memory)
    assert memory.audit.verify().problems == ()


def test_notes_of_a_closed_memory_are_in_the_log(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    said = memory.observe("I like rain", "ana", session="s")
    memory.close()
    with open_memory("assistant") as again:
        (entry,) = again.audit.entries(action="observe")
        assert isinstance(said, Record) and entry.detail == {"count": 1, "records": [said.id]}
