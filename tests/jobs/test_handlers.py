"""What each job does, on real files, and that doing it twice changes nothing."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import apsw
import numpy as np
import pytest

from tests.conftest import START, ManualClock, OpenMemory
from tests.jobs.conftest import job_of, lease_one
from toldonce import Memory, Record
from toldonce.distil.drafts import Extracted
from toldonce.errors import RecordNotFound
from toldonce.jobs import embed as embedding
from toldonce.jobs.handlers import DUTIES, KEEP_RUNS
from toldonce.jobs.runner import LEASE
from toldonce.jobs.schedule import retry_after
from toldonce.jobs.task import JobResult, LeasedJob
from toldonce.models.embedder import Vectors
from toldonce.records import Conversation
from toldonce.storage.tables.jobs import Job, Run
from toldonce.storage.vectors import search as nearest

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


class HashEmbedder:
    """Vectors from a hash of the text: no meaning, but the same text has the same vector."""

    local = True

    def __init__(self, name: str = "hash", dimensions: int = 8) -> None:
        self.name = name
        self.dimensions = dimensions
        self.batches: list[int] = []
        self.broken = False

    def embed(self, texts: Sequence[str]) -> Vectors:
        if self.broken:
            raise ConnectionError("the embedder is away")
        self.batches.append(len(texts))
        rows = [list(hashlib.sha256(text.encode()).digest()[: self.dimensions]) for text in texts]
        values = np.asarray(rows, dtype=np.float32).reshape(len(rows), self.dimensions) - 127.5
        return (values / np.linalg.norm(values, axis=1, keepdims=True)).astype(np.float32)


def ran(runs: list[Run], name: str) -> list[Run]:
    return [run for run in runs if run.name == name]


def observed(memory: Memory, text: str, user: str = "alex", **options: object) -> Record:
    record = memory.observe(text, user, **options)  # type: ignore[arg-type]
    assert isinstance(record, Record)
    return record


def conversations(memory: Memory) -> list[Conversation]:
    return memory.store.read(lambda t: t.conversations.all(None))


def on_disk(memory: Memory) -> bytes:
    """What the file and its log hold."""
    return b"".join(path.read_bytes() for end in ("", "-wal") if (path := Path(memory.store.place + end)).exists())


def run_without_ending(memory: Memory, name: str) -> JobResult:
    """A worker that does the work of the first due job and dies before it can say so."""
    job = lease_one(memory, name, memory.clock())
    return DUTIES[name].run(memory, LeasedJob(job, now=memory.clock()))


# settle


@pytest.fixture
def community(open_memory: OpenMemory) -> Memory:
    return open_memory("community")


def test_each_message_moves_the_timer(community: Memory, clock: ManualClock) -> None:
    for _ in range(3):
        observed(community, "I live in Lisbon", channel="c")
        clock.pass_time(minutes=24)
        assert ran(community.tend(), "settle") == []
    clock.pass_time(minutes=1)
    (run,) = ran(community.tend(), "settle")
    assert run.status == "completed"
    assert [c.ended_by for c in conversations(community)] == ["quiet"]


def test_a_conversation_that_never_pauses_ends_at_its_longest_window(community: Memory, clock: ManualClock) -> None:
    """Messages every twenty minutes: after two hours the next one has the rest settled and opens a conversation."""
    for _ in range(6):
        observed(community, "I live in Lisbon", channel="c")
        clock.pass_time(minutes=20)
        assert ran(community.tend(), "settle") == []
    observed(community, "I work at Acme", channel="c")
    assert [r.status for r in ran(community.tend(), "settle")] == ["completed"]
    assert [(c.ended_by, c.state, c.messages) for c in conversations(community)] == [
        ("longest", "settled", 6),
        ("", "open", 1),
    ]


def test_a_conversation_that_went_on_is_planned_anew_instead_of_settled(community: Memory, clock: ManualClock) -> None:
    """Whatever made the job due too early, the rules of the conversation decide."""
    observed(community, "I live in Lisbon", channel="c")
    (talk,) = conversations(community)
    early = Job(space="main", key=f"settle:{talk.id}", name="settle", due_at=START, args={"conversation": talk.id})
    community.store.write(lambda t: t.jobs.put(early))
    clock.pass_time(minutes=5)
    assert [r.status for r in ran(community.tend(), "settle")] == ["skipped"]
    job = job_of(community, f"settle:{talk.id}")
    assert job is not None
    assert (job.due_at, job.attempts, job.state) == (START + 25 * MINUTE, 0, "ready")


def test_timers_survive_a_restart_and_overdue_ones_settle(open_memory: OpenMemory, clock: ManualClock) -> None:
    first = open_memory("community")
    observed(first, "I live in Lisbon", channel="c")
    first.close()
    clock.pass_time(days=3)
    again = open_memory()
    assert [r.status for r in ran(again.tend(), "settle")] == ["completed"]


def test_a_conversation_is_settled_once_even_if_its_worker_dies_before_saying_so(
    community: Memory, clock: ManualClock
) -> None:
    observed(community, "I live in Lisbon", channel="c")
    clock.pass_time(minutes=25)
    community.tend(START)
    assert run_without_ending(community, "settle").status == "completed"
    kept = community.stats()["kinds"]
    clock.pass_time(minutes=5)
    assert ran(community.tend(), "settle") == []
    assert community.stats()["kinds"] == kept


def test_a_settled_or_missing_conversation_is_passed_over(community: Memory, clock: ManualClock) -> None:
    observed(community, "I live in Lisbon", channel="c")
    (done,) = community.settle(channel="c")
    for key, conversation in (("a", done.conversation), ("b", "talk_gone")):
        job = Job(space="main", key=key, name="settle", due_at=START, args={"conversation": conversation})
        community.store.write(lambda t, j=job: t.jobs.put(j))
    assert [r.status for r in ran(community.tend(), "settle")] == ["skipped", "skipped"]
    assert job_of(community, "a") is None and job_of(community, "b") is None


def test_the_conversations_of_a_deleted_space_wait_for_its_return(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("community", space="guild")
    memory.spaces.add("old")
    observed(memory, "I live in Lisbon", channel="c", space="old")
    memory.spaces.delete("old")
    clock.pass_time(hours=1)
    assert [r.status for r in ran(memory.tend(), "settle")] == ["skipped"]
    memory.spaces.restore("old")
    clock.pass_time(days=1)
    assert [r.status for r in ran(memory.tend(), "settle")] == ["completed"]


class BrokenWriter:
    """A writer whose model is away."""

    name = "broken"
    reads_known = False

    def extract(self, said: Sequence[object], *, scope: object) -> Extracted:
        raise ConnectionError("no model")


def test_a_writer_that_fails_loses_nothing(open_memory: OpenMemory, clock: ManualClock) -> None:
    """The conversation stays as it is and is tried again; once the writer is back it is settled."""
    broken = open_memory("assistant", writer=BrokenWriter())
    observed(broken, "I live in Lisbon", session="s1")
    observed(broken, "hello again", session="s2")
    (run,) = ran(broken.tend(), "settle")
    assert run.status == "failed" and run.error.startswith("ConnectionError at ")
    broken.close()
    clock.now += retry_after(1)
    mended = open_memory()
    assert [r.status for r in ran(mended.tend(), "settle")] == ["completed"]
    assert mended.stats()["kinds"]["fact"] == {"active": 1}


# settle_pending and resume


def test_the_nightly_run_settles_what_was_left_behind(memory: Memory, clock: ManualClock) -> None:
    """Nobody opened another session: at three in the morning the last one is settled all the same."""
    observed(memory, "I live in Lisbon", session="s1")
    memory.tend()
    clock.now = START.replace(hour=2, minute=30) + DAY
    observed(memory, "Still awake", "bea", session="s9")
    clock.pass_time(minutes=30)
    runs = memory.tend()
    assert [dict(r.counts) for r in ran(runs, "settle_pending")] == [{"planned": 1}]
    assert [r.status for r in ran(runs, "settle")] == ["completed"]
    assert {c.user: c.state for c in conversations(memory)} == {"alex": "settled", "bea": "open"}
    clock.pass_time(days=1)
    memory.tend()
    clock.pass_time(days=1)
    assert [r.status for r in ran(memory.tend(), "settle_pending")] == ["skipped"]


def test_the_nightly_run_gives_a_failed_conversation_another_chance(
    open_memory: OpenMemory, clock: ManualClock
) -> None:
    broken = open_memory("assistant", writer=BrokenWriter())
    observed(broken, "I live in Lisbon", session="s1")
    observed(broken, "hello again", session="s2")
    for _ in range(6):
        broken.tend()
        clock.pass_time(hours=1)
    (failed,) = [job for job in broken.jobs.all() if job.name == "settle"]
    assert failed.state == "failed"
    broken.close()
    clock.now = START.replace(hour=3) + DAY
    mended = open_memory()
    assert [r.status for r in ran(mended.tend(), "settle")] == ["completed", "completed"]


def test_a_conversation_without_a_timer_gets_it_back(community: Memory, clock: ManualClock) -> None:
    """As after an import, which brings conversations but no jobs."""
    observed(community, "I live in Lisbon", channel="c")
    observed(community, "I work at Acme", channel="d")
    community.tend()
    first, second = conversations(community)
    community.store.write(lambda t: [t.jobs.drop("main", f"settle:{c.id}") for c in (first, second)])
    community.store.write(lambda t: t.conversations.end(second.id, ended_by="import"))
    clock.pass_time(minutes=5)
    runs = community.tend()
    assert [dict(r.counts) for r in ran(runs, "resume")] == [{"resumed": 2}]
    assert [r.key for r in ran(runs, "settle")] == [f"settle:{second.id}"]
    job = job_of(community, f"settle:{first.id}")
    assert job is not None
    assert job.due_at == START + 25 * MINUTE


def test_a_conversation_that_only_a_session_ends_needs_no_timer(memory: Memory, clock: ManualClock) -> None:
    observed(memory, "I live in Lisbon", session="s1")
    assert [dict(r.counts) for r in ran(memory.tend(), "resume")] == [{"resumed": 0}]
    assert [job for job in memory.jobs.all() if job.name == "settle"] == []


# expire and fade


def test_what_has_expired_leaves_at_the_first_look_and_every_hour(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("companion", zone="Europe/Lisbon")
    record = memory.remember("Dinner with Bea tonight", kind="context", user="alex")
    assert [dict(r.counts) for r in ran(memory.tend(), "expire")] == [{"expired": 0}]
    clock.now = START.replace(hour=0) + DAY
    assert [dict(r.counts) for r in ran(memory.tend(), "expire")] == [{"expired": 1}]
    expired = memory.get(record.id)
    assert (expired.state, expired.state_at) == ("expired", record.expires_at)
    assert ran(memory.tend(), "expire") == []
    clock.pass_time(hours=1)
    assert [dict(r.counts) for r in ran(memory.tend(), "expire")] == [{"expired": 0}]


def test_expiry_works_through_more_than_one_page(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("companion")
    memory.observe_many({"text": f"message {i}", "user": "alex", "session": "s1"} for i in range(1201))
    clock.pass_time(days=31)
    assert [dict(r.counts) for r in ran(memory.tend(), "expire")] == [{"expired": 1201}]
    assert memory.stats()["kinds"]["message"] == {"expired": 1201}


def test_confidence_fades_nightly_and_the_weakest_are_hidden(memory: Memory, clock: ManualClock) -> None:
    faint = memory.remember("Alex likes the blue cup", user="alex", confidence=0.06)
    strong = memory.remember("Alex lives in Lisbon", user="alex", confidence=0.9)
    safe = memory.remember("Alex is left-handed", user="alex", confidence=0.06)
    memory.confirm(safe.id)
    memory.tend()
    clock.pass_time(days=2)
    (run,) = ran(memory.tend(), "fade")
    assert dict(run.counts) == {"weakened": 2, "hidden": 1}
    assert [memory.get(r.id).state for r in (faint, strong, safe)] == ["faded", "active", "active"]
    assert memory.get(strong.id).confidence < 0.9 < memory.get(strong.id).confidence * 1.3
    assert memory.get(safe.id).confidence == 1.0


def test_fading_twice_on_one_day_is_fading_once(memory: Memory, clock: ManualClock) -> None:
    """A worker dies between its work and the end of the run; the next one does it again without harm."""
    record = memory.remember("Alex lives in Lisbon", user="alex", confidence=0.9)
    memory.tend()
    clock.pass_time(days=2)
    assert run_without_ending(memory, "fade").counts == {"weakened": 1, "hidden": 0}
    once = memory.get(record.id).confidence
    # The same moment again, as the worker that takes over would have it.
    clock.pass_time(seconds=LEASE.total_seconds())
    assert [r.status for r in ran(memory.tend(), "fade")] == ["completed"]
    assert memory.get(record.id).confidence == pytest.approx(once, rel=1e-3)
    assert once == pytest.approx(0.9 * np.exp(-0.1 * 2), rel=1e-3)


def test_a_preset_in_which_nothing_loses_confidence_skips_fading(open_memory: OpenMemory) -> None:
    memory = open_memory("companion")
    memory.store.write(lambda t: t.jobs.put(Job(space="main", key="now", name="fade", due_at=START)))
    assert [r.status for r in ran(memory.tend(), "fade")] == ["skipped"]


# purge


def test_what_was_forgotten_is_gone_after_its_grace(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("community")
    secret = observed(memory, "The code word is xylophone", channel="c")
    other = observed(memory, "The weather is fine", channel="c")
    drawn = memory.remember("The code word is xylophone", user="alex", source=secret.id)
    both = memory.remember("Alex talks about words and weather", user="alex", source=[secret.id, other.id])
    memory.forget(secret.id)
    clock.pass_time(days=29)
    assert all(r.counts == {"purged": 0} for r in ran(memory.tend(), "purge"))
    clock.pass_time(days=2)
    (run,) = ran(memory.tend(), "purge")
    assert dict(run.counts) == {"purged": 2}
    for gone in (secret, drawn):
        with pytest.raises(RecordNotFound):
            memory.get(gone.id)
    assert memory.get(both.id).sources == (other.id,)
    assert b"xylophone" not in on_disk(memory)
    trail = memory.store.read(lambda t: t.audit.list_entries("main", action="purge"))
    assert [line.detail for line in trail] == [{"records": 2}]


def test_what_expired_is_purged_unless_something_rests_on_it(open_memory: OpenMemory, clock: ManualClock) -> None:
    """A robot keeps conversation for thirty days and facts for ever: a fact's own message stays as its evidence."""
    memory = open_memory("companion")
    chat = observed(memory, "What a lovely morning it is", session="s1")
    said = observed(memory, "I live in Lisbon", session="s1")
    fact = memory.remember("Alex lives in Lisbon", kind="fact", user="alex", source=said.id)
    clock.pass_time(days=31)
    memory.tend()
    assert memory.get(chat.id).state == memory.get(said.id).state == "expired"
    clock.pass_time(days=31)
    assert sum(r.counts["purged"] for r in ran(memory.tend(), "purge")) == 1
    with pytest.raises(RecordNotFound):
        memory.get(chat.id)
    assert memory.get(fact.id).state == "active"
    assert memory.get(said.id).state == "expired"
    memory.forget(fact.id)
    clock.pass_time(days=32)
    memory.tend()
    assert memory.stats()["kinds"].get("message") is None


def test_a_preset_without_grace_purges_nothing(memory: Memory, clock: ManualClock) -> None:
    record = memory.remember("Alex likes tea", user="alex")
    memory.forget(record.id)
    clock.pass_time(days=4000)
    memory.store.write(lambda t: t.jobs.put(Job(space="main", key="now", name="purge", due_at=START)))
    assert [dict(r.counts) for r in ran(memory.tend(), "purge")] == [{"purged": 0}]
    assert memory.get(record.id).state == "forgotten"


def test_a_deleted_space_is_gone_after_its_grace_with_all_it_held(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("coding", space="shop")
    memory.spaces.add("old")
    memory.remember("The old shop uses xylophone.js", kind="convention", space="old", user="alex")
    observed(memory, "please mend the old shop", session="s1", space="old")
    memory.store.write(lambda t: t.people.set_member("old", "alex", "owner"))
    memory.store.write(lambda t: t.documents.set_setting("old", "shown:s1", "x"))
    memory.tend()
    memory.spaces.delete("old")
    clock.pass_time(days=29)
    memory.tend()
    assert [s.name for s in memory.spaces.all()] == ["old", "shop"]
    clock.pass_time(days=2)
    (run,) = [r for r in ran(memory.tend(), "purge") if r.space == "old"]
    assert dict(run.counts) == {"purged": 2, "spaces": 1}
    assert [s.name for s in memory.spaces.all()] == ["shop"]
    assert [job for job in memory.jobs.all() if job.space == "old"] == []
    left = memory.store.read(
        lambda t: (
            t.people.list_members("old"),
            t.people.all("old"),
            t.conversations.all("old"),
            t.documents.all("old"),
        )
    )
    assert left == ({}, [], [], [])
    assert memory.store.read(lambda t: t.documents.read_setting("old", "shown:s1")) is None
    assert b"xylophone" not in on_disk(memory)
    assert ran(memory.tend(), "purge") == []


def test_a_space_restored_in_time_is_not_purged(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("coding", space="shop")
    memory.spaces.add("old")
    memory.remember("The old shop uses flask", kind="convention", space="old")
    memory.spaces.delete("old")
    memory.tend()
    clock.pass_time(days=20)
    memory.spaces.restore("old")
    clock.pass_time(days=20)
    memory.tend()
    assert memory.recall("flask", space="old")


# embed and pack


def vectors(memory: Memory) -> dict[str, int]:
    return {name: count for _, name, _, count in memory.store.read(lambda t: t.vectors.list_models())}


def test_records_get_their_vectors_in_batches_and_only_once(open_memory: OpenMemory) -> None:
    embedder = HashEmbedder()
    memory = open_memory("assistant", embedder=embedder)
    memory.observe_many({"text": f"message {i}", "user": "alex", "session": "s1"} for i in range(150))
    (run,) = ran(memory.tend(), "embed")
    assert dict(run.counts) == {"embedded": 150}
    assert embedder.batches == [64, 64, 22]
    assert vectors(memory) == {"hash": 150}
    assert memory.stats()["waiting for a vector"] == 0
    assert ran(memory.tend(), "embed") == []


def test_what_a_settled_conversation_adds_is_embedded_in_the_same_call(
    open_memory: OpenMemory, clock: ManualClock
) -> None:
    memory = open_memory("companion", embedder=HashEmbedder())
    observed(memory, "I live in Lisbon", session="s1")
    memory.tend()
    clock.pass_time(minutes=30)
    runs = memory.tend()
    assert [r.name for r in runs if r.name in ("settle", "embed")] == ["settle", "embed"]
    assert memory.stats()["waiting for a vector"] == 0


def test_without_an_embedder_records_wait(memory: Memory) -> None:
    observed(memory, "I live in Lisbon", session="s1")
    memory.store.write(lambda t: t.jobs.put(Job(space="", key="embed", name="embed", due_at=START)))
    assert ran(memory.tend(), "embed") == []
    assert job_of(memory, "embed", space="") is not None, "it is left to a process that has an embedder"


def test_an_embedder_that_is_away_is_asked_again(open_memory: OpenMemory, clock: ManualClock) -> None:
    embedder = HashEmbedder()
    embedder.broken = True
    memory = open_memory("assistant", embedder=embedder)
    observed(memory, "I live in Lisbon", session="s1")
    assert [r.status for r in ran(memory.tend(), "embed")] == ["failed"]
    assert ran(memory.tend(), "embed") == []
    embedder.broken = False
    clock.now += retry_after(1)
    assert [r.status for r in ran(memory.tend(), "embed")] == ["completed"]


def test_another_model_makes_all_vectors_anew_beside_the_old_ones(open_memory: OpenMemory) -> None:
    first = open_memory("assistant", embedder=HashEmbedder())
    observed(first, "I live in Lisbon", session="s1")
    first.tend()
    first.close()
    second = open_memory(embedder=HashEmbedder("other", 16))
    assert [dict(r.counts) for r in ran(second.tend(), "embed")] == [{"embedded": 1}]
    assert vectors(second) == {"hash": 1, "other": 1}
    assert ran(second.tend(), "embed") == []


def test_embedding_pauses_when_its_time_is_used_up(open_memory: OpenMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other jobs get their turn between two parts; together they are the whole."""
    monkeypatch.setattr(embedding, "BUDGET", timedelta(0))
    memory = open_memory("assistant", embedder=HashEmbedder())
    memory.observe_many({"text": f"message {i}", "user": "alex", "session": "s1"} for i in range(100))
    runs = ran(memory.tend(), "embed")
    assert [(r.status, dict(r.counts)) for r in runs] == [
        ("partial", {"embedded": 64}),
        ("completed", {"embedded": 36}),
    ]


def test_no_transaction_is_open_while_the_embedder_works(open_memory: OpenMemory) -> None:
    class Writing(HashEmbedder):
        def embed(self, texts: Sequence[str]) -> Vectors:
            if len(self.batches) < 1:
                memory.remember("Alex writes while vectors are made", user="alex")
            return super().embed(texts)

    memory = open_memory("assistant", embedder=Writing())
    observed(memory, "I live in Lisbon", session="s1")
    assert [dict(r.counts) for r in ran(memory.tend(), "embed")] == [{"embedded": 2}]


def test_many_new_vectors_are_packed_for_a_quick_start(
    open_memory: OpenMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest, "PACK_ROWS", 50)
    memory = open_memory("assistant", embedder=HashEmbedder())
    memory.observe_many({"text": f"message {i}", "user": "alex", "session": "s"} for i in range(49))
    assert ran(memory.tend(), "pack") == []
    observed(memory, "message 49", session="s")
    assert [dict(r.counts) for r in ran(memory.tend(), "pack")] == [{"packed": 50}]
    observed(memory, "message 50", session="s")
    assert ran(memory.tend(), "pack") == []


def test_packing_brings_the_index_of_words_together(open_memory: OpenMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "PACK_ROWS", 50)
    monkeypatch.setattr(embedding, "MERGE_PAGES", 1)
    memory = open_memory("assistant", embedder=HashEmbedder())
    for number in range(50):
        observed(memory, f"message {number}", session="s")
    assert word_parts(memory) > 1
    assert [r.status for r in ran(memory.tend(), "pack")] == ["completed"]
    assert word_parts(memory) == 1
    assert len(memory.recall("message", user="alex", limit=60, min_score=0)) == 50


def word_parts(memory: Memory) -> int:
    with contextlib.closing(apsw.Connection(memory.store.place, flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        return int(connection.execute("SELECT count(DISTINCT segid) FROM record_text_idx").fetchall()[0][0])


@pytest.mark.parametrize("packs, expected", [(1, True), (7, True), (31, True), (32, True), (33, False), (96, True)])
def test_words_are_brought_together_more_seldom_as_a_store_grows(packs: int, expected: bool) -> None:
    assert embedding.is_time_to_merge(packs) is expected


# backup and upkeep


def test_a_daily_backup_keeps_three_copies(open_memory: OpenMemory, clock: ManualClock, tmp_path: Path) -> None:
    memory = open_memory("assistant")
    record = memory.remember("Alex lives in Lisbon", user="alex")
    memory.tend()
    for _ in range(5):
        clock.pass_time(days=1)
        assert [r.status for r in ran(memory.tend(), "backup")] == ["completed"]
    copies = sorted(path.name for path in tmp_path.glob("memory.db.bak.[0-9]"))
    assert copies == ["memory.db.bak.1", "memory.db.bak.2", "memory.db.bak.3"]
    assert open_memory(file="memory.db.bak.1").get(record.id).text == record.text


def test_a_memory_that_is_not_in_a_file_has_no_backup(
    clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Memory.open(":memory:", "assistant", embedder=None, clock=clock, background=False) as memory:
        clock.pass_time(days=1)
        assert [r.status for r in ran(memory.tend(), "backup")] == ["skipped"]
    assert list(tmp_path.iterdir()) == []


def test_the_record_of_runs_does_not_grow_for_ever(memory: Memory, clock: ManualClock) -> None:
    memory.tend()
    first = len(memory.jobs.runs())
    clock.now += KEEP_RUNS + 8 * DAY
    (run,) = ran(memory.tend(), "upkeep")
    assert dict(run.counts) == {"trimmed": first, "audit entries expired": 0}
    assert all(r.ended_at >= START + KEEP_RUNS for r in memory.jobs.runs(limit=1000))
