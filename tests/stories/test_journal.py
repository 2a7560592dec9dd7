"""A journal is a source of knowledge beside conversations: dated notes, kept once, replaced when they are edited."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory
from toldonce.errors import InputError
from toldonce.records import Record


@pytest.fixture
def life(open_memory: OpenMemory) -> Memory:
    return open_memory("life")


def known_texts(memory: Memory, user: str = "ana") -> list[str]:
    """What was drawn from messages and holds now."""
    return [record.text for record in memory.review.records(user, derived=True, limit=500)]


def entries_of(memory: Memory, user: str = "ana") -> list[Record]:
    found = memory.review.records(user, origins=["journal"], limit=500)
    return [record for record in found if record.conversation]


def test_a_note_becomes_knowledge_of_its_day(life: Memory) -> None:
    written = life.journals.write(
        "dormi mal. comecei a correr de novo com a Clara!\n\n# Work\nI quit my job at the bank yesterday",
        user="ana",
        on="2025-03-02",
    )
    assert (written.on, len(written.new), written.replaced) == ("2025-03-02", 2, 0)
    life.tend()
    record = next(r for r in life.review.records("ana", derived=True, limit=100) if "bank" in r.text)
    assert (record.origin, record.at.date()) == ("journal", date(2025, 3, 2))
    source = life.get(record.sources[0], user="ana")
    assert source.metadata["journal"]["date"] == "2025-03-02"
    assert source.metadata["journal"]["section"] == "Work"
    assert (source.user, source.origin, source.at) == ("ana", "journal", datetime(2025, 3, 2, 12, tzinfo=UTC))


def test_a_prompt_says_that_it_comes_from_the_journal(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.journals.write("I have a cat called Miso. I work at the bakery", user="ana", on="2025-03-02")
    memory.tend()
    assert "journal, Mar 2, 2025" in memory.context("what about my cat and my work at the bakery?", "ana").text


def test_the_same_note_comes_once(life: Memory) -> None:
    for _ in range(2):
        written = life.journals.write("Walked along the river", user="ana", on="2025-03-02", name="2025-03-02.md")
    assert (written.new, written.here) == ((), 1)
    assert len(entries_of(life)) == 1


def test_half_of_an_emoji_is_replaced(life: Memory) -> None:
    (entry,) = life.journals.write("# Tea \ud83d\nwith Rui \ud83d", user="ana", on="2026-03-01").new
    record = life.get(entry)
    assert record.text.startswith("with Rui") and f"{record.text}{record.metadata}".isprintable()


def test_a_long_entry_stays_when_the_same_note_comes_again(life: Memory) -> None:
    text = " ".join(f"Walked by the river and read about ship number {n}." for n in range(5_000))
    for expected in (0, 1, 1):
        written = life.journals.write(text, user="ana", on="2026-03-01", name="2026-03-01.md")
        assert (written.here, written.replaced) == (expected, 0)
        assert any("number 4999." in hit.record.text for hit in life.recall("ship number 4999", user="ana"))
    life.journals.write("all gone", user="ana", on="2026-03-01", name="2026-03-01.md")
    assert not any("number" in hit.record.text for hit in life.recall("ship number 4999", user="ana"))


def test_an_edited_note_replaces_what_it_said_before(life: Memory) -> None:
    note = "---\ndate: 2025-03-02\n---\n# Home\nI live in Braga\n\n# Food\nI am vegetarian\n"
    life.journals.write(note, user="ana", name="march.md")
    life.tend()
    assert any("Braga" in text for text in known_texts(life))
    written = life.journals.write(note.replace("Braga", "Porto"), user="ana", name="march.md")
    assert (len(written.new), written.here, written.replaced) == (1, 1, 1)
    life.tend()
    texts = known_texts(life)
    assert any("Porto" in text for text in texts)
    assert not any("Braga" in text for text in texts)
    assert any("vegetarian" in text for text in texts)


def test_a_note_that_is_edited_back_says_again_what_it_said(life: Memory) -> None:
    for place in ("Braga", "Porto", "Braga"):
        written = life.journals.write(f"I live in {place}", user="ana", on="2025-03-02", name="home.md")
        life.tend()
    assert (len(written.new), written.replaced) == (1, 1)
    assert [entry.text for entry in entries_of(life)] == ["I live in Braga"]
    assert any("Braga" in text for text in known_texts(life))


def test_what_a_person_confirmed_outlives_an_edit(life: Memory) -> None:
    life.journals.write("I am vegetarian", user="ana", on="2025-03-02", name="a.md")
    life.tend()
    fact = next(r for r in life.review.records("ana", derived=True) if "vegetarian" in r.text)
    life.confirm(fact.id, user="ana")
    life.journals.write("Nothing new today, just rain", user="ana", on="2025-03-02", name="a.md")
    assert life.get(fact.id, user="ana").state == "active"


def test_what_a_person_forgot_does_not_come_back_with_the_same_note(life: Memory) -> None:
    life.journals.write("I hate mondays", user="ana", on="2025-03-02", name="a.md")
    life.forget(entries_of(life)[0].id, user="ana")
    life.journals.write("I hate mondays", user="ana", on="2025-03-02", name="a.md")
    assert entries_of(life) == []


def test_a_forgotten_note_takes_what_was_drawn_from_it_alone(life: Memory) -> None:
    life.journals.write("I live in Braga", user="ana", on="2025-03-02", name="a.md")
    life.journals.write("I am vegetarian", user="ana", on="2025-03-03", name="b.md")
    life.tend()
    assert [note.name for note in life.journals.notes(user="ana")] == ["b.md", "a.md"]
    assert life.journals.forget("a.md", user="ana") >= 2
    assert not any("Braga" in text for text in known_texts(life))
    assert any("vegetarian" in text for text in known_texts(life))
    assert life.journals.forget("a.md", user="ana") == 0


def test_notes_without_a_name_add_up(life: Memory) -> None:
    life.journals.write("rain all day", user="ana", on="2025-03-02")
    written = life.journals.write("mañana empiezo a correr", user="ana", on="2025-03-02")
    assert (len(written.new), written.replaced) == (1, 0)
    assert len(entries_of(life)) == 2


def test_a_preview_stores_nothing(life: Memory) -> None:
    told = life.journals.write("I live in Braga", user="ana", on="2025-03-02", name="a.md", preview=True)
    assert (len(told.new), told.is_preview) == (1, True)
    assert entries_of(life) == []


def test_nobody_else_reads_a_journal(life: Memory) -> None:
    life.journals.write("I live in Braga", user="ana", on="2025-03-02", name="a.md")
    life.tend()
    assert life.journals.notes(user="rui") == []
    assert life.recall("Braga", "rui") == []
    assert life.journals.forget("a.md", user="rui") == 0
    assert len(entries_of(life)) == 1


def test_an_erased_person_has_no_journal_left(life: Memory) -> None:
    life.journals.write("I live in Braga", user="ana", on="2025-03-02", name="a.md")
    life.erase(user="ana")
    assert life.journals.notes(user="ana") == []
    assert life.journals.write("I live in Braga", user="ana", on="2025-03-02", name="a.md").new == ()


def test_writing_a_journal_does_not_end_a_conversation(life: Memory) -> None:
    first = life.observe("hi, can we plan dinner?", "ana", session="chat")
    life.journals.write("I live in Braga", user="ana", on="2025-03-02")
    second = life.observe("something with beans", "ana", session="chat")
    assert isinstance(first, Record) and isinstance(second, Record)
    assert first.conversation == second.conversation


def test_today_is_the_day_of_a_note_that_names_none(life: Memory, clock: ManualClock) -> None:
    assert life.journals.write("Slept well", user="ana").on == clock.now.date().isoformat()
    assert all(entry.at <= clock.now for entry in entries_of(life))


@pytest.mark.parametrize(
    ("write", "told"),
    [
        (lambda m: m.journals.write("x", user="ana", on="someday"), "on must be a day like"),
        (lambda m: m.journals.write("x", user="ana", on="2031-01-01"), "lies ahead"),
        (lambda m: m.journals.write(7, user="ana"), "needs text as a text"),
        (lambda m: m.journals.write("x", user=None), "say whose journal it is"),
    ],
)
def test_bad_input_says_what_is_wanted(life: Memory, write: Callable[[Memory], object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        write(life)
