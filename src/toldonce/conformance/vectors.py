"""Vectors are written in their records' transaction, one set for each model, and can be read from any place on."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from toldonce.conformance.samples import SPACE, Reopen, a_record, a_space, a_view, keep_records, write_each
from toldonce.storage.store import Store, Tables, View
from toldonce.storage.vectors.index import encode_vector
from toldonce.storage.vectors.search import NearestRecords

SIZE = 16


class VectorsConformance:
    """Vectors by model, what to embed next, and packed parts of the index."""

    def test_a_model_keeps_its_number_and_first_dimensions(self, store: Store) -> None:
        number = _register_model(store)
        assert store.write(lambda t: t.vectors.register_model("mini", 99)) == number
        assert store.read(lambda t: t.vectors.known_model("mini")) == (number, SIZE)
        assert store.read(lambda t: t.vectors.known_model("other")) is None
        assert _register_model(store, "other") != number

    def test_models_are_listed_with_how_many_vectors_they_have(self, store: Store) -> None:
        mini, other = _register_model(store), _register_model(store, "other")
        _put_vectors(store, mini, *keep_records(store, a_record("one"), a_record("two")))
        assert store.read(lambda t: t.vectors.list_models()) == [(mini, "mini", SIZE, 2), (other, "other", SIZE, 0)]

    def test_records_wait_for_a_vector_newest_first_with_their_title(self, store: Store) -> None:
        one = store.write(lambda t: t.records.add(a_record("one"), embed=True))
        two = store.write(lambda t: t.records.add(a_record("two", title="Two"), embed=True))
        store.write(lambda t: t.records.add(a_record("never"), embed=False))
        assert store.read(lambda t: t.vectors.find_waiting(limit=9)) == [(two, "Two\ntwo"), (one, "one")]
        assert store.read(lambda t: t.vectors.find_waiting(limit=1)) == [(two, "Two\ntwo")]
        _put_vectors(store, _register_model(store), two)
        assert store.read(lambda t: t.vectors.find_waiting(limit=9)) == [(one, "one")]

    def test_places_that_wait_for_a_vector_come_without_those_of_a_session(self, store: Store) -> None:
        def waiting(*, limit: int = 9, not_session: str | None = None) -> list[int]:
            return store.read(lambda t: t.vectors.waiting_places(limit=limit, not_session=not_session))

        one, two, _ = (
            store.write(lambda t, record=record, wants=wants: t.records.add(record, embed=wants))  # type: ignore[misc]
            for record, wants in ((a_record("one"), True), (a_record("two", session="s"), True), (a_record(), False))
        )
        assert (waiting(), waiting(limit=1)) == ([two, one], [two])
        assert (waiting(not_session="s"), waiting(not_session="other")) == ([one], [two, one])
        _put_vectors(store, _register_model(store), one)
        assert waiting() == [two]

    def test_a_vector_comes_back_as_it_went_in(self, store: Store) -> None:
        model, (place,) = _register_model(store), keep_records(store, a_record())
        parts = [bytes(range(32)), b"second partt"]
        assert store.write(lambda t: t.vectors.put(model, [(place, parts)])) == 1
        found = store.read(lambda t: t.vectors.of(model, [place, place + 9]))
        assert found == {(place, 0): parts[0], (place, 1): parts[1]}
        assert store.read(lambda t: t.vectors.of(model, [])) == {}
        assert store.read(lambda t: t.vectors.parts_of(model, [place, place + 9])) == found.keys()
        assert store.read(lambda t: t.vectors.parts_of(model, [])) == set()

    def test_the_parts_of_a_record_are_kept_one_after_the_other(self, store: Store) -> None:
        """What is learned from a sample of all vectors must not depend on how many are written at once."""
        model, places = _register_model(store), keep_records(store, *(a_record(str(n)) for n in range(70)))
        store.write(lambda t: t.vectors.put(model, [(place, [b"aa", b"bb", b"cc"]) for place in reversed(places)]))
        rows = store.read(lambda t: t.vectors.read_written_after(model, 0, limit=300))
        assert [(row.record, row.part) for row in rows] == [(place, n) for place in reversed(places) for n in range(3)]

    def test_a_record_that_was_purged_meanwhile_is_passed_over(self, store: Store) -> None:
        model, (kept, gone) = _register_model(store), keep_records(store, a_record("kept"), a_record("gone"))
        store.write(lambda t: t.purge.destroy([gone]))
        assert store.write(lambda t: t.vectors.put(model, [(gone, [b"xx"]), (kept, [b"yy"])])) == 1
        assert store.read(lambda t: t.vectors.of(model, [gone, kept])) == {(kept, 0): b"yy"}

    def test_a_new_vector_replaces_the_old_one_and_is_read_again(self, store: Store) -> None:
        """Who reads on from a place sees the replacement, since it stands after everything before it."""
        model, (one, two) = _register_model(store), keep_records(store, a_record("one"), a_record("two"))
        _put_vectors(store, model, one, two)
        last = store.read(lambda t: t.vectors.read_written_after(model, 0, limit=9))[-1].seq
        store.write(lambda t: t.vectors.put(model, [(one, [b"neww"])]))
        (row,) = store.read(lambda t: t.vectors.read_written_after(model, last, limit=9))
        assert (row.record, row.vector) == (one, b"neww")
        assert [r.record for r in store.read(lambda t: t.vectors.read_written_after(model, 0, limit=9))] == [two, one]

    def test_a_new_vector_with_fewer_parts_leaves_none_of_the_old(self, store: Store) -> None:
        model, (place,) = _register_model(store), keep_records(store, a_record())
        store.write(lambda t: t.vectors.put(model, [(place, [b"aa", b"bb", b"cc"])]))
        store.write(lambda t: t.vectors.put(model, [(place, [b"AA"])]))
        assert store.read(lambda t: t.vectors.of(model, [place])) == {(place, 0): b"AA"}

    def test_vectors_are_read_in_order_with_what_a_filter_needs(self, store: Store) -> None:
        model = _register_model(store)
        places = keep_records(
            store, a_record("one", user="alex", visibility="team"), a_record("two", kind="note", space="work")
        )
        _put_vectors(store, model, *places)
        first, second = store.read(lambda t: t.vectors.read_written_after(model, 0, limit=9))
        assert (first.record, first.space, first.user, first.kind, first.visibility) == (
            places[0],
            SPACE,
            "alex",
            "fact",
            "team",
        )
        assert (second.record, second.space, second.user, second.kind) == (places[1], "work", None, "note")
        assert (first.part, second.part) == (0, 0)
        assert second.seq > first.seq
        assert store.read(lambda t: t.vectors.read_written_after(model, first.seq, limit=9)) == [second]
        assert store.read(lambda t: t.vectors.read_written_after(model, 0, limit=1)) == [first]

    def test_models_never_mix(self, store: Store) -> None:
        mini, other, (place,) = _register_model(store), _register_model(store, "other"), keep_records(store, a_record())
        store.write(lambda t: t.vectors.put(mini, [(place, [b"mini"])]))
        store.write(lambda t: t.vectors.put(other, [(place, [b"otherr"])]))
        assert store.read(lambda t: t.vectors.of(mini, [place])) == {(place, 0): b"mini"}
        assert [r.vector for r in store.read(lambda t: t.vectors.read_written_after(other, 0, limit=9))] == [b"otherr"]

    def test_a_new_model_can_want_all_vectors_anew_and_drop_the_others(self, store: Store) -> None:
        mini, places = _register_model(store), keep_records(store, a_record("one"), a_record("two"))
        store.write(lambda t: t.records.add(a_record("never"), embed=False))
        _put_vectors(store, mini, *places)
        other = _register_model(store, "other")
        _put_vectors(store, other, places[0])
        assert store.write(lambda t: t.vectors.want_all(other)) == 1
        assert store.read(lambda t: t.vectors.find_waiting(limit=9)) == [(places[1], "two")]
        assert store.write(lambda t: t.vectors.drop_others(other)) == 2
        assert store.read(lambda t: t.vectors.of(mini, places)) == {}
        assert list(store.read(lambda t: t.vectors.of(other, places))) == [(places[0], 0)]

    def test_records_that_lack_a_vector_of_a_model_are_counted_by_space(self, store: Store) -> None:
        assert not store.read(lambda t: t.vectors.has_models())
        places = keep_records(store, a_record("one"), a_record("two"), a_record("three", space="attic"))
        mini, other = _register_model(store), _register_model(store, "other")
        _put_vectors(store, mini, places[0])
        _put_vectors(store, other, *places)

        def lacking(tables: Tables) -> list[int]:
            return [
                tables.vectors.count_lacking(model, space=s) for model in (mini, other, None) for s in (SPACE, None)
            ]

        assert store.read(lacking) == [1, 2, 0, 0, 2, 3] and store.read(lambda t: t.vectors.has_models())
        assert store.read(lambda t: [t.vectors.models_of(p) for p in places]) == [
            ["mini", "other"],
            ["other"],
            ["other"],
        ]

    def test_a_record_that_the_model_refused_waits_no_longer_and_is_told_of(self, store: Store) -> None:
        model, (one, two, three) = (
            _register_model(store),
            keep_records(store, *(a_record(text) for text in ("one", "two", "three"))),
        )
        store.write(lambda t: t.records.add(a_record("never"), embed=False))
        assert store.read(lambda t: t.vectors.find_refused(model)) == [], "who waits was not refused"
        assert store.write(lambda t: t.vectors.put(model, [(one, []), (two, [b"vv"]), (three, [])])) == 1
        assert store.read(lambda t: t.vectors.find_waiting(limit=9)) == []
        kept = store.read(lambda t: t.records.by_seq([one, two, three]))
        assert store.read(lambda t: t.vectors.find_refused(model)) == [kept[three].id, kept[one].id]
        store.write(lambda t: t.records.set_state(kept[three], "forgotten", action="forgotten", at=a_view().now))
        assert store.read(lambda t: t.vectors.find_refused(model)) == [kept[one].id], "only what counts"

    def test_a_refused_record_is_wanted_again_by_this_model_and_by_another(self, store: Store) -> None:
        model, (one, two) = _register_model(store), keep_records(store, a_record("one"), a_record("two"))
        store.write(lambda t: t.vectors.put(model, [(one, []), (two, [b"vv"])]))
        assert store.write(lambda t: t.vectors.want_all(model)) == 1
        assert store.read(lambda t: t.vectors.find_waiting(limit=9)) == [(one, "one")]
        store.write(lambda t: t.vectors.put(model, [(one, [])]))
        other = _register_model(store, "other")
        assert store.write(lambda t: t.vectors.want_all(other)) == 2
        assert store.read(lambda t: t.vectors.find_refused(other)) == []

    def test_a_refused_record_keeps_no_vector_of_an_older_try(self, store: Store) -> None:
        model, (place,) = _register_model(store), keep_records(store, a_record())
        store.write(lambda t: t.vectors.put(model, [(place, [b"aa", b"bb"])]))
        store.write(lambda t: t.vectors.put(model, [(place, [])]))
        assert store.read(lambda t: t.vectors.of(model, [place])) == {}

    def test_packs_are_kept_in_order_and_dropped_by_model(self, store: Store) -> None:
        mini, other = _register_model(store), _register_model(store, "other")
        packs = ((mini, 20, b"b"), (mini, 10, b"a"), (other, 5, b"c"), (mini, 20, b"B"))
        write_each(store, packs, lambda t, pack: t.vectors.put_pack(*pack))
        assert store.read(lambda t: t.vectors.read_packs(mini)) == [(10, b"a"), (20, b"B")]
        assert store.read(lambda t: t.vectors.pack_ends(mini)) == [10, 20]
        store.write(lambda t: t.vectors.drop_packs(mini))
        assert store.read(lambda t: t.vectors.read_packs(mini)) == []
        assert store.read(lambda t: t.vectors.read_packs(other)) == [(5, b"c")]

    def test_what_came_after_the_last_pack_is_counted_up_to_a_limit(self, store: Store) -> None:
        model = _register_model(store)
        _put_vectors(store, model, *keep_records(store, *(a_record(str(n)) for n in range(5))))
        assert store.read(lambda t: t.vectors.count_unpacked(model, limit=9)) == 5
        assert store.read(lambda t: t.vectors.count_unpacked(model, limit=3)) == 3
        second = store.read(lambda t: t.vectors.read_written_after(model, 0, limit=2))[-1].seq
        store.write(lambda t: t.vectors.put_pack(model, second, b"p"))
        assert store.read(lambda t: t.vectors.count_unpacked(model, limit=9)) == 3

    def test_a_model_keeps_the_shape_of_its_vectors(self, store: Store) -> None:
        model, other = _register_model(store), _register_model(store, "other")
        assert store.read(lambda t: t.vectors.read_whitening(model)) == (None, 0, 0)
        _put_vectors(store, model, *keep_records(store, *(a_record(str(n)) for n in range(5))))
        store.write(lambda t: t.vectors.set_shape(model, b"shape", count=5))
        _put_vectors(store, model, *keep_records(store, a_record("one more")))
        assert store.read(lambda t: t.vectors.read_whitening(model)) == (b"shape", 5, 6)
        assert store.read(lambda t: t.vectors.read_whitening(other)) == (None, 0, 0)

    def test_a_sample_is_spread_over_all_vectors(self, store: Store) -> None:
        model = _register_model(store)
        _put_vectors(store, model, *keep_records(store, *(a_record(str(n)) for n in range(40))))
        everything = [row.vector for row in store.read(lambda t: t.vectors.read_written_after(model, 0, limit=99))]
        some = store.read(lambda t: t.vectors.sample_vectors(model, count=40, limit=10))
        assert 5 <= len(some) <= 10
        places = [everything.index(vector) for vector in some]
        assert min(places) < 10
        assert max(places) >= 30
        assert len(store.read(lambda t: t.vectors.sample_vectors(model, count=40, limit=99))) == 40

    def test_a_failed_write_leaves_no_vector(self, store: Store) -> None:
        model, (place,) = _register_model(store), keep_records(store, a_record())

        with pytest.raises(ZeroDivisionError):
            store.write(lambda t: t.vectors.put(model, [(place, [b"xx"])]) / 0)
        assert store.read(lambda t: t.vectors.of(model, [place])) == {}
        assert store.read(lambda t: t.vectors.find_waiting(limit=9)) == [(place, "The kettle is on the shelf")]

    @pytest.mark.parametrize("exact", [True, False])
    def test_the_nearest_records_are_those_the_view_shows(self, store: Store, exact: bool) -> None:
        model = _register_model(store)
        mine, hers, ours = keep_records(
            store,
            a_record("mine", user="alex"),
            a_record("hers", user="maria"),
            a_record("ours", user="maria", visibility="team"),
        )
        _put_vectors(store, model, mine, hers, ours)
        nearest = store.vector_search(model="mini", dimensions=SIZE)
        question = _unit_vector_at(hers)
        assert [seq for seq, _ in _search_nearest(store, nearest, question, a_view(), limit=1, exact=exact)] == [hers]
        assert [
            seq for seq, _ in _search_nearest(store, nearest, question, a_view(user="alex"), limit=9, exact=exact)
        ] == [mine]
        store.write(lambda t: t.people.add_space(a_space(), now=a_view().now))
        store.write(lambda t: t.people.set_member(SPACE, "alex", "member"))
        assert {
            seq for seq, _ in _search_nearest(store, nearest, question, a_view(user="alex"), limit=9, exact=exact)
        } == {
            mine,
            ours,
        }
        assert _search_nearest(store, nearest, question, a_view(kinds=("note",)), limit=9, exact=exact) == []

    def test_the_nearest_are_found_as_soon_as_their_vector_is_written(self, store: Store) -> None:
        nearest = store.vector_search(model="mini", dimensions=SIZE)
        (place,) = keep_records(store, a_record())
        assert _search_nearest(store, nearest, _unit_vector_at(place), a_view(), limit=5) == []
        _put_vectors(store, _register_model(store), place)
        ((found, cosine),) = _search_nearest(store, nearest, _unit_vector_at(place), a_view(), limit=5)
        assert found == place
        assert cosine > 0.99

    def test_vectors_survive_reopening(self, store: Store, reopen: Reopen) -> None:
        model, (place,) = _register_model(store), keep_records(store, a_record())
        _put_vectors(store, model, place)
        store.write(lambda t: t.vectors.put_pack(model, 1, b"p"))
        again = reopen(store)
        assert again.read(lambda t: t.vectors.known_model("mini")) == (model, SIZE)
        assert again.read(lambda t: t.vectors.of(model, [place])) == {(place, 0): encode_vector(_unit_vector_at(place))}
        assert again.read(lambda t: t.vectors.read_packs(model)) == [(1, b"p")]


def _register_model(store: Store, name: str = "mini") -> int:
    return store.write(lambda t: t.vectors.register_model(name, SIZE))


def _unit_vector_at(place: int) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    vector = np.random.default_rng(place).standard_normal(SIZE).astype(np.float32)
    return vector / np.linalg.norm(vector)


def _put_vectors(store: Store, model: int, *places: int) -> None:
    store.write(lambda t: t.vectors.put(model, [(place, [encode_vector(_unit_vector_at(place))]) for place in places]))


def _search_nearest(
    store: Store, nearest: NearestRecords, question: NDArray[np.float32], view: View, *, limit: int, exact: bool = True
) -> list[tuple[int, float]]:
    return store.read(lambda t: nearest.search(t, question, view, limit=limit, exact=exact))
