"""A recall reads each record once, and what its view hides stays hidden."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from recollect.conformance.samples import a_record, a_view, keep_records
from recollect.recall.candidates import RecallSnapshot
from recollect.storage.open import open_store
from recollect.storage.store import Store, Tables


@pytest.fixture
def store() -> Iterator[Store]:
    opened = open_store(":memory:")
    yield opened
    opened.close()


def test_what_was_read_is_not_read_again(store: Store) -> None:
    one, two = keep_records(store, a_record("one"), a_record("two"))

    def work(tables: Tables) -> list[str]:
        reading = RecallSnapshot(tables, a_view())
        assert reading.known_visible([one, two]) == {one, two}
        # Nothing can be read through no table at all.
        reading.tables = None  # type: ignore[assignment]
        return [unit.text for unit in reading.read_units([two, one])]

    assert store.read(work) == ["two", "one"]


def test_a_record_of_another_view_is_context_and_a_forgotten_one_is_nothing(store: Store) -> None:
    shown, other, gone = keep_records(
        store, a_record("shown"), a_record("other", kind="note"), a_record("gone", state="forgotten")
    )

    def work(tables: Tables) -> tuple[set[int], list[int]]:
        reading = RecallSnapshot(tables, a_view(kinds=("fact",)))
        everything = [gone, other, shown, shown + 99]
        return reading.known_visible(everything), [unit.seq for unit in reading.read_units(everything)]

    assert store.read(work) == ({shown}, [other, shown])


def test_one_that_trusts_asks_when_it_reads_and_tells_when_it_was_misled(store: Store) -> None:
    shown = keep_records(store, *(a_record(f"shown {n}") for n in range(4)))
    gone = keep_records(store, a_record("gone", state="forgotten"))

    def work(tables: Tables) -> None:
        reading = RecallSnapshot(tables, a_view(), trusts=True)
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
