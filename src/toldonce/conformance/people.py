"""Spaces with their switches, the people seen in them, and their roles."""

from __future__ import annotations

from dataclasses import replace

from toldonce.access import Standing
from toldonce.conformance.samples import (
    NOW,
    SPACE,
    Reopen,
    a_conversation,
    a_record,
    a_space,
    keep_records,
    moment_after,
    write_each,
)
from toldonce.records import Document, Person, Question, Record
from toldonce.storage.store import Store, Tables
from toldonce.storage.tables.jobs import Job


class PeopleConformance:
    """Who is where."""

    def test_what_is_known_of_a_person_is_theirs_alone_and_newest_first(self, store: Store) -> None:
        hers = [a_record(f"hers {day}", user="maria", at=moment_after(days=day)) for day in range(3)]
        keep_records(store, *hers, a_record("his", user="sam"), a_record("nobody's", user=None))
        keep_records(store, a_record("said", user="maria", conversation="talk_1"))
        keep_records(store, a_record("replaced", user="maria", state="superseded"))
        keep_records(store, a_record("elsewhere", user="maria", space="work"))
        known = store.read(lambda t: t.records.known_of_person(SPACE, "maria", limit=2))
        assert [record.text for record in known] == ["hers 2", "hers 1"]
        assert store.read(lambda t: t.records.known_of_person(SPACE, "nobody", limit=9)) == []

    def test_blocked_people_of_some_spaces_are_found(self, store: Store) -> None:
        def prepare(tables: Tables) -> list[list[str]]:
            for space, person in (("a", "alex"), ("b", "bob"), ("c", "cleo")):
                tables.people.block(space, person, blocked=True, now=NOW)
            tables.people.block("a", "dora", blocked=True, now=NOW)
            tables.people.block("a", "dora", blocked=False, now=NOW)
            return [[p.id for p in tables.people.find_blocked(spaces)] for spaces in (("a", "b"), ("d",))]

        assert store.write(prepare) == [["alex", "bob"], []]

    def test_a_space_comes_back_with_the_moment_it_was_made(self, store: Store) -> None:
        given = a_space(zone="Europe/Lisbon", preset="own", preset_text="name = 'own'\n")
        store.write(lambda t: t.people.add_space(given, now=NOW))
        assert store.read(lambda t: t.people.space(SPACE)) == replace(given, created_at=NOW)
        assert store.read(lambda t: t.people.space("none")) is None
        assert store.read(lambda t: t.people.read_space_state("none")) is None
        store.write(lambda t: t.documents.set_setting(SPACE, "quota", "{}"))
        assert store.read(lambda t: t.people.read_space_state(SPACE)) == (1, 0, "{}", None)

    def test_a_space_that_exists_stays_as_it_is(self, store: Store) -> None:
        store.write(lambda t: t.people.add_space(a_space(), now=NOW))
        store.write(lambda t: t.people.add_space(a_space(preset="other", zone="Asia/Tokyo"), now=moment_after(days=1)))
        assert store.read(lambda t: t.people.space(SPACE)) == a_space(created_at=NOW)

    def test_a_space_can_be_switched_off_and_marked_deleted(self, store: Store) -> None:
        store.write(lambda t: t.people.add_space(a_space(), now=NOW))
        changed = a_space(enabled=False, deleted_at=moment_after(days=1), zone="Asia/Tokyo", created_at=NOW)
        store.write(lambda t: t.people.set_space(changed))
        assert store.read(lambda t: t.people.space(SPACE)) == changed

    def test_memory_is_kept_from_a_space_that_is_off_and_from_people_who_are_blocked(self, store: Store) -> None:
        store.write(lambda t: t.people.add_space(a_space(), now=NOW))
        store.write(lambda t: t.people.block(SPACE, "u1", blocked=True, now=NOW))
        asked = [None, "u1", "u2"]
        assert store.read(lambda t: [t.people.is_kept_out(SPACE, u) for u in asked]) == [False, True, False]
        assert store.read(lambda t: [t.people.is_blocked(SPACE, u) for u in asked]) == [False, True, False]
        assert store.read(lambda t: t.people.is_kept_out("none", None))
        store.write(lambda t: t.people.set_space(a_space(enabled=False, created_at=NOW)))
        assert store.read(lambda t: [t.people.is_kept_out(SPACE, u) for u in asked]) == [True] * 3

    def test_spaces_are_listed_by_name(self, store: Store) -> None:
        write_each(store, ("work", "attic", "home"), lambda t, name: t.people.add_space(a_space(name), now=NOW))
        assert [s.name for s in store.read(lambda t: t.people.spaces())] == ["attic", "home", "work"]

    def test_a_dropped_space_leaves_nothing_behind(self, store: Store) -> None:
        for name in (SPACE, "work"):
            _fill_space(store, name)
        store.write(lambda t: t.people.drop_space(SPACE))
        assert _rows_of_space(store, SPACE) == [None, [], {}, [], [], [], None, []]
        assert all(_rows_of_space(store, "work"))

    def test_people_keep_their_newest_names_and_empty_ones_change_nothing(self, store: Store) -> None:
        first = Person(id="u1", space=SPACE, username="alex", display_name="Alex", zone="Europe/Lisbon", language="pt")
        store.write(lambda t: t.people.update_person(first, now=moment_after(days=2)))
        store.write(
            lambda t: t.people.update_person(
                Person(id="u1", space=SPACE, display_name="Alexandra"), now=moment_after(days=1)
            )
        )
        expected = replace(first, display_name="Alexandra", seen_at=moment_after(days=2))
        assert store.read(lambda t: t.people.get(SPACE, "u1")) == expected
        assert store.read(lambda t: t.people.get(SPACE, "u2")) is None
        assert store.read(lambda t: t.people.get("work", "u1")) is None

    def test_everyone_of_a_space_is_listed(self, store: Store) -> None:
        people = [Person(id="b", space=SPACE), Person(id="a", space=SPACE), Person(id="c", space="work")]
        write_each(store, people, lambda t, person: t.people.update_person(person, now=NOW))
        assert [p.id for p in store.read(lambda t: t.people.all(SPACE))] == ["a", "b"]

    def test_a_person_can_be_kept_out_before_and_after_being_seen(self, store: Store) -> None:
        store.write(lambda t: t.people.block(SPACE, "u1", blocked=True, now=NOW))
        store.write(lambda t: t.people.update_person(Person(id="u1", space=SPACE, username="alex"), now=NOW))
        person = store.read(lambda t: t.people.get(SPACE, "u1"))
        assert person is not None
        assert (person.blocked, person.username) == (True, "alex")
        store.write(lambda t: t.people.block(SPACE, "u1", blocked=False, now=NOW))
        assert store.read(lambda t: t.people.get(SPACE, "u1")) == replace(person, blocked=False)

    def test_a_person_has_one_role_in_a_space(self, store: Store) -> None:
        write_each(store, ("member", "owner"), lambda t, role: t.people.set_member(SPACE, "u1", role))
        store.write(lambda t: t.people.set_member("work", "u1", "admin"))
        assert store.read(lambda t: t.people.list_members(SPACE)) == {"u1": "owner"}
        assert store.read(lambda t: t.people.list_members("none")) == {}
        store.write(lambda t: t.people.drop_member(SPACE, "u1"))
        assert store.read(lambda t: (t.people.list_members(SPACE), t.people.list_members("work"))) == (
            {},
            {"u1": "admin"},
        )

    def test_a_person_can_be_dropped_from_one_space_or_all(self, store: Store) -> None:
        spaces = (SPACE, "work", "attic")
        write_each(store, spaces, lambda t, space: t.people.update_person(Person(id="u1", space=space), now=NOW))
        write_each(store, spaces, lambda t, space: t.people.set_member(space, "u1", "member"))
        store.write(lambda t: t.people.drop_person("u1", space=SPACE))
        assert store.read(lambda t: [len(t.people.all(s)) + len(t.people.list_members(s)) for s in spaces]) == [0, 2, 2]
        store.write(lambda t: t.people.drop_person("u1", space=None))
        assert store.read(lambda t: [len(t.people.all(s)) + len(t.people.list_members(s)) for s in spaces]) == [0, 0, 0]

    def test_spaces_and_people_survive_reopening(self, store: Store, reopen: Reopen) -> None:
        _fill_space(store, SPACE)
        before = _rows_of_space(store, SPACE)
        assert _rows_of_space(reopen(store), SPACE) == before

    def test_who_may_read_and_change_follows_the_role_in_the_space(self, store: Store) -> None:
        write_each(store, (("maria", "member"), ("omar", "admin")), lambda t, row: t.people.set_member(SPACE, *row))
        hers = a_record("hers", user="ana", visibility="team", conversation="talk_1")
        for reader, reads, changes in (
            (None, True, True),
            ("ana", True, True),
            ("maria", True, False),
            ("omar", True, True),
            ("zoe", False, False),
        ):
            assert _rights_of_reader(store, hers, reader) == (reads, changes), reader

    def test_what_belongs_to_nobody_is_kept_by_the_admins_of_its_space(self, store: Store) -> None:
        common = a_record("common", visibility="project")
        assert _standing(store, common, "zoe") == "keeper"
        write_each(store, (("maria", "member"), ("omar", "admin")), lambda t, row: t.people.set_member(SPACE, *row))
        found = [_standing(store, common, reader) for reader in (None, "omar", "maria", "zoe")]
        assert found == ["host", "self", "member", "other"]


def _fill_space(store: Store, space: str) -> None:
    store.write(lambda t: t.people.add_space(a_space(space), now=NOW))
    store.write(lambda t: t.people.update_person(Person(id="u1", space=space), now=NOW))
    store.write(lambda t: t.people.set_member(space, "u1", "owner"))
    store.write(lambda t: t.documents.put(Document(name="d", owner="", space=space, version=1, entries=(), at=NOW)))
    store.write(lambda t: t.conversations.add(a_conversation(id=f"talk_{space}", space=space)))
    question = Question(id=f"q_{space}", space=space, user=None, text="?", older="a", newer="b", created_at=NOW)
    store.write(lambda t: t.conversations.ask(question))
    store.write(lambda t: t.documents.set_setting(space, "key", "value"))
    store.write(lambda t: t.jobs.put(Job(space=space, key="k", name="n", due_at=NOW)))


def _rows_of_space(store: Store, space: str) -> list[object]:
    return store.read(
        lambda t: [
            t.people.space(space),
            t.people.all(space),
            t.people.list_members(space),
            t.documents.all(space),
            t.conversations.all(space),
            t.conversations.questions(space),
            t.documents.read_setting(space, "key"),
            t.jobs.all(space),
        ]
    )


def _rights_of_reader(store: Store, record: Record, reader: str | None) -> tuple[bool, bool]:
    return store.read(lambda t: (t.people.may_read(record, reader), t.people.may_change(record, reader)))


def _standing(store: Store, record: Record, reader: str | None) -> Standing | None:
    return store.read(lambda t: t.people.find_standing(record, reader))
