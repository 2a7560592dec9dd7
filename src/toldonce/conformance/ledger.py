"""The ledger: a paid answer is there until its result is stored, and every call is in the books once."""

from __future__ import annotations

from toldonce.conformance.samples import NOW, SPACE, Reopen, a_record, a_space, keep_records, moment_after, write_each
from toldonce.storage.store import Store
from toldonce.storage.tables.jobs import Run
from toldonce.storage.tables.usage import Usage


class LedgerConformance:
    """Drafts by what was asked, and usage per space, task and model."""

    def test_a_draft_is_found_by_its_key_in_its_space(self, store: Store, reopen: Reopen) -> None:
        _put_answer(store, "k", '{"title": "Chá"}')
        again = reopen(store)
        assert _read_answers(again, "k") == ['{"title": "Chá"}']
        assert again.read(lambda t: (t.ledger.find_answer("work", "k"), t.ledger.find_answer(SPACE, "other"))) == (
            None,
            None,
        )

    def test_the_newest_answer_to_a_question_counts(self, store: Store) -> None:
        _put_answer(store, "k", "one")
        _put_answer(store, "k", "two")
        assert _read_answers(store, "k") == ["two"]

    def test_drafts_are_let_go_by_key(self, store: Store) -> None:
        for key in ("a", "b", "c"):
            _put_answer(store, key)
        assert store.write(lambda t: t.ledger.drop(SPACE, ["a", "c", "absent"])) == 2
        assert store.write(lambda t: t.ledger.drop("work", ["b"])) == 0
        assert _read_answers(store, "a", "b", "c") == [None, "answer", None]

    def test_drafts_that_nobody_came_back_for_are_trimmed(self, store: Store) -> None:
        _put_answer(store, "old")
        store.write(lambda t: t.ledger.put(SPACE, "new", "answer", at=moment_after(days=1)))
        assert store.write(lambda t: t.ledger.trim(before=moment_after(days=1))) == 1
        assert _read_answers(store, "old", "new") == [None, "answer"]

    def test_purging_a_record_takes_the_drafts_and_outputs_of_its_space(self, store: Store) -> None:
        """They may mention it, and their sources cannot be seen in them."""
        seqs = keep_records(store, a_record())
        _put_answer(store, "k")
        store.write(lambda t: t.ledger.put("work", "k", "elsewhere", at=NOW))
        _record_run(store)
        store.write(lambda t: t.purge.destroy(seqs))
        assert _read_answers(store, "k") == [None]
        assert store.read(lambda t: t.ledger.find_answer("work", "k")) == "elsewhere"
        assert store.read(lambda t: t.jobs.runs()[0].detail) == {"messages": 3}

    def test_it_can_be_told_that_something_was_destroyed(self, store: Store) -> None:
        """An answer that comes in later may mention it."""
        write_each(store, (SPACE, "work"), lambda t, name: t.people.add_space(a_space(name), now=NOW))
        seqs = keep_records(store, a_record(), a_record("Another"))
        assert _count_purges(store) == (0, 0)
        store.write(lambda t: t.purge.destroy(seqs))
        assert _count_purges(store) == (1, 0)
        store.write(lambda t: t.purge.forget_person("alex", space=None))
        assert _count_purges(store) == (2, 1)

    def test_erasing_a_person_takes_them_too(self, store: Store) -> None:
        _put_answer(store, "k")
        _record_run(store)
        store.write(lambda t: t.purge.forget_person("alex", space="work"))
        assert _read_answers(store, "k") == ["answer"]
        store.write(lambda t: t.purge.forget_person("alex", space=None))
        assert _read_answers(store, "k") == [None]
        assert store.read(lambda t: t.jobs.runs()[0].detail) == {"messages": 3}

    def test_a_purged_space_leaves_neither_drafts_nor_outputs(self, store: Store) -> None:
        _put_answer(store, "k")
        _record_run(store)
        store.write(lambda t: t.people.drop_space(SPACE))
        assert _read_answers(store, "k") == [None]
        assert store.read(lambda t: t.jobs.runs()[0].detail) == {"messages": 3}

    def test_usage_adds_up_per_space_task_and_model(self, store: Store) -> None:
        note, other = _sample_usage(calls=1, input_tokens=10, cost=5), _sample_usage(task="facts", calls=2, unpriced=2)
        there = _sample_usage(space="work", calls=1, refused=1, output_tokens=7)
        write_each(store, (note, note, other, there), lambda t, usage: t.ledger.count(usage, at=NOW))
        twice = _sample_usage(calls=2, input_tokens=20, cost=10)
        assert store.read(lambda t: t.ledger.usage()) == [other, twice, there]
        assert store.read(lambda t: t.ledger.usage(SPACE)) == [other, twice]

    def test_costs_are_told_by_day_with_the_conversations_that_were_read(self, store: Store) -> None:
        read = _sample_usage(task="facts", calls=3, refused=1, input_tokens=10, cost=5)
        write_each(store, (read, _sample_usage(calls=2, cost=4)), lambda t, usage: t.ledger.count(usage, at=NOW))
        store.write(lambda t: t.ledger.count(_sample_usage(space="work", calls=1), at=moment_after(days=2)))
        first, last = store.read(lambda t: t.ledger.usage_by_day("facts"))
        assert (first.period, first.conversations, first.calls, first.cost) == (f"{NOW:%Y-%m-%d}", 2, 5, 9)
        assert last.period == f"{moment_after(days=2):%Y-%m-%d}"
        assert [one.calls for one in store.read(lambda t: t.ledger.usage_by_day("facts", SPACE))] == [5]

    def test_usage_can_be_told_from_a_day_on(self, store: Store) -> None:
        store.write(lambda t: t.ledger.count(_sample_usage(calls=1), at=NOW))
        store.write(lambda t: t.ledger.count(_sample_usage(calls=2), at=moment_after(days=2)))
        assert store.read(lambda t: t.ledger.usage(since=moment_after(days=2))) == [_sample_usage(calls=2)]
        assert store.read(lambda t: t.ledger.usage(since=NOW)) == [_sample_usage(calls=3)]
        assert store.read(lambda t: t.ledger.usage(since=moment_after(days=3))) == []


def _count_purges(store: Store) -> tuple[int, int]:
    return store.read(lambda t: (t.purge.count_purges(SPACE), t.purge.count_purges("work")))


def _put_answer(store: Store, key: str, answer: str = "answer") -> None:
    store.write(lambda t: t.ledger.put(SPACE, key, answer, at=NOW))


def _read_answers(store: Store, *keys: str) -> list[str | None]:
    return store.read(lambda t: [t.ledger.find_answer(SPACE, key) for key in keys])


def _sample_usage(**given: object) -> Usage:
    return Usage(**{"space": SPACE, "task": "note", "model": "m", **given})  # type: ignore[arg-type]


def _record_run(store: Store) -> None:
    detail = {"messages": 3, "output": "Alex lives in Lisbon"}
    run = Run(space=SPACE, key="k", name="n", started_at=NOW, ended_at=NOW, status="completed", detail=detail)
    store.write(lambda t: t.jobs.record(run))
