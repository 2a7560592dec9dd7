"""A doubted record is shown only under what doubts it, and follows what happens to that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

import pytest

from toldonce.conformance.samples import (
    NOW,
    SPACE,
    a_record,
    a_view,
    found_texts,
    keep_records,
    moment_after,
    read_back,
    shown_texts,
)
from toldonce.presets.policy import Kind
from toldonce.records import Record, State
from toldonce.storage import erase, lifecycle
from toldonce.storage.store import Store, View
from toldonce.storage.tables.records import BrowseFilter

_LATER = moment_after(days=9)
_KIND = Kind(name="fact", prefix="fact")


class DoubtsConformance:
    """The state `doubted`: what it hides, where it is shown, and what ends it."""

    def test_a_doubted_record_is_found_by_nothing_and_shown_under_what_doubts_it(self, store: Store) -> None:
        porto, gaia = _kept(store, "lives in Porto", "moved to Gaia")
        assert _doubt(store, porto, gaia)
        assert shown_texts(store, a_view(now=_LATER)) == ["moved to Gaia"]
        assert found_texts(store, "porto") == []
        assert _under(store, gaia) == ["lives in Porto"] and _under(store, porto) == []
        kept = read_back(store, porto)
        assert (kept.state, kept.superseded_by, kept.state_reason) == ("doubted", gaia.id, "a newer word")
        (change,) = store.read(lambda t: t.records.read_changes(porto.id))
        assert (change.action, change.state, change.other) == ("doubted", "doubted", gaia.id)

    def test_before_the_doubt_it_counted(self, store: Store) -> None:
        porto, gaia = _kept(store, "lives in Porto", "moved to Gaia")
        _doubt(store, porto, gaia, at=moment_after(days=2))
        before, after = (a_view(now=_LATER, as_of=moment_after(days=d)) for d in (1.5, 3))
        assert shown_texts(store, before) == ["moved to Gaia", "lives in Porto"]
        assert shown_texts(store, after) == ["moved to Gaia"]
        assert _under(store, gaia, view=before) == [] and _under(store, gaia, view=after) == ["lives in Porto"]

    def test_one_that_follows_a_doubted_one_is_shown_under_the_newest(self, store: Store) -> None:
        first, second, third = _kept(store, "lives in Porto", "lives in Gaia", "lives in Braga")
        _doubt(store, first, second)
        _doubt(store, second, third)
        assert _under(store, third) == ["lives in Gaia", "lives in Porto"]
        assert shown_texts(store, a_view(now=_LATER)) == ["lives in Braga"]

    def test_nobody_reads_under_a_shared_record_what_is_private_to_another(self, store: Store) -> None:
        porto, gaia = _kept(store, "lives in Porto", "moved to Gaia", user="alex", visibility="project")
        own = a_record("rents in Porto", user="alex")
        keep_records(store, own)
        for older in (porto, own):
            _doubt(store, older, gaia)
        assert _under(store, gaia, view=a_view(now=_LATER, user="alex")) == ["rents in Porto", "lives in Porto"]
        assert _under(store, gaia, view=a_view(now=_LATER, user="sam")) == ["lives in Porto"]

    @pytest.mark.parametrize("given", [{"validated": True}, {"pinned": True}, {"conversation": "talk"}])
    def test_what_a_person_confirmed_or_pinned_and_a_message_is_not_doubted(
        self, store: Store, given: dict[str, Any]
    ) -> None:
        older, newer = a_record("lives in Porto", **given), a_record("moved to Gaia")
        keep_records(store, older, newer)
        assert not _doubt(store, older, newer)
        assert read_back(store, older).state == "active"

    @pytest.mark.parametrize("state", ["proposed", "superseded", "expired", "faded", "flagged", "forgotten"])
    def test_only_what_counts_is_doubted_and_doubts(self, store: Store, state: State) -> None:
        one, other = a_record("lives in Porto"), a_record("moved to Gaia", state=state)
        keep_records(store, one, other)
        assert not _doubt(store, one, other) and not _doubt(store, other, one) and not _doubt(store, one, one)

    def test_what_is_brought_back_is_never_judged_again_against_the_same(self, store: Store) -> None:
        porto, gaia = _kept(store, "lives in Porto", "moved to Gaia")
        _doubt(store, porto, gaia)
        assert store.read(lambda t: lifecycle.may_judge(t, gaia, porto))
        _restore(store, porto)
        assert read_back(store, porto).state == read_back(store, gaia).state == "active"
        assert not store.read(lambda t: lifecycle.may_judge(t, gaia, porto))
        assert not _doubt(store, porto, gaia) and _under(store, gaia) == []
        assert store.read(lambda t: t.records.given_way([porto.id], at=_LATER)) == set()

    def test_what_was_ended_wrongly_is_brought_back_beside_what_ended_it(self, store: Store) -> None:
        porto, gaia = _kept(store, "works at Blue House", "Blue House lost a client")
        store.write(lambda t: lifecycle.supersede_record(t, porto, gaia, at=_LATER, reason="judged"))
        _restore(store, porto)
        assert read_back(store, porto).state == read_back(store, gaia).state == "active"
        assert not store.read(lambda t: lifecycle.may_judge(t, gaia, porto))
        assert store.read(lambda t: t.records.given_way([porto.id], at=_LATER)) == set()

    def test_where_only_one_can_hold_the_one_brought_back_does(self, store: Store) -> None:
        faro, porto, gaia = _kept(store, "Faro", "Porto", "Gaia", subject="alex/home")
        for older in (faro, porto):
            _doubt(store, older, gaia)
        _restore(store, porto, holds_alone=True)
        assert [read_back(store, r).state for r in (faro, porto, gaia)] == ["doubted", "active", "superseded"]
        assert _under(store, porto) == ["Faro"]

    def test_a_doubted_record_can_be_ended(self, store: Store) -> None:
        porto, gaia = _kept(store, "lives in Porto", "moved to Gaia")
        _doubt(store, porto, gaia)
        known = read_back(store, porto)
        store.write(lambda t: lifecycle.supersede_record(t, known, gaia, at=_LATER, reason="said so"))
        assert read_back(store, porto).state == "superseded" and _under(store, gaia) == []

    @pytest.mark.parametrize("way", ["forget", "flag", "purge"])
    def test_what_doubted_it_is_taken_away_and_it_counts_again(
        self, store: Store, way: Literal["forget", "flag", "purge"]
    ) -> None:
        porto, gaia = _kept(store, "lives in Porto", "moved to Gaia")
        _doubt(store, porto, gaia)
        _take_away(store, gaia, way)
        kept = read_back(store, porto)
        assert (kept.state, kept.superseded_by) == ("active", None)
        last = store.read(lambda t: t.records.read_changes(porto.id))[-1]
        assert (last.action, last.other) == ("cleared", gaia.id)

    @pytest.mark.parametrize("way", ["forget", "flag"])
    def test_what_doubted_it_comes_back_and_so_does_the_doubt(
        self, store: Store, way: Literal["forget", "flag"]
    ) -> None:
        porto, gaia = _kept(store, "lives in Porto", "moved to Gaia")
        _doubt(store, porto, gaia)
        _take_away(store, gaia, way)
        _restore(store, gaia)
        assert read_back(store, porto).state == "doubted" and _under(store, gaia) == ["lives in Porto"]

    def test_it_stays_doubted_while_another_one_doubts_it(self, store: Store) -> None:
        porto, gaia, braga = _kept(store, "lives in Porto", "moved to Gaia", "moved to Braga")
        for newer in (gaia, braga):
            _doubt(store, porto, newer)
        _take_away(store, braga, "forget")
        assert read_back(store, porto).superseded_by == gaia.id and _under(store, gaia) == ["lives in Porto"]
        _take_away(store, gaia, "purge")
        assert read_back(store, porto).state == "active"

    def test_what_stood_between_is_taken_away_and_the_newest_doubts_it(self, store: Store) -> None:
        first, second, third = _kept(store, "lives in Porto", "lives in Gaia", "lives in Braga")
        _doubt(store, first, second)
        _doubt(store, second, third)
        _take_away(store, second, "purge")
        assert _under(store, third) == ["lives in Porto"] and read_back(store, first).superseded_by == third.id

    def test_it_follows_what_replaced_the_one_that_doubted_it(self, store: Store) -> None:
        porto, gaia, braga = _kept(store, "lives in Porto", "moved to Gaia", "moved to Braga")
        _doubt(store, porto, gaia)
        store.write(lambda t: lifecycle.supersede_record(t, gaia, braga, at=_LATER, reason="corrected", by="person"))
        assert _under(store, braga) == ["lives in Porto"] and read_back(store, porto).superseded_by == braga.id

    def test_a_correction_that_says_the_same_again_ends_it(self, store: Store) -> None:
        porto, gaia, again = _kept(store, "lives in Porto", "moved to Gaia", "Lives in Porto.")
        _doubt(store, porto, gaia)
        store.write(lambda t: lifecycle.supersede_record(t, gaia, again, at=_LATER, reason="corrected", by="person"))
        assert read_back(store, porto).state == "superseded" and _under(store, again) == []

    def test_time_takes_no_doubt_away(self, store: Store) -> None:
        """What only expired or faded was not wrong: what it doubted stays hidden, and ends with it."""
        porto, gaia = _kept(store, "lives in Porto", "moved to Gaia", expires_at=None)
        _doubt(store, porto, gaia)
        store.write(lambda t: lifecycle.expire_records(t, [gaia], now=_LATER))
        assert shown_texts(store, a_view(now=_LATER)) == [] and read_back(store, porto).state == "doubted"
        _take_away(store, read_back(store, gaia), "purge")
        assert read_back(store, porto).state == "superseded"

    def test_a_doubted_record_expires_with_the_others(self, store: Store) -> None:
        porto, gaia = a_record("Porto", expires_at=moment_after(days=3)), a_record("Gaia")
        keep_records(store, porto, gaia)
        _doubt(store, porto, gaia)
        assert store.read(lambda t: [r.id for r in t.records.find_expired(now=moment_after(days=4))]) == [porto.id]
        assert _under(store, gaia) == []
        counts = store.read(lambda t: t.records.count_browsed(a_view(now=_LATER), BrowseFilter(states=("expired",))))
        assert [one.count for one in counts] == [1]

    def test_what_is_doubted_is_listed_and_counted_by_its_state(self, store: Store) -> None:
        porto, gaia = _kept(store, "lives in Porto", "moved to Gaia")
        _doubt(store, porto, gaia)
        chosen = BrowseFilter(states=("doubted",))
        assert [r.id for r in store.read(lambda t: t.records.browse(a_view(now=_LATER), chosen, limit=9))] == [porto.id]
        assert [row[:3] for row in store.read(lambda t: t.records.count_by_kind(SPACE))] == [
            ("fact", "active", 1),
            ("fact", "doubted", 1),
        ]

    def test_what_was_written_from_a_doubted_record_gave_way_with_it(self, store: Store) -> None:
        porto, gaia = _kept(store, "lives in Porto", "moved to Gaia")
        _doubt(store, porto, gaia, at=moment_after(days=2))
        assert store.read(lambda t: t.records.given_way([porto.id, gaia.id], at=_LATER)) == {porto.id}
        assert store.read(lambda t: t.records.given_way([porto.id], at=moment_after(days=1))) == set()

    def test_a_message_leads_to_what_is_doubted_of_it_and_to_the_newer_one(self, store: Store) -> None:
        said = a_record("I live in Porto and like tea", conversation="talk")
        porto, tea = a_record("lives in Porto", sources=(said.id,)), a_record("likes tea", sources=(said.id,))
        gaia, braga = a_record("moved to Gaia", at=moment_after(days=1)), a_record("Braga", at=moment_after(days=2))
        keep_records(store, said, porto, tea, gaia, braga)
        view = a_view(now=_LATER)
        assert not store.read(lambda t: t.doubts.exist(view))
        _doubt(store, porto, gaia)
        _doubt(store, gaia, braga)
        assert store.read(lambda t: t.doubts.exist(view))

        def ids(found: dict[str, list[Record]]) -> dict[str, list[str]]:
            return {id_: [one.id for one in some] for id_, some in found.items()}

        among = store.read(lambda t: t.doubts.find_among([said.id, porto.id, tea.id, braga.id], view))
        assert ids(among) == {said.id: [porto.id], porto.id: [porto.id]}
        assert ids(store.read(lambda t: t.doubts.find_over([porto.id, tea.id], view))) == {porto.id: [braga.id]}
        before = a_view(now=_LATER, as_of=NOW)
        assert store.read(lambda t: t.doubts.find_among([said.id], before)) == {}

    def test_history_tells_the_pair(self, store: Store) -> None:
        porto, gaia = _kept(store, "lives in Porto", "moved to Gaia")
        _doubt(store, porto, gaia)
        past = [store.read(lambda t, i=record.id: lifecycle.history(t, i)) for record in (porto, gaia)]  # type: ignore[misc]
        assert [[one.id for one in told.chain] for told in past] == [[porto.id], [gaia.id]]
        assert [[one.id for one in told.doubted] for told in past] == [[], [porto.id]]
        assert past[0].changes[-1].other == gaia.id


def _kept(store: Store, *texts: str, **given: Any) -> list[Record]:
    """Records that were said one day after the other."""
    records = [a_record(text, at=moment_after(hours=n), **given) for n, text in enumerate(texts)]
    keep_records(store, *records)
    return records


def _doubt(store: Store, older: Record, newer: Record, *, at: datetime = NOW) -> bool:
    at = max(at, newer.at)
    known = read_back(store, older)
    return store.write(lambda t: lifecycle.doubt_record(t, known, newer, at=at, reason="a newer word"))


def _restore(store: Store, record: Record, *, holds_alone: bool = False) -> None:
    now = read_back(store, record)
    store.write(lambda t: lifecycle.mark_restored(t, now, _KIND, now=_LATER, zone="UTC", holds_alone=holds_alone))


def _take_away(store: Store, record: Record, way: Literal["forget", "flag", "purge"]) -> None:
    if way == "purge":
        store.write(lambda t: erase.purge_record(t, record, now=_LATER))
    elif way == "flag":
        store.write(lambda t: lifecycle.mark_flagged(t, record, reason="wrong", now=_LATER))
    else:
        store.write(lambda t: lifecycle.mark_forgotten(t, record, reason="", now=_LATER))


def _under(store: Store, record: Record, *, view: View | None = None) -> Sequence[str]:
    """The texts that are shown under a record."""
    seen = view or a_view(now=_LATER)
    return [r.text for r in store.read(lambda t: t.doubts.find_under([record.id], seen)).get(record.id, [])]
