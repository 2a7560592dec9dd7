"""A sealed memory: the server stores and finds what it cannot read."""

from __future__ import annotations

import base64
import logging
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import OpenMemory
from tests.scripted import embedding
from tests.server.serving import Serving
from toldonce import Memory, Record, open_sealed
from toldonce.client import RemoteMemory
from toldonce.errors import InputError, KeyReused, NotAllowed, RecordNotFound, SpaceNotFound, WrongKey
from toldonce.models.load import load_embedder
from toldonce.models.remote import RemoteEmbedder
from toldonce.operations.routes import ROUTES
from toldonce.operations.sealed import SealedItem
from toldonce.sealed_memory import SealedMemory
from toldonce.storage.encryption import random_key

KEY = random_key()
TEXTS = ("My grandmother's kayak is called Quetzalcoatl", "The dentist is on Thursday", "Bruno is allergic to peanuts")


def open_for(server: Serving, person: str | None = "alex", key: str = KEY, **given: Any) -> SealedMemory:
    return open_sealed(server.url, server.key(str(person), user=person, **given), sealed_with=key)


def test_what_is_sealed_is_recalled_by_its_meaning_and_opened_here(server: Serving) -> None:
    with open_for(server) as memory:
        kept = [memory.remember(text, user="alex", tags=("a",), metadata={"n": 1}) for text in TEXTS]
        hits = memory.recall("what must Bruno not eat?", "alex", limit=2)
        assert hits[0].record == kept[2]
        assert len(hits) == 2 and hits[0].score > hits[1].score
        assert [r.text for r in (memory.get(kept[0].id, user="alex"),)] == [TEXTS[0]]
        assert memory.stats(user="alex")["kinds"] == {"sealed": {"active": 3}}
    with open_for(server) as again:
        assert again.recall("a boat of the family", "alex", limit=1)[0].record.text == TEXTS[0]
        assert again.recall("kayak", "alex", kinds=["event"]) == []


def test_a_message_that_comes_again_with_its_key_is_sealed_once(server: Serving) -> None:
    with open_for(server) as memory:
        first = memory.observe(TEXTS[0], "alex", idempotency_key="k1")
        assert isinstance(first, Record) and memory.observe(TEXTS[0], "alex", idempotency_key="k1") == first
        assert memory.stats(user="alex")["kinds"] == {"sealed": {"active": 1}}
        with pytest.raises(KeyReused):
            memory.observe(TEXTS[1], "alex", idempotency_key="k1")
        memory.forget(first.id, user="alex")
        assert not memory.observe(TEXTS[0], "alex", idempotency_key="k1")
        assert memory.stats(user="alex")["kinds"] == {"sealed": {"active": 0}}


def test_nothing_of_the_text_reaches_the_server(
    server: Serving, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), open_for(server) as memory:
        memory.remember(TEXTS[0], user="alex", title="Quetzalcoatl", metadata={"boat": "Quetzalcoatl"})
        memory.observe("Quetzalcoatl needs new paint", "alex", session="s1")
        memory.recall("Quetzalcoatl", "alex")
        memory.context("Quetzalcoatl", "alex")
    server.memory.storage.backup(tmp_path / "copy.db")
    files = [Path(path) for path in server.memory.store.files()] + [tmp_path / "copy.db"]
    raw = b"".join(path.read_bytes() for path in files if path.exists())
    assert b"sealed_" in raw
    for plain in (b"Quetzalcoatl", b"kayak", b"paint"):
        assert plain not in raw
        assert plain not in caplog.text.encode()


def test_the_server_shows_counts_and_boxes_alone(server: Serving) -> None:
    with open_for(server) as memory:
        memory.remember(TEXTS[0], user="alex")
    assert server.memory.recall("kayak Quetzalcoatl", "alex") == []
    count = server.memory.sealed.count(user="alex")[0]
    assert (count.items, count.own, count.bytes % 256) == (1, True, 28)
    assert KEY.removeprefix("hex:") not in repr(server.memory.sealed.all(user="alex"))


def test_a_prompt_block_is_built_here_within_its_budget(server: Serving) -> None:
    with open_for(server) as memory:
        for text in TEXTS:
            memory.remember(text, user="alex")
        block = memory.context("What is Bruno allergic to?", "alex", budget=200)
        assert "peanuts" in block.text and block.tokens <= 200


def test_another_key_is_refused_with_a_clear_error(server: Serving) -> None:
    with open_for(server) as memory:
        memory.remember(TEXTS[0], user="alex")
    with open_for(server, key="another passphrase") as other:
        with pytest.raises(WrongKey, match="another key"):
            other.recall("kayak", "alex")
        with pytest.raises(WrongKey, match="another key"):
            other.remember("more", user="alex")
    with open_for(server, "maria", key="another passphrase") as maria:
        assert maria.recall("kayak", "maria") == []
        assert maria.remember("mine", user="maria").text == "mine"


def test_a_passphrase_opens_it_on_another_machine(server: Serving) -> None:
    with open_for(server, key="correct horse battery") as memory:
        memory.remember(TEXTS[1], user="alex")
    with open_for(server, key="correct horse battery") as again:
        assert again.recall("appointments", "alex")[0].record.text == TEXTS[1]


def test_a_box_that_was_changed_or_moved_is_not_opened(server: Serving) -> None:
    with open_for(server) as memory:
        kept = memory.remember(TEXTS[0], user="alex")
        item = server.memory.sealed.get(kept.id)
        assert item is not None
        moved = SealedItem(
            id="sealed_other", seal=item.seal, model=item.model, box=item.box, vector=item.vector, user="alex"
        )
        server.memory.sealed.put([moved])
        with pytest.raises(WrongKey, match="was changed"):
            memory.get("sealed_other", user="alex")


def test_vectors_stand_under_the_same_access_rules(server: Serving) -> None:
    with open_for(server) as memory:
        private = memory.remember(TEXTS[0], user="alex")
        shared = memory.remember(TEXTS[1], user="alex", visibility="project")
    with open_for(server, "maria") as maria:
        assert [h.record.id for h in maria.recall("kayak or dentist", "maria")] == [shared.id]
        with pytest.raises(RecordNotFound):
            maria.get(private.id, user="maria")
        with pytest.raises(NotAllowed):
            maria.forget(shared.id, user="maria")
        with pytest.raises(NotAllowed, match="somebody else"):
            maria.recall("kayak", "alex")
    server.memory.spaces.add("work")
    with open_for(server, "alex", spaces=["work"]) as limited, pytest.raises((SpaceNotFound, NotAllowed)):
        limited.recall("kayak", "alex", space="main")


def test_forgetting_destroys_and_export_opens_everything(server: Serving, tmp_path: Path) -> None:
    with open_for(server) as memory:
        kept = [memory.remember(text, user="alex") for text in TEXTS]
        assert memory.forget(kept[0].id, user="alex").text == TEXTS[0]
        assert server.memory.sealed.get(kept[0].id) is None
        memory.export(tmp_path / "mine.jsonl", user="alex")
    with Memory.open(tmp_path / "other.db", "assistant", embedder=None, background=False) as local:
        local.import_(tmp_path / "mine.jsonl")
        assert {r.text for r in local.review.records("alex")} == set(TEXTS[1:])


def test_an_erased_person_leaves_no_sealed_item(server: Serving, tmp_path: Path) -> None:
    with open_for(server) as memory:
        memory.remember(TEXTS[0], user="alex")
        server.memory.export(tmp_path / "before.jsonl", user="alex")
        receipt = memory.erase(user="alex")
        assert receipt.is_complete
    assert server.memory.sealed.count() == []
    server.memory.import_(tmp_path / "before.jsonl")
    assert server.memory.sealed.count() == []


def test_an_export_of_the_server_carries_the_boxes(server: Serving, tmp_path: Path) -> None:
    with open_for(server) as memory:
        memory.remember(TEXTS[0], user="alex")
    server.memory.export(tmp_path / "all.jsonl")
    with Memory.open(tmp_path / "other.db", "assistant", embedder=None, background=False) as other:
        other.import_(tmp_path / "all.jsonl")
        assert other.sealed.all() == server.memory.sealed.all()


def test_what_needs_the_text_on_the_server_is_refused(server: Serving) -> None:
    with open_for(server) as memory:
        with pytest.raises(NotAllowed, match="settle does not work with a sealed memory"):
            memory.settle(session="s1")
        with pytest.raises(NotAllowed, match=r"review\.records does not work"):
            memory.review.records("alex")
        with pytest.raises(InputError, match="pinned"):
            memory.remember("x", user="alex", pinned=True)
        own = {"remember", "observe", "recall", "context", "get", "forget", "export", "stats"}
        for name in ROUTES:
            is_remote = getattr(SealedMemory, name, None) is getattr(RemoteMemory, name, None)
            assert "." in name or name in own or name == "erase" or not is_remote, name


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"box": "no base64!"}, "base64"),
        ({"vector": ""}, "numbers"),
        ({"vector": base64.b64encode(b"\0\0" * 8).decode()}, "unit length"),
        ({"box": ""}, "bytes"),
        ({"id": ""}, "id"),
        ({"visibility": "everyone"}, "visibility"),
        ({"seal": "s" * 300}, "seal"),
    ],
)
def test_an_item_that_cannot_be_right_is_refused(open_memory: OpenMemory, changes: dict[str, str], told: str) -> None:
    memory: Memory = open_memory("assistant")
    given = {"id": "i", "seal": "s", "model": "m", "box": "Ym94", "vector": "ADwAAAAAAAA=", **changes}
    with pytest.raises(InputError, match=told):
        memory.sealed.put([SealedItem(**given)])  # type: ignore[arg-type]
    assert memory.sealed.count() == []


def test_without_keys_it_says_what_is_missing(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOLDONCE_SEAL_KEY", raising=False)
    with pytest.raises(InputError, match="sealed_with"):
        open_sealed(server.url, "tk_x")
    with pytest.raises(InputError, match="api_key"):
        open_sealed(server.url, sealed_with=KEY)


def test_another_embedder_makes_new_vectors_and_nothing_vanishes(
    server: Serving, caplog: pytest.LogCaptureFixture
) -> None:
    with open_for(server) as memory, open_for(server, "maria") as maria:
        kept = [memory.remember(text, user="alex") for text in TEXTS]
        shared = maria.remember("The regatta is in June", user="maria", visibility="project")
    key = server.key("alex", user="alex")
    with embedding() as service:
        service.answer = vectors_of_topics
        other = load_embedder(f"{service.url}#ollama", environ={})
        assert other is not None and not other.local
        with open_sealed(server.url, key, sealed_with=KEY, embedder=other) as again:
            hits = again.recall("dentist", "alex", limit=1)
            assert [hit.record.id for hit in hits] == [kept[1].id]
            assert len(again.recall("dentist", "alex", limit=10)) == 3
        assert {i.model for i in server.memory.sealed.all(user="alex") if i.user == "alex"} == {"ollama"}
    assert "3 sealed items" in caplog.text and "1 sealed items of others" in caplog.text
    with open_for(server) as back:
        assert back.recall("a boat of the family", "alex", limit=1)[0].record.text == TEXTS[0]
        assert {hit.record.id for hit in back.recall("June", "alex")} == {*(k.id for k in kept), shared.id}


def vectors_of_topics(body: dict[str, Any]) -> tuple[int, Any]:
    words = ("kayak", "dentist", "peanuts")
    rows = [[0.1, *(float(word in text.lower()) for word in words)] for text in body["input"]]
    return 200, {"data": [{"index": place, "embedding": row} for place, row in enumerate(rows)]}


def test_only_who_sealed_an_item_gives_it_a_new_vector(server: Serving) -> None:
    with open_for(server) as memory:
        kept = memory.remember(TEXTS[0], user="alex", visibility="project")
    item = server.memory.sealed.get(kept.id)
    assert item is not None
    forged = {"id": item.id, "seal": item.seal, "model": "other", "box": "Ym94", "vector": item.vector}
    assert server.of("maria").post("/v1/sealed", json={"items": [forged]}).status_code == 200
    assert server.memory.sealed.get(kept.id) == item


@pytest.mark.parametrize(
    "url, is_here",
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://localhost:11434/v1", True),
        ("http://[::1]:11434/v1", True),
        ("http://127.0.0.1.example.org/v1", False),
        ("http://192.168.1.4:11434/v1", False),
        ("https://api.example.org/v1", False),
    ],
)
def test_texts_go_to_an_embedder_of_this_machine_alone(server: Serving, url: str, is_here: bool) -> None:
    key = server.key("alex", user="alex")
    embedder = RemoteEmbedder(url, "nomic-embed-text")
    if is_here:
        open_sealed(server.url, key, sealed_with=KEY, embedder=embedder).close()
    else:
        with pytest.raises(InputError, match="this machine"):
            open_sealed(server.url, key, sealed_with=KEY, embedder=embedder)
