"""Sealed items: found by their vectors, by those who may see them, and gone with their person or space."""

from __future__ import annotations

from typing import Any

import numpy as np

from toldonce.conformance.samples import NOW, SPACE, Reopen, a_space, moment_after
from toldonce.storage import erase
from toldonce.storage.store import Store
from toldonce.storage.tables.sealed import SealedRow

_MODEL, _SEAL = "test-4", "seal-1"


def _vector(*numbers: float) -> bytes:
    made = np.array(numbers, dtype=np.float32)
    return (made / np.linalg.norm(made)).astype("<f2").tobytes()


def _an_item(id_: str = "sealed_1", *numbers: float, **given: Any) -> SealedRow:
    values: dict[str, Any] = {
        "space": SPACE, "at": NOW, "seal": _SEAL, "model": _MODEL, "user": "alex", "box": b"box of " + id_.encode(),
    }  # fmt: skip
    return SealedRow(id=id_, vector=_vector(*(numbers or (1, 0, 0, 0))), **{**values, **given})


def _put(store: Store, *rows: SealedRow) -> list[bool]:
    return store.write(lambda t: [t.sealed.put(row) for row in rows])


def _find(store: Store, *numbers: float, user: str | None = "alex", **given: Any) -> list[str]:
    asked: dict[str, Any] = {"space": SPACE, "model": _MODEL, "seals": [_SEAL], "limit": 10, **given}
    nearest = store.read(lambda t: t.sealed.find_nearest(_vector(*numbers), user=user, **asked), person=user)
    return [id_ for id_, _ in nearest]


class SealedConformance:
    """Vectors and boxes that nobody here can open."""

    def test_an_item_is_stored_once_and_comes_back_whole(self, store: Store, reopen: Reopen) -> None:
        item = _an_item()
        assert _put(store, item) == [True]
        assert _put(store, _an_item(box=b"another", user="maria")) == [False]
        again = reopen(store)
        assert again.read(lambda t: t.sealed.get(["sealed_1", "other"], space=SPACE, user="alex")) == {item.id: item}

    def test_who_sealed_an_item_gives_it_the_vector_of_another_model(self, store: Store) -> None:
        _put(store, _an_item("a", 1, 0, 0, 0))
        for foreign in (_an_item("a", model="new", user="maria"), _an_item("a", model="new", seal="seal-2")):
            assert _put(store, foreign) == [False] and _find(store, 1, 0, 0, 0) == ["a"]
        newer = _an_item("a", 0, 1, 0, 0, model="new")
        assert _put(store, newer) == [False]
        assert store.read(lambda t: t.sealed.get(["a"], space=SPACE, user="alex")) == {"a": newer}
        assert (_find(store, 1, 0, 0, 0), _find(store, 0, 1, 0, 0, model="new")) == ([], ["a"])

    def test_the_nearest_come_first_with_their_cosine(self, store: Store) -> None:
        _put(store, _an_item("a", 1, 0, 0, 0), _an_item("b", 1, 1, 0, 0), _an_item("c", 0, 0, 1, 0))
        assert _find(store, 1, 0.1, 0, 0) == ["a", "b", "c"]
        assert _find(store, 1, 0.1, 0, 0, limit=1) == ["a"]
        asked = _vector(1, 0, 0, 0)
        found = store.read(
            lambda t: t.sealed.find_nearest(asked, space=SPACE, user="alex", model=_MODEL, seals=[_SEAL], limit=2)
        )
        assert [round(score, 2) for _, score in found] == [1.0, 0.71]

    def test_models_keys_and_moments_do_not_mix(self, store: Store) -> None:
        _put(store, _an_item("a"), _an_item("b", model="other"), _an_item("c", seal="seal-2"))
        _put(store, _an_item("d", at=moment_after(days=2)), _an_item("e", 1, 0))
        assert _find(store, 1, 0, 0, 0) == ["d", "a"]
        assert _find(store, 1, 0, 0, 0, seals=[_SEAL, "seal-2"], until=moment_after(days=1)) == ["c", "a"]
        assert _find(store, 1, 0, 0, 0, since=moment_after(days=1)) == ["d"]
        assert _find(store, 1, 0, 0, 0, seals=[]) == []

    def test_a_person_sees_their_own_and_what_is_shared(self, store: Store) -> None:
        _put(store, _an_item("mine"), _an_item("theirs", user="maria"), _an_item("all", user=None))
        _put(store, _an_item("team", user="maria", visibility="team"))
        _put(store, _an_item("shared", user="maria", visibility="project"))
        assert set(_find(store, 1, 0, 0, 0)) == {"mine", "all", "shared"}
        store.write(lambda t: t.people.set_member(SPACE, "alex", "member"))
        assert set(_find(store, 1, 0, 0, 0)) == {"mine", "all", "shared", "team"}
        assert set(_find(store, 1, 0, 0, 0, user=None)) == {"mine", "all", "shared", "team", "theirs"}
        listed = store.read(lambda t: t.sealed.all(space=SPACE, user="alex", limit=10), person="alex")
        assert {row.id for row in listed} == {"mine", "all", "shared", "team"}
        assert store.read(lambda t: t.sealed.get(["theirs"], space=SPACE, user="alex"), person="alex") == {}

    def test_counts_are_by_key_and_owner(self, store: Store) -> None:
        _put(store, _an_item("a"), _an_item("b", at=moment_after(hours=1)), _an_item("c", seal="seal-2"))
        _put(store, _an_item("d", user="maria", visibility="project"))
        counts = store.read(lambda t: t.sealed.count(space=SPACE, user="alex"))
        assert [c[:3] for c in counts] == [(_SEAL, False, 1), (_SEAL, True, 2), ("seal-2", True, 1)]
        assert counts[1].newest == moment_after(hours=1) and counts[1].bytes == 2 * len(b"box of a")

    def test_only_the_owner_takes_an_item_away(self, store: Store) -> None:
        _put(store, _an_item("a", visibility="project"))
        assert not store.write(lambda t: t.sealed.drop("a", space=SPACE, user="maria"))
        assert not store.write(lambda t: t.sealed.drop("a", space="work", user="alex"))
        assert store.write(lambda t: t.sealed.drop("a", space=SPACE, user="alex"))
        assert _find(store, 1, 0, 0, 0) == []

    def test_erasing_a_person_destroys_what_they_sealed(self, store: Store) -> None:
        _put(store, _an_item("mine"), _an_item("theirs", user="maria"))
        assert store.read(lambda t: t.purge.count_traces("alex", space=None))["sealed items"] == 1
        store.write(lambda t: erase.erase_person(t, "alex", space=None, now=NOW))
        assert store.read(lambda t: t.purge.count_traces("alex", space=None))["sealed items"] == 0
        assert _find(store, 1, 0, 0, 0, user=None) == ["theirs"]

    def test_a_purged_space_leaves_none(self, store: Store) -> None:
        store.write(lambda t: t.people.add_space(a_space(), now=NOW))
        _put(store, _an_item())
        store.write(lambda t: t.people.drop_space(SPACE))
        assert _find(store, 1, 0, 0, 0, user=None) == []
