"""Words choose records by how much of the question they hold, rare words counting for more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from toldonce.conformance.samples import a_view, any_words, keep_texts
from toldonce.recall import candidates as words
from toldonce.recall.candidates import (
    RecallSnapshot,
    SharedReads,
    TermMatches,
    _estimate_frequency,
    find_by_terms,
    rank_full_text,
    scale_to_best,
    term_weight,
)
from toldonce.storage.open import open_store
from toldonce.storage.store import Store, Tables


@pytest.fixture
def store() -> Iterator[Store]:
    opened = open_store(":memory:")
    yield opened
    opened.close()


def found(store: Store, *asked: str, by: Callable[..., TermMatches] = find_by_terms, limit: int = 9) -> list[str]:
    places = [seq for seq, _ in ranking(store, *asked, by=by, limit=limit).ranking]
    records = store.read(lambda t: t.records.by_seq(places))
    return [records[place].text for place in places]


def ranking(store: Store, *asked: str, by: Callable[..., TermMatches] = find_by_terms, limit: int = 9) -> TermMatches:
    def work(tables: Tables) -> TermMatches:
        reading = RecallSnapshot(SharedReads(tables, a_view()), a_view())
        return by(reading, any_words(*asked), limit=limit)

    return store.read(work)


def test_more_of_the_words_is_better_and_newer_is_better_among_equals(store: Store) -> None:
    keep_texts(store, "red lamp", "red sky", "red lamp green door")
    assert found(store, "red", "lamp", "door") == ["red lamp green door", "red lamp", "red sky"]
    assert found(store, "red") == ["red lamp green door", "red sky", "red lamp"]
    assert found(store, "red", limit=1) == ["red lamp green door"]
    assert found(store, "zebra") == found(store) == []


def test_a_rare_word_outweighs_a_common_one(store: Store) -> None:
    keep_texts(store, "a heron", *(f"day {n}" for n in range(9)))
    assert found(store, "heron", "day")[0] == "a heron"


def test_each_record_has_its_share_and_each_word_its_count(store: Store) -> None:
    keep_texts(store, "red lamp", "red door")
    told = ranking(store, "red", "lamp")
    assert [round(share, 3) for _, share in told.ranking] == [1.0, round(term_weight("red", 2, size=2) / _whole(), 3)]
    assert told.counts == {"red": 2, "lamp": 1}


def _whole() -> float:
    return term_weight("red", 2, size=2) + term_weight("lamp", 1, size=2)


@pytest.mark.parametrize("by", [find_by_terms, rank_full_text])
def test_in_a_large_store_common_words_order_what_rare_ones_chose(
    store: Store, monkeypatch: pytest.MonkeyPatch, by: Callable[..., TermMatches]
) -> None:
    keep_texts(store, "green sky", "red door", "green door", *(f"door {n}" for n in range(5)))
    monkeypatch.setattr(words, "SMALL", 3)
    monkeypatch.setattr(words, "COMMON", 4)
    assert found(store, "green", "door", by=by) == ["green door", "green sky"]
    assert found(store, "red", by=by) == ["red door"]


@pytest.mark.parametrize("by", [find_by_terms, rank_full_text])
def test_words_that_are_all_common_find_the_newest(
    store: Store, monkeypatch: pytest.MonkeyPatch, by: Callable[..., TermMatches]
) -> None:
    keep_texts(store, *(f"door {n}" for n in range(5)))
    monkeypatch.setattr(words, "SMALL", 3)
    monkeypatch.setattr(words, "COMMON", 4)
    assert set(found(store, "door", by=by)) >= {f"door {n}" for n in range(1, 5)}


def test_an_old_record_with_two_common_words_is_found_behind_many_newer_with_one(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_texts(store, "green door", *(f"{word} {n}" for n in range(6) for word in ("green", "door")))
    monkeypatch.setattr(words, "SMALL", 3)
    monkeypatch.setattr(words, "COMMON", 4)
    assert found(store, "green", "door")[0] == "green door"


def test_how_common_a_word_is_is_told_by_how_close_its_newest_records_are(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_texts(store, *(f"door {n} {'green' if n % 4 == 0 else ''}" for n in range(80)))
    monkeypatch.setattr(words, "SMALL", 3)
    monkeypatch.setattr(words, "COMMON", 10)
    counts = ranking(store, "door", "green", "zebra").counts
    assert counts["door"] == 80
    assert 18 <= counts["green"] <= 23
    assert counts["zebra"] == 0


def test_words_of_the_frame_tell_less() -> None:
    assert term_weight("discussed", 1, size=100) < term_weight("pottery", 1, size=100) / 2


@pytest.mark.parametrize("scores, shares", [((), []), ((4.0, 2.0), [1.0, 0.5]), ((0.0,), [1.0])])
def test_scores_become_shares_of_the_best(scores: Sequence[float], shares: list[float]) -> None:
    assert [share for _, share in scale_to_best([(1, score) for score in scores])] == shares


def test_how_common_a_word_is_does_not_depend_on_gaps_between_places() -> None:
    """In PostgreSQL all tenants share one sequence of places."""
    places = list(range(10_000, 9_000, -2))
    dense = _estimate_frequency(places, most=500, size=10_000, ends=(1, 10_000))
    sparse = _estimate_frequency([100 * place for place in places], most=500, size=10_000, ends=(100, 1_000_000))
    assert dense == pytest.approx(5_000, rel=0.01) and sparse == pytest.approx(dense, rel=0.02)
    assert _estimate_frequency(places[:7], most=500, size=10_000, ends=(0, 0)) == 7
