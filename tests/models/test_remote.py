"""An embedder behind HTTP: a real server on this machine answers, fails, and answers nonsense."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np
import pytest

from tests.conftest import OpenMemory
from tests.scripted import Broken, Embedding, Server, Status, embedding, vectors_of_length
from toldonce.errors import ConfigError, ModelError, TextRefused
from toldonce.models.http_json import LARGEST, post_json
from toldonce.models.load import load_embedder
from toldonce.models.remote import RemoteEmbedder


@pytest.fixture
def server() -> Iterator[Embedding]:
    with embedding() as server:
        yield server


def test_vectors_come_back_in_order_and_with_unit_length(server: Embedding) -> None:
    vectors = RemoteEmbedder(server.url, "m").embed(["a", "four"])
    assert np.allclose(vectors[1], np.array([4, 1, 0, 2]) / np.sqrt(21))
    assert vectors.shape == (2, 4)


def test_the_setting_names_address_model_key_and_dimensions(server: Embedding) -> None:
    embedder = load_embedder(f"{server.url}?dimensions=2#nomic", environ={"TOLDONCE_EMBEDDER_KEY": "k"})
    assert embedder is not None
    assert (embedder.name, embedder.dimensions, embedder.local) == ("nomic/2", 2, False)
    assert embedder.embed(["abc"]).shape == (1, 2)
    asked = server.requests[0]
    assert asked.path.endswith("/v1/embeddings")
    assert (asked.headers["authorization"], asked.body["model"]) == ("Bearer k", "nomic")


def test_more_dimensions_than_a_model_has_are_refused_before_anything_is_kept(
    server: Embedding, open_memory: OpenMemory
) -> None:
    with pytest.raises(ModelError, match="`\\?dimensions=` to 4 or less"):
        RemoteEmbedder(server.url, "m", dimensions=8).embed(["x"])
    memory = open_memory("assistant", embedder=f"{server.url}?dimensions=8#m")
    memory.observe("The key is under the mat", user="alex", session="s")
    (run,) = [run for run in memory.tend() if run.name == "embed"]
    assert (run.status, memory.stats()["waiting for a vector"]) == ("failed", 1)
    assert memory.recall("where is the key?", user="alex"), "words still find it"


def test_a_model_that_was_changed_behind_its_name_is_found_out(server: Embedding) -> None:
    embedder = RemoteEmbedder(server.url, "m")
    assert embedder.dimensions == 4
    server.answer = lambda _: (200, {"data": [{"index": 0, "embedding": [1.0, 2.0]}]})
    with pytest.raises(ModelError, match="4 numbers before and of 2 now"):
        embedder.embed(["x"])


def test_an_answer_may_be_as_large_as_vectors_are_and_no_other_may(server: Embedding) -> None:
    code, answer = vectors_of_length({"input": ["x"]})
    server.answer = lambda _: (code, {**answer, "more": "x" * (LARGEST + 1)})
    assert RemoteEmbedder(server.url, "m").embed(["x"]).shape == (1, 4)
    with pytest.raises(ModelError, match="too large"):
        post_json(f"{server.url}/embeddings", {"input": ["x"]}, headers={}, timeout_s=30)


def test_many_texts_go_in_several_requests(server: Embedding) -> None:
    assert RemoteEmbedder(server.url, "m").embed(["x"] * 150).shape == (150, 4)
    assert [len(request.body["input"]) for request in server.requests] == [64, 64, 22]


@pytest.mark.parametrize(
    "answer, said",
    [
        ((500, {}), "answered 500"),
        ((200, b"not json"), "did not answer"),
        ((200, {"data": [{"index": 0}]}), "did not answer with vectors"),
        ((200, {"data": []}), "vectors for 1 texts"),
        ((200, {"data": [{"index": 0, "embedding": [0.0, 0.0]}]}), "no direction"),
        ((200, {"data": [{"index": 0, "embedding": ["a"]}]}), "did not answer with vectors"),
    ],
)
def test_a_bad_answer_is_a_clear_error(server: Embedding, answer: tuple[int, Any], said: str) -> None:
    server.answer = lambda _: answer
    with pytest.raises(ModelError, match=said):
        RemoteEmbedder(server.url, "m").embed(["x"])


@pytest.mark.parametrize("code", [400, 413, 422])
def test_a_server_that_refuses_what_it_was_given_refuses_the_text(server: Embedding, code: int) -> None:
    server.answer = lambda _: (code, {})
    with pytest.raises(TextRefused, match=f"answered {code}") as raised:
        RemoteEmbedder(server.url, "m").embed(["x"])
    assert raised.value.is_certain


@pytest.mark.parametrize("code", [401, 403, 404, 408, 429, 502, 503])
def test_a_wrong_key_or_a_busy_server_says_nothing_about_the_text(server: Embedding, code: int) -> None:
    server.answer = lambda _: (code, {})
    with pytest.raises(ModelError, match=f"answered {code}") as raised:
        RemoteEmbedder(server.url, "m").embed(["x"])
    assert not isinstance(raised.value, TextRefused)


@pytest.mark.parametrize("broken", [Broken(), Status(200, {"Content-Length": "9"}, b"x")])
def test_an_answer_that_breaks_off_says_nothing_about_the_text(server: Embedding, broken: Status | Broken) -> None:
    server.answer = lambda _: broken
    with pytest.raises(ModelError, match="did not answer") as raised:
        RemoteEmbedder(server.url, "m").embed(["x"])
    assert not isinstance(raised.value, TextRefused)


def test_a_server_error_may_be_about_the_text_or_not(server: Embedding) -> None:
    """Some servers answer 500 to a text that is too long or has no vector."""
    server.answer = lambda _: (500, {})
    with pytest.raises(TextRefused) as raised:
        RemoteEmbedder(server.url, "m").embed(["x"])
    assert not raised.value.is_certain


@pytest.mark.parametrize(
    "row", [{"index": 0}, {"index": 0, "embedding": [float("nan"), 1.0]}, {"index": 0, "embedding": None}]
)
def test_an_answer_that_is_no_vector_refuses_the_text(server: Embedding, row: dict[str, Any]) -> None:
    server.answer = lambda _: (200, {"data": [row]})
    with pytest.raises(TextRefused):
        RemoteEmbedder(server.url, "m").embed(["x"])


def test_the_wait_that_a_busy_server_asks_for_is_told(server: Embedding) -> None:
    server.answer = lambda _: Status(429, {"Retry-After": "120"})
    with pytest.raises(ModelError) as raised:
        RemoteEmbedder(server.url, "m").embed(["x"])
    assert raised.value.retry_after_s == 120


def test_texts_and_key_are_carried_to_no_other_address(server: Embedding) -> None:
    first = Server(lambda _: Status(302, {"Location": f"{server.url}/elsewhere"}))
    with closing(first), pytest.raises(ModelError, match="answered 302"):
        RemoteEmbedder(first.url, "m", key="k").embed(["x"])
    assert server.requests == []


def test_recall_goes_on_without_vectors_when_the_model_is_away(server: Embedding, open_memory: OpenMemory) -> None:
    memory = open_memory("assistant", embedder=RemoteEmbedder(server.url, "m"))
    memory.observe("The key is under the pot", user="alex", session="s")
    server.answer = lambda _: (503, {})
    assert memory.recall("where is the key?", user="alex")[0].record.text == "The key is under the pot"


def test_a_failed_embedding_loses_nothing_and_is_tried_again(server: Embedding, open_memory: OpenMemory) -> None:
    memory = open_memory("assistant", embedder=RemoteEmbedder(server.url, "m", dimensions=4))
    memory.observe("The key is under the pot", user="alex", session="s")
    server.answer = lambda _: (503, {})
    assert "failed" in [run.status for run in memory.tend() if run.name == "embed"]
    assert memory.stats()["waiting for a vector"] == 1
    server.answer = vectors_of_length
    memory.clock.pass_time(hours=2)  # type: ignore[attr-defined]
    memory.tend()
    assert memory.stats()["models"] == {"m/4": 1}


@pytest.mark.parametrize("setting", ["minilm", "http://localhost/v1", "onnx:/nowhere", "sentence-transformers:", "x:y"])
def test_a_wrong_setting_says_what_to_write(setting: str) -> None:
    with pytest.raises(ConfigError):
        load_embedder(setting)


def test_another_model_gets_its_own_vectors_and_the_spaces_never_mix(open_memory: OpenMemory) -> None:
    class Fixed:
        local = True

        def __init__(self, name: str, dimensions: int) -> None:
            self.name, self.dimensions = name, dimensions

        def embed(self, texts: Any) -> Any:
            rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
            rows[:, 0] = 1
            return rows

    memory = open_memory("assistant", embedder=Fixed("one", 4))
    memory.observe("The key is under the pot", user="alex", session="s")
    memory.tend()
    memory.close()
    again = open_memory(embedder=Fixed("two", 8))
    assert all(signal.name != "vectors" for hit in again.recall("key", user="alex") for signal in hit.why.signals)
    assert again.jobs.reembed() == 1
    again.tend()
    assert again.stats()["models"] == {"one": 0, "two": 1}
    assert any(signal.name == "vectors" for hit in again.recall("key", user="alex") for signal in hit.why.signals)


def test_reembed_does_not_wait_for_the_next_try_after_a_failure(server: Embedding, open_memory: OpenMemory) -> None:
    memory = open_memory("assistant", embedder=RemoteEmbedder(server.url, "m", dimensions=4))
    memory.observe("The key is under the pot", user="alex", session="s")
    server.answer = lambda _: (503, {})
    memory.tend()
    server.answer = vectors_of_length
    assert [run for run in memory.tend() if run.name == "embed"] == []
    memory.jobs.reembed()
    assert [run.status for run in memory.tend() if run.name == "embed"] == ["completed"]
    assert memory.stats()["models"] == {"m/4": 1}


def test_a_prompt_block_asks_for_the_vector_of_its_question_once(server: Embedding, open_memory: OpenMemory) -> None:
    """Not once for each of its sections, nor once more to learn how long vectors are."""
    memory = open_memory("assistant", embedder=RemoteEmbedder(server.url, "m"))
    memory.observe("The key is under the pot", user="alex", session="s")
    memory.settle()
    server.requests.clear()
    memory.context("where is the key?", user="alex", session="t")
    assert len(server.requests) == 1


def test_an_embedder_that_is_away_holds_up_one_question_a_minute(server: Embedding, open_memory: OpenMemory) -> None:
    memory = open_memory("assistant", embedder=RemoteEmbedder(server.url, "m"))
    memory.observe("The key is under the pot", user="alex", session="s")
    memory.tend()
    server.answer = lambda _: (503, {})
    server.requests.clear()
    for question in ("where is the key?", "what is under the pot?"):
        assert memory.recall(question, user="alex")
    assert len(server.requests) == 1
    server.answer = vectors_of_length
    memory.clock.pass_time(minutes=2)  # type: ignore[attr-defined]
    [hit] = memory.recall("where is the key?", user="alex", limit=1)
    assert any(signal.name == "vectors" for signal in hit.why.signals)
