"""What one store exports another takes in, and tells the same afterwards."""

from __future__ import annotations

from pathlib import Path

from toldonce.conformance.samples import (
    NOW,
    SPACE,
    a_conversation,
    a_record,
    a_space,
    a_view,
    found_texts,
    keep_records,
    moment_after,
    put_record,
)
from toldonce.records import Document, DocumentEntry, Person, Question
from toldonce.storage import transfer
from toldonce.storage.store import Store, Tables
from toldonce.storage.tables.entities import RecordMention


class TransferConformance:
    """Everything in the store as lines, and lines of an export put back."""

    def test_an_export_taken_in_elsewhere_exports_the_same(
        self, store: Store, spare_store: Store, copy_path: str
    ) -> None:
        store.write(_fill_tables)
        first, second = Path(copy_path + ".1.jsonl"), Path(copy_path + ".2.jsonl")
        lines = transfer.export_lines(store, first, space=None, user=None, now=NOW)
        assert transfer.import_lines(spare_store, first) == (lines, 0)
        assert transfer.export_lines(spare_store, second, space=None, user=None, now=NOW) == lines
        assert second.read_text(encoding="utf-8") == first.read_text(encoding="utf-8")

    def test_what_was_taken_in_is_found(self, store: Store, spare_store: Store, copy_path: str) -> None:
        store.write(_fill_tables)
        transfer.export_lines(store, copy_path, space=None, user=None, now=NOW)
        transfer.import_lines(spare_store, copy_path)
        assert found_texts(spare_store, "kettles") == ["A copper kettle for Ana 東京"]
        (known,) = spare_store.read(lambda t: t.entities.find(["ana"], [SPACE]))
        assert len(spare_store.read(lambda t: t.search.find_by_entities([known.seq], a_view(), limit=9))) == 1
        assert len(spare_store.read(lambda t: t.search.find_by_grams(("東京",), a_view(), limit=9))) == 1
        assert len(spare_store.read(lambda t: t.vectors.find_waiting(limit=9))) == 2

    def test_taking_in_the_same_twice_changes_nothing(self, store: Store, copy_path: str) -> None:
        store.write(_fill_tables)
        transfer.export_lines(store, copy_path, space=None, user=None, now=NOW)
        before = Path(copy_path).read_text(encoding="utf-8")
        transfer.import_lines(store, copy_path)
        transfer.export_lines(store, copy_path, space=None, user=None, now=NOW)
        assert Path(copy_path).read_text(encoding="utf-8") == before

    def test_an_export_has_what_became_of_every_record(self, store: Store) -> None:
        for number in range(4):
            record = a_record(f"kettle {number}", user="alex")
            keep_records(store, record)
            store.write(lambda t, r=record: t.records.set_state(r, "forgotten", action="forgotten", at=NOW, by="me"))  # type: ignore[misc]
        rows = store.read(lambda t: list(t.transfer.read_rows("change", space=None, user=None)))
        assert len([row for row in rows if "forgotten" in row]) == 4

    def test_an_export_can_be_of_one_person_or_space(self, store: Store, copy_path: str) -> None:
        store.write(_fill_tables)
        keep_records(store, a_record("hers", user="maria", kind="fact"))
        transfer.export_lines(store, copy_path, space=None, user="maria", now=NOW)
        text = Path(copy_path).read_text(encoding="utf-8")
        assert "hers" in text
        assert "kettle" not in text


def _fill_tables(tables: Tables) -> None:
    tables.people.add_space(a_space(), now=NOW)
    tables.people.update_person(Person(id="alex", space=SPACE, username="alex", language="pt"), now=NOW)
    tables.people.set_member(SPACE, "alex", "owner")
    talk = a_conversation()
    tables.conversations.add(talk)
    said = a_record("I said so", user="alex", kind="message", conversation=talk.id, session="s1")
    put_record(tables, said)
    tables.conversations.extend(talk.id, first=NOW, last=NOW)
    fact = a_record("A copper kettle for Ana 東京", user="alex", sources=(said.id,), metadata={"n": [1, None]})
    place = put_record(tables, fact)
    tables.entities.mention([RecordMention(place, space=SPACE, alias="ana", shown="Ana", type="name", now=NOW)])
    tables.records.set_state(
        said, "forgotten", action="forgotten", at=moment_after(days=1), reason="asked", by="person"
    )
    entry = DocumentEntry(section="a", text="A line", sources=(fact.id,), at=NOW)
    tables.documents.put(Document(name="profile", owner="alex", space=SPACE, version=1, entries=(entry,), at=NOW))
    tables.conversations.ask(
        Question(id="q1", space=SPACE, user="alex", text="?", older=said.id, newer=fact.id, created_at=NOW)
    )
    tables.documents.set_setting(SPACE, "colour", "red")
