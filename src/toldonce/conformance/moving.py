"""Whole rows leave a store in pages and enter it again, each once."""

from __future__ import annotations

from toldonce.conformance.samples import NOW, a_record, keep_records
from toldonce.storage.store import Store, Tables
from toldonce.storage.tables.events import EventPlace
from toldonce.storage.tables.webhooks import Webhook


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

    def test_a_webhook_keeps_its_place_in_what_happened(self, store: Store, spare_store: Store) -> None:
        """It is past as many rows of each sort there as it was here, whatever their numbers are."""
        keep_records(spare_store, gone := a_record())
        spare_store.write(lambda t: t.purge.destroy([p.seq for p in t.transfer.find_places([gone.id]).values()]))
        records = [a_record(f"number {n}") for n in range(4)]
        keep_records(store, *records)
        keep_records(spare_store, *records)
        places = [place.seq for place in store.read(lambda t: t.transfer.find_places([r.id for r in records])).values()]
        hook = Webhook(
            id="hook_1", url="https://a.example", events=("a",), with_text=True, private=False, created_at=NOW
        )
        for n in (0, 2, 4):
            store.write(lambda t: t.webhooks.remove(hook.id))
            spare_store.write(lambda t: t.webhooks.remove(hook.id))
            after = sorted(places)[n - 1] if n else 0
            store.write(lambda t, at=after: t.webhooks.add(hook, secret="s", place=EventPlace(record=at)))  # type: ignore[misc]
            rows = _read_all(store, "webhook")
            spare_store.write(lambda t, rows=rows: t.moving.put("webhook", rows, before=0))  # type: ignore[misc]
            (there,) = spare_store.read(lambda t: t.webhooks.all())
            found = spare_store.read(lambda t, at=there.place: t.events.records(at.record, at.record + 99, limit=9))  # type: ignore[misc]
            assert [record.id for _, record in found] == [record.id for record in records[n:]]
            assert (there.webhook, there.secret) == (hook, "s")


def _note_numbers(tables: Tables, *numbers: int) -> None:
    for number in numbers:
        tables.audit.add("home", "recall", at=NOW, detail={"number": number})


def _read_all(store: Store, type_: str) -> list[tuple[object, ...]]:
    return store.read(lambda t: [row for page in t.moving.read_pages(type_) for row in page])
