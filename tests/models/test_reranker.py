"""Rerankers: settings that name one, a real server that answers as the common ones do, and models on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from tests.scripted import Broken, Server, Silent, Status
from toldonce.errors import ConfigError, ModelError
from toldonce.models.load import load_reranker
from toldonce.models.local import LocalReranker
from toldonce.models.remote import RemoteReranker
from toldonce.models.wordpiece import WordPiece

TEXTS = ["soup", "the key", "a long evening"]


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    """Servers that give every request the same answer."""
    opened: list[Server] = []

    def start(answer: Any, code: int = 200) -> Server:
        said = answer if isinstance(answer, Status | Broken | Silent) else Status(code, body=answer)
        opened.append(Server(lambda _: said))
        return opened[-1]

    yield start
    for server in opened:
        server.close()


ROWS = [{"index": 1, "relevance_score": 0.9}, {"index": 2, "relevance_score": -3}, {"index": 0, "relevance_score": 0}]


@pytest.mark.parametrize(
    "answer",
    [
        {"results": ROWS, "meta": {}},
        {"object": "list", "data": ROWS},
        [{"index": row["index"], "score": row["relevance_score"]} for row in ROWS],
        {"results": [{**row, "document": {"text": "?"}} for row in ROWS]},
    ],
    ids=["cohere", "voyage", "sglang", "jina"],
)
def test_the_answers_of_common_servers_are_read_in_the_order_of_the_texts(
    serve: Callable[..., Server], answer: Any
) -> None:
    server = serve(answer)
    reranker = load_reranker(f"{server.url}/rerank?version=2#m", environ={"TOLDONCE_RERANKER_KEY": "k"})
    assert reranker is not None
    assert (reranker.name, reranker.local) == ("127.0.0.1#m", False)
    assert list(reranker.scores("where is the key?", TEXTS)) == [0.0, 0.9, -3.0]
    (asked,) = server.requests
    assert asked.path.endswith("/v1/rerank?version=2"), "the address is taken as it stands"
    assert asked.headers["authorization"] == "Bearer k"
    assert asked.body == {"model": "m", "query": "where is the key?", "documents": TEXTS}


def test_an_address_without_a_model_is_asked_as_tei_is(serve: Callable[..., Server]) -> None:
    server = serve([{"index": 1, "score": 0.99}, {"index": 0, "score": 0.5}])
    reranker = load_reranker(f"{server.url}/rerank", environ={})
    assert reranker is not None and reranker.name == "127.0.0.1"
    assert list(reranker.scores("key?", TEXTS[:2])) == [0.5, 0.99]
    assert server.requests[0].body == {"query": "key?", "texts": TEXTS[:2], "truncate": True}
    assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize(
    "answer, said",
    [
        (Status(503), "answered 503"),
        (Broken(), "broke off"),
        (Silent(), "timed out"),
        (Status(200, body=b"not json"), "not JSON"),
        (Status(302, {"Location": "http://localhost:1/"}), "answered 302"),
        ({"error": "no such model"}, "did not answer with scores: KeyError"),
        (7, "did not answer with scores: TypeError"),
        ({"results": [{"index": 0}]}, "did not answer with scores: KeyError"),
        ({"results": [{"index": 0, "score": "high"}]}, "did not answer with scores: ValueError"),
        ({"results": ROWS[:2]}, "2 scores for 3 texts"),
        ({"results": [*ROWS, ROWS[0]]}, "4 scores for 3 texts"),
        ({"results": [{**row, "index": row["index"] + 1} for row in ROWS]}, "3 scores for 3 texts"),
    ],
)
def test_a_bad_answer_is_a_clear_error(serve: Callable[..., Server], answer: Any, said: str) -> None:
    server = serve(answer)
    with pytest.raises(ModelError, match=said):
        RemoteReranker(server.url, "m", timeout_s=0.2 if answer == Silent() else 5).scores("key?", TEXTS)


def test_none_is_no_reranker() -> None:
    assert load_reranker("none") is None


@pytest.mark.parametrize(
    "setting, said",
    [
        ("default", "unknown reranker 'default'; use none, URL#MODEL"),
        ("sentence-transformers:", "unknown reranker"),
        ("onnx:", "unknown reranker"),
        ("http://localhost:8080", "give the whole address"),
        ("http://localhost:8080/#m", "give the whole address"),
        ("http:///rerank#m", "give the whole address"),
        ("https://key@host/rerank#m", "TOLDONCE_RERANKER_KEY"),
        ("onnx:/nowhere", "pip install onnxruntime|has no model.onnx"),
    ],
)
def test_a_wrong_setting_says_what_to_write(setting: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        load_reranker(setting)


class Loading:
    """Counts how often a model on this machine is loaded, and scores texts by their length."""

    def __init__(self, *, labels: int = 1) -> None:
        self.times = 0
        self._labels = labels

    def __call__(self) -> Callable[[str, Sequence[str]], Any]:
        self.times += 1
        return lambda question, texts: [[float(len(text))] * self._labels for text in texts]


def test_a_model_on_this_machine_is_loaded_once_and_only_when_asked() -> None:
    loading = Loading()
    reranker = LocalReranker("lengths", loading)
    assert (loading.times, reranker.local) == (0, True)
    assert list(reranker.scores("key?", TEXTS)) == [4.0, 7.0, 14.0]
    reranker.scores("key?", TEXTS)
    assert loading.times == 1


def test_a_model_with_several_numbers_for_a_pair_is_no_reranker() -> None:
    with pytest.raises(ModelError, match="the reranker nli answered 9 scores for 3 texts"):
        LocalReranker("nli", Loading(labels=3)).scores("key?", TEXTS)


def test_a_model_that_cannot_be_loaded_is_a_clear_error() -> None:
    def load() -> Any:
        raise OSError("the file says: Alex lives in Lisbon")

    with pytest.raises(ModelError, match="the reranker gone cannot be used: OSError$"):
        LocalReranker("gone", load).scores("key?", TEXTS)


WORDS = "[PAD] [UNK] [CLS] [SEP] where is the key it hangs here".split()


def test_question_and_text_are_two_segments_of_one_sequence() -> None:
    pieces = WordPiece({word: number for number, word in enumerate(WORDS)})
    tokens, segments = pieces.pair("Where is the key", "It hangs here", limit=64)
    assert [WORDS[token] for token in tokens] == "[CLS] where is the key [SEP] it hangs here [SEP]".split()
    assert segments == [0] * 6 + [1] * 4


def test_a_pair_never_passes_its_limit_and_cuts_the_text_first() -> None:
    pieces = WordPiece({word: number for number, word in enumerate(WORDS)})
    tokens, segments = pieces.pair("where is", "it hangs here " * 50, limit=12)
    assert len(tokens) == len(segments) == 12 and segments.count(0) == 4 and tokens[-1] == WORDS.index("[SEP]")
    both, parts = pieces.pair("where is the key " * 50, "it hangs here", limit=12)
    assert len(both) <= 12 and parts.count(0) == 6 and "hangs" in [WORDS[token] for token in both]
