"""Access: keys of the server hold until they expire or are revoked, and shared values until they expire."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from toldonce.conformance.samples import NOW, Reopen, a_record, keep_records, moment_after
from toldonce.storage import erase
from toldonce.storage.store import Store, Tables
from toldonce.storage.tables.access_keys import AccessKey

_DIGEST, _OTHER = b"1" * 32, b"2" * 32


def _a_key(**given: Any) -> AccessKey:
    values: dict[str, Any] = {
        "id": "key_1", "name": "laptop", "person": "alex", "spaces": ("home",), "rights": ("read",), "role": "agent",
        "created_at": NOW,
    }  # fmt: skip
    return AccessKey(**{**values, **given})


def _add(store: Store, key: AccessKey, digest: bytes = _DIGEST) -> None:
    store.write(lambda t: t.access_keys.add(key, digest=digest))


def _find(store: Store, digest: bytes = _DIGEST, **later: float) -> AccessKey | None:
    return store.read(lambda t: t.access_keys.find(digest, now=moment_after(**later)))


class AccessConformance:
    """Keys by the hash of their secret, and values that expire."""

    def test_a_key_is_found_by_its_hash_alone(self, store: Store, reopen: Reopen) -> None:
        _add(store, _a_key())
        _add(store, everybody := _a_key(id="key_2", person=None, spaces=None, created_at=moment_after(hours=1)), _OTHER)
        again = reopen(store)
        assert _find(again) == _a_key()
        assert _find(again, _OTHER) == everybody
        assert _find(again, b"3" * 32) is None
        assert again.read(lambda t: t.access_keys.all()) == [_a_key(), everybody]

    def test_a_key_ends_when_it_expires_or_is_revoked(self, store: Store) -> None:
        _add(store, _a_key(expires_at=moment_after(hours=2)))
        assert _find(store, hours=1) is not None and _find(store, hours=2) is None
        assert store.write(lambda t: t.access_keys.revoke("key_1", at=NOW))
        assert _find(store) is None
        assert not store.write(lambda t: t.access_keys.revoke("key_1", at=NOW))
        assert [key.revoked_at for key in store.read(lambda t: t.access_keys.all())] == [NOW]

    def test_the_previous_secret_of_a_rotated_key_holds_for_a_while(self, store: Store) -> None:
        _add(store, _a_key())
        until = moment_after(hours=1)
        assert store.write(lambda t: t.access_keys.rotate("key_1", digest=_OTHER, previous_until=until))
        assert _find(store) is not None and _find(store, _OTHER) is not None
        assert _find(store, hours=1) is None and _find(store, _OTHER, hours=1) is not None
        assert not store.write(lambda t: t.access_keys.rotate("key_9", digest=b"4" * 32, previous_until=until))

    def test_the_last_use_of_a_key_is_stored(self, store: Store) -> None:
        _add(store, _a_key())
        store.write(lambda t: t.access_keys.touch("key_1", at=moment_after(days=1)))
        found = _find(store)
        assert found is not None and found.last_used_at == moment_after(days=1)

    def test_a_value_is_held_once_until_it_expires(self, store: Store) -> None:
        def hold(value: str, **later: float) -> bool:
            now = moment_after(**later)
            return store.write(
                lambda t: t.held_values.hold("link", "k", value, now=now, expires_at=now + timedelta(hours=1))
            )

        assert hold("first") and not hold("second", minutes=59)
        assert store.read(lambda t: t.held_values.get("link", "k", now=NOW)) == "first"
        assert store.read(lambda t: t.held_values.get("browser", "k", now=NOW)) is None
        assert store.read(lambda t: t.held_values.get("link", "k", now=moment_after(hours=1))) is None
        assert hold("third", hours=1)
        store.write(lambda t: t.held_values.set("link", "k", "fourth", expires_at=moment_after(hours=5)))
        assert store.read(lambda t: t.held_values.get("link", "k", now=moment_after(hours=4))) == "fourth"
        assert store.write(lambda t: t.held_values.drop("link", "k"))
        assert not store.write(lambda t: t.held_values.drop("link", "k"))

    def test_an_erased_person_has_no_key_and_no_browser_left(self, store: Store) -> None:
        _add(store, _a_key())
        _add(store, _a_key(id="key_2", person="maria"), _OTHER)
        until = moment_after(days=1)
        store.write(lambda t: t.held_values.hold("browser", "b", "{}", now=NOW, expires_at=until, person="alex"))
        store.write(lambda t: erase.erase_person(t, "alex", space=None, now=NOW))
        assert [key.person for key in store.read(lambda t: t.access_keys.all())] == ["maria"]
        assert store.read(lambda t: t.held_values.get("browser", "b", now=NOW)) is None

    def test_answers_that_are_held_go_with_a_destroyed_record(self, store: Store) -> None:
        places = keep_records(store, a_record(user="alex"))
        until = moment_after(days=1)
        store.write(lambda t: t.held_values.hold("answer", "a", "quoted", now=NOW, expires_at=until))
        store.write(lambda t: t.held_values.hold("link", "l", "{}", now=NOW, expires_at=until))
        store.write(lambda t: t.purge.destroy(places))
        assert store.read(lambda t: t.held_values.get("answer", "a", now=NOW)) is None
        assert store.read(lambda t: t.held_values.get("link", "l", now=NOW)) == "{}"

    def test_digests_are_kept_by_person_until_the_person_is_erased(self, store: Store) -> None:
        def work(tables: Tables) -> None:
            for person, digest in (("alex", "d1"), ("alex", "d2"), ("alexa", "d1"), (None, "d3")):
                tables.people.add_secret_digest(person, digest, "1 pin", now=NOW)

        store.write(work)
        later = moment_after(days=9_999)

        def kept_of(person: str | None) -> dict[str, str]:
            return store.read(lambda t: t.people.list_secret_digests(person, now=later))

        assert kept_of("alex") == {"d1": "1 pin", "d2": "1 pin"}
        assert (kept_of("alexa"), kept_of(None)) == ({"d1": "1 pin"}, {"d3": "1 pin"})
        assert store.write(lambda t: t.people.keep_secret_key(lambda: "first", now=NOW)) == "first"
        assert store.write(lambda t: t.people.keep_secret_key(lambda: "second", now=later)) == "first"
        store.write(lambda t: erase.erase_person(t, "alex", space=None, now=NOW))
        assert (kept_of("alex"), kept_of("alexa")) == ({}, {"d1": "1 pin"})
