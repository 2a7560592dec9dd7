"""What hosts do with a memory beside people: lists of records, documents of their own, settling done elsewhere."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.conftest import ManualClock, OpenMemory
from tests.scripted import scripted
from toldonce import Document
from toldonce.capture.remember import Statement
from toldonce.coding.drafting import draft_modules
from toldonce.distil.drafts import ModuleSketch
from toldonce.errors import InputError, NotAllowed, RecordNotFound
from toldonce.records import DocumentEntry, Record


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


def test_records_are_listed_and_counted_by_what_a_reader_chose(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life")
    runs = memory.remember("Alex runs", user="alex", metadata={"area": "health"}, origin="user_input", author="person")
    clock.pass_time(days=40)
    saves = memory.remember("Alex saves", user="alex", metadata={"area": "finance"}, origin="ai_inference")
    memory.remember("Sam swims", user="sam", metadata={"area": "health"})
    memory.observe("I had soup", user="alex", session="s1")
    memory.pin(saves.id, user="alex")
    memory.forget(runs.id, user="alex")

    def listed(**given: Any) -> list[str]:
        found = [r.text for r in memory.review.records("alex", derived=True, **given)]
        assert sum(c.count for c in memory.review.count("alex", derived=True, **given)) == len(found)
        return found

    assert listed() == ["Alex saves"]
    assert listed(states=["forgotten"]) == ["Alex runs"]
    assert listed(states=["active", "forgotten"]) == ["Alex saves", "Alex runs"]
    assert listed(pinned=True) == ["Alex saves"] and listed(pinned=False) == []
    assert listed(validated=True, states=["forgotten"]) == ["Alex runs"]
    assert listed(origins=["user_input"]) == [] and listed(origins=["ai_inference"]) == ["Alex saves"]
    assert listed(visibility="project") == [] and listed(visibility="private") == ["Alex saves"]
    assert listed(max_confidence=saves.confidence) == [] and listed(min_confidence=saves.confidence) == ["Alex saves"]
    assert listed(until=clock.now - timedelta(days=30), states=["forgotten"]) == ["Alex runs"]
    assert [(c.kind, c.state, c.area, c.count) for c in memory.review.count("alex", states=["forgotten"])] == [
        (runs.kind, "forgotten", "health", 1)
    ]
    assert "I had soup" in [r.text for r in memory.review.records("alex")]
    for wrong in ({"states": ["gone"]}, {"states": "active"}, {"visibility": "all"}, {"min_confidence": "high"}):
        with pytest.raises(InputError):
            memory.review.records("alex", **wrong)


def test_what_expired_is_listed_as_expired_before_the_job_marks_it(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life")
    parcel = memory.remember("The parcel comes today", user="alex")
    memory.store.write(lambda t: t.records.set_expiry(parcel.id, clock.now + timedelta(hours=2)))
    clock.pass_time(days=1)
    assert memory.review.records("alex") == []
    assert [c.state for c in memory.review.count("alex", states=["expired"])] == ["expired"]


def test_a_confirmation_can_be_taken_back(open_memory: OpenMemory) -> None:
    memory = open_memory("life")
    kept = memory.remember("Alex lives in Porto", user="alex", origin="ai_inference")
    sure = memory.confirm(kept.id, user="alex")
    back = memory.confirm(kept.id, confirmed=False, user="alex")
    assert sure.validated and not back.validated and back.state == "active"
    assert back.confidence <= kept.confidence < sure.confidence
    assert [c.action for c in memory.history(kept.id, user="alex").changes] == ["confirmed", "unconfirmed"]
    assert memory.confirm(kept.id, confirmed=False, user="alex") == back


def test_what_was_proposed_waits_again_when_its_confirmation_is_taken_back(open_memory: OpenMemory) -> None:
    memory = open_memory("life")
    (offered,) = memory.review.propose(
        [Statement(text="Alex plays the cello", kind="memory", user="alex", proposed=True)]
    )
    memory.confirm(offered.id, user="alex")
    assert memory.confirm(offered.id, confirmed=False, user="alex").state == "proposed"
    assert [r.id for r in memory.review.waiting(user="alex")] == [offered.id]


def test_a_person_decides_who_sees_what_is_theirs(open_memory: OpenMemory) -> None:
    memory = open_memory("life")
    kept = memory.remember("Alex plays the cello on Tuesdays", user="alex", visibility="private")

    def found_by_sam() -> bool:
        by_question = [hit.record.id for hit in memory.recall("who plays the cello?", user="sam")]
        return kept.id in by_question and kept.id in [r.id for r in memory.review.records("sam")]

    assert not found_by_sam()
    assert memory.review.share(kept.id, "project", user="alex").visibility == "project" and found_by_sam()
    with pytest.raises(NotAllowed, match="another person"):
        memory.review.share(kept.id, "private", user="sam")
    memory.review.share(kept.id, "private", user="alex")
    assert not found_by_sam() and memory.recall("cello", user="sam") == []
    assert [hit.record.id for hit in memory.recall("cello", user="alex")] == [kept.id]
    assert [c.reason for c in memory.history(kept.id).changes] == ["private to project", "project to private"]
    assert memory.storage.check() == []
    with pytest.raises(InputError, match="visibility is one of"):
        memory.review.share(kept.id, "secret", user="alex")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="nobody alone"):
        memory.review.share(memory.remember("The bridge is closed").id, "team")


def test_a_message_is_read_with_those_around_it_as_far_as_a_person_may(
    open_memory: OpenMemory, clock: ManualClock
) -> None:
    memory = open_memory("life")
    kept = []
    for text in ("one fine day", "two birds", "three trees", "four cups"):
        kept.append(memory.observe(text, user="alex", session="s1"))
        clock.pass_time(minutes=1)
    ids = [record.id for record in kept if isinstance(record, Record)]
    assert [r.text for r in memory.sessions.around(ids[2], reach=1, user="alex")] == [
        "two birds",
        "three trees",
        "four cups",
    ]
    memory.forget(ids[1], user="alex")
    assert [r.text for r in memory.sessions.around(ids[2], reach=1, user="alex")] == ["three trees", "four cups"]
    with pytest.raises(RecordNotFound):
        memory.sessions.around(ids[2], user="sam")
    note = memory.remember("Alex counts", user="alex")
    assert [r.id for r in memory.sessions.around(note.id, user="alex")] == [note.id]


def test_activity_is_counted_by_week_as_far_as_a_person_may_see(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life")
    memory.observe("I bought a kite", user="alex", session="s1")
    kept = memory.remember("Alex has a kite", user="alex")
    memory.remember("Sam has a boat", user="sam")
    clock.pass_time(days=8)
    memory.confirm(kept.id, user="alex")
    memory.remember("Alex has a tent", user="alex")
    before, now = memory.review.activity("alex", weeks=2)
    assert (before.messages, before.learned, before.changed) == (1, 1, 0)
    assert (now.messages, now.learned, now.changed) == (0, 1, 1)
    assert memory.review.activity("sam", weeks=2)[0].learned == 1
