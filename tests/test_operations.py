"""What hosts do with a memory beside people: lists of records, documents of their own, settling done elsewhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect import Document
from recollect.coding.drafting import draft_modules
from recollect.distil.drafts import ModuleSketch
from recollect.errors import NotAllowed
from recollect.records import DocumentEntry
from tests.conftest import ManualClock, OpenMemory
from tests.scripted import scripted


def test_records_are_listed_newest_first_by_kind_and_metadata(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life")
    for text, area in (("Alex runs", "health"), ("Alex saves", "finance"), ("Alex swims", "health")):
        memory.remember(text, user="alex", metadata={"area": area})
        clock.pass_time(minutes=1)
    memory.remember("Sam sleeps", user="sam", metadata={"area": "health"})
    assert [r.text for r in memory.review.records("alex", where={"area": "health"})] == ["Alex swims", "Alex runs"]
    assert [r.text for r in memory.review.records("alex", limit=1)] == ["Alex swims"]
    assert memory.review.records("alex", kinds=["preference"]) == []


def test_a_document_is_changed_in_place_or_gets_a_new_version(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")

    def with_line(text: str, *, step: int) -> None:
        def change(document: Document) -> Document:
            entries = (*document.entries, DocumentEntry(section="x", text=text))
            return replace(document, version=document.version + step, entries=entries)

        memory.documents.change("board", change)

    assert memory.documents.get("board") is None
    with_line("one", step=1)
    with_line("two", step=0)
    with_line("three", step=1)
    found = memory.documents.get("board")
    assert found is not None and (found.version, [e.text for e in found.entries]) == (2, ["one", "two", "three"])
    versions = memory.store.read(lambda t: t.documents.all(None))
    assert [(d.version, len(d.entries)) for d in versions] == [(1, 2), (2, 3)]
    assert memory.documents.change("board", lambda _: None) is None


def test_a_writer_is_paid_again_only_after_its_change_of_a_document_was_stored(open_memory: OpenMemory) -> None:
    sketch = ModuleSketch(module="cart", folder="cart/")
    with scripted() as server:
        memory = open_memory("coding", writer=server.writer)
        for _ in range(2):
            writer = memory.engine.writer_for()
            draft_modules(writer, [sketch])
        assert server.calls["modules"] == 1
        memory.documents.change("board", lambda d: replace(d, version=d.version + 1), writer=writer)
        draft_modules(memory.engine.writer_for(), [sketch])
        assert server.calls["modules"] == 2


def test_a_newer_record_replaces_an_older_one_where_the_kind_says_replace(open_memory: OpenMemory) -> None:
    memory = open_memory("companion")
    older, newer = (memory.remember(text, "fact", user="alex") for text in ("The cup is red", "The mug is blue"))
    after = memory.review.supersede(older.id, newer.id, reason="it was painted")
    assert (after.state, after.superseded_by, after.state_reason) == ("superseded", newer.id, "it was painted")
    other = memory.remember("The cup of Sam is green", "fact", user="sam")
    for wrong in (newer.id, other.id):
        with pytest.raises(NotAllowed, match="two records of one person"):
            memory.review.supersede(newer.id, wrong)


def test_a_session_that_was_settled_elsewhere_is_not_settled_again(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant")
    memory.observe("I moved to Lisbon", user="alex", session="s1")
    assert [c.session for c in memory.sessions.unsettled(session="s1")] == ["s1"]
    assert memory.sessions.mark_settled("s1") == 1
    clock.pass_time(days=1)
    memory.tend()
    assert memory.sessions.unsettled() == [] and memory.review.records("alex", kinds=["fact"]) == []
    assert memory.sessions.mark_settled("s1") == 0


def test_what_a_session_was_shown_is_known_to_other_processes(open_memory: OpenMemory) -> None:
    one, other = open_memory("coding"), open_memory()
    one.sessions.mark_shown("s1", ["a"])
    other.sessions.mark_shown("s1", ["b"])
    assert one.sessions.shown("s1") == other.sessions.shown("s1") == {"a", "b"}
    assert one.sessions.shown("s2") == frozenset()


def test_switching_off_counts_at_once_in_other_processes(open_memory: OpenMemory) -> None:
    one, other = open_memory("assistant"), open_memory()
    assert not other.people.is_kept_out("alex")
    one.people.block("alex")
    assert other.people.is_kept_out("alex") and not other.people.is_kept_out("sam")
    one.spaces.switch(on=False)
    assert other.people.is_kept_out("sam") and other.people.is_kept_out()
