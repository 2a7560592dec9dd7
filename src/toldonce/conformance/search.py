"""What a search finds: words in every form and script, entities, times, subjects. A higher score is a better match."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

import pytest

from toldonce.clock import to_micros
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
    keep_texts,
    moment_after,
)
from toldonce.storage.store import Store, Tables, View
from toldonce.storage.tables.entities import RecordMention
from toldonce.storage.tables.search import UnitRow, first_visible
from toldonce.text.words import query_pairs


class SearchConformance:
    """The signals that a store can give."""

    def test_nothing_found_is_an_empty_list(self, store: Store) -> None:
        keep_texts(store, "The kettle is on the shelf")
        view = a_view()

        def look(tables: Tables) -> list[list[tuple[int, float]]]:
            search = tables.search
            return [
                search.find_by_words(any_words("zebra"), view, limit=5),
                search.recent_words(any_words("zebra"), view, limit=5),
                search.find_by_grams(("斑馬",), view, limit=5),
                search.find_by_entities([], view, limit=5),
                search.find_by_entities([987654], view, limit=5),
                search.find_by_subjects(["none"], view, limit=5),
                search.find_by_time(moment_after(days=5), moment_after(days=6), view, limit=5),
            ]

        assert store.read(look) == [[]] * 7
        assert store.read(lambda t: t.search.filter_visible([], view)) == set()

    def test_an_empty_store_answers_too(self, store: Store) -> None:
        assert found_texts(store, "kettle") == []
        assert store.read(lambda t: t.search.size()) == 0
        assert store.read(lambda t: t.search.count_matches(any_words("kettle"), most=5)) == 0

    def test_a_higher_score_is_a_better_match(self, store: Store) -> None:
        keep_texts(
            store, "A kettle among many other things that stand on a long shelf in the kitchen", "A copper kettle"
        )
        rows = store.read(lambda t: t.search.find_by_words(any_words("copper", "kettle"), a_view(), limit=5))
        assert _texts_of_rows(store, rows)[0] == "A copper kettle"
        assert rows[0][1] > rows[1][1]

    def test_what_was_written_is_found_in_the_same_transaction(self, store: Store) -> None:
        def work(tables: Tables) -> int:
            tables.records.add(a_record("A copper kettle"), embed=False)
            return len(tables.search.find_by_words(any_words("kettle"), a_view(), limit=5))

        assert store.write(work) == 1

    @pytest.mark.parametrize(
        "text, word",
        [
            ("She was running late", "runs"),
            ("They connected the wires", "connection"),
            ("Two boxes of tea", "box"),
            ("He loves cats", "cat"),
            ("CAPITAL letters", "capital"),
            ("Meet in São Paulo", "sao"),
            ("O café é bom", "cafe"),
            ("Uma reunião amanhã", "amanha"),
            ("naïve", "naïve"),
            ("Ação", "acao"),
            ("decomposed cafe\u0301", "café"),
            ("Привет мир", "мир"),
            ("Straße", "straße"),
            ("room 42b", "42b"),
            ("e-mail", "mail"),
            ("It's Alex's turn", "alex"),
        ],
    )
    def test_words_are_found_in_other_forms_cases_and_accents(self, store: Store, text: str, word: str) -> None:
        keep_texts(store, text, "Nothing of that here")
        assert found_texts(store, word) == [text]

    def test_titles_and_authors_are_found_too(self, store: Store) -> None:
        keep_texts(store, "The text", title="Bridges", author="Alexandra")
        assert found_texts(store, "bridge") == ["The text"]
        assert found_texts(store, "alexandra") == ["The text"]

    def test_any_of_the_words_is_enough_and_more_of_them_is_better(self, store: Store) -> None:
        keep_texts(store, "red lamp", "red lamp green door", "blue sky")
        assert found_texts(store, "red", "green", "door") == ["red lamp green door", "red lamp"]

    def test_a_match_can_demand_words(self, store: Store) -> None:
        keep_texts(store, "red lamp", "red door", "green door")
        wanted = any_words("red", "door")
        rows = store.read(lambda t: t.search.find_by_words(wanted, a_view(), among=any_words("door"), limit=5))
        assert set(_texts_of_rows(store, rows)) == {"red door", "green door"}

    @pytest.mark.parametrize("word", ["OR", "AND", "NOT", "NEAR", "text", "author", "select", "🎉", "*", "%", "_", ""])
    def test_no_word_is_taken_for_a_command(self, store: Store, word: str) -> None:
        keep_texts(store, "The kettle is on the shelf")
        assert found_texts(store, word) == []

    @pytest.mark.parametrize(
        "text, question",
        [
            ("我住在上海", "上海"),
            ("我住在上海", "你住在哪里"),
            ("我住在上海", "海"),
            ("我住在上海", "我"),
            ("東京で寿司を食べた", "寿司"),
            ("東京で寿司を食べた", "東京の天気"),
            ("コーヒーが好き", "コーヒー"),
            ("ｺｰﾋｰが好き", "コーヒー"),
            ("私は京都", "都"),
            ("서울에 살아요", "서울"),
            ("ฉันอยู่ที่กรุงเทพ", "กรุงเทพ"),
            ("ฉันอยู่ที่กรุงเทพ", "อยู่ที่ไหน"),
            ("Meet at 渋谷 station", "渋谷"),
            ("ខ្ញុំរស់នៅភ្នំពេញ", "ភ្នំពេញ"),
        ],
    )
    def test_scripts_without_spaces_are_found_by_parts(self, store: Store, text: str, question: str) -> None:
        keep_texts(store, text, "牛奶没有了", "ไม่มีนม", "Nothing of that here")
        assert _by_pairs(store, question)[0] == text

    @pytest.mark.parametrize("question", ["北京", "鳥", "ภูเก็ต", "부산"])
    def test_other_words_of_those_scripts_are_not_found(self, store: Store, question: str) -> None:
        keep_texts(store, "我住在上海", "東京で寿司を食べた", "서울에 살아요")
        assert _by_pairs(store, question) == []

    def test_more_shared_pairs_are_a_better_match(self, store: Store) -> None:
        keep_texts(store, "上海有很多人和很多车", "上海的天气很好")
        rows = store.read(lambda t: t.search.find_by_grams(query_pairs("上海天气很好"), a_view(), limit=5))
        assert _texts_of_rows(store, rows)[0] == "上海的天气很好"
        assert rows[0][1] > rows[1][1]

    def test_no_more_than_the_limit_comes_back(self, store: Store) -> None:
        keep_texts(store, *(f"kettle number {n}" for n in range(30)))
        assert len(found_texts(store, "kettle", limit=7)) == 7

    def test_a_visible_match_is_found_behind_many_hidden_ones(self, store: Store) -> None:
        """Better matches that the view hides must not push out the ones that it shows."""
        keep_texts(store, *["kettle kettle"] * 700, user="bob")
        keep_texts(store, "Among other things there is also a kettle somewhere in this house", user="alex")
        assert len(found_texts(store, "kettle", view=a_view(user="alex"))) == 1

    @pytest.mark.parametrize("user", ["alex", "u-1", "🎉", "_", '"', "everyone", "a OR b", "José"])
    def test_whatever_a_person_is_called_they_find_their_own(self, store: Store, user: str) -> None:
        keep_texts(store, "his kettle", user=user)
        keep_texts(store, "her kettle", user="someone else")
        assert found_texts(store, "kettle", view=a_view(user=user)) == ["his kettle"]

    def test_names_are_not_found_as_words_because_of_who_may_read(self, store: Store) -> None:
        keep_texts(store, "a kettle", user="alex")
        keep_texts(store, "a lamp")
        assert found_texts(store, "alex", "everyone") == []

    def test_who_holds_each_word_is_told_word_by_word(self, store: Store) -> None:
        keep_texts(store, "red lamp", "red door", "green door")
        held = store.read(lambda t: t.search.places_by_word(["red", "door", "sky"], a_view(), most=9))
        first, second, third = sorted({*held["red"], *held["door"]})
        assert (set(held["red"]), set(held["door"]), held["sky"]) == ({first, second}, {second, third}, [])
        assert store.read(lambda t: t.search.places_by_word(["red"], a_view(), beside=["red", "door"], most=9)) == {
            "red": [second]
        }
        assert store.read(lambda t: t.search.places_by_word(["red"], a_view(), most=1)) == {"red": [second]}

    def test_the_first_that_a_view_shows_are_found_behind_many_hidden_ones(self, store: Store) -> None:
        hidden = keep_records(store, *(a_record(f"hidden {n}", state="forgotten") for n in range(60)))
        shown = keep_records(store, *(a_record(f"shown {n}") for n in range(3)))
        ranked = [(seq, 1.0) for seq in (*hidden, *shown)]
        rows = store.read(lambda t: _first_two_visible(t, lambda most: ranked[:most]))
        assert [seq for seq, _ in rows] == list(shown[:2])
        assert store.read(lambda t: _first_two_visible(t, lambda _: [])) == []

    def test_words_that_are_everywhere_give_the_best_of_the_newest(self, store: Store) -> None:
        keep_texts(store, "a kettle", "a kettle in a long sentence about kitchens and their many things")
        rows = store.read(lambda t: t.search.recent_words(any_words("kettle"), a_view(), limit=5))
        assert _texts_of_rows(store, rows)[0] == "a kettle"
        assert rows[0][1] > rows[1][1]

    def test_matches_are_counted_up_to_a_limit(self, store: Store) -> None:
        keep_texts(store, *(f"kettle {n}" for n in range(5)), "no match")
        assert store.read(lambda t: t.search.count_matches(any_words("kettle"), most=100)) == 5
        assert store.read(lambda t: t.search.count_matches(any_words("kettle"), most=3)) == 3
        assert store.read(lambda t: t.search.size()) == 6

    def test_the_ends_are_the_places_of_the_oldest_and_the_newest_record(self, store: Store) -> None:
        assert store.read(lambda t: t.search.place_ends()) == (0, 0)
        places = keep_records(store, *(a_record(f"kettle {n}") for n in range(20)))
        assert store.read(lambda t: t.search.place_ends()) == (places[0], places[-1])

    def test_an_index_of_words_brought_together_finds_the_same(self, store: Store) -> None:
        for n in range(12):
            keep_texts(store, f"kettle {n}")
        before = found_texts(store, "kettle", limit=20)
        left = store.write(lambda t: t.search.merge(pages=-8))
        for _ in range(20):
            left = store.write(lambda t: t.search.merge(pages=8))
        assert left == 1
        assert found_texts(store, "kettle", limit=20) == before

    def test_records_that_mention_most_of_the_entities_come_first_then_the_newest(self, store: Store) -> None:
        both, old, new = keep_records(
            store, a_record("both"), a_record("old"), a_record("new", at=moment_after(hours=1))
        )
        _mention_all(store, {"ana": (both, old), "lisbon": (both, new)})
        known = store.read(lambda t: t.entities.find(["ana", "lisbon"], [SPACE]))
        rows = store.read(lambda t: t.search.find_by_entities({k.seq for k in known}, a_view(), limit=5))
        assert rows == [(both, 2.0), (new, 1.0), (old, 1.0)]

    def test_records_that_mention_one_entity_come_newest_first(self, store: Store) -> None:
        first, second, third = keep_records(store, a_record("first"), a_record("second"), a_record("third"))
        _mention_all(store, {"ana": (first, second, third), "lisbon": (second,)})
        (ana,) = store.read(lambda t: t.entities.find(["ana"], [SPACE]))
        rows = store.read(lambda t: t.search.find_by_entities([ana.seq], a_view(), limit=2))
        assert rows == [(third, 1.0), (second, 1.0)]
        assert store.read(lambda t: t.search.first_mentions([ana.seq], 1)) == rows[:1]

    def test_a_stretch_of_time_includes_its_start_and_not_its_end(self, store: Store) -> None:
        for hour in (1, 2, 3):
            keep_records(store, a_record(str(hour), at=moment_after(hours=hour)))
        assert _in_time(store, moment_after(hours=1), moment_after(hours=3)) == ["2", "1"]
        rows = store.read(lambda t: t.search.find_by_time(NOW, moment_after(days=1), a_view(), limit=5))
        assert [score for _, score in rows] == sorted((score for _, score in rows), reverse=True)

    def test_readers_are_a_person_and_everyone_where_little_is_shared(self, store: Store) -> None:
        keep_texts(store, "a kettle")
        assert store.read(lambda t: t.search.find_readers(a_view())) == ()
        assert store.read(lambda t: t.search.find_readers(a_view(user="???"))) == ()
        assert "alex" in store.read(lambda t: t.search.find_readers(a_view(user="alex")))

    def test_of_one_moment_the_record_that_was_added_last_comes_first(self, store: Store) -> None:
        seqs = keep_records(store, *(a_record(str(n), subject=f"{9 - n}/pet") for n in range(9)))
        newest = list(reversed(seqs))
        rows = store.read(lambda t: t.search.find_by_time(NOW, moment_after(days=1), a_view(), limit=4))
        assert [seq for seq, _ in rows] == newest[:4]
        rows = store.read(lambda t: t.search.find_by_subjects(["pet"], a_view(), limit=4))
        assert [seq for seq, _ in rows] == newest[:4]

    def test_subjects_are_found_by_attribute_whoever_they_are_about(self, store: Store) -> None:
        keep_records(
            store,
            a_record("Alex lives in Porto", subject="alex/residence"),
            a_record("Alex is a baker", subject="alex/job"),
            a_record("No subject"),
            a_record("Ana lives in Faro", subject="ana/residence", at=moment_after(hours=1)),
        )
        rows = store.read(lambda t: t.search.find_by_subjects(["residence", "pet"], a_view(), limit=5))
        assert _texts_of_rows(store, rows) == ["Ana lives in Faro", "Alex lives in Porto"]
        rows = store.read(lambda t: t.search.find_by_subjects(["residence"], a_view(), limit=5, owners=["alex", "rui"]))
        assert _texts_of_rows(store, rows) == ["Alex lives in Porto"]
        assert store.read(lambda t: t.search.find_by_subjects(["residence"], a_view(), limit=5, owners=[])) == []

    def test_visible_tells_which_places_a_view_shows(self, store: Store) -> None:
        shown, hidden = keep_records(store, a_record("shown"), a_record("hidden", state="forgotten"))
        assert store.read(lambda t: t.search.filter_visible([shown, hidden, hidden + 9], a_view())) == {shown}

    def test_evidence_tells_what_was_said_by_whom_and_when(self, store: Store) -> None:
        second = a_record("two", author="Ana", role="agent", session="s2", kind="note", at=moment_after(hours=1))
        one, two = keep_records(store, a_record("one"), second)
        units = store.read(lambda t: t.search.read_units([one, two, two + 9], a_view()))
        assert [unit.seq for unit in units] == [one, two]
        said = UnitRow(two, "two", "Ana", "agent", to_micros(second.at), kind="note", session="s2")
        assert units[1] == said

    def test_evidence_in_a_view_says_what_the_view_shows(self, store: Store) -> None:
        shown, other, hidden = keep_records(
            store, a_record("shown"), a_record("other", kind="note"), a_record("hidden", state="forgotten")
        )
        view = a_view(kinds=("fact",))
        units = store.read(lambda t: t.search.read_units([shown, other, hidden], view))
        assert {unit.seq: bool(unit.is_shown) for unit in units} == {shown: True, other: False}

    def test_windows_hold_the_messages_around_in_order(self, store: Store) -> None:
        _keep_talk(store, session="s1", channel="#a", texts=("one", "two", "three", "four"))
        (lone,) = keep_records(store, a_record("lone"))
        one, two, three, four, _ = store.read(lambda t: t.purge.of_space(SPACE))
        windows = store.read(lambda t: t.search.read_windows([one, three, lone, lone + 9], reach=2))
        assert sorted(windows) == [(one, two, three), (one, two, three, four)]

    def test_the_window_is_the_last_messages_oldest_first(self, store: Store) -> None:
        _keep_talk(store, session="s1", channel="#a", texts=("one", "two", "three"))
        _keep_talk(store, session="s2", channel="#a", texts=("four",))
        assert _window_texts(store, session="s1", limit=2) == ["two", "three"]
        assert _window_texts(store, channel="#a", limit=9) == ["one", "two", "three", "four"]
        assert _window_texts(store, session="none") == []

    def test_the_window_leaves_out_what_is_forgotten_or_expired(self, store: Store) -> None:
        talk = a_conversation()
        store.write(lambda t: t.conversations.add(talk))
        given = {"conversation": talk.id, "session": "s1"}
        keep_records(
            store,
            a_record("gone", state="forgotten", **given),
            a_record("old", expires_at=moment_after(hours=1), **given),
            a_record("here", **given),
        )
        assert _window_texts(store, session="s1", now=moment_after(hours=2)) == ["here"]

    def test_the_window_of_a_person_leaves_out_what_is_private_to_others(self, store: Store) -> None:
        talk = a_conversation()
        store.write(lambda t: t.conversations.add(talk))
        given = {"conversation": talk.id, "session": "s1"}
        keep_records(
            store,
            a_record("mine", user="alex", **given),
            a_record("theirs", user="sam", **given),
            a_record("for all", user="sam", visibility="project", **given),
            a_record("nobody's", user=None, **given),
        )
        assert _window_texts(store, session="s1", user="alex") == ["mine", "for all", "nobody's"]
        assert _window_texts(store, session="s1") == ["mine", "theirs", "for all", "nobody's"]

    def test_what_is_private_to_others_is_evidence_of_nothing(self, store: Store) -> None:
        mine, theirs, old = keep_records(
            store, a_record("mine", user="alex"), a_record("theirs", user="sam"), a_record("old", user="alex")
        )
        view = a_view(user="alex", until=NOW)
        units = store.read(lambda t: t.search.read_units([mine, theirs, old], view))
        assert {unit.seq for unit in units} == {mine, old}

    def test_search_survives_reopening(self, store: Store, reopen: Reopen) -> None:
        keep_texts(store, "A copper kettle", "我住在上海")
        again = reopen(store)
        assert found_texts(again, "kettles") == ["A copper kettle"]
        assert _by_pairs(again, "上海") == ["我住在上海"]


def _first_two_visible(tables: Tables, ranked: Callable[[int], list[tuple[int, float]]]) -> list[tuple[int, float]]:
    return first_visible(ranked, partial(tables.search.filter_visible, view=a_view()), limit=2)


def _texts_of_rows(store: Store, rows: list[tuple[int, float]]) -> list[str]:
    records = store.read(lambda t: t.records.by_seq(seq for seq, _ in rows))
    return [records[seq].text for seq, _ in rows]


def _by_pairs(store: Store, question: str, *, view: View | None = None) -> list[str]:
    return _texts_of_rows(
        store, store.read(lambda t: t.search.find_by_grams(query_pairs(question), view or a_view(), limit=5))
    )


def _in_time(store: Store, start: datetime, end: datetime) -> list[str]:
    return _texts_of_rows(store, store.read(lambda t: t.search.find_by_time(start, end, a_view(), limit=5)))


def _mention_all(store: Store, mentions: dict[str, tuple[int, ...]]) -> None:
    def work(tables: Tables) -> None:
        for name, places in mentions.items():
            for place in places:
                tables.entities.mention(
                    [RecordMention(place, space=SPACE, alias=name, shown=name.title(), type="name", now=NOW)]
                )

    store.write(work)


def _keep_talk(store: Store, *, session: str, channel: str, texts: tuple[str, ...]) -> None:
    talk = a_conversation(key=f"session:{session}", session=session, channel=channel)
    store.write(lambda t: t.conversations.add(talk))
    keep_texts(store, *texts, conversation=talk.id, session=session, channel=channel)


def _window_texts(
    store: Store,
    *,
    session: str | None = None,
    channel: str | None = None,
    now: datetime = NOW,
    limit: int = 9,
    user: str | None = None,
) -> list[str]:
    records = store.read(
        lambda t: t.search.read_window(SPACE, session=session, channel=channel, now=now, limit=limit, user=user)
    )
    return [record.text for record in records]
