"""Named things are found again by any of their names, and are linked to the records that mention them."""

from __future__ import annotations

from toldonce.conformance.samples import NOW, SPACE, Reopen, a_record, keep_records, keep_texts
from toldonce.records import Entity
from toldonce.storage.store import Store, Tables
from toldonce.storage.tables.entities import KnownEntity, RecordMention


class EntitiesConformance:
    """Entities, their aliases and their mentions."""

    def test_the_first_mention_makes_an_entity_and_the_next_finds_it(self, store: Store) -> None:
        for place in keep_records(store, a_record("one"), a_record("two")):
            _mention_alias(store, place, "lisbon", shown="Lisbon", type="place")
        (known,) = _find_entities(store, "lisbon")
        assert (known.name, known.type, known.alias) == ("Lisbon", "place", "lisbon")
        entity = _get_entity(store, known.seq)
        assert (entity.id, entity.space, entity.aliases, entity.mentions) == (known.id, SPACE, ("Lisbon",), 2)

    def test_a_record_mentions_an_entity_once(self, store: Store) -> None:
        (place,) = keep_records(store, a_record())
        for _ in range(2):
            _mention_alias(store, place, "lisbon")
        assert _get_entity(store, _find_entities(store, "lisbon")[0].seq).mentions == 1

    def test_the_same_name_of_another_type_leads_to_the_known_entity(self, store: Store) -> None:
        """A tagger may be unsure of the type; one name is one thing until someone says otherwise."""
        one, two = keep_records(store, a_record("one"), a_record("two"))
        _mention_alias(store, one, "jordan", type="person")
        _mention_alias(store, two, "jordan", type="place")
        (known,) = _find_entities(store, "jordan")
        assert known.type == "person"
        assert _get_entity(store, known.seq).mentions == 2

    def test_an_alias_of_its_own_type_is_preferred(self, store: Store) -> None:
        one, two, three = keep_records(store, a_record("one"), a_record("two"), a_record("three"))
        _mention_alias(store, one, "jordan", shown="Jordan", type="person")
        _mention_alias(store, two, "kingdom of jordan", shown="Kingdom of Jordan", type="place")
        kingdom = _find_entities(store, "kingdom of jordan")[0].seq
        _add_alias(store, kingdom, "jordan", shown="Jordan", type="place")
        _mention_alias(store, three, "jordan", type="place")
        assert _get_entity(store, kingdom).mentions == 2
        assert [k.name for k in _find_entities(store, "jordan")] == ["Jordan", "Kingdom of Jordan"]

    def test_two_entities_become_one_with_all_names_and_mentions(self, store: Store) -> None:
        one, two, three = keep_records(store, a_record("one"), a_record("two"), a_record("three"))
        for place, alias, shown in ((one, "ibm", "IBM"), (two, "big blue", "Big Blue"), (three, "ibm", "IBM")):
            _mention_alias(store, place, alias, shown=shown, type="organization")
        _mention_alias(store, three, "big blue", shown="Big Blue", type="organization")
        into, other = _find_entities(store, "ibm")[0].seq, _find_entities(store, "big blue")[0].seq
        store.write(lambda t: t.entities.join(into, other))
        assert store.read(lambda t: t.entities.get(other)) is None
        joined = _get_entity(store, into)
        assert (joined.aliases, joined.mentions) == (("Big Blue", "IBM"), 3)
        assert [known.seq for known in _find_entities(store, "big blue")] == [into]

    def test_an_alias_that_is_taken_stays_where_it_is(self, store: Store) -> None:
        one, two = keep_records(store, a_record("one"), a_record("two"))
        _mention_alias(store, one, "new york", type="place")
        _mention_alias(store, two, "york", type="place")
        york, new_york = _find_entities(store, "york")[0].seq, _find_entities(store, "new york")[0].seq
        _add_alias(store, new_york, "york", shown="York", type="place")
        assert [k.seq for k in _find_entities(store, "york")] == [york]

    def test_aliases_lead_to_one_entity_and_are_listed(self, store: Store) -> None:
        (place,) = keep_records(store, a_record())
        _mention_alias(store, place, "new york", shown="New York", type="place")
        seq = _find_entities(store, "new york")[0].seq
        _add_alias(store, seq, "nyc", shown="NYC", type="place")
        _add_alias(store, seq, "ny", shown="NYC", type="place")
        assert {k.seq for k in _find_entities(store, "nyc", "new york", "ny")} == {seq}
        assert _get_entity(store, seq).aliases == ("NYC", "New York")

    def test_mentions_of_many_records_are_linked_together_as_one_by_one(self, store: Store) -> None:
        one, two, there = keep_records(store, a_record("one"), a_record("two"), a_record("x", space="work"))
        _mention_alias(store, one, "rex", shown="Rex", type="place")
        said = [
            (one, SPACE, "ana", "Ana", "name"),
            (one, SPACE, "ana", "Ana", "name"),
            (two, SPACE, "ana", "ANA", "place"),
            (two, SPACE, "rex", "rex", "name"),
            (there, "work", "ana", "ana", "name"),
        ]
        store.write(lambda t: t.entities.mention([RecordMention(*each, now=NOW) for each in said]))
        names = [(name, kind, count) for _, name, kind, count in store.read(lambda t: t.entities.names(SPACE))]
        assert names == [("Ana", "name", 2), ("Rex", "place", 2)]
        assert [row[1:] for row in store.read(lambda t: t.entities.names("work"))] == [("ana", "name", 1)]
        store.write(lambda t: t.entities.mention([]))

    def test_spaces_keep_their_own_entities(self, store: Store) -> None:
        home, work = keep_records(store, a_record("one"), a_record("two", space="work"))
        _mention_alias(store, home, "ana")
        _mention_alias(store, work, "ana", space="work")
        assert len(_find_entities(store, "ana")) == 1
        assert len(_find_entities(store, "ana", spaces=(SPACE, "work"))) == 2
        assert _find_entities(store, "ana", spaces=()) == []

    def test_unknown_names_find_nothing(self, store: Store) -> None:
        assert _find_entities(store, "nobody") == []
        assert _find_entities(store) == []
        assert store.read(lambda t: t.entities.get(123456)) is None

    def test_only_current_records_count_as_mentions(self, store: Store) -> None:
        kept, gone = keep_records(store, a_record("kept"), a_record("gone", state="forgotten"))
        _mention_alias(store, kept, "ana")
        _mention_alias(store, gone, "ana")
        assert _get_entity(store, _find_entities(store, "ana")[0].seq).mentions == 1

    def test_names_of_a_space_come_most_mentioned_first(self, store: Store) -> None:
        one, two, there = keep_records(store, a_record("one"), a_record("two"), a_record("x", space="work"))
        _mention_alias(store, one, "bob", shown="Bob")
        for place in (one, two):
            _mention_alias(store, place, "zoe", shown="Zoe")
        _mention_alias(store, there, "ana", space="work")
        names = store.read(lambda t: t.entities.names(SPACE))
        assert [(name, type_, count) for _, name, type_, count in names] == [("Zoe", "name", 2), ("Bob", "name", 1)]
        assert [name for _, name, _, _ in store.read(lambda t: t.entities.names(SPACE, limit=1))] == ["Zoe"]

    def test_entities_survive_reopening(self, store: Store, reopen: Reopen) -> None:
        keep_texts(store, "nobody")
        (place,) = keep_records(store, a_record("one"))
        _mention_alias(store, place, "lisbon", shown="Lisbon", type="place")
        before = _get_entity(store, _find_entities(store, "lisbon")[0].seq)
        again = reopen(store)
        assert _get_entity(again, _find_entities(again, "lisbon")[0].seq) == before


def _mention_alias(
    store: Store, record: int, alias: str, *, shown: str = "", type: str = "name", space: str = SPACE
) -> None:
    store.write(
        lambda t: t.entities.mention(
            [RecordMention(record, space=space, alias=alias, shown=shown or alias, type=type, now=NOW)]
        )
    )


def _add_alias(store: Store, entity: int, alias: str, *, shown: str, type: str) -> None:
    store.write(lambda t: t.entities.add_alias(entity, space=SPACE, alias=alias, shown=shown, type=type))


def _find_entities(store: Store, *names: str, spaces: tuple[str, ...] = (SPACE,)) -> list[KnownEntity]:
    return store.read(lambda t: t.entities.find(names, spaces))


def _get_entity(store: Store, seq: int) -> Entity:
    def look(tables: Tables) -> Entity | None:
        return tables.entities.get(seq)

    entity = store.read(look)
    assert entity is not None
    return entity
