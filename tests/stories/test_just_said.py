"""What was said a moment ago is found by meaning, although vectors are made in the background."""

from __future__ import annotations

from datetime import timedelta

import pytest

from recollect import Memory
from recollect.jobs.background import JobRunner
from tests.conftest import OpenMemory

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
