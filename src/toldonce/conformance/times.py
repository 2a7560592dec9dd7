"""Times that records mention are stored with them, found by any overlapping range, and removed with the record."""

from __future__ import annotations

from datetime import datetime

from toldonce.conformance.samples import NOW, SPACE, Reopen, a_record, a_view, keep_records, moment_after
from toldonce.storage.store import Store, View
from toldonce.storage.tables.times import BEGINNING, LONGEST

DAY = (NOW, moment_after(days=1))
WEEK = (moment_after(days=-3), moment_after(days=4))


class TimesConformance:
    """The time that is mentioned, whenever it was said."""

    def test_a_record_is_found_by_a_stretch_that_meets_what_it_tells_of(self, store: Store) -> None:
        (trip,) = keep_records(store, a_record("The trip", at=moment_after(days=90)))
        assert _put_times(store, trip, DAY) == 1
        assert _find_told_times(store, *DAY) == [(trip, 1.0)]
        assert [seq for seq, _ in _find_told_times(store, moment_after(hours=23), moment_after(days=9))] == [trip]
        assert _find_told_times(store, moment_after(days=-1), NOW) == []
        assert _find_told_times(store, moment_after(days=1), moment_after(days=2)) == []

    def test_the_stretch_that_fits_best_comes_first_then_the_newest(self, store: Store) -> None:
        loose, old, new = keep_records(store, a_record("a"), a_record("b"), a_record("c", at=moment_after(hours=1)))
        _put_times(store, loose, WEEK)
        _put_times(store, old, DAY)
        _put_times(store, new, DAY, WEEK)
        rows = _find_told_times(store, *DAY)
        assert [seq for seq, _ in rows] == [new, old, loose]
        assert rows[0][1] == rows[1][1] == 1.0 and 0 < rows[2][1] < 0.2
        assert [seq for seq, _ in _find_told_times(store, *DAY, limit=1)] == [new]

    def test_of_many_that_tell_of_one_stretch_the_last_added_are_found(self, store: Store) -> None:
        seqs = keep_records(store, *(a_record(str(n)) for n in range(9)))
        for seq in seqs:
            _put_times(store, seq, DAY)
        assert {seq for seq, _ in _find_told_times(store, *DAY, limit=4)} == set(seqs[-4:])

    def test_the_same_time_is_kept_once(self, store: Store) -> None:
        (one,) = keep_records(store, a_record("one"))
        assert _put_times(store, one, DAY, WEEK) == 2
        assert _put_times(store, one, DAY) == 0

    def test_a_record_tells_of_the_times_that_were_put_last(self, store: Store) -> None:
        one, other = keep_records(store, a_record("one"), a_record("other"))
        _put_times(store, one, DAY, WEEK)
        _put_times(store, other, DAY)
        assert _put_times(store, one, WEEK, (moment_after(days=8), moment_after(days=9))) == 1
        assert [seq for seq, score in _find_told_times(store, *DAY) if score == 1.0] == [other]
        assert _put_times(store, one) == 0
        assert store.read(
            lambda t: t.times.filter_by_time([one, other], moment_after(days=-9), moment_after(days=9))
        ) == {other}

    def test_a_vague_time_is_not_kept(self, store: Store) -> None:
        (one,) = keep_records(store, a_record("one"))
        just, too_long = (NOW, NOW + LONGEST), (NOW, NOW + LONGEST + (moment_after(hours=1) - NOW))
        assert _put_times(store, one, too_long) == 0
        assert _put_times(store, one, just) == 1
        end = just[1]
        assert [seq for seq, _ in _find_told_times(store, moment_after(days=39), end)] == [one]

    def test_only_what_a_view_shows_is_found(self, store: Store) -> None:
        mine, theirs, gone = keep_records(
            store,
            a_record("mine", user="alex", visibility="private"),
            a_record("theirs", user="sam", visibility="private"),
            a_record("gone", state="forgotten"),
        )
        for seq in (mine, theirs, gone):
            _put_times(store, seq, DAY)
        assert [seq for seq, _ in _find_told_times(store, *DAY, view=a_view(user="alex"))] == [mine]
        assert _find_told_times(store, *DAY, view=a_view(spaces=("other",))) == []

    def test_telling_says_which_of_these_records_tell_of_a_stretch(self, store: Store) -> None:
        one, two, three = keep_records(store, a_record("one"), a_record("two"), a_record("three"))
        _put_times(store, one, DAY)
        _put_times(store, two, WEEK)
        assert store.read(lambda t: t.times.filter_by_time([one, two, three], *DAY)) == {one, two}
        assert (
            store.read(lambda t: t.times.filter_by_time([one, three], moment_after(days=2), moment_after(days=3)))
            == set()
        )
        assert store.read(lambda t: t.times.filter_by_time([], *DAY)) == set()

    def test_what_people_said_after_a_place_is_read_in_order(self, store: Store) -> None:
        one, two, _, last = keep_records(
            store,
            a_record("one"),
            a_record("x" * 2 * BEGINNING, at=moment_after(hours=1)),
            a_record("Sure!", role="assistant"),
            a_record("last"),
        )
        rows = store.read(lambda t: t.times.find_unread(one, limit=9))
        assert [(said.seq, said.text) for said in rows] == [(two, "x" * BEGINNING), (last, "last")]
        assert (rows[0].space, rows[0].at) == (SPACE, moment_after(hours=1))
        assert [said.seq for said in store.read(lambda t: t.times.find_unread(0, limit=2))] == [one, two]

    def test_what_people_said_up_to_a_place_is_read_backwards(self, store: Store) -> None:
        one, two, _, last = keep_records(
            store, a_record("one"), a_record("two"), a_record("Sure!", role="assistant"), a_record("x" * 2 * BEGINNING)
        )
        rows = store.read(lambda t: t.times.up_to(last, limit=2))
        assert [(said.seq, said.text) for said in rows] == [(last, "x" * BEGINNING), (two, "two")]
        assert [said.seq for said in store.read(lambda t: t.times.up_to(two, limit=9))] == [two, one]
        assert store.read(lambda t: t.times.up_to(0, limit=9)) == []

    def test_times_go_with_their_record(self, store: Store) -> None:
        one, two = keep_records(store, a_record("one"), a_record("two"))
        _put_times(store, one, DAY)
        _put_times(store, two, DAY)
        store.write(lambda t: t.purge.destroy([one]))
        assert store.read(lambda t: t.times.filter_by_time([one, two], *DAY)) == {two}
        assert store.read(lambda t: t.purge.count_traces("alex", space=None))["orphan times"] == 0
        assert _put_times(store, one, DAY) == 0

    def test_times_survive_reopening(self, store: Store, reopen: Reopen) -> None:
        (one,) = keep_records(store, a_record("one"))
        _put_times(store, one, DAY)
        assert _find_told_times(reopen(store), *DAY) == [(one, 1.0)]


def _put_times(store: Store, record: int, *spans: tuple[datetime, datetime]) -> int:
    return store.write(lambda t: t.times.put(record, spans))


def _find_told_times(
    store: Store, start: datetime, end: datetime, *, view: View | None = None, limit: int = 9
) -> list[tuple[int, float]]:
    return store.read(
        lambda t: t.times.find_by_time(start, end, view or a_view(now=moment_after(days=99)), limit=limit)
    )
