"""What was said a moment ago is found by meaning, although vectors are made in the background."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory
from toldonce.errors import StoreError
from toldonce.jobs import embed
from toldonce.jobs.background import JobRunner
from toldonce.operations.jobs import embed_job
from toldonce.recall import searcher
from toldonce.storage.store import Tables

SISTER = "my sis ines is moving to porto"
QUESTION = "where does my sister live?"


@pytest.fixture
def memory(open_memory: OpenMemory, monkeypatch: pytest.MonkeyPatch) -> Memory:
    """A memory with the default embedder whose background sleeps."""
    monkeypatch.setattr(JobRunner, "turn", lambda *_, **__: timedelta(hours=1))
    memory = open_memory("assistant", embedder="default", background=True)
    memory.observe_many(
        {"text": text, "user": "ana", "session": "old"} for text in ("the train was late", "rain all day", SISTER)
    )
    return memory


def test_a_recall_finds_it(memory: Memory) -> None:
    assert memory.recall(QUESTION, user="ana")[0].record.text == SISTER
    assert memory.stats()["waiting for a vector"] == 0
    memory.observe("minha irmã comprou uma casa em Braga", user="ana", session="new")
    assert "Braga" in memory.recall("onde fica a casa da minha irmã?", user="ana")[0].record.text


def test_a_prompt_block_of_another_session_has_it(memory: Memory) -> None:
    assert SISTER in memory.context(QUESTION, user="ana", session="new").text


def test_nobody_waits_for_vectors_of_what_they_do_not_get(memory: Memory) -> None:
    memory.context(QUESTION, user="ana", session="old")
    memory.recall(QUESTION, user="ana", exclude_session="old")
    memory.recall(QUESTION, user="ana", kinds=["fact"])
    memory.recall(QUESTION, user="rui")
    assert memory.stats()["waiting for a vector"] == 3


def test_of_many_the_newest_get_theirs_first(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searcher, "FEW_WAITING", 2)
    found = memory.recall(QUESTION, user="ana")
    assert (found[0].record.text, found.waiting) == (SISTER, 1)
    assert memory.recall(QUESTION, user="ana").waiting == 0


def test_of_many_the_likeliest_get_theirs_first(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searcher, "FEW_WAITING", 4)
    memory.observe_many({"text": f"message {n}", "user": "ana", "session": "old"} for n in range(20))
    memory.recall("who is moving to porto?", user="ana")
    waiting = memory.store.read(lambda t: t.vectors.find_waiting(limit=99))
    assert len(waiting) == 19 and SISTER not in [text for _, text in waiting]


def test_a_script_without_a_background_catches_up_recall_by_recall(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant", embedder="default")
    memory.observe(SISTER, user="ana", session="old")
    memory.observe_many({"text": f"message {n}", "user": "ana", "session": "old"} for n in range(150))
    counts = [memory.recall(QUESTION, user="ana").waiting for _ in range(12)]
    assert counts[0] > 0 and counts[-1] == 0
    assert memory.recall(QUESTION, user="ana")[0].record.text == SISTER


def test_a_search_waits_no_longer_than_a_moment_for_a_slow_embedder(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it began with is kept; the background makes the rest."""
    monkeypatch.setattr(embed, "_FEW_WITHIN", timedelta(0))
    memory.observe_many({"text": f"message {n}", "user": "ana", "session": "old"} for n in range(20))
    memory.recall(QUESTION, user="ana")
    assert memory.stats()["waiting for a vector"] == 23 - embed.SMALL_BATCH


def test_a_search_goes_on_where_another_worker_makes_the_vectors_and_takes_long(
    memory: Memory, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lease_elsewhere(tables: Tables) -> None:
        tables.jobs.put(embed_job(clock()))
        assert tables.jobs.lease(["embed"], now=clock(), lasting=timedelta(minutes=1))

    memory.store.write(lease_elsewhere)
    monkeypatch.setattr(embed, "_MOST_LOOKS", 2)
    assert memory.recall(QUESTION, user="ana") == []
    assert memory.recall("porto", user="ana")[0].record.text == SISTER


def test_a_store_that_takes_no_writes_is_searched_by_words(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise StoreError("it is read-only")

    monkeypatch.setattr(memory.store, "write", refuse)
    assert memory.recall("porto", user="ana", counted=False)[0].record.text == SISTER
    assert "read-only" in caplog.text
