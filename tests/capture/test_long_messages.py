"""A message that is too long for one record is kept in parts, which are one message wherever that matters."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import START, OpenMemory
from toldonce import Memory, Record
from toldonce.capture.parts import split_long_text
from toldonce.errors import QuotaExceeded
from toldonce.presets.policy import Quota

PARAGRAPH = "The {n}th chapter tells of the lighthouse keeper. He counts ships, and writes each of them down.\n\n"


def long_text(
    chars: int = 1_000_000, *, middle: str = "", end: str = "The keeper's parrot is called Bartholomew."
) -> str:
    """A paste of that many characters with something to find in its middle and at its end."""
    paragraphs = [PARAGRAPH.format(n=n) for n in range(chars // len(PARAGRAPH))]
    paragraphs.insert(len(paragraphs) // 2, f"{middle}\n\n")
    return "".join(paragraphs) + end


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant")


def messages(memory: Memory) -> list[Record]:
    found = memory.store.read(lambda t: t.records.read_page(None, limit=1_000))
    return [record for _, record in found if record.conversation is not None]


@pytest.mark.parametrize("preset", ["community", "companion", "assistant", "life", "coding"])
def test_a_megabyte_is_kept_whole_and_found(open_memory: OpenMemory, preset: str) -> None:
    memory = open_memory(preset)
    text = long_text(middle="My cousin Wendeline sells quinces.")
    first = memory.observe(text, user="alex", session="s1", channel="c1")
    assert isinstance(first, Record)
    parts = messages(memory)
    assert first == parts[0] and len(parts) > 4
    assert "".join(part.text for part in parts) == text
    assert any("split: a long message" in notice for notice in first.notices)
    for asked, word in (("Wendeline quinces", "Wendeline"), ("Bartholomew parrot", "Bartholomew")):
        assert word in memory.recall(asked, user="alex", limit=3)[0].record.text


def test_parts_have_one_moment_and_name_their_place(memory: Memory) -> None:
    memory.observe(long_text(), user="alex", session="s1", metadata={"from": "mail"})
    parts = messages(memory)
    assert {(p.at, p.created_at, p.user, p.conversation, p.role) for p in parts} == {
        (START, START, "alex", parts[0].conversation, "user")
    }
    places = [p.metadata["message_part"] for p in parts]
    assert places == [{"number": n, "of": len(parts)} for n in range(1, len(parts) + 1)]
    assert {p.metadata["from"] for p in parts} == {"mail"}


def test_many_messages_give_one_record_each(memory: Memory) -> None:
    given_ = [{"text": text, "user": "alex", "session": "s1"} for text in ("before", long_text(), "after")]
    kept = memory.observe_many(given_)
    assert [isinstance(record, Record) for record in kept] == [True, True, True]
    assert messages(memory)[-1].text == "after"


def test_a_secret_across_the_border_of_two_parts_is_redacted(memory: Memory) -> None:
    """The limit of a part falls into the middle of the key, wherever exactly that is."""
    key = "AKIA" + "IOSFODNN7QXMPLZQ"
    limit = 200_000
    for shift in (0, 5, 10, 19):
        text = "x" * (limit - shift - 1) + " " + key + " " + "y" * limit
        memory.observe(text, user="alex", session=f"s{shift}")
    whole = "".join(part.text for part in messages(memory))
    assert key not in whole and key[4:] not in whole
    assert whole.count("[REDACTED:") == 4


def test_forgetting_and_restoring_a_part_does_it_to_the_message(memory: Memory) -> None:
    memory.observe(long_text(), user="alex", session="s1")
    middle = messages(memory)[2]
    memory.forget(middle.id)
    assert {part.state for part in messages(memory)} == {"forgotten"}
    assert memory.recall("parrot Bartholomew", user="alex") == []
    memory.restore(messages(memory)[0].id)
    assert {part.state for part in messages(memory)} == {"active"}
    memory.flag(middle.id)
    assert {part.state for part in messages(memory)} == {"flagged"}


def test_purging_a_part_destroys_the_message(memory: Memory) -> None:
    memory.observe("I have a boat", user="alex", session="s1")
    memory.observe(long_text(), user="alex", session="s1")
    memory.purge(messages(memory)[3].id)
    assert [part.text for part in messages(memory)] == ["I have a boat"]


def test_erasing_a_person_destroys_all_parts(memory: Memory) -> None:
    memory.observe(long_text(), user="alex", session="s1")
    memory.erase(user="alex")
    assert messages(memory) == []


def test_export_and_import_keep_the_parts_together(memory: Memory, open_memory: OpenMemory, tmp_path: Path) -> None:
    memory.observe(long_text(), user="alex", session="s1")
    memory.export(tmp_path / "all.jsonl")
    other = open_memory("assistant", file="other.db")
    other.import_(tmp_path / "all.jsonl")
    assert [part.text for part in messages(other)] == [part.text for part in messages(memory)]
    other.forget(messages(other)[1].id)
    assert {part.state for part in messages(other)} == {"forgotten"}


def test_in_the_window_a_message_in_parts_is_one(memory: Memory) -> None:
    for text in ("first", "second", long_text(), "third", "fourth"):
        memory.observe(text, user="alex", session="s1")
    window = memory.store.read(
        lambda t: t.search.read_window("main", session="s1", channel=None, now=START, limit=5, user="alex")
    )
    assert [record.text[:20] for record in window] == ["first", "second", long_text()[:20], "third", "fourth"]


def test_a_quota_counts_every_part(memory: Memory) -> None:
    memory.spaces.set_quota(Quota(records_per_person=3))
    with pytest.raises(QuotaExceeded):
        memory.observe(long_text(), user="alex", session="s1")
    assert messages(memory) == []


def test_a_long_message_is_settled(memory: Memory) -> None:
    memory.observe("I live in Lisbon.", user="alex", session="s1", display_name="Alex")
    memory.observe(long_text(), user="alex", session="s1", display_name="Alex")
    memory.settle(session="s1")
    assert [hit.record.text for hit in memory.recall("Lisbon", user="alex", kinds=["fact"])] == ["Alex lives in Lisbon"]


@given(st.text(alphabet="ab .\n!é", max_size=400), st.integers(4, 60))
def test_parts_put_together_are_the_text(text: str, most: int) -> None:
    parts = split_long_text(text, most=most)
    assert "".join(parts) == text
    assert all(0 < len(part) <= most for part in parts) or not text


def test_parts_end_at_paragraphs_then_sentences_then_words() -> None:
    assert split_long_text("One two.\n\nThree four. Five", most=14) == ["One two.\n\n", "Three four. ", "Five"]
    assert split_long_text("abcdefgh ijkl", most=10) == ["abcdefgh ", "ijkl"]
    assert split_long_text("abcdefghij", most=4) == ["abcd", "efgh", "ij"]
