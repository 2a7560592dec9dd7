"""Copies, checks and room: a backup is whole while others write, a sound store has nothing to report."""

from __future__ import annotations

import threading

from toldonce.conformance.samples import OpenCopy, a_record, a_view, found_texts, keep_records, keep_texts, shown_texts
from toldonce.storage.store import Store


class UpkeepConformance:
    """What `backup`, `check`, `compact`, `size` and `place` promise."""

    def test_a_backup_is_a_store_with_the_same_records(self, store: Store, copy_path: str, open_copy: OpenCopy) -> None:
        records = keep_texts(store, "A copper kettle", "我住在上海")
        store.backup(copy_path)
        keep_texts(store, "written afterwards")
        copy = open_copy(copy_path)
        assert copy.read(lambda t: t.records.get(r.id for r in records)) == {r.id: r for r in records}
        assert found_texts(copy, "kettles") == ["A copper kettle"]
        assert len(shown_texts(copy, a_view())) == 2
        assert copy.check(repair=False) == []

    def test_a_backup_ends_and_is_consistent_while_others_write(
        self, store: Store, copy_path: str, open_copy: OpenCopy
    ) -> None:
        over = threading.Event()
        keep_records(store, *(a_record("x" * 2000) for _ in range(500)))

        def write_on() -> None:
            while not over.is_set():
                keep_records(store, a_record("pair"), a_record("pair"))

        writer = threading.Thread(target=write_on, daemon=True)
        writer.start()
        try:
            store.backup(copy_path)
        finally:
            over.set()
            writer.join(30)
        copy = open_copy(copy_path)
        count = len(copy.read(lambda t: t.records.read_page(None, limit=100_000)))
        assert count >= 500
        assert count % 2 == 0
        assert copy.check(repair=False) == []

    def test_a_copy_and_its_original_go_separate_ways(self, store: Store, copy_path: str, open_copy: OpenCopy) -> None:
        keep_texts(store, "shared")
        store.backup(copy_path)
        copy = open_copy(copy_path)
        keep_texts(store, "original")
        keep_texts(copy, "copy")
        assert set(shown_texts(store, a_view())) == {"shared", "original"}
        assert set(shown_texts(copy, a_view())) == {"shared", "copy"}

    def test_a_sound_store_has_nothing_to_report(self, store: Store) -> None:
        keep_texts(store, "A copper kettle", "我住在上海", "Nothing else")
        places = store.read(lambda t: t.purge.of_space("home"))
        store.write(lambda t: t.purge.destroy(places[:1]))
        assert store.check(repair=False) == []
        assert store.check(repair=True) == []
        assert found_texts(store, "nothing") == ["Nothing else"]

    def test_compacting_loses_nothing(self, store: Store) -> None:
        keep_texts(store, *(f"number {n}" for n in range(50)))
        places = store.read(lambda t: t.purge.of_space("home"))
        store.write(lambda t: t.purge.destroy(places[:25]))
        store.compact()
        assert len(shown_texts(store, a_view())) == 25
        assert found_texts(store, "49") == ["number 49"]
        assert store.check(repair=False) == []

    def test_a_store_says_where_it_is_and_how_large(self, store: Store) -> None:
        assert store.place
        before = store.size()
        keep_texts(store, *("x" * 10_000 for _ in range(50)))
        assert store.size() >= before >= 0
