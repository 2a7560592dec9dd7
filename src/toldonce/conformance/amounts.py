"""Amounts: what is stored is counted with every record that comes or is destroyed, for each person and space."""

from __future__ import annotations

from datetime import timedelta

from toldonce.conformance.samples import NOW, SPACE, Reopen, a_record, keep_records, moment_after
from toldonce.records import TenantQuota
from toldonce.storage import erase
from toldonce.storage.store import Store
from toldonce.storage.tables.amounts import Amount


class AmountsConformance:
    """Records and bytes by person and space, and writes a minute."""

    def test_records_and_the_bytes_of_their_texts_are_counted(self, store: Store, reopen: Reopen) -> None:
        keep_records(store, a_record("chá", user="alex"), a_record("tea", user="alex"), a_record("rain", user=None))
        again = reopen(store)
        assert again.read(lambda t: t.amounts.of_person(SPACE, "alex")) == Amount(2, 7)
        assert again.read(lambda t: t.amounts.of_person(SPACE, None)) == Amount(1, 4)
        assert again.read(lambda t: t.amounts.of_space(SPACE)) == Amount(3, 11)
        assert again.read(lambda t: t.amounts.of_person("work", "alex")) == Amount()
        assert again.read(lambda t: t.amounts.of_space("work")) == Amount()
        assert again.read(lambda t: t.amounts.list_owners()) == [(SPACE, "alex")]

    def test_what_is_destroyed_no_longer_counts(self, store: Store) -> None:
        first, _ = keep_records(store, a_record("one", user="alex"), a_record("three", user="alex"))
        store.write(lambda t: t.purge.destroy([first]))
        assert store.read(lambda t: t.amounts.of_person(SPACE, "alex")) == Amount(1, 5)
        store.write(lambda t: erase.erase_person(t, "alex", space=None, now=NOW))
        assert store.read(lambda t: t.amounts.of_space(SPACE)) == Amount()

    def test_what_came_after_a_record_is_counted_alone(self, store: Store) -> None:
        first, *_ = keep_records(
            store, a_record("one", user="alex"), a_record("three", user="alex"), a_record("it", user=None)
        )
        added = {(SPACE, "alex"): Amount(1, 5), (SPACE, None): Amount(1, 2)}
        assert store.read(lambda t: t.amounts.added_after(first)) == added
        assert store.read(lambda t: t.amounts.added_after(t.transfer.last_place())) == {}

    def test_a_tenant_is_counted_and_limited_in_all_spaces_together(self, store: Store, reopen: Reopen) -> None:
        assert store.read(lambda t: (t.amounts.of_tenant(at=NOW), t.amounts.tenant_quota())) == (
            (Amount(), 0),
            TenantQuota(),
        )
        keep_records(store, a_record("one", user="alex"), a_record("three", user="ana", space="work"))
        for space, user in ((SPACE, "alex"), ("work", None)):
            store.write(lambda t, s=space, u=user: t.amounts.count_writes(s, u, 2, at=NOW))  # type: ignore[misc]
        quota = TenantQuota(records=5, bytes=7, writes_per_minute=9, model_cost_per_day=2.5)
        store.write(lambda t: t.amounts.set_tenant_quota(quota))
        again = reopen(store)
        assert again.read(lambda t: (t.amounts.of_tenant(at=NOW), t.amounts.tenant_quota())) == (
            (Amount(2, 8), 4),
            quota,
        )
        assert again.read(lambda t: t.amounts.of_tenant(at=moment_after(days=1))) == (Amount(2, 8), 0)

    def test_writes_are_counted_by_the_minute(self, store: Store) -> None:
        def count(*, seconds: int, writes: int = 1, user: str | None = "alex") -> int:
            at = NOW.replace(second=0) + timedelta(seconds=seconds)
            return store.write(lambda t: t.amounts.count_writes(SPACE, user, writes, at=at))

        assert [count(seconds=0), count(seconds=59, writes=3), count(seconds=60)] == [1, 4, 1]
        assert count(seconds=60, user="maria") == 1
        assert store.read(lambda t: t.amounts.of_person(SPACE, "alex")) == Amount()
