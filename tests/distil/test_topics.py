"""Topics by rule: notes that are about one thing come together, whatever their order and language."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toldonce.distil.drafts import Material
from toldonce.distil.topics import MOST, group_topics

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
WORDS = "dog ramen kernel driver guitar concert harbour tulip budget sprint chess oven glacier violin parcel".split()


def a_note(place: int, text: str, *, title: str = "", vector: tuple[float, ...] = ()) -> Material:
    at = START + timedelta(minutes=place)
    return Material(id=f"note_{place:03}", text=text, title=title, at=at, kind="note", vector=vector)


def test_nothing_gives_nothing() -> None:
    assert group_topics([]) == []


@pytest.mark.parametrize(
    "texts",
    [
        [
            "Ana: My dog Bento ate a shoe.",
            "Rui: The dog Bento needs a vet.",
            "Eva: The budget meeting is late.",
            "Eva: The budget has a hole.",
            "Rui: The ramen place is open.",
            "Ana: I cooked ramen.",
        ],
        [
            "Ana: Meu cachorro Bidu comeu o sapato.",
            "Rui: O cachorro Bidu foi ao veterinário.",
            "Eva: O orçamento atrasou.",
            "Eva: Falta dinheiro no orçamento.",
            "Rui: A feijoada ficou ótima.",
            "Ana: Cozinhei feijoada.",
        ],
    ],
)
def test_notes_about_one_thing_come_together_in_two_languages(texts: list[str]) -> None:
    found = {topic.sources for topic in group_topics([a_note(n, text) for n, text in enumerate(texts)])}
    assert found == {("note_000", "note_001"), ("note_002", "note_003"), ("note_004", "note_005")}


def test_a_topic_is_named_after_what_its_notes_share() -> None:
    pair = [a_note(0, "Ana: My dog Bento ate a shoe."), a_note(1, "Rui: The dog Bento needs a vet.")]
    others = [a_note(2, "Eva: The budget is late."), a_note(3, "Eva: We need tulips.")]
    titles = [topic.title for topic in group_topics([*pair, *others])]
    assert titles == ["Dog Bento ate a shoe"]


def test_its_summary_shows_every_note_with_who_said_it() -> None:
    pair = [a_note(0, "Ana: My dog Bento ate a shoe."), a_note(1, "Rui: The dog Bento needs a vet.")]
    others = [a_note(2, "Eva: The budget is late."), a_note(3, "Eva: We need tulips.")]
    (topic,) = [t for t in group_topics([*pair, *others]) if len(t.sources) == 2]
    assert topic.summary == "Ana: My dog Bento ate a shoe. Rui: The dog Bento needs a vet."


def test_vectors_bring_together_what_words_do_not() -> None:
    texts = ["Ana: The hound is ill.", "Rui: Our dog has a fever.", "Eva: Stocks fell.", "Eva: The market is down."]
    near = [(1.0, 0.0, 0.1), (0.95, 0.05, 0.1), (0.0, 1.0, 0.1), (0.05, 0.95, 0.1)]
    plain = [a_note(n, text) for n, text in enumerate(texts)]
    assert group_topics(plain) == []
    found = group_topics([a_note(n, text, vector=near[n]) for n, text in enumerate(texts)])
    assert ("note_000", "note_001") in {t.sources for t in found}


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), min_size=1, max_size=40), st.randoms())
def test_a_topic_joins_several_notes_and_no_note_is_in_two(said: list[list[str]], chance: object) -> None:
    notes = [a_note(n, "Ana: " + " ".join(words) + ".") for n, words in enumerate(said)]
    found = group_topics(notes)
    joined = [source for topic in found for source in topic.sources]
    assert len(joined) == len(set(joined))
    assert all(len(topic.sources) > 1 for topic in found)
    assert len(found) <= MOST
    assert all(topic.title for topic in found)
    shuffled = list(notes)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert group_topics(shuffled) == found


def test_two_notes_about_one_thing_are_a_topic_and_a_note_alone_is_none() -> None:
    pair = [a_note(0, "Ana: My dog Bento ate a shoe."), a_note(1, "Rui: The dog Bento needs a vet.")]
    assert [topic.sources for topic in group_topics(pair)] == [("note_000", "note_001")]
    assert group_topics(pair[:1]) == []
