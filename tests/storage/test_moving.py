"""A memory moves from a file to PostgreSQL and back, whole, and both places are compared."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest
from click.testing import CliRunner

from tests.conftest import START, ManualClock
from tests.jobs.receiver import Receiver, is_signed_by
from tests.postgres import Databases
from toldonce import InputError, Memory, Record
from toldonce.cli.main import cli
from toldonce.conformance.samples import a_record, keep_records
from toldonce.errors import StoreError
from toldonce.operations import moving
from toldonce.operations.quotas import TenantQuota
from toldonce.operations.webhook_deliveries import read_deliveries
from toldonce.presets.policy import Standing
from toldonce.storage.export_format import SHAPES
from toldonce.storage.keyed_ids import keyed_id
from toldonce.storage.open import open_store
from toldonce.storage.store import Tables
from toldonce.storage.tables.access_keys import AccessKey
from toldonce.storage.tables.moving import MOVED
from toldonce.storage.tables.sealed import SealedRow
from toldonce.storage.tables.usage import Usage
from toldonce.storage.tables.webhooks import Webhook


@pytest.fixture
def database(databases: Databases) -> Iterator[str]:
    taken = databases.take()
    yield taken
    databases.give_back(taken)


@pytest.fixture
def file(tmp_path: Path, clock: ManualClock) -> str:
    """A memory with something of every type."""
    place = str(tmp_path / "memory.db")
    with Memory.open(place, "assistant", embedder=None, background=False, clock=clock) as memory:
        memory.people.add_member("ana", "owner")
        for text in (
            "I live in Porto with Maria Silva",
            "I moved to Lisbon yesterday",
            "\u6211\u4f4f\u5728\u4e0a\u6d77",
        ):
            memory.observe(text, "ana", session="s", display_name="Ana")
        old = memory.remember("Ana is vegetarian", user="ana")
        memory.correct(old.id, "Ana is vegan")
        memory.forget(memory.remember("Ana likes tea", user="ana").id)
        clock.pass_time(hours=3)
        memory.settle()
        memory.tend()
        memory.spaces.set_tenant_quota(TenantQuota(records=10_000))
        memory.store.write(_keep_the_rest)
    return place


def _keep_the_rest(tables: Tables) -> None:
    """Something of every type that no export has."""
    page = tables.records.read_page(None)
    model = tables.vectors.register_model("made up", 4)
    vectors = [(seq, [np.array([seq, 1, -1, 1e-7], "<f2").tobytes()] * (1 + seq % 2)) for seq, _ in page]
    tables.vectors.put(model, vectors)
    tables.vectors.set_shape(model, b"a shape", count=len(page))
    vector = np.array([1, 0, 0, 0], "<f2").tobytes()
    tables.sealed.put(SealedRow(space="main", id="sealed_1", at=START, seal="s", model="m", vector=vector, box=b"b"))
    tables.records.set_faded(page[-1][1], confidence=0.25, standing=Standing(0.5, since=START), at=START)
    tables.documents.set_setting("main", "a setting", "a value")
    tables.ledger.put("main", "asked", "an answer", at=START)
    tables.ledger.count(Usage(space="main", task="facts", model="a model", calls=2, cost=30), at=START)
    tables.tombstones.add("zoe", space=None, at=START)
    tables.people.add_secret_digest("ana", "a digest", "1 password", now=START)
    tables.purge.note_destroyed([keyed_id("msg", "one")])
    tables.copies.add("/elsewhere/memory.backup", "backup", at=START)
    key = AccessKey(id="k", name="k", person="ana", spaces=None, rights=("read",), role="person", created_at=START)
    tables.access_keys.add(key, digest=b"a digest")
    webhook = Webhook(
        id="hook_1",
        url="http://127.0.0.1:9/hook",
        events=("question_answered",),
        with_text=True,
        private=False,
        created_at=START,
    )
    tables.webhooks.add(webhook, secret="whsec_AAAA", place=tables.events.newest())
    for number in range(3):
        tables.audit.add("main", "recall", at=START, actor="ana", detail={"number": number})


def run(*words: str) -> Any:
    return CliRunner().invoke(cli, list(words))


def test_a_memory_moves_to_postgresql_and_back(file: str, database: str, tmp_path: Path, clock: ManualClock) -> None:
    back = str(tmp_path / "back.db")
    assert "Nothing was moved yet" in run("move", file, database, "--preview").output
    for source, target in ((file, database), (database, back)):
        done = run("move", source, target)
        assert done.exit_code == 0 and "the same in both places" in done.output, done.output
    assert "was there already" in run("move", file, database).output
    for place in (database, back):
        with Memory.open(place, embedder=None, background=False, clock=clock) as memory:
            assert memory.recall("where does Ana live", "ana")[0].record.user == "ana"
            assert memory.people.members() == {"ana": "owner"}
            assert memory.storage.check() == []
            memory.observe("I go on as before", "ana", session="t")


def test_a_move_that_was_cut_short_is_done_again(file: str, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise StoreError("the connection broke")

    source, target = open_store(file), open_store(database)
    with monkeypatch.context() as patch:
        patch.setattr(moving, "import_lines", fail)
        with pytest.raises(StoreError, match="broke"):
            moving.move_memory(source, target, now=START)
    assert {one.rows for one in target.read(moving.sum_tables).values()} == {0}
    assert moving.move_memory(source, target, now=START).was_there is False
    assert moving.move_memory(source, target, now=START).was_there is True
    source.close()
    target.close()


KILLED = """
import os, signal, sys
from toldonce.cli.main import cli
from toldonce.storage.tables import {module} as module

left, put = int(sys.argv.pop(1)), module.{table}.put

def put_or_die(*given, **named):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return put(*given, **named)

module.{table}.put = put_or_die
cli()
"""


@pytest.mark.parametrize("direction", ["to PostgreSQL", "to a file"])
def test_a_move_that_is_killed_anywhere_goes_on_when_it_is_run_again(
    file: str, database: str, tmp_path: Path, direction: str
) -> None:
    source, target = file, database
    if direction == "to a file":
        assert run("move", file, database).exit_code == 0
        source, target = database, str(tmp_path / "back.db")
    program = {
        name: KILLED.format(module=module, table=table)
        for name, module, table in (("lines", "transfer", "TransferTable"), ("rows", "moving", "MoveTable"))
    }
    seen = []
    for where, after in (("lines", 3), ("rows", 0), ("rows", 2), ("rows", 5), ("rows", 9)):
        died = subprocess.run([sys.executable, "-c", program[where], str(after), "move", source, target])
        assert died.returncode == -signal.SIGKILL
        with closing(open_store(target)) as store:
            seen.append(sum(one.rows for one in store.read(moving.sum_tables).values()))
    assert seen[0] == 0 and seen[1:] == sorted(seen[1:]) and seen[1] < seen[-1]
    done = run("move", source, target)
    assert done.exit_code == 0 and "the same in both places" in done.output, done.output
    with closing(open_store(source)) as here, closing(open_store(target)) as there:
        assert here.read(moving.sum_tables) == there.read(moving.sum_tables)
        assert there.read(lambda t: t.audit.verify()).problems == ()
        assert there.check(repair=False) == []


def test_something_of_every_type_is_moved(file: str, database: str) -> None:
    assert run("move", file, database).exit_code == 0
    with closing(open_store(database)) as store:
        sums = store.read(moving.sum_tables)
        assert [name for name, one in sums.items() if one.rows == 0 and name not in ("document", "question")] == []
        assert store.read(lambda t: t.vectors.find_waiting(limit=1)) == []


# What is not moved, and why.
LEFT_BEHIND = {
    "record_words": "made from the texts as records arrive",
    "record_grams": "made from the texts as records arrive",
    "word_counts": "made from the texts as records arrive",
    "stored_amounts": "counted as records arrive",
    "times": "read from the texts by a job, which finds the memory unread",
    "vector_packs": "made from the vectors by a job",
    "jobs": "planned again when the memory is opened",
    "schema_version": "of the database itself",
}
MOVED_WITHIN = {
    "spaces": "space", "people": "person", "memberships": "member", "conversations": "conversation",
    "records": "record", "changes": "change", "links": "link", "entities": "entity", "aliases": "entity",
    "mentions": "entity", "documents": "document", "questions": "question", "settings": "setting",
    "models": "model", "vectors": "vector", "standings": "standing", "usage": "usage", "drafts": "draft",
    "runs": "run", "tombstones": "tombstone", "copies": "copy", "access_keys": "access_key", "audit_log": "audit",
    "sealed_items": "sealed", "destroyed_messages": "destroyed",
    # Without sessions, links and answers of a server, which expire within days.
    "held_values": "held_value",
    "webhooks": "webhook",
}  # fmt: skip


def test_every_table_is_moved_or_left_behind_for_a_reason(database: str) -> None:
    asked = "SELECT relname FROM pg_class WHERE relnamespace = 'toldonce'::regnamespace AND relkind IN ('r', 'p')"
    with psycopg.connect(database) as connection:
        tables = {row[0] for row in connection.execute(f"{asked} AND NOT relispartition".encode())}
    assert tables == LEFT_BEHIND.keys() | MOVED_WITHIN.keys()
    assert {*SHAPES, *MOVED} == {*MOVED_WITHIN.values(), "store_setting"}


def test_times_and_conversations_under_way_are_found_again_where_they_arrive(
    tmp_path: Path, database: str, clock: ManualClock
) -> None:
    file = str(tmp_path / "robot.db")
    with Memory.open(file, "companion", embedder=None, background=False, clock=clock) as memory:
        memory.observe("We go to the lake on 3 May", "ana", session="s")
    assert run("move", file, database).exit_code == 0
    with Memory.open(database, embedder=None, background=False, clock=clock) as memory:
        clock.pass_time(days=2)
        memory.tend()
        assert memory.store.read(lambda t: t.conversations.find_unsettled(None)) == []
        seqs = [seq for seq, _ in memory.store.read(lambda t: t.records.read_page(None))]
        year = timedelta(days=366)
        assert memory.store.read(lambda t: t.times.filter_by_time(seqs, START - year, START + year))


def test_what_differs_after_a_move_is_told(file: str, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = open_store(file), open_store(database)
    take = moving.import_lines

    def lose_one(*given: Any, **named: Any) -> Any:
        taken = take(*given, **named)

        def lose(tables: Tables) -> None:
            tables.people.drop_member("main", "ana")

        target.write(lose)
        return taken

    monkeypatch.setattr(moving, "import_lines", lose_one)
    with pytest.raises(StoreError, match=r"differs from what was sent: member \(1 sent, 0 there\)"):
        moving.move_memory(source, target, now=START)
    source.close()
    target.close()


def test_a_memory_that_was_only_made_takes_the_place_of_none(file: str, database: str) -> None:
    with Memory.open(database, "life", zone="Europe/Lisbon", embedder=None, background=False):
        pass
    done = run("move", file, database)
    assert done.exit_code == 0 and "the same in both places" in done.output, done.output


def test_a_secret_that_was_redacted_is_known_where_the_memory_went(
    file: str, database: str, clock: ManualClock
) -> None:
    with Memory.open(file, embedder=None, background=False, clock=clock) as memory:
        kept = memory.observe("My password is Brisa-Azul-2041-Casa", "ana", session="s", idempotency_key="k1")
        later = memory.observe("It is Brisa-Azul-2041-Casa, as I said", "ana", session="s", idempotency_key="k2")
    assert isinstance(kept, Record) and isinstance(later, Record)
    assert "Brisa" not in kept.text + later.text
    assert run("move", file, database).exit_code == 0
    with Memory.open(database, embedder=None, background=False, clock=clock) as memory:
        again = memory.observe("It is Brisa-Azul-2041-Casa, as I said", "ana", session="s", idempotency_key="k2")
        new = memory.observe("Was it Brisa-Azul-2041-Casa?", "ana", session="s")
    assert again == later and isinstance(new, Record) and "Brisa" not in new.text


EVENTS = ("session_completed", "record_added", "record_changed")


def live_on(memory: Memory, day: str) -> None:
    """Something of every event."""
    kept = [memory.observe(f"The boat was painted on {day}", "ana", session=day) for _ in range(2)]
    memory.settle(session=day)
    for record in kept:
        memory.forget(record.id if isinstance(record, Record) else "")


@pytest.mark.parametrize("is_back", [False, True], ids=["to PostgreSQL", "to a file"])
def test_a_webhook_goes_on_where_the_memory_went(
    file: str, database: str, tmp_path: Path, clock: ManualClock, receiver: Receiver, is_back: bool
) -> None:
    """What was delivered is not sent again, what waits is not lost, and the order and the signature are the same."""
    places = [file, database, str(tmp_path / "back.db")]
    if is_back:
        assert run("move", *places[:2]).exit_code == 0
    source, target = places[is_back:][:2]
    with Memory.open(source, embedder=None, background=False, clock=clock) as memory:
        made = memory.webhooks.add(receiver.url, events=EVENTS, private=True)
        live_on(memory, "Monday")
        memory.tend()
        delivered = len(receiver.taken)
        clock.pass_time(minutes=1)
        live_on(memory, "Tuesday")
        wanted = memory.store.read(lambda t: read_deliveries(t, made.webhook.id))
    assert delivered > 5 and wanted is not None and len(wanted.deliveries) > 5
    done = run("move", source, target)
    assert done.exit_code == 0 and "2 webhooks moved along" in done.output, done.output
    assert run("move", source, target).exit_code == 0
    with Memory.open(target, embedder=None, background=False, clock=clock) as memory:
        memory.tend()
        memory.tend()
        _, moved = memory.webhooks.all()
    assert receiver.ids[delivered:] == [one.delivery.id for one in wanted.deliveries]
    assert all(is_signed_by(made.secret, sent) for sent in receiver.taken)
    assert (moved.delivered, moved.ended_at) == (len(receiver.taken), None)
    with Memory.open(source, embedder=None, background=False, clock=clock) as memory:
        live_on(memory, "Wednesday")
        memory.tend()
        _, left = memory.webhooks.all()
    assert len(receiver.taken) == moved.delivered
    assert left.ended_at is not None and left.last_error.startswith("moved to ")


def test_a_webhook_that_comes_back_to_a_place_goes_on_there(
    file: str, database: str, clock: ManualClock, receiver: Receiver
) -> None:
    with Memory.open(file, embedder=None, background=False, clock=clock) as memory:
        memory.webhooks.add(receiver.url, events=EVENTS, private=True)
    assert run("move", file, database).exit_code == 0
    assert run("move", database, file).exit_code == 0
    with Memory.open(file, embedder=None, background=False, clock=clock) as memory:
        memory.observe("The boat is blue", "ana", session="s")
        memory.tend()
    assert [sent["type"] for sent in receiver.taken] == ["record_added"]


def test_two_memories_are_not_mixed(file: str, database: str) -> None:
    with Memory.open(database, "assistant", embedder=None, background=False) as memory:
        memory.remember("Bo keeps bees", user="bo")
    done = run("move", file, database)
    assert done.exit_code != 0 and "holds 1 records of another memory" in done.output


def test_a_secret_stops_a_move_until_it_is_said(file: str, database: str) -> None:
    store = open_store(file)
    secret = "ghp_" + "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2"
    record = a_record(f"the token is {secret}", space="main")
    keep_records(store, record)
    store.close()
    assert "1 records seem to hold a secret" in run("move", file, database, "--preview").output
    done = run("move", file, database)
    assert done.exit_code != 0 and record.id in done.output and secret not in done.output
    assert run("move", file, database, "--with-secrets").exit_code == 0


def test_a_source_that_is_not_there_is_not_made(tmp_path: Path, database: str) -> None:
    done = run("move", str(tmp_path / "none.db"), database)
    assert done.exit_code != 0 and "there is no memory at" in done.output
    assert not (tmp_path / "none.db").exists()
    for preview in ((), ("--preview",)):
        done = run("move", f"{database}&tenant=nobody", str(tmp_path / "target.db"), *preview)
        assert done.exit_code != 0 and "there is no memory at" in done.output and "tenant=" in done.output
    assert not (tmp_path / "target.db").exists()
    with pytest.raises(InputError, match="cannot open"):
        open_store("mysql://x")
