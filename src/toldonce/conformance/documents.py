"""Documents keep every version; questions and settings are kept beside them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from toldonce.conformance.samples import (
    NOW,
    SPACE,
    Reopen,
    a_conversation,
    a_record,
    keep_records,
    moment_after,
    write_each,
)
from toldonce.errors import StoreError
from toldonce.records import Document, DocumentEntry, Person, Question
from toldonce.storage.store import Store
from toldonce.storage.tables.entities import RecordMention
from toldonce.storage.tables.jobs import Job


class DocumentsConformance:
    """One current text per scope, and what else is kept once per space."""

    def test_the_newest_version_is_current_and_comes_back_whole(self, store: Store) -> None:
        first = _put_document(store, _sample_document())
        second = _put_document(
            store, _sample_document(version=2, at=moment_after(days=1), data={"subjects": {"alex/home": "São Paulo"}})
        )
        assert store.read(lambda t: t.documents.get(SPACE, "alex", "profile")) == second
        assert store.read(lambda t: t.documents.all(SPACE)) == [first, second]

    def test_the_version_of_then_can_be_asked_for(self, store: Store) -> None:
        first = _put_document(store, _sample_document())
        second = _put_document(store, _sample_document(version=2, at=moment_after(days=2)))

        def then(moment: datetime) -> Document | None:
            return store.read(lambda t: t.documents.get(SPACE, "alex", "profile", as_of=moment))

        assert [then(moment_after(days=day)) for day in (-1, 0, 1, 2)] == [None, first, first, second]

    @pytest.mark.parametrize(
        "place", [("work", "alex", "profile"), (SPACE, "maria", "profile"), (SPACE, "alex", "map")]
    )
    def test_documents_are_apart_by_space_owner_and_name(self, store: Store, place: tuple[str, str, str]) -> None:
        _put_document(store, _sample_document())
        assert store.read(lambda t: t.documents.get(*place)) is None

    def test_a_version_is_written_once(self, store: Store) -> None:
        """Two writers that both make version 2 must notice, not overwrite each other."""
        first = _put_document(store, _sample_document())
        with pytest.raises(StoreError):
            _put_document(store, _sample_document(entries=()))
        assert store.read(lambda t: t.documents.all(None)) == [first]

    def test_current_documents_are_listed_by_owner_and_by_how_their_names_begin(self, store: Store) -> None:
        for given in ({"name": "a/x"}, {"name": "a/x", "version": 2}, {"name": "a/y"}, {"name": "A/x"}, {"name": "a%"}):
            _put_document(store, _sample_document(**given))
        _put_document(store, _sample_document(name="a/z", owner="maria"))
        _put_document(store, _sample_document(name="a/z", space="work"))

        def found(owner: str | None, prefix: str) -> list[tuple[str, str, int]]:
            listed = store.read(lambda t: t.documents.list_current(SPACE, owner=owner, prefix=prefix))
            return [(d.owner, d.name, d.version) for d in listed]

        assert found("alex", "a/") == [("alex", "a/x", 2), ("alex", "a/y", 1)]
        assert found(None, "a/") == [("alex", "a/x", 2), ("alex", "a/y", 1), ("maria", "a/z", 1)]
        assert found("alex", "a%") == [("alex", "a%", 1)]
        assert {name for _, name, _ in found("alex", "")} == {"A/x", "a%", "a/x", "a/y"}
        assert found("sam", "") == []

    def test_documents_are_found_by_the_records_they_were_drawn_from(self, store: Store) -> None:
        first, second = _put_document(store, _sample_document()), _put_document(store, _sample_document(version=2))
        _put_document(store, _sample_document(version=3, entries=first.entries[1:]))
        assert store.read(lambda t: t.documents.drawn_from(["fact_2", "fact_9"])) == [first, second]
        assert store.read(lambda t: t.documents.drawn_from(["fact_9"])) == []
        assert store.read(lambda t: t.documents.drawn_from([])) == []

    def test_a_version_can_be_rewritten_when_a_source_is_erased(self, store: Store) -> None:
        first, second = _put_document(store, _sample_document()), _put_document(store, _sample_document(version=2))
        changed = replace(first, entries=first.entries[:1], data={"n": 1})
        store.write(lambda t: t.documents.rewrite(changed))
        assert store.read(lambda t: t.documents.all(SPACE)) == [changed, second]

    def test_an_owners_documents_can_be_dropped_in_one_space_or_by_name(self, store: Store) -> None:
        for given in ({}, {"version": 2}, {"name": "map"}, {"space": "work"}, {"owner": "maria"}):
            _put_document(store, _sample_document(**given))
        assert store.write(lambda t: t.documents.drop("alex", space=SPACE, name="map")) == 1
        assert store.write(lambda t: t.documents.drop("alex", space=SPACE)) == 2
        assert store.write(lambda t: t.documents.drop("alex", space=None)) == 1
        assert [d.owner for d in store.read(lambda t: t.documents.all(None))] == ["maria"]

    def test_questions_wait_until_they_are_answered_oldest_first(self, store: Store) -> None:
        later, first = _sample_question("q2", created_at=moment_after(hours=1)), _sample_question("q1")
        write_each(store, (later, first), lambda t, question: t.conversations.ask(question))
        assert store.read(lambda t: t.conversations.questions(SPACE)) == [first, later]
        store.write(lambda t: t.conversations.answer("q1", "newer", at=moment_after(days=1)))
        assert store.read(lambda t: t.conversations.questions(SPACE)) == [later]
        answered = replace(first, answered_at=moment_after(days=1), answer="newer")
        assert store.read(lambda t: t.conversations.questions(None, only_open=False)) == [answered, later]
        assert store.read(lambda t: t.conversations.questions(None, only_open=False, question_id="q1")) == [answered]

    def test_a_person_is_asked_their_own_questions_and_those_for_anyone(self, store: Store) -> None:
        asked = (_sample_question("q1"), _sample_question("q2", user=None), _sample_question("q3", user="maria"))
        write_each(store, asked, lambda t, question: t.conversations.ask(question))
        assert {q.id for q in store.read(lambda t: t.conversations.questions(SPACE, user="alex"))} == {"q1", "q2"}
        assert store.read(lambda t: t.conversations.questions("work")) == []

    def test_a_question_asked_twice_is_one_question(self, store: Store) -> None:
        store.write(lambda t: t.conversations.ask(_sample_question("q1")))
        store.write(lambda t: t.conversations.ask(_sample_question("q1", text="Again?")))
        assert store.read(lambda t: t.conversations.questions(SPACE)) == [_sample_question("q1")]

    def test_a_setting_is_the_last_value_given(self, store: Store) -> None:
        write_each(store, ("one", "two"), lambda t, value: t.documents.set_setting(SPACE, "colour", value))
        assert store.read(lambda t: t.documents.read_setting(SPACE, "colour")) == "two"
        assert store.read(lambda t: t.documents.read_setting("work", "colour")) is None

    def test_sizes_count_what_stats_shows(self, store: Store) -> None:
        (place,) = keep_records(store, a_record())
        spaces = (SPACE, "work")
        write_each(store, spaces, lambda t, space: t.people.update_person(Person(id="u1", space=space), now=NOW))
        write_each(store, spaces, lambda t, space: t.conversations.add(a_conversation(space=space)))
        write_each(store, spaces, lambda t, space: t.jobs.put(Job(space=space, key="k", name="n", due_at=NOW)))
        store.write(
            lambda t: t.entities.mention(
                [RecordMention(place, space=SPACE, alias="ana", shown="Ana", type="name", now=NOW)]
            )
        )
        store.write(lambda t: t.conversations.ask(_sample_question("q1")))
        assert store.read(lambda t: t.documents.count_sizes(SPACE)) == (1, 1, 1, 1, 1, 1)
        assert store.read(lambda t: t.documents.count_sizes(None)) == (2, 1, 2, 1, 2, 1)

    def test_documents_survive_reopening(self, store: Store, reopen: Reopen) -> None:
        kept = _put_document(store, _sample_document())
        store.write(lambda t: t.documents.set_setting(SPACE, "colour", "red"))
        again = reopen(store)
        assert again.read(lambda t: t.documents.get(SPACE, "alex", "profile")) == kept
        assert again.read(lambda t: t.documents.read_setting(SPACE, "colour")) == "red"


def _sample_document(**given: Any) -> Document:
    entries = (
        DocumentEntry(section="home", text="São Paulo, 東京", sources=("fact_1", "fact_2"), at=NOW),
        DocumentEntry(section="work", text="Baker"),
    )
    values: dict[str, Any] = {
        "name": "profile", "owner": "alex", "space": SPACE, "version": 1, "entries": entries, "at": NOW,
    }  # fmt: skip
    return Document(**{**values, **given})


def _put_document(store: Store, document: Document) -> Document:
    store.write(lambda t: t.documents.put(document))
    return document


def _sample_question(id: str, **given: Any) -> Question:
    values: dict[str, Any] = {"space": SPACE, "user": "alex", "text": "Which?", "older": "a", "newer": "b"}
    return Question(id=id, **{**values, "created_at": NOW, **given})
