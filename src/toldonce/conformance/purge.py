"""What is destroyed is gone from everywhere: words, pairs, vectors, mentions, links, history, questions, documents."""

from __future__ import annotations

from typing import Any

import pytest

from toldonce.conformance.samples import (
    NOW,
    SPACE,
    Reopen,
    a_conversation,
    a_record,
    a_view,
    any_words,
    found_texts,
    keep_records,
    moment_after,
    put_record,
    read_back,
    write_each,
)
from toldonce.records import Document, DocumentEntry, Person, Question, Record, State
from toldonce.storage import erase
from toldonce.storage.keyed_ids import keyed_id
from toldonce.storage.store import Store, Tables
from toldonce.storage.tables.entities import RecordMention
from toldonce.text.words import query_pairs


class PurgeConformance:
    """What may be destroyed, and destroying it."""

    def test_a_destroyed_record_is_gone_from_every_search(self, store: Store) -> None:
        gone, kept = (
            a_record("東京 kettle gone", subject="alex/home"),
            a_record("東京 kettle kept", subject="alex/home"),
        )
        place, other = keep_records(store, gone, kept)
        _surround_record(store, place)
        assert store.write(lambda t: t.purge.destroy([place])) == 1
        assert found_texts(store, "kettle") == [kept.text]
        searches = [
            lambda t: t.search.find_by_grams(query_pairs("東京"), a_view(), limit=9),
            lambda t: t.search.find_by_time(NOW, moment_after(days=1), a_view(), limit=9),
            lambda t: t.search.find_by_subjects(["home"], a_view(), limit=9),
            lambda t: t.search.find_by_words(any_words("kettle"), a_view(as_of=NOW), limit=9),
        ]
        assert [[seq for seq, _ in store.read(search)] for search in searches] == [[other]] * 4
        assert store.read(lambda t: t.records.get([gone.id])) == {}

    def test_nothing_is_left_that_points_to_a_destroyed_record(self, store: Store) -> None:
        gone, kept = a_record("gone"), a_record("kept")
        place, other = keep_records(store, gone, kept)
        model = _surround_record(store, place, neighbour=kept)
        store.write(lambda t: t.purge.destroy([place]))
        assert not any(store.read(lambda t: t.purge.count_traces("nobody", space=None)).values())
        assert store.read(lambda t: t.records.read_changes(gone.id)) == []
        assert store.read(lambda t: [*t.records.read_links(gone.id), *t.records.read_links(kept.id)]) == []
        assert store.read(lambda t: t.vectors.of(model, [place, other])) == {}
        assert store.read(lambda t: t.vectors.read_packs(model)) == []
        assert store.read(lambda t: t.conversations.questions(None, only_open=False)) == []
        assert read_back(store, kept).sources == ()

    def test_a_name_that_only_destroyed_records_used_goes_from_what_others_mention(self, store: Store) -> None:
        gone, kept = keep_records(store, a_record("Big Blue called"), a_record("IBM called"))
        one, other = _entity_named(store, gone, "Big Blue"), _entity_named(store, kept, "IBM")
        store.write(lambda t: t.entities.join(one, other))
        store.write(lambda t: t.purge.destroy([gone]))
        left = store.read(lambda t: t.entities.get(one))
        assert left is not None
        assert (left.name, left.aliases, left.mentions) == ("IBM", ("IBM",), 1)
        assert store.read(lambda t: t.entities.find(["big blue"], [SPACE])) == []

    def test_entities_that_nobody_mentions_any_more_go_too(self, store: Store) -> None:
        one, two = keep_records(store, a_record("one"), a_record("two"))
        for place, name in ((one, "ana"), (one, "bob"), (two, "bob")):
            _mention_name(store, place, name)
        store.write(lambda t: t.purge.destroy([one]))
        assert [k.name for k in store.read(lambda t: t.entities.find(["ana", "bob"], [SPACE]))] == ["bob"]

    def test_conversations_without_a_message_left_go_too(self, store: Store) -> None:
        emptied, shared = a_conversation(key="a"), a_conversation(key="b")
        write_each(store, (emptied, shared), lambda t, talk: t.conversations.add(talk))
        gone = keep_records(store, a_record("x", conversation=emptied.id), a_record("y", conversation=shared.id))
        keep_records(store, a_record("z", conversation=shared.id))
        store.write(lambda t: t.purge.destroy(gone))
        assert [c.id for c in store.read(lambda t: t.conversations.all(None))] == [shared.id]

    def test_destroying_what_is_not_there_does_nothing(self, store: Store) -> None:
        (place,) = keep_records(store, a_record())
        assert store.write(lambda t: t.purge.destroy([place + 9])) == 0
        assert store.write(lambda t: t.purge.destroy([])) == 0
        assert store.read(lambda t: t.search.filter_visible([place], a_view())) == {place}

    def test_a_message_with_an_idempotency_key_is_known_when_it_is_destroyed(self, store: Store) -> None:
        gone, other = a_record(id=keyed_id("msg", "one")), a_record()
        places = keep_records(store, gone, other)
        assert not store.read(lambda t: t.purge.was_destroyed(gone.id))
        store.write(lambda t: erase.destroy_records(t, places, now=NOW))
        store.write(lambda t: t.purge.note_destroyed([gone.id]))
        assert store.read(lambda t: t.purge.was_destroyed(gone.id))
        assert not store.read(lambda t: t.purge.was_destroyed(other.id))

    def test_what_was_drawn_from_it_alone_is_named_and_what_has_other_sources_is_not(self, store: Store) -> None:
        """With `whole`, everything that was drawn from any of it, at any distance."""
        source, other = a_record("source"), a_record("other")
        alone = a_record("alone", sources=(source.id,))
        mixed = a_record("mixed", sources=(source.id, other.id))
        second = a_record("second", sources=(alone.id,))
        records = (source, other, alone, mixed, second)
        places = dict(zip((r.text for r in records), keep_records(store, *records), strict=True))
        start = [places["source"]]
        assert store.read(lambda t: t.purge.with_derived(start, whole=False)) == sorted(
            places[name] for name in ("source", "alone", "second")
        )
        assert store.read(lambda t: t.purge.with_derived(start, whole=True)) == sorted(
            places[name] for name in ("source", "alone", "mixed", "second")
        )
        both = [places["source"], places["other"]]
        assert store.read(lambda t: t.purge.with_derived(both, whole=False)) == sorted(places.values())
        assert store.read(lambda t: t.purge.with_derived([], whole=True)) == []

    def test_a_ring_of_sources_comes_to_an_end(self, store: Store) -> None:
        one, two = a_record("one"), a_record("two")
        places = keep_records(store, one, two)
        edges = ((one.id, two.id), (two.id, one.id))
        write_each(store, edges, lambda t, edge: t.records.link(SPACE, *edge, type="derived_from", at=NOW))
        assert store.read(lambda t: t.purge.with_derived(places[:1], whole=True)) == places

    @pytest.mark.parametrize("state", ["forgotten", "expired"])
    def test_what_left_before_a_moment_is_listed(self, store: Store, state: State) -> None:
        gone = {"state": state, "state_at": NOW}
        old, _, _, _ = keep_records(
            store,
            a_record("old", **gone),
            a_record("recent", **{**gone, "state_at": moment_after(days=1)}),
            a_record("active"),
            a_record("elsewhere", space="work", **gone),
        )
        assert store.read(lambda t: t.purge.find_by_state_before(SPACE, state, before=moment_after(hours=1))) == [old]
        assert store.read(lambda t: t.purge.find_by_state_before(SPACE, state, before=NOW)) == []
        assert store.read(lambda t: t.purge.find_by_state_before(SPACE, "flagged", before=moment_after(days=9))) == []
        assert (
            len(store.read(lambda t: t.purge.find_by_state_before(SPACE, state, before=moment_after(days=9), limit=1)))
            == 1
        )

    def test_evidence_is_not_spent_while_something_rests_on_it(self, store: Store) -> None:
        gone: dict[str, Any] = {"state": "expired", "state_at": NOW}
        source, lone = a_record("source", **gone), a_record("lone", **gone)
        derived = a_record("derived", sources=(source.id,))
        places = keep_records(store, source, lone, derived)
        assert store.read(
            lambda t: t.purge.find_unused_by_state_before(SPACE, "expired", before=moment_after(days=1))
        ) == [places[1]]
        store.write(lambda t: t.purge.destroy([places[2]]))
        assert (
            store.read(lambda t: t.purge.find_unused_by_state_before(SPACE, "expired", before=moment_after(days=1)))
            == places[:2]
        )

    def test_all_of_a_space_or_of_a_person_can_be_listed(self, store: Store) -> None:
        mine, there, hers = keep_records(
            store,
            a_record("mine", user="alex"),
            a_record("there", user="alex", space="work"),
            a_record("x", user="maria"),
        )
        assert store.read(lambda t: t.purge.of_space(SPACE)) == [mine, hers]
        assert store.read(lambda t: t.purge.of_space(SPACE, limit=1)) == [mine]
        assert store.read(lambda t: t.purge.of_user("alex", space=None)) == [mine, there]
        assert store.read(lambda t: t.purge.of_user("alex", space="work")) == [there]

    def test_replies_to_others_that_repeat_a_person_are_found(self, store: Store) -> None:
        talk: dict[str, Any] = {"conversation": "talk_1"}
        reply = {"role": "assistant", "user": "sam", **talk}
        _, _, echo, *_ = keep_records(
            store,
            a_record("my mortgage got refused on friday", user="alex", **talk),
            a_record("a dry friday in Leeds at last", user="sam", **talk),
            a_record("They say her mortgage got refused.", **reply),
            a_record("A dry friday in Leeds, yes.", **reply),
            a_record("Their mortgage got refused.", **{**reply, "conversation": "talk_2"}),
        )
        assert store.read(lambda t: t.purge.find_echoes("alex", space=None)) == [echo]
        assert store.read(lambda t: t.purge.find_echoes("alex", space="work")) == []

    def test_purging_a_record_takes_its_entries_out_of_every_version_of_a_document(self, store: Store) -> None:
        gone, kept = a_record("gone"), a_record("kept")
        keep_records(store, gone, kept)
        entries = (
            DocumentEntry(section="a", text="from both", sources=(gone.id, kept.id)),
            DocumentEntry(section="b", text="from it", sources=(gone.id,)),
            DocumentEntry(section="c", text="from none"),
        )  # fmt: skip
        for version in (1, 2):
            _put_document_naming(store, entries=entries, version=version)
        store.write(lambda t: erase.purge_record(t, gone, now=NOW))
        for document in store.read(lambda t: t.documents.all(SPACE)):
            assert [(e.text, e.sources) for e in document.entries] == [("from both", (kept.id,)), ("from none", ())]

    def test_erasing_a_person_leaves_no_trace_of_them(self, store: Store) -> None:
        record = _a_life(store, "alex")
        _a_life(store, "maria")
        shared = a_record("from both", sources=(record.id,), visibility="project")
        keep_records(store, shared)
        assert any(store.read(lambda t: t.purge.count_traces("alex", space=None)).values())
        removed = store.write(lambda t: erase.erase_person(t, "alex", space=None, now=NOW))
        assert removed.records == 2
        left = store.read(lambda t: t.purge.count_traces("alex", space=None))
        assert set(left.values()) == {0}
        assert store.read(lambda t: t.people.list_members(SPACE)) == {"maria": "member"}
        entries = store.read(lambda t: t.audit.list_entries())
        assert {entry.actor for entry in entries} == {"", "maria"}
        assert sum(entry.actor == "maria" for entry in entries) == 1
        assert any(store.read(lambda t: t.purge.count_traces("maria", space=None)).values())

    def test_erasing_a_person_takes_out_entries_that_rest_on_them_in_part(self, store: Store) -> None:
        hers, his = a_record("hers", user="maria"), a_record("his", user="alex")
        keep_records(store, hers, his)
        mixed = DocumentEntry(section="a", text="from both", sources=(hers.id, his.id))
        _put_document_naming(
            store, owner="", entries=(mixed, DocumentEntry(section="b", text="from her", sources=(hers.id,)))
        )
        store.write(lambda t: erase.erase_person(t, "alex", space=None, now=NOW))
        (document,) = store.read(lambda t: t.documents.all(SPACE))
        assert [e.text for e in document.entries] == ["from her"]

    def test_erasing_a_person_in_one_space_leaves_the_others(self, store: Store) -> None:
        for space in (SPACE, "work"):
            _a_life(store, "alex", space=space)
        store.write(lambda t: erase.erase_person(t, "alex", space=SPACE, now=NOW))
        assert not any(store.read(lambda t: t.purge.count_traces("alex", space=SPACE)).values())
        assert any(store.read(lambda t: t.purge.count_traces("alex", space="work")).values())

    def test_a_conversation_outlives_the_person_who_opened_it_while_others_spoke_in_it(self, store: Store) -> None:
        talk = a_conversation(key="channel:#a", channel="#a", user="alex", session=None)
        store.write(lambda t: t.conversations.add(talk))
        given: dict[str, Any] = {"conversation": talk.id, "channel": "#a"}
        keep_records(store, a_record("his", user="alex", **given), a_record("hers", user="maria", **given))
        store.write(lambda t: erase.erase_person(t, "alex", space=None, now=NOW))
        (left,) = store.read(lambda t: t.conversations.find_unsettled(SPACE))
        assert (left.id, left.user) == (talk.id, None)
        assert [r.text for _, r in store.read(lambda t: t.conversations.read_messages(talk.id))] == ["hers"]

    def test_what_else_is_kept_of_a_person_can_go_alone(self, store: Store) -> None:
        _a_life(store, "alex")
        store.write(lambda t: t.purge.forget_person("alex", space=None))
        (talk,) = store.read(lambda t: t.conversations.all(None))
        assert talk.user is None

    def test_a_purge_survives_reopening(self, store: Store, reopen: Reopen) -> None:
        gone, kept = a_record("kettle gone"), a_record("kettle kept")
        place, _ = keep_records(store, gone, kept)
        _surround_record(store, place, neighbour=kept)
        store.write(lambda t: t.purge.destroy([place]))
        again = reopen(store)
        assert found_texts(again, "kettle") == ["kettle kept"]
        assert not any(again.read(lambda t: t.purge.count_traces("nobody", space=None)).values())


def _surround_record(store: Store, place: int, *, neighbour: Record | None = None) -> int:
    """Give a record everything that can depend on it; returns the number of the vectors' model."""

    def work(tables: Tables) -> int:
        record = tables.records.by_seq([place])[place]
        model = tables.vectors.register_model("mini", 4)
        tables.vectors.put(model, [(place, [b"vector"])])
        tables.vectors.put_pack(model, 1, b"pack")
        tables.entities.mention([RecordMention(place, space=SPACE, alias="ana", shown="Ana", type="name", now=NOW)])
        tables.records.note_change(record, "active", action="pinned", at=NOW)
        if neighbour is not None:
            tables.records.link(SPACE, record.id, neighbour.id, type="supersedes", at=NOW)
            tables.records.link(SPACE, neighbour.id, record.id, type="derived_from", at=NOW)
            tables.conversations.ask(_question_about("q1", older=record.id, newer=neighbour.id))
            tables.conversations.ask(_question_about("q2", older=neighbour.id, newer=record.id))
        return model

    return store.write(work)


def _a_life(store: Store, user: str, *, space: str = SPACE) -> Record:
    """Everything that a store can keep of a person; returns the one record."""
    talk = a_conversation(space=space, user=user, key=f"user:{user}")
    record = a_record("A record", user=user, space=space, conversation=talk.id)

    def work(tables: Tables) -> None:
        tables.people.update_person(Person(id=user, space=space, username=user), now=NOW)
        tables.people.set_member(space, user, "member")
        tables.conversations.add(talk)
        put_record(tables, record)
        tables.conversations.ask(
            _question_about(f"q_{user}_{space}", space=space, user=user, older=record.id, newer=record.id)
        )
        tables.audit.add(space, "gate", at=NOW, actor=user, detail={})

    store.write(work)
    entry = DocumentEntry(section="a", text="A line", sources=(record.id,))
    _put_document_naming(store, owner=user, space=space, entries=(entry,))
    return record


def _put_document_naming(store: Store, **given: Any) -> None:
    values = {"name": "profile", "owner": "alex", "space": SPACE, "version": 1, "at": NOW, **given}
    store.write(lambda t: t.documents.put(Document(**values)))


def _question_about(id: str, **given: Any) -> Question:
    return Question(id=id, **{"space": SPACE, "user": None, "text": "Which?", "created_at": NOW, **given})


def _mention_name(store: Store, place: int, name: str) -> None:
    store.write(
        lambda t: t.entities.mention([RecordMention(place, space=SPACE, alias=name, shown=name, type="name", now=NOW)])
    )


def _entity_named(store: Store, place: int, name: str) -> int:
    """The place of the entity of that name, which the record mentions."""

    def work(tables: Tables) -> int:
        tables.entities.mention(
            [RecordMention(place, space=SPACE, alias=name.lower(), shown=name, type="name", now=NOW)]
        )
        return tables.entities.find([name.lower()], [SPACE])[0].seq

    return store.write(work)
