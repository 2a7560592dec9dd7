"""A question is taken apart: what is left to look for are the words that carry content."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from toldonce import presets
from toldonce.recall.query import analyse_query, find_asked_attributes

NOW = datetime(2026, 5, 14, 15, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "text, terms",
    [
        ("Where does Nina live now?", ("nina", "live")),
        ("Onde é que o Tomás mora agora?", ("tomas", "mora")),
        ("Onde ela trabalha atualmente?", ("trabalha",)),
    ],
)
def test_a_word_for_now_is_not_looked_for(text: str, terms: tuple[str, ...]) -> None:
    assert analyse_query(text, now=NOW, zone=UTC).terms == terms


def test_a_question_of_little_words_alone_keeps_them() -> None:
    assert analyse_query("and now?", now=NOW, zone=UTC).terms == ("and", "now")


def test_a_named_time_is_no_word_to_look_for() -> None:
    found = analyse_query("What did Nina bake last Friday?", now=NOW, zone=UTC)
    assert found.terms == ("nina", "bake") and found.windows[0].start == datetime(2026, 5, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("asked", "attributes"),
    [
        ("What is my name?", ("name",)),
        ("what's my current home address?", ("residence",)),
        ("Where does Nina live now?", ("residence",)),
        ("what's Nina's job?", ("employment", "occupation")),
        ("what am I allergic to?", ("allergy",)),
        ("When is my birthday?", ("birthday",)),
        ("onde eu moro?", ("residence",)),
        ("qual é o meu nome?", ("name",)),
        ("what's my dog's name?", ()),
        ("What is the name of my cat?", ()),
        ("where does my sister live?", ()),
        ("how old is my daughter?", ()),
        ("what is the address of the clinic?", ()),
        ("qual o nome do meu cachorro?", ()),
        ("onde mora minha irmã?", ()),
    ],
)
def test_attribute_of_what_somebody_has_is_not_theirs(asked: str, attributes: tuple[str, ...]) -> None:
    query = analyse_query(asked, now=NOW, zone=UTC)
    assert find_asked_attributes(query, presets.load_preset("assistant").subjects) == attributes
