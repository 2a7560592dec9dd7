"""The tense of what is said gives "on Monday", "in March" and "on the 5th" their date, where only one can be meant."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from toldonce.distil.drafts import ConversationMessage
from toldonce.distil.extract import extract_facts
from toldonce.distil.reading import remove_written_dates
from toldonce.times.reader import find_asked_windows

AT = datetime(2026, 5, 14, 12, tzinfo=UTC)  # a Thursday


def told(*texts: str, at: datetime = AT, role: str = "user") -> list[str]:
    """What is written about Alex after the last of these messages; `role` is whose the others are."""
    said = [ConversationMessage(f"m{n}", text, "alex", role, at, "Alex") for n, text in enumerate(texts[:-1])]
    drafts = extract_facts([*said, ConversationMessage("last", texts[-1], "alex", "user", at, "Alex")], subjects={})
    return [draft.text for draft in drafts if draft.source == "last"]


BEHIND = [
    ("I started at Acme in March", "Alex started at Acme in March 2026"),
    ("In March I moved to Lisbon", "Alex moved to Lisbon in March 2026"),
    ("i moved to lisbon in march", "Alex moved to lisbon in march 2026"),
    ("We moved to Berlin in October", "Alex moved to Berlin in October 2025"),
    ("I moved to Lisbon in early March", "Alex moved to Lisbon in early March 2026"),
    ("I moved to Lisbon at the end of March", "Alex moved to Lisbon at the end of March 2026"),
    ("I moved to Lisbon on Monday", "Alex moved to Lisbon on 11 May 2026"),
    ("I bought a car on Friday", "Alex bought a car on 8 May 2026"),
    ("I moved to Lisbon on Monday morning", "Alex moved to Lisbon on the morning of 11 May 2026"),
    ("I bought a car and a bike on Friday", "Alex bought a car and a bike on 8 May 2026"),
    ("I had an appointment on Monday", "Alex had an appointment on 11 May 2026"),
    ("I moved to Porto on the 5th", "Alex moved to Porto on 5 May 2026"),
    ("I moved to Porto on the 20th", "Alex moved to Porto on 20 April 2026"),
    ("I moved to Porto on 3 March", "Alex moved to Porto on 3 March 2026"),
    ("I moved to Porto on March 3rd", "Alex moved to Porto on March 3rd, 2026"),
    ("I read Dune on Monday", "Alex read Dune on 11 May 2026"),
    ("I started to run in March", "Alex started to run in March 2026"),
    ("I went to Rome for work in March", "Alex went to Rome for work in March 2026"),
    ("I've worked at Acme since March", "Alex has worked at Acme since March 2026"),
    ("I've worked at Acme since June", "Alex has worked at Acme since June 2025"),
    ("Comecei na Acme em março", "Alex começou na Acme em março de 2026"),
    ("Me mudei para o Porto na segunda", "Alex se mudou para o Porto em 11 de maio de 2026"),
    ("Na segunda comecei um novo emprego na Stripe", "Alex começou um novo emprego na Stripe em 11 de maio de 2026"),
    ("Fui ao dentista no dia 5", "Alex foi ao dentista em 5 de maio de 2026"),
    ("Mudei-me para o Porto no dia 3 de março", "Alex se mudou para o Porto no dia 3 de março de 2026"),
    ("Parei de fumar no início de março", "Alex parou de fumar no início de março de 2026"),
    ("Adotei um gato na segunda de manhã", "Alex adotou um gato na manhã de 11 de maio de 2026"),
    ("Trabalho na Acme desde março", "Alex trabalha na Acme desde março de 2026"),
    ("Trabalho na Acme desde o dia 5", "Alex trabalha na Acme desde 5 de maio de 2026"),
    ("Comprei uma casa no Rio de Janeiro em março", "Alex comprou uma casa no Rio de Janeiro em março de 2026"),
]

AHEAD = [
    ("I'm moving to Lisbon in March", "Alex is moving to Lisbon in March 2027"),
    ("I'm moving to Lisbon on Monday", "Alex is moving to Lisbon on 18 May 2026"),
    ("I'm flying to Rio on the 5th", "Alex is flying to Rio on 5 June 2026"),
    ("I'm flying to Rio on the 20th", "Alex is flying to Rio on 20 May 2026"),
    ("I'm moving to Porto on 3 June", "Alex is moving to Porto on 3 June 2026"),
    ("I'll start at Acme on Monday", "Alex will start at Acme on 18 May 2026"),
    ("I have an exam on the 20th", "Alex has an exam on 20 May 2026"),
    ("My wedding is in June", "Alex's wedding is in June 2026"),
    ("I'm running a marathon in October", "Alex is running a marathon in October 2026"),
    ("I plan to move to Berlin in October", "Alex plans to move to Berlin in October 2026"),
    ("Vou me mudar para Lisboa em março", "Alex vai se mudar para Lisboa em março de 2027"),
    ("Estou me mudando para Lisboa na segunda", "Alex está se mudando para Lisboa em 18 de maio de 2026"),
    ("Vou viajar no dia 20", "Alex vai viajar em 20 de maio de 2026"),
    ("Tenho consulta na segunda", "Alex tem consulta em 18 de maio de 2026"),
    ("Minha formatura é em junho", "A formatura de Alex é em junho de 2026"),
]

NOT_PLAIN = [
    # Habits.
    ("I play tennis on Monday", "Alex plays tennis on Monday"),
    ("In March we usually go skiing", "Alex usually goes skiing in March"),
    ("I have a class on Monday", "Alex has a class on Monday"),
    ("I visited my mom on Sunday nights", "Alex visited their mom on Sunday nights"),
    ("Jogo tênis na segunda", "Alex joga tênis na segunda"),
    ("Sempre vou correr na segunda", "Alex sempre vai correr na segunda"),
    # The running month and today's weekday may be this one or another; June is nearer ahead than behind.
    ("I visited Paris in May", "Alex visited Paris in May"),
    ("I'm getting married in May", "Alex is getting married in May"),
    ("I bought a car on Thursday", "Alex bought a car on Thursday"),
    ("I adopted a dog on the 14th", "Alex adopted a dog on the 14th"),
    ("I adopted a dog on the 31st", "Alex adopted a dog on the 31st"),
    ("I got married in June", "Alex got married in June"),
    ("Moro em Braga desde maio", "Alex mora em Braga desde maio"),
    # What comes every year, or was once in a life.
    ("I was born in March", "Alex was born in March"),
    ("My birthday is on 3 March", "Alex's birthday is on 3 March"),
    ("I met my wife in March", "Alex met their wife in March"),
    ("Nasci em março", "Alex nasceu em março"),
    # Done on one day for another.
    ("I booked a flight to Rome in June", "Alex booked a flight to Rome in June"),
    ("I signed up for a marathon in October", "Alex signed up for a marathon in October"),
    ("I decided to move to Lisbon in March", "Alex decided to move to Lisbon in March"),
    ("I bought a dress for the wedding in October", "Alex bought a dress for the wedding in October"),
    ("I got a job at Acme starting on Monday", "Alex got a job at Acme starting on Monday"),
    ("I attended a meeting about the launch in October", "Alex attended a meeting about the launch in October"),
    ("I have a scar from surgery in March", "Alex has a scar from surgery in March"),
    ("I visited the house built in March", "Alex visited the house built in March"),
    ("Marquei consulta para segunda", "Alex marcou consulta para segunda"),
    ("Comprei um vestido para o casamento em outubro", "Alex comprou um vestido para o casamento em outubro"),
    ("Comprei ingressos para o show na sexta", "Alex comprou ingressos para o show na sexta"),
    # Wishes, and what nearly was.
    ("I want to visit Japan in March", "Alex wants to visit Japan in March"),
    ("Queria me mudar para Lisboa em março", "Alex queria se mudar para Lisboa em março"),
    ("I never went to Rome in March", "Alex never went to Rome in March"),
    # Another time is told beside it.
    ("I went to therapy on Monday and Wednesday", "Alex went to therapy on Monday and Wednesday"),
    ("I started at Acme on Monday, the 4th", "Alex started at Acme on Monday"),
    ("I started at Acme on Monday, 4 May", "Alex started at Acme on Monday"),
    ("I worked at Acme from March to June", "Alex worked at Acme from March to June"),
    ("I moved to Lisbon in March '19", "Alex moved to Lisbon in March '19"),
    ("I broke my arm in March when I was ten", "Alex broke their arm in March"),
    ("I got accepted into MIT and start in September", "Alex got accepted into MIT and start in September"),
    ("I started my diet on Sunday, and I'm hungry on Monday", "Alex started their diet on Sunday"),
    # Other days and other words.
    ("I caught a cold on 7/4", "Alex caught a cold on 7/4"),
    ("I adopted a dog on Good Friday", "Alex adopted a dog on Good Friday"),
    ("Adotei um gato no domingo de Páscoa", "Alex adotou um gato no domingo de Páscoa"),
    ("Comprei um carro na segunda vez", "Alex comprou um carro na segunda vez"),
    ("I won a prize in the March contest", "Alex won a prize in the March contest"),
]


@pytest.mark.parametrize("text, written", BEHIND)
def test_what_is_over_was_on_the_last_such_day_or_month(text: str, written: str) -> None:
    assert told(text) == [written]


@pytest.mark.parametrize("text, written", AHEAD)
def test_what_is_to_come_is_on_the_next_such_day_or_month(text: str, written: str) -> None:
    assert told(text) == [written]


@pytest.mark.parametrize("text, written", BEHIND + AHEAD)
def test_a_fact_tells_of_the_time_at_which_its_message_is_found(text: str, written: str) -> None:
    (said,), (kept,) = (find_asked_windows(words, now=AT, zone=UTC) for words in (text, written))
    assert said.start < kept.end and kept.start < said.end


@pytest.mark.parametrize("text, written", BEHIND)
def test_what_happened_is_told_without_the_date_too(text: str, written: str) -> None:
    assert not any(char.isdigit() for char in remove_written_dates(written))


@pytest.mark.parametrize("text, written", NOT_PLAIN)
def test_a_time_that_may_be_another_keeps_its_words(text: str, written: str) -> None:
    assert told(text) == [written]


def test_a_month_that_comes_before_another_one_in_the_same_message_is_not_dated() -> None:
    assert told("I started at Acme in March. I got promoted in June.")[0] == "Alex started at Acme in March"


def test_a_weekday_and_a_month_do_not_stand_in_each_others_way() -> None:
    text = "We got engaged on Sunday and we're getting married in October"
    assert told(text) == ["Alex got engaged on 10 May 2026", "Alex is getting married in October 2026"]


@pytest.mark.parametrize(
    "text",
    [
        "Back in 2019 I lived in Rome. I moved to Lisbon in March",
        "Last year was hard. I moved to Lisbon in March",
        "When I was a kid I lived in Rome. I moved to Lisbon in March",
    ],
)
def test_a_story_of_another_year_is_not_dated_by_this_one(text: str) -> None:
    assert told(text)[-1] == "Alex moved to Lisbon in March"


def test_an_answer_to_a_question_about_another_year_is_not_dated_by_this_one() -> None:
    asked = "Where did you live in 2015?"
    assert told(asked, "I moved to Lisbon in March", role="assistant") == ["Alex moved to Lisbon in March"]
    assert told(asked, "Rome.", "I moved to Lisbon in March", role="assistant") == [
        "Alex moved to Lisbon in March 2026"
    ]


@pytest.mark.parametrize(
    "at, text, written",
    [
        ((2026, 1, 4), "I moved to Lisbon in December", "Alex moved to Lisbon in December 2025"),
        ((2026, 1, 4), "I moved to Lisbon on the 31st", "Alex moved to Lisbon on 31 December 2025"),
        ((2026, 1, 4), "I'm moving to Lisbon in January", "Alex is moving to Lisbon in January"),
        ((2026, 3, 1), "I moved to Lisbon on the 29th", "Alex moved to Lisbon on the 29th"),
        ((2026, 12, 31), "I'm flying to Rio on the 1st", "Alex is flying to Rio on 1 January 2027"),
        ((2026, 12, 31), "I moved to Lisbon in January", "Alex moved to Lisbon in January"),
        ((2028, 2, 29), "I'm moving to Rome on 29 February", "Alex is moving to Rome on 29 February"),
    ],
)
def test_the_edges_of_months_and_years_are_kept(at: tuple[int, int, int], text: str, written: str) -> None:
    assert told(text, at=datetime(*at, 12, tzinfo=UTC)) == [written]
