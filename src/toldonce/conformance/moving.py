"""Whole rows leave a store in pages and enter it again, each once."""

from __future__ import annotations

from toldonce.conformance.samples import NOW, a_record, keep_records
from toldonce.storage.store import Store, Tables


class MovingConformance:
    """What a move takes beside the lines of an export."""

    def test_rows_come_out_as_they_went_in_and_enter_once(self, store: Store) -> None:
        (place,) = keep_records(store, record := a_record())
        store.write(lambda t: t.vectors.put(t.vectors.register_model("mini", 2), [(place, [b"abcd"])]))
        store.write(lambda t: _note_numbers(t, 0, 1, 2))
        vectors, audit = _read_all(store, "vector"), _read_all(store, "audit")
        assert vectors == [(record.id, 0, "mini", b"abcd")] and len(audit) == 3
        store.write(lambda t: t.moving.put("vector", vectors, before=0))
        store.write(lambda t: t.moving.put("audit", audit, before=0))
        assert (_read_all(store, "vector"), _read_all(store, "audit")) == (vectors, audit)

    def test_rows_without_a_key_go_on_after_those_that_are_here(self, store: Store) -> None:
        store.write(lambda t: _note_numbers(t, 1, 2))
        rows = _read_all(store, "audit")
        more = [*rows, ("home", 5, "ana", "cli", "recall", "{}", b"salt", b"commitment", b"digest")]
        store.write(lambda t: t.moving.put("audit", more[1:], before=1))
        assert _read_all(store, "audit") == more


def _note_numbers(tables: Tables, *numbers: int) -> None:
    for number in numbers:
        tables.audit.add("home", "recall", at=NOW, detail={"number": number})


def _read_all(store: Store, type_: str) -> list[tuple[object, ...]]:
    return store.read(lambda t: [row for page in t.moving.read_pages(type_) for row in page])
