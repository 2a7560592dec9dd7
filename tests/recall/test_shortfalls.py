"""What a block says of a question without a clear answer, and how it is looked for where it needs several pieces."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce.memory import Memory
from toldonce.recall.query import analyse_query, asks_for_several, asks_what_is_known, goes_on
from toldonce.recall.sections import find_shortfall
from toldonce.records import Hit, Record
from toldonce.times.dates import gloss_relative_times, names_weekday

AT = datetime(2023, 5, 8, 14, tzinfo=UTC)


def hit(text: str, author: str, chance: float) -> Hit:
    said = Record(id=text, space="main", kind="message", text=text, at=AT, created_at=AT, author=author, role="user")
    return Hit(said, chance)


def lacking(question: str, *hits: Hit) -> str | None:
    found = find_shortfall(analyse_query(question, now=AT, zone=UTC), hits)
    return found[0] if found else None


LOST = hit("I lost my job at the bank", "Gina", 0.7)
STUDIO = hit("I am opening a dance studio", "Jon", 0.3)


@pytest.mark.parametrize(
    ("question", "hits", "code"),
    [
        ("What job did Gina lose?", (LOST, STUDIO), None),
        ("What job did Jon lose?", (LOST, STUDIO), "another"),
        ("What did Zoltan think of it?", (LOST, STUDIO), "unnamed"),
        ("what is my blood type?", (hit("good floors are crucial", "Gina", 0.04),), "unclear"),
        ("what is my blood type?", (), "nothing"),
        ("good morning!", (), None),
        ("run the tests again", (hit("good floors are crucial", "Gina", 0.04),), None),
        ("O que fez o Zoltan em maio?", (LOST, STUDIO), "unnamed"),
    ],
)
def test_what_is_lacking_is_told_only_to_who_asks(question: str, hits: tuple[Hit, ...], code: str | None) -> None:
    assert lacking(question, *hits) == code


def test_a_day_in_the_question_is_no_name_that_is_missing() -> None:
    assert lacking("What job did Gina lose on Monday?", LOST, STUDIO) is None


@pytest.mark.parametrize(
    ("text", "is_wide"),
    [
        ("What do Jon and Gina have in common?", True),
        ("How many dogs does Andrew have?", True),
        ("What books has she read?", True),
        ("In what order did I visit them?", True),
        ("Quais remédios eu tomo?", True),
        ("¿Cuántos hermanos tiene?", True),
        ("Where does Ana live?", False),
        ("What is his name?", False),
        ("Onde mora a Ana?", False),
        ("¿Dónde vive Ana?", False),
    ],
)
def test_a_question_that_needs_several_pieces_is_told(text: str, *, is_wide: bool) -> None:
    assert asks_for_several(text) is is_wide


def test_a_question_that_goes_on_is_short_and_begins_so() -> None:
    assert goes_on("and her brother?")
    assert goes_on("e o irmão dela?")
    assert goes_on("¿y su hermano?")
    assert not goes_on("what does her brother do?")
    assert not goes_on("and then we went to the harbour and had dinner with Ana")
    assert not asks_what_is_known("can you recommend a film?")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Yesterday I rode a bike", "Yesterday (May 7, 2023) I rode a bike"),
        ("last week we hiked", "last week (week of May 1, 2023) we hiked"),
        ("my birthday is next month", "my birthday is next month (Jun 2023)"),
        ("I moved here three years ago", "I moved here three years ago (around 2020)"),
        ("ontem fui ao médico", "ontem (7 mai 2023) fui ao médico"),
        ("la semana pasada fui a Roma", "la semana pasada (semana del 1 may 2023) fui a Roma"),
        ("I am tired today", "I am tired today"),
        ("see you on Friday", "see you on Friday"),
    ],
)
def test_a_relative_time_carries_its_date(text: str, told: str) -> None:
    assert gloss_relative_times(text, AT, this_year=2024) == told


def _tell(memory: Memory, clock: ManualClock, *said: tuple[str, str], session: str) -> None:
    for who, text in said:
        memory.observe(text, user=who.lower(), display_name=who, session=session, channel="chat")
        clock.pass_time(minutes=1)
    clock.pass_time(hours=3)


def test_a_second_look_finds_what_the_first_hits_name(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("community")
    _tell(memory, clock, ("Rui", "one of my dogs is called Bolota, the other one Faísca"), session="a")
    for day in range(30):
        _tell(memory, clock, ("Eva", f"dogs again on the beach, day {day}, what a mess"), session=f"b{day}")
    _tell(memory, clock, ("Rui", "Bolota turned nine today"), ("Eva", "and Faísca six, they grow up"), session="c")
    text = memory.context("How many dogs does Rui have and how old are both?", channel="chat").text
    assert "Bolota turned nine" in text
    assert "Faísca six" in text


def test_a_question_that_goes_on_is_read_with_the_turns_before(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant")
    memory.observe("Marta's brother drives a tram in Ghent", user="kim", session="old")
    clock.pass_time(days=3)
    memory.observe("tell me what Marta does", user="kim", session="now")
    assert "tram" in memory.context("and her brother?", user="kim", session="now").text


def test_a_line_has_its_weekday_where_it_names_one(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant")
    memory.observe("the dentist is on Friday", user="kim", session="s1")
    day = clock.now
    clock.pass_time(days=9)
    block = memory.context("when is the dentist?", user="kim").text
    assert f"{'Mon Tue Wed Thu Fri Sat Sun'.split()[day.weekday()]} " in block


def test_a_weekday_is_one_of_the_language_of_the_text_with_or_without_a_mark_behind_it() -> None:
    assert names_weekday("who can bring a projector on Friday?")
    assert names_weekday("a consulta é na segunda-feira às nove")
    assert names_weekday("quedamos el lunes, ¿vale?")
    assert not names_weekday("hoy he comprado una bicicleta verde de segunda mano")
    assert not names_weekday("we had a nice evening")


def test_a_memory_that_holds_nothing_says_nothing(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    assert memory.context("what is my blood type?", user="kim").text == ""
    memory.observe("the heron stood in the reeds", user="kim", session="s1")
    told = memory.context("what is my blood type?", user="kim").text
    assert "remembered" in told.split("instructions")[1]
