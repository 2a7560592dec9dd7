"""What sort of question a text is: told by its words, in both languages."""

from __future__ import annotations

import pytest

from toldonce.recall.query import (
    is_about_assistant,
    is_course_question,
    is_current_state_question,
    is_help_request,
    is_question,
    is_statement,
    is_summary_request,
    is_time_question,
)


@pytest.mark.parametrize(
    "text",
    [
        "Where do I keep my keys?",
        "How often do we meet?",
        "What is my goal now?",
        "What is my budget for the trip?",
        "How many books have I read since I started?",
        "What did I buy most recently?",
        "Onde eu moro atualmente?",
        "Qual é o meu peso?",
        "Onde moro?",
        "Onde é que trabalho?",
    ],
)
def test_a_question_about_how_a_thing_of_mine_stands_is_told(text: str) -> None:
    assert is_current_state_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "Where did I keep my keys at first?",
        "What was my previous goal?",
        "How should I plan my week?",
        "What are the two plans I have?",
        "Summarize what I have said",
        "Qual era o meu peso antes?",
        "Como devo organizar a minha semana?",
    ],
)
def test_a_question_about_earlier_or_broader_things_is_not(text: str) -> None:
    assert not is_current_state_question(text)


def test_a_thing_of_nobody_does_not_grow_old() -> None:
    assert not is_current_state_question("What is the capital of Peru?")
    assert is_current_state_question("Where does Ana live now?")


def test_what_begins_or_ends_as_a_question_asks_something() -> None:
    assert is_question("Where is it") and is_question("It is there?") and is_question("Onde fica")
    assert not is_question("It rained all day.")


@pytest.mark.parametrize(
    "text",
    [
        "I could not sleep again",
        "My knees have been killing me.",
        "Well, we never went back there",
        "Estou cansado de viajar",
        "O meu chefe não me ouve!",
        "after all these months nobody at work ever asks me",
        "Sometimes it feels like the people who cut corners are the ones who get ahead.",
    ],
)
def test_who_tells_of_themselves_makes_a_remark(text: str) -> None:
    assert is_statement(text)


@pytest.mark.parametrize(
    "text",
    [
        "cats",
        "my sister's birthday",
        "restaurants I liked in Lisbon",
        "Alex dietary preferences",
        "I moved to",
        "project deadline agreed with Rui",
        "aniversário da minha irmã",
        "Where do we go from here, I wonder.",
        "Fix the login bug in auth.py and make sure that all of the tests still pass.",
        "Please help me plan my week.",
        "Por favor, corrija o meu texto.",
        "The parser fails on empty input.",
    ],
)
def test_words_to_look_for_and_things_to_do_are_no_remarks(text: str) -> None:
    assert not is_statement(text)


@pytest.mark.parametrize(
    "text",
    [
        "Doctor's appointment went well",
        "Island holidays are my favourite",
        "Cancelled the trip",
        "Hadrian came by",
        "Can't believe it is over",
        "Queijo da serra é o melhor",
        "Quality matters to me",
        "Finding a flat took months",
    ],
)
def test_a_word_that_begins_like_a_question_makes_none(text: str) -> None:
    assert not is_question(text)


@pytest.mark.parametrize(
    "text",
    ["whats my plan", "o que eu disse sobre o voo", "com quem fui ao cinema", "quantas vezes corri", "summarise it"],
)
def test_a_question_without_its_mark_is_told(text: str) -> None:
    assert is_question(text)


def test_politeness_does_not_address_the_assistant() -> None:
    assert is_about_assistant("What did you recommend?") and is_about_assistant("O que você disse?")
    assert not is_about_assistant("Can you tell me my plans?")


def test_times_and_overviews_are_asked_for_in_both_languages() -> None:
    assert (
        is_time_question("When was it?") and is_time_question("Em que dia foi?") and not is_time_question("Who was it?")
    )
    assert (
        is_time_question("In which month was it?")
        and is_time_question("A que horas foi?")
        and is_time_question("Desde quando?")
    )
    assert is_time_question("Quantas semanas durou?") and is_time_question("Quanto tempo durou?")
    assert not is_time_question("Quantos anos tem ela?") and not is_time_question("Quantas vezes foi?")
    assert is_summary_request("Give me a recap") and is_summary_request("Faça um resumo")


@pytest.mark.parametrize(
    "text",
    [
        "How should I plan my week?",
        "Can you suggest a gift?",
        "My bread stays flat. Any ideas?",
        "Please explain how tides work",
        "Como devo organizar a minha semana?",
        "Você pode me recomendar um filme?",
    ],
)
def test_a_request_for_help_is_told(text: str) -> None:
    assert is_help_request(text)


@pytest.mark.parametrize(
    "text",
    [
        "What did you suggest for the trip?",
        "Can you remind me of the gift?",
        "Can you tell me what I said about tides?",
        "Can you summarize my plans?",
        "Where do I keep my keys?",
        "Você pode lembrar o que eu disse?",
        "Onde eu moro?",
    ],
)
def test_asking_for_what_was_said_is_no_request_for_help(text: str) -> None:
    assert not is_help_request(text)


def test_the_course_of_things_is_asked_for_in_both_languages() -> None:
    assert is_course_question("In what order did I visit them?") and is_course_question("Em que ordem eu os visitei?")
    assert is_course_question("Give me a recap") and not is_course_question("What did I order for lunch?")
