"""An embedder behind an address refuses one of two hundred texts: what its owner sees, and does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from click.testing import CliRunner

from tests.conftest import OpenMemory
from tests.scripted import Embedding, embedding
from toldonce import Memory
from toldonce.cli.main import cli
from toldonce.models.minilm import MiniLM

LIMIT = 300
BLOB = "Gate code archive: " + "Zx9" * 200


@pytest.fixture
def server() -> Iterator[Embedding]:
    """The model inside the package behind HTTP, with a limit on how long a text may be."""
    model = MiniLM()

    def answer(body: dict[str, Any]) -> tuple[int, Any]:
        if any(len(text) > LIMIT for text in body["input"]):
            return 413, {"error": "input too long"}
        rows = model.embed(body["input"]).tolist()
        return 200, {"data": [{"index": n, "embedding": row} for n, row in enumerate(rows)]}

    with embedding() as server:
        server.answer = answer
        yield server


def doctor(place: str, setting: str) -> list[str]:
    said = CliRunner().invoke(cli, ["doctor", "--json", "--place", str(place)], env={"TOLDONCE_EMBEDDER": setting})
    return [found["text"] for found in json.loads(said.stdout)["findings"] if found["check"] == "vectors"]


def by_meaning(memory: Memory, question: str) -> list[str]:
    """What vectors alone bring near."""
    hits = memory.recall(question, "alex", limit=5)
    return [hit.record.text for hit in hits if any(signal.name == "vectors" for signal in hit.why.signals)]


def test_one_refused_text_keeps_no_other_from_being_found(
    server: Embedding, open_memory: OpenMemory, find_place: Callable[[str], str]
) -> None:
    setting = f"{server.url}#minilm"
    memory = open_memory("assistant", embedder=setting)
    texts = [f"Parcel {n} went to shelf {n % 7}" for n in range(199)]
    texts[20], texts[180] = "The kitten sleeps on the sofa", "We fixed the roof of the barn"
    memory.observe_many({"text": text, "user": "alex", "session": "s"} for text in texts[:100])
    blob = memory.remember(BLOB, user="alex")
    memory.observe_many({"text": text, "user": "alex", "session": "s"} for text in texts[100:])

    (run,) = [run for run in memory.tend() if run.name == "embed"]
    assert dict(run.counts) == {"embedded": 199, "refused": 1}
    assert "The kitten sleeps on the sofa" in by_meaning(memory, "where does the young cat nap?")
    assert "We fixed the roof of the barn" in by_meaning(memory, "repairs of the farm building")
    found = [hit.record.id for hit in memory.recall("What is in the gate code archive?", "alex")]
    assert blob.id in found, "its words still find it"

    told = doctor(find_place("memory.db"), setting)[0]
    assert told.startswith("1 record was refused by minilm") and blob.id in told and "toldonce correct" in told
    assert "Zx9" not in told

    newer = memory.correct(blob.id, "The gate code is kept in the blue safe")
    (run,) = [run for run in memory.tend() if run.name == "embed"]
    assert dict(run.counts) == {"embedded": 1}
    assert newer.text in by_meaning(memory, "how do I open the entrance to the yard?")
    assert (memory.jobs.refused_vectors(), memory.stats()["refused a vector"]) == ([], 0)
    assert doctor(find_place("memory.db"), setting) == ["no record waits; the embedder is minilm"]


def test_a_refused_message_comes_before_its_neighbours_when_it_holds_the_words(
    server: Embedding, open_memory: OpenMemory
) -> None:
    memory = open_memory("assistant", embedder=f"{server.url}#minilm")
    texts = [f"Parcel {n} went to shelf {n % 7}" for n in range(60)]
    texts[30] = BLOB
    memory.observe_many({"text": text, "user": "alex", "session": "s"} for text in texts)
    memory.tend()
    assert len(memory.jobs.refused_vectors()) == 1
    assert memory.recall("What is in the gate code archive?", "alex")[0].record.text == BLOB
