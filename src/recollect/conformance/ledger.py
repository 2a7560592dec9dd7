"""The ledger: a paid answer is there until its result is stored, and every call is in the books once."""

from __future__ import annotations

from recollect.conformance.samples import NOW, SPACE, Reopen, a_record, a_space, after, keep, write_each
from recollect.storage.store import Store
from recollect.storage.tables.jobs import Run
from recollect.storage.tables.usage import Usage


class LedgerConformance:
    """Drafts by what was asked, and usage per space, task and model."""

    def test_a_draft_is_found_by_its_key_in_its_space(self, store: Store, reopen: Reopen) -> None:
        _put(store, "k", '{"title": "Chá"}')
        again = reopen(store)
        assert _drafts(again, "k") == ['{"title": "Chá"}']
        assert again.read(lambda t: (t.ledger.draft("work", "k"), t.ledger.draft(SPACE, "other"))) == (None, None)

    def test_the_newest_answer_to_a_question_counts(self, store: Store) -> None:
        _put(store, "k", "one")
        _put(store, "k", "two")
        assert _drafts(store, "k") == ["two"]

    def test_drafts_are_let_go_by_key(self, store: Store) -> None:
        for key in ("a", "b", "c"):
            _put(store, key)
        assert store.write(lambda t: t.ledger.drop(SPACE, ["a", "c", "absent"])) == 2
        assert store.write(lambda t: t.ledger.drop("work", ["b"])) == 0
        assert _drafts(store, "a", "b", "c") == [None, "answer", None]

    def test_drafts_that_nobody_came_back_for_are_trimmed(self, store: Store) -> None:
        _put(store, "old")
        store.write(lambda t: t.ledger.put(SPACE, "new", "answer", at=after(days=1)))
        assert store.write(lambda t: t.ledger.trim(before=after(days=1))) == 1
        assert _drafts(store, "old", "new") == [None, "answer"]

    def test_purging_a_record_takes_the_drafts_and_outputs_of_its_space(self, store: Store) -> None:
        """They may mention it, and their sources cannot be seen in them."""
        seqs = keep(store, a_record())
        _put(store, "k")
        store.write(lambda t: t.ledger.put("work", "k", "elsewhere", at=NOW))
        _run(store)
        store.write(lambda t: t.purge.destroy(seqs))
        assert _drafts(store, "k") == [None]
        assert store.read(lambda t: t.ledger.draft("work", "k")) == "elsewhere"
        assert store.read(lambda t: t.jobs.runs()[0].detail) == {"messages": 3}

    def test_it_can_be_told_that_something_was_destroyed(self, store: Store) -> None:
        """An answer that comes in later may mention it."""
        write_each(store, (SPACE, "work"), lambda t, name: t.people.add_space(a_space(name), now=NOW))
        seqs = keep(store, a_record(), a_record("Another"))
        assert _purges(store) == (0, 0)
        store.write(lambda t: t.purge.destroy(seqs))
        assert _purges(store) == (1, 0)
        store.write(lambda t: t.purge.forget_person("alex", space=None))
        assert _purges(store) == (2, 1)

    def test_erasing_a_person_takes_them_too(self, store: Store) -> None:
        _put(store, "k")
        _run(store)
        store.write(lambda t: t.purge.forget_person("alex", space="work"))
        assert _drafts(store, "k") == ["answer"]
        store.write(lambda t: t.purge.forget_person("alex", space=None))
        assert _drafts(store, "k") == [None]
        assert store.read(lambda t: t.jobs.runs()[0].detail) == {"messages": 3}

    def test_a_purged_space_leaves_neither_drafts_nor_outputs(self, store: Store) -> None:
        _put(store, "k")
        _run(store)
        store.write(lambda t: t.people.drop_space(SPACE))
        assert _drafts(store, "k") == [None]
        assert store.read(lambda t: t.jobs.runs()[0].detail) == {"messages": 3}

    def test_usage_adds_up_per_space_task_and_model(self, store: Store) -> None:
        note, other = _usage(calls=1, input_tokens=10, cost=5), _usage(task="facts", calls=2, unpriced=2)
        there = _usage(space="work", calls=1, refused=1, output_tokens=7)
        write_each(store, (note, note, other, there), lambda t, usage: t.ledger.count(usage, at=NOW))
        twice = _usage(calls=2, input_tokens=20, cost=10)
        assert store.read(lambda t: t.ledger.usage()) == [other, twice, there]
        assert store.read(lambda t: t.ledger.usage(SPACE)) == [other, twice]

    def test_usage_can_be_told_from_a_day_on(self, store: Store) -> None:
        store.write(lambda t: t.ledger.count(_usage(calls=1), at=NOW))
        store.write(lambda t: t.ledger.count(_usage(calls=2), at=after(days=2)))
        assert store.read(lambda t: t.ledger.usage(since=after(days=2))) == [_usage(calls=2)]
        assert store.read(lambda t: t.ledger.usage(since=NOW)) == [_usage(calls=3)]
        assert store.read(lambda t: t.ledger.usage(since=after(days=3))) == []


def _purges(store: Store) -> tuple[int, int]:
    return store.read(lambda t: (t.purge.times(SPACE), t.purge.times("work")))


def _put(store: Store, key: str, answer: str = "answer") -> None:
    store.write(lambda t: t.ledger.put(SPACE, key, answer, at=NOW))


def _drafts(store: Store, *keys: str) -> list[str | None]:
    return store.read(lambda t: [t.ledger.draft(SPACE, key) for key in keys])


def _usage(**given: object) -> Usage:
    return Usage(**{"space": SPACE, "task": "note", "model": "m", **given})  # type: ignore[arg-type]


def _run(store: Store) -> None:
    detail = {"messages": 3, "output": "Alex lives in Lisbon"}
    run = Run(space=SPACE, key="k", name="n", started_at=NOW, ended_at=NOW, status="completed", detail=detail)
    store.write(lambda t: t.jobs.record(run))
