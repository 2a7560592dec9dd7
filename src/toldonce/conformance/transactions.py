"""Writes are whole or not at all, durable when they return, and do not harm each other; reads see one moment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import pytest

from toldonce.conformance.samples import (
    NOW,
    Reopen,
    a_record,
    a_view,
    found_texts,
    keep_records,
    keep_texts,
    put_record,
    read_back,
    shown_texts,
)
from toldonce.errors import InputError, StoreClosed, StoreError, ToldonceError
from toldonce.storage.store import Store, Tables

PATIENCE = 30


class Stop(Exception):
    """Raised inside a write to see it undone."""


class TransactionsConformance:
    """What `read` and `write` promise."""

    def test_work_returns_through_the_store(self, store: Store) -> None:
        assert store.write(lambda _: "written") == "written"
        assert store.read(lambda _: "read") == "read"

    def test_nothing_is_kept_of_a_write_that_raises(self, store: Store) -> None:
        record = a_record("A copper kettle")

        def work(tables: Tables) -> None:
            put_record(tables, record)
            tables.records.note_change(record, "active", action="pinned", at=record.at)
            raise Stop

        with pytest.raises(Stop):
            store.write(work)
        assert shown_texts(store, a_view()) == []
        assert found_texts(store, "kettle") == []
        assert store.read(lambda t: t.records.read_changes(record.id)) == []

    def test_a_write_that_the_store_refuses_is_undone_as_a_whole(self, store: Store) -> None:
        (kept,) = keep_texts(store, "kept")

        def work(tables: Tables) -> None:
            put_record(tables, a_record("first half"))
            put_record(tables, kept)

        with pytest.raises(StoreError):
            store.write(work)
        assert shown_texts(store, a_view()) == ["kept"]

    def test_text_that_no_store_can_hold_is_the_callers_error(self, store: Store) -> None:
        with pytest.raises(InputError, match="half of a character"):
            keep_texts(store, "broken \ud800 character")
        assert shown_texts(store, a_view()) == []

    def test_the_store_goes_on_after_a_failed_write(self, store: Store) -> None:
        for n in range(3):
            with pytest.raises(Stop):
                store.write(_add_and_fail)
            keep_texts(store, f"number {n}")
        assert len(shown_texts(store, a_view())) == 3

    def test_a_failed_read_harms_nothing(self, store: Store) -> None:
        with pytest.raises(Stop):
            store.read(_failing_read)
        keep_texts(store, "after")
        assert shown_texts(store, a_view()) == ["after"]

    def test_what_was_written_is_there_after_reopening(self, store: Store, reopen: Reopen) -> None:
        records = [record for n in range(20) for record in keep_texts(store, f"number {n}")]
        with pytest.raises(Stop):
            store.write(_add_and_fail)
        again = reopen(store)
        assert {r.id for r in again.read(lambda t: t.records.find(a_view(), limit=99))} == {r.id for r in records}

    def test_a_write_sees_what_it_wrote_itself(self, store: Store) -> None:
        record = a_record("seen at once")
        assert store.write(lambda t: (put_record(t, record), t.records.get([record.id]))[1]) == {record.id: record}

    def test_writes_that_come_together_do_not_harm_each_other(self, store: Store) -> None:
        """Half of them fail, some after writing, some in the store; exactly the others are kept."""
        (taken,) = keep_texts(store, "taken")
        start = threading.Barrier(12)
        outcomes: dict[int, str] = {}

        def one(n: int) -> None:
            start.wait(PATIENCE)
            for turn in range(8):
                number = n * 100 + turn
                work = (_add_text, _adding_then_failing, _add_text, _adding_twice)[number % 4]
                try:
                    store.write(partial(work, text=f"number {number}"))
                    outcomes[number] = "kept"
                except (Stop, StoreError):
                    outcomes[number] = "failed"

        _run_threads(12, one)
        assert outcomes == {n * 100 + m: "failed" if m % 2 else "kept" for n in range(12) for m in range(8)}
        kept = {f"number {n}" for n, outcome in outcomes.items() if outcome == "kept"}
        texts = [r.text for r in store.read(lambda t: t.records.find(a_view(), limit=999))]
        assert sorted(texts) == sorted([*kept, taken.text])

    def test_no_update_is_lost_between_writers(self, store: Store) -> None:
        (record,) = keep_texts(store, "counted", metadata={"n": 0})

        def add_one(tables: Tables) -> None:
            n = tables.records.get([record.id])[record.id].metadata["n"]
            tables.records.set_metadata(record.id, {"n": n + 1})

        _run_threads(8, lambda _: [store.write(add_one) for _ in range(25)])
        assert read_back(store, record).metadata == {"n": 200}

    def test_a_read_sees_one_moment_whatever_others_write(self, store: Store) -> None:
        keep_texts(store, "before")
        writer = threading.Thread(target=lambda: keep_texts(store, "meanwhile"))

        def look_twice(tables: Tables) -> tuple[int, int]:
            first = len(tables.records.find(a_view(), limit=9))
            writer.start()
            writer.join(0.3)  # a store may also make the writer wait until this read is over
            return first, len(tables.records.find(a_view(), limit=9))

        assert store.read(look_twice) == (1, 1)
        writer.join(PATIENCE)
        assert sorted(shown_texts(store, a_view())) == ["before", "meanwhile"]

    def test_what_is_asked_ahead_is_what_would_be_read(self, store: Store) -> None:
        keep_texts(store, "a kettle", "a tram", "a kettle in a tram")
        reads: list[Callable[[Tables], object]] = [
            lambda t: t.search.size(),
            lambda t: t.people.find_blocked(["a"]),
            lambda t: t.people.space("none"),
            lambda t: t.search.places_by_word(["kettle", "tram", "none"], a_view(user="alex"), most=5),
            lambda t: [record.text for record in t.records.find(a_view(), limit=2)],
        ]

        def read_after_asking(tables: Tables) -> list[object]:
            # The second time further queries of the same functions are asked for.
            tables.fetch_ahead(*reads)
            tables.fetch_ahead(*reads)
            return [read(tables) for read in reads]

        plain = store.read(lambda t: [read(t) for read in reads])
        assert store.read(read_after_asking) == plain
        assert store.read(lambda t: (t.fetch_ahead(lambda _: None), t.search.size())[1]) == 3

    def test_a_write_sees_what_it_wrote_whatever_was_asked_ahead(self, store: Store) -> None:
        def write(tables: Tables) -> list[int]:
            is_asked = tables.fetch_ahead(lambda t: t.people.find_blocked(["a"]))
            before = len(tables.people.find_blocked(["a"]))
            tables.people.block("a", "rui", blocked=True, now=NOW)
            return [int(is_asked), before, len(tables.people.find_blocked(["a"]))]

        assert store.write(write) == [0, 0, 1]

    def test_readers_see_a_write_whole_or_not_at_all(self, store: Store) -> None:
        over = threading.Event()
        counts: set[int] = set()

        def read_on(_: int) -> None:
            while not over.is_set():
                counts.add(len(store.read(lambda t: t.records.find(a_view(), limit=999))))

        def write_on() -> None:
            try:
                for n in range(20):
                    keep_records(store, *(a_record(f"{n} {m}") for m in range(5)))
            finally:
                over.set()

        _run_threads(3, lambda n: read_on(n) if n else write_on())
        counts.add(len(shown_texts(store, a_view())))
        assert {count % 5 for count in counts} == {0}
        assert max(counts) == 100

    def test_a_read_inside_a_write_does_not_hang(self, store: Store) -> None:
        done = _within_time(lambda: store.write(lambda _: store.read(lambda t: t.records.find(a_view(), limit=1))))
        assert done == []

    def test_a_write_inside_a_write_is_refused_and_does_not_hang(self, store: Store) -> None:
        def nested() -> object:
            with pytest.raises(RuntimeError, match="inside a write"):
                store.write(lambda _: keep_records(store, a_record("inner")))
            return shown_texts(store, a_view())

        assert _within_time(nested) == []

    def test_a_closed_store_says_so(self, store: Store) -> None:
        keep_texts(store, "before")
        store.close()
        store.close()
        with pytest.raises(StoreClosed):
            keep_texts(store, "after")
        with pytest.raises(StoreClosed):
            shown_texts(store, a_view())

    def test_closing_while_others_write_loses_nothing_that_was_acknowledged(self, store: Store, reopen: Reopen) -> None:
        kept: list[str] = []
        some = threading.Event()

        def write_until_closed(n: int) -> None:
            for turn in range(10_000):
                try:
                    kept.extend(r.id for r in keep_texts(store, f"{n} {turn}"))
                except StoreClosed:
                    return
                some.set()

        threads = [threading.Thread(target=write_until_closed, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        some.wait(PATIENCE)
        store.close()
        for thread in threads:
            thread.join(PATIENCE)
        there = {r.id for _, r in reopen(store).read(lambda t: t.records.read_page(None, limit=100_000))}
        assert there == set(kept)


def _add_text(tables: Tables, text: str) -> None:
    put_record(tables, a_record(text))


def _adding_then_failing(tables: Tables, text: str) -> None:
    put_record(tables, a_record(text))
    raise Stop


def _adding_twice(tables: Tables, text: str) -> None:
    record = a_record(text)
    put_record(tables, record)
    put_record(tables, record)


def _add_and_fail(tables: Tables) -> None:
    _adding_then_failing(tables, "undone")


def _failing_read(tables: Tables) -> None:
    tables.records.find(a_view(), limit=1)
    raise Stop


def _run_threads(count: int, work: Callable[[int], object]) -> None:
    """Run the work in that many threads, and let nothing that goes wrong there be lost."""
    problems: list[Exception] = []

    def guarded(n: int) -> None:
        try:
            work(n)
        except (ToldonceError, AssertionError, RuntimeError) as problem:
            problems.append(problem)

    threads = [threading.Thread(target=guarded, args=(n,), daemon=True) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not any(thread.is_alive() for thread in threads), "a thread hangs"
    assert problems == []


def _within_time(work: Callable[[], object]) -> object:
    """What the work returns; a hang becomes a failure."""
    results: list[object] = []
    thread = threading.Thread(target=lambda: results.append(work()), daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert results, "it hangs or failed"
    return results[0]
