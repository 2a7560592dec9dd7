"""A recall reads each record once, and what its view hides stays hidden."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from toldonce.conformance.samples import a_record, a_view, keep_records
from toldonce.recall.candidates import RecallSnapshot, SharedReads
from toldonce.storage.open import open_store
from toldonce.storage.store import Store, Tables


@pytest.fixture
def store() -> Iterator[Store]:
    opened = open_store(":memory:")
    yield opened
    opened.close()


def test_what_was_read_is_not_read_again(store: Store) -> None:
    one, two = keep_records(store, a_record("one"), a_record("two"))

    def work(tables: Tables) -> list[str]:
        shared = SharedReads(tables, a_view())
        assert RecallSnapshot(shared, a_view()).known_visible([one, two]) == {one, two}
        # Nothing can be read through no table at all.
        shared.tables = None  # type: ignore[assignment]
        return [unit.text for unit in shared.read_units([two, one])]

    assert store.read(work) == ["two", "one"]


def test_views_of_one_reader_share_what_is_read_and_each_shows_its_own(store: Store) -> None:
    shown, note, elsewhere, gone = keep_records(
        store,
        a_record("shown"),
        a_record("note", kind="note"),
        a_record("elsewhere", session="s2"),
        a_record("gone", state="forgotten"),
    )
    everything = [gone, note, shown, elsewhere, elsewhere + 99]

    def work(tables: Tables) -> None:
        facts, others = a_view(kinds=("fact",)), a_view(not_session="s2")
        shared = SharedReads(tables, facts)
        assert RecallSnapshot(shared, facts).known_visible(everything) == {shown, elsewhere}
        shared.tables = None  # type: ignore[assignment]
        assert RecallSnapshot(shared, others).known_visible(everything) == {shown, note}
        assert [unit.seq for unit in shared.read_units(everything)] == [note, shown, elsewhere]

    store.read(work)


def test_one_that_trusts_asks_when_it_reads_and_tells_when_it_was_misled(store: Store) -> None:
    shown = keep_records(store, *(a_record(f"shown {n}") for n in range(4)))
    gone = keep_records(store, a_record("gone", state="forgotten"))

    def work(tables: Tables) -> None:
        reading = RecallSnapshot(SharedReads(tables, a_view()), a_view(), trusts=True)
        assert reading.known_visible([*shown, *gone]) == {*shown, *gone}
        assert [unit.seq for unit in reading.visible_units([*gone, *shown])] == shown
        # One of five hidden is no harm, unless more are wanted than were found.
        assert not reading.was_misled(4, wanted=4)
        assert reading.was_misled(4, wanted=5)
        assert reading.visible_units(gone) == []
        assert reading.was_misled(4, wanted=4)
        careful = reading.with_care()
        assert careful.known_visible([*shown, *gone]) == set(shown)
        assert not careful.was_misled(0, wanted=1)

    store.read(work)
