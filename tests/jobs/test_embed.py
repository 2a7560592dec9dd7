"""The embedding job with a server that refuses some texts, all of them, or is in trouble."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from tests.conftest import ManualClock, OpenMemory
from tests.jobs.conftest import job_of
from tests.scripted import Embedding, Status, embedding
from toldonce import Memory
from toldonce.models.chunking import split_into_chunks
from toldonce.storage.tables.jobs import Run


@pytest.fixture
def server() -> Iterator[Embedding]:
    with embedding() as server:
        yield server


@pytest.fixture
def memory(open_memory: OpenMemory, server: Embedding) -> Memory:
    return open_memory("assistant", embedder=server.setting)


def observe(memory: Memory, *texts: str) -> list[str]:
    heard = memory.observe_many({"text": text, "user": "alex", "session": "s"} for text in texts)
    return [record.id for record in heard]  # type: ignore[union-attr]


def embedded(memory: Memory) -> Run:
    """What the embedding job did, which must have run once."""
    (run,) = [run for run in memory.tend() if run.name == "embed"]
    return run


def vectors(memory: Memory) -> int:
    return sum(memory.stats()["models"].values())


def test_one_refused_text_leaves_all_others_their_vectors(memory: Memory, server: Embedding) -> None:
    server.refuse("poison")
    ids = observe(memory, *(f"message {n}" for n in range(70)), "poison ivy", *(f"message {n}" for n in range(80, 150)))
    run = embedded(memory)
    assert (run.status, dict(run.counts)) == ("completed", {"embedded": 140, "refused": 1})
    assert vectors(memory) == 140
    assert (memory.stats()["refused a vector"], memory.jobs.refused_vectors()) == (1, [ids[70]])
    assert memory.stats()["waiting for a vector"] == 0


def test_a_refused_record_is_asked_for_again_only_by_reembed(
    memory: Memory, server: Embedding, clock: ManualClock
) -> None:
    server.refuse("poison")
    observe(memory, "poison ivy", "a kettle")
    embedded(memory)
    before = len(server.requests)
    clock.pass_time(minutes=1)
    memory.tend()
    observe(memory, "a spoon")
    embedded(memory)
    assert not any("poison" in text for texts in server.asked[before:] for text in texts)
    server.refuse()
    assert memory.jobs.reembed() == 1
    assert dict(embedded(memory).counts) == {"embedded": 1}
    assert (memory.jobs.refused_vectors(), vectors(memory)) == ([], 3)


def test_a_lone_text_is_refused_when_the_embedder_takes_a_plain_word(memory: Memory, server: Embedding) -> None:
    server.refuse("poison")
    observe(memory, "poison ivy")
    assert dict(embedded(memory).counts) == {"embedded": 0, "refused": 1}
    assert len(server.requests) == 2
    observe(memory, "a kettle")
    assert dict(embedded(memory).counts) == {"embedded": 1}, "what comes later does not wait"


def test_an_embedder_that_refuses_everything_marks_nothing(
    memory: Memory, server: Embedding, clock: ManualClock
) -> None:
    server.answer = lambda _: (400, {})
    observe(memory, *(f"message {n}" for n in range(64)))
    run = embedded(memory)
    assert run.status == "failed" and "takes not even a plain word" in run.error and "answered 400" in run.error
    assert len(server.requests) == 2
    assert (memory.stats()["waiting for a vector"], memory.jobs.refused_vectors()) == (64, [])
    server.refuse()
    clock.pass_time(hours=1)
    assert dict(embedded(memory).counts) == {"embedded": 64}


@pytest.mark.parametrize("count", [8, 64])
def test_an_embedder_that_takes_no_record_at_all_is_set_wrongly(memory: Memory, server: Embedding, count: int) -> None:
    server.refuse("message")
    observe(memory, *(f"message {n}" for n in range(count)))
    run = embedded(memory)
    assert run.status == "failed" and f"none of {count} records, check its limits" in run.error
    assert (memory.stats()["waiting for a vector"], memory.jobs.refused_vectors()) == (count, [])


@pytest.mark.parametrize("code", [401, 404, 429, 503])
def test_an_embedder_that_is_away_is_asked_for_everything_later(memory: Memory, server: Embedding, code: int) -> None:
    server.refuse("poison", code=code)
    observe(memory, "poison ivy", "a kettle")
    assert embedded(memory).status == "failed"
    assert len(server.requests) == 1
    assert (memory.stats()["waiting for a vector"], memory.jobs.refused_vectors()) == (2, [])


def test_the_wait_that_a_server_asks_for_is_kept(memory: Memory, server: Embedding, clock: ManualClock) -> None:
    server.answer = lambda _: Status(429, {"Retry-After": "7200"})
    observe(memory, "a kettle")
    embedded(memory)
    job = job_of(memory, "embed", space="")
    assert job is not None and job.due_at == clock.now + timedelta(hours=2)


def test_a_server_error_refuses_a_text_only_when_it_stays(
    memory: Memory, server: Embedding, clock: ManualClock
) -> None:
    server.refuse("poison", code=500)
    ids = observe(memory, "poison ivy", "a kettle")
    for _ in range(2):
        assert embedded(memory).status == "failed"
        assert memory.jobs.refused_vectors() == []
        clock.pass_time(hours=1)
    assert dict(embedded(memory).counts) == {"embedded": 1, "refused": 1}
    assert memory.jobs.refused_vectors() == [ids[0]]


def test_a_server_in_trouble_is_waited_for_however_long_it_lasts(
    memory: Memory, server: Embedding, clock: ManualClock
) -> None:
    server.answer = lambda _: (500, {})
    observe(memory, "a kettle")
    for _ in range(6):
        assert embedded(memory).status == "failed"
        clock.pass_time(hours=1)
    server.refuse()
    assert dict(embedded(memory).counts) == {"embedded": 1}


def test_a_long_record_keeps_the_vectors_of_its_other_parts(memory: Memory, server: Embedding) -> None:
    server.refuse("poison")
    long = " ".join(f"word{n}" for n in range(400))
    observe(memory, long.replace("word150", "poison"), "a kettle")
    assert dict(embedded(memory).counts) == {"embedded": 2, "refused in part": 1}
    assert memory.jobs.refused_vectors() == []
    assert vectors(memory) == 1 + len(split_into_chunks(long)) - 1, "one part is without"


def test_a_server_that_takes_fewer_texts_at_once_gets_fewer(memory: Memory, server: Embedding) -> None:
    taken = server.answer
    server.answer = lambda body: taken(body) if len(body["input"]) <= 32 else (422, {})
    observe(memory, *(f"message {n}" for n in range(64)))
    assert dict(embedded(memory).counts) == {"embedded": 64}


def test_no_message_carries_the_refused_text(
    memory: Memory, server: Embedding, caplog: pytest.LogCaptureFixture
) -> None:
    def answer(body: dict[str, Any]) -> tuple[int, Any]:
        return 400, {"error": {"message": f"cannot embed {body['input']}"}}

    caplog.set_level(logging.INFO)
    server.refuse("poison")
    observe(memory, "poison ivy", "a kettle")
    embedded(memory)
    assert "scripted/4 refuses 1 of 2 records" in caplog.text
    server.answer = answer
    observe(memory, "poison oak")
    embedded(memory)
    runs = json.dumps([[run.error, dict(run.counts), dict(run.detail)] for run in memory.jobs.runs()])
    assert "poison" not in caplog.text + runs and "answered 400" in runs
