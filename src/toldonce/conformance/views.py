"""A view shows a caller exactly what it says: every filter alone, several together, and the past as it was believed."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any

import pytest

from toldonce.conformance.samples import (
    NOW,
    SPACE,
    a_record,
    a_space,
    a_view,
    any_words,
    keep_records,
    keep_texts,
    moment_after,
    shown_texts,
    write_each,
)
from toldonce.records import Record, State
from toldonce.storage.store import Store, Tables, View
from toldonce.storage.tables.entities import RecordMention

ODD = {"a.b": 1, 'quo"te': 2, "back\\slash": 3, "[0]": 4, "": 5, "é": 6, "$": 7}


class ViewsConformance:
    """Which records a view shows."""

    def test_a_view_shows_its_spaces_only(self, store: Store) -> None:
        for space in ("home", "work", "attic"):
            keep_records(store, a_record(space, space=space))
        assert shown_texts(store, a_view(spaces=("work",))) == ["work"]
        assert set(shown_texts(store, a_view(spaces=("work", "attic")))) == {"work", "attic"}
        assert shown_texts(store, a_view(spaces=())) == []
        assert shown_texts(store, a_view(spaces=("none",))) == []

    def test_private_records_are_their_owners_alone(self, store: Store) -> None:
        keep_records(store, a_record("mine", user="alex", visibility="private"))
        assert shown_texts(store, a_view(user="alex")) == ["mine"]
        assert shown_texts(store, a_view(user="maria")) == []

    def test_records_that_nobody_owns_are_everyones(self, store: Store) -> None:
        keep_texts(store, "ours", visibility="private")
        assert shown_texts(store, a_view(user="maria")) == ["ours"]

    def test_project_records_are_everyones_in_the_space(self, store: Store) -> None:
        keep_records(store, a_record("open", user="alex", visibility="project"))
        assert shown_texts(store, a_view(user="maria")) == ["open"]

    def test_team_records_are_for_members_of_their_space(self, store: Store) -> None:
        keep_records(store, a_record("team", user="alex", visibility="team"))
        keep_records(store, a_record("other team", user="alex", visibility="team", space="work"))
        write_each(store, (SPACE, "work"), lambda t, space: t.people.add_space(a_space(space), now=NOW))
        store.write(lambda t: t.people.set_member(SPACE, "maria", "member"))
        both = {"spaces": (SPACE, "work")}
        assert shown_texts(store, a_view(user="maria", **both)) == ["team"]
        assert shown_texts(store, a_view(user="bob", **both)) == []
        assert set(shown_texts(store, a_view(user="alex", **both))) == {"team", "other team"}

    def test_a_view_of_nobody_shows_everybodys(self, store: Store) -> None:
        keep_records(store, a_record("alex", user="alex"), a_record("maria", user="maria", visibility="team"))
        assert set(shown_texts(store, a_view())) == {"alex", "maria"}

    def test_derived_records_are_found_for_each_reader_as_a_view_shows_them(self, store: Store) -> None:
        store.write(lambda t: t.people.add_space(a_space(SPACE), now=NOW))
        store.write(lambda t: t.people.set_member(SPACE, "maria", "member"))
        keep_records(
            store,
            a_record("private", user="alex", visibility="private", metadata={"topics": ["1"]}),
            a_record("team", user="alex", visibility="team", metadata={"topics": ["2"]}, at=moment_after(hours=1)),
            a_record(
                "project", user="alex", visibility="project", metadata={"topics": ["3"]}, at=moment_after(hours=2)
            ),
            a_record("nobody's", visibility="private", metadata={"topics": ["4"]}, at=moment_after(hours=3)),
            a_record("forgotten", user="alex", state="forgotten", metadata={"topics": ["5"]}, at=moment_after(hours=4)),
            a_record("said", user="alex", conversation="talk_1", kind="message"),
        )
        shown = {None: "4321", "alex": "4321", "maria": "432", "rui": "43"}
        for user, topics in shown.items():
            view = a_view(user=user, kinds=("fact", "message"))
            found = store.read(partial(_find_derived, view))
            assert "".join(record.metadata["topics"][0] for record in found) == topics

    def test_a_view_can_ask_for_kinds(self, store: Store) -> None:
        keep_records(store, a_record("fact"), a_record("note", kind="note"), a_record("goal", kind="goal"))
        assert set(shown_texts(store, a_view(kinds=("note", "goal")))) == {"note", "goal"}
        assert shown_texts(store, a_view(kinds=())) == []

    def test_a_view_can_ask_for_one_session_or_all_but_one(self, store: Store) -> None:
        keep_records(store, a_record("one", session="s1"), a_record("two", session="s2"), a_record("none"))
        assert shown_texts(store, a_view(session="s1")) == ["one"]
        assert set(shown_texts(store, a_view(not_session="s1"))) == {"two", "none"}

    def test_a_view_can_ask_for_a_channel(self, store: Store) -> None:
        keep_records(store, a_record("a", channel="#a"), a_record("b", channel="#b"), a_record("none"))
        assert shown_texts(store, a_view(channel="#a")) == ["a"]

    def test_branches_show_their_own_and_what_has_no_branch(self, store: Store) -> None:
        keep_records(store, a_record("main", branch="main"), a_record("topic", branch="topic"), a_record("none"))
        assert set(shown_texts(store, a_view(branches=("main",)))) == {"main", "none"}
        assert shown_texts(store, a_view(branches=())) == ["none"]
        assert len(shown_texts(store, a_view())) == 3

    def test_since_is_included_and_until_is_not(self, store: Store) -> None:
        for hour in (1, 2, 3):
            keep_records(store, a_record(str(hour), at=moment_after(hours=hour)))
        assert shown_texts(store, a_view(since=moment_after(hours=2))) == ["3", "2"]
        assert shown_texts(store, a_view(until=moment_after(hours=2))) == ["1"]
        assert shown_texts(
            store, a_view(since=moment_after(hours=1, microseconds=1), until=moment_after(hours=2, microseconds=1))
        ) == ["2"]

    def test_a_record_is_shown_until_the_moment_it_expires(self, store: Store) -> None:
        keep_records(store, a_record("short", expires_at=moment_after(hours=1)))
        assert shown_texts(store, a_view(now=moment_after(minutes=59))) == ["short"]
        assert shown_texts(store, a_view(now=moment_after(hours=1))) == []

    @pytest.mark.parametrize("state", ["doubted", "proposed", "superseded", "expired", "faded", "flagged", "forgotten"])
    def test_only_active_records_are_shown(self, store: Store, state: State) -> None:
        keep_records(store, a_record("hidden", state=state), a_record("shown"))
        assert shown_texts(store, a_view()) == ["shown"]

    @pytest.mark.parametrize(
        "where, texts",
        [
            ({"mood": "glad"}, {"glad"}),
            ({"mood": ["glad", "sad"]}, {"glad", "sad"}),
            ({"mood": []}, set()),
            ({"n": 2}, {"glad"}),
            ({"n": 2.0}, {"glad"}),
            ({"n": "2"}, set()),
            ({"done": True}, {"glad"}),
            ({"done": False}, {"sad"}),
            ({"done": [True, False]}, {"glad", "sad"}),
            ({"mood": None}, {"null", "empty"}),
            ({"mood": [None, "sad"]}, {"null", "empty", "sad"}),
            ({"missing": "x"}, set()),
            ({"mood": "glad", "n": 2}, {"glad"}),
            ({"mood": "glad", "n": 3}, set()),
            ({"mood": "GLAD"}, set()),
            ({}, {"glad", "sad", "null", "empty"}),
        ],
    )
    def test_metadata_filters(self, store: Store, where: dict[str, Any], texts: set[str]) -> None:
        """Every key must hold; a list means any of these; null means null or not there."""
        keep_records(
            store,
            a_record("glad", metadata={"mood": "glad", "n": 2, "done": True}),
            a_record("sad", metadata={"mood": "sad", "n": 3, "done": False}),
            a_record("null", metadata={"mood": None}),
            a_record("empty"),
        )
        assert set(shown_texts(store, a_view(where=where))) == texts

    @pytest.mark.parametrize("key", list(ODD))
    def test_metadata_keys_may_hold_any_character(self, store: Store, key: str) -> None:
        keep_records(
            store, a_record("odd", metadata=ODD), a_record("plain", metadata={"ab": 9, "quote": 2, "a": {"b": 1}})
        )
        assert shown_texts(store, a_view(where={key: ODD[key]})) == ["odd"]

    def test_filters_add_up(self, store: Store) -> None:
        wanted = a_record("wanted", user="alex", session="s1", channel="#a", branch="main", metadata={"n": 1})
        keep_records(store, wanted)
        for other in ({"user": "bob"}, {"session": "s2"}, {"channel": "#b"}, {"branch": "x"}, {"metadata": {"n": 2}}):
            given = {"user": "alex", "session": "s1", "channel": "#a", "branch": "main", "metadata": {"n": 1}, **other}
            keep_records(store, a_record("unwanted", **given))
        view = a_view(
            user="alex", session="s1", channel="#a", branches=("main",), where={"n": 1}, kinds=("fact",), since=NOW
        )
        assert shown_texts(store, view) == ["wanted"]

    def test_the_past_is_answered_from_what_was_believed_then(self, store: Store) -> None:
        """A record that was superseded, restored and forgotten is there exactly while it counted."""
        (record,) = keep_texts(store, "Alex lives in Porto")
        states: dict[int, State] = {1: "superseded", 3: "active", 5: "forgotten", 7: "active"}
        for day, state in states.items():
            _set_state(store, record, state, at=moment_after(days=day))
        days = {day: _believed_texts(store, moment_after(days=day)) for day in range(9)}
        assert [day for day, texts in days.items() if texts] == [0, 3, 4, 7, 8]

    def test_the_past_does_not_know_what_was_said_later(self, store: Store) -> None:
        keep_records(store, a_record("early"), a_record("late", at=moment_after(days=2)))
        assert _believed_texts(store, moment_after(days=1)) == ["early"]
        assert _believed_texts(store, moment_after(days=2)) == ["late", "early"]

    def test_the_last_of_several_changes_at_one_moment_holds(self, store: Store) -> None:
        (record,) = keep_texts(store, "Flickering")
        states: tuple[State, ...] = ("flagged", "active", "flagged")
        for state in states:
            _set_state(store, record, state, at=moment_after(days=1))
        assert _believed_texts(store, moment_after(days=1)) == []
        _set_state(store, record, "active", at=moment_after(days=1))
        assert _believed_texts(store, moment_after(days=1)) == ["Flickering"]

    def test_a_change_that_leaves_the_state_alone_does_not_hide_the_past(self, store: Store) -> None:
        (record,) = keep_texts(store, "Pinned once")
        store.write(lambda t: t.records.note_change(record, "active", action="pinned", at=moment_after(days=1)))
        _set_state(store, record, "forgotten", at=moment_after(days=2))
        assert _believed_texts(store, moment_after(days=1, hours=1)) == ["Pinned once"]
        assert _believed_texts(store, moment_after(days=2)) == []

    def test_the_past_respects_the_expiry_of_then(self, store: Store) -> None:
        keep_records(store, a_record("short", expires_at=moment_after(days=1)))
        assert _believed_texts(store, moment_after(hours=23)) == ["short"]
        assert _believed_texts(store, moment_after(days=1)) == []

    def test_every_search_obeys_the_view(self, store: Store) -> None:
        """Words, pairs of characters, entities, times and subjects: none shows what the view hides."""
        given: dict[str, Any] = {"user": "alex", "subject": "alex/home"}
        hidden, open_ = (
            a_record("東京 kettle hidden", **given),
            a_record("東京 kettle open", visibility="project", **given),
        )
        places = keep_records(store, hidden, open_)
        name = {"space": SPACE, "alias": "kettle", "shown": "Kettle", "type": "thing"}
        write_each(store, places, lambda t, place: t.entities.mention([RecordMention(place, **name, now=NOW)]))
        entities = [k.seq for k in store.read(lambda t: t.entities.find(["kettle"], [SPACE]))]
        view = a_view(user="maria")
        for search in (
            lambda t: t.search.find_by_words(any_words("kettle"), view, limit=9),
            lambda t: t.search.recent_words(any_words("kettle"), view, limit=9),
            lambda t: t.search.find_by_grams(("東京",), view, limit=9),
            lambda t: t.search.find_by_entities(entities, view, limit=9),
            lambda t: t.search.find_by_time(NOW, moment_after(days=1), view, limit=9),
            lambda t: t.search.find_by_subjects(["home"], view, limit=9),
        ):
            assert [seq for seq, _ in store.read(search)] == places[1:]
        assert store.read(lambda t: t.search.filter_visible(places, view)) == {places[1]}
        assert [r.text for r in store.read(lambda t: t.records.find_similar(hidden, view))] == [open_.text]


def _set_state(store: Store, record: Record, state: State, *, at: datetime) -> None:
    store.write(lambda t: t.records.set_state(record, state, action=state, at=at))


def _believed_texts(store: Store, moment: datetime) -> list[str]:
    return shown_texts(store, a_view(as_of=moment, now=moment_after(days=30)))


def _find_derived(view: View, tables: Tables) -> list[Record]:
    return tables.records.find_derived(view, limit=9)
