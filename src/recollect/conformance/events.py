"""Events: what happened after a place in the store is read in order, by any process."""

from __future__ import annotations

from recollect.conformance.samples import NOW, SPACE, a_record, keep_records, moment_after
from recollect.records import Question
from recollect.storage.store import Store
from recollect.storage.tables.events import EventPlace
from recollect.storage.tables.jobs import Run


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
        asked = store.read(lambda t: t.events.questions(0, limit=10))
        assert [row[1:] for row in asked] == [("q1", SPACE, "alex", False)]
        store.write(lambda t: t.conversations.answer("q1", "both", at=moment_after(hours=1)))
        assert store.read(lambda t: t.events.newest()).question > newest.question
        assert [row[1:] for row in store.read(lambda t: t.events.questions(newest.question, limit=10))] == [
            ("q1", SPACE, "alex", True)
        ]
