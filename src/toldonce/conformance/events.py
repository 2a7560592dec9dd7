"""Events: what happened after a place in the store is read in order, by any process."""

from __future__ import annotations

from dataclasses import replace

from toldonce.conformance.samples import NOW, SPACE, a_conversation, a_record, keep_records, moment_after, write_each
from toldonce.records import Question
from toldonce.storage.store import Store
from toldonce.storage.tables.events import EventPlace
from toldonce.storage.tables.jobs import Run


class EventsConformance:
    """New records, changes, runs and questions after a place."""

    def test_an_empty_store_is_at_the_first_place(self, store: Store) -> None:
        assert store.read(lambda t: t.events.newest()) == EventPlace()

    def test_what_happened_after_a_place_comes_in_order(self, store: Store) -> None:
        first = a_record("one")
        keep_records(store, first)
        before = store.read(lambda t: t.events.newest())
        second = a_record("two")
        keep_records(store, second)
        store.write(lambda t: t.records.note_change(second, "flagged", action="flagged", at=NOW))
        now = store.read(lambda t: t.events.newest())
        added = store.read(lambda t: t.events.records(before.record, now.record, limit=10))
        changed = store.read(lambda t: t.events.changes(before.change, now.change, limit=10))
        assert [record.id for _, record in added] == [second.id]
        assert [(action, state, record) for _, action, state, _, record in changed] == [
            ("flagged", "flagged", second.id)
        ]
        assert store.read(lambda t: t.events.records(now.record, now.record, limit=10)) == []

    def test_runs_and_questions_are_events_too(self, store: Store) -> None:
        run = Run(space=SPACE, key="k", name="settle", started_at=NOW, ended_at=NOW, status="completed")
        question = Question(id="q1", space=SPACE, user="alex", text="Which?", older="a", newer="b", created_at=NOW)
        store.write(lambda t: t.jobs.record(run))
        store.write(lambda t: t.conversations.ask(question))
        newest = store.read(lambda t: t.events.newest())
        runs = store.read(lambda t: t.events.runs(0, newest.run, limit=10))
        assert [(space, name, status) for _, space, name, status, _ in runs] == [(SPACE, "settle", "completed")]
        asked = store.read(lambda t: t.events.logged(0, newest.log, limit=10))
        assert [(e.action, e.space, e.about, e.person) for e in asked] == [("ask question", SPACE, "q1", "alex")]
        store.write(lambda t: t.conversations.answer("q1", "both", at=moment_after(hours=1)))
        later = store.read(lambda t: t.events.newest())
        answered = store.read(lambda t: t.events.logged(newest.log, later.log, limit=10))
        assert [(e.action, e.about) for e in answered] == [("answer question", "q1")]

    def test_a_question_that_is_asked_again_or_late_is_one_event_in_the_order_of_writing(self, store: Store) -> None:
        asked = Question(id="early", space=SPACE, user=None, text="Which?", older="a", newer="b", created_at=NOW)
        early, late = asked, replace(asked, id="late", created_at=moment_after(hours=5))
        write_each(store, (late, early, late), lambda t, question: t.conversations.ask(question))
        found = store.read(lambda t: t.events.logged(0, t.events.newest().log, limit=10))
        assert [event.about for event in found] == ["late", "early"]

    def test_a_settled_conversation_is_an_event_with_its_counts(self, store: Store) -> None:
        talk = a_conversation(user="alex", session="monday")
        store.write(lambda t: t.conversations.add(talk))
        counts = {"records": 3, "documents": 1}
        details = [{"conversation": name, **counts} for name in (talk.id, "talk_gone")]
        write_each(store, details, lambda t, detail: t.audit.add(SPACE, "settle", at=NOW, detail=detail))
        store.write(lambda t: t.audit.add(SPACE, "recall", at=NOW))
        first, second = store.read(lambda t: t.events.logged(0, t.events.newest().log, limit=10))
        assert (first.is_settled, first.about, first.person) == (True, talk.id, "alex")
        assert first.counts == {"session": talk.session, **counts}
        assert second.about is None
