"""What a knowledge item says beside its text: titles, areas, related items and the data of named people."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory, presets
from toldonce.distil.person_data import describe_statement, write_title
from toldonce.distil.statements.succession import Stated
from toldonce.tools.definition import Caller
from toldonce.tools.table import Toolbox

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
LIFE = presets.load_preset("life")


def stated(words: str, language: str, *about: str) -> Stated:
    return Stated(words, language, "maria", NOW, "", frozenset(about), frozenset(about))


@pytest.mark.parametrize(
    ("words", "language", "area"),
    [
        ("im allergic to penicillin", "en", ("health", "conditions")),
        ("tomo losartana 50 mg de manhã", "pt", ("health", "conditions")),
        ("i still owe 300 bucks from the loan", "en", ("finance", "spending")),
        ("mi hermana Ana vive en Vigo", "es", ("relationships", "family")),
    ],
)
def test_a_statement_falls_into_the_area_of_its_topics(words: str, language: str, area: tuple[str, str]) -> None:
    told = describe_statement(stated(words, language), LIFE)
    assert (told["area"], told["sub_area"]) == area


def test_a_statement_about_one_named_person_gives_their_data() -> None:
    told = describe_statement(stated("my sister Ana is allergic to nuts", "en", "sister", "ana"), LIFE)
    assert told["person"] == {"name": "Ana", "relationship": "sister", "health": "my sister Ana is allergic to nuts"}
    assert "person" not in describe_statement(stated("Ana and Bia love the beach", "en", "ana", "bia"), LIFE)
    assert "person" not in describe_statement(stated("is Ana allergic to nuts?", "en", "ana"), LIFE)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("yes. im allergic to penicillin, since i was a kid", "yes. im allergic to penicillin"),
        ("Maria lives in Braga", "Maria lives in Braga"),
        ("tomo losartana 50 mg de manhã, às vezes esqueço", "tomo losartana 50 mg de manhã"),
        ("word " * 40, "word word word word word word word word word word word word"),
    ],
)
def test_a_title_is_the_first_clause(text: str, title: str) -> None:
    assert write_title(text) == title


def test_the_life_tools_show_people_with_their_data(open_memory: OpenMemory, clock: ManualClock) -> None:
    """LIFE-17: relation, birthday, health and tastes of somebody named, gathered from several conversations."""
    memory: Memory = open_memory("life")
    told = (
        "my sister Ana is visiting next week",
        "Ana is allergic to shellfish, careful with dinner",
        "Ana loves the sea and old jazz records",
        "Ana's birthday is on 3 May",
    )
    for place, text in enumerate(told):
        memory.observe(text, user="maria", session=f"s{place}", display_name="Maria")
        memory.settle(session=f"s{place}")
        clock.pass_time(days=1)
    tools = Toolbox(memory, Caller(user="maria", role="agent"))
    rows = tools.call("search_knowledge", {"query": "Ana shellfish", "limit": 10}).value
    people = [row["person"] for row in rows if row.get("person")]
    assert any(person.get("relationship") == "sister" for person in people)
    assert any("shellfish" in " ".join(person.get("health", ())) for person in people)
    assert any("jazz" in " ".join(person.get("preferences", ())) for person in people)
    assert any("3 May" in str(person.get("birthday")) for person in people)
    assert all(row["title"] and row["area"] for row in rows if row["type"] in ("fact", "person"))
    assert any(row["relatedItems"] for row in rows)


@pytest.mark.parametrize(
    ("text", "user", "name", "names"),
    [
        ("Hi, I'm Alex", "alex", "", []),
        ("I'm Alex", "u2", "Alex Kim", []),
        ("me chamo Alex", "alex", "", []),
        ("My name is Alexandra", "alex", "Alex", ["Alexandra"]),
        ("my name is Robin", "u2", "", ["Robin"]),
    ],
)
def test_a_name_that_a_person_speaks_under_is_no_news(
    open_memory: OpenMemory, text: str, user: str, name: str, names: list[str]
) -> None:
    memory = open_memory("assistant")
    memory.observe(text, user, session="s", display_name=name)
    kept = [record for settled in memory.settle() for record in settled.kept]
    assert [record.metadata["value"] for record in kept if record.subject == f"{user}/name"] == names
