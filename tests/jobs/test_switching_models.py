"""Whichever embedder a memory is opened with, every record gets a vector of it, and vectors of two models never mix."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest

from tests.conftest import OpenMemory
from tests.jobs.test_handlers import HashEmbedder, ran
from tests.scripted import Embedding, embedding
from toldonce import Memory
from toldonce.models.remote import RemoteEmbedder

TEXTS = ("The key hangs behind the door", "The barn needs paint", "Maria plays the cello")


def models_of(memory: Memory) -> dict[str, list[str]]:
    """The models that made vectors of each record, by its text."""
    return {r.text: sorted(memory.history(r.id).models) for r in memory.review.records(limit=50)}


def is_found_by_meaning(memory: Memory, text: str) -> bool:
    hits = memory.recall(text, "alex", limit=3)
    return any(signal.name == "vectors" for hit in hits if hit.record.text == text for signal in hit.why.signals)


def remember(memory: Memory, *texts: str) -> None:
    for text in texts:
        memory.remember(text, user="alex")


def test_switching_back_gives_vectors_to_what_came_meanwhile(open_memory: OpenMemory) -> None:
    one, two = HashEmbedder("one"), HashEmbedder("two", 16)
    for embedder, text in ((one, TEXTS[0]), (two, TEXTS[1]), (one, TEXTS[2])):
        memory = open_memory("assistant", embedder=embedder)
        remember(memory, text)
        memory.tend()
        assert memory.stats()["waiting for a vector"] == 0 and memory.stats()["model"] == embedder.name
        assert all(is_found_by_meaning(memory, known) for known in TEXTS[: TEXTS.index(text) + 1])
        memory.close()
    memory = open_memory(embedder=one)
    assert models_of(memory) == {TEXTS[0]: ["one", "two"], TEXTS[1]: ["one", "two"], TEXTS[2]: ["one"]}
    assert ran(memory.tend(), "embed") == []


def test_what_lacks_a_vector_is_counted_before_anything_runs(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant", embedder=HashEmbedder("one"))
    remember(memory, *TEXTS)
    memory.tend()
    memory.close()
    switched = open_memory(embedder=HashEmbedder("two"))
    assert switched.stats()["waiting for a vector"] == 3
    assert (switched.stats()["refused a vector"], switched.stats()["model"]) == (0, "two")
    assert [dict(run.counts) for run in ran(switched.tend(), "embed")] == [{"embedded": 3}]
    assert switched.stats()["waiting for a vector"] == 0


def test_after_reembed_under_another_model_switching_back_makes_all_vectors_again(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant", embedder=HashEmbedder("one"))
    remember(memory, *TEXTS)
    memory.tend()
    memory.close()
    other = open_memory(embedder=HashEmbedder("two"))
    assert other.jobs.reembed() == 3
    other.tend()
    assert other.stats()["models"] == {"one": 0, "two": 3}
    other.close()
    back = open_memory(embedder=HashEmbedder("one"))
    assert back.stats()["waiting for a vector"] == 3
    back.tend()
    assert back.stats()["models"] == {"one": 3, "two": 3}
    assert all(is_found_by_meaning(back, text) for text in TEXTS)


def test_a_model_of_another_size_under_the_same_name_is_another_model(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant", embedder=HashEmbedder("hash", 8))
    remember(memory, *TEXTS)
    memory.tend()
    memory.close()
    wider = open_memory(embedder=HashEmbedder("hash", 16))
    assert wider.recall(TEXTS[0], "alex")[0].record.text == TEXTS[0]
    assert not is_found_by_meaning(wider, TEXTS[0])
    wider.tend()
    assert wider.stats()["models"] == {"hash": 3, "hash (2)": 3}
    assert all(is_found_by_meaning(wider, text) for text in TEXTS)


@pytest.fixture
def services() -> Any:
    with embedding() as first, embedding() as second:
        yield first, second


def opened(open_memory: OpenMemory, service: Embedding) -> Memory:
    return open_memory("assistant", embedder=RemoteEmbedder(service.url, "nomic"))


def turned(body: dict[str, Any]) -> tuple[int, Any]:
    """What another model makes of the same texts."""
    rows = [[1.0, -float(len(text)), 3.0, 0.0] for text in body["input"]]
    return 200, {"data": [{"index": place, "embedding": row} for place, row in enumerate(rows)]}


def nudged(body: dict[str, Any]) -> tuple[int, Any]:
    """What a model makes that may be the same or not: its vectors are a little off."""
    rows = [[float(len(text)), 1.0 + len(text) / 4, 0.0, 2.0] for text in body["input"]]
    return 200, {"data": [{"index": place, "embedding": row} for place, row in enumerate(rows)]}


def test_the_same_name_at_another_address_is_another_model(
    services: tuple[Embedding, Embedding], open_memory: OpenMemory
) -> None:
    first, second = services
    with closing(opened(open_memory, first)) as memory:
        remember(memory, *TEXTS)
        memory.tend()
    second.answer = turned
    moved = opened(open_memory, second)
    assert not is_found_by_meaning(moved, TEXTS[0]), "vectors of two models are not compared"
    moved.tend()
    assert moved.stats()["models"] == {"nomic": 3, "nomic (2)": 3}
    assert is_found_by_meaning(moved, TEXTS[0])


def test_a_model_that_was_replaced_behind_its_name_is_another_one(
    services: tuple[Embedding, Embedding], open_memory: OpenMemory
) -> None:
    service, _ = services
    with closing(opened(open_memory, service)) as memory:
        remember(memory, *TEXTS)
        memory.tend()
    service.answer = turned
    replaced = opened(open_memory, service)
    assert not is_found_by_meaning(replaced, TEXTS[0])
    replaced.tend()
    assert replaced.stats()["models"] == {"nomic": 3, "nomic (2)": 3}


def test_in_doubt_words_alone_are_searched_with_a_warning_until_all_vectors_are_made_again(
    services: tuple[Embedding, Embedding], open_memory: OpenMemory, caplog: pytest.LogCaptureFixture
) -> None:
    service, _ = services
    with closing(opened(open_memory, service)) as memory:
        remember(memory, *TEXTS)
        memory.tend()
    service.answer = nudged
    doubted = opened(open_memory, service)
    assert doubted.recall(TEXTS[0], "alex")[0].record.text == TEXTS[0]
    assert not is_found_by_meaning(doubted, TEXTS[0])
    assert "reembed" in caplog.text
    doubted.tend()
    assert doubted.jobs.reembed() == 3
    doubted.clock.pass_time(hours=1)  # type: ignore[attr-defined]
    doubted.tend()
    assert doubted.stats()["models"] == {"nomic": 0, "nomic (2)": 3}
    assert is_found_by_meaning(doubted, TEXTS[0])


def test_the_same_model_is_known_again_and_asked_for_nothing_more(
    services: tuple[Embedding, Embedding], open_memory: OpenMemory
) -> None:
    service, _ = services
    with closing(opened(open_memory, service)) as memory:
        remember(memory, *TEXTS)
        memory.tend()
    again = opened(open_memory, service)
    assert is_found_by_meaning(again, TEXTS[0])
    assert ran(again.tend(), "embed") == [] and again.stats()["models"] == {"nomic": 3}
