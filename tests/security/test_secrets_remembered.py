"""What was redacted once for a person is redacted in what they say later; nothing but keyed digests is kept of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import OpenMemory
from toldonce import Memory
from toldonce.capture.secrets.remembered import KnownSecrets, SecretWords, describe_secret, digest_secret

TOLD = "My garage code is 4408."
ASKED = "Please forget my garage code 4408"


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant")


def texts(memory: Memory, user: str) -> list[str]:
    return sorted(record.text for record in memory.review.records(user))


def test_a_code_is_redacted_however_it_is_said_later(memory: Memory) -> None:
    first = memory.observe(TOLD, "ana")
    assert "4408" not in first.text  # type: ignore[union-attr]
    for later in (ASKED, "4408 does not work any more", "Was it (4408)?", "garage:4408!"):
        kept: Any = memory.observe(later, "ana")
        assert "4408" not in kept.text and "[REDACTED: pin]" in kept.text, kept.text
        assert kept.notices == ("secret: pin (1)",)
    assert all("4408" not in hit.record.text for hit in memory.recall("garage", "ana"))


def test_messages_of_one_call_know_of_each_other(memory: Memory) -> None:
    kept: Any = memory.observe_many([{"text": TOLD, "user": "ana"}, {"text": ASKED, "user": "ana"}])
    assert all("4408" not in record.text for record in kept)


def test_what_stands_beside_a_message_is_looked_at_too(memory: Memory) -> None:
    memory.observe("the wifi password is Sunflower22", "ana")
    kept: Any = memory.observe("as I said", "ana", metadata={"note": ["again Sunflower22"]})
    assert "Sunflower22" not in str(kept.metadata)


def test_statements_and_corrections_know_what_messages_said(memory: Memory) -> None:
    memory.observe(TOLD, "ana")
    kept = memory.remember("Ana opens the garage with 4408", user="ana", title="garage 4408")
    assert "4408" not in kept.text + kept.title
    newer = memory.correct(memory.remember("The garage is blue", user="ana").id, "The garage needs 4408", user="ana")
    assert "4408" not in newer.text


def test_messages_know_what_statements_said(memory: Memory) -> None:
    memory.remember("The garage code is 4408", user="ana")
    assert "4408" not in memory.observe(ASKED, "ana").text  # type: ignore[union-attr]


def test_words_of_a_passphrase_are_known_in_their_order(memory: Memory) -> None:
    memory.observe("encryption_key='violet harbour lantern'", "ana")
    again: Any = memory.observe("is it violet-harbour-lantern or not", "ana")
    other: Any = memory.observe("a lantern in a violet harbour", "ana")
    assert "violet" not in again.text and "violet harbour" in other.text


def test_other_people_say_what_they_like(memory: Memory) -> None:
    memory.observe(TOLD, "ana")
    assert memory.observe("Room 4408 is free", "bea").text == "Room 4408 is free"  # type: ignore[union-attr]


def test_a_year_is_a_year_where_nobody_speaks_of_a_code(memory: Memory) -> None:
    memory.observe("My garage code is 1987.", "ana")
    assert "1987" in memory.observe("I was born in Faro in 1987", "ana").text  # type: ignore[union-attr]
    assert "1987" not in memory.observe("Forget the garage code 1987", "ana").text  # type: ignore[union-attr]


def test_who_is_erased_leaves_no_digest(memory: Memory) -> None:
    memory.observe(TOLD, "ana")
    memory.observe(TOLD, "bea")
    assert memory.store.read(lambda t: len(t.people.list_secret_digests("ana", now=memory.clock()))) == 1
    assert memory.erase(user="ana").is_complete
    assert memory.store.read(lambda t: t.people.list_secret_digests("ana", now=memory.clock())) == {}
    assert memory.store.read(lambda t: len(t.people.list_secret_digests("bea", now=memory.clock()))) == 1
    assert "4408" in memory.observe("Room 4408 is free", "ana").text  # type: ignore[union-attr]


def test_nothing_that_is_kept_says_the_secret(open_memory: OpenMemory, backend: str) -> None:
    memory = open_memory("assistant")
    memory.observe("the wifi password is Sunflower22", "ana")
    memory.observe("try Sunflower22 again", "ana")
    if backend == "sqlite":
        place = Path(memory.store.place)
        raw = b"".join(file.read_bytes() for file in place.parent.iterdir() if file.name.startswith(place.name))
        assert b"unflower22" not in raw.lower()
    held = memory.store.read(lambda t: t.people.list_secret_digests("ana", now=memory.clock()))
    assert list(held.values()) == ["1 password"]


def test_a_digest_depends_on_key_and_person() -> None:
    keys = ("00" * 32, "11" * 32)
    made = {digest_secret(["4408"], key=key, person=person) for key in keys for person in ("ana", "bea")}
    assert len(made) == 4


def test_marks_stay_as_they_are() -> None:
    secret = SecretWords("password", ("password1",))
    digest = digest_secret(secret.words, key="00" * 32, person="ana")
    known = KnownSecrets("ana", key="00" * 32, described={digest: describe_secret(secret)})
    once, _ = known.redact_text("say password1 [REDACTED: password]")
    assert once == "say [REDACTED: password] [REDACTED: password]" and known.redact_text(once) == (once, [])
    assert "password1" not in repr(secret)
