"""Records go in whole and come out the same; states, confidence, history and links follow each change."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from toldonce.conformance.samples import (
    NOW,
    SPACE,
    Reopen,
    a_record,
    a_space,
    a_view,
    found_texts,
    keep_records,
    keep_texts,
    moment_after,
    put_record,
    read_back,
    shown_texts,
    write_each,
)
from toldonce.errors import StoreError
from toldonce.presets.policy import Standing
from toldonce.records import Link, LinkType, Question, Record, Trust, new_id
from toldonce.storage.store import Store, Tables, View
from toldonce.storage.tables.entities import RecordMention
from toldonce.storage.tables.records import BrowseFilter, RecordFilter

FULL = Record(
    id=new_id("note", NOW),
    kind="note",
    text="The bridge opens at 7; São Bento is closed, 東京 too",
    at=moment_after(microseconds=1),
    created_at=moment_after(seconds=2),
    space=SPACE,
    user="alex",
    session="s1",
    channel="#general",
    branch="main",
    visibility="team",
    role="agent",
    author="Alexandra",
    title="Bridges",
    summary="About bridges",
    subject="alex/commute",
    state="superseded",
    state_reason="newer",
    state_at=moment_after(days=1),
    superseded_by="note_2",
    confidence=0.35,
    validated=True,
    pinned=True,
    origin="ai_inference",
    made_by="rules",
    trust=Trust.TOOL,
    conversation="talk_1",
    expires_at=moment_after(days=9),
    accessed_at=moment_after(hours=3),
    access_count=7,
    faded_at=moment_after(hours=4),
    tags=("route", "água"),
    metadata={"n": 1, "f": 2.5, "b": True, "l": [1, None], "d": {"é": "ü"}},
)


class RecordsConformance:
    """Records, their changes and their links."""

    def test_a_record_comes_back_exactly_as_it_went_in(self, store: Store) -> None:
        source = a_record("They said so")
        given = replace(FULL, sources=(source.id,))
        keep_records(store, source, given)
        assert read_back(store, given) == given

    def test_defaults_come_back_as_defaults(self, store: Store) -> None:
        plain = a_record()
        keep_records(store, plain)
        assert read_back(store, plain) == plain

    def test_records_survive_reopening(self, store: Store, reopen: Reopen) -> None:
        keep_records(store, FULL)
        again = reopen(store)
        assert read_back(again, FULL) == FULL
        assert (
            again.read(lambda t: t.search.find_by_words(("bridge",), a_view(as_of=moment_after(hours=1)), limit=5))
            != []
        )

    def test_ids_that_are_not_there_are_left_out(self, store: Store) -> None:
        (kept,) = keep_texts(store, "Here")
        assert store.read(lambda t: t.records.get([kept.id, "fact_none"])) == {kept.id: kept}
        assert store.read(lambda t: t.records.get([])) == {}

    def test_places_lead_back_to_records(self, store: Store) -> None:
        one, two = a_record("one"), a_record("two")
        first, second = keep_records(store, one, two)
        assert second > first
        assert store.read(lambda t: t.records.by_seq([second, first, second + 9])) == {first: one, second: two}
        assert store.read(lambda t: t.records.find_places([two.id, "fact_none"])) == [second]

    def test_the_same_id_twice_is_refused_and_changes_nothing(self, store: Store) -> None:
        (kept,) = keep_texts(store, "The first text")
        with pytest.raises(StoreError):
            keep_records(store, replace(kept, text="The second text"))
        assert read_back(store, kept) == kept

    def test_many_records_of_one_write_are_seen_by_it_and_by_all(self, store: Store) -> None:
        records = [a_record(f"jar number {n}", user="alex" if n % 2 else None, created_at=NOW) for n in range(40)]

        def write(tables: Tables) -> list[int]:
            places = [put_record(tables, record) for record in records[:30]]
            assert list(tables.records.by_seq(places).values()) == records[:30]
            tables.entities.mention([RecordMention(place, SPACE, "jar", "Jar", "thing", NOW) for place in places])
            return [*places, *(put_record(tables, record) for record in records[30:])]

        places = store.write(write)
        assert places == sorted(set(places))
        assert list(store.read(lambda t: t.records.by_seq(places)).values()) == records
        assert store.read(lambda t: t.search.size()) == len(records)
        assert len(found_texts(store, "jar", limit=50)) == len(records)
        assert store.read(lambda t: [entity[3] for entity in t.entities.names(SPACE)]) == [30]
        assert store.check(repair=False) == []

    def test_many_records_of_a_write_that_fails_are_gone(self, store: Store) -> None:
        records = [a_record(f"jar number {n}") for n in range(40)]

        def write(tables: Tables) -> None:
            for record in [*records, records[-1]]:
                put_record(tables, record)

        with pytest.raises(StoreError):
            store.write(write)
        assert store.read(lambda t: t.records.get(record.id for record in records)) == {}

    def test_pages_are_in_order_of_arrival_and_complete(self, store: Store) -> None:
        records = keep_texts(store, *(f"number {n}" for n in range(7)))

        def pages(tables: Tables) -> list[Record]:
            seen, place = [], 0
            while page := tables.records.read_page(SPACE, after=place, limit=3):
                seen += [record for _, record in page]
                place = page[-1][0]
            return seen

        assert store.read(pages) == records

    def test_pages_can_be_of_one_space_person_or_state(self, store: Store) -> None:
        hers = a_record("hers", user="maria")
        gone = a_record("gone", user="maria", state="forgotten")
        other = a_record("other", space="elsewhere")
        keep_records(store, hers, gone, other)

        def texts(**only: str) -> list[str]:
            space = only.pop("space", None)
            return [r.text for _, r in store.read(lambda t: t.records.read_page(space, **only))]  # type: ignore[arg-type]

        assert texts() == ["hers", "gone", "other"]
        assert texts(space=SPACE) == ["hers", "gone"]
        assert texts(user="maria", state="forgotten") == ["gone"]

    def test_find_gives_the_newest_first_and_no_more_than_asked(self, store: Store) -> None:
        for n in range(4):
            keep_records(store, a_record(f"number {n}", at=moment_after(minutes=n)))
        assert shown_texts(store, a_view()) == ["number 3", "number 2", "number 1", "number 0"]
        assert len(store.read(lambda t: t.records.find(a_view(), limit=2))) == 2

    def test_pinned_records_and_derived_ones_can_be_found_apart(self, store: Store) -> None:
        keep_records(
            store,
            a_record("pinned", pinned=True),
            a_record("loose", at=moment_after(hours=1)),
            a_record("message", conversation="talk_1", kind="message"),
            a_record("hidden", pinned=True, state="flagged"),
        )
        pinned = store.read(lambda t: t.records.find_pinned(a_view(), limit=9))
        assert [r.text for r in pinned] == ["pinned"]
        view = a_view(kinds=("fact", "message"))
        derived = store.read(lambda t: t.records.find_derived(view, limit=9))
        assert [r.text for r in derived] == ["loose", "pinned"]
        assert [r.text for r in store.read(lambda t: t.records.find_derived(view, limit=1))] == ["loose"]

    def test_records_about_files_are_found_by_file_folder_and_citation(self, store: Store) -> None:
        keep_records(
            store,
            a_record("one file", metadata={"file": "src/auth/tokens.py"}),
            a_record("several", metadata={"files": ["a.py", "src/auth/guard.py"]}, at=moment_after(hours=1)),
            a_record("cited", metadata={"cites": [{"path": "src/auth/x.py"}]}, at=moment_after(hours=2)),
            a_record("elsewhere", metadata={"file": "src/authors.py", "note": "src/auth/tokens.py"}),
            a_record("nowhere"),
        )

        def about(*places: str) -> list[str]:
            view = a_view(kinds=("fact",))
            return [r.text for r in store.read(lambda t: t.records.find_about(view, places, limit=9))]

        assert about("src/auth/") == ["cited", "several", "one file"]
        assert about("src/auth/tokens.py", "a.py") == ["several", "one file"]
        assert about("src/auth") == about() == []

    def test_the_same_text_is_found_whatever_its_case_spacing_and_full_stop(self, store: Store) -> None:
        (kept,) = keep_texts(store, "Alex likes  Green tea.", user="alex")
        alike = a_record("alex likes green tea", user="alex")
        assert store.read(lambda t: t.records.same_text(alike)) == kept

    def test_what_was_said_before_is_found_in_whatever_state(self, store: Store) -> None:
        (kept,) = keep_texts(store, "Use pnpm", state="forgotten")
        assert store.read(lambda t: t.records.said_before(a_record("use pnpm."))) == kept
        assert store.read(lambda t: t.records.said_before(a_record("Use yarn"))) is None

    def test_what_waits_for_review_is_listed_and_doubts_are_not(self, store: Store) -> None:
        (older,) = keep_texts(store, "Alex lives in Porto")
        (waits,) = keep_texts(store, "Use pnpm", state="proposed")
        (doubt,) = keep_texts(store, "Alex lives in Lisbon", state="proposed")
        asked = Question(id="ask_1", space=SPACE, user="alex", text="?", older=older.id, newer=doubt.id, created_at=NOW)
        store.write(lambda t: t.conversations.ask(asked))
        assert store.read(lambda t: t.records.find_proposed(SPACE)) == [waits]
        assert store.read(lambda t: t.records.find_proposed("elsewhere")) == []

    @pytest.mark.parametrize(
        "other",
        [{"user": "maria"}, {"user": None}, {"kind": "note"}, {"space": "elsewhere"}, {"text": "alex likes black tea"}],
    )
    def test_the_same_text_of_another_owner_kind_or_space_is_another(self, store: Store, other: dict[str, str]) -> None:
        keep_texts(store, "Alex likes green tea", user="alex")
        asked = a_record(**{"text": "Alex likes green tea", "user": "alex", **other})
        assert store.read(lambda t: t.records.same_text(asked)) is None

    def test_only_a_current_record_counts_as_saying_the_same(self, store: Store) -> None:
        keep_texts(store, "Alex likes tea", state="forgotten")
        keep_texts(store, "Alex likes milk", conversation="talk_1")
        assert store.read(lambda t: t.records.same_text(a_record("Alex likes tea"))) is None
        assert store.read(lambda t: t.records.same_text(a_record("Alex likes milk"))) is None

    def test_the_same_subject_gives_current_records_of_the_owner_oldest_first(self, store: Store) -> None:
        about = {"subject": "alex/residence", "user": "alex"}
        newer = a_record("Lisbon", at=moment_after(days=1), **about)
        older = a_record("Porto", **about)
        keep_records(
            store,
            newer,
            older,
            a_record("Faro", state="superseded", **about),
            a_record("job", subject="alex/job"),
            a_record("hers", subject="alex/residence", user="maria"),
        )
        assert store.read(lambda t: t.records.same_subject(a_record("Braga", **about))) == [older, newer]
        assert store.read(lambda t: t.records.same_subject(a_record("Braga", **about), limit=1)) == [newer]
        assert store.read(lambda t: t.records.same_subject(a_record("no subject"))) == []

    def test_the_values_of_a_subject_come_without_the_records_newest_first(self, store: Store) -> None:
        about = {"subject": "alex/likes", "user": "alex"}
        older = a_record("tea", metadata={"value": "Tea"}, **about)
        newer = a_record("milk", at=moment_after(days=1), **about)
        keep_records(store, older, newer, a_record("wine", state="forgotten", metadata={"value": "wine"}, **about))
        asked = a_record("coffee", **about)
        assert store.read(lambda t: t.records.subject_values(asked, limit=9)) == [(newer.id, ""), (older.id, "Tea")]
        assert store.read(lambda t: t.records.subject_values(asked, limit=1)) == [(newer.id, "")]
        assert store.read(lambda t: t.records.subject_values(a_record("no subject"), limit=9)) == []

    def test_similar_records_share_words_and_must_be_visible(self, store: Store) -> None:
        keep_texts(store, "The cat sleeps on the warm stove", "The train leaves at noon")
        keep_texts(store, "A cat on a stove", state="forgotten")
        texts = [r.text for r in store.read(lambda t: t.records.find_similar(a_record("a warm cat"), a_view()))]
        assert texts == ["The cat sleeps on the warm stove"]

    @pytest.mark.parametrize("text", ['"', "AND OR NOT", 'NEAR("a" b) * ^ : {x}', "🎉🎉", "--; '", "a", "-column:x"])
    def test_no_text_can_break_the_search_for_similar_ones(self, store: Store, text: str) -> None:
        keep_texts(store, "The cat sleeps")
        assert store.read(lambda t: t.records.find_similar(a_record(text), a_view())) == []

    def test_a_session_counts_what_it_derived_and_did_not_forget(self, store: Store) -> None:
        keep_records(
            store,
            a_record("one", session="s1"),
            a_record("two", session="s1"),
            a_record("three", session="s2"),
            a_record("gone", session="s1", state="forgotten"),
            a_record("message", session="s1", conversation="talk_1"),
        )
        assert store.read(lambda t: t.records.session_count(SPACE, "s1")) == 2
        assert store.read(lambda t: t.records.session_count(SPACE, "none")) == 0

    def test_a_new_state_is_kept_with_its_reason_and_in_history(self, store: Store) -> None:
        old, new = keep_texts(store, "Porto", "Lisbon")
        store.write(
            lambda t: t.records.set_state(
                old,
                "superseded",
                action="superseded",
                at=moment_after(days=2),
                reason="moved",
                by="person",
                other=new.id,
                superseded_by=new.id,
            )
        )
        now = read_back(store, old)
        assert (now.state, now.state_reason, now.state_at) == ("superseded", "moved", moment_after(days=2))
        assert now.superseded_by == new.id
        (change,) = store.read(lambda t: t.records.read_changes(old.id))
        assert (change.action, change.state, change.reason) == ("superseded", "superseded", "moved")
        assert (change.at, change.by, change.other) == (moment_after(days=2), "person", new.id)

    def test_history_is_told_oldest_first(self, store: Store) -> None:
        (record,) = keep_texts(store, "It rains")

        def note(action: str, day: int) -> None:
            store.write(lambda t: t.records.note_change(record, "active", action=action, at=moment_after(days=day)))

        note("pinned", 3)
        note("expired", 1)
        note("restored", 3)
        assert [c.action for c in store.read(lambda t: t.records.read_changes(record.id))] == [
            "expired",
            "pinned",
            "restored",
        ]

    def test_use_restores_the_confidence_that_a_record_faded_from(self, store: Store) -> None:
        (record,) = keep_texts(store, "Maybe")
        standing = Standing(0.9, moment_after(days=1))
        store.write(lambda t: t.records.set_faded(record, confidence=0.4, standing=standing, at=moment_after(days=9)))
        faded = read_back(store, record)
        assert (faded.confidence, faded.faded_at) == (0.4, moment_after(days=9))
        assert store.read(lambda t: t.records.read_standing(record)) == standing
        store.write(lambda t: t.records.touch([(moment_after(days=10), [record.id])]))
        assert read_back(store, record).confidence == 0.9

    def test_a_confidence_that_is_set_is_what_a_record_fades_from(self, store: Store) -> None:
        (record,) = keep_texts(store, "Maybe")
        standing = Standing(0.9, moment_after(days=1))
        store.write(lambda t: t.records.set_faded(record, confidence=0.4, standing=standing, at=moment_after(days=9)))
        store.write(
            lambda t: t.records.set_standing(record, confidence=0.3, validated=False, pinned=False, faded_at=None)
        )
        assert store.read(lambda t: t.records.read_standing(record)) is None
        store.write(lambda t: t.records.touch([(moment_after(days=10), [record.id])]))
        assert read_back(store, record).confidence == 0.3

    def test_every_part_of_a_message_finds_the_others_in_order(self, store: Store) -> None:
        first, second, third, other = keep_texts(store, "One.", "Two.", "Three.", "Another message")

        def link_parts(tables: Tables) -> None:
            for part in (third, second):
                tables.records.link(part.space, part.id, first.id, type="part_of", at=moment_after(days=1))

        store.write(link_parts)
        assert store.read(lambda t: [r.text for r in t.records.find_parts(first)]) == ["Two.", "Three."]
        assert store.read(lambda t: [r.text for r in t.records.find_parts(second)]) == ["One.", "Three."]
        assert store.read(lambda t: t.records.find_parts(other)) == []

    def test_browsing_finds_and_counts_records_by_state_and_by_what_was_chosen(self, store: Store) -> None:
        sure = a_record("sure", user="alex", confidence=0.9, metadata={"area": "health"}, origin="user_input")
        weak = a_record("weak", user="alex", confidence=0.4, visibility="project", state="superseded", validated=True)
        keep_records(store, sure, weak)
        view = a_view(user="alex")

        def found(**given: Any) -> list[str]:
            chosen = BrowseFilter(**given)
            texts = [r.text for r in store.read(lambda t: t.records.browse(view, chosen, limit=9))]
            counts = store.read(lambda t: t.records.count_browsed(view, chosen))
            assert sum(one.count for one in counts) == len(texts)
            return sorted(texts)

        assert found() == ["sure"] and found(states=("active", "superseded")) == ["sure", "weak"]
        assert found(states=("superseded",), validated=True, visibility="project") == ["weak"]
        assert found(least_confidence=0.95) == [] and found(below_confidence=0.95, origins=("user_input",)) == ["sure"]
        (count,) = store.read(lambda t: t.records.count_browsed(view, BrowseFilter()))
        assert (count.state, count.area, count.count) == ("active", "health", 1)

    def test_visibility_decides_who_finds_a_record_by_its_words(self, store: Store) -> None:
        record = a_record("the heron nests at the mill", user="alex", visibility="private")
        keep_records(store, record)
        asked = a_record("heron mill", user="sam")

        def seen() -> bool:
            return record.id in {r.id for r in store.read(lambda t: t.records.find_similar(asked, a_view(user="sam")))}

        assert not seen()
        store.write(lambda t: t.records.set_visibility(record, "project"))
        assert seen() and read_back(store, record).visibility == "project"
        store.write(lambda t: t.records.set_visibility(replace(record, visibility="project"), "private"))
        assert not seen() and store.check(repair=False) == []

    def test_standing_expiry_and_metadata_can_change(self, store: Store) -> None:
        (record,) = keep_texts(store, "Maybe", metadata={"a": 1})
        store.write(
            lambda t: t.records.set_standing(
                record, confidence=0.2, validated=True, pinned=True, faded_at=moment_after(days=1)
            )
        )
        store.write(lambda t: t.records.set_expiry(record.id, moment_after(days=5)))
        store.write(lambda t: t.records.set_metadata(record.id, {"b": [2]}))
        assert read_back(store, record) == replace(
            record,
            confidence=0.2,
            validated=True,
            pinned=True,
            faded_at=moment_after(days=1),
            expires_at=moment_after(days=5),
            metadata={"b": [2]},
        )
        store.write(lambda t: t.records.set_expiry(record.id, None))
        assert read_back(store, record).expires_at is None

    def test_being_shown_is_counted_and_never_goes_back_in_time(self, store: Store) -> None:
        one, two = keep_texts(store, "one", "two")
        store.write(lambda t: t.records.touch([(moment_after(days=2), [one.id, two.id])]))
        store.write(lambda t: t.records.touch([(moment_after(days=1), [one.id, "fact_none"])]))
        first, second = read_back(store, one), read_back(store, two)
        assert (first.access_count, first.accessed_at) == (2, moment_after(days=2))
        assert (second.access_count, second.accessed_at) == (1, moment_after(days=2))

    def test_an_edge_drawn_twice_is_one_edge_and_is_seen_from_both_ends(self, store: Store) -> None:
        one, two = keep_texts(store, "one", "two")
        moments = (moment_after(hours=1), moment_after(hours=2))
        write_each(store, moments, lambda t, at: t.records.link(SPACE, one.id, two.id, type="depends_on", at=at))
        edge = Link(source=one.id, target=two.id, type="depends_on", at=moment_after(hours=1))
        assert store.read(lambda t: t.records.read_links(one.id)) == [edge]
        assert store.read(lambda t: t.records.read_links(two.id)) == [edge]
        assert store.read(lambda t: t.records.read_links("fact_none")) == []

    def test_two_records_may_have_edges_of_several_types(self, store: Store) -> None:
        one, two = keep_texts(store, "one", "two")
        types: tuple[LinkType, ...] = ("derived_from", "caused_by")
        write_each(store, types, lambda t, type_: t.records.link(SPACE, one.id, two.id, type=type_, at=NOW))
        assert {e.type for e in store.read(lambda t: t.records.read_links(one.id))} == {"derived_from", "caused_by"}
        assert read_back(store, one).sources == (two.id,)

    def test_records_whose_time_has_run_out_are_listed_once_active(self, store: Store) -> None:
        due = a_record("due", expires_at=moment_after(hours=1))
        keep_records(
            store,
            due,
            a_record("later", expires_at=moment_after(hours=9)),
            a_record("never"),
            a_record("expired before", expires_at=moment_after(hours=1), state="expired"),
            a_record("elsewhere", expires_at=moment_after(hours=1), space="elsewhere"),
        )
        assert store.read(lambda t: t.records.find_expired(now=moment_after(hours=1), space=SPACE)) == [due]
        assert len(store.read(lambda t: t.records.find_expired(now=moment_after(hours=1)))) == 2
        assert store.read(lambda t: t.records.find_expired(now=NOW)) == []

    def test_only_loose_active_derived_records_fade(self, store: Store) -> None:
        fading = a_record("fading")
        keep_records(
            store,
            fading,
            a_record("pinned", pinned=True),
            a_record("sure", validated=True),
            a_record("note", kind="note"),
            a_record("message", conversation="talk_1"),
            a_record("gone", state="faded"),
            a_record("x", space="elsewhere"),
        )
        rows = store.read(lambda t: t.records.find_fading(SPACE, ["fact"], after=0))
        assert [record for _, record in rows] == [fading]
        assert store.read(lambda t: t.records.find_fading(SPACE, ["fact"], after=rows[-1][0])) == []

    def test_records_with_few_names_wait_for_a_better_tagger_newest_first(self, store: Store) -> None:
        """Not those with more names, those read before, those that do not count, nor those of another space."""
        seen = {"metadata": {"enriched_at": "then"}}
        many, few, none, read, hidden, there = keep_records(
            store,
            a_record("many"),
            a_record("few"),
            a_record("none"),
            a_record("read", **seen),
            a_record("hidden", state="forgotten"),
            a_record("there", space="work"),
        )
        for place, names in ((many, "abc"), (few, "ab"), (read, ""), (hidden, ""), (there, "")):
            for name in names:
                _mention_other(store, place, name)
        wanted = store.read(lambda t: t.records.to_enrich(SPACE, most=2, limit=10))
        assert [(place, record.text) for place, record in wanted] == [(none, "none"), (few, "few")]
        assert len(store.read(lambda t: t.records.to_enrich(SPACE, most=2, limit=1))) == 1

    def test_counts_are_by_kind_and_state_with_the_newest_moment(self, store: Store) -> None:
        keep_records(
            store,
            a_record("a", user="alex"),
            a_record("b", at=moment_after(days=3), user="alex"),
            a_record("c", kind="note"),
            a_record("d", state="forgotten"),
            a_record("e", space="elsewhere"),
        )
        assert store.read(lambda t: t.records.count_by_kind(SPACE)) == [
            ("fact", "active", 2, moment_after(days=3)),
            ("fact", "forgotten", 1, NOW),
            ("note", "active", 1, NOW),
        ]
        assert store.read(lambda t: t.records.count_by_kind(None, "alex")) == [
            ("fact", "active", 2, moment_after(days=3))
        ]
        assert store.read(lambda t: t.records.count_by_kind("none")) == []

    def test_a_record_of_another_kind_of_text_is_kept_as_it_is(self, store: Store) -> None:
        texts = ["line\none\r\n\ttabbed", "a'b\"c;--", "{}[]\\", "🎉 emoji", "e\u0301 and é", "x" * 100_000]
        records = keep_texts(store, *texts)
        assert [read_back(store, r).text for r in records] == texts

    def test_a_place_is_never_used_again(self, store: Store) -> None:
        first, second = keep_records(store, a_record("one"), a_record("two"))
        store.write(lambda t: t.purge.destroy([second]))
        third = store.write(lambda t: put_record(t, a_record("three")))
        assert third not in (first, second)

    def test_a_stretch_of_time_holds_records_in_any_state_in_the_order_they_were_said(self, store: Store) -> None:
        late, early, gone = (
            a_record("late", at=moment_after(days=2)), a_record("early", at=moment_after(days=1)),
            a_record("gone", at=moment_after(days=1), state="forgotten", state_at=NOW),
        )  # fmt: skip
        keep_records(store, late, early, gone)
        assert _texts_in_stretch(store, RecordFilter()) == []
        store.write(lambda t: t.people.add_space(a_space(), now=NOW))
        assert _texts_in_stretch(store, RecordFilter()) == ["early", "gone", "late"]
        assert _texts_in_stretch(store, RecordFilter(spaces=(SPACE,))) == ["early", "gone", "late"]
        assert _texts_in_stretch(store, RecordFilter(spaces=(SPACE,), since=moment_after(days=1, hours=1))) == ["late"]
        assert _texts_in_stretch(store, RecordFilter(spaces=(SPACE,), until=moment_after(days=2))) == ["early", "gone"]
        assert (
            _texts_in_stretch(store, RecordFilter(spaces=("elsewhere",)))
            == _texts_in_stretch(store, RecordFilter(spaces=()))
            == []
        )
        assert store.read(lambda t: len(t.records.in_time(RecordFilter(spaces=(SPACE,)), limit=1))) == 1

    def test_a_stretch_of_time_is_a_persons_own_or_also_what_they_joined(self, store: Store) -> None:
        own = a_record("own", user="alex")
        shared = a_record("shared", user=None, metadata={"participants": ["alex", "sam"]}, at=moment_after(days=1))
        keep_records(store, own, shared, a_record("another's", user="sam"))
        assert _texts_in_stretch(store, RecordFilter(spaces=(SPACE,), user="alex")) == ["own"]
        assert _texts_in_stretch(store, RecordFilter(spaces=(SPACE,), user="alex", joined=True)) == ["own", "shared"]
        assert _texts_in_stretch(store, RecordFilter(spaces=(SPACE,), user="alex", kinds=("nothing",))) == []

    def test_what_gave_way_is_known_once_it_did_and_while_the_newer_one_counts(self, store: Store) -> None:
        older, newer, gone = a_record("older"), a_record("newer"), a_record("gone", state="forgotten")
        other = a_record("other")
        keep_records(store, older, newer, gone, other)
        for source, target in ((newer, older), (gone, other)):
            store.write(
                lambda t, s=source, o=target: t.records.link(
                    SPACE, s.id, o.id, type="supersedes", at=moment_after(days=2)
                )  # type: ignore[misc]
            )
        ids = [older.id, newer.id, other.id]
        assert store.read(lambda t: t.records.given_way(ids, at=moment_after(days=3))) == {older.id}
        assert store.read(lambda t: t.records.given_way(ids, at=moment_after(days=1))) == set()
        assert store.read(lambda t: t.records.given_way([], at=moment_after(days=3))) == set()

    def test_changes_of_a_stretch_of_time_come_oldest_first(self, store: Store) -> None:
        one, other = a_record("one", user="alex"), a_record("other", user="sam")
        keep_records(store, one, other)
        for record, action, days in ((one, "pinned", 3), (one, "confirmed", 1), (other, "pinned", 2)):
            store.write(
                lambda t, r=record, a=action, d=days: t.records.note_change(
                    r, "active", action=a, at=moment_after(days=d)
                )  # type: ignore[misc]
            )

        def actions(stretch: RecordFilter, limit: int = -1) -> list[str]:
            return store.read(lambda t: [c.action for c in t.records.changes_in_time(stretch, limit=limit)])

        assert actions(RecordFilter(spaces=(SPACE,))) == ["confirmed", "pinned", "pinned"]
        assert actions(RecordFilter(spaces=(SPACE,), user=one.user)) == ["confirmed", "pinned"]
        assert actions(RecordFilter(spaces=(SPACE,), since=moment_after(days=2), until=moment_after(days=3))) == [
            "pinned"
        ]
        assert actions(RecordFilter(spaces=(SPACE,)), 1) == ["pinned"]

    def test_activity_is_counted_by_stretches_of_time(self, store: Store) -> None:
        said, known = a_record("hello", conversation="talk"), a_record("lives in Faro", at=moment_after(days=1))
        keep_records(store, said, known)
        store.write(lambda t: t.records.note_change(known, "active", action="pinned", at=NOW, by="person"))
        view = View(spaces=(SPACE,), now=moment_after(days=9))
        day = timedelta(days=1)
        found = store.read(lambda t: t.records.count_activity(view, since=NOW, every=day, count=3))
        assert [(one.messages, one.learned, one.changed) for one in found] == [(1, 0, 1), (0, 1, 0), (0, 0, 0)]


def _texts_in_stretch(store: Store, stretch: RecordFilter) -> list[str]:
    def look(tables: Tables) -> list[str]:
        places = tables.records.in_time(stretch)
        found = tables.records.by_seq(places)
        return [found[place].text for place in places]

    return store.read(look)


def _mention_other(store: Store, place: int, name: str) -> None:
    store.write(lambda t: t.entities.mention([RecordMention(place, SPACE, name, name, "other", NOW)]))
